//! A step in the steady state allocates nothing, counted at the allocator. If this fails, games stutter
//! and large crowds slow down as memory is taken and given back in every step.
#![allow(unsafe_code, reason = "an allocator that counts has to be one")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use common::{scene, shipped};
use throng_crowd::{Crowd, CrowdOptions};
use throng_world::World;

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed to the system's allocator as it came; counting touches no memory of it.
// `realloc` and `alloc_zeroed` go through `alloc`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System.alloc` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Walkers round a hall for ever: nobody comes, nobody leaves.
const ROUND: &str = r#"
    version = 1
    ground = { kind = "flat", size = [60, 40] }
    wall   = [{ rect = [20, 15, 40, 25] }]
    goal   = [{ name = "left", rect = [1, 1, 4, 39] }, { name = "right", rect = [56, 1, 59, 39] }]
    group  = [{ name = "to", visit = ["left", "right"], again = true },
              { name = "fro", visit = ["right", "left"], again = true }]
    spawn  = [{ group = "to", count = 600, rect = [5, 1, 55, 14] },
              { group = "fro", count = 600, rect = [5, 26, 55, 39] }]
"#;

const WARM_UP: usize = 200;
const STEPS: usize = 300;

/// Allocations in [`STEPS`] steps after the warm-up, and how many fields were refreshed in them.
fn allocations(world: World, threads: usize) -> (usize, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let pool = Arc::new(pool);
    let options = CrowdOptions { pool: Some(pool.clone()), ..Default::default() };
    let mut crowd = Crowd::new(world, options).unwrap();
    let dt = crowd.world().dt;
    // Inside the pool, as a host that owns it would: handing over from outside is the pool's own affair.
    pool.install(|| {
        for _ in 0..WARM_UP {
            crowd.step(dt).unwrap();
        }
        let refreshed = crowd.totals().refreshed;
        let before = CALLS.load(Relaxed);
        for _ in 0..STEPS {
            crowd.step(dt).unwrap();
        }
        let calls = CALLS.load(Relaxed) - before;
        let (warm, cold) = crowd.totals().refreshed;
        (calls, warm + cold - refreshed.0 - refreshed.1)
    })
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn steps_allocate_nothing() {
    for threads in [1, 2] {
        for (name, world) in
            [("round", scene(ROUND)), ("froblins", shipped("froblins", Some(3000)))]
        {
            let mut still = world.clone();
            still.params.navigate.refresh_seconds = 1e6;
            let (without, none) = allocations(still, threads);
            let (with, refreshed) = allocations(world, threads);
            println!(
                "{name}, {threads} threads: {without} allocations in {STEPS} steps without refreshes, \
                 {with} with {refreshed} refreshes"
            );
            assert_eq!(none, 0);
            assert!(refreshed > 20, "{name}: only {refreshed} refreshes");
            assert_eq!(without, 0, "{name}, {threads} threads, fields at rest");
            // Solving a field still allocates: lists of the solver's rounds.
            assert!(
                with as u64 <= 200 * refreshed,
                "{name}, {threads} threads: {with} in {refreshed}"
            );
        }
    }
}
