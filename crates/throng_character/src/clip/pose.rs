//! From a stance to joints: hips and back by angles, arms and legs to where hands and feet shall be.

use glam::{Quat, Vec3};

use super::Pose;
use super::ik::{Reach, euler, hinge, turn_between, twist, two_bones};
use super::stance::{Arm, Foot, Stance};
use crate::rig::bones::{ARM, LEG, bone, skeleton};
use crate::rig::{Skeleton, Transform};

/// The hand may turn about the forearm by this much; half of it is the forearm's.
const MOST_TWIST: f32 = 1.4;
/// The back of the heel on the ground, left.
const HEEL: Vec3 = Vec3::new(-0.058, 0.099, 0.002);

/// A froblin's skeleton, ready to be posed.
#[derive(Clone, Debug)]
pub struct Poser {
    skeleton: Skeleton,
    rest: Vec<Transform>,
}

impl Default for Poser {
    fn default() -> Self {
        let skeleton = skeleton();
        let rest = skeleton.rest();
        Self { skeleton, rest }
    }
}

/// A wrist that goes from below the shoulder to above does not go through it, but swings round in front.
fn clear_of_shoulder(at: Vec3) -> Vec3 {
    const CLEAR: f32 = 0.20;
    let within = (CLEAR * CLEAR - at.length_squared()).max(0.0);
    at + Vec3::new(0.95, 0.25, 0.0) * (within * within / CLEAR.powi(3))
}

/// A target within reach of an arm of this length: an arm is never quite straight, and gets there softly.
fn within_reach(at: Vec3, length: f32) -> Vec3 {
    let (free, most) = (0.88 * length, 0.985 * length);
    let far = at.length();
    if far <= free {
        return at;
    }
    let soft = free + (most - free) * (1.0 - (-(far - free) / (most - free)).exp());
    at * (soft / far)
}

/// Turn and place in the object.
#[derive(Clone, Copy)]
struct Place {
    turn: Quat,
    at: Vec3,
}

impl Poser {
    /// The skeleton that is posed.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Joints for a stance.
    #[must_use]
    pub fn pose(&self, stance: &Stance) -> Pose {
        let mut pose = self.rest.clone();
        let mut turn = |joint: u16, by: Quat| pose[usize::from(joint)].rotation = by;
        turn(bone::HIPS, euler(stance.hips_turn.into()));
        turn(bone::SPINE, euler(stance.spine.into()));
        turn(bone::CHEST, euler(stance.chest.into()));
        let head = Vec3::from(stance.head);
        turn(bone::NECK, euler(head * 0.35));
        turn(bone::HEAD, euler(head * 0.65));
        turn(bone::JAW, Quat::from_rotation_y(stance.jaw));
        for side in 0..2 {
            let sign = [1.0, -1.0][side];
            let [up, left] = stance.eyes;
            turn(bone::EYE[side], euler(Vec3::new(0.0, -up, left)));
            let [raised, back] = stance.ears[side];
            turn(bone::EAR[side], euler(Vec3::new(raised * sign, 0.0, back * sign)));
        }
        turn(bone::PICKAXE, Quat::from_rotation_y(stance.pickaxe));
        pose[usize::from(bone::HIPS)].translation += stance.hips_at();
        pose[usize::from(bone::SACK)].translation += Vec3::from(stance.sack);
        pose[usize::from(bone::BELLY)].scale = Vec3::splat(1.0 + stance.belly);
        // Nothing is ever quite eaten: a matrix of no size could not be undone.
        pose[usize::from(bone::MUSHROOM)].scale = Vec3::splat(stance.mushroom.max(0.02));
        let hips = self.place(&pose, Place { turn: Quat::IDENTITY, at: Vec3::ZERO }, bone::HIPS);
        let spine = self.place(&pose, hips, bone::SPINE);
        let chest = self.place(&pose, spine, bone::CHEST);
        for side in 0..2 {
            self.leg(&mut pose, hips, side, &stance.feet[side]);
            self.arm(&mut pose, chest, side, &stance.arms[side]);
        }
        pose
    }

    fn place(&self, pose: &Pose, parent: Place, joint: u16) -> Place {
        let local = &pose[usize::from(joint)];
        Place {
            turn: parent.turn * local.rotation,
            at: parent.at + parent.turn * local.translation,
        }
    }

