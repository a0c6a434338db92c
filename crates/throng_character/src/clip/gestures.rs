//! What froblins feel and say: talk, wave, fear, cough, celebrate and more.

use super::actions::weight;
use super::keys::Keys;
use super::list::Reel;
use super::stance::{Foot, Stance};

const OUT: [f32; 3] = [-0.6, 1.0, -0.4];

pub(super) fn add(reel: &mut Reel) {
    talking(reel);
    feeling(reel);
    mishaps(reel);
    joys(reel);
}

fn talking(reel: &mut Reel) {
    let ease = Stance::default().with(|s| weight(s, 0.6));
    let say = |hand: [f32; 3], open: f32, nod: f32| {
        ease.hand(1, hand, OUT).both_ears(0.1, 0.0).with(|s| {
            s.jaw = open;
            s.head[1] = nod;
            s.arms[1].curl = 0.15;
        })
    };
    let point = [0.17, 0.05, -0.06];
    let open = [0.12, 0.11, -0.10];
    reel.keys(
        "talk",
        Keys::looping(
            3.2,
            vec![
                (0.0, say(open, 0.05, 0.0)),
                (0.4, say(point, 0.26, -0.08)),
                (0.8, say(point, 0.06, 0.06)),
                (1.2, say(open, 0.28, -0.04)),
                (1.6, say(open, 0.08, 0.05)),
                (2.1, say(point, 0.22, -0.1)),
                (2.6, say(open, 0.1, 0.02)),
            ],
        ),
        2,
    );
    let big = |open: f32, up: f32| {
        ease.hands([0.12, 0.12, up]).both_ears(0.4, 0.0).with(|s| {
            s.jaw = open;
            s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = (OUT, 0.1));
            s.hips[2] += up * 0.06;
        })
    };
    reel.keys(
        "talk_excited",
        Keys::looping(
            1.8,
            vec![
                (0.0, big(0.1, -0.12)),
                (0.3, big(0.4, 0.05)),
                (0.7, big(0.15, -0.1)),
                (1.1, big(0.42, 0.10)),
                (1.5, big(0.1, -0.05)),
            ],
        ),
        2,
    );
    let nod = |pitch: f32, roll: f32| {
        ease.both_ears(0.2, 0.0).with(|s| {
            s.head = [roll, pitch, 0.0];
        })
    };
    reel.keys(
        "listen",
        Keys::looping(
            3.0,
            vec![
                (0.0, nod(0.0, 0.12)),
                (0.9, nod(0.0, 0.15)),
                (1.15, nod(0.18, 0.12)),
                (1.4, nod(0.0, 0.12)),
                (1.65, nod(0.16, 0.1)),
                (2.0, nod(0.0, -0.05)),
            ],
        ),
        2,
    );
    let shake = |yaw: f32| ease.both_ears(-0.2, 0.2).with(|s| s.head = [0.0, 0.08, yaw]);
    reel.keys(
        "refuse",
        Keys::once(vec![
            (0.0, ease),
            (0.25, shake(0.4)),
            (0.5, shake(-0.4)),
            (0.75, shake(0.35)),
            (1.0, shake(-0.3)),
            (1.4, ease),
        ]),
        1,
    );
    let hello = |side: f32| {
        ease.hand(1, [0.06, 0.10 + side, 0.235], [-0.2, 1.0, 0.1]).both_ears(0.4, 0.0).with(|s| {
            s.arms[1].curl = 0.0;
            s.arms[1].shoulder = [0.45, 0.0];
            s.jaw = 0.2;
            s.head[0] = 0.1;
        })
    };
    reel.keys(
        "wave",
        Keys::once(vec![
            (0.0, ease),
            (0.4, hello(0.0)),
            (0.65, hello(0.07)),
            (0.9, hello(-0.05)),
            (1.15, hello(0.07)),
            (1.4, hello(-0.05)),
            (1.9, ease),
        ]),
        1,
    );
    let there = ease.hand(1, [0.26, 0.03, 0.04], OUT).both_ears(0.4, 0.0).with(|s| {
        s.arms[1].curl = 0.4;
        s.arms[1].shoulder = [0.2, 0.3];
        s.chest[2] = 0.2;
        s.jaw = 0.2;
    });
    reel.keys("point", Keys::once(vec![(0.0, ease), (0.35, there), (1.1, there), (1.5, ease)]), 1);
}

