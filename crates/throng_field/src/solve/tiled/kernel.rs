//! The vector kernel: one Gauss-Seidel sweep over a sheared tile, block by block.
//!
//! A block is [`BLOCK`] steps of one band. Blocks in which nothing can have changed since they were last
//! computed are passed over. One block is a chain of dependent operations, so two blocks are computed
//! at once where both are due: the second band runs [`LAG`] blocks behind the first, far enough that
//! all it needs is there. The order of the arithmetic is that of a plain raster sweep whatever the
//! vector width and whatever is fused, so all instruction sets give the same bits.

use super::shear::{BAND, BAND_LEN, BANDS, STEPS, TILE_LEN, TILE_W};
use crate::solve::update::UNREACHED;
use pulp::bytemuck::{self, Pod};
use pulp::{Simd, WithSimd};

/// Steps of a block.
pub(crate) const BLOCK: usize = 8;
/// Blocks of a band; steps 0 and `STEPS - 1` are halo alone.
pub(crate) const BLOCKS: usize = (STEPS - 2) / BLOCK;
const _: () = assert!((STEPS - 2).is_multiple_of(BLOCK) && BANDS == 2);
/// All blocks of a band.
pub(crate) const ALL_BLOCKS: u32 = (1 << BLOCKS) - 1;
/// A cell's neighbour in the next band lies `BAND - 1` steps off: so many blocks, at least and at most.
const NEAR_BLOCKS: usize = (BAND - 1) / BLOCK;
pub(crate) const FAR_BLOCKS: usize = (BAND - 1).div_ceil(BLOCK);
/// Blocks that the second band stays behind the first.
const LAG: usize = FAR_BLOCKS + 1;

/// A row beside a tile: column -1 first.
pub(crate) type HaloRow = [f32; TILE_W + 2];

/// A sweep over one tile.
pub(crate) struct Sweep<'a> {
    /// Potentials, sheared.
    pub(crate) phi: &'a mut [f32],
    /// Step costs, sheared.
    pub(crate) cost: &'a [f32],
    pub(crate) above: &'a HaloRow,
    pub(crate) below: &'a HaloRow,
    /// Right and down, or left and up.
    pub(crate) forward: bool,
    /// Blocks to compute, one bit each, by band.
    pub(crate) dirty: [u32; BANDS],
    pub(crate) mode: Mode,
}

/// What a sweep does with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Lowers it to what its neighbours offer.
    Lower,
    /// Takes its potential away if its neighbours no longer support it (see `rounds`).
    Raise,
}

/// How far below its neighbours' offer a potential may lie and still count as supported: some
/// roundings, but only a share of a step.
const SUPPORT_ROUNDING: f32 = 4e-7;
const SUPPORT_SHARE: f32 = 0.25;

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Swept {
    /// Blocks that the next sweep, the other way, has to compute.
    pub(crate) dirty: [u32; BANDS],
    /// Whether any cell changed.
    pub(crate) changed: bool,
    /// Blocks computed.
    pub(crate) blocks: u32,
}

impl WithSimd for Sweep<'_> {
    type Output = Swept;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Swept {
        match S::F32_LANES {
            16 => sweep_any::<S, 1>(simd, self),
            8 => sweep_any::<S, 2>(simd, self),
            4 => sweep_any::<S, 4>(simd, self),
            1 => sweep_any::<S, 16>(simd, self),
            lanes => unreachable!("no vector unit has {lanes} lanes of f32"),
        }
    }
}

#[inline(always)]
fn sweep_any<S: Simd, const N: usize>(simd: S, job: Sweep<'_>) -> Swept {
    match (job.forward, job.mode) {
        (true, Mode::Lower) => sweep::<S, N, true, true>(simd, job),
        (false, Mode::Lower) => sweep::<S, N, false, true>(simd, job),
        (true, Mode::Raise) => sweep::<S, N, true, false>(simd, job),
        (false, Mode::Raise) => sweep::<S, N, false, false>(simd, job),
    }
}

/// Rows (lanes) of a block that changed, as non-zero words.
type ChangedRows = [u32; BAND];

