//! What froblins do for a living: stand, eat, mine, lift, carry, sit and sleep.

use super::keys::Keys;
use super::list::{Reel, under_load};
use super::stance::{Foot, Stance};

const OUT: [f32; 3] = [-0.7, 1.0, -0.3];

pub(super) fn add(reel: &mut Reel) {
    idles(reel);
    eating(reel);
    mining(reel);
    carrying(reel);
    resting(reel);
}

/// Weight on one leg: 1 left, -1 right.
pub(super) fn weight(s: &mut Stance, side: f32) {
    s.hips[1] += 0.022 * side;
    s.hips_turn[0] += 0.06 * side;
    s.spine[0] -= 0.07 * side;
    s.head[0] -= 0.03 * side;
}

fn idles(reel: &mut Reel) {
    let ease = Stance::default();
    let left = ease.with(|s| weight(s, 1.0));
    let right = ease.with(|s| weight(s, -1.0));
    reel.keys("idle", Keys::looping(4.0, vec![(0.0, left), (2.0, right)]), 2);
    let curious = right.both_ears(0.3, 0.0).with(|s| {
        s.head = [0.22, -0.05, 0.3];
        s.eyes = [0.1, 0.25];
    });
    let tap = right.with(|s| s.feet[0].pitch = -0.35);
    reel.keys(
        "idle_tap",
        Keys::looping(
            3.2,
            vec![
                (0.0, right),
                (0.7, curious),
                (1.4, tap),
                (1.65, curious),
                (1.9, tap),
                (2.15, curious),
                (2.6, right),
            ],
        ),
        2,
    );
    let up = left.hand(1, [0.085, 0.05, 0.225], [-0.2, 1.0, -0.2]).with(|s| {
        s.head = [-0.2, 0.10, -0.15];
        s.arms[1].curl = 0.5;
        s.arms[1].shoulder = [0.35, 0.1];
    });
    let scratch = up.with(|s| {
        s.arms[1].at[0] += 0.028;
        s.arms[1].at[2] -= 0.028;
        s.ears[1] = [0.3, 0.2];
    });
    reel.keys(
        "idle_scratch",
        Keys::looping(
            3.6,
            vec![
                (0.0, left),
                (0.7, up),
                (0.95, scratch),
                (1.2, up),
                (1.45, scratch),
                (1.7, up),
                (1.95, scratch),
                (2.2, up),
                (2.9, left),
            ],
        ),
        2,
    );
    let wait = left.both_ears(-0.1, 0.1).hands([0.10, -0.04, -0.185]).with(|s| {
        s.arms.iter_mut().for_each(|arm| arm.elbow = [-0.8, 1.0, 0.0]);
        s.head[1] = 0.08;
    });
    let peek = wait.mirrored().with(|s| {
        s.head = [0.1, -0.1, 0.35];
        s.hips[2] += 0.012;
        s.feet.iter_mut().for_each(|foot| foot.pitch = 0.15);
    });
    reel.keys(
        "queue",
        Keys::looping(
            5.0,
            vec![(0.0, wait), (1.8, wait.mirrored()), (2.8, peek), (3.6, wait.mirrored())],
        ),
        3,
    );
    let look = |turn: f32| {
        ease.both_ears(0.25, 0.0).with(|s| {
            s.head[2] = turn;
            s.chest[2] = turn * 0.25;
            s.eyes[1] = turn * 0.5;
        })
    };
    reel.keys(
        "look_around",
        Keys::looping(
            4.4,
            vec![
                (0.0, ease),
                (0.8, look(0.8)),
                (1.6, look(0.75)),
                (2.5, look(-0.8)),
                (3.4, look(-0.7)),
            ],
        ),
        2,
    );
}

