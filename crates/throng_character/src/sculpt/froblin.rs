//! The froblin: half frog, half goblin. Round belly, wide smile, eyes on top, ears that say what it feels,
//! thin arms with big hands, short legs with bigger feet; a tunic with a belt.

use glam::Vec3;

use super::props;
use super::{Group, Layer, Paint, Part, Sculpture};
use crate::rig::bones::{ARM, HEAD_SCALE, LEG, bone, of_head};

/// The froblin, then each thing that it may wear and carry as a piece of its own.
#[must_use]
pub fn pieces() -> Vec<Sculpture> {
    let mut body = trunk();
    body.extend(legs());
    body.extend(arms());
    body.extend(head());
    let plain = |name, parts, melt| Group { name, parts, layer: None, melt };
    let groups = vec![
        plain("body", body, 0.0),
        plain("eyes", eyes(), 0.0),
        plain("teeth", teeth(), 0.004),
        plain("claws", claws(), 0.004),
        tunic(),
        belt(),
        plain("buckle", buckle(), 0.002),
    ];
    let bounds = [Vec3::new(-0.23, -0.55, -0.03), Vec3::new(0.27, 0.55, 1.02)];
    let mut pieces = vec![Sculpture { groups, bounds }];
    pieces.extend(props::pieces());
    pieces
}

fn trunk() -> Vec<Part> {
    use Paint::{Belly, Skin};
    vec![
        Part::ball([-0.012, 0.0, 0.415], [0.112, 0.132, 0.095], Skin, bone::HIPS),
        Part::ball([0.030, 0.0, 0.470], [0.128, 0.145, 0.110], Skin, bone::BELLY).melting(0.06),
        Part::ball([0.062, 0.0, 0.465], [0.115, 0.118, 0.118], Belly, bone::BELLY).melting(0.03),
        Part::ball([-0.012, 0.0, 0.500], [0.105, 0.130, 0.080], Skin, bone::SPINE).melting(0.05),
        Part::ball([-0.008, 0.0, 0.570], [0.092, 0.128, 0.078], Skin, bone::CHEST).melting(0.05),
        Part::ball([-0.004, 0.0, 0.630], [0.082, 0.098, 0.055], Skin, bone::NECK).melting(0.05),
        Part::ball([0.050, 0.0, 0.600], [0.070, 0.095, 0.060], Belly, bone::CHEST).melting(0.05),
    ]
}

