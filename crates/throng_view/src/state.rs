//! What the window keeps for itself: camera, tool, overlay, whom one looks at. Nothing of it changes the crowd.

use throng::AgentId;
use throng_render::Camera;

use crate::{Layer, Rig, Tool};

/// How somebody looks at a crowd.
#[derive(Clone, Debug)]
pub struct ViewState {
    /// The camera and how it is moved.
    pub rig: Rig,
    /// What a click means.
    pub tool: Tool,
    /// What is laid over the picture.
    pub layer: Layer,
    /// Whose fields are shown: a group and a goal, by their places in the world.
    pub field: (u8, u16),
    /// Whether places of goals are outlined.
    pub goals: bool,
    /// Whom one has clicked.
    pub selected: Option<AgentId>,
    /// The camera by which was culled, for [`Layer::Culled`].
    pub frozen: Option<Camera>,
    /// Whether the panel is shown.
    pub panel: bool,
    /// Wind and recovery of the grass, once somebody has moved a slider.
    pub grass: Option<GrassTuning>,
}

/// Wind and recovery of the grass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrassTuning {
    /// How far wind bends tips (radians).
    pub strength: f32,
    /// How fast it travels (metres per second).
    pub speed: f32,
    /// Seconds until grass that was trodden on stands again.
    pub recovery: f32,
}

impl ViewState {
    /// A plain look.
    #[must_use]
    pub fn new(rig: Rig) -> Self {
        Self {
            rig,
            tool: Tool::Look,
            layer: Layer::None,
            field: (0, 0),
            goals: false,
            selected: None,
            frozen: None,
            panel: true,
            grass: None,
        }
    }

    /// Lays something else over the picture. For [`Layer::Culled`] the camera is frozen where it is.
    pub fn set_layer(&mut self, layer: Layer) {
        if layer != self.layer {
            self.frozen = (layer == Layer::Culled).then(|| self.rig.camera());
            self.layer = layer;
        }
    }
}