fn eating(reel: &mut Reel) {
    let ease = Stance::default();
    let hold = ease.hand(0, [0.150, -0.02, -0.115], OUT).with(|s| {
        s.arms[0].curl = 0.85;
        s.arms[0].turn = [0.3, -0.2, 0.0];
        s.head[1] = 0.08;
    });
    let mouth = |open: f32| {
        hold.hand(0, [0.150, -0.070, 0.055], [-0.2, 1.0, -0.7]).with(|s| {
            s.arms[0].shoulder = [0.2, 0.3];
            s.head = [0.0, -0.06, 0.12];
            s.jaw = open;
        })
    };
    let chew = |open: f32, size: f32| {
        hold.both_ears(0.1 + open, 0.0).with(|s| {
            s.jaw = open;
            s.head = [0.06, -0.02, 0.0];
            s.mushroom = size;
            s.belly = 0.03;
        })
    };
    let shrunk = |mut s: Stance, size: f32| {
        s.mushroom = size;
        s
    };
    reel.keys(
        "eat",
        Keys::looping(
            4.0,
            vec![
                (0.0, hold),
                (0.5, mouth(0.45)),
                (0.72, shrunk(mouth(0.05), 0.75)),
                (1.1, chew(0.16, 0.75)),
                (1.35, chew(0.02, 0.75)),
                (1.6, chew(0.16, 0.75)),
                (1.85, chew(0.02, 0.75)),
                (2.2, shrunk(mouth(0.45), 0.75)),
                (2.42, shrunk(mouth(0.05), 0.45)),
                (2.8, chew(0.16, 0.45)),
                (3.05, chew(0.02, 0.45)),
                (3.3, chew(0.16, 0.60)),
                (3.55, chew(0.02, 0.85)),
            ],
        ),
        2,
    )
    .props
    .push("mushroom");
    let stoop = ease.hand(0, [0.18, 0.0, -0.21], OUT).with(|s| {
        s.hips[2] = -0.10;
        s.hips_turn[1] = 0.35;
        s.spine[1] = 0.45;
        s.head[1] = -0.2;
        s.mushroom = 0.02;
    });
    reel.keys(
        "pick",
        Keys::once(vec![
            (0.0, shrunk(ease, 0.02)),
            (0.55, stoop),
            (0.75, shrunk(stoop, 1.0)),
            (1.3, hold),
        ]),
        1,
    )
    .props
    .push("mushroom");
}

fn mining(reel: &mut Reel) {
    let foot = |x: f32| Foot { at: [x, 0.0, 0.0], yaw: 0.1, ..Foot::default() };
    let wide = Stance::default().both_ears(0.0, 0.2).with(|s| {
        s.feet = [foot(0.075), foot(-0.075)];
        s.hips[2] = -0.048;
        s.arms.iter_mut().for_each(|arm| arm.curl = 1.0);
    });
    let ready = wide
        .hand(1, [0.145, 0.0, -0.12], OUT)
        .hand(0, [0.165, -0.11, -0.11], OUT)
        .with(|s| s.spine[1] = 0.12);
    let high = wide
        .hand(1, [0.02, -0.01, 0.235], [-0.3, 1.0, 0.1])
        .hand(0, [0.10, -0.12, 0.20], [0.1, 1.0, 0.0])
        .with(|s| {
            s.spine[1] = -0.20;
            s.chest = [0.0, -0.15, -0.25];
            s.head[1] = 0.05;
            s.hips[0] = -0.02;
            s.hips[2] = -0.026;
            s.arms[1].shoulder = [0.5, 0.0];
            s.arms[0].shoulder = [0.4, 0.3];
            s.pickaxe = -0.35;
        });
    let hit =
        wide.hand(1, [0.215, -0.03, -0.155], OUT).hand(0, [0.195, -0.10, -0.165], OUT).with(|s| {
            s.spine[1] = 0.42;
            s.chest = [0.0, 0.25, 0.15];
            s.head[1] = -0.25;
            s.hips = [0.03, 0.0, -0.075];
            s.jaw = 0.2;
            s.pickaxe = 0.5;
            s.ears = [[0.3, 0.5]; 2];
        });
    let back = hit.towards(&ready, 0.3).with(|s| s.pickaxe = 0.3);
    reel.keys(
        "mine",
        Keys::looping(
            1.5,
            vec![(0.0, ready), (0.5, high), (0.62, high), (0.80, hit), (0.95, back)],
        ),
        1,
    )
    .props
    .push("pickaxe");
    reel.keys(
        "mine_start",
        Keys::once(vec![
            (0.0, Stance::default()),
            (0.3, Stance::default().towards(&ready, 0.6)),
            (0.6, ready),
        ]),
        1,
    )
    .props
    .push("pickaxe");
    let wipe = wide.hand(0, [0.13, -0.07, 0.12], [0.0, 1.0, -0.3]).with(|s| {
        s.head = [0.1, 0.1, 0.1];
        s.arms[0].shoulder = [0.3, 0.2];
    });
    let across = wipe.with(|s| s.arms[0].at[1] += 0.09);
    reel.keys(
        "mine_rest",
        Keys::looping(2.4, vec![(0.0, wide), (0.6, wipe), (1.0, across), (1.6, wide)]),
        2,
    )
    .props
    .push("pickaxe");
}

