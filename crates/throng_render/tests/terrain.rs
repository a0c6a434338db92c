//! If this fails, one looks through the ground.

mod common;

use common::{Dice, Stage};
use glam::Vec2;
use throng_render::Camera;

/// The ground is one colour and nothing is behind it: a pixel of another colour is a crack.
#[test]
fn no_cracks_from_a_hundred_cameras() {
    let mut stage = Stage::new("froblins", Some(100), 1);
    stage.instances.clear();
    let options = &mut stage.renderer.options;
    options.sky = false;
    options.shadow.on = false;
    options.occlusion = false;
    options.flat_ground = Some([0.0, 5.0, 0.0]);
    options.scenery = false;
    options.grass = false;
    // Without rocks, water and grass: ground alone.
    stage.world.walls.clear();
    stage.renderer.set_world(&stage.world, Vec::new()).unwrap();
    let bounds = stage.world.bounds();
    let mut dice = Dice(11);
    for number in 0..100 {
        let p = Vec2::new(
            dice.between(bounds.min.x, bounds.max.x),
            dice.between(bounds.min.y, bounds.max.y),
        );
        let up = [1.5, 6.0, 30.0, 150.0][number % 4] * dice.between(0.5, 1.5);
        let camera = Camera {
            eye: stage.on(p, up + 6.0),
            yaw: dice.between(-3.2, 3.2),
            pitch: dice.between(-1.2, -0.55),
            fov: 0.6,
            ..Camera::default()
        };
        let pixels = stage.draw(camera, [160, 90]);
        // Far ground is hazy, so only nothing at all is told from it.
        let dark = pixels.bytes.chunks_exact(4).filter(|p| p[1] < 60).count();
        assert_eq!(dark, 0, "camera {number} {camera:?}: {dark} pixels of nothing");
    }
}
