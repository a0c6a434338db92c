//! The whole cost F = aT + bD + cA of every cell ("March of the Froblins", section 3.2.1), from
//! terrain, density and hazards, with the list of cells that changed for a warm start.
//!
//! Two passes over blocks of cells: the first checks the inputs and counts what would change, the
//! second writes. A refused input therefore leaves the output as it was.

use super::{BLOCK, CostError, MAX_COST, MIN_COST, check_same_cells, first_bad, is_cost, is_term};
use crate::grid::Grid;
use rayon::prelude::*;

/// A weight of a term: the same everywhere, or one per cell. Finite and not negative.
#[derive(Clone, Copy, Debug)]
pub enum Weight<'a> {
    /// The same in every cell.
    Number(f32),
    /// One per cell, e.g. heavier density cost near goals so that they do not overcrowd.
    Grid(&'a Grid<f32>),
}

impl From<f32> for Weight<'_> {
    fn from(number: f32) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a Grid<f32>> for Weight<'a> {
    fn from(grid: &'a Grid<f32>) -> Self {
        Self::Grid(grid)
    }
}

/// The terms of F = aT + bD + cA and their weights. All grids have the same cells.
#[derive(Clone, Copy, Debug)]
pub struct ComposeInput<'a> {
    /// T: cost of the ground, [`MIN_COST`] to [`MAX_COST`], `f32::INFINITY` where blocked.
    pub terrain: &'a Grid<f32>,
    /// D: people per square metre; `None` is an empty world.
    pub density: Option<&'a Grid<f32>>,
    /// A: cost of hazards; `None` is a safe world.
    pub hazards: Option<&'a Grid<f32>>,
    /// a: weight of the terrain, no unit.
    pub terrain_weight: Weight<'a>,
    /// b: cost per person per square metre.
    pub density_weight: Weight<'a>,
    /// c: weight of the hazards, no unit.
    pub hazard_weight: Weight<'a>,
}

impl<'a> ComposeInput<'a> {
    /// Terrain alone; all weights are 1.
    pub fn new(terrain: &'a Grid<f32>) -> Self {
        Self {
            terrain,
            density: None,
            hazards: None,
            terrain_weight: Weight::Number(1.0),
            density_weight: Weight::Number(1.0),
            hazard_weight: Weight::Number(1.0),
        }
    }

    fn fields(&self) -> [(&'static str, Option<&'a Grid<f32>>); 2] {
        [("density", self.density), ("hazard", self.hazards)]
    }

    fn weights(&self) -> [(&'static str, Weight<'a>); 3] {
        [
            ("terrain weight", self.terrain_weight),
            ("density weight", self.density_weight),
            ("hazard weight", self.hazard_weight),
        ]
    }

    /// Checks shapes and the weights that are numbers; cells are checked while they are used.
    fn check(&self, out: &Grid<f32>) -> Result<(), CostError> {
        let terrain = ("terrain", self.terrain);
        check_same_cells(("output", out), terrain)?;
        for (what, field) in self.fields() {
            field.map_or(Ok(()), |field| check_same_cells((what, field), terrain))?;
        }
        for (what, weight) in self.weights() {
            match weight {
                Weight::Grid(grid) => check_same_cells((what, grid), terrain)?,
                Weight::Number(value) if is_term(value) => {}
                Weight::Number(value) => return Err(CostError::BadWeight { what, value }),
            }
        }
        Ok(())
    }

    /// Names the first bad cell of the first bad grid, once it is known that there is one.
    #[cold]
    fn find_bad(&self) -> Result<(), CostError> {
        super::check_cost(self.terrain)?;
        let weights = self.weights().map(|(what, weight)| match weight {
            Weight::Grid(grid) => (what, Some(grid)),
            Weight::Number(_) => (what, None),
        });
        for (what, grid) in self.fields().into_iter().chain(weights) {
            let Some(grid) = grid else { continue };
            if let Some(bad) = first_bad(grid.as_slice(), is_term) {
                return Err(CostError::BadTerm {
                    what,
                    cell: grid.cell_at(bad.index),
                    value: bad.value,
                    count: bad.count,
                });
            }
        }
        Ok(())
    }
}

