//! The host side of the sort.

use super::{BITS, ITEMS, SHADER, defs};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::spine::Spine;
use crate::{Count, GROUP, Gpu, GpuError, Pool, Variant};

const BLOCK: u32 = GROUP * ITEMS;
const DIGITS: u32 = 1 << BITS;

/// Sorts keys with payload.
#[derive(Debug)]
pub struct Sort {
    count: Kernel,
    /// Without and with payload.
    write: [Kernel; 2],
    starts: Kernel,
    spine: Spine,
}

/// Where sorted keys and payload go: two buffers, neither of which is read from.
#[derive(Clone, Copy, Debug)]
pub struct Sorted<'a> {
    /// For the keys.
    pub keys: &'a wgpu::Buffer,
    /// For the payload, or for the places the keys came from.
    pub payload: &'a wgpu::Buffer,
}

impl Sort {
    /// Compiles the kernels, the better ones for this device.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Self::with(gpu, Variant::best(gpu))
    }

    /// Compiles the kernels of one kind.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn with(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let places = gpu.program(&SHADER, defs(variant, false))?;
        let payload = gpu.program(&SHADER, defs(variant, true))?;
        Ok(Self {
            count: places.kernel("count_digits")?,
            write: [places.kernel("write_digits")?, payload.kernel("write_digits")?],
            starts: places.kernel("find_starts")?,
            spine: Spine::new(gpu, variant)?,
        })
    }

    /// Sorts by the lowest `bits` (1 to 32) of the keys; those above must be zero.
    ///
    /// # Errors
    /// Buffers that are too small, or read and written; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        keys: &wgpu::Buffer,
        payload: Option<&wgpu::Buffer>,
        sorted: Sorted<'_>,
        bits: u32,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        if !(1..=32).contains(&bits) {
            let (value, least, most) = (u64::from(bits), 1, 32);
            return Err(GpuError::OutOfRange { what: "bits of a key", value, least, most });
        }
        sorted.check("sort", keys, payload, None, &count)?;
        self.passes(pool, keys, payload, sorted, (bits, u32::MAX), count)
    }

    /// Sorts by bin: keys are 0 to `bins` - 1, others are taken as `bins`. `starts` gets `bins` + 1
    /// words: where each bin begins, and where the last one ends and strays begin.
    ///
    /// # Errors
    /// Buffers that are too small, or read and written; out of memory.
    #[expect(clippy::too_many_arguments, reason = "each is a buffer with a role of its own")]
    pub fn bind_bins(
        &self,
        pool: &Pool,
        keys: &wgpu::Buffer,
        payload: Option<&wgpu::Buffer>,
        sorted: Sorted<'_>,
        bins: u32,
        starts: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        holds_words("starts of bins", starts, u64::from(bins) + 1)?;
        sorted.check("sort", keys, payload, Some(starts), &count)?;
        let bits = (u32::BITS - bins.leading_zeros()).max(1);
        let mut work = self.passes(pool, keys, payload, sorted, (bits, bins), count)?;
        let extents = Extents::new(pool, "sort starts", count, &[[0, bins]])?;
        let bindings = [
            (0, extents.extent(0)),
            (1, extents.count(&count)),
            (2, sorted.keys.as_entire_binding()),
            (7, starts.as_entire_binding()),
        ];
        work.push(self.starts.step(&bindings, groups_for(bins + 1, GROUP))?);
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }

    fn passes(
        &self,
        pool: &Pool,
        keys: &wgpu::Buffer,
        payload: Option<&wgpu::Buffer>,
        sorted: Sorted<'_>,
        (bits, greatest): (u32, u32),
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        let passes = bits.div_ceil(BITS);
        let mut own = vec![[BLOCK, DIGITS]];
        own.extend((0..passes).map(|pass| [pass * BITS, greatest]));
        let extents = Extents::new(pool, "sort", count, &own)?;
        let sums = pool.array::<u32>("sort sums", Spine::words(most, BLOCK, DIGITS))?;
        let other_keys = pool.array::<u32>("sort keys", most as usize)?;
        let other_payload = pool.array::<u32>("sort payload", most as usize)?;
        let other = Sorted { keys: &other_keys, payload: &other_payload };
        let mut work = Prepared::new();
        let (mut from_keys, mut from_payload) = (keys, payload);
        for pass in 1..=passes as usize {
            // From here to there and back, so that the last pass ends in the caller's buffers.
            let to = if (passes as usize - pass).is_multiple_of(2) { sorted } else { other };
            let mut bindings = vec![
                (0, extents.extent(pass)),
                (1, extents.count(&count)),
                (2, from_keys.as_entire_binding()),
                (4, sums.as_entire_binding()),
            ];
            let groups = groups_for(most, BLOCK);
            work.push(self.count.step(&bindings, groups)?);
            work.push(self.spine.step(&extents, 0, &count, &sums)?);
            bindings.extend(from_payload.map(|payload| (3, payload.as_entire_binding())));
            bindings.push((5, to.keys.as_entire_binding()));
            bindings.push((6, to.payload.as_entire_binding()));
            work.push(self.write[usize::from(from_payload.is_some())].step(&bindings, groups)?);
            (from_keys, from_payload) = (to.keys, Some(to.payload));
        }
        [sums, other_keys, other_payload].into_iter().for_each(|buffer| work.keep(buffer));
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}

impl Sorted<'_> {
    /// That all buffers are large enough, and none is read and written.
    pub(crate) fn check(
        &self,
        what: &'static str,
        keys: &wgpu::Buffer,
        payload: Option<&wgpu::Buffer>,
        starts: Option<&wgpu::Buffer>,
        count: &Count<'_>,
    ) -> Result<(), GpuError> {
        let mut read = vec![("keys", keys)];
        read.extend(payload.map(|payload| ("payload", payload)));
        let mut written = vec![("sorted keys", self.keys), ("sorted payload", self.payload)];
        for (role, buffer) in read.iter().chain(&written) {
            holds_words(&format!("{role} of the {what}"), buffer, u64::from(count.at_most()))?;
        }
        written.extend(starts.map(|starts| ("starts", starts)));
        apart(what, Some(count), &read, &written)
    }
}
