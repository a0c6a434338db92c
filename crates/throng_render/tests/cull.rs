//! If one of these fails, people vanish from pictures, or the card draws those that nobody can see.

#![allow(clippy::print_stdout, reason = "tests tell how much was culled")]

mod common;

use common::{Dice, Stage, difference};
use glam::{Vec2, Vec3};
use throng_render::{Camera, Filters, Shot};

/// Cameras per scene. `THRONG_CAMERAS=67` makes over 200 of the three scenes, which takes minutes in software.
fn cameras() -> usize {
    std::env::var("THRONG_CAMERAS").map_or(12, |n| n.parse().expect("a number of cameras"))
}

fn any_camera(stage: &Stage, dice: &mut Dice, number: usize) -> Camera {
    let bounds = stage.world.bounds();
    let p = Vec2::new(
        dice.between(bounds.min.x, bounds.max.x),
        dice.between(bounds.min.y, bounds.max.y),
    );
    let side = (bounds.max - bounds.min).max_element();
    let eye = match number % 4 {
        // Among people, as tall as they are.
        0 => stage.on(p, dice.between(0.2, 2.0)),
        1 => stage.on(p, dice.between(2.0, 12.0)),
        2 => stage.on(p, dice.between(0.1, 0.6) * side),
        // In somebody's chest.
        _ => {
            let i = (dice.next() * stage.instances.len() as f32) as usize;
            Vec3::from(stage.instances[i.min(stage.instances.len() - 1)].position) + Vec3::Z * 1.1
        }
    };
    Camera {
        eye,
        yaw: dice.between(-3.2, 3.2),
        pitch: dice.between(-1.3, 0.4),
        fov: dice.between(0.3, 1.6),
        ..Camera::default()
    }
}

fn no_pixel_differs(scene: &str, agents: Option<u32>, steps: u32) {
    let mut stage = Stage::new(scene, agents, steps);
    let mut dice = Dice(5);
    let (mut drawn, mut all) = (0, 0);
    let cameras = cameras();
    for number in 0..cameras {
        let camera = any_camera(&stage, &mut dice, number);
        // Odd sides: the pyramid has texels that cover three.
        let size = [79 + number as u32 % 3, 45 + number as u32 % 2];
        stage.renderer.options.filters = Filters::default();
        let with = stage.draw(camera, size);
        drawn += stage.renderer.drawn().unwrap().iter().sum::<u32>();
        all += stage.instances.len() as u32;
        stage.renderer.options.filters =
            Filters { frustum: false, occlusion: false, ..Filters::default() };
        let without = stage.draw(camera, size);
        assert_eq!(
            stage.renderer.drawn().unwrap().iter().sum::<u32>(),
            stage.instances.len() as u32
        );
        let off = difference(&with, &without);
        assert!(off <= 1, "{scene}, camera {number} {camera:?}: differs by {off}");
    }
    println!("{scene}: {cameras} cameras, {drawn} of {all} agents drawn, no pixel differs");
    assert!(drawn < all / 2, "{drawn} of {all}: nothing is culled");
}

#[test]
fn no_pixel_differs_in_the_valley() {
    no_pixel_differs("froblins", Some(3000), 5);
}

#[test]
fn no_pixel_differs_in_the_square() {
    no_pixel_differs("square", None, 200);
}

#[test]
fn no_pixel_differs_at_the_bottleneck() {
    no_pixel_differs("bottleneck", None, 40);
}

/// Outside the picture, or behind the ground: rays from the eye to five points of the body all hit
/// the ground.
fn unseen(stage: &Stage, camera: &Camera, aspect: f32, feet: Vec3) -> bool {
    let centre = feet + Vec3::Z * 0.9;
    let planes = camera.planes(aspect);
    if planes.iter().any(|plane| plane.dot(centre.extend(1.0)) < -1.1) {
        return true;
    }
    let points = [0.1, 0.9, 1.75].map(|z| feet + Vec3::Z * z);
    points.iter().all(|&p| {
        (1..200).any(|i| {
            let q = camera.eye.lerp(p, i as f32 / 200.0);
            q.z < stage.world.ground_height(q.truncate()) - 0.3
        })
    })
}

/// At least nine in ten of those that are outside or hidden are removed.
#[test]
fn most_of_the_unseen_are_removed() {
    let mut stage = Stage::new("froblins", Some(20_000), 5);
    let size = [320, 180];
    for (name, shot) in [("bird's eye", Shot::BirdsEye), ("valley", Shot::Valley)] {
        let camera = shot.camera(&stage.world, &stage.instances).unwrap();
        stage.draw(camera, size);
        let mut kept = vec![false; stage.instances.len()];
        for i in stage.renderer.drawn_agents().unwrap() {
            kept[i as usize] = true;
        }
        let aspect = size[0] as f32 / size[1] as f32;
        let (mut hidden, mut removed) = (0, 0);
        for (instance, kept) in stage.instances.iter().zip(&kept) {
            if unseen(&stage, &camera, aspect, Vec3::from(instance.position)) {
                hidden += 1;
                removed += u32::from(!kept);
            }
        }
        println!("{name}: {removed} of {hidden} unseen removed, {} agents", kept.len());
        assert!(hidden > 500, "{name}: only {hidden} are unseen");
        assert!(removed * 10 >= hidden * 9, "{name}: {removed} of {hidden}");
    }
}
