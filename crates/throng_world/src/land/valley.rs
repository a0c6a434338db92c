//! A valley from a seed: a wide, gently rolling floor with a stream, shut in by cliffs, with rocky
//! outcrops and boulders. Everything is laid out in shares of the side, so that a larger valley has
//! the same slopes and the same map.

use crate::builtin::hash::{Chance, noise};
use crate::world::Polygon;
use glam::{DVec2, Vec2};
use throng_field::{Cell, Grid};

/// What a valley is made of.
pub(crate) struct Valley {
    pub(crate) heights: Grid<f32>,
    pub(crate) boulders: Vec<Polygon>,
}

/// Height of the rim above the floor, as a share of the side.
const RIM: f64 = 0.10;
/// Width of the rim's foot, as a share of the side.
const RIM_WIDTH: f64 = 0.055;
/// Height of outcrops, as a share of the side.
const OUTCROP: f64 = 0.022;
/// Height of the floor's waves, as a share of the side.
const WAVES: f64 = 0.02;
/// Depth of the stream's bed, as a share of the side.
const BED: f64 = 0.003;

/// Makes the valley: `cells` across `size` metres.
pub(crate) fn valley(
    size: f64,
    cells: usize,
    seed: u64,
    relief: f64,
    boulders: u32,
) -> Option<Valley> {
    let shape = Outline { seed };
    let heights = Grid::from_fn(cells, cells, |cell: Cell| {
        let u = (f64::from(cell.x) + 0.5) / cells as f64;
        let v = (f64::from(cell.y) + 0.5) / cells as f64;
        (shape.height(u, v) * relief * size) as f32
    });
    let heights = heights.ok()?.placed((size / cells as f64) as f32, Vec2::ZERO).ok()?;
    Some(Valley { heights, boulders: shape.boulders(size, boulders) })
}

struct Outline {
    seed: u64,
}

impl Outline {
    /// Noise of several octaves in -1..1, `waves` to the side.
    fn rough(&self, purpose: u64, u: f64, v: f64, waves: f64) -> f64 {
        let octave = |i: u64| {
            let f = waves * (1 << i) as f64;
            (noise(self.seed ^ (purpose + i * 977), u * f, v * f) - 0.5) / (1 << i) as f64
        };
        (0..4).map(octave).sum::<f64>() * 1.1
    }

    /// Middle of the stream at `u`.
    fn stream(&self, u: f64) -> f64 {
        let phase = self.seed as f64 * 0.7;
        0.5 + 0.1 * (u * 5.0 + phase).sin() + 0.04 * (u * 13.0 + 2.0 * phase).sin()
    }

    /// Height as a share of the side, before relief.
    fn height(&self, u: f64, v: f64) -> f64 {
        // Distance to the nearest side, frayed so that the foot of the cliffs winds.
        let side = u.min(1.0 - u).min(v).min(1.0 - v) + 0.05 * self.rough(11, u, v, 5.0);
        let rim = RIM * smooth(1.0 - side / RIM_WIDTH);
        let waves = WAVES * self.rough(23, u, v, 3.0);
        let outcrop = self.rough(37, u, v, 6.0);
        let from_stream = (v - self.stream(u)).abs();
        let near_stream = smooth((from_stream - 0.04) / 0.05);
        let rocks = OUTCROP * smooth((outcrop - 0.34) / 0.06) * near_stream;
        let bed = BED * (-(from_stream / 0.008).powi(2)).exp();
        rim + waves + rocks - bed
    }

    fn boulders(&self, size: f64, count: u32) -> Vec<Polygon> {
        let mut chance = Chance::new(self.seed, 0xB0);
        let unit = size / 512.0;
        (0..count)
            .map(|_| {
                let centre = DVec2::new(chance.between(0.08, 0.92), chance.between(0.08, 0.92));
                let radius = chance.between(1.5, 4.5) * unit;
                let corners = 7 + chance.below(5);
                let turn = chance.between(0.0, 1.0);
                let corner = |i: usize| {
                    let angle = (i as f64 + turn) * std::f64::consts::TAU / corners as f64;
                    centre * size + DVec2::from_angle(angle) * radius
                };
                let outer = (0..corners)
                    .map(|i| {
                        let dent = chance.between(0.8, 1.0);
                        let corner = corner(i);
                        (centre * size + (corner - centre * size) * dent).as_vec2()
                    })
                    .collect();
                Polygon { outer, holes: Vec::new() }
            })
            .collect()
    }
}

fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