#[inline(always)]
fn sweep<S: Simd, const N: usize, const FORWARD: bool, const LOWER: bool>(
    simd: S,
    mut job: Sweep<'_>,
) -> Swept {
    assert!(job.phi.len() == TILE_LEN && job.cost.len() == TILE_LEN);
    assert_eq!(N * S::F32_LANES, BAND);
    let mut out = Swept::default();
    let (lead, trail) = if FORWARD { (0, 1) } else { (1, 0) };
    let order = |i: usize| if FORWARD { i } else { BLOCKS - 1 - i };
    for i in 0..BLOCKS + LAG {
        let first = (i < BLOCKS).then(|| order(i)).filter(|&b| job.dirty[lead] >> b & 1 != 0);
        let second = (i >= LAG).then(|| order(i - LAG)).filter(|&b| job.dirty[trail] >> b & 1 != 0);
        match (first, second) {
            (Some(a), Some(b)) => {
                let rows =
                    blocks::<S, N, FORWARD, LOWER, 2>(simd, &mut job, [(lead, a), (trail, b)]);
                settle::<FORWARD>(&mut job.dirty, &mut out, lead, a, &rows[0]);
                settle::<FORWARD>(&mut job.dirty, &mut out, trail, b, &rows[1]);
            }
            (Some(block), None) => {
                let [rows] = blocks::<S, N, FORWARD, LOWER, 1>(simd, &mut job, [(lead, block)]);
                settle::<FORWARD>(&mut job.dirty, &mut out, lead, block, &rows);
            }
            (None, Some(block)) => {
                let [rows] = blocks::<S, N, FORWARD, LOWER, 1>(simd, &mut job, [(trail, block)]);
                settle::<FORWARD>(&mut job.dirty, &mut out, trail, block, &rows);
            }
            (None, None) => {}
        }
    }
    out
}

/// Notes what the change of a block makes dirty: ahead in this sweep, behind in the next.
#[inline(always)]
fn settle<const FORWARD: bool>(
    ahead: &mut [u32; BANDS],
    out: &mut Swept,
    band: usize,
    block: usize,
    rows: &ChangedRows,
) {
    out.blocks += 1;
    if rows.iter().fold(0, |any, &row| any | row) == 0 {
        return;
    }
    out.changed = true;
    let bit = 1 << block;
    let (next, back) = if FORWARD { (bit << 1, bit >> 1) } else { (bit >> 1, bit << 1) };
    ahead[band] |= next & ALL_BLOCKS;
    out.dirty[band] |= bit | back & ALL_BLOCKS;
    // Down from the last row, or up from the first, into the other band.
    if band == 0 && rows[BAND - 1] != 0 {
        let reach = bit >> NEAR_BLOCKS | bit >> FAR_BLOCKS;
        *(if FORWARD { &mut ahead[1] } else { &mut out.dirty[1] }) |= reach;
    }
    if band == 1 && rows[0] != 0 {
        let reach = (bit << NEAR_BLOCKS | bit << FAR_BLOCKS) & ALL_BLOCKS;
        *(if FORWARD { &mut out.dirty[0] } else { &mut ahead[0] }) |= reach;
    }
}

/// Computes blocks of different bands in step with one another.
#[inline(always)]
fn blocks<S: Simd, const N: usize, const FORWARD: bool, const LOWER: bool, const CHAINS: usize>(
    simd: S,
    job: &mut Sweep<'_>,
    chains: [(usize, usize); CHAINS],
) -> [ChangedRows; CHAINS] {
    let mut changed = [[simd.splat_u32s(0); N]; CHAINS];
    // The neighbouring step that this sweep has computed just before.
    let mut fresh = [[simd.splat_f32s(0.0); N]; CHAINS];
    for (fresh, (band, block)) in fresh.iter_mut().zip(chains) {
        let s = first_step::<FORWARD>(block);
        *fresh = load(job.phi, band, if FORWARD { s - 1 } else { s + 1 });
    }
    for i in 0..BLOCK {
        for k in 0..CHAINS {
            let (band, block) = chains[k];
            let s = first_step::<FORWARD>(block);
            let s = if FORWARD { s + i } else { s - i };
            fresh[k] = step::<S, N, FORWARD, LOWER>(simd, job, band, s, fresh[k], &mut changed[k]);
        }
    }
    let mut rows = [[0; BAND]; CHAINS];
    for (rows, changed) in rows.iter_mut().zip(&changed) {
        S::as_mut_simd_u32s(rows).0.copy_from_slice(changed);
    }
    rows
}

#[inline(always)]
fn first_step<const FORWARD: bool>(block: usize) -> usize {
    1 + block * BLOCK + if FORWARD { 0 } else { BLOCK - 1 }
}

#[inline(always)]
fn load<F: Pod, const N: usize>(values: &[f32], band: usize, s: usize) -> [F; N] {
    let step: &[f32] = &values[band * BAND_LEN + s * BAND..][..BAND];
    let vectors: &[F] = bytemuck::cast_slice(step);
    *vectors.as_array().expect("N vectors make a step")
}

