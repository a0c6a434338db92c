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
use crate::View;

/// c: a node is split when nearer than so many times its side.
pub(crate) const SPLIT: f32 = 2.0;
/// Begin and end of morphing, in sides of the node, a little within (c+1) and 2c: the CPU splits and
/// the GPU morphs, and their roundings may differ.
pub(crate) const MORPH: [f32; 2] = [SPLIT + 1.02, 2.0 * SPLIT - 0.04];

/// A patch: its corner in finest cells, the cells between two of its vertices, and unused.
pub(crate) type Patch = [u32; 4];

/// Distance by which detail is picked.
pub(crate) fn distance(view: &View, min: Vec2, max: Vec2) -> f32 {
    let focus = view.focus.truncate();
    let outside = (min - focus).max(focus - max).max(Vec2::ZERO).max_element();
    outside.max(view.focus_height)
}

/// All patches that a view may see.
pub(crate) fn patches(ground: &Ground, view: &View, out: &mut Vec<Patch>) {
    split(ground, view, ground.levels, UVec2::ZERO, out);
}

fn split(ground: &Ground, view: &View, level: u32, at: UVec2, out: &mut Vec<Patch>) {
    let side = ground.leaf() * (1_u32 << level) as f32;
    let min = ground.root + at.as_vec2() * side;
    let max = min + side;
    let (low, high) = ground.range(level, at);
    if !view.may_see(min.extend(low), max.extend(high)) {
        return;
    }
    if level > 0 && distance(view, min, max) < SPLIT * side {
        for child in [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE] {
            split(ground, view, level - 1, at * 2 + child, out);
        }
        return;
    }
    let step = 1_u32 << level;
    let corner = at * (super::ground::QUADS * step);
    out.push([corner.x, corner.y, step, level]);
}

/// Height of the eye above the ground below it, for [`View::focus_height`].
pub(crate) fn focus_height(ground: &Ground, eye: Vec3) -> f32 {
    (eye.z - ground.height(eye.truncate())).max(0.0)
}
