//! The density of others that ways go by.
//!
//! A field that saw every single body would lead people round each other in zigzags, which is what avoidance is for, and
//! such ways depend on the grid: along its axes the first-order scheme keeps noise from cell to cell, across them it
//! evens it out. So the density is a mean over a metre around a place, weighted by a tent in either direction, as wide
//! in metres on all cells.

use rayon::prelude::*;
use throng_field::Grid;

/// How far from a place people count for it (metres).
const SPREAD: f32 = 1.0;

/// Nobody is in its own way: densities up to that of one person count as none, and wholly from this share above it on.
pub(crate) const OTHERS: f32 = 0.5;

/// A denser crowd than this costs no more (people per square metre): people keep out of each other's way, but who
/// comes to a jam before a door joins it, and does not walk round it to be first.
pub(crate) const MOST_CROWDING: f32 = 2.0;

/// Less open ground than this about a cell, as a share, is no ground to stand on.
pub(crate) const LEAST_ROOM: f32 = 0.05;

/// The weights of the cells around a cell, along a row or a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tent {
    /// Cells on either side that count.
    pub(crate) reach: usize,
    /// Weight of the cell itself, and by how much it falls from cell to cell; all of them are 1 together.
    pub(crate) peak: f32,
    pub(crate) fall: f32,
    /// Density where one person stands, by itself (people per square metre).
    pub(crate) alone: f32,
}

impl Tent {
    pub(crate) fn new(cell: f32) -> Self {
        let widest = SPREAD.max(cell);
        let alone = 1.0 / (widest * widest);
        let reach = (SPREAD / cell - 1e-3).ceil().max(1.0) - 1.0;
        if reach == 0.0 {
            return Self { reach: 0, peak: 1.0, fall: 0.0, alone };
        }
        // One who stands on the middle of a cell has its own density there, on cells of any size; the others make it 1.
        let peak = cell / SPREAD;
        let fall = (peak * (1.0 + 2.0 * reach) - 1.0) / (reach * (reach + 1.0));
        Self { reach: reach as usize, peak, fall, alone }
    }

    /// Weight of the cell so many cells off.
    #[inline(always)]
    fn weight(self, off: usize) -> f32 {
        self.peak - off as f32 * self.fall
    }

    /// Weighted sum of the values before and after one, as far as there are any; `step` is how far apart they are.
    #[inline(always)]
    fn sum(
        self,
        values: &[f32],
        (at, step): (usize, usize),
        (before, after): (usize, usize),
    ) -> f32 {
        let mut sum = self.peak * values[at];
        for off in 1..=self.reach {
            let weight = self.weight(off);
            if off <= before {
                sum += weight * values[at - off * step];
            }
            if off <= after {
                sum += weight * values[at + off * step];
            }
        }
        sum
    }

    /// Weighted means along rows.
    fn across(self, values: &Grid<f32>, out: &mut [f32]) {
        let (width, values) = (values.width(), values.as_slice());
        out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                *out = self.sum(values, (y * width + x, 1), (x, width - 1 - x));
            }
        });
    }

    /// What others there are at a density: all but oneself, and no more than count.
    #[inline(always)]
    pub(crate) fn others(self, density: f32) -> f32 {
        let share = (density / self.alone - 1.0) / OTHERS;
        (density * share.clamp(0.0, 1.0)).min(MOST_CROWDING)
    }
}

/// The crowding of the cells of a place.
#[derive(Debug)]
pub(crate) struct Crowding {
    pub(crate) tent: Tent,
    /// The share of open ground about each cell, by the same weights.
    room: Grid<f32>,
    /// Means along rows.
    across: Vec<f32>,
}

impl Crowding {
    pub(crate) fn new(terrain: &Grid<f32>) -> Self {
        let tent = Tent::new(terrain.cell_size());
        let across = vec![0.0; if tent.reach == 0 { 0 } else { terrain.cells() }];
        let mut new = Self { tent, room: terrain.map(|_| 1.0), across };
        new.measure_room(terrain);
        new
    }

    /// The ground has changed.
    pub(crate) fn measure_room(&mut self, terrain: &Grid<f32>) {
        if self.tent.reach == 0 {
            return;
        }
        let open = terrain.map(|cost| f32::from(u8::from(cost.is_finite())));
        let (tent, width, last) = (self.tent, terrain.width(), terrain.height() - 1);
        tent.across(&open, &mut self.across);
        for (i, room) in self.room.as_mut_slice().iter_mut().enumerate() {
            let y = i / width;
            *room = tent.sum(&self.across, (i, width), (y, last - y)).max(LEAST_ROOM);
        }
    }

