//! How much memory the solvers take, counted at the allocator. If this fails, a large city no longer
//! fits where it did.
#![allow(clippy::print_stdout, reason = "figures for the reader")]
#![allow(unsafe_code, reason = "an allocator that counts has to be one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use throng_field::solve::{Batched, Costs, FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
    CALLS.fetch_add(1, Relaxed);
}

// SAFETY: every call is handed to the system's allocator as it came; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the block came from `System.alloc` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes at the peak of `f` beyond what was held before.
fn peak_of(f: impl FnOnce()) -> usize {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    f();
    PEAK.load(Relaxed) - before
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn memory() {
    four_goals_on_a_large_field();
    a_second_solve_allocates_next_to_nothing();
}

fn four_goals_on_a_large_field() {
    const SIDE: usize = 4096;
    let cost = Grid::filled(SIDE, SIDE, 1.0f32).unwrap();
    let sources: Vec<[Source; 1]> = [(0, 0), (4095, 17), (2000, 2100), (100, 4000)]
        .into_iter()
        .map(|(x, y)| [Cell::new(x, y).into()])
        .collect();
    let groups: Vec<&[Source]> = sources.iter().map(|s| &s[..]).collect();
    let mut outs = vec![cost.clone(); groups.len()];
    let peak = peak_of(|| {
        Batched::new()
            .solve_groups(Costs::Shared(&cost), &groups, &SolveParams::default(), &mut outs)
            .unwrap();
    });
    let per_cell = peak as f64 / (SIDE * SIDE * groups.len()) as f64;
    println!("4096², 4 goals: {per_cell:.2} bytes per cell and goal beyond input and output");
    assert!(per_cell <= 16.0, "{per_cell}");
    assert_eq!(outs[0][Cell::new(4095, 0)], 4095.0, "a straight way along the edge");
}

/// Scratch is kept: what a step of the simulation asks for must not grow with the field.
fn a_second_solve_allocates_next_to_nothing() {
    let cost = Grid::filled(512, 512, 1.0f32).unwrap();
    let mut out = cost.clone();
    let goal = [Source::from(Cell::new(30, 400))];
    let mut solver = FastIterative::new();
    solver.solve(&cost, &goal, &SolveParams::default(), &mut out).unwrap();
    let calls = CALLS.load(Relaxed);
    let peak = peak_of(|| {
        solver.solve(&cost, &goal, &SolveParams::default(), &mut out).unwrap();
    });
    println!("512², again: {peak} bytes, {} allocations", CALLS.load(Relaxed) - calls);
    assert!(peak < 64 << 10, "{peak} bytes");
}
