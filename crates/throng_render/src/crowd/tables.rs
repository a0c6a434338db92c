//! What bodies look like by group, and how they hold themselves by action.

use glam::{Vec3, Vec4};
use throng_gpu::{Buffer, GpuError, Pool};
use throng_world::World;
use throng_world::world::Seek;

/// Groups and actions are bytes.
const ROWS: usize = 256;

/// How a body holds itself; the numbers of the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pose {
    Walk = 0,
    Run = 1,
    Stand = 2,
    Work = 3,
    Sit = 4,
    Lie = 5,
}

/// Colours of groups and poses of actions, on the GPU.
#[derive(Debug)]
pub(crate) struct Tables {
    /// 256 rows of groups (colour, height), then 256 of actions (pose, strides per second, 0, 0).
    pub(crate) rows: Buffer,
    /// The greatest height of a body, with its spread.
    pub(crate) tallest: f32,
}

/// Usual height of people (metres).
const HEIGHT: f32 = 1.72;
/// Everybody's height differs by at most this share.
pub(crate) const SPREAD: f32 = 0.1;

impl Tables {
    /// `heights` are those of groups, where they have any of their own.
    pub(crate) fn new(
        pool: &Pool,
        world: &World,
        heights: &[Option<f32>],
    ) -> Result<Self, GpuError> {
        let mut rows = vec![Vec4::new(0.4, 0.4, 0.4, HEIGHT); 2 * ROWS];
        for (i, (row, group)) in rows.iter_mut().zip(&world.groups).enumerate() {
            let height = heights.get(i).copied().flatten().unwrap_or(HEIGHT);
            *row = linear(group.color).extend(height);
        }
        for (row, action) in rows[ROWS..].iter_mut().zip(&world.actions) {
            let pose = pose(&action.clip, action.seek);
            let strides = 0.95 * action.speed.clamp(0.4, 1.6);
            *row = Vec4::new(f32::from(pose as u8), strides, 0.0, 0.0);
        }
        if world.actions.is_empty() {
            rows[ROWS..].fill(Vec4::new(f32::from(Pose::Walk as u8), 0.95, 0.0, 0.0));
        }
        Ok(Self {
            rows: pool.array_of("groups and actions", &rows)?,
            tallest: HEIGHT * (1.0 + SPREAD),
        })
    }
}

fn pose(clip: &str, seek: Seek) -> Pose {
    match clip {
        "run" => Pose::Run,
        "wait" | "stand" | "queue" | "idle" => Pose::Stand,
        "eat" | "mine" | "drop" | "work" => Pose::Work,
        "sit" | "rest" => Pose::Sit,
        "sleep" | "lie" => Pose::Lie,
        _ if seek == Seek::Nothing => Pose::Stand,
        _ => Pose::Walk,
    }
}

/// sRGB bytes to linear light.
pub(crate) fn linear(colour: [u8; 3]) -> Vec3 {
    Vec3::from_array(colour.map(|byte| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }))
}
