//! The froblin's bones. At rest none is turned, so that a turn in a clip is one about the body's own axes.

use glam::Vec3;

use super::{Joint, Skeleton};

/// Bones by number: parents come before children.
#[allow(missing_docs, reason = "the names say it")]
#[rustfmt::skip]
pub mod bone {
    pub const ROOT: u16 = 0; pub const HIPS: u16 = 1; pub const SPINE: u16 = 2; pub const CHEST: u16 = 3;
    pub const NECK: u16 = 4; pub const HEAD: u16 = 5; pub const JAW: u16 = 6;
    pub const EYE: [u16; 2] = [7, 8]; pub const EAR: [u16; 2] = [9, 10]; pub const CREST: u16 = 11;
    pub const SHOULDER: [u16; 2] = [12, 18]; pub const UPPER_ARM: [u16; 2] = [13, 19];
    pub const FOREARM: [u16; 2] = [14, 20]; pub const FOREARM_TWIST: [u16; 2] = [15, 21];
    pub const HAND: [u16; 2] = [16, 22]; pub const FINGERS: [u16; 2] = [17, 23];
    pub const THIGH: [u16; 2] = [24, 28]; pub const SHIN: [u16; 2] = [25, 29];
    pub const FOOT: [u16; 2] = [26, 30]; pub const TOES: [u16; 2] = [27, 31];
    pub const BELLY: u16 = 32; pub const PICKAXE: u16 = 33; pub const SACK: u16 = 34;
    pub const MUSHROOM: u16 = 35; pub const HAT: u16 = 36;
}

/// The head is sculpted at one size and worn at another: frogs are mostly head.
pub const HEAD_SCALE: f32 = 1.18;

/// A point of the head as sculpted, to where it is on the body.
#[must_use]
pub fn of_head(p: [f32; 3]) -> [f32; 3] {
    [p[0] * HEAD_SCALE, p[1] * HEAD_SCALE, 0.62 + (p[2] - 0.60) * HEAD_SCALE]
}

/// Joints of the left leg: hip, knee, ankle, ball of the foot.
pub const LEG: [[f32; 3]; 4] =
    [[0.0, 0.085, 0.37], [0.03, 0.098, 0.215], [-0.012, 0.100, 0.065], [0.085, 0.110, 0.028]];

/// Joints of the left arm: collar, shoulder, elbow, middle of the forearm, wrist, knuckles.
pub const ARM: [[f32; 3]; 6] = [
    [0.0, 0.05, 0.575],
    [-0.005, 0.140, 0.575],
    [-0.025, 0.240, 0.475],
    [-0.005, 0.285, 0.4275],
    [0.015, 0.330, 0.380],
    [0.035, 0.385, 0.325],
];

/// The skeleton.
#[must_use]
pub fn skeleton() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: &str, parent: Option<u16>, at: [f32; 3]| {
        joints.push(Joint::new(name, parent.map(usize::from), Vec3::from(at)));
    };
    use bone::{CHEST, HAND, HEAD, HIPS, NECK, ROOT, SPINE};
    add("root", None, [0.0; 3]);
    add("hips", Some(ROOT), [0.0, 0.0, 0.40]);
    add("spine", Some(HIPS), [-0.01, 0.0, 0.46]);
    add("chest", Some(SPINE), [-0.01, 0.0, 0.54]);
    add("neck", Some(CHEST), [0.0, 0.0, 0.62]);
    add("head", Some(NECK), [0.01, 0.0, 0.66]);
    add("jaw", Some(HEAD), of_head([0.0, 0.0, 0.70]));
    for (side, name) in [(1.0, "eye.l"), (-1.0, "eye.r")] {
        add(name, Some(HEAD), of_head([0.072, 0.105 * side, 0.835]));
    }
    for (side, name) in [(1.0, "ear.l"), (-1.0, "ear.r")] {
        add(name, Some(HEAD), of_head([-0.02, 0.16 * side, 0.75]));
    }
    add("crest", Some(HEAD), of_head([-0.03, 0.0, 0.82]));
    for (side, mark, first) in [(1.0, "l", 12_u16), (-1.0, "r", 18)] {
        let names = ["shoulder", "upper_arm", "forearm", "forearm_twist", "hand", "fingers"];
        for (i, (name, at)) in names.into_iter().zip(ARM).enumerate() {
            // The hand hangs on the forearm, not on what twists with it.
            let parent = match i {
                0 => CHEST,
                4 => first + 2,
                i => first + i as u16 - 1,
            };
            add(&format!("{name}.{mark}"), Some(parent), [at[0], at[1] * side, at[2]]);
        }
    }
    for (side, mark, first) in [(1.0, "l", 24_u16), (-1.0, "r", 28)] {
        for (i, (name, at)) in ["thigh", "shin", "foot", "toes"].into_iter().zip(LEG).enumerate() {
            let parent = if i == 0 { HIPS } else { first + i as u16 - 1 };
            add(&format!("{name}.{mark}"), Some(parent), [at[0], at[1] * side, at[2]]);
        }
    }
    add("belly", Some(SPINE), [0.0, 0.0, 0.46]);
    add("pickaxe", Some(HAND[1]), PALM.map_side(-1.0));
    add("sack", Some(CHEST), [-0.13, 0.0, 0.60]);
    add("mushroom", Some(HAND[0]), PALM.map_side(1.0));
    add("hat", Some(HEAD), of_head([-0.04, 0.0, 0.81]));
    Skeleton::at_rest(joints)
}

/// The middle of the left hand.
pub const PALM: Palm = Palm([0.035, 0.362, 0.348]);

/// A point on the left that has a twin on the right.
#[derive(Clone, Copy, Debug)]
pub struct Palm(pub [f32; 3]);

impl Palm {
    /// On the left (1) or right (-1).
    #[must_use]
    pub fn map_side(self, side: f32) -> [f32; 3] {
        [self.0[0], self.0[1] * side, self.0[2]]
    }
}
