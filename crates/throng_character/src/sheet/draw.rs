//! A posed character with its maps under a sky and a sun; and as wires, as an atlas, by weights.

use glam::{Affine3A, Vec2, Vec3};

use super::raster::{Canvas, Eye, Picture};
use crate::character::Character;
use crate::mesh::Mesh;
use crate::sculpt::paint::srgb;

/// Samples of a pixel, per side.
const FINE: usize = 2;
const BACKGROUND: Vec3 = Vec3::new(0.062, 0.078, 0.098);

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Level of detail.
    pub level: usize,
    /// Which look.
    pub look: usize,
    /// From where.
    pub eye: Eye,
    /// Pixels along a side.
    pub size: usize,
}

/// Matrices of all joints at a time of a clip, exact, with what the look lacks folded away.
#[must_use]
pub fn posed(character: &Character, clip: usize, time: f32, look: usize) -> Vec<Affine3A> {
    let motion = &character.clips[clip];
    let pose = motion.pose(&character.skeleton, time);
    let places = character.skeleton.places(&pose);
    let mut matrices = character.skeleton.flatten(&pose);
    let missing = character.missing(&character.looks[look], motion);
    character.zones.fold(&mut matrices, &places, missing);
    matrices
}

/// Positions, normals and tangents of a mesh by matrices.
#[must_use]
pub fn skinned(mesh: &Mesh, matrices: &[Affine3A]) -> (Vec<Vec3>, Vec<Vec3>, Vec<Vec3>) {
    let mut out = (Vec::new(), Vec::new(), Vec::new());
    for v in 0..mesh.positions.len() {
        let (mut p, mut n, mut t) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for (joint, weight) in mesh.joints[v].into_iter().zip(mesh.weights[v]) {
            let m = &matrices[usize::from(joint)];
            p += m.transform_point3(mesh.positions[v]) * weight;
            n += m.transform_vector3(mesh.normals[v]) * weight;
            t += m.transform_vector3(mesh.tangents[v].truncate()) * weight;
        }
        out.0.push(p);
        out.1.push(n.normalize_or(Vec3::Z));
        out.2.push(t.normalize_or(Vec3::X));
    }
    out
}

/// Draws a character.
#[must_use]
pub fn draw(character: &Character, scene: &Scene, matrices: &[Affine3A]) -> Picture {
    let mesh = &character.levels[scene.level].mesh;
    let look = &character.looks[scene.look];
    let maps = &character.maps;
    let (points, normals, tangents) = skinned(mesh, matrices);
    let mut canvas = Canvas::new(scene.size * FINE, scene.size * FINE, BACKGROUND);
    let axes = scene.eye.axes();
    let key = axes.transpose() * Vec3::new(-0.55, 0.65, 0.55).normalize();
    let towards = axes.row(2);
    ground(&mut canvas, &scene.eye);
    let size = if look.size > 0.0 { look.size } else { 1.0 };
    for t in mesh.triangles() {
        let p = t.map(|v| canvas.project(&scene.eye, points[v] * size));
        canvas.triangle(p, |b| {
            let mix = |list: &[Vec3]| list[t[0]] * b[0] + list[t[1]] * b[1] + list[t[2]] * b[2];
            let uv = mesh.uvs[t[0]] * b[0] + mesh.uvs[t[1]] * b[1] + mesh.uvs[t[2]] * b[2];
            let texel = texel(uv, maps.width, maps.height);
            let [r, g, bl, skin] = maps.albedo[texel];
            let [nx, ny, cloth, open] = maps.normal[texel];
            let colour = srgb(u32::from(r), u32::from(g), u32::from(bl));
            let share = |v: u8| f32::from(v) / 255.0;
            let tinted = colour
                * Vec3::ONE.lerp(look.skin, share(skin))
                * Vec3::ONE.lerp(look.cloth, share(cloth));
            let n = mix(&normals).normalize_or(Vec3::Z);
            let along = mix(&tangents);
            let along = (along - n * n.dot(along)).normalize_or(n.any_orthonormal_vector());
            let across = n.cross(along) * mesh.tangents[t[0]].w;
            let [x, y] = [nx, ny].map(|v| (f32::from(v) - 128.0) / 127.0);
            let z = (1.0 - x * x - y * y).max(0.02).sqrt();
            let n = (along * x + across * y + n * z).normalize_or(Vec3::Z);
            let open = share(open);
            let sky = Vec3::new(0.34, 0.40, 0.50)
                .lerp(Vec3::new(0.16, 0.13, 0.09), 0.5 - 0.5 * n.z)
                * open;
            let sun = Vec3::new(1.30, 1.18, 1.0) * n.dot(key).max(0.0) * (0.4 + 0.6 * open);
            let rim = (1.0 - n.dot(towards).max(0.0)).powi(4) * 0.10 * open;
            let half = (key + towards).normalize();
            let shine = n.dot(half).max(0.0).powi(40) * 0.10 * open;
            tinted * (sky + sun) + rim + shine
        });
    }
    canvas.picture(FINE)
}

