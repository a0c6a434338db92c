//! All clips of the froblin, by name.

use std::sync::Arc;

use super::gait::{Gait, running_arm};
use super::keys::Keys;
use super::pose::Poser;
use super::stance::{Arm, HANGING, Stance};
use super::{Clip, Motion, actions, gestures};

/// Collects clips of one skeleton.
pub(super) struct Reel {
    poser: Arc<Poser>,
    clips: Vec<Clip>,
}

impl Reel {
    pub(super) fn gait(&mut self, name: &str, gait: Gait) -> &mut Clip {
        let poser = Arc::clone(&self.poser);
        let gait = gait.settled();
        let duration = gait.duration;
        let motion = Motion::Code(Arc::new(move |time| poser.pose(&gait.at(time / duration))));
        self.clips.push(Clip {
            name: name.to_owned(),
            duration,
            looping: true,
            stride: Some(gait.stride.abs()),
            blend: 0.18,
            props: Vec::new(),
            motion,
        });
        let last = self.clips.len() - 1;
        &mut self.clips[last]
    }

    /// Keys with breath on top; `breaths` whole ones in the clip.
    pub(super) fn keys(&mut self, name: &str, keys: Keys, breaths: u32) -> &mut Clip {
        let poser = Arc::clone(&self.poser);
        let (duration, looping) = (keys.duration(), keys.is_looping());
        let rate = breaths as f32 / duration;
        let motion = Motion::Code(Arc::new(move |time| {
            poser.pose(&keys.at(time).breathing(time * rate, 1.0))
        }));
        self.clips.push(Clip {
            name: name.to_owned(),
            duration,
            looping,
            stride: None,
            blend: 0.25,
            props: Vec::new(),
            motion,
        });
        let last = self.clips.len() - 1;
        &mut self.clips[last]
    }
}

/// All clips.
#[must_use]
pub fn clips() -> Vec<Clip> {
    let mut reel = Reel { poser: Arc::new(Poser::default()), clips: Vec::new() };
    gaits(&mut reel);
    actions::add(&mut reel);
    gestures::add(&mut reel);
    reel.clips
}

