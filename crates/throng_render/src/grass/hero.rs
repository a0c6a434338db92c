//! Heroes: the few large things that move through grass, each a depth cube: six maps of the distance from a side of
//! its box to its surface, with the normal there.
//!
//! A cube is baked once for each shape, which fills a box from -1 to 1, and stretched to the box of whatever it
//! stands for: a ghost that trails its hem, a boulder that rolls. Boulders also leave a print behind.

use glam::{Vec2, Vec3};
use half::f16;
use throng_gpu::draw::Texture2;
use throng_gpu::{Gpu, GpuError};

use crate::targets::Target;
use crate::{Hazard, HazardLook};

/// Texels along a side of a map.
const SIDE: u32 = 64;
/// Heroes in one picture, at most.
pub(crate) const MOST: usize = 4;
/// Rays that hit nothing see this distance.
const NOTHING: f32 = 100.0;
/// Half the sides of a ghost's box (metres), and how deep its hem hangs into the ground.
const GHOST: Vec3 = Vec3::new(0.95, 0.95, 1.6);
const HEM: f32 = 0.35;

/// `Hero` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Hero {
    pub(crate) centre: Vec3,
    pub(crate) turn: f32,
    pub(crate) half_size: Vec3,
    /// Which of the shapes.
    pub(crate) shape: u32,
    /// Where it goes (metres per second).
    pub(crate) velocity: Vec2,
    /// Radius of the print it leaves (metres); 0: none.
    pub(crate) tread: f32,
    pub(crate) unused: f32,
}

/// Heroes among hazards: the nearest to the eye.
pub(crate) fn heroes(
    hazards: &[Hazard],
    eye: Vec3,
    ground: impl Fn(Vec2) -> f32,
) -> ([Hero; MOST], u32) {
    let mut near: Vec<_> = hazards.iter().filter(|h| h.look != HazardLook::Gas).collect();
    let away = |h: &Hazard| h.position.distance_squared(eye.truncate());
    near.sort_by(|a, b| away(a).total_cmp(&away(b)));
    near.truncate(MOST);
    let mut all = [Hero::default(); MOST];
    for (slot, h) in all.iter_mut().zip(&near) {
        let foot = h.position.extend(ground(h.position));
        let radius = h.boulder_radius();
        let turn = h.heading.y.atan2(h.heading.x);
        let usual = Hero { turn, velocity: h.heading, ..Hero::default() };
        *slot = match h.look {
            HazardLook::Boulder => Hero {
                centre: foot + Vec3::Z * 0.9 * radius,
                half_size: Vec3::splat(0.95 * radius),
                shape: Shape::Round as u32,
                tread: 0.8 * radius,
                ..usual
            },
            _ => Hero {
                centre: foot + Vec3::Z * (GHOST.z - HEM),
                half_size: GHOST,
                shape: Shape::Dome as u32,
                ..usual
            },
        };
    }
    (all, near.len() as u32)
}

/// What has a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Round from above, widest at its foot.
    Dome,
    /// A ball.
    Round,
}

const SHAPES: [Shape; 2] = [Shape::Dome, Shape::Round];

/// How far outside a shape a point is, in no particular unit; negative inside.
fn outside(shape: Shape, p: Vec3) -> f32 {
    if shape == Shape::Round {
        return p.length() - 0.999;
    }
    let up = (p.z * 0.5 + 0.5).clamp(0.0, 1.0);
    let radius = (1.0 - up * up * up).max(0.0).sqrt();
    let caps = p.z.abs() - 0.999;
    (p.truncate().length() - radius * 0.999).max(caps)
}

fn normal(shape: Shape, p: Vec3) -> Vec3 {
    let d = 1e-3;
    let slope = |axis: Vec3| outside(shape, p + axis * d) - outside(shape, p - axis * d);
    Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Z)
}

/// A texel of a map: normal, and distance from the side as a share of the box. Sides: +x, -x, +y, -y, +z, -z.
fn texel(shape: Shape, side: usize, at: Vec2) -> [f32; 4] {
    let axis = side / 2;
    let sign = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
    let place = at * 2.0 - 1.0;
    let point = |share: f32| {
        let along = sign * (1.0 - 2.0 * share);
        match axis {
            0 => Vec3::new(along, place.x, place.y),
            1 => Vec3::new(place.x, along, place.y),
            _ => Vec3::new(place.x, place.y, along),
        }
    };
    let steps = 128;
    let hit =
        (0..=steps).map(|i| i as f32 / steps as f32).find(|t| outside(shape, point(*t)) < 0.0);
    let Some(hit) = hit else { return [0.0, 0.0, 1.0, NOTHING] };
    let (mut before, mut inside) = ((hit - 1.0 / steps as f32).max(0.0), hit);
    for _ in 0..12 {
        let middle = 0.5 * (before + inside);
        if outside(shape, point(middle)) < 0.0 { inside = middle } else { before = middle }
    }
    let n = normal(shape, point(before));
    [n.x, n.y, n.z, inside]
}

/// The cubes, six layers each.
pub(crate) fn depth_cube(gpu: &Gpu) -> Result<Target, GpuError> {
    let texture = gpu.texture(&Texture2 {
        layers: 6 * SHAPES.len() as u32,
        ..Texture2::new(
            "depth cube",
            [SIDE; 2],
            wgpu::TextureFormat::Rgba16Float,
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        )
    })?;
    for layer in 0..6 * SHAPES.len() {
        let (shape, side) = (SHAPES[layer / 6], layer % 6);
        let at = |i: u32| (Vec2::new((i % SIDE) as f32, (i / SIDE) as f32) + 0.5) / SIDE as f32;
        let texels = (0..SIDE * SIDE).flat_map(|i| texel(shape, side, at(i)));
        let bytes: Vec<u8> = texels.flat_map(|x| f16::from_f32(x).to_le_bytes()).collect();
        gpu.write_texture(&texture, (layer as u32, 0), &bytes)?;
    }
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    Ok(Target { texture, view })
}

#[cfg(test)]
mod tests {
    use super::{NOTHING, SHAPES, Shape, outside, texel};
    use glam::{Vec2, Vec3};

    /// If this fails, grass stands in a hero, or is thrown out of nothing.
    #[test]
    fn the_maps_enclose_the_shape() {
        for (shape, side) in SHAPES.iter().flat_map(|s| (0..6).map(|side| (*s, side))) {
            let corner = texel(shape, side, Vec2::splat(0.999))[3];
            assert_eq!(corner, NOTHING, "{shape:?} {side}: a corner sees through");
            let it = texel(shape, side, Vec2::new(0.5, 0.4));
            let n = Vec3::new(it[0], it[1], it[2]);
            let axis =
                [Vec3::X, Vec3::Y, Vec3::Z][side / 2] * if side % 2 == 0 { 1.0 } else { -1.0 };
            assert!(n.dot(axis) > 0.3, "outward: {side} {n}");
            assert!((0.0..0.5).contains(&it[3]), "{side}: {it:?}");
        }
        let dome = |p: Vec3| outside(Shape::Dome, p);
        assert!(dome(Vec3::ZERO) < 0.0 && dome(Vec3::new(0.9, 0.9, 0.0)) > 0.0);
    }
}