fn head() -> Vec<Part> {
    use Paint::{Belly, Lip, Mouth, Skin, SkinDark};
    let s = HEAD_SCALE;
    let ball = |at: [f32; 3], radii: [f32; 3], paint, bone| {
        Part::ball(of_head(at), radii.map(|r| r * s), paint, bone)
    };
    let limb = |a: [f32; 3], b: [f32; 3], r: [f32; 2], paint, bone| {
        Part::limb(of_head(a), of_head(b), r.map(|r| r * s), paint, bone)
    };
    let nape = [-0.045, 0.0, 0.71];
    vec![
        ball([0.015, 0.0, 0.748], [0.138, 0.178, 0.092], Skin, bone::HEAD).melting(0.05),
        ball(nape, [0.090, 0.120, 0.085], Skin, bone::HEAD).melting(0.05),
        ball([0.092, 0.0, 0.728], [0.092, 0.150, 0.056], Skin, bone::HEAD).melting(0.05),
        ball([0.080, 0.0, 0.672], [0.098, 0.150, 0.044], Belly, bone::JAW).melting(0.035),
        // The rim of the mouth, then the mouth cut into it: a smile that reaches round the face.
        ball([0.086, 0.0, 0.694], [0.106, 0.160, 0.018], Lip, bone::JAW)
            .bent(1.5 / s)
            .melting(0.02),
        ball([0.088, 0.0, 0.709], [0.104, 0.158, 0.014], Skin, bone::HEAD)
            .bent(1.5 / s)
            .melting(0.02),
        ball([0.125, 0.0, 0.701], [0.098, 0.160, 0.0055], Mouth, bone::HEAD)
            .bent(1.5 / s)
            .melting(0.006)
            .carved(),
        // Cheeks at the corners.
        ball([0.050, 0.142, 0.712], [0.045, 0.036, 0.042], Skin, bone::HEAD)
            .both(bone::HEAD, bone::HEAD)
            .melting(0.04),
        // Nostrils on a small snout.
        ball([0.168, 0.026, 0.752], [0.022, 0.018, 0.014], Skin, bone::HEAD)
            .both(bone::HEAD, bone::HEAD)
            .melting(0.025),
        ball([0.190, 0.028, 0.756], [0.012, 0.008, 0.006], Mouth, bone::HEAD)
            .both(bone::HEAD, bone::HEAD)
            .melting(0.008)
            .carved(),
        // Lids: a ball behind each eye that covers its upper half.
        ball([0.045, 0.104, 0.822], [0.074, 0.070, 0.072], Skin, bone::HEAD)
            .both(bone::HEAD, bone::HEAD)
            .melting(0.045),
        ball([0.068, 0.104, 0.872], [0.052, 0.060, 0.022], SkinDark, bone::HEAD)
            .turned(8.0, 20.0, 0.0)
            .both(bone::HEAD, bone::HEAD)
            .melting(0.018),
        // Ears: a leaf to the side and back, hollow in front.
        limb([-0.02, 0.150, 0.745], [-0.045, 0.225, 0.772], [0.030, 0.034], Skin, bone::EAR[0])
            .both(bone::EAR[0], bone::EAR[1])
            .melting(0.04),
        ball([-0.050, 0.240, 0.778], [0.018, 0.085, 0.050], Skin, bone::EAR[0])
            .turned(16.0, 0.0, 16.0)
            .both(bone::EAR[0], bone::EAR[1])
            .melting(0.03),
        limb(
            [-0.058, 0.270, 0.785],
            [-0.085, 0.372, 0.825],
            [0.024, 0.005],
            SkinDark,
            bone::EAR[0],
        )
        .both(bone::EAR[0], bone::EAR[1])
        .melting(0.03),
        ball([-0.026, 0.238, 0.778], [0.020, 0.070, 0.034], Lip, bone::EAR[0])
            .turned(16.0, 0.0, 16.0)
            .both(bone::EAR[0], bone::EAR[1])
            .melting(0.012)
            .carved(),
        // A comb of three fins.
        limb([-0.010, 0.0, 0.815], [-0.030, 0.0, 0.885], [0.020, 0.006], SkinDark, bone::CREST)
            .melting(0.02),
        limb([-0.060, 0.0, 0.800], [-0.100, 0.0, 0.868], [0.021, 0.006], SkinDark, bone::CREST)
            .melting(0.02),
        limb([-0.100, 0.0, 0.765], [-0.150, 0.0, 0.815], [0.020, 0.006], SkinDark, bone::CREST)
            .melting(0.02),
    ]
}

/// Middle of the left eye and its radius, as worn.
#[must_use]
pub fn eye() -> (Vec3, f32) {
    (of_head([0.072, 0.104, 0.829]).into(), 0.061 * HEAD_SCALE)
}

fn eyes() -> Vec<Part> {
    let (at, r) = eye();
    vec![
        Part::ball(at.to_array(), [r; 3], Paint::Eye, bone::EYE[0])
            .both(bone::EYE[0], bone::EYE[1]),
    ]
}

fn teeth() -> Vec<Part> {
    let tooth = |from: [f32; 3], to: [f32; 3]| {
        Part::limb(of_head(from), of_head(to), [0.0115, 0.004], Paint::Tooth, bone::JAW)
            .both(bone::JAW, bone::JAW)
            .melting(0.0)
    };
    vec![
        tooth([0.158, 0.088, 0.703], [0.166, 0.090, 0.735]),
        tooth([0.180, 0.046, 0.697], [0.188, 0.047, 0.716]),
    ]
}

