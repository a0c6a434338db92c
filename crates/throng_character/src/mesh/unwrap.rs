//! An atlas: the mesh cut into charts that face one way each, laid flat and packed with margins.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::Mesh;
use super::pack_charts::{Chart, pack};

/// A triangle may join a chart that it faces at least this much (cosine).
const JOIN: f32 = 0.45;
/// Charts of fewer triangles are given to a neighbour that they face at least as [`MERGE`].
const SMALL: usize = 12;
const MERGE: f32 = 0.12;

/// Gives a mesh (positions, weights and indices, vertices shared) its atlas: fills `uvs`, and splits vertices
/// where charts meet. `fine` says how much more of the atlas a place gets: 1 is usual. Triangles keep their order.
pub fn unwrap(mesh: &mut Mesh, fine: impl Fn(Vec3) -> f32) {
    let normals = face_normals(mesh);
    let neighbours = face_neighbours(mesh);
    let mut of_face = grow(mesh, &normals, &neighbours);
    merge_small(&mut of_face, &normals, &neighbours);
    let mut charts = Vec::new();
    let count = of_face.iter().max().map_or(0, |m| m + 1);
    for chart in 0..count {
        let faces: Vec<usize> = (0..of_face.len()).filter(|f| of_face[*f] == chart).collect();
        // Connected again after merging, and without overlap.
        flatten(mesh, &normals, faces, &fine, &mut charts);
    }
    let places = pack(&charts);
    let mut split: HashMap<(u32, usize), u32> = HashMap::new();
    let mut out = Mesh { indices: vec![0; mesh.indices.len()], ..Default::default() };
    for (c, chart) in charts.iter().enumerate() {
        for (i, face) in chart.faces.iter().enumerate() {
            for k in 0..3 {
                let old = mesh.indices[face * 3 + k];
                let new = *split.entry((old, c)).or_insert_with(|| {
                    out.positions.push(mesh.positions[old as usize]);
                    out.uvs.push(places.place(c, chart.flat[i][k]));
                    out.joints.extend(mesh.joints.get(old as usize));
                    out.weights.extend(mesh.weights.get(old as usize));
                    out.positions.len() as u32 - 1
                });
                out.indices[face * 3 + k] = new;
            }
        }
    }
    *mesh = out;
}

fn face_normals(mesh: &Mesh) -> Vec<(Vec3, f32)> {
    let of = |t: [usize; 3]| {
        let [a, b, c] = t.map(|i| mesh.positions[i]);
        let cross = (b - a).cross(c - a);
        (cross.normalize_or(Vec3::Z), cross.length() * 0.5)
    };
    mesh.triangles().map(of).collect()
}

fn face_neighbours(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut edges: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
    for (f, t) in mesh.triangles().enumerate() {
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            edges.entry([a.min(b), a.max(b)]).or_default().push(f);
        }
    }
    let mut list = vec![Vec::new(); mesh.faces()];
    for (f, t) in mesh.triangles().enumerate() {
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            list[f].extend(edges[&[a.min(b), a.max(b)]].iter().copied().filter(|o| *o != f));
        }
    }
    list
}

/// Charts from the largest free triangle outwards, those first that face the chart best.
fn grow(mesh: &Mesh, normals: &[(Vec3, f32)], neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut of_face = vec![usize::MAX; mesh.faces()];
    let mut order: Vec<usize> = (0..mesh.faces()).collect();
    order.sort_by(|a, b| normals[*b].1.total_cmp(&normals[*a].1).then(a.cmp(b)));
    let mut chart = 0;
    for seed in order {
        if of_face[seed] != usize::MAX {
            continue;
        }
        let mut sum = normals[seed].0 * normals[seed].1;
        let mut edge = vec![seed];
        of_face[seed] = chart;
        while !edge.is_empty() {
            let mean = sum.normalize_or(normals[seed].0);
            let best = (0..edge.len()).max_by(|a, b| {
                normals[edge[*a]].0.dot(mean).total_cmp(&normals[edge[*b]].0.dot(mean))
            });
            let face = edge.swap_remove(best.unwrap_or(0));
            // The mean has moved on since the triangle was found.
            if normals[face].0.dot(mean) < JOIN {
                of_face[face] = usize::MAX;
                continue;
            }
            sum += normals[face].0 * normals[face].1;
            for &next in &neighbours[face] {
                if of_face[next] == usize::MAX && normals[next].0.dot(mean) > JOIN {
                    of_face[next] = chart;
                    edge.push(next);
                }
            }
        }
        chart += 1;
    }
    // A seed that was given back has a chart of its own.
    for face in &mut of_face {
        if *face == usize::MAX {
            *face = chart;
            chart += 1;
        }
    }
    of_face
}

