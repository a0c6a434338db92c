//! Which patches of ground are drawn: a quadtree whose nodes are split by distance, all with the same
//! number of quads (after Strugar, *Continuous distance-dependent level of detail*, 2009).
//!
//! Why there are no cracks. Distance is the greatest of |x|, |y| and the eye's height above ground, so
//! that a node of side s that is split spans distances below c·s + s, and one that is not split lies at c·s or
//! beyond. Vertices of a node morph to those of the next coarser level between (c+1)·s and 2c·s. An
//! edge between a node of side s and one of side 2s belongs to the larger, so it lies at 2c·s or
//! beyond: the smaller one has morphed to it in full. It also belongs to a child of a split node of
//! side 2s, so it lies below (c+1)·2s: the larger one has not begun to morph. With c > 1 no two
//! neighbours differ by more than one level.

use glam::{UVec2, Vec2, Vec3};

use super::ground::Ground;
use super::plainness::{Plainness, VARIANTS};
use crate::{Filters, View};

/// c: a node is split when nearer than so many times its side.
pub(crate) const SPLIT: f32 = 4.6;
/// Begin and end of morphing, in sides of the node, a little within (c+1) and 2c: the CPU splits and
/// the GPU morphs, and their roundings may differ.
pub(crate) const MORPH: [f32; 2] = [SPLIT + 1.02, 2.0 * SPLIT - 0.04];

/// How finely the ground is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fineness {
    /// How wide a pixel of the picture is at distance 1; 0: no patch is plainer than it could be.
    pixel: f32,
    /// Whether what no view sees is left out.
    cull: bool,
}

impl Fineness {
    /// For a picture: within two pixels of the ground.
    pub(crate) fn of(picture: &View) -> Self {
        let pixel = 2.0 * picture.up.length() / picture.height;
        Self { pixel, cull: true }
    }

    /// By what filters allow.
    pub(crate) fn by(picture: &View, filters: &Filters) -> Self {
        let fine = Self { cull: filters.frustum, ..Self::of(picture) };
        if filters.detail { fine } else { fine.without_plain() }
    }

    /// Where small triangles cost little: none is plainer.
    pub(crate) fn without_plain(self) -> Self {
        Self { pixel: 0.0, ..self }
    }
}

/// A patch: its corner in finest cells, the cells between two of its vertices, and its variant.
pub(crate) type Patch = [u32; 4];

/// Patches of a view, by variant: where each begins among all, and where the last ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PatchList([u32; VARIANTS + 1]);

impl PatchList {
    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.0[VARIANTS] - self.0[0]
    }

    /// Those of each variant that has any.
    pub(crate) fn by_variant(&self) -> impl Iterator<Item = (usize, std::ops::Range<u32>)> + '_ {
        let ranges = self.0.windows(2).map(|ends| ends[0]..ends[1]);
        ranges.enumerate().filter(|(_, range)| !range.is_empty())
    }
}

/// Distance by which detail is picked.
pub(crate) fn distance(view: &View, min: Vec2, max: Vec2) -> f32 {
    let focus = view.focus.truncate();
    let outside = (min - focus).max(focus - max).max(Vec2::ZERO).max_element();
    outside.max(view.focus_height)
}

/// All patches that a view may see.
pub(crate) fn patches(
    ground: &Ground,
    plainness: &mut Plainness,
    view: &View,
    fine: Fineness,
    out: &mut Vec<Patch>,
) -> PatchList {
    let from = out.len();
    let mut vary =
        |level, at, distance| plainness.variant(ground, (level, at), distance, fine.pixel);
    split(ground, (view, fine), (ground.levels, UVec2::ZERO), &mut vary, out);
    out[from..].sort_unstable_by_key(|patch| patch[3]);
    let before =
        |variant: usize| from + out[from..].partition_point(|patch| (patch[3] as usize) < variant);
    PatchList(std::array::from_fn(|variant| before(variant) as u32))
}

/// Which variant a patch at a distance has.
type Vary<'a> = &'a mut dyn FnMut(u32, UVec2, f32) -> usize;

fn split(
    ground: &Ground,
    (view, fine): (&View, Fineness),
    (level, at): (u32, UVec2),
    vary: Vary<'_>,
    out: &mut Vec<Patch>,
) {
    let side = ground.leaf() * (1_u32 << level) as f32;
    let min = ground.root + at.as_vec2() * side;
    let max = min + side;
    let (low, high) = ground.range(level, at);
    if fine.cull && !view.may_see(min.extend(low), max.extend(high)) {
        return;
    }
    let away = distance(view, min, max);
    if level > 0 && away < SPLIT * side {
        for child in [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE] {
            split(ground, (view, fine), (level - 1, at * 2 + child), vary, out);
        }
        return;
    }
    let step = 1_u32 << level;
    let corner = at * (super::ground::QUADS * step);
    out.push([corner.x, corner.y, step, vary(level, at, away) as u32]);
}

