//! One visit to one tile: load, sweep until nothing changes, store, and tell whom to wake.

use super::kernel::{ALL_BLOCKS, BLOCK, FAR_BLOCKS, HaloRow, Mode, Sweep, Swept};
use super::shear::{
    self, BAND, BANDS, Side, TILE_H, TILE_W, read_row, row_steps, row_steps_mut, write_row,
};
use crate::solve::update::UNREACHED;

/// Sides of a tile, as bits.
pub(crate) const WEST: u8 = 1;
pub(crate) const EAST: u8 = 2;
pub(crate) const NORTH: u8 = 4;
pub(crate) const SOUTH: u8 = 8;

/// All sides: the change may be anywhere in the tile.
pub(crate) const ANY_SIDE: u8 = WEST | EAST | NORTH | SOUTH;

/// Blocks that hold the first column of a full tile in some row, and the last.
const WEST_BLOCKS: u32 = (1 << BAND.div_ceil(BLOCK)) - 1;
const EAST_BLOCKS: u32 = ALL_BLOCKS & !((1 << ((TILE_W - 1) / BLOCK)) - 1);

/// Sweeps before a tile is first turned over, and between later turns, when fewer blocks are dirty
/// and turning costs more than sweeping. Measured.
const FIRST_TURN: u32 = 2;
const LATER_TURN: u32 = 4;

/// Working copy of one tile with its halo.
#[derive(Debug)]
pub(crate) struct TileScratch {
    phi: Vec<f32>,
    spare: Vec<f32>,
    /// Costs of a tile with sources, in which they are marked.
    marked: [Vec<f32>; 2],
    above: HaloRow,
    below: HaloRow,
    side: Side,
}

/// The rows of the field that a row of tiles covers, and the rows beside them.
pub(crate) struct Slab<'a> {
    /// Potentials in row order, at most `TILE_H` rows.
    pub(crate) phi: &'a mut [f32],
    /// Costs of the same rows.
    pub(crate) cost: &'a [f32],
    /// Potentials and costs of the row above and below.
    pub(crate) above: Option<(&'a [f32], &'a [f32])>,
    pub(crate) below: Option<(&'a [f32], &'a [f32])>,
    pub(crate) width: usize,
}

/// What a visit has to know besides the slab.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) arch: pulp::Arch,
    pub(crate) mode: Mode,
    /// Column of tiles.
    pub(crate) tx: usize,
    /// Sheared costs, upright and flipped.
    pub(crate) costs: [&'a [f32]; 2],
    /// Sides that changes came in by.
    pub(crate) inflow: u8,
    /// The sources in this tile: its column of tiles, and column and row inside it. Only raising
    /// needs them.
    pub(crate) sources: &'a [(u32, (u8, u8))],
}

/// Lowest potential that changed beside each neighbour and concerns it; infinity if none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wake {
    pub(crate) west: f32,
    pub(crate) east: f32,
    pub(crate) north: f32,
    pub(crate) south: f32,
    /// Whether any cell of the tile changed.
    pub(crate) changed: bool,
}

const NO_WAKE: Wake = Wake {
    west: f32::INFINITY,
    east: f32::INFINITY,
    north: f32::INFINITY,
    south: f32::INFINITY,
    changed: false,
};

impl TileScratch {
    pub(crate) fn new() -> Self {
        Self {
            phi: shear::empty_tile(),
            spare: shear::empty_tile(),
            marked: [Vec::new(), Vec::new()],
            above: [UNREACHED; TILE_W + 2],
            below: [UNREACHED; TILE_W + 2],
            side: Side::Upright,
        }
    }

    /// Visits a tile of the slab.
    pub(crate) fn visit(&mut self, slab: &mut Slab<'_>, visit: Visit<'_>) -> Wake {
        let mut marked = std::mem::take(&mut self.marked);
        let costs = if visit.mode == Mode::Raise && !visit.sources.is_empty() {
            mark_sources(&mut marked, visit)
        } else {
            visit.costs
        };
        let wake = self.visit_with(slab, visit, costs);
        self.marked = marked;
        wake
    }

