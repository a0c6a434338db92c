//! The host side of avoidance on the GPU.

use throng_world::params::AvoidParams;

use super::neighbours::{HEAD_ON, MOST, MOST_CANDIDATES, SIDE_SHARPNESS, TOUCHING};
use super::throng::{
    self, DETOUR, FAN, FAR, FREE, INTO, ROUNDABOUT, STEP_OFF, SLOW, ALONG_WALL, SHARP_TURN,
};
use crate::gpu::constants::Named;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("FAN", (FAN as u32).into()),
        ("MOST_NEIGHBOURS", (MOST as u32).into()),
        ("MOST_CANDIDATES", (MOST_CANDIDATES as u32).into()),
        ("HEAD_ON", HEAD_ON.into()),
        ("SIDE_SHARPNESS", SIDE_SHARPNESS.into()),
        ("TOUCHING", TOUCHING.into()),
        ("DETOUR", DETOUR.into()),
        ("ROUNDABOUT", ROUNDABOUT.into()),
        ("STEP_OFF", STEP_OFF.into()),
        ("FAR_AHEAD", FAR.into()),
        ("INTO", INTO.into()),
        ("FREE_AHEAD", FREE.into()),
        ("SLOW_WALK", SLOW.into()),
        ("ALONG_WALL", ALONG_WALL.into()),
        ("SHARP_TURN", SHARP_TURN.into()),
    ]
}

/// The usual and the wide fan: sines and cosines of eight directions, and for each of seven the six
/// numbers of its parabola.
pub(crate) fn fans(params: &AvoidParams) -> [Vec<u32>; 2] {
    throng::Model::new(params, 1.0).fans().map(|fan| fan.into_iter().map(f32::to_bits).collect())
}