/// Height of the eye above the ground below it, for [`View::focus_height`].
pub(crate) fn focus_height(ground: &Ground, eye: Vec3) -> f32 {
    (eye.z - ground.height(eye.truncate())).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::{Fineness, Patch, Plainness, VARIANTS, patches};
    use crate::terrain::Ground;
    use crate::terrain::ground::QUADS;
    use crate::{Camera, View};
    use glam::{UVec2, Vec2};
    use throng_world::Scene;

    /// Pixels down of the picture that errors are counted in.
    const PIXELS: u32 = 720;

    /// The height of a patch's mesh at a point, between the four corners of its quad.
    fn mesh_height(ground: &Ground, patch: &Patch, p: Vec2) -> f32 {
        let wide = crate::terrain::plainness::STEPS[patch[3] as usize];
        let step = ground.near.cell * (patch[2] * wide) as f32;
        let corner = ground.root + UVec2::new(patch[0], patch[1]).as_vec2() * ground.near.cell;
        let q = (p - corner) / step;
        let low = q.floor().min(Vec2::splat((QUADS / wide) as f32 - 1.0));
        let t = q - low;
        let h = |x: f32, y: f32| ground.height(corner + (low + Vec2::new(x, y)) * step);
        let bottom = h(0.0, 0.0) * (1.0 - t.x) + h(1.0, 0.0) * t.x;
        let top = h(0.0, 1.0) * (1.0 - t.x) + h(1.0, 1.0) * t.x;
        bottom * (1.0 - t.y) + top * t.y
    }

    /// If this fails, the ground is seen to change as one walks, or feet float.
    #[test]
    fn the_mesh_is_within_two_pixels_of_the_ground() {
        let world = Scene::builtin("froblins").unwrap().build(&Default::default()).unwrap();
        let ground = Ground::new(&world);
        let (mut worst, mut sum, mut count) = (0.0_f32, 0.0, 0);
        let (mut plainness, mut by_variant) = (Plainness::default(), [0; VARIANTS]);
        for i in 0..24_u32 {
            let at = |k: f32| (i as f32 * k).fract();
            let p = ground.min + (ground.max - ground.min) * Vec2::new(at(0.618), at(0.377));
            let up = [2.0, 12.0, 60.0][i as usize % 3];
            let eye = p.extend(ground.height(p) + up);
            let camera = Camera { eye, yaw: i as f32, pitch: -0.2, ..Camera::default() };
            let mut view = View::picture(&camera, [PIXELS * 16 / 9, PIXELS], 0.0);
            view.focus_height = super::focus_height(&ground, eye);
            let mut all = Vec::new();
            patches(&ground, &mut plainness, &view, Fineness::of(&view), &mut all);
            all.iter().for_each(|patch| by_variant[patch[3] as usize] += 1);
            assert!(all.len() < 900, "{} patches", all.len());
            for patch in &all {
                for k in 0..60_u32 {
                    let share = Vec2::new(
                        (k as f32 * 0.754_877_7).fract(),
                        (k as f32 * 0.569_840_3).fract(),
                    );
                    let corner =
                        ground.root + UVec2::new(patch[0], patch[1]).as_vec2() * ground.near.cell;
                    let p = corner + share * (QUADS * patch[2]) as f32 * ground.near.cell;
                    let (true_height, mesh) = (ground.height(p), mesh_height(&ground, patch, p));
                    let pixel = |h: f32| {
                        let clip = view.clip_from_world * p.extend(h).extend(1.0);
                        (clip.w > 0.5).then(|| (clip.truncate() / clip.w).truncate())
                    };
                    let (Some(a), Some(b)) = (pixel(true_height), pixel(mesh)) else { continue };
                    if a.abs().max_element() > 1.0 {
                        continue;
                    }
                    // To the nearest of the ground around: on a cliff a little to the side is a lot down.
                    let step = ground.near.cell * patch[2] as f32;
                    let near = |i: u32| {
                        let q = p
                            + (Vec2::new((i % 7) as f32, (i / 7) as f32) - 3.0) / 3.0 * step * 0.5;
                        let clip = view.clip_from_world * q.extend(ground.height(q)).extend(1.0);
                        let there = (clip.truncate() / clip.w.max(0.1)).truncate();
                        (there - b).length()
                    };
                    let nearest = (0..49).map(near).fold((a - b).length(), f32::min);
                    let error = nearest * 0.5 * PIXELS as f32;
                    (worst, sum, count) = (worst.max(error), sum + f64::from(error), count + 1);
                }
            }
        }
        println!("{by_variant:?} patches by variant");
        println!("{count} points: mean {:.3} pixels, worst {worst:.2}", sum / f64::from(count));
        assert!(count > 10_000 && worst < 2.0, "{worst} pixels over {count} points");
    }
}
