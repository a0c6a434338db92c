//! Patches with fewer triangles inside where the ground is plain.
//!
//! The vertices along a patch's edges are always all there, so neighbours fit whatever is inside. Inside, every
//! row and column is drawn, or every fourth where that stays within a part of a pixel of the patch
//! itself. Triangles of a pixel or less cost many times their share of the picture, since pixels are shaded by
//! blocks.

use std::collections::HashMap;
use std::ops::Range;

use glam::{UVec2, Vec2};

use super::ground::{Ground, QUADS};

/// Rows and columns from one that is drawn to the next, per variant.
pub(crate) const STEPS: [u32; VARIANTS] = [1, 4];
/// Number of variants.
pub(crate) const VARIANTS: usize = 2;
/// How far a variant may be off: pixels, and radians, about a texel of the shadow maps, in which the ground is
/// always drawn in full.
const TOLERANCE: f32 = 0.6;
const MOST: f32 = 0.0006;

/// How far (metres) the variants of patches are off; what was asked for once is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plainness {
    known: HashMap<(u32, UVec2), [f32; VARIANTS - 1]>,
}

impl Plainness {
    /// The plainest variant of a patch for an eye at a distance, for which a pixel is so wide at distance 1.
    pub(crate) fn variant(
        &mut self,
        ground: &Ground,
        (level, at): (u32, UVec2),
        distance: f32,
        pixel: f32,
    ) -> usize {
        let allowed = (TOLERANCE * pixel).min(MOST) * distance;
        if allowed <= 0.0 {
            return 0;
        }
        let off = self.known.entry((level, at)).or_insert_with(|| measure(ground, level, at));
        off.iter().rposition(|off| *off <= allowed).map_or(0, |i| i + 1)
    }
}

/// How far the plainer variants of a patch are off, at its own vertices.
fn measure(ground: &Ground, level: u32, at: UVec2) -> [f32; VARIANTS - 1] {
    const SIDE: usize = QUADS as usize + 1;
    let cell = ground.near.cell * (1_u32 << level) as f32;
    let corner = ground.root + at.as_vec2() * (cell * QUADS as f32);
    let heights: Vec<f32> = (0..SIDE * SIDE)
        .map(|i| ground.height(corner + Vec2::new((i % SIDE) as f32, (i / SIDE) as f32) * cell))
        .collect();
    let height = |x: usize, y: usize| heights[y * SIDE + x];
    let off = |step: usize| {
        let mut worst = 0.0_f32;
        for y in 0..SIDE {
            for x in 0..SIDE {
                let low = |v: usize| (v / step * step).min(SIDE - 1 - step);
                let (x0, y0) = (low(x), low(y));
                let corners = [(0, 0), (step, 0), (0, step), (step, step)];
                let [a, b, c, d] = corners.map(|(dx, dy)| height(x0 + dx, y0 + dy));
                let (s, t) = ((x - x0) as f32 / step as f32, (y - y0) as f32 / step as f32);
                let between = (a + (b - a) * s) * (1.0 - t) + (c + (d - c) * s) * t;
                // Two triangles lie at most this far from that.
                let fold = 0.25 * (a - b - c + d).abs();
                worst = worst.max((height(x, y) - between).abs() + fold);
            }
        }
        worst
    };
    std::array::from_fn(|i| off(STEPS[i + 1] as usize))
}

/// Triangles of all variants, one after the other, and which belong to which.
pub(crate) fn indices() -> (Vec<u32>, [Range<u32>; VARIANTS]) {
    let mut all = Vec::new();
    let ranges = STEPS.map(|step| {
        let from = all.len() as u32;
        if step == 1 {
            every_quad(0, QUADS, 1, &mut all);
        } else {
            plain(step, &mut all);
        }
        from..all.len() as u32
    });
    (all, ranges)
}

fn vertex(x: u32, y: u32) -> u32 {
    y * (QUADS + 1) + x
}

/// Two triangles per quad, the diagonal turned from quad to quad: then the vertices that stay when a patch morphs
/// keep whole triangles between them.
fn every_quad(from: u32, to: u32, step: u32, out: &mut Vec<u32>) {
    for y in (from..to).step_by(step as usize) {
        for x in (from..to).step_by(step as usize) {
            let (e, n) = (x + step, y + step);
            let (a, b, c, d) = (vertex(x, y), vertex(e, y), vertex(e, n), vertex(x, n));
            if ((x + y) / step).is_multiple_of(2) {
                out.extend([a, b, c, a, c, d]);
            } else {
                out.extend([a, b, d, b, c, d]);
            }
        }
    }
}

/// Larger quads inside, and a seam from them to all vertices along the edges.
fn plain(step: u32, out: &mut Vec<u32>) {
    every_quad(step, QUADS - step, step, out);
    // A side at a time, as if it were the lower one, anticlockwise around the patch.
    let turns: [fn(u32, u32) -> u32; 4] = [
        |x, y| vertex(x, y),
        |x, y| vertex(QUADS - y, x),
        |x, y| vertex(QUADS - x, QUADS - y),
        |x, y| vertex(y, QUADS - x),
    ];
    for at in turns {
        let (mut outer, mut inner) = (0, step);
        while outer < QUADS || inner < QUADS - step {
            // The next triangle takes from the side that is behind.
            let next_inner = inner + step;
            if outer < QUADS && (inner == QUADS - step || outer < inner + step / 2) {
                out.extend([at(outer, 0), at(outer + 1, 0), at(inner, step)]);
                outer += 1;
            } else {
                out.extend([at(outer, 0), at(next_inner, step), at(inner, step)]);
                inner = next_inner;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{QUADS, STEPS, indices};
    use std::collections::HashMap;

    /// If this fails, there are holes in the ground, or it is drawn twice.
    #[test]
    fn every_variant_covers_the_patch_once() {
        let (all, ranges) = indices();
        for (step, range) in STEPS.into_iter().zip(ranges) {
            let triangles: Vec<_> =
                all[range.start as usize..range.end as usize].chunks_exact(3).collect();
            let point = |i: u32| [i % (QUADS + 1), i / (QUADS + 1)].map(f64::from);
            let mut area = 0.0;
            let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
            for t in &triangles {
                let [a, b, c] = [point(t[0]), point(t[1]), point(t[2])];
                let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                assert!(twice > 0.0, "step {step}: {t:?} is turned over");
                area += twice / 2.0;
                for (from, to) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    *edges.entry((from, to)).or_default() += 1;
                }
            }
            assert!((area - f64::from(QUADS * QUADS)).abs() < 1e-6, "step {step}: {area}");
            // Every edge has a neighbour that goes the other way, but for those around the patch, all of
            // length 1.
            let mut around = 0;
            for (&(from, to), count) in &edges {
                assert_eq!(*count, 1, "step {step}");
                if !edges.contains_key(&(to, from)) {
                    let (a, b) = (point(from), point(to));
                    let on_edge = (0..2).any(|k| a[k] == b[k] && (a[k] == 0.0 || a[k] == 32.0));
                    assert!(on_edge, "step {step}: a hole between {a:?} and {b:?}");
                    assert_eq!((a[0] - b[0]).abs() + (a[1] - b[1]).abs(), 1.0);
                    around += 1;
                }
            }
            assert_eq!(around, 4 * QUADS);
            println!("step {step}: {} triangles", triangles.len());
        }
    }
}