/// One step of one band: all its lanes by `update::godunov`, operation for operation.
#[inline(always)]
fn step<S: Simd, const N: usize, const FORWARD: bool, const LOWER: bool>(
    simd: S,
    job: &mut Sweep<'_>,
    band: usize,
    s: usize,
    fresh: [S::f32s; N],
    changed: &mut [S::u32s; N],
) -> [S::f32s; N] {
    let lanes = S::F32_LANES as u32;
    let first = simd.mask_between_m32s(0, 1).mask();
    let last = simd.mask_between_m32s(lanes - 1, lanes).mask();
    let half = simd.splat_f32s(0.5);
    let stale: [S::f32s; N] = load(job.phi, band, if FORWARD { s + 1 } else { s - 1 });
    let (before, after) = if FORWARD { (&fresh, &stale) } else { (&stale, &fresh) };
    // Lane 0 is in column s - 1, the last lane in column s - BAND. Outside the tile's columns the
    // cost is infinite and any finite value will do.
    let (above, below) = if band == 0 {
        let below = BAND_LEN + (s + 1).saturating_sub(BAND) * BAND;
        (job.above[s.min(TILE_W + 1)], job.phi[below])
    } else {
        let above = (s + BAND - 1).min(STEPS - 1) * BAND + BAND - 1;
        (job.phi[above], job.below[(s + 1).saturating_sub(BAND).min(TILE_W + 1)])
    };
    let above = simd.splat_f32s(above);
    let below = simd.splat_f32s(below);
    // Loops, not closures: only what is inlined here is compiled for the vector unit.
    let (mut from_up, mut from_down) = (*before, *after);
    for n in 0..N {
        from_up[n] = simd.rotate_right_f32s(before[n], 1);
        from_down[n] = simd.rotate_left_f32s(after[n], 1);
    }
    let costs: [S::f32s; N] = load(job.cost, band, s);
    let olds: [S::f32s; N] = load(job.phi, band, s);
    let mut next = olds;
    for n in 0..N {
        let up_in = if n == 0 { above } else { from_up[n - 1] };
        let down_in = if n == N - 1 { below } else { from_down[n + 1] };
        let up = simd.select_f32s(first, up_in, from_up[n]);
        let down = simd.select_f32s(last, down_in, from_down[n]);
        let a = simd.min_f32s(before[n], after[n]);
        let b = simd.min_f32s(up, down);
        let f = costs[n];
        let d = simd.sub_f32s(a, b);
        let d2 = simd.mul_f32s(d, d);
        let f2 = simd.mul_f32s(f, f);
        let root = simd.sqrt_f32s(simd.sub_f32s(simd.add_f32s(f2, f2), d2));
        let both = simd.mul_f32s(simd.add_f32s(simd.add_f32s(a, b), root), half);
        let one = simd.add_f32s(simd.min_f32s(a, b), f);
        let u = simd.select_f32s(simd.less_than_f32s(d2, f2), both, one);
        next[n] = if LOWER {
            simd.min_f32s(u, olds[n])
        } else {
            // A NaN cost marks a source: it compares as supported. So does what is out of bounds.
            let slack = simd.min_f32s(
                simd.mul_f32s(u, simd.splat_f32s(SUPPORT_ROUNDING)),
                simd.mul_f32s(f, simd.splat_f32s(SUPPORT_SHARE)),
            );
            let low = simd.less_than_f32s(olds[n], simd.sub_f32s(u, slack));
            // Where a step is lost in the rounding of the sum, equal cells must not hold each other up.
            let level = simd.less_than_or_equal_f32s(olds[n], simd.min_f32s(a, b));
            let lost = simd.or_m32s(low, level);
            let free = simd.less_than_f32s(u, simd.splat_f32s(f32::INFINITY));
            let gone = simd.splat_f32s(UNREACHED);
            simd.select_f32s(simd.and_m32s(lost, free), gone, olds[n])
        };
        let old_bits = simd.transmute_u32s_f32s(olds[n]);
        let new_bits = simd.transmute_u32s_f32s(next[n]);
        changed[n] = simd.or_u32s(changed[n], simd.xor_u32s(old_bits, new_bits));
    }
    let step = &mut job.phi[band * BAND_LEN + s * BAND..][..BAND];
    S::as_mut_simd_f32s(step).0.copy_from_slice(&next);
    next
}
