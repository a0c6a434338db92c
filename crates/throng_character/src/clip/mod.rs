//! Motion: clips as exact functions of time, made by code or read from keys.

pub mod actions;
pub mod gait;
pub mod gestures;
pub mod ghost;
pub mod ik;
pub mod keys;
pub mod list;
pub mod pose;
pub mod stance;
pub mod tracks;

use std::fmt;
use std::sync::Arc;

use crate::rig::{Skeleton, Transform};
use tracks::Track;

/// A pose per joint, in parents.
pub type Pose = Vec<Transform>;

/// How joints move.
#[derive(Clone)]
pub enum Motion {
    /// By a function of seconds within the clip.
    Code(Arc<dyn Fn(f32) -> Pose + Send + Sync>),
    /// By keys per joint; joints without stay at rest.
    Tracks(Vec<Track>),
}

impl fmt::Debug for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(_) => f.write_str("Code"),
            Self::Tracks(tracks) => f.debug_tuple("Tracks").field(&tracks.len()).finish(),
        }
    }
}

/// A motion with a name.
#[derive(Clone, Debug)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// Seconds.
    pub duration: f32,
    /// Goes on from its beginning; else it stays at its end.
    pub looping: bool,
    /// How far the body goes in one round, in body heights: its time follows the distance walked. `None`: it
    /// follows the clock.
    pub stride: Option<f32>,
    /// Seconds over which to fade from what was played before.
    pub blend: f32,
    /// Zones that are only there in this clip (the load of somebody who carries), by name.
    pub props: Vec<&'static str>,
    /// How it moves.
    pub motion: Motion,
}

impl Clip {
    /// The exact pose at a time; times wrap or stay at the end.
    #[must_use]
    pub fn pose(&self, skeleton: &Skeleton, time: f32) -> Pose {
        let time = self.within(time);
        match &self.motion {
            Motion::Code(function) => function(time),
            Motion::Tracks(tracks) => {
                let mut pose = skeleton.rest();
                for track in tracks {
                    if let Some(joint) = pose.get_mut(track.joint) {
                        track.apply(time, joint);
                    }
                }
                pose
            }
        }
    }

    /// A time brought into the clip.
    #[must_use]
    pub fn within(&self, time: f32) -> f32 {
        match self.looping && self.duration > 0.0 {
            true => time.rem_euclid(self.duration),
            false => time.clamp(0.0, self.duration),
        }
    }

    /// Seconds into the clip for somebody who has walked this far, in body heights; for clips without a
    /// stride, `None`.
    #[must_use]
    pub fn time_of_distance(&self, distance: f32) -> Option<f32> {
        self.stride.map(|stride| (distance / stride).rem_euclid(1.0) * self.duration)
    }
}