    fn visit_with(&mut self, slab: &mut Slab<'_>, visit: Visit<'_>, costs: [&[f32]; 2]) -> Wake {
        let (side, mut forward) = first_sweep(visit.inflow);
        self.load(slab, visit.tx, side);
        let mut dirty = dirty_by_inflow(visit.inflow, side);
        let mut any = false;
        let mut until_turn = FIRST_TURN;
        let mut turns = 0;
        while dirty != [0; BANDS] {
            if until_turn == 0 {
                self.turn_over(&mut dirty);
                turns += 1;
                until_turn = if turns < 2 { FIRST_TURN } else { LATER_TURN };
            }
            let swept: Swept = visit.arch.dispatch(Sweep {
                phi: &mut self.phi,
                cost: costs[self.side as usize],
                above: &self.above,
                below: &self.below,
                forward,
                dirty,
                mode: visit.mode,
            });
            dirty = swept.dirty;
            any |= swept.changed;
            forward = !forward;
            until_turn -= 1;
        }
        if !any {
            return NO_WAKE;
        }
        let wake = Wake { changed: true, ..self.wake(slab, visit) };
        self.store(slab, visit.tx);
        wake
    }

    /// Holds the tile the other way up. A cell moves by at most `BAND - 1` steps.
    fn turn_over(&mut self, dirty: &mut [u32; BANDS]) {
        shear::flip(&self.phi, &mut self.spare);
        std::mem::swap(&mut self.phi, &mut self.spare);
        std::mem::swap(&mut self.above, &mut self.below);
        self.side = self.side.other();
        dirty.reverse();
        for d in dirty {
            *d = (0..=FAR_BLOCKS).fold(0, |all, n| all | *d << n | *d >> n) & ALL_BLOCKS;
        }
    }

    fn load(&mut self, slab: &Slab<'_>, tx: usize, side: Side) {
        let (x0, width) = (tx * TILE_W, slab.width);
        let w = TILE_W.min(width - x0);
        let h = slab.phi.len() / width;
        self.side = side;
        if w < TILE_W || h < TILE_H {
            self.phi.fill(UNREACHED);
        }
        for row in 0..h {
            let values = &slab.phi[row * width..][..width];
            let local = side.row(row);
            write_row(&mut self.phi, local, &values[x0..x0 + w], |v| v.min(UNREACHED));
            let (steps, lane) = row_steps_mut(&mut self.phi, local);
            let west = if x0 > 0 { values[x0 - 1] } else { UNREACHED };
            let east = values.get(x0 + w).copied().unwrap_or(UNREACHED);
            steps[0][lane] = west.min(UNREACHED);
            steps[w + 1][lane] = east.min(UNREACHED);
        }
        copy_halo(&mut self.above, slab.above, x0, w);
        copy_halo(&mut self.below, slab.below, x0, w);
        if side == Side::Flipped {
            std::mem::swap(&mut self.above, &mut self.below);
        }
    }

    fn store(&self, slab: &mut Slab<'_>, tx: usize) {
        let (x0, width) = (tx * TILE_W, slab.width);
        let w = TILE_W.min(width - x0);
        for (row, values) in slab.phi.chunks_exact_mut(width).enumerate() {
            let values = &mut values[x0..x0 + w];
            read_row(&self.phi, self.side.row(row), values);
            for value in values {
                *value = if *value < UNREACHED { *value } else { f32::INFINITY };
            }
        }
    }

    /// Which neighbours a change along the border concerns.
    fn wake(&self, slab: &Slab<'_>, visit: Visit<'_>) -> Wake {
        match visit.mode {
            // Only a smaller neighbour lowers a cell, and none lowers a blocked one.
            Mode::Lower => self.wake_by(slab, visit.tx, |new, old, across, cost| {
                if new < old && new < across && cost < f32::INFINITY { new } else { f32::INFINITY }
            }),
            // A cell that built on what is gone was above it, or level by rounding.
            Mode::Raise => self.wake_by(slab, visit.tx, |new, old, across, cost| {
                let lost = new > old && old <= across && across < UNREACHED;
                if lost && cost < f32::INFINITY { old } else { f32::INFINITY }
            }),
        }
    }

