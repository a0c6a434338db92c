//! Modelling: bare forms (sphere, lathe, tube, slab, sheet) that are bent and then put on a mesh
//! with normals and colours.

use std::collections::HashMap;
use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, fractal};
use crate::{Mesh, Surface};

/// Triangles without a colour, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) points: Vec<Vec3>,
    pub(super) faces: Vec<[u32; 3]>,
}

impl Form {
    /// A unit sphere: an icosahedron, each face cut in four `levels` times (20, 80, 320, 1280 faces).
    pub(super) fn icosphere(levels: u32) -> Self {
        let g = (1.0 + 5.0_f32.sqrt()) * 0.5;
        let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z).normalize();
        let mut points = vec![
            corner(-1.0, g, 0.0),
            corner(1.0, g, 0.0),
            corner(-1.0, -g, 0.0),
            corner(1.0, -g, 0.0),
            corner(0.0, -1.0, g),
            corner(0.0, 1.0, g),
            corner(0.0, -1.0, -g),
            corner(0.0, 1.0, -g),
            corner(g, 0.0, -1.0),
            corner(g, 0.0, 1.0),
            corner(-g, 0.0, -1.0),
            corner(-g, 0.0, 1.0),
        ];
        let mut faces: Vec<[u32; 3]> = vec![
            [0, 11, 5],
            [0, 5, 1],
            [0, 1, 7],
            [0, 7, 10],
            [0, 10, 11],
            [1, 5, 9],
            [5, 11, 4],
            [11, 10, 2],
            [10, 7, 6],
            [7, 1, 8],
            [3, 9, 4],
            [3, 4, 2],
            [3, 2, 6],
            [3, 6, 8],
            [3, 8, 9],
            [4, 9, 5],
            [2, 4, 11],
            [6, 2, 10],
            [8, 6, 7],
            [9, 8, 1],
        ];
        for _ in 0..levels {
            let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
            let mut finer = Vec::with_capacity(faces.len() * 4);
            for [a, b, c] in faces {
                let mut middle = |a: u32, b: u32| {
                    *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                        points.push((points[a as usize] + points[b as usize]).normalize());
                        points.len() as u32 - 1
                    })
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
            }
            faces = finer;
        }
        Self { points, faces }
    }

    /// A profile of (radius, height) from below to above, turned about the vertical. Ends with a radius
    /// of 0 are closed.
    pub(super) fn lathe(profile: &[(f32, f32)], sides: usize) -> Self {
        let rings: Vec<Vec<Vec3>> = profile
            .iter()
            .map(|&(r, z)| {
                let ring = if r.abs() < 1e-6 { 1 } else { sides };
                let at = |i: usize| Vec2::from_angle(i as f32 / sides as f32 * TAU) * r;
                (0..ring).map(|i| at(i).extend(z)).collect()
            })
            .collect();
        Self::skin(&rings)
    }

    /// Rings of points, each one point or as many as the others, sewn together in order.
    pub(super) fn skin(rings: &[Vec<Vec3>]) -> Self {
        let mut form = Self::default();
        let mut below: Option<(u32, u32)> = None;
        for ring in rings {
            let start = form.points.len() as u32;
            form.points.extend(ring);
            let n = ring.len() as u32;
            if let Some((old, m)) = below {
                let sides = n.max(m);
                for i in 0..sides {
                    let j = (i + 1) % sides;
                    match (m, n) {
                        (1, 1) => {}
                        (1, _) => form.faces.push([old, start + j, start + i]),
                        (_, 1) => form.faces.push([old + i, old + j, start]),
                        _ => form.faces.extend([
                            [old + i, old + j, start + j],
                            [old + i, start + j, start + i],
                        ]),
                    }
                }
            }
            below = Some((start, n));
        }
        form
    }

    /// A tube along points with a radius at each; both ends closed by a point.
    pub(super) fn tube(path: &[(Vec3, f32)], sides: usize) -> Self {
        let n = path.len();
        let mut rings = Vec::with_capacity(n + 2);
        let mut side = Vec3::ZERO;
        for (i, &(p, r)) in path.iter().enumerate() {
            let along =
                (path[(i + 1).min(n - 1)].0 - path[i.saturating_sub(1)].0).normalize_or(Vec3::Z);
            // The frame is carried along without a twist.
            side = (side - along * side.dot(along)).normalize_or(along.any_orthonormal_vector());
            let other = along.cross(side);
            if i == 0 {
                rings.push(vec![p]);
            }
            let at = |k: usize| {
                let a = Vec2::from_angle(k as f32 / sides as f32 * TAU);
                p + (side * a.x + other * a.y) * r
            };
            rings.push((0..sides).map(at).collect());
            if i == n - 1 {
                rings.push(vec![p]);
            }
        }
        Self::skin(&rings)
    }

    /// A box with its edges cut off by `bevel`.
    pub(super) fn slab(half: Vec3, bevel: f32) -> Self {
        let bevel = bevel.min(half.min_element() * 0.45);
        // Three points per corner, one pulled to each face.
        let mut form = Self::default();
        let id = |corner: usize, axis: usize| (corner * 3 + axis) as u32;
        for corner in 0..8 {
            let sign = Vec3::new(
                if corner & 1 == 0 { -1.0 } else { 1.0 },
                if corner & 2 == 0 { -1.0 } else { 1.0 },
                if corner & 4 == 0 { -1.0 } else { 1.0 },
            );
            for axis in 0..3 {
                let mut p = sign * (half - bevel);
                p[axis] = sign[axis] * half[axis];
                form.points.push(p);
            }
        }
        let mut polygon = |ids: &[u32]| {
            for i in 1..ids.len() - 1 {
                let f = [ids[0], ids[i], ids[i + 1]];
                let p = f.map(|i| form.points[i as usize]);
                let out = (p[0] + p[1] + p[2]).dot((p[1] - p[0]).cross(p[2] - p[0]));
                form.faces.push(if out > 0.0 { f } else { [f[0], f[2], f[1]] });
            }
        };
        for axis in 0..3 {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            for side in [0, 1 << axis] {
                polygon(&[side, side | u, side | u | v, side | v].map(|c| id(c, axis)));
            }
            // Edges along this axis.
            for edge in [0, u, v, u | v] {
                let (a, b) = (edge, edge | 1 << axis);
                let (f, g) = ((axis + 1) % 3, (axis + 2) % 3);
                polygon(&[id(a, f), id(b, f), id(b, g), id(a, g)]);
            }
        }
        for corner in 0..8 {
            polygon(&[id(corner, 0), id(corner, 1), id(corner, 2)]);
        }
        form
    }

    /// A sheet of `n` × `m` quads over the unit square, as a function has it, with a thickness.
    pub(super) fn sheet(n: usize, m: usize, thick: f32, at: impl Fn(Vec2) -> Vec3) -> Self {
        let mut form = Self::default();
        let top = |i: usize, j: usize| (j * (n + 1) + i) as u32;
        let count = ((n + 1) * (m + 1)) as u32;
        let uv = |i: usize, j: usize| Vec2::new(i as f32 / n as f32, j as f32 / m as f32);
        let mut under = Vec::new();
        for j in 0..=m {
            for i in 0..=n {
                let q = uv(i, j);
                let e = 0.02;
                let p = at(q);
                let du = at(q + Vec2::X * e) - at(q - Vec2::X * e);
                let dv = at(q + Vec2::Y * e) - at(q - Vec2::Y * e);
                form.points.push(p);
                under.push(p - du.cross(dv).normalize_or(Vec3::Z) * thick);
            }
        }
        form.points.extend(under);
        for j in 0..m {
            for i in 0..n {
                let (a, b, c, d) = (top(i, j), top(i + 1, j), top(i + 1, j + 1), top(i, j + 1));
                form.faces.extend([[a, b, c], [a, c, d]]);
                form.faces.extend([[a, c, b], [a, d, c]].map(|f| f.map(|k| k + count)));
            }
        }
        let mut rim: Vec<u32> = (0..n).map(|i| top(i, 0)).collect();
        rim.extend((0..m).map(|j| top(n, j)));
        rim.extend((1..=n).rev().map(|i| top(i, m)));
        rim.extend((1..=m).rev().map(|j| top(0, j)));
        for i in 0..rim.len() {
            let (a, b) = (rim[i], rim[(i + 1) % rim.len()]);
            form.faces.extend([[a, a + count, b + count], [a, b + count, b]]);
        }
        form
    }

    /// Every point moved by a rule.
    pub(super) fn map(mut self, f: impl Fn(Vec3) -> Vec3) -> Self {
        for p in &mut self.points {
            *p = f(*p);
        }
        self
    }

    pub(super) fn moved(self, by: Vec3) -> Self {
        self.map(|p| p + by)
    }

    pub(super) fn scaled(self, by: Vec3) -> Self {
        self.map(|p| p * by)
    }

    pub(super) fn turned(self, by: Quat) -> Self {
        self.map(|p| by * p)
    }

    /// Points pushed in and out along the line from the middle, by noise of so many waves per metre.
    pub(super) fn rough(self, amount: f32, waves: f32, octaves: u32, seed: u32) -> Self {
        self.map(|p| {
            let out = p.normalize_or(Vec3::Z);
            p + out * amount * fractal(p * waves, octaves, seed)
        })
    }

    /// Planes at random shave it, as stone breaks, between two depths (shares of the radius).
    pub(super) fn shaved(self, planes: usize, depth: (f32, f32), chance: &mut Chance) -> Self {
        let cuts: Vec<(Vec3, f32)> = (0..planes)
            .map(|_| (chance.direction(), 1.0 - chance.between(depth.0, depth.1)))
            .collect();
        self.map(|p| cuts.iter().fold(p, |p, (n, d)| p - *n * (p.dot(*n) - d).max(0.0) * 0.97))
    }

    /// Volume within; positive where faces look outwards.
    #[cfg(test)]
    pub(super) fn volume(&self) -> f32 {
        let corner = |f: &[u32; 3]| f.map(|i| self.points[i as usize]);
        self.faces.iter().map(corner).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Puts it on a mesh. Faces that meet at less than `crease` (radians) are shaded as one; colours
    /// (sRGB, 0..1) by place and normal.
    pub(super) fn onto(
        &self,
        mesh: &mut Mesh,
        crease: f32,
        surface: Surface,
        paint: impl Fn(Vec3, Vec3) -> Vec3,
    ) {
        let corners = |f: &[u32; 3]| f.map(|i| self.points[i as usize]);
        let mut flat = Vec::with_capacity(self.faces.len());
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.points.len()];
        for (number, face) in self.faces.iter().enumerate() {
            let [a, b, c] = corners(face);
            flat.push((b - a).cross(c - a));
            for &i in face {
                around[i as usize].push(number as u32);
            }
        }
        let level = crease.cos();
        let mut made: HashMap<(u32, [i16; 3]), u32> = HashMap::new();
        for (number, face) in self.faces.iter().enumerate() {
            let own = flat[number].normalize_or_zero();
            if own == Vec3::ZERO {
                continue;
            }
            let ids = face.map(|i| {
                let near = around[i as usize].iter().map(|&f| flat[f as usize]);
                let sum: Vec3 =
                    near.filter(|n| n.normalize_or_zero().dot(own) >= level - 1e-4).sum();
                let normal = sum.normalize_or(own);
                let key = (normal * 1000.0).round().to_array().map(|v| v as i16);
                *made.entry((i, key)).or_insert_with(|| {
                    let p = self.points[i as usize];
                    mesh.vertex(p, normal, bytes(paint(p, normal)), surface)
                })
            });
            mesh.indices.extend(ids);
        }
    }
}

/// A colour of 0..1 as bytes.
pub(super) fn bytes(colour: Vec3) -> [u8; 3] {
    (colour.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|v| v as u8)
}

/// A colour from bytes in hexadecimal.
pub(super) fn hex(colour: u32) -> Vec3 {
    Vec3::new((colour >> 16 & 255) as f32, (colour >> 8 & 255) as f32, (colour & 255) as f32)
        / 255.0
}

/// A post, beam or plank from one point to another: square, `half` thick each way, edges cut.
pub(super) fn beam(from: Vec3, to: Vec3, half: Vec2, bevel: f32) -> Form {
    let along = to - from;
    let length = along.length().max(1e-4);
    let turn = Quat::from_rotation_arc(Vec3::Z, along / length);
    Form::slab(Vec3::new(half.x, half.y, length * 0.5), bevel).turned(turn).moved((from + to) * 0.5)
}
