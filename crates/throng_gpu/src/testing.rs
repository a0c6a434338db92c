//! One device for all tests of a process: opening one takes longer than most tests.

use std::sync::OnceLock;

use crate::{Buffer, Gpu, GpuError, Options, Pool, Prepared, Variant};

/// The device for tests. Without one a test fails rather than being left out.
///
/// # Panics
/// There is no adapter.
#[must_use]
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// A device of a test's own, to be lost or counted on.
///
/// # Panics
/// There is no adapter.
#[must_use]
pub fn open() -> Gpu {
    match Gpu::open(&Options::default()) {
        Ok(gpu) => gpu,
        Err(error) => panic!(
            "{error}\nThis test needs a GPU, if only in software: `cargo xtask test` installs Mesa's \
             software Vulkan, or install the package `mesa-vulkan-drivers`."
        ),
    }
}

/// Random words that are the same in every run.
#[must_use]
pub fn words(len: usize, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (crate::wide::mix(state) >> 32) as u32
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Numbers of elements around the edges of workgroups, and many.
pub const SIZES: [usize; 8] = [0, 1, 255, 256, 257, 65_535, 65_536, 10_000_000];

/// The variants that the device of the tests has.
#[must_use]
pub fn variants() -> Vec<Variant> {
    let mut variants = vec![Variant::Portable];
    if gpu().capabilities().subgroups {
        variants.push(Variant::Subgroups);
    }
    variants
}

/// Carries work out.
pub fn run(work: &Prepared) {
    let mut encoder = gpu().encoder("test");
    work.record(&mut gpu().pass(&mut encoder, "test"));
    gpu().submit(encoder);
}

/// A count on the GPU, with something else around it.
pub fn counted(pool: &Pool, n: usize) -> Result<Buffer, GpuError> {
    pool.array_of("count", &[77, n as u32, 99])
}