fn feeling(reel: &mut Reel) {
    let ease = Stance::default();
    let cower = ease.both_ears(-0.5, 0.5).hands([0.14, -0.06, 0.03]).with(|s| {
        s.hips = [-0.03, 0.0, -0.10];
        s.spine[1] = 0.30;
        s.head[1] = 0.05;
        s.jaw = 0.22;
        s.arms.iter_mut().for_each(|arm| {
            (arm.elbow, arm.curl, arm.shoulder) = ([0.1, 0.7, -1.0], 0.6, [0.3, 0.3]);
        });
    });
    let shiver = cower.with(|s| {
        s.hips[1] = 0.012;
        s.head[2] = 0.12;
        s.arms.iter_mut().for_each(|arm| arm.at[2] += 0.014);
    });
    reel.keys(
        "fear",
        Keys::looping(
            0.9,
            vec![
                (0.0, shiver),
                (0.15, shiver.mirrored()),
                (0.3, shiver),
                (0.45, shiver.mirrored()),
                (0.6, shiver),
                (0.75, shiver.mirrored()),
            ],
        ),
        1,
    );
    let startle = ease.both_ears(0.6, 0.0).hands([0.10, 0.16, 0.05]).with(|s| {
        s.hips = [-0.03, 0.0, 0.0];
        s.spine[1] = -0.25;
        s.head[1] = -0.1;
        s.jaw = 0.5;
        s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = (OUT, 0.0));
    });
    reel.keys(
        "startle",
        Keys::once(vec![(0.0, ease), (0.12, startle), (0.35, startle), (0.8, cower)]),
        1,
    );
    let hand = ease.hand(1, [0.12, -0.09, 0.06], [0.0, 0.8, -1.0]).both_ears(-0.3, 0.2).with(|s| {
        s.spine[1] = 0.2;
        s.head[1] = 0.12;
        s.arms[1].curl = 0.9;
    });
    let hack = hand.with(|s| {
        s.spine[1] = 0.48;
        s.chest[1] = 0.2;
        s.head[1] = 0.25;
        s.jaw = 0.3;
        s.hips[2] -= 0.025;
        s.belly = -0.05;
    });
    reel.keys(
        "cough",
        Keys::looping(
            2.2,
            vec![
                (0.0, hand),
                (0.35, hand),
                (0.5, hack),
                (0.75, hand),
                (0.9, hack),
                (1.15, hand),
                (1.3, hack),
                (1.7, hand),
            ],
        ),
        1,
    );
    let fists = ease.both_ears(0.1, 0.6).hands([0.08, 0.06, -0.16]).with(|s| {
        s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = (OUT, 1.0));
        s.head[1] = 0.12;
        s.spine[1] = 0.15;
        s.jaw = 0.3;
    });
    let stamp = fists.with(|s| {
        s.hips[1] = -0.03;
        s.feet[0] = Foot { at: [0.02, 0.0, 0.075], pitch: -0.2, yaw: 0.1, toes: 0.0 };
    });
    reel.keys(
        "angry",
        Keys::looping(
            1.4,
            vec![
                (0.0, fists),
                (0.3, stamp),
                (0.42, fists),
                (0.8, fists.with(|s| s.head[2] = 0.2)),
                (1.1, fists.with(|s| s.head[2] = -0.2)),
            ],
        ),
        1,
    );
    let yawn = ease.both_ears(-0.4, 0.3).hands([0.02, 0.22, 0.10]).with(|s| {
        s.jaw = 0.65;
        s.head[1] = -0.3;
        s.spine[1] = -0.18;
        s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = ([-0.3, 0.5, -1.0], 0.9));
        s.belly = 0.06;
    });
    reel.keys("yawn", Keys::once(vec![(0.0, ease), (0.8, yawn), (1.5, yawn), (2.2, ease)]), 1);
}