fn merge_small(of_face: &mut [usize], normals: &[(Vec3, f32)], neighbours: &[Vec<usize>]) {
    let count = of_face.iter().max().map_or(0, |m| m + 1);
    let mut faces: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut sums = vec![Vec3::ZERO; count];
    for (f, c) in of_face.iter().enumerate() {
        faces[*c].push(f);
        sums[*c] += normals[f].0 * normals[f].1;
    }
    let mut small: Vec<usize> = (0..count).filter(|c| faces[*c].len() < SMALL).collect();
    small.sort_by_key(|c| (faces[*c].len(), *c));
    for chart in small {
        // Triangle by triangle to the neighbour that it faces best.
        let mut left = faces[chart].clone();
        while let Some(i) =
            left.iter().position(|f| neighbours[*f].iter().any(|n| of_face[*n] != chart))
        {
            let face = left.swap_remove(i);
            let facing = |c: usize| normals[face].0.dot(sums[c].normalize_or(Vec3::Z));
            let others = neighbours[face].iter().map(|n| of_face[*n]).filter(|c| *c != chart);
            let best = others.max_by(|a, b| facing(*a).total_cmp(&facing(*b)));
            match best {
                Some(c) if facing(c) > MERGE => {
                    of_face[face] = c;
                    sums[c] += normals[face].0 * normals[face].1;
                }
                _ => break,
            }
        }
    }
}

/// Lays triangles flat along their mean normal; those that would lie over others become further charts.
fn flatten(
    mesh: &Mesh,
    normals: &[(Vec3, f32)],
    faces: Vec<usize>,
    fine: &impl Fn(Vec3) -> f32,
    charts: &mut Vec<Chart>,
) {
    let mut rest = faces;
    while !rest.is_empty() {
        let normal = rest.iter().map(|f| normals[*f].0 * normals[*f].1).sum::<Vec3>();
        let normal = normal.normalize_or(normals[rest[0]].0);
        // What is left over may face all ways, and none the mean one.
        let any = rest.iter().any(|f| normals[*f].0.dot(normal) > 0.1);
        let normal = if any { normal } else { normals[rest[0]].0 };
        let (u, v) = normal.any_orthonormal_pair();
        let corners =
            |f: usize| [0, 1, 2].map(|k| mesh.positions[mesh.indices[f * 3 + k] as usize]);
        let middle = rest.iter().flat_map(|f| corners(*f)).sum::<Vec3>() / (rest.len() * 3) as f32;
        let density = fine(middle);
        let flat = |f: usize| {
            corners(f).map(|p| Vec2::new((p - middle).dot(u), (p - middle).dot(v)) * density)
        };
        let mut chart = Chart::default();
        let mut over = Vec::new();
        for f in rest {
            let triangle = flat(f);
            let area = (triangle[1] - triangle[0]).perp_dot(triangle[2] - triangle[0]);
            // One that faces away or lies over another has to wait for a chart of its own.
            if area > 0.0 && !chart.covers(&triangle) {
                chart.faces.push(f);
                chart.flat.push(triangle);
            } else {
                over.push(f);
            }
        }
        if chart.faces.is_empty() {
            // Without any area; it has to be somewhere.
            let f = over.remove(0);
            chart.faces.push(f);
            chart.flat.push(flat(f));
        }
        chart.settle();
        charts.push(chart);
        rest = over;
    }
}