fn arms() -> Vec<Part> {
    use Paint::{Skin, SkinDark};
    let [_, shoulder, elbow, middle, wrist, knuckles] = ARM;
    let pair = |part: Part, bones: [u16; 2]| part.both(bones[0], bones[1]);
    let mut parts = vec![
        pair(Part::ball([-0.006, 0.118, 0.578], [0.050, 0.050, 0.046], Skin, 0), bone::SHOULDER)
            .melting(0.05),
        pair(Part::limb(shoulder, elbow, [0.043, 0.033], Skin, 0), bone::UPPER_ARM).melting(0.035),
        pair(Part::limb(elbow, middle, [0.034, 0.036], Skin, 0), bone::FOREARM).melting(0.02),
        pair(Part::limb(middle, wrist, [0.036, 0.026], Skin, 0), bone::FOREARM_TWIST).melting(0.02),
        pair(Part::ball([0.027, 0.362, 0.350], [0.024, 0.042, 0.042], Skin, 0), bone::HAND)
            .melting(0.022),
    ];
    // Three thick fingers and a thumb, with round tips as frogs have.
    let k = Vec3::from(knuckles);
    for (spread, length) in [(0.034, 0.080), (0.0, 0.092), (-0.034, 0.078)] {
        let along = Vec3::new(0.006, 0.62, -0.78);
        let side = Vec3::new(1.0, 0.0, 0.0);
        let from = k + side * spread * 0.75 - along * 0.02;
        let tip = from + (along + side * spread * 7.0).normalize() * length;
        parts.push(
            pair(Part::limb(from.into(), tip.into(), [0.0155, 0.0135], SkinDark, 0), bone::FINGERS)
                .melting(0.012),
        );
        parts.push(
            pair(Part::ball(tip.into(), [0.0175; 3], SkinDark, 0), bone::FINGERS).melting(0.01),
        );
    }
    let thumb = [0.085, 0.350, 0.317];
    parts.push(
        pair(Part::limb([0.042, 0.345, 0.355], thumb, [0.018, 0.014], SkinDark, 0), bone::HAND)
            .melting(0.02),
    );
    parts.push(pair(Part::ball(thumb, [0.017; 3], SkinDark, 0), bone::HAND).melting(0.01));
    parts
}

/// Directions and lengths of the left toes from the ball of the foot.
const TOES: [([f32; 2], f32); 3] =
    [([0.9, -0.42], 0.075), ([1.0, 0.06], 0.088), ([0.86, 0.52], 0.072)];

fn legs() -> Vec<Part> {
    use Paint::{Skin, SkinDark};
    let [hip, knee, ankle, ball] = LEG;
    let pair = |part: Part, bones: [u16; 2]| part.both(bones[0], bones[1]);
    let mut parts = vec![
        pair(Part::limb(hip, knee, [0.072, 0.047], Skin, 0), bone::THIGH).melting(0.045),
        pair(Part::limb(knee, ankle, [0.046, 0.033], Skin, 0), bone::SHIN).melting(0.025),
        pair(Part::ball([-0.004, 0.099, 0.165], [0.044, 0.040, 0.058], Skin, 0), bone::SHIN)
            .melting(0.03),
        pair(Part::limb([-0.030, 0.099, 0.034], ball, [0.033, 0.028], Skin, 0), bone::FOOT)
            .melting(0.03),
        pair(Part::ball([0.060, 0.107, 0.030], [0.070, 0.050, 0.027], Skin, 0), bone::FOOT)
            .melting(0.03),
    ];
    let b = Vec3::from(ball);
    for ([x, y], length) in TOES {
        let way = Vec3::new(x, y, 0.0).normalize();
        let from = b + way * 0.02 + Vec3::new(0.0, 0.0, -0.006);
        let tip = from + way * length + Vec3::new(0.0, 0.0, -0.002);
        parts.push(
            pair(Part::limb(from.into(), tip.into(), [0.021, 0.018], SkinDark, 0), bone::TOES)
                .melting(0.02),
        );
        parts.push(
            pair(Part::ball(tip.into(), [0.021, 0.021, 0.0195], SkinDark, 0), bone::TOES)
                .melting(0.012),
        );
    }
    parts
}