fn mishaps(reel: &mut Reel) {
    let ease = Stance::default();
    let foot = |x: f32, y: f32, z: f32| Foot { at: [x, y, z], yaw: 0.15, ..Foot::default() };
    let tip = ease.hands([0.12, 0.16, 0.0]).both_ears(0.5, -0.2).with(|s| {
        s.hips = [0.05, 0.0, -0.05];
        s.hips_turn[1] = 0.25;
        s.spine[1] = 0.45;
        s.head[1] = -0.35;
        s.jaw = 0.4;
        s.feet[0] = foot(-0.10, 0.0, 0.07);
        s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = (OUT, 0.0));
    });
    let catch = tip.hands([0.02, 0.20, 0.04]).with(|s| {
        s.hips = [0.03, 0.0, -0.085];
        s.spine[1] = 0.15;
        s.feet[0] = foot(0.13, 0.0, 0.0);
        s.feet[1] = foot(-0.06, 0.0, 0.0);
    });
    reel.keys(
        "stumble",
        Keys::once(vec![(0.0, ease), (0.18, tip), (0.42, catch), (0.65, catch), (1.1, ease)]),
        1,
    );
    let knocked = ease.hands([0.10, 0.12, 0.08]).both_ears(0.4, -0.3).with(|s| {
        s.hips = [-0.09, 0.0, -0.10];
        s.hips_turn[1] = -0.35;
        s.spine[1] = -0.1;
        s.jaw = 0.45;
        s.arms.iter_mut().for_each(|arm| (arm.elbow, arm.curl) = (OUT, 0.0));
    });
    let seated = ease.hands([-0.07, 0.13, -0.21]).with(|s| {
        s.hips = [-0.13, 0.0, -0.275];
        s.hips_turn[1] = -0.25;
        s.spine[1] = 0.1;
        s.feet = [foot(0.06, 0.02, 0.0), foot(0.06, -0.02, 0.0)];
    });
    reel.keys(
        "knocked_down",
        Keys::once(vec![(0.0, ease), (0.2, knocked), (0.5, seated), (0.9, seated)]),
        1,
    );
    let dodge = |side: f32| {
        ease.both_ears(0.2, 0.1).with(|s| {
            s.hips[1] = 0.04 * side;
            s.hips[2] = -0.035;
            s.chest[2] = -0.5 * side;
            s.spine[0] = -0.12 * side;
            s.head[2] = 0.45 * side;
        })
    };
    reel.keys("squeeze", Keys::looping(1.6, vec![(0.0, dodge(1.0)), (0.8, dodge(-1.0))]), 1);
}

fn joys(reel: &mut Reel) {
    let ease = Stance::default();
    let crouch = ease.hands([0.05, 0.12, -0.18]).both_ears(-0.1, 0.3).with(|s| {
        s.hips[2] = -0.105;
        s.spine[1] = 0.28;
        s.head[1] = -0.15;
    });
    let air = |lift: f32| {
        ease.hands([0.05, 0.10, 0.245]).both_ears(0.6, -0.1).with(|s| {
            s.hips[2] = lift;
            s.feet = [Foot { at: [-0.02, 0.01, lift], pitch: 0.5, yaw: 0.3, toes: 0.0 }; 2];
            s.feet[1].at[1] = -0.01;
            s.jaw = 0.5;
            s.arms.iter_mut().for_each(|arm| {
                (arm.elbow, arm.curl, arm.shoulder) = ([-0.2, 1.0, 0.0], 0.1, [0.5, 0.0]);
            });
        })
    };
    reel.keys(
        "celebrate",
        Keys::looping(
            1.3,
            vec![
                (0.0, crouch),
                (0.22, air(0.0)),
                (0.42, air(0.14)),
                (0.62, air(0.0)),
                (0.80, crouch),
            ],
        ),
        1,
    );
    reel.keys(
        "jump",
        Keys::once(vec![
            (0.0, ease),
            (0.3, crouch),
            (0.46, air(0.0)),
            (0.68, air(0.20)),
            (0.9, air(0.0)),
            (1.05, crouch),
            (1.4, ease),
        ]),
        1,
    );
    let groove = ease
        .hand(0, [0.08, 0.10, 0.10], OUT)
        .hand(1, [0.08, 0.05, -0.15], OUT)
        .both_ears(0.3, 0.0)
        .with(|s| {
            weight(s, 1.6);
            s.hips[2] -= 0.015;
            s.hips_turn[2] = 0.2;
            s.chest[2] = -0.3;
            s.head = [0.18, 0.0, 0.1];
            s.feet[1].pitch = 0.5;
            s.jaw = 0.2;
        });
    let dip = ease.hands([0.10, 0.09, -0.06]).with(|s| s.hips[2] = -0.07);
    reel.keys(
        "dance",
        Keys::looping(1.2, vec![(0.0, groove), (0.3, dip), (0.6, groove.mirrored()), (0.9, dip)]),
        1,
    );
    let clap = |apart: f32| {
        ease.hands([0.16, apart, -0.02]).both_ears(0.4, 0.0).with(|s| {
            s.arms
                .iter_mut()
                .for_each(|arm| (arm.elbow, arm.curl, arm.shoulder) = (OUT, 0.0, [0.0, 0.25]));
            s.jaw = 0.25;
        })
    };
    reel.keys("clap", Keys::looping(0.7, vec![(0.0, clap(0.02)), (0.35, clap(-0.105))]), 1);
}
