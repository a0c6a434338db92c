//! The ghost: a hooded sheet of mist with hollow eyes, two trailing arms and a tail, that floats.

use glam::Vec3;

use super::{Group, Paint, Part, Sculpture};

/// The ghost's bones.
#[allow(missing_docs, reason = "the names say it")]
#[rustfmt::skip]
pub mod bone {
    pub const ROOT: u16 = 0; pub const BODY: u16 = 1; pub const CHEST: u16 = 2; pub const HEAD: u16 = 3;
    pub const ARM: [u16; 2] = [4, 6]; pub const HAND: [u16; 2] = [5, 7]; pub const TAIL: [u16; 4] = [8, 9, 10, 11];
    pub const JAW: u16 = 12;
}

/// The ghost, in one piece.
#[must_use]
pub fn pieces() -> Vec<Sculpture> {
    use Paint::{Sheet, SheetDark};
    let ball = |at, radii, bone| Part::ball(at, radii, Sheet, bone).melting(0.08);
    let limb = |a, b, r, bone| Part::limb(a, b, r, Sheet, bone).melting(0.06);
    let arm = bone::ARM;
    let hand = bone::HAND;
    let mut parts = vec![
        ball([0.0, 0.0, 0.80], [0.150, 0.150, 0.165], bone::HEAD),
        limb([0.0, 0.0, 0.72], [-0.01, 0.0, 0.56], [0.125, 0.165], bone::CHEST),
        limb([-0.01, 0.0, 0.56], [-0.03, 0.0, 0.42], [0.165, 0.150], bone::BODY),
        limb([-0.03, 0.0, 0.42], [-0.09, 0.0, 0.30], [0.150, 0.110], bone::TAIL[0]),
        limb([-0.09, 0.0, 0.30], [-0.17, 0.0, 0.20], [0.110, 0.072], bone::TAIL[1]),
        limb([-0.17, 0.0, 0.20], [-0.27, 0.0, 0.125], [0.072, 0.040], bone::TAIL[2]),
        limb([-0.27, 0.0, 0.125], [-0.38, 0.0, 0.10], [0.040, 0.010], bone::TAIL[3]),
        limb([0.02, 0.12, 0.64], [0.10, 0.24, 0.60], [0.062, 0.046], 0).both(arm[0], arm[1]),
        limb([0.10, 0.24, 0.60], [0.21, 0.29, 0.62], [0.046, 0.050], 0).both(hand[0], hand[1]),
        // A torn sleeve, and three fingers.
        limb([0.20, 0.285, 0.60], [0.19, 0.31, 0.50], [0.038, 0.010], 0).both(hand[0], hand[1]),
    ];
    for y in [-0.05, 0.0, 0.05] {
        let finger = Part::limb(
            [0.22, 0.29 + y * 0.6, 0.625],
            [0.31, 0.30 + y, 0.585],
            [0.022, 0.008],
            Sheet,
            0,
        );
        parts.push(finger.both(hand[0], hand[1]).melting(0.02));
    }
    let hollow = |at, radii, bone| Part::ball(at, radii, SheetDark, bone).carved().melting(0.02);
    parts.extend([
        hollow([0.138, 0.056, 0.825], [0.055, 0.034, 0.048], 0)
            .both(bone::HEAD, bone::HEAD)
            .turned(18.0, 0.0, 0.0),
        hollow([0.135, 0.0, 0.705], [0.060, 0.050, 0.034], bone::JAW),
    ]);
    let groups = vec![Group { name: "sheet", parts, layer: None, melt: 0.0 }];
    let bounds = [Vec3::new(-0.46, -0.44, 0.02), Vec3::new(0.40, 0.44, 1.02)];
    vec![Sculpture { groups, bounds }]
}
