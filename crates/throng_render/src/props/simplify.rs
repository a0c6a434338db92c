//! Coarser copies of a mesh, for props that are small in the picture.
//!
//! Solid parts: vertices of one cell of a grid become one (Rossignac and Borrel, *Multi-resolution 3D
//! approximations for rendering complex scenes*, 1993); what has no area left goes. Leaves would go
//! altogether that way: of them some stay, and grow, so that the crown keeps its area.

use std::collections::{HashMap, HashSet};

use glam::{IVec3, Vec3};

use super::{Mesh, Surface};

/// A coarser level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coarseness {
    /// It is drawn when the mesh's radius is below so many pixels.
    pub(super) pixels: f32,
    /// Cells across the mesh.
    cells: f32,
    /// One of so many leaves stays.
    leaves: usize,
}

/// From fine to coarse. A cell is three to four pixels wide where a level begins: finer triangles than that cost
/// more than they show.
pub(super) const LEVELS: [Coarseness; 4] = [
    Coarseness { pixels: 56.0, cells: 32.0, leaves: 3 },
    Coarseness { pixels: 24.0, cells: 14.0, leaves: 10 },
    Coarseness { pixels: 10.0, cells: 6.0, leaves: 28 },
    Coarseness { pixels: 4.5, cells: 4.0, leaves: 80 },
];

/// Radius of a ball about the foot of a mesh that holds it.
pub(super) fn radius(mesh: &Mesh) -> f32 {
    mesh.positions.iter().map(|p| p.length()).fold(0.0, f32::max)
}

/// The mesh at a coarser level.
pub(super) fn coarser(mesh: &Mesh, level: Coarseness) -> Mesh {
    let mut out = Mesh::new(&mesh.name);
    let side = 2.0 * radius(mesh) / level.cells;
    // A crown in one piece is as solid as a stone; leaves are what is lost in a few cells.
    let (small, large): (Vec<_>, Vec<_>) =
        leaves(mesh).into_iter().partition(|leaf| extent(mesh, leaf) < 3.0 * side);
    let solid = mesh.indices.chunks_exact(3).filter(|t| !is_leaf(mesh, t));
    let solid = solid.map(|t| [t[0], t[1], t[2]]).chain(large.into_iter().flatten()).collect();
    cluster(mesh, solid, side, &mut out);
    thin(mesh, &small, level.leaves, 3.0 * side, &mut out);
    out
}

/// The longest way from the middle of some triangles to one of their corners, twice.
fn extent(mesh: &Mesh, triangles: &[[u32; 3]]) -> f32 {
    let middle = middle(mesh, triangles);
    let corners = triangles.iter().flatten().map(|&i| mesh.positions[i as usize]);
    2.0 * corners.map(|p| p.distance(middle)).fold(0.0, f32::max)
}

fn area_of(mesh: &Mesh, triangles: &[[u32; 3]]) -> f32 {
    let corner = |i: u32| mesh.positions[i as usize];
    let twice =
        |[a, b, c]: &[u32; 3]| (corner(*b) - corner(*a)).cross(corner(*c) - corner(*a)).length();
    triangles.iter().map(twice).sum::<f32>() * 0.5
}

fn middle(mesh: &Mesh, triangles: &[[u32; 3]]) -> Vec3 {
    let corners = triangles.iter().flatten().map(|&i| mesh.positions[i as usize]);
    corners.sum::<Vec3>() / (3 * triangles.len()).max(1) as f32
}

fn is_leaf(mesh: &Mesh, triangle: &[u32]) -> bool {
    mesh.colours[triangle[0] as usize][3] == Surface::Foliage as u8
}

/// What becomes of the vertices of a cell.
#[derive(Default)]
struct Sum {
    count: f32,
    position: Vec3,
    normal: Vec3,
    colour: Vec3,
    surface: u8,
}

