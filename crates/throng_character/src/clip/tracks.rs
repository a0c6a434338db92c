//! Keys of one joint, as glTF has them: steps, straight lines or cubic splines.

use glam::{Quat, Vec3, Vec4};

use crate::rig::Transform;

/// How it goes from key to key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Stays until the next.
    Step,
    /// Straight; turns along the shortest arc.
    Linear,
    /// Hermite, with a tangent before and after each key.
    Cubic,
}

/// What the keys are.
#[derive(Clone, Debug)]
pub enum Channel {
    /// Places; three per key if cubic (tangent in, value, tangent out).
    Translation(Vec<Vec3>),
    /// Turns, likewise.
    Rotation(Vec<Quat>),
    /// Sizes, likewise.
    Scale(Vec<Vec3>),
}

/// Keys of a joint. There is at least one, and times rise.
#[derive(Clone, Debug)]
pub struct Track {
    /// Which joint.
    pub joint: usize,
    /// When, in seconds.
    pub times: Vec<f32>,
    /// From key to key.
    pub interpolation: Interpolation,
    /// The values.
    pub channel: Channel,
}

impl Track {
    /// Sets what the track moves.
    pub fn apply(&self, time: f32, joint: &mut Transform) {
        match &self.channel {
            Channel::Translation(keys) => {
                joint.translation = self.vector(keys, time).unwrap_or(joint.translation);
            }
            Channel::Scale(keys) => joint.scale = self.vector(keys, time).unwrap_or(joint.scale),
            Channel::Rotation(keys) => {
                joint.rotation = self.turn(keys, time).unwrap_or(joint.rotation);
            }
        }
    }

    /// The two keys around a time, the share of the second, and seconds between them.
    fn around(&self, time: f32) -> (usize, usize, f32, f32) {
        let after = self.times.partition_point(|t| *t <= time);
        if after == 0 || after == self.times.len() {
            let only = after.saturating_sub(1);
            return (only, only, 0.0, 0.0);
        }
        let (a, b) = (self.times[after - 1], self.times[after]);
        (after - 1, after, (time - a) / (b - a).max(1e-9), b - a)
    }

    fn vector(&self, keys: &[Vec3], time: f32) -> Option<Vec3> {
        let (a, b, s, span) = self.around(time);
        match self.interpolation {
            Interpolation::Step => keys.get(a).copied(),
            Interpolation::Linear => Some(keys.get(a)?.lerp(*keys.get(b)?, s)),
            Interpolation::Cubic => {
                let [p, out, into, q] = cubic_keys(keys, a, b)?;
                Some(hermite([p, out, into, q].map(|v| v.extend(0.0)), s, span).truncate())
            }
        }
    }

    fn turn(&self, keys: &[Quat], time: f32) -> Option<Quat> {
        let (a, b, s, span) = self.around(time);
        match self.interpolation {
            Interpolation::Step => keys.get(a).copied(),
            Interpolation::Linear => Some(keys.get(a)?.slerp(*keys.get(b)?, s)),
            Interpolation::Cubic => {
                let four = cubic_keys(keys, a, b)?.map(|q| Vec4::from(q.to_array()));
                let v = hermite(four, s, span);
                Some(Quat::from_vec4(v.try_normalize()?))
            }
        }
    }
}

/// Value and tangent out of one key, tangent into and value of the next.
fn cubic_keys<T: Copy>(keys: &[T], a: usize, b: usize) -> Option<[T; 4]> {
    let get = |i: usize| keys.get(i).copied();
    Some([get(a * 3 + 1)?, get(a * 3 + 2)?, get(b * 3)?, get(b * 3 + 1)?])
}

fn hermite([p, out, into, q]: [Vec4; 4], s: f32, span: f32) -> Vec4 {
    let (s2, s3) = (s * s, s * s * s);
    p * (2.0 * s3 - 3.0 * s2 + 1.0)
        + out * (span * (s3 - 2.0 * s2 + s))
        + q * (3.0 * s2 - 2.0 * s3)
        + into * (span * (s3 - s2))
}
