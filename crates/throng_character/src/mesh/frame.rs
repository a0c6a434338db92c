//! Normals and tangents for meshes that have none.

use glam::{Vec2, Vec3, Vec4};

use super::Mesh;

/// Smooth normals: the mean over the triangles around a place, by their angle there. Vertices that share a
/// place share the normal, so that a seam of the atlas is not seen.
#[must_use]
pub fn normals(mesh: &Mesh) -> Vec<Vec3> {
    let corners = mesh.corners();
    let places = corners.iter().max().map_or(0, |m| *m as usize + 1);
    let mut sums = vec![Vec3::ZERO; places];
    for t in mesh.triangles() {
        let p = t.map(|i| mesh.positions[i]);
        let face = (p[1] - p[0]).cross(p[2] - p[0]).normalize_or_zero();
        for i in 0..3 {
            let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            let angle = a.normalize_or_zero().dot(b.normalize_or_zero()).clamp(-1.0, 1.0).acos();
            sums[corners[t[i]] as usize] += face * angle;
        }
    }
    corners.iter().map(|c| sums[*c as usize].normalize_or(Vec3::Z)).collect()
}

/// Tangents along u from the atlas, square to the normals: per vertex the mean over its triangles by angle,
/// as MikkTSpace weighs them. A vertex whose triangles are mirrored against each other must have been split;
/// triangles without area in the atlas have no say.
#[must_use]
pub fn tangents(mesh: &Mesh) -> Vec<Vec4> {
    let mut along = vec![Vec3::ZERO; mesh.positions.len()];
    let mut side = vec![0.0_f32; mesh.positions.len()];
    for t in mesh.triangles() {
        let p = t.map(|i| mesh.positions[i]);
        let uv = t.map(|i| mesh.uvs[i]);
        let Some((tangent, sign)) = of_triangle(p, uv) else { continue };
        for i in 0..3 {
            let n = mesh.normals[t[i]];
            let flat = |v: Vec3| (v - n * n.dot(v)).normalize_or_zero();
            let (a, b) = (flat(p[(i + 1) % 3] - p[i]), flat(p[(i + 2) % 3] - p[i]));
            let angle = a.dot(b).clamp(-1.0, 1.0).acos();
            along[t[i]] += flat(tangent) * angle;
            side[t[i]] += sign * angle;
        }
    }
    let finish = |((t, n), s): ((&Vec3, &Vec3), &f32)| {
        let t = (*t - *n * n.dot(*t)).normalize_or(n.any_orthonormal_vector());
        t.extend(if *s < 0.0 { -1.0 } else { 1.0 })
    };
    along.iter().zip(&mesh.normals).zip(&side).map(finish).collect()
}

/// Direction of u in space, and whether the atlas is mirrored there.
fn of_triangle(p: [Vec3; 3], uv: [Vec2; 3]) -> Option<(Vec3, f32)> {
    let (e1, e2) = (p[1] - p[0], p[2] - p[0]);
    let (d1, d2) = (uv[1] - uv[0], uv[2] - uv[0]);
    let area = d1.perp_dot(d2);
    if area.abs() < 1e-12 {
        return None;
    }
    let tangent = (e1 * d2.y - e2 * d1.y) / area;
    Some((tangent.normalize_or_zero(), area.signum()))
}
