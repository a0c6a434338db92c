//! The ghost's skeleton and how it floats: waves that run down the tail, arms that trail or reach.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;

use super::ik::euler;
use super::{Clip, Motion, Pose};
use crate::rig::{Joint, Skeleton};
use crate::sculpt::ghost::bone;

/// The ghost's bones.
#[must_use]
pub fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u16>, at: [f32; 3]| {
        Joint::new(name, parent.map(usize::from), Vec3::from(at))
    };
    use bone::{ARM, BODY, CHEST, HEAD, ROOT, TAIL};
    Skeleton::at_rest(vec![
        joint("root", None, [0.0; 3]),
        joint("body", Some(ROOT), [-0.02, 0.0, 0.48]),
        joint("chest", Some(BODY), [0.0, 0.0, 0.60]),
        joint("head", Some(CHEST), [0.0, 0.0, 0.72]),
        joint("arm.l", Some(CHEST), [0.02, 0.12, 0.64]),
        joint("hand.l", Some(ARM[0]), [0.10, 0.24, 0.60]),
        joint("arm.r", Some(CHEST), [0.02, -0.12, 0.64]),
        joint("hand.r", Some(ARM[1]), [0.10, -0.24, 0.60]),
        joint("tail.1", Some(BODY), [-0.03, 0.0, 0.42]),
        joint("tail.2", Some(TAIL[0]), [-0.09, 0.0, 0.30]),
        joint("tail.3", Some(TAIL[1]), [-0.17, 0.0, 0.20]),
        joint("tail.4", Some(TAIL[2]), [-0.27, 0.0, 0.125]),
        joint("jaw", Some(HEAD), [0.06, 0.0, 0.72]),
    ])
}

/// How it floats.
#[derive(Clone, Copy)]
struct Float {
    lean: f32,
    wave: f32,
    bob: f32,
    reach: f32,
    jaw: f32,
    tail: f32,
    look: f32,
}

const CALM: Float =
    Float { lean: 0.0, wave: 0.18, bob: 0.02, reach: 0.0, jaw: 0.0, tail: 0.0, look: 0.0 };

fn pose(skeleton: &Skeleton, float: &Float, phase: f32) -> Pose {
    let mut pose = skeleton.rest();
    let wave = |lag: f32| ((phase - lag) * TAU).sin();
    let mut turn = |joint: u16, by: Vec3| pose[usize::from(joint)].rotation = euler(by);
    turn(bone::BODY, Vec3::new(0.05 * wave(0.2), float.lean, 0.05 * wave(0.0)));
    turn(bone::CHEST, Vec3::new(-0.04 * wave(0.3), float.lean * 0.3 + 0.03 * wave(0.5), 0.0));
    turn(bone::HEAD, Vec3::new(0.06 * wave(0.1), -float.lean * 0.8, float.look * wave(0.0)));
    turn(bone::JAW, Vec3::new(0.0, float.jaw * (0.7 + 0.3 * wave(0.4)), 0.0));
    for side in 0..2 {
        let sign = [1.0, -1.0][side];
        let lag = 0.25 * side as f32;
        turn(
            bone::ARM[side],
            Vec3::new(
                (0.2 * wave(lag) + float.reach * 0.6) * sign,
                -float.reach * 0.3,
                -float.reach * 0.5 * sign,
            ),
        );
        turn(
            bone::HAND[side],
            Vec3::new(
                0.15 * wave(lag + 0.2) * sign,
                0.2 * wave(lag + 0.3) - float.reach * 0.2,
                0.1 * sign,
            ),
        );
    }
    for (i, joint) in bone::TAIL.into_iter().enumerate() {
        let lag = 0.16 * (i + 1) as f32;
        turn(
            joint,
            Vec3::new(
                0.0,
                float.tail * 0.25 + 0.10 * wave(lag + 0.2),
                float.wave * wave(lag) * (1.0 + 0.4 * i as f32),
            ),
        );
    }
    pose[usize::from(bone::BODY)].translation.z += 0.05 + float.bob * wave(0.0);
    pose
}

/// All clips of the ghost.
#[must_use]
pub fn clips() -> Vec<Clip> {
    let skeleton = Arc::new(skeleton());
    let clip = |name: &str, duration: f32, float: Float| {
        let skeleton = Arc::clone(&skeleton);
        let motion = Motion::Code(Arc::new(move |time| pose(&skeleton, &float, time / duration)));
        let (name, looping, stride) = (name.to_owned(), true, None);
        Clip { name, duration, looping, stride, blend: 0.4, props: Vec::new(), motion }
    };
    vec![
        clip("idle", 3.2, CALM),
        clip("walk", 2.0, Float { lean: 0.25, tail: 0.5, reach: 0.2, ..CALM }),
        clip("run", 1.2, Float { lean: 0.55, tail: 1.0, wave: 0.26, reach: 0.7, jaw: 0.3, ..CALM }),
        clip("haunt", 1.6, Float { lean: 0.1, reach: 1.3, jaw: 0.6, bob: 0.05, ..CALM }),
        clip("look_around", 4.0, Float { look: 0.8, ..CALM }),
        clip("rest", 4.5, Float { wave: 0.08, bob: 0.012, lean: 0.1, ..CALM }),
    ]
}
