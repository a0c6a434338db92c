//! Stand-ins: people made of turned shapes, in four levels of detail, two of which are the same.

use glam::{Quat, Vec2, Vec3};

use super::body::{BodyMesh, BodyMeshes, BodyVertex, Paint, Part};

/// How finely a class is turned: sides around a trunk, around a limb, and rings along a shape.
#[derive(Clone, Copy)]
struct Fineness {
    trunk: u32,
    limb: u32,
    every_ring: bool,
}

pub(super) fn meshes() -> BodyMeshes {
    let middle = whole(Fineness { trunk: 6, limb: 4, every_ring: false });
    let near = whole(Fineness { trunk: 12, limb: 8, every_ring: true });
    BodyMeshes([near, middle.clone(), middle, speck()])
}

/// A turned shape along a line: stations of height along it (0..1) and radius.
struct Turned<'a> {
    from: Vec3,
    to: Vec3,
    stations: &'a [(f32, f32, Paint)],
    /// Stretches the section across: along x and y of the body.
    section: Vec2,
    sides: u32,
    part: Part,
}

impl BodyMesh {
    fn turned(&mut self, shape: &Turned<'_>) {
        let axis = shape.to - shape.from;
        let turn = Quat::from_rotation_arc(Vec3::Z, axis.normalize());
        let first = self.vertices.len() as u32;
        let n = shape.stations.len();
        for (i, &(along, radius, paint)) in shape.stations.iter().enumerate() {
            // The slope of the outline tilts the normal.
            let (a, b) = (shape.stations[i.saturating_sub(1)], shape.stations[(i + 1).min(n - 1)]);
            let rise = (b.0 - a.0) * axis.length();
            let outline = Vec2::new(rise, -(b.1 - a.1)).normalize_or(Vec2::X);
            for side in 0..shape.sides {
                let angle = side as f32 / shape.sides as f32 * std::f32::consts::TAU;
                let out = Vec2::from_angle(angle);
                let ring = (out * shape.section * radius).extend(0.0);
                let normal = (out / shape.section * outline.x).extend(outline.y);
                let centre = shape.from + axis * along;
                let (position, normal) = (centre + turn * ring, turn * normal);
                self.vertices.push(BodyVertex::new(position, normal, shape.part, paint));
            }
        }
        for ring in 0..n as u32 - 1 {
            for side in 0..shape.sides {
                let next = (side + 1) % shape.sides;
                let at = |r: u32, s: u32| first + r * shape.sides + s;
                let quad = [at(ring, side), at(ring, next), at(ring + 1, next), at(ring + 1, side)];
                // A ring of no radius is a point: one of the two triangles is nothing.
                if shape.stations[ring as usize].1 > 0.0 {
                    self.indices.extend([quad[0], quad[1], quad[2]]);
                }
                if shape.stations[ring as usize + 1].1 > 0.0 {
                    self.indices.extend([quad[0], quad[2], quad[3]]);
                }
            }
        }
    }
}

/// Leaves out every other inner station unless all are wanted.
fn rings(stations: &[(f32, f32, Paint)], all: bool) -> Vec<(f32, f32, Paint)> {
    let last = stations.len() - 1;
    let kept = |i: usize| all || i == 0 || i == last || i.is_multiple_of(2);
    stations.iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, s)| *s).collect()
}

fn whole(fine: Fineness) -> BodyMesh {
    use Paint::{Cloth, Hair, Load, Skin, Trousers};
    let mut body = BodyMesh::default();
    let all = fine.every_ring;
    let trunk = [
        (0.0, 0.0, Trousers),
        (0.01, 0.062, Trousers),
        (0.14, 0.074, Trousers),
        (0.16, 0.073, Cloth),
        (0.45, 0.070, Cloth),
        (0.62, 0.080, Cloth),
        (0.86, 0.092, Cloth),
        (0.95, 0.070, Cloth),
        (1.0, 0.030, Cloth),
        (1.03, 0.0, Cloth),
    ];
    body.turned(&Turned {
        from: Vec3::new(0.0, 0.0, 0.46),
        to: Vec3::new(0.0, 0.0, 0.83),
        stations: &rings(&trunk, all),
        section: Vec2::new(0.78, 1.28),
        sides: fine.trunk,
        part: Part::Trunk,
    });
    let head = [
        (0.0, 0.0, Skin),
        (0.04, 0.030, Skin),
        (0.16, 0.040, Skin),
        (0.34, 0.060, Skin),
        (0.52, 0.070, Skin),
        (0.60, 0.072, Skin),
        (0.66, 0.074, Hair),
        (0.84, 0.060, Hair),
        (0.95, 0.034, Hair),
        (1.0, 0.0, Hair),
    ];
    body.turned(&Turned {
        from: Vec3::new(0.005, 0.0, 0.815),
        to: Vec3::new(0.012, 0.0, 1.0),
        stations: &rings(&head, all),
        section: Vec2::new(1.05, 0.9),
        sides: fine.trunk,
        part: Part::Head,
    });
    body.turned(&Turned {
        from: Vec3::new(0.05, 0.0, 0.905),
        to: Vec3::new(0.105, 0.0, 0.895),
        stations: &[(0.0, 0.022, Skin), (0.7, 0.016, Skin), (1.0, 0.0, Skin)],
        section: Vec2::ONE,
        sides: fine.limb.min(5),
        part: Part::Head,
    });
    for (side, leg, arm) in
        [(1.0, Part::LeftLeg, Part::LeftArm), (-1.0, Part::RightLeg, Part::RightArm)]
    {
        limbs(&mut body, fine, side, leg, arm);
    }
    let lump = [(0.0, 0.0, Load), (0.2, 0.045, Load), (0.6, 0.055, Load), (1.0, 0.0, Load)];
    body.turned(&Turned {
        from: Vec3::new(0.125, 0.0, 0.60),
        to: Vec3::new(0.135, 0.0, 0.71),
        stations: &lump,
        section: Vec2::new(1.0, 1.3),
        sides: fine.limb.max(5),
        part: Part::Load,
    });
    body
}

