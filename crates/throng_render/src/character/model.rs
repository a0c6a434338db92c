//! A character made ready for the GPU: a mesh per class of detail, baked clips, maps and looks.

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;
use throng_character::mesh::simpler::simpler;
use throng_character::{BakedClips, Character, Look, Maps, Mesh, PositionBox};

use super::close::{Facet, facets};
use crate::cull::CLASSES;

/// Triangles of the least class, a few pixels high.
const SPECK_FACES: usize = 132;
/// Most looks that the shader has room for.
pub(super) const LOOKS: usize = 16;
/// Most zones that can be missing.
pub(super) const ZONES: usize = 32;

/// A vertex that follows joints, as the vertex stage takes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct SkinVertex {
    pub(crate) position: [f32; 3],
    /// Of length 32767.
    pub(crate) normal: [i16; 4],
    /// The fourth is the side of the binormal.
    pub(crate) tangent: [i16; 4],
    pub(crate) uv: [f32; 2],
    pub(crate) joints: [u16; 4],
    /// Heaviest first, 65535 in all.
    pub(crate) weights: [u16; 4],
    /// Roots of the mean colour around it, and how far skin tints.
    pub(crate) colour: [u8; 4],
    /// 1 + the zone it belongs to, the class of detail, how far cloth tints, how open it is.
    pub(crate) other: [u8; 4],
}

impl SkinVertex {
    pub(crate) fn layout() -> wgpu::VertexBufferLayout<'static> {
        const ATTRIBUTES: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Snorm16x4, 2 => Snorm16x4, 3 => Float32x2,
            4 => Uint16x4, 5 => Unorm16x4, 6 => Unorm8x4, 7 => Uint8x4
        ];
        wgpu::VertexBufferLayout {
            array_stride: size_of::<Self>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &ATTRIBUTES,
        }
    }
}

/// One class of detail.
#[derive(Clone, Debug)]
pub(crate) struct ModelMesh {
    pub(crate) vertices: Vec<SkinVertex>,
    pub(crate) indices: Vec<u32>,
}

/// A character as the renderer takes it. Made once, and shared by all who are drawn with it.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) name: String,
    pub(crate) levels: [ModelMesh; CLASSES],
    /// Triangles of the cage, for close-ups.
    pub(crate) facets: Vec<Facet>,
    pub(crate) clips: BakedClips,
    pub(crate) maps: Maps,
    pub(crate) looks: Vec<Look>,
    /// Per zone its place at rest and its joint.
    pub(crate) zones: Vec<(Vec3, u32)>,
    /// How far a vertex gets from the middle of the body in any clip, in body heights.
    pub(crate) reach: f32,
    /// What packed vertices are relative to.
    pub(crate) bounds: PositionBox,
    /// Height of a usual one (metres).
    pub(crate) height: f32,
}

