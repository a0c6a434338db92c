//! Where the splits lie.

use glam::{Mat4, Vec3, Vec4};

use super::SPLITS;
use crate::view::PLANES;
use crate::{Camera, View};

/// How shadows are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowOptions {
    /// Whether there are any.
    pub on: bool,
    /// Texels along a side of each map.
    pub side: u32,
    /// How far from the camera there are shadows (metres).
    pub reach: f32,
    /// 0: splits of equal length, 1: each longer than the last by the same factor.
    pub logarithmic: f32,
    /// Half the width of a shadow's soft edge, in texels.
    pub softness: f32,
}

impl Default for ShadowOptions {
    fn default() -> Self {
        Self { on: true, side: 2048, reach: 420.0, logarithmic: 0.9, softness: 0.8 }
    }
}

/// One split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Camera of the sun.
    pub(crate) view: View,
    /// Distance along the axis of the picture's camera to which it reaches.
    pub(crate) end: f32,
    /// Metres to a texel.
    pub(crate) texel: f32,
}

/// How far towards the sun casters are looked for, beyond the split itself (metres).
const TOWARDS_SUN: f32 = 700.0;

/// The splits of a picture's view.
pub(crate) fn splits(
    camera: &Camera,
    picture: &View,
    sun: Vec3,
    options: &ShadowOptions,
) -> [Split; SPLITS] {
    // What lies below the camera counts too: from high above the slices begin at the ground.
    let begin = (picture.focus_height * 0.6).max(camera.near.max(1.0));
    let end = options.reach.max(begin * 3.0);
    let cut = |i: usize| {
        let share = i as f32 / SPLITS as f32;
        let even = begin + (end - begin) * share;
        let log = begin * (end / begin).powf(share);
        even + (log - even) * options.logarithmic
    };
    let half = camera.half_extent(picture.width / picture.height);
    // A sphere around the slice has the same size whatever the direction of the camera.
    let spread = half.length_squared();
    std::array::from_fn(|i| {
        let (from, to) = (if i == 0 { camera.near } else { cut(i) }, cut(i + 1));
        // A fifth before the slice: borders are blended.
        let from = from * 0.8;
        let middle = ((from + to) * 0.5 * (1.0 + spread)).min(to);
        let radius = ((to - middle).powi(2) + to * to * spread)
            .max((middle - from).powi(2) + from * from * spread)
            .sqrt();
        split(picture, sun, camera.eye + picture.forward * middle, radius, to, options.side)
    })
}

fn split(picture: &View, sun: Vec3, centre: Vec3, radius: f32, end: f32, side: u32) -> Split {
    // A fixed frame of the sun: only the direction of the sun turns it.
    let aside = if sun.z.abs() > 0.99 { Vec3::X } else { Vec3::Z };
    let right = aside.cross(sun).normalize();
    let up = sun.cross(right);
    // Sizes in steps, so that roundings of the radius do not move the texels.
    let radius = (radius * 16.0).ceil() / 16.0;
    // A margin of texels for the soft edge.
    let texel = 2.0 * radius / (side as f32 - 8.0);
    let half = texel * side as f32 * 0.5;
    let snap = |x: f32| (f64::from(x) / f64::from(texel)).round() as f32 * texel;
    let (x, y) = (snap(centre.dot(right)), snap(centre.dot(up)));
    // Depth is snapped as well: the same place has then the same depth.
    let z = (centre.dot(sun) / radius).round() * radius;
    let (back, front) = (z - 2.0 * radius, z + 2.0 * radius + TOWARDS_SUN);
    let clip_from_world = Mat4::from_cols(
        Vec4::new(right.x / half, up.x / half, -sun.x / (front - back), 0.0),
        Vec4::new(right.y / half, up.y / half, -sun.y / (front - back), 0.0),
        Vec4::new(right.z / half, up.z / half, -sun.z / (front - back), 0.0),
        Vec4::new(-x / half, -y / half, front / (front - back), 1.0),
    );
    let mut planes = [Vec4::W; PLANES];
    let slab = |n: Vec3, least: f32| n.extend(-least);
    planes[0] = slab(right, x - half);
    planes[1] = slab(-right, -(x + half));
    planes[2] = slab(up, y - half);
    planes[3] = slab(-up, -(y + half));
    planes[4] = slab(sun, back);
    planes[5] = slab(-sun, -front);
    let view = View {
        clip_from_world,
        planes,
        eye: centre + sun * TOWARDS_SUN,
        near: 0.0,
        forward: -sun,
        right: right * half,
        up: up * half,
        width: side as f32,
        height: side as f32,
        ..*picture
    };
    Split { view, end, texel }
}