    /// Lowest key by which the cells along each side concern those across it. `concerns` gets the new
    /// and the old potential of a cell, and potential and cost of its neighbour.
    #[inline(always)]
    fn wake_by(
        &self,
        slab: &Slab<'_>,
        tx: usize,
        concerns: impl Fn(f32, f32, f32, f32) -> f32,
    ) -> Wake {
        let (x0, width) = (tx * TILE_W, slab.width);
        let w = TILE_W.min(width - x0);
        let h = slab.phi.len() / width;
        let mut wake = NO_WAKE;
        for row in 0..h {
            let (steps, lane) = row_steps(&self.phi, self.side.row(row));
            let old = &slab.phi[row * width..][..width];
            let cost = &slab.cost[row * width..][..width];
            if x0 > 0 {
                let key = concerns(steps[1][lane], old[x0], steps[0][lane], cost[x0 - 1]);
                wake.west = wake.west.min(key);
            }
            if let Some(&cost) = cost.get(x0 + w) {
                let key = concerns(steps[w][lane], old[x0 + w - 1], steps[w + 1][lane], cost);
                wake.east = wake.east.min(key);
            }
        }
        let sides = [(slab.above, 0, &mut wake.north), (slab.below, h - 1, &mut wake.south)];
        for (beside, row, lowest) in sides {
            let Some((beside, cost)) = beside else {
                continue;
            };
            let (steps, lane) = row_steps(&self.phi, self.side.row(row));
            let old = &slab.phi[row * width..][..width];
            for x in x0..x0 + w {
                let key = concerns(steps[x - x0 + 1][lane], old[x], beside[x], cost[x]);
                *lowest = lowest.min(key);
            }
        }
        wake
    }
}

fn copy_halo(halo: &mut HaloRow, row: Option<(&[f32], &[f32])>, x0: usize, w: usize) {
    match row {
        Some((row, _)) => {
            for (to, from) in halo[1..=w].iter_mut().zip(&row[x0..]) {
                *to = from.min(UNREACHED);
            }
        }
        None => halo.fill(UNREACHED),
    }
}

/// Copies the costs of a tile and marks its sources by NaN.
fn mark_sources<'a>(marked: &'a mut [Vec<f32>; 2], visit: Visit<'_>) -> [&'a [f32]; 2] {
    for (side, to) in [Side::Upright, Side::Flipped].into_iter().zip(marked.iter_mut()) {
        to.clear();
        to.extend_from_slice(visit.costs[side as usize]);
        for &(_, (x, y)) in visit.sources {
            let (steps, lane) = row_steps_mut(to, side.row(usize::from(y)));
            steps[usize::from(x) + 1][lane] = f32::NAN;
        }
    }
    let [upright, flipped] = marked;
    [upright, flipped]
}

/// Blocks that touch the sides a change came in by. The rest of the tile is at rest until it spreads.
fn dirty_by_inflow(inflow: u8, side: Side) -> [u32; BANDS] {
    if inflow == ANY_SIDE {
        return [ALL_BLOCKS; BANDS];
    }
    let mut dirty = [0; BANDS];
    if inflow & WEST != 0 {
        dirty.iter_mut().for_each(|d| *d |= WEST_BLOCKS);
    }
    if inflow & EAST != 0 {
        dirty.iter_mut().for_each(|d| *d |= EAST_BLOCKS);
    }
    if inflow & NORTH != 0 {
        dirty[side.row(0) / BAND] = ALL_BLOCKS;
    }
    if inflow & SOUTH != 0 {
        dirty[side.row(TILE_H - 1) / BAND] = ALL_BLOCKS;
    }
    dirty
}

/// How to hold the tile and which way to sweep first, so that the first sweep runs with the inflow.
fn first_sweep(inflow: u8) -> (Side, bool) {
    let only = |sides: u8| inflow & sides == inflow;
    if only(WEST | NORTH) {
        (Side::Upright, true)
    } else if only(EAST | SOUTH) {
        (Side::Upright, false)
    } else if only(WEST | SOUTH) {
        (Side::Flipped, true)
    } else if only(EAST | NORTH) {
        (Side::Flipped, false)
    } else {
        (Side::Upright, true)
    }
}
