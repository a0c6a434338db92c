//! What a froblin may have with it: pickaxe, sack of gold, mushroom, hat. Each hangs on a bone of its own, so
//! that a look or an action can take it away.

use glam::Vec3;

use super::shape::Shape;
use super::{Group, Paint, Part, Sculpture};
use crate::rig::bones::{HEAD_SCALE, PALM, bone, of_head};

pub(super) fn pieces() -> Vec<Sculpture> {
    let plain = |name, parts| Group { name, parts, layer: None, melt: 0.0 };
    let piece = |groups: Vec<Group>| {
        let bounds = Sculpture::bounds_of(&groups);
        Sculpture { groups, bounds }
    };
    vec![
        piece(vec![plain("pickaxe", pickaxe())]),
        piece(vec![plain("sack", sack()), plain("gold", gold())]),
        piece(vec![plain("mushroom", mushroom())]),
        piece(vec![plain("hat", hat())]),
    ]
}

/// Held across the right hand: the head before and above it.
fn pickaxe() -> Vec<Part> {
    let palm = Vec3::from(PALM.map_side(-1.0)) + Vec3::new(0.022, -0.004, -0.018);
    let back = palm - Vec3::X * 0.10;
    let front = palm + Vec3::X * 0.27;
    let limb = |a: Vec3, b: Vec3, r: [f32; 2], paint| {
        Part::limb(a.into(), b.into(), r, paint, bone::PICKAXE)
    };
    let head = front - Vec3::X * 0.02;
    vec![
        limb(back, front, [0.0135, 0.0125], Paint::Wood).melting(0.0),
        Part::new(
            Shape::Block(Vec3::new(0.024, 0.020, 0.030), 0.006),
            head,
            Paint::Metal,
            bone::PICKAXE,
        )
        .melting(0.0),
        // Two curved horns, each of two pieces.
        limb(
            head + Vec3::Z * 0.02,
            head + Vec3::new(-0.012, 0.0, 0.085),
            [0.018, 0.014],
            Paint::Metal,
        )
        .melting(0.008),
        limb(
            head + Vec3::new(-0.012, 0.0, 0.085),
            head + Vec3::new(-0.046, 0.0, 0.145),
            [0.014, 0.004],
            Paint::Metal,
        )
        .melting(0.008),
        limb(
            head - Vec3::Z * 0.02,
            head + Vec3::new(-0.012, 0.0, -0.085),
            [0.018, 0.014],
            Paint::Metal,
        )
        .melting(0.008),
        limb(
            head + Vec3::new(-0.012, 0.0, -0.085),
            head + Vec3::new(-0.046, 0.0, -0.145),
            [0.014, 0.004],
            Paint::Metal,
        )
        .melting(0.008),
    ]
}

/// On the back, tied at the neck.
fn sack() -> Vec<Part> {
    let ball = |at, radii| Part::ball(at, radii, Paint::Sack, bone::SACK);
    vec![
        ball([-0.235, 0.0, 0.535], [0.105, 0.140, 0.125]).melting(0.0),
        ball([-0.215, 0.02, 0.445], [0.105, 0.130, 0.085]).melting(0.05),
        Part::limb(
            [-0.215, 0.0, 0.62],
            [-0.195, 0.0, 0.685],
            [0.062, 0.038],
            Paint::Sack,
            bone::SACK,
        )
        .melting(0.05),
        Part::new(
            Shape::Ring(0.046, 0.011),
            Vec3::new(-0.196, 0.0, 0.682),
            Paint::Leather,
            bone::SACK,
        )
        .turned(0.0, 16.0, 0.0)
        .melting(0.004),
        Part::limb(
            [-0.195, 0.0, 0.685],
            [-0.180, 0.0, 0.728],
            [0.040, 0.066],
            Paint::Sack,
            bone::SACK,
        )
        .melting(0.012),
        Part::ball([-0.178, 0.0, 0.752], [0.056, 0.056, 0.030], Paint::Sack, bone::SACK)
            .melting(0.01)
            .carved(),
    ]
}

fn gold() -> Vec<Part> {
    let lump = |at: [f32; 3], r: f32| {
        Part::ball(at, [r, r * 1.15, r * 0.85], Paint::Gold, bone::SACK).melting(0.0)
    };
    vec![
        lump([-0.190, 0.018, 0.742], 0.028),
        lump([-0.168, -0.022, 0.744], 0.026),
        lump([-0.202, -0.020, 0.738], 0.024),
        lump([-0.178, 0.002, 0.760], 0.023),
    ]
}

/// In the left hand, the cap up.
fn mushroom() -> Vec<Part> {
    let palm = Vec3::from(PALM.map_side(1.0)) + Vec3::new(0.026, 0.004, -0.022);
    let at = |x: f32, z: f32| (palm + Vec3::new(x, 0.0, z)).to_array();
    vec![
        Part::limb(at(0.0, -0.060), at(0.004, 0.065), [0.024, 0.017], Paint::Stem, bone::MUSHROOM)
            .melting(0.0),
        Part::ball(at(0.004, 0.072), [0.068, 0.068, 0.052], Paint::Cap, bone::MUSHROOM)
            .melting(0.0),
        Part::ball(at(0.004, 0.040), [0.075, 0.075, 0.036], Paint::Stem, bone::MUSHROOM)
            .melting(0.01)
            .carved(),
        Part::limb(at(0.003, 0.040), at(0.004, 0.080), [0.018, 0.016], Paint::Stem, bone::MUSHROOM)
            .melting(0.008),
    ]
}

/// Pointed, with a brim, between the eyes and back; the tip hangs.
fn hat() -> Vec<Part> {
    let s = HEAD_SCALE;
    let limb = |a: [f32; 3], b: [f32; 3], r: [f32; 2]| {
        Part::limb(of_head(a), of_head(b), r.map(|r| r * s), Paint::Cloth, bone::HAT)
    };
    vec![
        limb([-0.040, 0.0, 0.825], [-0.075, 0.0, 0.915], [0.074, 0.046]).melting(0.0),
        limb([-0.075, 0.0, 0.915], [-0.130, 0.0, 0.975], [0.046, 0.024]).melting(0.02),
        limb([-0.130, 0.0, 0.975], [-0.195, 0.0, 0.965], [0.024, 0.010]).melting(0.02),
        Part::new(
            Shape::Ring(0.070 * s, 0.013 * s),
            of_head([-0.037, 0.0, 0.832]).into(),
            Paint::Patch,
            bone::HAT,
        )
        .turned(0.0, -21.0, 0.0)
        .melting(0.006),
    ]
}
