//! A view: a camera and a target, the unit of work. The picture and each shadow split are views; all
//! cull, pick detail and draw alike, from the same uniform.

use glam::{Mat4, Vec3, Vec4};
use throng_gpu::Module;

use crate::Camera;

/// Imported as `throng_render::view`; group 0 of all that draws.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::view", source: include_str!("view.wgsl") };

/// Planes of a view; unused ones hold everything.
pub(crate) const PLANES: usize = 6;

/// A view as shaders see it.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct View {
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Half spaces that hold all that is seen: n·p + d ≥ 0.
    pub planes: [Vec4; PLANES],
    /// Where the camera is; and the near plane.
    pub eye: Vec3,
    /// Distance of the near plane, 0 for parallel views.
    pub near: f32,
    /// Forward.
    pub forward: Vec3,
    /// Seconds, for what moves by itself.
    pub time: f32,
    /// To the right edge of the picture at distance 1.
    pub right: Vec3,
    /// Pixels across.
    pub width: f32,
    /// To the upper edge of the picture at distance 1.
    pub up: Vec3,
    /// Pixels down.
    pub height: f32,
    /// Where the eye of the picture is, also in shadow views: detail is picked for it.
    pub focus: Vec3,
    /// Height of that eye above the ground: its distance to the ground below.
    pub focus_height: f32,
}

impl View {
    /// The view of a picture of so many pixels.
    #[must_use]
    pub fn picture(camera: &Camera, [width, height]: [u32; 2], time: f32) -> Self {
        let (width, height) = (width as f32, height as f32);
        let aspect = width / height;
        let [forward, right, up] = camera.axes();
        let half = camera.half_extent(aspect);
        let mut planes = [Vec4::W; PLANES];
        planes[..5].copy_from_slice(&camera.planes(aspect));
        Self {
            clip_from_world: camera.clip_from_world(aspect),
            planes,
            eye: camera.eye,
            near: camera.near,
            forward,
            time,
            right: right * half.x,
            width,
            up: up * half.y,
            height,
            focus: camera.eye,
            focus_height: 0.0,
        }
    }

    /// Whether a box may be seen.
    #[must_use]
    pub fn may_see(&self, min: Vec3, max: Vec3) -> bool {
        self.planes.iter().all(|plane| {
            let n = plane.truncate();
            let farthest = Vec3::select(n.cmpge(Vec3::ZERO), max, min);
            n.dot(farthest) + plane.w >= 0.0
        })
    }
}
