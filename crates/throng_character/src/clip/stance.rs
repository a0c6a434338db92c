//! What an animator sets: some forty numbers that say how a froblin stands. Between two stances lies a third.

use glam::Vec3;

/// Where a foot is, against where it stands at rest.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Foot {
    /// Moved by.
    pub at: [f32; 3],
    /// Heel up is positive (about the ball), toes up negative (about the heel); radians.
    pub pitch: f32,
    /// Turned outwards.
    pub yaw: f32,
    /// Toes bent up, beyond what keeps them flat while the heel is up.
    pub toes: f32,
}

/// An arm.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Arm {
    /// Wrist from the shoulder, in the frame of the chest; y is away from the body on either side.
    pub at: [f32; 3],
    /// Where the elbow points, likewise.
    pub elbow: [f32; 3],
    /// Turn of the hand about its own axes; outwards is positive on either side.
    pub turn: [f32; 3],
    /// How far the fingers are closed, 0 to 1.
    pub curl: f32,
    /// Shoulder raised and brought forward, radians.
    pub shoulder: [f32; 2],
}

/// How a froblin stands. Turns are by angles about x (roll), y (pitch, forward positive) and z (to the left).
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Stance {
    /// Hips moved by.
    pub hips: [f32; 3],
    /// Hips turned by.
    pub hips_turn: [f32; 3],
    /// Spine turned by.
    pub spine: [f32; 3],
    /// Chest turned by.
    pub chest: [f32; 3],
    /// Head turned by, a third of it in the neck.
    pub head: [f32; 3],
    /// Mouth open, radians.
    pub jaw: f32,
    /// Eyes turned up and to the left.
    pub eyes: [f32; 2],
    /// Ears raised and laid back, left then right.
    pub ears: [[f32; 2]; 2],
    /// Belly pushed out (share of its size).
    pub belly: f32,
    /// Left and right.
    pub arms: [Arm; 2],
    /// Left and right.
    pub feet: [Foot; 2],
    /// The sack moved by.
    pub sack: [f32; 3],
    /// The mushroom's size: it is eaten.
    pub mushroom: f32,
    /// Pickaxe pitched about the hand.
    pub pickaxe: f32,
}

/// An arm that hangs.
pub const HANGING: Arm = Arm {
    at: [0.035, 0.085, -0.245],
    elbow: [-1.0, 0.55, 0.0],
    turn: [0.0; 3],
    curl: 0.35,
    shoulder: [0.0; 2],
};

impl Default for Stance {
    /// Stands at ease, knees a little bent.
    fn default() -> Self {
        let zero: Self = bytemuck::Zeroable::zeroed();
        Self {
            hips: [0.0, 0.0, -0.018],
            arms: [HANGING; 2],
            spine: [0.0, 0.04, 0.0],
            mushroom: 1.0,
            feet: [Foot { yaw: 0.12, ..Foot::default() }; 2],
            ..zero
        }
    }
}

impl Stance {
    fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    fn combine(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = *self;
        let to: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
        to.iter_mut().zip(other.numbers()).for_each(|(a, b)| *a = f(*a, *b));
        out
    }

    /// Part of the way to another stance.
    #[must_use]
    pub fn towards(&self, other: &Self, share: f32) -> Self {
        self.combine(other, |a, b| a + (b - a) * share)
    }

    /// By a Hermite curve with given slopes (per share of the way).
    pub(super) fn hermite(p: &Self, m: &Self, q: &Self, n: &Self, s: f32) -> Self {
        let (s2, s3) = (s * s, s * s * s);
        let start = p.combine(m, |p, m| p * (2.0 * s3 - 3.0 * s2 + 1.0) + m * (s3 - 2.0 * s2 + s));
        let end = q.combine(n, |q, n| q * (3.0 * s2 - 2.0 * s3) + n * (s3 - s2));
        start.combine(&end, |a, b| a + b)
    }

    /// The difference to another, times a factor: a slope.
    pub(super) fn slope(before: &Self, after: &Self, factor: f32) -> Self {
        before.combine(after, |a, b| (b - a) * factor)
    }

    /// Changes a copy.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.arms.swap(0, 1);
        self.feet.swap(0, 1);
        self.ears.swap(0, 1);
        for turn in [&mut self.hips_turn, &mut self.spine, &mut self.chest, &mut self.head] {
            turn[0] = -turn[0];
            turn[2] = -turn[2];
        }
        for foot in &mut self.feet {
            foot.at[1] = -foot.at[1];
        }
        self.hips[1] = -self.hips[1];
        self.eyes[1] = -self.eyes[1];
        self
    }

    /// Both wrists at a place from the shoulders.
    #[must_use]
    pub fn hands(mut self, at: [f32; 3]) -> Self {
        self.arms.iter_mut().for_each(|arm| arm.at = at);
        self
    }

    /// One wrist (0 left, 1 right) at a place from its shoulder, with the elbow towards somewhere.
    #[must_use]
    pub fn hand(mut self, side: usize, at: [f32; 3], elbow: [f32; 3]) -> Self {
        self.arms[side].at = at;
        self.arms[side].elbow = elbow;
        self
    }

    /// Both ears raised and laid back.
    #[must_use]
    pub fn both_ears(mut self, raised: f32, back: f32) -> Self {
        self.ears = [[raised, back]; 2];
        self
    }

    /// Breath: small and slow, on top of everything.
    #[must_use]
    pub fn breathing(mut self, phase: f32, depth: f32) -> Self {
        let wave = (phase * std::f32::consts::TAU).sin() * depth;
        self.belly += 0.035 * wave;
        self.chest[1] -= 0.020 * wave;
        self.head[1] += 0.012 * wave;
        self.arms.iter_mut().for_each(|arm| arm.shoulder[0] += 0.03 * wave);
        self.hips[2] += 0.0015 * wave;
        self
    }

    /// Sum of the hips' move as a vector.
    #[must_use]
    pub fn hips_at(&self) -> Vec3 {
        self.hips.into()
    }
}