/// What [`compose`] found, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComposeReport {
    /// Cells whose value is not what `out` held before.
    pub changed: usize,
    /// Blocked cells.
    pub blocked: usize,
    /// Free cells raised to [`MIN_COST`].
    pub raised: usize,
    /// Free cells lowered to [`MAX_COST`].
    pub lowered: usize,
}

impl ComposeReport {
    /// Cells whose cost was outside [`MIN_COST`] to [`MAX_COST`] and was clamped.
    pub fn clamped(&self) -> usize {
        self.raised + self.lowered
    }
}

/// A report in the making, and whether a bad input was met.
#[derive(Clone, Copy, Default)]
struct Tally {
    report: ComposeReport,
    bad: bool,
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        let (a, b) = (self.report, other.report);
        Self {
            report: ComposeReport {
                changed: a.changed + b.changed,
                blocked: a.blocked + b.blocked,
                raised: a.raised + b.raised,
                lowered: a.lowered + b.lowered,
            },
            bad: self.bad | other.bad,
        }
    }
}

/// Writes F = aT + bD + cA into `out`, clamped to [`MIN_COST`] to [`MAX_COST`]; cells whose terrain
/// is blocked are `f32::INFINITY` whatever the weights.
///
/// If `changed` is given it becomes the ascending list of the cells (positions in row order) whose
/// value is not what `out` held before. Its memory is the caller's and is reused; nothing else is
/// allocated. Work is spread over all threads and the result does not depend on how many.
///
/// # Errors
/// If grids do not have the same cells, a weight, density or hazard is negative, NaN or infinite, or
/// the terrain is not a legal cost. `out` is then unchanged and `changed` empty.
pub fn compose(
    input: &ComposeInput<'_>,
    out: &mut Grid<f32>,
    mut changed: Option<&mut Vec<u32>>,
) -> Result<ComposeReport, CostError> {
    if let Some(list) = changed.as_deref_mut() {
        list.clear();
    }
    input.check(out)?;
    let Some(list) = changed else {
        let blocks = out.as_slice().par_chunks(BLOCK).enumerate().with_min_len(4);
        let tally = blocks
            .map(|(block, before)| tally_block(input, block * BLOCK, before))
            .reduce(Tally::default, Tally::plus);
        if tally.bad {
            input.find_bad()?;
        }
        write_all(input, out, tally.report.changed);
        return Ok(tally.report);
    };
    // The list's first places hold the number of changes per block until the end.
    let blocks = out.cells().div_ceil(BLOCK);
    list.resize(blocks, 0);
    let tally = out
        .as_slice()
        .par_chunks(BLOCK)
        .zip(&mut list[..])
        .enumerate()
        .with_min_len(4)
        .map(|(block, (before, count))| {
            let tally = tally_block(input, block * BLOCK, before);
            *count = tally.report.changed as u32;
            tally
        })
        .reduce(Tally::default, Tally::plus);
    if tally.bad {
        list.clear();
        input.find_bad()?;
    }
    list.resize(blocks + tally.report.changed, 0);
    let (counts, cells) = list.split_at_mut(blocks);
    write_listed(input, 0, out.as_mut_slice(), counts, cells);
    list.drain(..blocks);
    Ok(tally.report)
}

fn write_all(input: &ComposeInput<'_>, out: &mut Grid<f32>, changed: usize) {
    if changed == 0 {
        return;
    }
    let blocks = out.as_mut_slice().par_chunks_mut(BLOCK).enumerate();
    blocks.with_min_len(4).for_each(|(block, out)| {
        evaluate(input, block * BLOCK, out);
    });
}

