//! Cameras that hands move: around a point, freely, or with somebody.

use glam::{Vec2, Vec3};
use throng_render::Camera;
use throng_world::World;

/// How the camera is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigMode {
    /// Around a point on the ground.
    Orbit,
    /// Freely, by keys and a look around.
    Fly,
    /// Around somebody who walks.
    Follow,
}

/// A camera and what it turns around.
#[derive(Clone, Debug)]
pub struct Rig {
    mode: RigMode,
    camera: Camera,
    /// What it turns around, and how far away that is.
    focus: Vec3,
    distance: f32,
}

/// Radians to a pixel.
const TURN: f32 = 0.005;
/// Steepest look up and down.
const STEEPEST: f32 = 1.53;
/// Nearer than this to the ground the camera does not come (metres).
const CLEARANCE: f32 = 0.6;
/// Distance to somebody who is followed, at first.
const FOLLOW: f32 = 7.0;

impl Rig {
    /// A rig that begins where a camera is.
    #[must_use]
    pub fn new(camera: Camera, world: &World) -> Self {
        let mut rig = Self { mode: RigMode::Orbit, camera, focus: camera.eye, distance: 20.0 };
        rig.look_for_focus(world);
        rig
    }

    /// The camera now.
    #[must_use]
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// How it is moved.
    #[must_use]
    pub fn mode(&self) -> RigMode {
        self.mode
    }

    /// What it turns around.
    #[must_use]
    pub fn focus(&self) -> Vec3 {
        self.focus
    }

    /// Moves it another way from now on; the picture does not jump.
    pub fn set_mode(&mut self, mode: RigMode, world: &World) {
        if mode != self.mode {
            self.mode = mode;
            match mode {
                RigMode::Orbit => self.look_for_focus(world),
                RigMode::Follow => self.distance = self.distance.min(FOLLOW),
                RigMode::Fly => {}
            }
        }
    }

    /// Puts it where another camera is.
    pub fn jump(&mut self, camera: Camera, world: &World) {
        self.camera = camera;
        if self.mode == RigMode::Follow {
            self.mode = RigMode::Orbit;
        }
        self.look_for_focus(world);
    }

    /// Finds where the middle of the picture meets the ground.
    fn look_for_focus(&mut self, world: &World) {
        let forward = self.camera.axes()[0];
        let ray = crate::Ray { from: self.camera.eye, along: forward };
        let size = world.bounds().size().max_element();
        self.focus = crate::pick_ground(world, &ray)
            .unwrap_or(self.camera.eye + forward * (0.25 * size).max(5.0));
        self.distance = self.focus.distance(self.camera.eye).max(1.0);
    }

    /// Turns by so many pixels of a drag.
    pub fn turn(&mut self, pixels: Vec2, world: &World) {
        self.camera.yaw -= pixels.x * TURN;
        self.camera.pitch = (self.camera.pitch - pixels.y * TURN).clamp(-STEEPEST, STEEPEST);
        if self.mode != RigMode::Fly {
            // Around a point one looks down on it.
            self.camera.pitch = self.camera.pitch.min(0.25);
            self.place(world);
        }
    }

    /// Shifts by so many pixels of a drag: the ground keeps to the hand.
    pub fn pan(&mut self, pixels: Vec2, height: f32, world: &World) {
        let [forward, right, _] = self.camera.axes();
        let ahead = forward.truncate().normalize_or(Vec2::X);
        let metres = 2.0 * (self.camera.fov * 0.5).tan() * self.distance / height.max(1.0);
        let shift = (ahead * pixels.y - right.truncate() * pixels.x) * metres;
        match self.mode {
            RigMode::Orbit => {
                let bounds = world.bounds();
                let to = (self.focus.truncate() + shift).clamp(bounds.min, bounds.max);
                self.focus = to.extend(world.ground_height(to));
                self.place(world);
            }
            RigMode::Fly => self.camera.eye += shift.extend(0.0),
            RigMode::Follow => {}
        }
    }

