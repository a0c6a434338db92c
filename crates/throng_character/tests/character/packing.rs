//! If these fail, a packed vertex is farther from the true one than the layout allows.

use glam::{Vec2, Vec3, Vec4};
use throng_character::{PackedVertex, PositionBox, Vertex};

use super::Dice;

/// Angle in degrees, exact for small ones too.
fn degrees(a: Vec3, b: Vec3) -> f64 {
    let (a, b) = (a.as_dvec3().normalize(), b.as_dvec3().normalize());
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

fn direction(dice: &mut Dice) -> Vec3 {
    loop {
        let v =
            Vec3::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        if v.length() > 0.1 && v.length() < 1.0 {
            return v.normalize();
        }
    }
}

/// Poles, axes, and both sides of where angles wrap.
fn special() -> Vec<Vec3> {
    let mut list = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    for tiny in [1e-7, -1e-7, 1e-3, -1e-3, 0.012, -0.012] {
        list.extend([
            Vec3::new(-1.0, tiny, 0.0),
            Vec3::new(1.0, tiny, 0.0),
            Vec3::new(tiny, 0.0, 1.0),
            Vec3::new(0.0, tiny, -1.0),
        ]);
        list.extend([Vec3::new(-0.3, tiny, 0.9), Vec3::new(0.6, tiny, -0.7)]);
    }
    list.iter().map(|v| v.normalize()).collect()
}

#[test]
fn a_million_vertices_survive_the_round_trip() {
    let mut dice = Dice(7);
    let within = PositionBox::new(Vec3::new(-0.6, -0.7, -0.05), Vec3::new(0.7, 0.7, 1.3));
    let special = special();
    let mut worst = [0.0_f64; 4];
    for i in 0..1_000_000 {
        let share = |dice: &mut Dice| match i % 97 {
            0 => 0.0,
            1 => 1.0,
            _ => dice.roll(),
        };
        let normal = if i % 5 == 0 { special[i / 5 % special.len()] } else { direction(&mut dice) };
        let tangent =
            if i % 7 == 0 { special[i / 7 % special.len()] } else { direction(&mut dice) };
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let p = Vec3::new(share(&mut dice), share(&mut dice), share(&mut dice));
        let vertex = Vertex {
            position: within.low + within.size * p,
            normal,
            tangent: tangent.extend(side),
            uv: Vec2::new(share(&mut dice), share(&mut dice)),
        };
        let back = PackedVertex::pack(&vertex, &within).unpack(&within);
        let off = (back.position - vertex.position).abs() / within.half_step();
        let measured = [
            f64::from(off.max_element()),
            degrees(back.normal, normal),
            degrees(back.tangent.truncate(), tangent),
            f64::from((back.uv - vertex.uv).abs().max_element()),
        ];
        assert_eq!(back.tangent.w, side, "the side of the binormal at {vertex:?}");
        worst = std::array::from_fn(|k| worst[k].max(measured[k]));
    }
    println!(
        "worst: position {:.4} half steps, normal {:.4}°, tangent {:.4}°, uv {:.3e}",
        worst[0], worst[1], worst[2], worst[3]
    );
    // A float at 1 has steps of 6e-8, a thousandth of the box's half step.
    assert!(worst[0] <= 1.02, "position off by {} half steps", worst[0]);
    assert!(worst[1] <= 0.2, "normal off by {}°", worst[1]);
    assert!(worst[2] <= 1.5, "tangent off by {}°", worst[2]);
    assert!(worst[3] <= 2.0_f64.powi(-16), "uv off by {}", worst[3]);
}

#[test]
fn nonsense_packs_to_something_finite() {
    let within = PositionBox::new(Vec3::ZERO, Vec3::ZERO);
    let bad = Vertex {
        position: Vec3::NAN,
        normal: Vec3::ZERO,
        tangent: Vec4::ZERO,
        uv: Vec2::splat(f32::INFINITY),
    };
    let back = PackedVertex::pack(&bad, &within).unpack(&within);
    assert!(back.position.is_finite() && back.normal.is_normalized() && back.uv.is_finite());
    assert!((back.tangent.truncate().length() - 1.0).abs() < 1e-5);
    assert_eq!(size_of::<PackedVertex>(), 16);
}
