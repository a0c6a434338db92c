//! Simpler levels of a mesh that keep its atlas.
//!
//! The shape is simplified without regard to the seams of the atlas, which would hold it up: places, not vertices.
//! Then every triangle of the result looks for its middle on the original, takes the chart that is there, and its
//! corners take their places on that chart: exactly, if the chart reaches there, else at its nearest point.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::decimate::decimate;
use super::{Mesh, frame};

/// A mesh of at most `faces` triangles where that can be, on the atlas of the original.
#[must_use]
pub fn simpler(original: &Mesh, faces: usize, care: impl Fn(Vec3) -> f32) -> Mesh {
    let mut shape = places_only(original);
    decimate(&mut shape, faces, care);
    let charts = Charts::new(original);
    let of_place: HashMap<[u32; 3], u32> =
        original.positions.iter().zip(&charts.component).map(|(p, c)| (bits(*p), *c)).collect();
    let triangles: Vec<[usize; 3]> = shape.triangles().collect();
    let found: Vec<(u32, [Vec2; 3])> = triangles
        .par_iter()
        .map(|t| {
            let corners = t.map(|v| shape.positions[v]);
            let component = of_place.get(&bits(corners[0])).copied().unwrap_or(0);
            charts.lay(original, corners, component)
        })
        .collect();
    let mut out = Mesh::default();
    let mut seen: HashMap<(usize, u32, [u32; 2]), u32> = HashMap::new();
    for (t, (chart, uvs)) in triangles.iter().zip(found) {
        for (v, uv) in t.iter().zip(uvs) {
            let key = (*v, chart, uv.to_array().map(f32::to_bits));
            let new = *seen.entry(key).or_insert_with(|| {
                out.positions.push(shape.positions[*v]);
                out.joints.push(shape.joints[*v]);
                out.weights.push(shape.weights[*v]);
                out.uvs.push(uv);
                out.positions.len() as u32 - 1
            });
            out.indices.push(new);
        }
    }
    out.normals = frame::normals(&out);
    out.tangents = frame::tangents(&out);
    out
}

fn bits(p: Vec3) -> [u32; 3] {
    p.to_array().map(|v| (v + 0.0).to_bits())
}

/// One vertex per place; triangles without area go.
fn places_only(mesh: &Mesh) -> Mesh {
    let corners = mesh.corners();
    let count = corners.iter().max().map_or(0, |m| *m as usize + 1);
    let mut first = vec![usize::MAX; count];
    for (v, c) in corners.iter().enumerate() {
        first[*c as usize] = first[*c as usize].min(v);
    }
    let pick = |v: &usize| *v;
    let order: Vec<usize> = first.iter().map(pick).collect();
    let kept = mesh.triangles().map(|t| t.map(|v| corners[v]));
    let kept = kept.filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    Mesh {
        positions: order.iter().map(|v| mesh.positions[*v]).collect(),
        joints: order.iter().map(|v| mesh.joints[*v]).collect(),
        weights: order.iter().map(|v| mesh.weights[*v]).collect(),
        indices: kept.flatten().collect(),
        ..Default::default()
    }
}

/// Which triangles belong together, in the atlas and in space.
struct Charts {
    /// Chart of each triangle.
    chart: Vec<u32>,
    /// Connected piece of each vertex.
    component: Vec<u32>,
    /// Triangles of each piece.
    of_component: HashMap<u32, Vec<usize>>,
    of_chart: HashMap<u32, Vec<usize>>,
}

impl Charts {
    fn new(mesh: &Mesh) -> Self {
        let corners = mesh.corners();
        let triangles: Vec<[usize; 3]> = mesh.triangles().collect();
        let by_vertex = joined(mesh.positions.len(), &triangles);
        let places = corners.iter().max().map_or(0, |m| *m as usize + 1);
        let in_space: Vec<[usize; 3]> =
            triangles.iter().map(|t| t.map(|v| corners[v] as usize)).collect();
        let by_place = joined(places, &in_space);
        let chart: Vec<u32> = triangles.iter().map(|t| by_vertex[t[0]]).collect();
        let component = corners.iter().map(|c| by_place[*c as usize]).collect();
        let (mut of_component, mut of_chart) = (HashMap::new(), HashMap::new());
        for (f, t) in in_space.iter().enumerate() {
            of_component.entry(by_place[t[0]]).or_insert_with(Vec::new).push(f);
            of_chart.entry(chart[f]).or_insert_with(Vec::new).push(f);
        }
        Self { chart, component, of_component, of_chart }
    }

    /// The chart for a triangle in space, and where its corners are on it.
    fn lay(&self, mesh: &Mesh, corners: [Vec3; 3], component: u32) -> (u32, [Vec2; 3]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Z);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let none = Vec::new();
        let near = self.of_component.get(&component).unwrap_or(&none);
        let Some((face, _)) = nearest(mesh, near, middle, Some(normal)) else {
            return (0, [Vec2::ZERO; 3]);
        };
        let chart = self.chart[face];
        let own = self.of_chart.get(&chart).unwrap_or(&none);
        let uv = |p: Vec3| nearest(mesh, own, p, None).map_or(Vec2::ZERO, |(_, uv)| uv);
        (chart, corners.map(uv))
    }
}

/// The triangle nearest to a point, and the place in the atlas of its nearest point. Those that face away from
/// a normal count as farther.
fn nearest(mesh: &Mesh, faces: &[usize], p: Vec3, normal: Option<Vec3>) -> Option<(usize, Vec2)> {
    let mut best: Option<(f32, usize, [f32; 3])> = None;
    for &f in faces {
        let t = [0, 1, 2].map(|k| mesh.positions[mesh.indices[f * 3 + k] as usize]);
        let shares = closest(p, t);
        let q = t[0] * shares[0] + t[1] * shares[1] + t[2] * shares[2];
        let mut d = q.distance_squared(p);
        if let Some(n) = normal
            && (t[1] - t[0]).cross(t[2] - t[0]).dot(n) < 0.0
        {
            d = d * 4.0 + 1e-3;
        }
        if best.is_none_or(|(least, ..)| d < least) {
            best = Some((d, f, shares));
        }
    }
    best.map(|(_, f, shares)| {
        let uv = |k: usize| mesh.uvs[mesh.indices[f * 3 + k] as usize] * shares[k];
        (f, uv(0) + uv(1) + uv(2))
    })
}

/// Shares of the corners at the point of a triangle that is nearest to a point (Ericson, "Real-Time Collision
/// Detection", 5.1.5).
fn closest(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    [1.0 - v - w, v, w]
}

/// A number per node, the same for all that triangles join.
fn joined(nodes: usize, triangles: &[[usize; 3]]) -> Vec<u32> {
    fn root(above: &mut [usize], mut v: usize) -> usize {
        while above[v] != v {
            above[v] = above[above[v]];
            v = above[v];
        }
        v
    }
    let mut above: Vec<usize> = (0..nodes).collect();
    for t in triangles {
        for i in 1..3 {
            let (a, b) = (root(&mut above, t[0]), root(&mut above, t[i]));
            above[a.max(b)] = a.min(b);
        }
    }
    (0..nodes).map(|v| root(&mut above, v) as u32).collect()
}
