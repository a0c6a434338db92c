//! Foliage: puffs with a broken outline, and leaves that stand out of them.

use glam::{Vec2, Vec3};

use super::chance::{Chance, fractal, smoothstep};
use super::shape::{Form, bytes};
use crate::{Mesh, Surface};

/// A round part of a crown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Puff {
    pub(super) centre: Vec3,
    pub(super) size: Vec3,
}

/// Colours of a crown: in its depth, in the light, and of some leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greens {
    pub(super) deep: Vec3,
    pub(super) light: Vec3,
    pub(super) accent: Vec3,
}

impl Greens {
    fn at(&self, p: Vec3, n: Vec3, seed: u32) -> Vec3 {
        let up = smoothstep(-0.9, 0.9, n.z + 0.35 * fractal(p * 1.6, 2, seed));
        let mottle = smoothstep(0.15, 0.7, fractal(p * 2.7, 2, seed ^ 77));
        self.deep.lerp(self.light, up).lerp(self.accent, mottle * 0.45)
    }
}

/// How finely a crown is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fine {
    /// Levels of the spheres.
    pub(super) levels: u32,
    /// Leaves on each puff.
    pub(super) leaves: usize,
    /// Length of a leaf (metres).
    pub(super) leaf: f32,
}

/// Where everything of a crown looks away from, so that it is lit as one.
fn outward(p: Vec3, puff: &Puff, middle: Vec3) -> Vec3 {
    let own = ((p - puff.centre) / puff.size).normalize_or(Vec3::Z);
    let whole = (p - middle).normalize_or(Vec3::Z);
    (own * 0.75 + whole * 0.45 + Vec3::Z * 0.08).normalize_or(Vec3::Z)
}

/// Puts a crown on a mesh.
pub(super) fn crown(
    mesh: &mut Mesh,
    puffs: &[Puff],
    greens: Greens,
    fine: Fine,
    chance: &mut Chance,
) {
    let middle = puffs.iter().map(|p| p.centre).sum::<Vec3>() / puffs.len().max(1) as f32;
    for puff in puffs {
        let seed = chance.bits();
        let girth = puff.size.max_element();
        let form = Form::icosphere(fine.levels)
            .scaled(puff.size * 0.94)
            .rough(girth * 0.30, 1.9 / girth, 2, seed)
            .moved(puff.centre);
        let first = mesh.positions.len();
        form.onto(mesh, 3.2, Surface::Foliage, |p, n| greens.at(p, n, seed) * 0.86);
        for i in first..mesh.positions.len() {
            let bent = outward(mesh.positions[i], puff, middle);
            mesh.normals[i] = (mesh.normals[i] * 0.5 + bent).normalize_or(bent);
        }
        for _ in 0..fine.leaves {
            let out = chance.direction();
            if out.z < -0.55 {
                continue;
            }
            let lump = 1.0 + 0.3 * fractal(out * puff.size * 0.94 * 1.9 / girth, 2, seed);
            let p = puff.centre + out * puff.size * 0.94 * lump;
            // A leaf that would lie within another puff is not seen.
            let hidden = puffs.iter().any(|q| {
                q.centre != puff.centre && ((p - q.centre) / q.size).length_squared() < 0.7
            });
            if !hidden {
                let normal = outward(p, puff, middle);
                let colour = greens.at(p, normal, seed) * chance.between(0.82, 1.12);
                tuft(mesh, p, out, normal, fine.leaf * chance.between(0.7, 1.25), colour, chance);
            }
        }
    }
}

/// A leaf, or what stands for a handful: a kite, folded along its middle.
fn tuft(
    mesh: &mut Mesh,
    at: Vec3,
    out: Vec3,
    normal: Vec3,
    length: f32,
    colour: Vec3,
    chance: &mut Chance,
) {
    let along = (out * 0.75 + chance.direction() * 0.9 - Vec3::Z * 0.1).normalize_or(out);
    let side = along.cross(chance.direction()).normalize_or(along.any_orthonormal_vector());
    let width = length * 0.36;
    let fold = out * length * 0.1;
    let (root, tip) = (at - along * length * 0.35, at + along * length * 0.65);
    let (left, right) = (at + side * width + fold, at - side * width + fold);
    let v = [root, left, tip, right].map(|p| {
        let lit = if p == tip { 1.08 } else { 1.0 };
        mesh.vertex(p, normal, bytes(colour * lit), Surface::Foliage)
    });
    // The side that looks out is the front.
    let front = (left - root).cross(tip - root).dot(normal) > 0.0;
    let faces = if front {
        [v[0], v[1], v[2], v[0], v[2], v[3]]
    } else {
        [v[0], v[2], v[1], v[0], v[3], v[2]]
    };
    mesh.indices.extend(faces);
}

/// A blade of grass or a stalk's leaf: bent, ending in a point.
pub(super) fn blade(
    mesh: &mut Mesh,
    root: Vec3,
    lean: Vec2,
    height: f32,
    width: f32,
    colour: [Vec3; 2],
    surface: Surface,
) {
    let side = Vec2::new(-lean.y, lean.x).normalize_or(Vec2::X).extend(0.0) * width * 0.5;
    let middle = root + (lean * 0.35).extend(height * 0.6);
    let tip = root + lean.extend(height);
    let normal = (Vec3::Z + lean.extend(0.0).normalize_or(Vec3::X) * 0.35).normalize();
    let half = colour[0].lerp(colour[1], 0.6);
    let mut v = |p: Vec3, c: Vec3| mesh.vertex(p, normal, bytes(c), surface);
    let ids = [
        v(root - side, colour[0]),
        v(root + side, colour[0]),
        v(middle + side * 0.8, half),
        v(middle - side * 0.8, half),
        v(tip, colour[1]),
    ];
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [3, 2, 4]] {
        let p = [a, b, c].map(|k| mesh.positions[ids[k] as usize]);
        let front = (p[1] - p[0]).cross(p[2] - p[0]).dot(normal) >= 0.0;
        let face = if front { [a, b, c] } else { [a, c, b] };
        mesh.indices.extend(face.map(|k| ids[k]));
    }
}
