//! Where water is: hollows too narrow to be valleys and long enough to be streams.

use glam::{UVec2, Vec2};
use throng_field::Edge;
use throng_world::World;

use crate::noise::smoothstep;
use crate::terrain::Ground;

/// Channels up to twice this wide are filled (metres).
const REACH: f32 = 11.0;
/// Shallower hollows are ripples of the ground (metres).
const SHALLOW: f32 = 0.4;
/// A stream is at least so long, as a share of the scene's side.
const LENGTH: f32 = 0.35;
/// The surface lies below the banks by this share of the channel's depth: a brook that people wade through,
/// to their shins, since they walk there.
const BELOW: f32 = 0.80;
/// Cells along a side, at most.
const MOST: u32 = 640;

/// The surface of water in a place.
#[derive(Debug, Default)]
pub(crate) struct Water {
    origin: Vec2,
    cell: f32,
    size: UVec2,
    /// Height of the surface at the corners of cells; no number where there is none.
    levels: Vec<f32>,
    /// Place and depth.
    pub(crate) vertices: Vec<[f32; 4]>,
    pub(crate) indices: Vec<u32>,
}

impl Water {
    pub(crate) fn find(ground: &Ground, world: &World) -> Self {
        if !ground.wild {
            return Self::default();
        }
        let extent = ground.max - ground.min;
        let cell = ground.near.cell.max(extent.max_element() / MOST as f32);
        let size = (extent / cell).floor().as_uvec2() + 1;
        let mut water = Self { origin: ground.min, cell, size, ..Self::default() };
        let at = |i: u32| ground.min + Vec2::new((i % size.x) as f32, (i / size.x) as f32) * cell;
        let heights: Vec<f32> = (0..size.x * size.y).map(|i| world.ground_height(at(i))).collect();
        // Not on cliffs: gullies are dry.
        let walked = |i: u32| world.ground.sample(at(i), Edge::Clamp).is_finite();
        let reach = (REACH / cell).round() as usize;
        // Closing: what a disc that rolls over the land cannot reach is filled.
        let filled = filter(&filter(&heights, size, reach, f32::max), size, reach, f32::min);
        let depth: Vec<f32> = (0..)
            .zip(filled.iter().zip(&heights))
            .map(|(i, (f, h))| if walked(i) { f - h } else { 0.0 })
            .collect();
        let channel = longest(&depth, size, (LENGTH * extent.max_element() / cell) as u32);
        if channel.is_empty() {
            return water;
        }
        let mut depths: Vec<f32> = channel.iter().map(|&i| depth[i as usize]).collect();
        depths.sort_by(f32::total_cmp);
        let deep = depths[depths.len() * 9 / 10];
        let calm = blurred(&filled, size, (4.0 / cell).round() as usize);
        water.levels = vec![f32::NAN; heights.len()];
        for &i in &channel {
            // Around the channel too: the surface ends within the banks.
            let (x, y) = (i % size.x, i / size.x);
            for v in y.saturating_sub(3)..(y + 4).min(size.y) {
                for u in x.saturating_sub(3)..(x + 4).min(size.x) {
                    let j = (v * size.x + u) as usize;
                    water.levels[j] = calm[j] - deep * BELOW;
                }
            }
        }
        water.mesh(&heights);
        water
    }

    fn mesh(&mut self, heights: &[f32]) {
        let mut numbers = vec![u32::MAX; self.levels.len()];
        for y in 0..self.size.y - 1 {
            for x in 0..self.size.x - 1 {
                let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
                    .map(|(x, y)| (y * self.size.x + x) as usize);
                let wet = |&i: &usize| self.levels[i] > heights[i];
                if corners.iter().any(|&i| self.levels[i].is_nan()) || !corners.iter().any(wet) {
                    continue;
                }
                let quad = corners.map(|i| {
                    if numbers[i] == u32::MAX {
                        numbers[i] = self.vertices.len() as u32;
                        let at = Vec2::new(
                            (i as u32 % self.size.x) as f32,
                            (i as u32 / self.size.x) as f32,
                        );
                        let p = self.origin + at * self.cell;
                        self.vertices.push([p.x, p.y, self.levels[i], self.levels[i] - heights[i]]);
                    }
                    numbers[i]
                });
                self.indices.extend([quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]]);
            }
        }
    }

    /// How damp the ground is at a point of this height: 1 at the water, 0 well above it.
    pub(crate) fn damp(&self, p: Vec2, height: f32) -> f32 {
        if self.levels.is_empty() {
            return 0.0;
        }
        let q = ((p - self.origin) / self.cell).round().max(Vec2::ZERO).as_uvec2();
        let q = q.min(self.size - 1);
        let level = self.levels[(q.y * self.size.x + q.x) as usize];
        if level.is_nan() { 0.0 } else { 1.0 - smoothstep(-0.1, 0.75, height - level) }
    }
}

/// The greatest or least over squares, first along rows, then along columns.
fn filter(values: &[f32], size: UVec2, reach: usize, pick: fn(f32, f32) -> f32) -> Vec<f32> {
    let (w, h) = (size.x as usize, size.y as usize);
    let line = |n: usize, get: &dyn Fn(usize) -> f32| -> Vec<f32> {
        (0..n)
            .map(|i| {
                let range = i.saturating_sub(reach)..(i + reach + 1).min(n);
                range.map(get).reduce(pick).unwrap_or(0.0)
            })
            .collect()
    };
    let mut rows = Vec::with_capacity(values.len());
    for y in 0..h {
        rows.extend(line(w, &|x| values[y * w + x]));
    }
    let mut out = vec![0.0; values.len()];
    for x in 0..w {
        for (y, v) in line(h, &|y| rows[y * w + x]).into_iter().enumerate() {
            out[y * w + x] = v;
        }
    }
    out
}

fn blurred(values: &[f32], size: UVec2, reach: usize) -> Vec<f32> {
    let sum = filter(values, size, reach, |a, b| a + b);
    let ones = filter(&vec![1.0; values.len()], size, reach, |a, b| a + b);
    sum.iter().zip(&ones).map(|(s, n)| s / n).collect()
}

/// Cells of the longest of the connected hollows, if it is long enough.
fn longest(depth: &[f32], size: UVec2, length: u32) -> Vec<u32> {
    let mut seen = vec![false; depth.len()];
    let (mut longest, mut all) = (length.saturating_sub(1), Vec::new());
    for start in 0..depth.len() as u32 {
        if seen[start as usize] || depth[start as usize] < SHALLOW {
            continue;
        }
        let mut part = vec![start];
        seen[start as usize] = true;
        let (mut low, mut high) = (size, UVec2::ZERO);
        let mut next = 0;
        while next < part.len() {
            let at = UVec2::new(part[next] % size.x, part[next] / size.x);
            (low, high) = (low.min(at), high.max(at));
            next += 1;
            for (x, y) in [
                (at.x.wrapping_sub(1), at.y),
                (at.x + 1, at.y),
                (at.x, at.y.wrapping_sub(1)),
                (at.x, at.y + 1),
            ] {
                let i = y.wrapping_mul(size.x).wrapping_add(x);
                if x < size.x && y < size.y && !seen[i as usize] && depth[i as usize] >= SHALLOW {
                    seen[i as usize] = true;
                    part.push(i);
                }
            }
        }
        // The stream alone: gaps between outcrops and cliffs are hollows too.
        let extent = (high - low).max_element();
        if extent > longest {
            (longest, all) = (extent, part);
        }
    }
    all
}