/// A disc of ground, so that one sees who stands and who floats.
fn ground(canvas: &mut Canvas, eye: &Eye) {
    let n = 40;
    let rim = |i: usize| {
        let angle = i as f32 / n as f32 * std::f32::consts::TAU;
        Vec3::new(angle.cos() * 0.42, angle.sin() * 0.42, -0.004)
    };
    for i in 0..n {
        let p = [Vec3::new(0.0, 0.0, -0.004), rim(i), rim(i + 1)].map(|p| canvas.project(eye, p));
        canvas.triangle(p, |b| Vec3::new(0.11, 0.13, 0.12).lerp(BACKGROUND, (1.0 - b[0]).powi(3)));
    }
}

fn texel(uv: Vec2, width: u32, height: u32) -> usize {
    let along = |v: f32, n: u32| ((v.rem_euclid(1.0) * n as f32) as u32).min(n - 1);
    (along(uv.y, height) * width + along(uv.x, width)) as usize
}

/// Draws the edges of a character over grey faces.
#[must_use]
pub fn wires(character: &Character, scene: &Scene, matrices: &[Affine3A]) -> Picture {
    let mesh = &character.levels[scene.level].mesh;
    let (points, ..) = skinned(mesh, matrices);
    let mut canvas = Canvas::new(scene.size * FINE, scene.size * FINE, BACKGROUND);
    for t in mesh.triangles() {
        let p = t.map(|v| canvas.project(&scene.eye, points[v]));
        let n =
            (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).normalize_or(Vec3::Z);
        let light = 0.30 + 0.12 * n.z + 0.14 * n.x;
        canvas.triangle(p, |_| Vec3::splat(light));
    }
    for t in mesh.triangles() {
        let p = t.map(|v| canvas.project(&scene.eye, points[v]));
        for i in 0..3 {
            canvas.line(p[i], p[(i + 1) % 3], Vec3::new(0.02, 0.03, 0.05), 0.004);
        }
    }
    canvas.picture(FINE)
}

/// Draws a mesh as it lies in the atlas.
#[must_use]
pub fn atlas(mesh: &Mesh, size: usize) -> Picture {
    let mut canvas = Canvas::new(size * FINE, size * FINE, BACKGROUND);
    let side = (size * FINE) as f32;
    for t in mesh.triangles() {
        let p = t.map(|v| (mesh.uvs[v] * side).extend(0.0));
        // The atlas has v down, and so is seen from behind.
        canvas.triangle([p[0], p[2], p[1]], |_| Vec3::new(0.22, 0.30, 0.18));
        for i in 0..3 {
            canvas.line(p[i], p[(i + 1) % 3], Vec3::new(0.75, 0.8, 0.7), 1.0);
        }
    }
    canvas.picture(FINE)
}

/// Draws which joints vertices follow, a colour each.
#[must_use]
pub fn weights(character: &Character, size: usize) -> Picture {
    let mesh = &character.levels[0].mesh;
    let eye = Eye { centre: Vec3::new(0.0, 0.0, 0.5), extent: 1.12, turn: 0.5, lift: 0.16 };
    let hue = |joint: u16| {
        let angle = f32::from(joint) * 2.399;
        Vec3::new(angle.cos(), (angle + 2.1).cos(), (angle + 4.2).cos()) * 0.4 + 0.45
    };
    let colour = |v: usize| -> Vec3 {
        mesh.joints[v].into_iter().zip(mesh.weights[v]).map(|(j, w)| hue(j) * w).sum()
    };
    let rest = character.skeleton.flatten(&character.skeleton.rest());
    let (points, normals, _) = skinned(mesh, &rest);
    let mut canvas = Canvas::new(size * FINE, size * FINE, BACKGROUND);
    for t in mesh.triangles() {
        let p = t.map(|v| canvas.project(&eye, points[v]));
        canvas.triangle(p, |b| {
            let mix = |f: &dyn Fn(usize) -> Vec3| f(t[0]) * b[0] + f(t[1]) * b[1] + f(t[2]) * b[2];
            mix(&colour) * (0.7 + 0.3 * mix(&|v| normals[v]).z)
        });
    }
    canvas.picture(FINE)
}