/// Adds triangles with one vertex to a cell of `side` metres and to a side of a surface.
fn cluster(mesh: &Mesh, triangles: Vec<[u32; 3]>, side: f32, out: &mut Mesh) {
    // Faces that look different ways keep vertices of their own, so that edges stay sharp.
    let key = |i: usize| {
        let cell = (mesh.positions[i] / side.max(1e-6)).floor().as_ivec3();
        let facing = (mesh.normals[i] * 1.2).round().as_ivec3();
        (cell, facing, mesh.colours[i][3])
    };
    let mut numbers: HashMap<(IVec3, IVec3, u8), usize> = HashMap::new();
    let mut sums: Vec<Sum> = Vec::new();
    let mut corners = Vec::new();
    for triangle in triangles {
        corners.push([0, 1, 2].map(|k| {
            let i = triangle[k] as usize;
            let number = *numbers.entry(key(i)).or_insert_with(|| {
                sums.push(Sum { surface: mesh.colours[i][3], ..Sum::default() });
                sums.len() - 1
            });
            let sum = &mut sums[number];
            let [r, g, b, _] = mesh.colours[i];
            sum.count += 1.0;
            sum.position += mesh.positions[i];
            sum.normal += mesh.normals[i];
            sum.colour += Vec3::new(f32::from(r), f32::from(g), f32::from(b));
            number
        }));
    }
    let base = out.positions.len() as u32;
    for sum in &sums {
        let colour = (sum.colour / sum.count).round();
        out.positions.push(sum.position / sum.count);
        out.normals.push(sum.normal.normalize_or(Vec3::Z));
        out.colours.push([colour.x as u8, colour.y as u8, colour.z as u8, sum.surface]);
    }
    let mut seen = HashSet::new();
    for triangle in corners {
        let [a, b, c] = triangle.map(|number| sums[number].position / sums[number].count);
        let mut sorted = triangle;
        sorted.sort_unstable();
        if (b - a).cross(c - a).length() > 1e-9 && seen.insert(sorted) {
            out.indices.extend(triangle.map(|number| base + number as u32));
        }
    }
}

/// Adds one of so many leaves, larger by as much as makes up for the others, if that is not beyond `most` metres.
fn thin(mesh: &Mesh, leaves: &[Vec<[u32; 3]>], of: usize, most: f32, out: &mut Mesh) {
    let all: f32 = leaves.iter().map(|leaf| area_of(mesh, leaf)).sum();
    let kept: f32 = leaves.iter().step_by(of).map(|leaf| area_of(mesh, leaf)).sum();
    let all_for_one = (all / kept.max(1e-6)).max(1.0);
    for leaf in leaves.iter().step_by(of) {
        let grow = all_for_one.sqrt().min((most / extent(mesh, leaf).max(1e-6)).max(1.0));
        let mut own: HashMap<u32, u32> = HashMap::new();
        let middle = middle(mesh, leaf);
        for &i in leaf.iter().flatten() {
            let number = *own.entry(i).or_insert_with(|| {
                let i = i as usize;
                out.positions.push(middle + (mesh.positions[i] - middle) * grow);
                out.normals.push(mesh.normals[i]);
                out.colours.push(mesh.colours[i]);
                out.positions.len() as u32 - 1
            });
            out.indices.push(number);
        }
    }
}

/// Triangles of foliage that share vertices, together; in the order of the mesh.
fn leaves(mesh: &Mesh) -> Vec<Vec<[u32; 3]>> {
    let mut parent: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    let all = || mesh.indices.chunks_exact(3).filter(|t| is_leaf(mesh, t));
    for t in all() {
        let first = root(&mut parent, t[0]);
        for &other in &t[1..] {
            let other = root(&mut parent, other);
            parent[other as usize] = first;
        }
    }
    let mut numbers = HashMap::new();
    let mut leaves: Vec<Vec<[u32; 3]>> = Vec::new();
    for t in all() {
        let number = *numbers.entry(root(&mut parent, t[0])).or_insert_with(|| {
            leaves.push(Vec::new());
            leaves.len() - 1
        });
        leaves[number].push([t[0], t[1], t[2]]);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenery;

    /// Area of all triangles.
    fn area(mesh: &Mesh) -> f32 {
        mesh.indices
            .chunks_exact(3)
            .map(|t| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|i| mesh.positions[i as usize]);
                (b - a).cross(c - a).length() * 0.5
            })
            .sum()
    }

    /// If this fails, things in the distance vanish, grow, or cost as much as near ones.
    #[test]
    fn coarser_meshes_are_light_and_look_alike() {
        let (mut fine, mut coarse) = ([0; LEVELS.len()], [0; LEVELS.len()]);
        for mesh in scenery::catalogue() {
            for (k, level) in LEVELS.into_iter().enumerate() {
                let less = coarser(&mesh, level);
                less.check().unwrap();
                let side = 2.0 * radius(&mesh) / level.cells;
                let (a, b) = (radius(&mesh), radius(&less));
                assert!(b < a * 1.15 + side && b > a * 0.6 - side, "{}: {a} {b}", mesh.name);
                let (before, after) = (area(&mesh), area(&less));
                assert!(
                    after > before * 0.05 && after <= before * 3.5,
                    "{}: {before} {after}",
                    mesh.name
                );
                fine[k] += mesh.indices.len();
                coarse[k] += less.indices.len();
            }
        }
        let share: [f32; LEVELS.len()] = std::array::from_fn(|k| coarse[k] as f32 / fine[k] as f32);
        println!("triangles left: {share:.2?}");
        assert!(share.iter().zip([0.8, 0.5, 0.2, 0.15]).all(|(s, most)| *s < most), "{share:.2?}");
    }
}
