//! Cameras: where one stands, where one looks, how wide.

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::RenderError;

/// A camera in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is (metres).
    pub eye: Vec3,
    /// Direction on the ground, in radians from the x axis towards the y axis.
    pub yaw: f32,
    /// Up from the horizon, in radians.
    pub pitch: f32,
    /// Angle from the lower to the upper edge of the picture, in radians.
    pub fov: f32,
    /// Nothing nearer than this is drawn (metres).
    pub near: f32,
}

impl Camera {
    /// A camera at `eye` that looks at `target`, with an angle of 50°.
    #[must_use]
    pub fn looking_at(eye: Vec3, target: Vec3) -> Self {
        let d = target - eye;
        let yaw = if d.truncate() == Vec2::ZERO { 0.0 } else { d.y.atan2(d.x) };
        let pitch = d.z.atan2(d.truncate().length());
        Self { eye, yaw, pitch, ..Self::default() }
    }

    /// With another angle from the lower to the upper edge, in radians.
    #[must_use]
    pub fn with_fov(self, fov: f32) -> Self {
        Self { fov, ..self }
    }

    /// That it can be drawn with.
    ///
    /// # Errors
    /// A number that is none, an angle out of range.
    pub fn check(&self) -> Result<(), RenderError> {
        let bad = |what, value: String, right| Err(RenderError::Camera { what, value, right });
        if !self.eye.is_finite() {
            return bad("position", self.eye.to_string(), "three finite numbers");
        }
        if !(self.yaw.is_finite() && self.pitch.is_finite()) {
            let value = format!("{}, {}", self.yaw, self.pitch);
            return bad("direction", value, "two finite angles");
        }
        if !(0.01..=3.0).contains(&self.fov) {
            return bad("angle", self.fov.to_string(), "from 0.01 to 3 radians");
        }
        if !(self.near > 0.0 && self.near.is_finite()) {
            return bad("near plane", self.near.to_string(), "a positive distance");
        }
        Ok(())
    }

    /// Forward, right and up, of length 1.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 3] {
        let (sin, cos) = self.yaw.sin_cos();
        let (rise, run) = self.pitch.sin_cos();
        let forward = Vec3::new(cos * run, sin * run, rise);
        let right = Vec3::new(sin, -cos, 0.0);
        [forward, right, right.cross(forward)]
    }

    /// Half the width and height of the picture at distance 1.
    #[must_use]
    pub fn half_extent(&self, aspect: f32) -> Vec2 {
        let height = (self.fov * 0.5).tan();
        Vec2::new(height * aspect, height)
    }

    /// World to clip space, depth from 1 at the near plane to 0 at infinity: floats are then as fine
    /// far away as they are near.
    #[must_use]
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let [forward, right, up] = self.axes();
        let view_from_world =
            Mat4::from_cols(right.extend(0.0), up.extend(0.0), (-forward).extend(0.0), Vec4::W)
                .transpose()
                * Mat4::from_translation(-self.eye);
        let half = self.half_extent(aspect);
        let clip_from_view =
            Mat4::from_cols(Vec4::X / half.x, Vec4::Y / half.y, -Vec4::W, Vec4::Z * self.near);
        clip_from_view * view_from_world
    }

    /// The half spaces that hold all it sees: (n, d) with n·p + d ≥ 0 inside, n of length 1. Left,
    /// right, lower, upper, near; there is no far plane.
    #[must_use]
    pub fn planes(&self, aspect: f32) -> [Vec4; 5] {
        let [forward, right, up] = self.axes();
        let half = self.half_extent(aspect);
        let plane = |n: Vec3, offset: f32| {
            let n = n.normalize();
            n.extend(-n.dot(self.eye) - offset)
        };
        [
            plane(forward * half.x + right, 0.0),
            plane(forward * half.x - right, 0.0),
            plane(forward * half.y + up, 0.0),
            plane(forward * half.y - up, 0.0),
            plane(forward, self.near),
        ]
    }
}

impl Default for Camera {
    fn default() -> Self {
        Self { eye: Vec3::Z * 1.7, yaw: 0.0, pitch: 0.0, fov: 50_f32.to_radians(), near: 0.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::Camera;
    use glam::Vec3;

    /// If this fails, pictures are mirrored, upside down, or show another place.
    #[test]
    fn what_is_right_of_the_way_is_right_in_the_picture() {
        let camera = Camera::looking_at(Vec3::new(0.0, -10.0, 2.0), Vec3::new(0.0, 0.0, 2.0));
        let clip = camera.clip_from_world(1.5);
        let seen = |p: Vec3| clip.project_point3(p);
        assert!(seen(Vec3::new(0.0, 0.0, 2.0)).truncate().length() < 1e-6);
        assert!(seen(Vec3::new(1.0, 0.0, 2.0)).x > 0.05);
        assert!(seen(Vec3::new(0.0, 0.0, 3.0)).y > 0.05);
        let (near, far) = (seen(Vec3::new(0.0, -9.8, 2.0)).z, seen(Vec3::Y * 1e4).z);
        assert!(near < 1.0 && near > 0.4 && far > 0.0 && far < 1e-4);
    }

    /// If this fails, culling removes what is seen.
    #[test]
    fn planes_agree_with_the_picture() {
        let camera = Camera::looking_at(Vec3::new(3.0, 5.0, 8.0), Vec3::new(20.0, -4.0, 1.0));
        let (clip, planes) = (camera.clip_from_world(1.3), camera.planes(1.3));
        for i in 0..2000_u32 {
            let at = |k: u32| (f64::from(i) * f64::from(k) * 0.618).fract() as f32 * 60.0 - 30.0;
            let p = Vec3::new(at(1), at(7), at(13));
            let c = clip * p.extend(1.0);
            let seen = c.w > 0.0 && c.x.abs() < c.w && c.y.abs() < c.w && c.z < c.w;
            let inside = planes.iter().all(|plane| plane.dot(p.extend(1.0)) >= 0.0);
            let border = planes.iter().any(|plane| plane.dot(p.extend(1.0)).abs() < 1e-3);
            assert!(seen == inside || border, "{p}");
        }
    }

    /// If this fails, a camera that is no camera fills the picture with nonsense.
    #[test]
    fn nonsense_is_refused() {
        let camera = Camera::default();
        assert!(camera.check().is_ok());
        assert!(Camera { yaw: f32::NAN, ..camera }.check().is_err());
        assert!(Camera { near: 0.0, ..camera }.check().is_err());
        assert!(camera.with_fov(4.0).check().is_err());
        assert!(Camera { eye: Vec3::INFINITY, ..camera }.check().is_err());
    }
}