    /// Comes nearer by so many notches, or goes away.
    pub fn zoom(&mut self, notches: f32, world: &World) {
        if self.mode == RigMode::Fly {
            let by = self.camera.axes()[0] * notches * (0.08 * self.distance).max(0.5);
            self.camera.eye += by;
            self.keep_above(world);
            return;
        }
        let most = 3.0 * world.bounds().size().max_element() + 20.0;
        self.distance = (self.distance * 0.88_f32.powf(notches)).clamp(1.5, most);
        self.place(world);
    }

    /// Flies for so many seconds; `keys` are right, ahead and up, each -1 to 1.
    pub fn fly(&mut self, keys: Vec3, seconds: f32, fast: bool, world: &World) {
        if keys == Vec3::ZERO {
            return;
        }
        self.set_mode(RigMode::Fly, world);
        let [forward, right, _] = self.camera.axes();
        // Quicker high above the ground, where metres are small.
        let above = self.camera.eye.z - world.ground_height(self.camera.eye.truncate());
        let speed = (above.max(3.0) * 0.8) * if fast { 4.0 } else { 1.0 };
        self.camera.eye += (right * keys.x + forward * keys.y + Vec3::Z * keys.z) * speed * seconds;
        self.keep_above(world);
    }

    /// Where the one who is followed is now.
    pub fn follow(&mut self, at: Vec3, world: &World) {
        if self.mode == RigMode::Follow {
            self.focus = at + Vec3::Z * 1.2;
            self.place(world);
        }
    }

    /// Puts the eye where it belongs around the focus.
    fn place(&mut self, world: &World) {
        self.camera.eye = self.focus - self.camera.axes()[0] * self.distance;
        self.keep_above(world);
    }

    fn keep_above(&mut self, world: &World) {
        let ground = world.ground_height(self.camera.eye.truncate());
        self.camera.eye.z = self.camera.eye.z.max(ground + CLEARANCE);
    }
}

#[cfg(test)]
mod tests {
    use super::{Rig, RigMode};
    use glam::{Vec2, Vec3};
    use throng_render::Camera;
    use throng_world::World;

    fn world() -> World {
        World::open((64, 64), 1.0, Vec2::ZERO).unwrap()
    }

    fn rig() -> Rig {
        let camera = Camera::looking_at(Vec3::new(5.0, 5.0, 20.0), Vec3::new(30.0, 25.0, 0.0));
        Rig::new(camera, &world())
    }

    /// If this fails, an orbit loses what it turns around.
    #[test]
    fn an_orbit_keeps_its_point_in_the_middle() {
        let mut rig = rig();
        let focus = Vec3::new(30.0, 25.0, 0.0);
        assert!(rig.focus().distance(focus) < 0.1, "{}", rig.focus());
        for i in 0..50 {
            rig.turn(Vec2::new(31.0, 7.0 * (i % 5) as f32 - 14.0), &world());
            rig.zoom((i % 3) as f32 - 1.0, &world());
            let camera = rig.camera();
            camera.check().unwrap();
            let to = (focus - camera.eye).normalize();
            assert!(to.dot(camera.axes()[0]) > 0.999, "{camera:?}");
            assert!(camera.eye.z >= 0.6 - 1e-4);
        }
    }

    /// If this fails, the picture jumps when somebody changes the camera, or a follower is left behind.
    #[test]
    fn modes_change_without_a_jump() {
        let mut rig = rig();
        let before = rig.camera();
        for mode in [RigMode::Fly, RigMode::Orbit, RigMode::Fly] {
            rig.set_mode(mode, &world());
            assert!(rig.camera().eye.distance(before.eye) < 1e-3);
        }
        rig.fly(Vec3::new(0.0, 1.0, 0.0), 0.5, false, &world());
        assert!(rig.camera().eye.distance(before.eye) > 1.0);
        rig.set_mode(RigMode::Follow, &world());
        for x in 0..20 {
            let at = Vec3::new(x as f32, 10.0, 0.0);
            rig.follow(at, &world());
            assert!(rig.camera().eye.distance(at) < 9.0);
        }
    }
}