impl Model {
    /// Makes a character ready.
    #[must_use]
    pub fn new(character: &Character) -> Self {
        let clips = BakedClips::bake(character);
        let near = &character.levels[0].mesh;
        let of_level = |i: usize| &character.levels[i.min(character.levels.len() - 1)].mesh;
        let last = of_level(2);
        let speck = if last.faces() > SPECK_FACES * 2 {
            simpler(near, SPECK_FACES, |_| 1.0)
        } else {
            last.clone()
        };
        let meshes: [&Mesh; CLASSES] = [near, of_level(1), last, &speck];
        let mut class = 0;
        let levels = meshes.map(|mesh| {
            class += 1;
            level(character, mesh, class - 1)
        });
        let zones = character.zones.zones.iter().take(ZONES);
        let zones = zones.map(|(_, joint)| (bind(character, *joint), *joint as u32));
        let reach = reach(&clips, last);
        let bounds = bounds(near, reach);
        let height = match character.name.as_str() {
            "froblin" => 1.28,
            _ => 1.72,
        };
        let facets = facets(&character.levels[0], &character.maps);
        let (name, maps) = (character.name.clone(), character.maps.clone());
        let looks = character.looks.iter().take(LOOKS).cloned().collect();
        Self {
            name,
            levels,
            facets,
            maps,
            looks,
            zones: zones.collect(),
            reach,
            bounds,
            height,
            clips,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Triangles per class of detail.
    #[must_use]
    pub fn triangles(&self) -> [u32; CLASSES] {
        self.levels.each_ref().map(|level| level.indices.len() as u32 / 3)
    }

    /// Its baked clips.
    #[must_use]
    pub fn clips(&self) -> &BakedClips {
        &self.clips
    }
}

/// Where a joint is at bind, in the object as its mesh is at rest.
fn bind(character: &Character, joint: usize) -> Vec3 {
    let inverse = character.skeleton.joints[joint].inverse_bind;
    Vec3::from(inverse.inverse().translation)
}

fn level(character: &Character, mesh: &Mesh, class: u8) -> ModelMesh {
    let colours = colours(mesh, &character.maps);
    let snorm = |v: Vec3, w: f32| {
        let v = (v.normalize_or(Vec3::Z) * 32767.0).round();
        [v.x as i16, v.y as i16, v.z as i16, if w < 0.0 { -32767 } else { 32767 }]
    };
    let vertex = |v: usize| {
        let zones = character.zones.of_joint.get(usize::from(mesh.joints[v][0])).copied();
        // The lowest bit is the topmost zone.
        let zone = zones.filter(|z| *z != 0).map_or(0, |z| z.trailing_zeros() as u8 + 1);
        let Paint { colour, skin, cloth, open } = colours[v];
        let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
        SkinVertex {
            position: mesh.positions[v].to_array(),
            normal: snorm(mesh.normals[v], 1.0),
            tangent: snorm(mesh.tangents[v].truncate(), mesh.tangents[v].w),
            uv: mesh.uvs[v].to_array(),
            joints: mesh.joints[v],
            weights: weights(mesh.weights[v]),
            colour: [
                byte(colour.x.sqrt()),
                byte(colour.y.sqrt()),
                byte(colour.z.sqrt()),
                byte(skin),
            ],
            other: [zone, class, byte(cloth), byte(open)],
        }
    };
    let vertices = (0..mesh.positions.len()).map(vertex).collect();
    ModelMesh { vertices, indices: mesh.indices.clone() }
}

/// To 16 bits each; the first takes what rounding leaves, so that they sum to one.
fn weights(weights: [f32; 4]) -> [u16; 4] {
    let mut out = weights.map(|w| (w.clamp(0.0, 1.0) * 65_535.0).round() as u16);
    let rest: u32 = out[1..].iter().map(|w| u32::from(*w)).sum();
    out[0] = 65_535_u32.saturating_sub(rest) as u16;
    out
}

/// Mean of the maps around a vertex.
#[derive(Clone, Copy, Default)]
struct Paint {
    colour: Vec3,
    skin: f32,
    cloth: f32,
    open: f32,
}

/// Mean colours around vertices: of points spread over their triangles.
fn colours(mesh: &Mesh, maps: &Maps) -> Vec<Paint> {
    const SPREAD: [[f32; 3]; 7] = [
        [0.8, 0.1, 0.1],
        [0.1, 0.8, 0.1],
        [0.1, 0.1, 0.8],
        [0.45, 0.45, 0.1],
        [0.1, 0.45, 0.45],
        [0.45, 0.1, 0.45],
        [0.34, 0.33, 0.33],
    ];
    let mut sums = vec![(Vec4::ZERO, Vec4::ZERO); mesh.positions.len()];
    for t in mesh.triangles() {
        for shares in SPREAD {
            let uv = mesh.uvs[t[0]] * shares[0]
                + mesh.uvs[t[1]] * shares[1]
                + mesh.uvs[t[2]] * shares[2];
            let paint = at(maps, uv);
            for (v, share) in t.into_iter().zip(shares) {
                sums[v].0 += paint.colour.extend(paint.skin) * share;
                sums[v].1 += Vec4::new(paint.cloth, paint.open, 0.0, 1.0) * share;
            }
        }
    }
    sums.iter()
        .map(|(a, b)| {
            let n = b.w.max(1e-6);
            Paint { colour: a.truncate() / n, skin: a.w / n, cloth: b.x / n, open: b.y / n }
        })
        .collect()
}

fn at(maps: &Maps, uv: Vec2) -> Paint {
    if maps.width == 0 || maps.height == 0 {
        return Paint { colour: Vec3::splat(0.5), open: 1.0, ..Paint::default() };
    }
    let place = |u: f32, side: u32| ((u - u.floor()) * side as f32) as u32 % side;
    let texel = (place(uv.y, maps.height) * maps.width + place(uv.x, maps.width)) as usize;
    let [r, g, b, skin] = maps.albedo[texel];
    let [_, _, cloth, open] = maps.normal[texel];
    let share = |byte: u8| f32::from(byte) / 255.0;
    Paint {
        colour: crate::crowd::linear([r, g, b]),
        skin: share(skin),
        cloth: share(cloth),
        open: share(open),
    }
}

/// Room for every pose, and for every place in the maps.
fn bounds(mesh: &Mesh, reach: f32) -> PositionBox {
    let far = Vec3::splat(reach * 1.05 + 0.02);
    let mut all = PositionBox::new(Vec3::Z * 0.5 - far, Vec3::Z * 0.5 + far);
    let uv = mesh.uvs.iter();
    let none = [Vec2::ZERO, Vec2::ONE];
    let [low, high] = uv.fold(none, |[a, b], uv| [a.min(*uv), b.max(*uv)]);
    (all.uv_low, all.uv_size) = (low, (high - low).max(Vec2::splat(1e-6)));
    all
}

/// The farthest that any vertex gets from the middle of the body.
fn reach(clips: &BakedClips, mesh: &Mesh) -> f32 {
    let joints = clips.joints.max(1) as usize;
    let far = |key: &[[Vec4; 3]]| {
        let place = |v: usize| {
            let m = &key[usize::from(mesh.joints[v][0])];
            let p = mesh.positions[v].extend(1.0);
            Vec3::new(m[0].dot(p), m[1].dot(p), m[2].dot(p)).distance(Vec3::Z * 0.5)
        };
        (0..mesh.positions.len()).step_by(3).map(place).fold(0.5_f32, f32::max)
    };
    clips.rows.par_chunks_exact(joints).map(far).reduce(|| 0.5, f32::max).min(8.0)
}