    fn leg(&self, pose: &mut Pose, hips: Place, side: usize, foot: &Foot) {
        let sign = [1.0, -1.0][side];
        let own = |p: [f32; 3]| Vec3::new(p[0], p[1] * sign, p[2]);
        let [hip, knee, ankle, ball] = LEG.map(own);
        let yaw = Quat::from_rotation_z(foot.yaw * sign);
        let turn = yaw * Quat::from_rotation_y(foot.pitch);
        // Heel up turns about the ball, toes up about the heel: what is on the ground stays there.
        let pivot = if foot.pitch > 0.0 { ball } else { HEEL * Vec3::new(1.0, sign, 1.0) };
        let base = ankle * Vec3::new(1.0, 1.0, 0.0);
        let pivot_at = base + yaw * (pivot - base);
        let target = pivot_at + turn * (ankle - pivot) + Vec3::from(foot.at);
        let root = hips.at + hips.turn * self.rest[usize::from(bone::THIGH[side])].translation;
        let (rest_a, rest_b) = (knee - hip, ankle - knee);
        // Knees go where the foot points, and a little outwards, frog that it is.
        let pole = yaw * Vec3::new(1.0, 0.35 * sign, 0.15);
        let pole = (pole + hips.turn * Vec3::X).normalize_or(Vec3::X);
        let lengths = [rest_a.length(), rest_b.length()];
        let Reach { middle, end, hinge: bend } = two_bones(root, target, lengths, pole);
        let at_rest = hinge(rest_a + rest_b, Vec3::new(1.0, 0.2 * sign, 0.08));
        let thigh = turn_between([rest_a, at_rest], [middle - root, bend]);
        let shin = turn_between([rest_b, at_rest], [end - middle, bend]);
        let mut set = |joint: u16, turn: Quat| pose[usize::from(joint)].rotation = turn;
        set(bone::THIGH[side], hips.turn.conjugate() * thigh);
        set(bone::SHIN[side], thigh.conjugate() * shin);
        set(bone::FOOT[side], shin.conjugate() * turn);
        set(bone::TOES[side], Quat::from_rotation_y(-foot.pitch.max(0.0) - foot.toes));
    }

    fn arm(&self, pose: &mut Pose, chest: Place, side: usize, arm: &Arm) {
        let sign = [1.0, -1.0][side];
        let own = |p: [f32; 3]| Vec3::new(p[0], p[1] * sign, p[2]);
        let [raise, forward] = arm.shoulder;
        pose[usize::from(bone::SHOULDER[side])].rotation =
            euler(Vec3::new(raise * sign, 0.0, -forward * sign));
        let shoulder = self.place(pose, chest, bone::SHOULDER[side]);
        let root =
            shoulder.at + shoulder.turn * pose[usize::from(bone::UPPER_ARM[side])].translation;
        let [_, a, b, _, c, _] = ARM.map(own);
        let (rest_a, rest_b) = (b - a, c - b);
        let length = rest_a.length() + rest_b.length();
        let at = within_reach(clear_of_shoulder(arm.at.into()), length);
        let target = root + chest.turn * own(at.to_array());
        let pole = chest.turn * own(arm.elbow).normalize_or(Vec3::NEG_X);
        let lengths = [rest_a.length(), rest_b.length()];
        let Reach { middle, end, hinge: bend } = two_bones(root, target, lengths, pole);
        let at_rest = hinge(rest_a + rest_b, Vec3::new(-1.0, 0.0, -0.15));
        let upper = turn_between([rest_a, at_rest], [middle - root, bend]);
        let lower = turn_between([rest_b, at_rest], [end - middle, bend]);
        let hand = euler(Vec3::new(arm.turn[0] * sign, arm.turn[1], arm.turn[2] * sign));
        let about = twist(hand, rest_b);
        let (axis, angle) = about.to_axis_angle();
        let angle =
            if angle > std::f32::consts::PI { angle - std::f32::consts::TAU } else { angle };
        let kept = Quat::from_axis_angle(axis, angle.clamp(-MOST_TWIST, MOST_TWIST));
        let hand = hand * about.conjugate() * kept;
        let mut set = |joint: u16, turn: Quat| pose[usize::from(joint)].rotation = turn;
        set(bone::UPPER_ARM[side], shoulder.turn.conjugate() * upper);
        set(bone::FOREARM[side], upper.conjugate() * lower);
        // Half of the hand's twist belongs to the forearm, or the wrist would be wrung.
        set(bone::FOREARM_TWIST[side], Quat::IDENTITY.slerp(kept, 0.5));
        set(bone::HAND[side], hand);
        // Fingers close about the axis across them, towards the palm.
        let across = Vec3::X;
        set(bone::FINGERS[side], Quat::from_axis_angle(across, -arm.curl * 1.5 * sign));
    }
}