/// Writes the blocks that change and lists their changed cells; `list` has exactly the room that
/// `counts` asks for. `start` is the position of the first cell of `out`.
fn write_listed(
    input: &ComposeInput<'_>,
    start: usize,
    out: &mut [f32],
    counts: &[u32],
    list: &mut [u32],
) {
    if list.is_empty() {
        return;
    }
    if counts.len() == 1 {
        return write_listed_block(input, start, out, list);
    }
    let (counts_a, counts_b) = counts.split_at(counts.len() / 2);
    let cells = counts_a.len() * BLOCK;
    let listed: usize = counts_a.iter().map(|&count| count as usize).sum();
    let (out_a, out_b) = out.split_at_mut(cells);
    let (list_a, list_b) = list.split_at_mut(listed);
    rayon::join(
        || write_listed(input, start, out_a, counts_a, list_a),
        || write_listed(input, start + cells, out_b, counts_b, list_b),
    );
}

fn write_listed_block(input: &ComposeInput<'_>, start: usize, out: &mut [f32], list: &mut [u32]) {
    let mut buffer = [0.0; BLOCK];
    let now = &mut buffer[..out.len()];
    evaluate(input, start, now);
    let mut room = list.iter_mut();
    for (i, (out, &mut now)) in out.iter_mut().zip(now).enumerate() {
        if *out != now {
            *out = now;
            if let Some(place) = room.next() {
                *place = (start + i) as u32;
            }
        }
    }
    debug_assert!(room.next().is_none(), "the two passes disagree");
}

fn tally_block(input: &ComposeInput<'_>, start: usize, before: &[f32]) -> Tally {
    let mut buffer = [0.0; BLOCK];
    let now = &mut buffer[..before.len()];
    let mut tally = evaluate(input, start, now);
    let differ = now.iter().zip(before).map(|(a, b)| u32::from(a != b));
    tally.report.changed = differ.sum::<u32>() as usize;
    tally
}

/// F of the cells from `start` on into `out`. Every loop is free of branches, for SIMD; the values
/// mean nothing where an input is bad.
fn evaluate(input: &ComposeInput<'_>, start: usize, out: &mut [f32]) -> Tally {
    let cells = start..start + out.len();
    let terrain = &input.terrain.as_slice()[cells.clone()];
    out.fill(0.0);
    // Blocked cells may become NaN here (0 · inf); `finish` overwrites them.
    let mut bad = add_term(input.terrain_weight, terrain, start, out, is_cost);
    if let Some(density) = input.density {
        let density = &density.as_slice()[cells.clone()];
        bad |= add_term(input.density_weight, density, start, out, is_term);
    }
    if let Some(hazards) = input.hazards {
        let hazards = &hazards.as_slice()[cells];
        bad |= add_term(input.hazard_weight, hazards, start, out, is_term);
    }
    let report = finish(terrain, out);
    Tally { report, bad }
}

/// Adds weight · term to every value; whether a term is not `right` or a weight is bad.
#[inline(always)]
fn add_term(
    weight: Weight<'_>,
    term: &[f32],
    start: usize,
    out: &mut [f32],
    right: impl Fn(f32) -> bool,
) -> bool {
    let mut bad = false;
    match weight {
        Weight::Number(weight) => {
            for (out, &term) in out.iter_mut().zip(term) {
                bad |= !right(term);
                *out += weight * term;
            }
        }
        Weight::Grid(grid) => {
            let weights = &grid.as_slice()[start..start + out.len()];
            for ((out, &term), &weight) in out.iter_mut().zip(term).zip(weights) {
                bad |= !right(term) | !is_term(weight);
                *out += weight * term;
            }
        }
    }
    bad
}

/// Blocks and clamps the sums and counts both.
fn finish(terrain: &[f32], out: &mut [f32]) -> ComposeReport {
    let (mut blocked, mut raised, mut lowered) = (0u32, 0u32, 0u32);
    for (out, &terrain) in out.iter_mut().zip(terrain) {
        let wall = terrain == f32::INFINITY;
        let sum = *out;
        blocked += u32::from(wall);
        raised += u32::from(!wall & (sum < MIN_COST));
        lowered += u32::from(!wall & (sum > MAX_COST));
        let free = sum.clamp(MIN_COST, MAX_COST);
        *out = if wall { f32::INFINITY } else { free };
    }
    ComposeReport {
        changed: 0,
        blocked: blocked as usize,
        raised: raised as usize,
        lowered: lowered as usize,
    }
}

#[cfg(test)]
mod tests;
