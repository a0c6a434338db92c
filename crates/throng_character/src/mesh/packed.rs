//! A skinned vertex in 128 bits, as the Froblins chapter lays it out (3.5): positions of 16 bits per axis
//! within the character's box, the tangent as two angles of 8 bits, the normal as 11, 11 and 10 bits, and 16
//! bits each for u and v. The binormal is computed when it is read.
//!
//! | word | low bits … high bits |
//! |---|---|
//! | 0 | x: 16, y: 16 |
//! | 1 | z: 16, azimuth of the tangent: 8, its polar angle: 8 |
//! | 2 | normal x: 11, y: 11, z: 10 |
//! | 3 | u: 16, v: 16 |
//!
//! The layout has no bit for the side of the binormal, which a mirrored atlas needs. It rides on the length of
//! the normal, which says nothing else: the normal is stored at length 1 for one side and at 0.6 for the other.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};

/// A vertex as shaders see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where it is.
    pub position: Vec3,
    /// Of length 1.
    pub normal: Vec3,
    /// Of length 1; w is the side of the binormal, 1 or -1.
    pub tangent: Vec4,
    /// In the atlas.
    pub uv: Vec2,
}

impl Vertex {
    /// Completes the frame.
    #[must_use]
    pub fn binormal(&self) -> Vec3 {
        self.normal.cross(self.tangent.truncate()) * self.tangent.w
    }
}

/// What positions and places in the atlas are relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionBox {
    /// Least corner.
    pub low: Vec3,
    /// Size along the axes.
    pub size: Vec3,
    /// Least u and v; 0 unless an atlas is repeated.
    pub uv_low: Vec2,
    /// Range of u and v; 1 unless an atlas is repeated.
    pub uv_size: Vec2,
}

impl PositionBox {
    /// Between two corners, with an atlas from 0 to 1.
    #[must_use]
    pub fn new(low: Vec3, high: Vec3) -> Self {
        // A flat box must not divide by nothing.
        let size = (high - low).max(Vec3::splat(1e-6));
        Self { low, size, uv_low: Vec2::ZERO, uv_size: Vec2::ONE }
    }

    /// Half a step of the 16 bits, per axis: how far a position may move by packing.
    #[must_use]
    pub fn half_step(&self) -> Vec3 {
        self.size / 65_535.0 * 0.5
    }
}

/// 128 bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct PackedVertex(pub [u32; 4]);

/// Length of the stored normal where the binormal is on the other side.
const MIRRORED: f32 = 0.6;
/// Lengths below are mirrored ones.
const BETWEEN: f32 = 0.8;

/// To `bits` bits, 0 to 1.
fn unorm(value: f32, bits: u32) -> u32 {
    let most = ((1_u32 << bits) - 1) as f32;
    (value.clamp(0.0, 1.0) * most + 0.5) as u32
}

fn from_unorm(value: u32, bits: u32) -> f32 {
    let mask = (1_u32 << bits) - 1;
    (value & mask) as f32 / mask as f32
}

impl PackedVertex {
    /// Packs a vertex; positions outside the box go to its faces.
    #[must_use]
    pub fn pack(vertex: &Vertex, within: &PositionBox) -> Self {
        let p = (vertex.position - within.low) / within.size;
        let [x, y, z] = p.to_array().map(|v| unorm(v, 16));
        let t = vertex.tangent.truncate().normalize_or(Vec3::X);
        // A whole turn has 256 steps and wraps; half a turn has 255, both poles included.
        let azimuth = (t.y.atan2(t.x) / TAU * 256.0).round().rem_euclid(256.0) as u32 & 255;
        let polar = unorm(t.z.clamp(-1.0, 1.0).acos() / PI, 8);
        let length = if vertex.tangent.w < 0.0 { MIRRORED } else { 1.0 };
        let n = vertex.normal.normalize_or(Vec3::Z) * length * 0.5 + 0.5;
        let normal = unorm(n.x, 11) | unorm(n.y, 11) << 11 | unorm(n.z, 10) << 22;
        let uv = (vertex.uv - within.uv_low) / within.uv_size;
        let [u, v] = uv.to_array().map(|v| unorm(v, 16));
        Self([x | y << 16, z | azimuth << 16 | polar << 24, normal, u | v << 16])
    }

    /// What was packed, within its steps.
    #[must_use]
    pub fn unpack(&self, within: &PositionBox) -> Vertex {
        let [a, b, c, d] = self.0;
        let p = Vec3::new(from_unorm(a, 16), from_unorm(a >> 16, 16), from_unorm(b, 16));
        let azimuth = (b >> 16 & 255) as f32 / 256.0 * TAU;
        let polar = from_unorm(b >> 24, 8) * PI;
        let (sin, cos) = polar.sin_cos();
        let tangent = Vec3::new(sin * azimuth.cos(), sin * azimuth.sin(), cos);
        let n = Vec3::new(from_unorm(c, 11), from_unorm(c >> 11, 11), from_unorm(c >> 22, 10));
        let n = n * 2.0 - 1.0;
        let side = if n.length() < BETWEEN { -1.0 } else { 1.0 };
        let uv = Vec2::new(from_unorm(d, 16), from_unorm(d >> 16, 16));
        Vertex {
            position: within.low + p * within.size,
            normal: n.normalize_or(Vec3::Z),
            tangent: tangent.extend(side),
            uv: within.uv_low + uv * within.uv_size,
        }
    }
}
