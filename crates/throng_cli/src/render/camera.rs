//! `--camera`: a name or five numbers.

use crate::failure::Failure;
use glam::Vec2;
use throng::World;
use throng_crowd::Instance;
use throng_render::{Camera, SHOTS, Shot};

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CameraChoice {
    Named(Shot),
    /// x, y, height above ground (metres), yaw, pitch (degrees).
    At([f32; 5]),
}

impl std::str::FromStr for CameraChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(shot) = Shot::named(text) {
            return Ok(Self::Named(shot));
        }
        let numbers: Result<Vec<f32>, _> =
            text.split(',').map(|part| part.trim().parse()).collect();
        let numbers = numbers.ok().and_then(|numbers| <[f32; 5]>::try_from(numbers).ok());
        let finite = |n: &[f32; 5]| n.iter().all(|n| n.is_finite()) && n[4].abs() <= 90.0;
        numbers
            .filter(finite)
            .map(Self::At)
            .ok_or_else(|| format!("must be one of {SHOTS}, or x,y,z,yaw,pitch"))
    }
}

impl CameraChoice {
    /// Whether it moves with somebody.
    pub(super) fn follows(self) -> bool {
        matches!(self, Self::Named(Shot::Follow(_)))
    }

    pub(crate) fn camera(self, world: &World, agents: &[Instance]) -> Result<Camera, Failure> {
        match self {
            Self::Named(shot) => shot.camera(world, agents).ok_or_else(|| {
                let there = agents.len();
                Failure::Usage(format!("--camera: nobody of that number is there ({there} are)"))
            }),
            Self::At([x, y, z, yaw, pitch]) => {
                let ground = world.ground_height(Vec2::new(x, y));
                Ok(Camera {
                    eye: glam::Vec3::new(x, y, ground + z),
                    yaw: yaw.to_radians(),
                    pitch: pitch.to_radians(),
                    ..Camera::default()
                })
            }
        }
    }
}