fn gaits(reel: &mut Reel) {
    let walk = Gait::default();
    let base = walk.base;
    reel.gait("walk", walk);
    reel.gait(
        "walk_slow",
        Gait {
            stride: 0.32,
            duration: 0.95,
            duty: 0.64,
            bob: 0.006,
            swing: 0.05,
            crouch: 0.008,
            lift: 0.04,
            ..walk
        },
    );
    let eager = base.both_ears(0.15, 0.1);
    reel.gait(
        "walk_fast",
        Gait {
            stride: 0.52,
            duration: 0.60,
            duty: 0.55,
            bob: 0.014,
            swing: 0.12,
            lean: 0.16,
            crouch: 0.026,
            lift: 0.07,
            base: eager,
            ..walk
        },
    );
    let tired = base.both_ears(-0.55, 0.2).with(|s| {
        s.head[1] = 0.38;
        s.spine[1] = 0.22;
        s.arms = [Arm { at: [0.075, 0.06, -0.250], ..HANGING }; 2];
        s.jaw = 0.12;
    });
    reel.gait(
        "walk_tired",
        Gait {
            stride: 0.30,
            duration: 1.15,
            duty: 0.68,
            bob: 0.008,
            swing: 0.035,
            sway: 0.032,
            lift: 0.038,
            crouch: 0.022,
            roll: [0.35, 0.08],
            base: tired,
            ..walk
        },
    );
    reel.gait("walk_loaded", loaded(walk)).props.push("sack");
    let sneak = base.both_ears(0.45, -0.1).with(|s| {
        s.arms =
            [Arm { at: [0.13, 0.04, -0.12], elbow: [-0.6, 1.0, -0.5], curl: 0.5, ..HANGING }; 2];
        s.spine[1] = 0.28;
        s.head[1] = -0.2;
    });
    reel.gait(
        "walk_sneak",
        Gait {
            stride: 0.36,
            duration: 1.3,
            duty: 0.62,
            lift: 0.09,
            crouch: 0.060,
            swing: 0.02,
            roll: [0.75, 0.1],
            base: sneak,
            ..walk
        },
    );
    reel.gait(
        "walk_back",
        Gait {
            stride: -0.30,
            duration: 0.9,
            duty: 0.62,
            lean: -0.05,
            swing: 0.04,
            roll: [0.25, 0.0],
            crouch: 0.016,
            ..walk
        },
    );
    let run_base = base.both_ears(0.1, 0.45).with(|s| s.arms = [running_arm(); 2]);
    let run = Gait {
        stride: 0.92,
        duration: 0.50,
        duty: 0.34,
        lift: 0.11,
        crouch: 0.034,
        bob: 0.024,
        sway: 0.010,
        lean: 0.26,
        swing: 0.12,
        roll: [0.85, 0.10],
        width: -0.035,
        base: run_base,
    };
    reel.gait("run", run);
    let panic = run_base.both_ears(-0.2, 0.75).with(|s| {
        s.arms = [Arm {
            at: [0.10, 0.14, 0.16],
            elbow: [-0.2, 1.0, -0.2],
            curl: 0.1,
            shoulder: [0.35, 0.0],
            ..HANGING
        }; 2];
        s.jaw = 0.42;
        s.eyes = [0.15, 0.0];
    });
    reel.gait(
        "flee",
        Gait {
            stride: 0.98,
            duration: 0.42,
            swing: 0.06,
            lean: 0.18,
            bob: 0.028,
            lift: 0.13,
            base: panic,
            ..run
        },
    );
    reel.gait(
        "run_loaded",
        loaded(Gait { stride: 0.70, duration: 0.50, duty: 0.40, bob: 0.014, swing: 0.0, ..run }),
    )
    .props
    .push("sack");
    let push = base.both_ears(-0.1, 0.3).with(|s| {
        s.arms = [Arm {
            at: [0.235, -0.02, -0.02],
            elbow: [-0.3, 1.0, -0.6],
            turn: [0.0, -1.0, 0.0],
            curl: 0.0,
            shoulder: [0.0, 0.35],
        }; 2];
        s.jaw = 0.15;
    });
    reel.gait(
        "push",
        Gait {
            stride: 0.26,
            duration: 1.0,
            duty: 0.66,
            lean: 0.55,
            swing: 0.0,
            crouch: 0.075,
            roll: [0.8, 0.0],
            base: push,
            ..walk
        },
    );
    reel.gait(
        "shuffle",
        Gait {
            stride: 0.14,
            duration: 0.8,
            duty: 0.66,
            lift: 0.026,
            bob: 0.004,
            crouch: 0.012,
            swing: 0.02,
            roll: [0.14, 0.04],
            ..walk
        },
    );
    // Marching on the spot, which turning bodies do.
    for (name, sign) in [("turn_left", 1.0), ("turn_right", -1.0)] {
        let looking = base.with(|s| {
            s.head[2] = 0.5 * sign;
            s.chest[2] = 0.18 * sign;
            s.eyes[1] = 0.3 * sign;
        });
        let turn = Gait {
            stride: 1e-4,
            duration: 0.7,
            duty: 0.6,
            lift: 0.045,
            swing: 0.0,
            roll: [0.3, 0.0],
            crouch: 0.02,
            base: looking,
            ..walk
        };
        reel.gait(name, turn).stride = None;
    }
}

/// Bent under a sack, hands at its strap before the chest.
pub(super) fn under_load(base: Stance) -> Stance {
    base.both_ears(-0.3, 0.15).with(|s| {
        s.spine[1] = 0.26;
        s.chest[1] = 0.16;
        s.head[1] = -0.22;
        s.arms = [Arm {
            at: [0.115, -0.050, -0.045],
            elbow: [-0.1, 0.9, -1.0],
            turn: [0.5, 0.0, 0.3],
            curl: 0.9,
            shoulder: [0.1, 0.25],
        }; 2];
    })
}

fn loaded(gait: Gait) -> Gait {
    Gait {
        stride: gait.stride * 0.82,
        duration: gait.duration * 1.15,
        crouch: gait.crouch + 0.014,
        sway: gait.sway * 1.5,
        swing: 0.0,
        base: under_load(gait.base),
        ..gait
    }
}