fn claws() -> Vec<Part> {
    let b = Vec3::from(LEG[3]);
    let claw = |([x, y], length): ([f32; 2], f32)| {
        let way = Vec3::new(x, y, 0.0).normalize();
        let from = b + way * (0.034 + length) + Vec3::new(0.0, 0.0, 0.0);
        let tip = from + way * 0.020 - Vec3::Z * 0.012;
        Part::limb(from.into(), tip.into(), [0.0095, 0.003], Paint::Nail, 0)
            .both(bone::TOES[0], bone::TOES[1])
            .melting(0.0)
    };
    TOES.into_iter().map(claw).collect()
}

/// Sleeveless, open before the throat, down over the thighs, ragged at the hem.
fn tunic() -> Group {
    let parts = vec![
        Part::limb([0.0, 0.0, 0.36], [-0.01, 0.0, 0.50], [0.205, 0.185], Paint::Cloth, 0)
            .melting(0.0),
        Part::limb([-0.02, 0.05, 0.52], [-0.02, 0.088, 0.590], [0.085, 0.060], Paint::Cloth, 0)
            .both(0, 0)
            .melting(0.03),
        // Neck, and the front cut out so that the belly shows.
        Part::ball([0.085, 0.0, 0.630], [0.095, 0.062, 0.110], Paint::Cloth, 0)
            .melting(0.01)
            .carved(),
        Part::new(
            super::shape::Shape::Block(Vec3::new(0.4, 0.4, 0.2), 0.0),
            Vec3::new(0.0, 0.0, 0.088),
            Paint::Cloth,
            0,
        )
        .melting(0.012)
        .carved(),
        // Slits at the sides of the hem.
        Part::limb([0.0, 0.20, 0.24], [0.0, 0.18, 0.345], [0.030, 0.006], Paint::Cloth, 0)
            .both(0, 0)
            .melting(0.008)
            .carved(),
        Part::ball([0.150, 0.050, 0.275], [0.06, 0.018, 0.030], Paint::Cloth, 0)
            .melting(0.008)
            .carved(),
        Part::ball([-0.150, -0.030, 0.285], [0.06, 0.022, 0.032], Paint::Cloth, 0)
            .melting(0.008)
            .carved(),
    ];
    let layer = Layer { around: 0, thickness: 0.013, flare: 0.10, flare_from: 0.40 };
    Group { name: "tunic", parts, layer: Some(layer), melt: 0.002 }
}

fn belt() -> Group {
    let shape = super::shape::Shape::Block(Vec3::new(0.3, 0.195, 0.016), 0.004);
    let band = Part::new(shape, Vec3::new(0.0, 0.0, 0.415), Paint::Leather, 0)
        .turned(0.0, 4.0, 0.0)
        .melting(0.0);
    let layer = Layer { around: 0, thickness: 0.023, flare: 0.0, flare_from: 0.0 };
    Group { name: "belt", parts: vec![band], layer: Some(layer), melt: 0.002 }
}

fn buckle() -> Vec<Part> {
    let plate = super::shape::Shape::Block(Vec3::new(0.010, 0.032, 0.027), 0.006);
    let hole = super::shape::Shape::Block(Vec3::new(0.020, 0.017, 0.012), 0.004);
    let at = Vec3::new(0.190, 0.0, 0.402);
    vec![
        Part::new(plate, at, Paint::Metal, bone::BELLY).turned(0.0, 16.0, 0.0).melting(0.0),
        Part::new(hole, at + Vec3::X * 0.016, Paint::Leather, bone::BELLY).melting(0.002).carved(),
    ]
}
