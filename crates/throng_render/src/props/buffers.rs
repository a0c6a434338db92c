//! Props on the GPU: all meshes and their coarser levels in one buffer, cut in clusters.

use glam::Vec3;
use throng_gpu::{Buffer, Pool};

use super::simplify::{LEVELS, coarser, radius};
use super::{BY_VERTICES, CLUSTER, Mesh, PropInstance, Surface};
use crate::RenderError;

/// `Vertex` in WGSL: 20 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Vertex {
    position: [f32; 3],
    normal: u32,
    colour: [u8; 4],
}

/// `Cluster` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Cluster {
    centre: Vec3,
    radius: f32,
    first: u32,
    /// How many; [`BY_VERTICES`] where light is found at the vertices.
    triangles: u32,
    /// Drawn from so far on and below so far: distance by scale and by pixels to a unit at distance 1.
    from: f32,
    below: f32,
}

/// Meshes, places and clusters.
#[derive(Debug)]
pub(crate) struct PropBuffers {
    pub(crate) vertices: Buffer,
    pub(crate) indices: Buffer,
    pub(crate) clusters: Buffer,
    pub(crate) instances: Buffer,
    /// Instance and cluster, for every cluster of every instance.
    pub(crate) pairs: Buffer,
    pub(crate) pair_count: u32,
    /// Triangles of all instances.
    pub(crate) triangles: u64,
}

impl PropBuffers {
    pub(crate) fn new(
        pool: &Pool,
        props: &[(Mesh, Vec<PropInstance>)],
    ) -> Result<Self, RenderError> {
        let mut vertices = Vec::new();
        let mut indices = Vec::new();
        let mut clusters = Vec::new();
        let mut instances = Vec::new();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        let mut triangles = 0;
        for (mesh, places) in props {
            mesh.check()?;
            let first_cluster = clusters.len() as u32;
            for (mesh, pixels, [from, below]) in levels(mesh) {
                let base = vertices.len() as u32;
                vertices.extend(packed(&mesh));
                for part in near_together(&mesh).chunks(CLUSTER as usize) {
                    let first = indices.len() as u32;
                    indices.extend(part.iter().flatten().map(|i| i + base));
                    let mut cluster = Cluster { from, below, ..cluster(&mesh, part, first) };
                    if lit_by_vertices(&mesh, part, pixels) {
                        cluster.triangles |= BY_VERTICES;
                    }
                    clusters.push(cluster);
                }
            }
            let own = first_cluster..clusters.len() as u32;
            for place in places {
                let number = instances.len() as u32;
                instances.push(*place);
                pairs.extend(own.clone().map(|cluster| [number, cluster]));
            }
            triangles += places.len() as u64 * (mesh.indices.len() / 3) as u64;
        }
        let pair_count = pairs.len() as u32;
        Ok(Self {
            vertices: pool.array_of("prop vertices", &vertices)?,
            indices: pool.array_of("prop indices", &indices)?,
            clusters: pool.array_of("prop clusters", &clusters)?,
            instances: pool.array_of("prop instances", &instances)?,
            pairs: pool.array_of("prop pairs", &pairs)?,
            pair_count,
            triangles,
        })
    }
}

/// The mesh and its coarser levels, below how many pixels of radius and between which distances each is drawn. A
/// level that is not much lighter than the one before is left out.
fn levels(mesh: &Mesh) -> Vec<(Mesh, f32, [f32; 2])> {
    let radius = radius(mesh);
    let mut all = vec![(mesh.clone(), f32::MAX, [0.0, f32::MAX])];
    for level in LEVELS {
        let less = coarser(mesh, level);
        let last = all.len() - 1;
        if less.indices.len() * 4 > all[last].0.indices.len() * 3 || less.indices.is_empty() {
            continue;
        }
        let at = radius / level.pixels;
        all[last].2[1] = at;
        all.push((less, level.pixels, [at, f32::MAX]));
    }
    all
}

/// Radius in pixels below which the vertices of solid parts are close enough to carry their light.
const SMALL: f32 = 24.0;

/// Whether light is found at the vertices of some triangles of a level: where these are a few pixels wide, as leaves are
/// in all coarser levels.
fn lit_by_vertices(mesh: &Mesh, part: &[[u32; 3]], pixels: f32) -> bool {
    let mut surfaces = part.iter().flatten().map(|&i| mesh.colours[i as usize][3]);
    if pixels <= SMALL {
        surfaces.all(|surface| surface != Surface::Facade as u8)
    } else {
        pixels < f32::MAX && surfaces.all(|surface| surface == Surface::Foliage as u8)
    }
}

fn packed(mesh: &Mesh) -> impl Iterator<Item = Vertex> {
    (0..mesh.positions.len()).map(|i| {
        let n = (mesh.normals[i].normalize_or(Vec3::Z) * 127.0).round();
        let bytes = [n.x as i8 as u8, n.y as i8 as u8, n.z as i8 as u8, 0];
        Vertex {
            position: mesh.positions[i].to_array(),
            normal: u32::from_le_bytes(bytes),
            colour: mesh.colours[i],
        }
    })
}

/// Triangles in an order in which neighbours in the list are neighbours in space: by a Morton code of
/// their middle.
fn near_together(mesh: &Mesh) -> Vec<[u32; 3]> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for p in &mesh.positions {
        (low, high) = (low.min(*p), high.max(*p));
    }
    let span = (high - low).max(Vec3::splat(1e-6));
    let mut triangles: Vec<[u32; 3]> =
        mesh.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    triangles.sort_by_cached_key(|t| {
        let middle = t.iter().map(|&i| mesh.positions[i as usize]).sum::<Vec3>() / 3.0;
        let at = ((middle - low) / span * 1023.0).as_uvec3();
        spread(at.x) | spread(at.y) << 1 | spread(at.z) << 2
    });
    triangles
}

/// Ten bits with two free places after each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

fn cluster(mesh: &Mesh, part: &[[u32; 3]], first: u32) -> Cluster {
    let points = || part.iter().flatten().map(|&i| mesh.positions[i as usize]);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for p in points() {
        (low, high) = (low.min(p), high.max(p));
    }
    let centre = (low + high) * 0.5;
    let radius = points().map(|p| p.distance(centre)).fold(0.0, f32::max);
    Cluster { centre, radius, first, triangles: part.len() as u32, from: 0.0, below: f32::MAX }
}