    /// The share of open ground about each cell; no less than what is looked at as ground.
    #[cfg(feature = "gpu")]
    pub(crate) fn room(&self) -> &[f32] {
        self.room.as_slice()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.room.cells() + self.across.len())
    }

    /// Hands the crowding of every cell to what keeps it, by its row.
    pub(crate) fn each(
        &mut self,
        density: &Grid<f32>,
        kept: &mut Grid<f32>,
        keep: impl Fn(&mut f32, f32) + Sync,
    ) {
        let (tent, width, last) = (self.tent, density.width(), density.height() - 1);
        if tent.reach > 0 {
            tent.across(density, &mut self.across);
        }
        let (across, room) = (&self.across, &self.room);
        kept.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, kept) in row.iter_mut().enumerate() {
                let at = y * width + x;
                let mean = match tent.reach {
                    0 => density.as_slice()[at],
                    _ => tent.sum(across, (at, width), (y, last - y)),
                };
                keep(kept, tent.others(mean / room.as_slice()[at]));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use glam::Vec2;
    use throng_field::cost::{DensitySplat, SplatInput};

    fn place(cell: f32, walls: bool) -> Grid<f32> {
        let cells = (8.0 / cell).round() as usize;
        let ground = Grid::filled(cells, cells, 1.0_f32).unwrap();
        let mut ground = ground.placed(cell, Vec2::ZERO).unwrap();
        for i in 0..ground.cells() {
            let centre = ground.centre(ground.cell_at(i));
            if walls && (centre.x < 1.0 || (centre.y > 4.0 && centre.y < 5.0)) {
                ground.as_mut_slice()[i] = f32::INFINITY;
            }
        }
        ground
    }

    fn crowding(ground: &Grid<f32>, people: &[Vec2]) -> (Grid<f32>, Grid<f32>) {
        let mut density = ground.map(|_| 0.0);
        let input = SplatInput { positions: people, weights: None, terrain: Some(ground) };
        DensitySplat::new().splat(&input, &mut density).unwrap();
        let mut kept = density.clone();
        Crowding::new(ground).each(&density, &mut kept, |kept, now| *kept = now);
        (density, kept)
    }

    /// If weights do not add up to 1, ways take a crowd for another one.
    #[test]
    fn weights_are_one_together() {
        for cell in [0.05, 0.1, 0.125, 0.2, 0.25, 0.3, 0.5, 0.7, 1.0, 4.5] {
            let tent = Tent::new(cell);
            let sum: f32 = (1..=tent.reach).map(|off| tent.weight(off)).sum();
            assert!((tent.peak + 2.0 * sum - 1.0).abs() < 1e-5, "{cell}: {tent:?}");
            assert!(tent.weight(tent.reach) > 0.0, "{cell}: {tent:?}");
        }
    }

    /// The sum over both directions at once, as it is defined; the fast one must be the same.
    #[test]
    fn rows_then_columns_are_the_mean_over_a_square() {
        let mut dice = Dice::new(5);
        for cell in [0.1, 0.25, 0.4, 1.0] {
            let ground = place(cell, true);
            let people: Vec<Vec2> =
                (0..120).map(|_| dice.point(Vec2::ZERO, Vec2::splat(8.0))).collect();
            let (density, kept) = crowding(&ground, &people);
            let tent = Tent::new(cell);
            let side = ground.width() as i64;
            for i in 0..ground.cells() {
                let (x, y) = (i as i64 % side, i as i64 / side);
                let (mut sum, mut room) = (0.0_f64, 0.0_f64);
                let reach = tent.reach as i64;
                for (dy, dx) in (-reach..=reach).flat_map(|v| (-reach..=reach).map(move |u| (v, u)))
                {
                    let (u, v) = (x + dx, y + dy);
                    if u < 0 || v < 0 || u >= side || v >= side {
                        continue;
                    }
                    let weight =
                        [dx, dy].map(|d| f64::from(tent.weight(d.unsigned_abs() as usize)));
                    let (at, weight) = ((v * side + u) as usize, weight[0] * weight[1]);
                    sum += weight * f64::from(density.as_slice()[at]);
                    room += weight * f64::from(u8::from(ground.as_slice()[at].is_finite()));
                }
                let room = if reach == 0 { 1.0 } else { room.max(f64::from(LEAST_ROOM)) };
                let (found, wanted) = (kept.as_slice()[i], tent.others((sum / room) as f32));
                assert!((found - wanted).abs() < 1e-4, "{cell}, cell {i}: {found}, not {wanted}");
            }
        }
    }

    /// If one alone were in its own way, it would not walk straight.
    #[test]
    fn one_alone_is_in_nobodys_way() {
        let mut dice = Dice::new(6);
        for cell in [0.1, 0.25, 0.5, 1.0, 2.0] {
            let ground = place(cell, false);
            for _ in 0..50 {
                let one = dice.point(Vec2::splat(2.5), Vec2::splat(5.5));
                let (_, kept) = crowding(&ground, &[one]);
                let most = kept.as_slice().iter().copied().fold(0.0, f32::max);
                assert!(most < 0.01, "cells of {cell} m, at {one}: {most}");
            }
        }
    }

    /// If this fails, ways depend on how fine the cells are, and on where they begin.
    #[test]
    fn crowding_is_the_same_on_all_cells() {
        let mut dice = Dice::new(7);
        let people: Vec<Vec2> =
            (0..100).map(|_| dice.point(Vec2::splat(1.0), Vec2::splat(7.0))).collect();
        let mean_off = |a: f32, b: f32, shift: f32| {
            let (fine, coarse) = (place(a, false), place(b, false));
            let moved: Vec<Vec2> = people.iter().map(|p| *p + shift).collect();
            let [fine, coarse] =
                [(&fine, &people), (&coarse, &moved)].map(|(g, p)| crowding(g, p).1);
            let mut off = 0.0;
            for i in 0..40 {
                for k in 0..40 {
                    let p = Vec2::new(2.0 + 0.1 * i as f32, 2.0 + 0.1 * k as f32);
                    let at = |g: &Grid<f32>, p| g.sample(p, throng_field::Edge::Clamp);
                    off += (at(&fine, p) - at(&coarse, p + shift)).abs();
                }
            }
            off / 1600.0
        };
        assert!(mean_off(0.125, 0.25, 0.0) < 0.08, "{}", mean_off(0.125, 0.25, 0.0));
        assert!(mean_off(0.25, 0.25, 0.125) < 0.08, "{}", mean_off(0.25, 0.25, 0.125));
        // Cells of a metre see another crowd: the limit is one that can be failed.
        assert!(mean_off(0.125, 1.0, 0.0) > 0.08, "{}", mean_off(0.125, 1.0, 0.0));
    }
}