fn carrying(reel: &mut Reel) {
    let ease = Stance::default();
    let bent = ease.hands([0.13, 0.03, -0.225]).with(|s| {
        s.hips = [-0.05, 0.0, -0.15];
        s.hips_turn[1] = 0.5;
        s.spine[1] = 0.5;
        s.head[1] = -0.35;
        s.arms.iter_mut().for_each(|arm| arm.curl = 0.9);
        s.sack = [0.60, 0.0, 0.20];
    });
    let heave = bent.hands([0.15, 0.0, -0.05]).with(|s| {
        s.hips = [0.0, 0.0, -0.06];
        s.hips_turn[1] = -0.05;
        s.spine[1] = -0.1;
        s.jaw = 0.25;
        s.sack = [0.575, 0.0, -0.10];
    });
    let over = heave.hand(1, [0.04, 0.06, 0.22], [0.0, 1.0, 0.2]).with(|s| {
        s.sack = [0.16, -0.30, 0.12];
        s.chest[2] = -0.3;
        s.arms[1].shoulder = [0.4, 0.0];
    });
    let carried = under_load(ease).with(|s| s.hips[2] = -0.034);
    reel.keys(
        "lift",
        Keys::once(vec![
            (0.0, ease.with(|s| s.sack = [0.62, 0.0, -0.38])),
            (0.6, bent),
            (0.8, bent),
            (1.25, heave),
            (1.65, over),
            (2.1, carried),
        ]),
        1,
    )
    .props
    .push("sack");
    reel.keys(
        "drop",
        Keys::once(vec![
            (0.0, carried),
            (0.4, over),
            (0.8, heave),
            (1.2, bent),
            (1.4, bent),
            (1.9, ease.with(|s| s.sack = [0.62, 0.0, -0.38])),
        ]),
        1,
    )
    .props
    .push("sack");
    let sag = carried.with(|s| {
        weight(s, 1.0);
        s.hips[2] -= 0.012;
    });
    reel.keys("carry", Keys::looping(2.4, vec![(0.0, sag), (1.2, sag.mirrored())]), 2)
        .props
        .push("sack");
}

fn resting(reel: &mut Reel) {
    let ease = Stance::default();
    let step = |x: f32| Foot { at: [x, 0.0, 0.0], yaw: 0.3, ..Foot::default() };
    let squat = ease.hands([0.16, 0.0, -0.10]).with(|s| {
        s.hips = [-0.09, 0.0, -0.19];
        s.spine[1] = 0.35;
        s.head[1] = -0.2;
    });
    let sitting = ease.hands([0.115, 0.035, -0.20]).both_ears(-0.15, 0.1).with(|s| {
        s.hips = [-0.10, 0.0, -0.275];
        s.hips_turn[1] = -0.12;
        s.spine[1] = 0.18;
        s.feet = [step(0.085), step(0.085)];
        s.feet.iter_mut().for_each(|foot| foot.pitch = -0.15);
    });
    reel.keys("sit_down", Keys::once(vec![(0.0, ease), (0.55, squat), (1.0, sitting)]), 1);
    let glance = sitting.with(|s| {
        s.head = [0.1, -0.05, 0.4];
        s.ears[0] = [0.2, 0.0];
        s.spine[0] = 0.04;
    });
    let wiggle = sitting.with(|s| s.feet[0].pitch = -0.5);
    reel.keys(
        "sit",
        Keys::looping(
            5.0,
            vec![
                (0.0, sitting),
                (1.4, glance),
                (2.4, sitting),
                (3.0, wiggle),
                (3.3, sitting),
                (3.6, wiggle),
                (4.0, sitting),
            ],
        ),
        2,
    );
    reel.keys("get_up", Keys::once(vec![(0.0, sitting), (0.45, squat), (0.9, ease)]), 1);
    // On its back, belly up, knees drawn, hands on the belly.
    let lying = sitting.hands([0.105, -0.045, -0.17]).both_ears(-0.5, 0.2).with(|s| {
        s.hips = [-0.06, 0.0, -0.255];
        s.hips_turn[1] = -1.54;
        s.spine[1] = -0.06;
        s.chest[1] = 0.0;
        s.head[1] = 0.10;
        s.feet = [step(0.12), step(0.12)];
        s.arms.iter_mut().for_each(|arm| arm.elbow = [-0.3, 1.0, -0.2]);
    });
    let halfway = sitting.towards(&lying, 0.5).hands([-0.06, 0.12, -0.22]);
    reel.keys("lie_down", Keys::once(vec![(0.0, sitting), (0.6, halfway), (1.2, lying)]), 1);
    let snore = lying.with(|s| {
        s.belly = 0.06;
        s.jaw = 0.30;
        s.ears = [[-0.35, 0.1], [-0.5, 0.25]];
    });
    reel.keys("sleep", Keys::looping(3.6, vec![(0.0, lying), (1.5, snore), (1.9, snore)]), 1);
    reel.keys("wake", Keys::once(vec![(0.0, lying), (0.5, halfway), (1.0, sitting)]), 1);
}