fn limbs(body: &mut BodyMesh, fine: Fineness, side: f32, leg: Part, arm: Part) {
    use Paint::{Cloth, Shoes, Skin, Trousers};
    let all = fine.every_ring;
    let stations = [
        (0.0, 0.0, Trousers),
        (0.04, 0.048, Trousers),
        (0.30, 0.046, Trousers),
        (0.48, 0.036, Trousers),
        (0.55, 0.036, Trousers),
        (0.70, 0.036, Trousers),
        (0.93, 0.027, Trousers),
        (0.94, 0.029, Shoes),
        (1.0, 0.0, Shoes),
    ];
    body.turned(&Turned {
        from: Vec3::new(0.0, 0.052 * side, 0.50),
        to: Vec3::new(-0.005, 0.052 * side, 0.01),
        stations: &rings(&stations, all),
        section: Vec2::ONE,
        sides: fine.limb,
        part: leg,
    });
    let foot = [
        (0.0, 0.0, Shoes),
        (0.08, 0.026, Shoes),
        (0.5, 0.030, Shoes),
        (0.85, 0.026, Shoes),
        (1.0, 0.0, Shoes),
    ];
    body.turned(&Turned {
        from: Vec3::new(-0.045, 0.052 * side, 0.024),
        to: Vec3::new(0.10, 0.058 * side, 0.018),
        stations: &rings(&foot, all),
        section: Vec2::new(0.8, 1.0),
        sides: fine.limb.max(5),
        part: leg,
    });
    let stations = [
        (0.0, 0.0, Cloth),
        (0.05, 0.034, Cloth),
        (0.30, 0.032, Cloth),
        (0.52, 0.028, Cloth),
        (0.55, 0.024, Skin),
        (0.86, 0.019, Skin),
        (0.92, 0.024, Skin),
        (1.0, 0.0, Skin),
    ];
    body.turned(&Turned {
        from: Vec3::new(0.0, 0.118 * side, 0.805),
        to: Vec3::new(0.02, 0.140 * side, 0.43),
        stations: &rings(&stations, all),
        section: Vec2::ONE,
        sides: fine.limb,
        part: arm,
    });
}

/// One turned shape for those who are a few pixels high.
fn speck() -> BodyMesh {
    use Paint::{Cloth, Hair, Skin, Trousers};
    let mut body = BodyMesh::default();
    body.turned(&Turned {
        from: Vec3::ZERO,
        to: Vec3::Z,
        stations: &[
            (0.0, 0.055, Trousers),
            (0.50, 0.085, Trousers),
            (0.52, 0.088, Cloth),
            (0.80, 0.115, Cloth),
            (0.84, 0.045, Skin),
            (0.92, 0.070, Hair),
            (1.0, 0.0, Hair),
        ],
        section: Vec2::new(0.85, 1.15),
        sides: 5,
        part: Part::Trunk,
    });
    body
}

#[cfg(test)]
mod tests {
    use super::super::BodyMeshes;
    use glam::Vec3;

    /// If this fails, bodies have holes to look into, stand in the ground or reach out of the sphere
    /// that they are culled by.
    #[test]
    fn bodies_are_sound_and_stay_in_their_sphere() {
        let meshes = BodyMeshes::stand_ins();
        meshes.check().unwrap();
        let [near, middle, _, far] = meshes.triangles();
        assert!(
            near > 600 && near < 1500 && middle < near / 2 && far < middle / 3,
            "{near} {middle} {far}"
        );
        for mesh in &meshes.0 {
            let mut volume = 0.0;
            for t in mesh.indices.chunks_exact(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|i| Vec3::from(mesh.vertices[t[i] as usize].position));
                volume += a.dot(b.cross(c)) / 6.0;
            }
            assert!(volume > 0.006 && volume < 0.06, "turned inside out: {volume}");
            for v in &mesh.vertices {
                let p = Vec3::from(v.position);
                assert!(p.z >= -0.02 && p.z <= 1.001, "{p}");
                assert!(p.distance(Vec3::Z * 0.5) < 0.6, "{p}");
            }
        }
    }
}
