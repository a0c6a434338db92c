//! If one of these fails, an unusual picture ends the program, or is refused for no reason.

mod common;

use common::Stage;
use glam::Vec3;
use throng_gpu::testing;
use throng_render::{Camera, Canvas, Cast, Frame, Model, RenderError, Renderer, Shot};

#[test]
fn odd_sizes_down_to_one_pixel() {
    let mut stage = Stage::new("bottleneck", None, 10);
    let camera = Shot::BirdsEye.camera(&stage.world, &stage.instances).unwrap();
    for size in [[1, 1], [1, 64], [64, 1], [3, 5], [127, 71], [1279, 717]] {
        let pixels = stage.draw(camera, size);
        assert_eq!([pixels.width, pixels.height], size);
        assert!(pixels.bytes.iter().any(|&b| b > 20 && b < 250), "{size:?} is empty");
    }
}

#[test]
fn nobody_there_is_a_picture_too() {
    let mut stage = Stage::new("square", None, 1);
    stage.instances.clear();
    let camera = Shot::Valley.camera(&stage.world, &stage.instances).unwrap();
    stage.draw(camera, [64, 36]);
    assert_eq!(stage.renderer.drawn().unwrap(), [0; 4]);
}

#[test]
fn the_camera_may_be_in_a_body_or_look_away() {
    let mut stage = Stage::new("bottleneck", None, 10);
    let eye = Vec3::from(stage.instances[7].position) + Vec3::Z;
    stage.draw(Camera { eye, ..Camera::default() }, [64, 36]);
    assert!(stage.renderer.drawn_agents().unwrap().contains(&7));
    let away = Camera { eye: Vec3::new(-20.0, 5.0, 2.0), yaw: 3.0, ..Camera::default() };
    stage.draw(away, [64, 36]);
    assert_eq!(stage.renderer.drawn().unwrap(), [0; 4]);
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let mut stage = Stage::new("bottleneck", None, 1);
    assert!(Canvas::new(testing::gpu(), [0, 4]).is_err());
    let canvas = Canvas::new(testing::gpu(), [4, 4]).unwrap();
    let camera = Camera { yaw: f32::NAN, ..Camera::default() };
    let drawn = canvas.draw(&mut stage.renderer, &Frame::new(camera, &[]));
    assert!(matches!(drawn, Err(RenderError::Camera { what: "direction", .. })));
    assert_eq!(testing::gpu().take_errors(), []);
}

/// Before a world is set there is only sky.
#[test]
fn a_renderer_without_a_world_draws_nothing_and_lives() {
    let mut renderer = Renderer::new(testing::gpu(), throng_render::FORMAT).unwrap();
    let canvas = Canvas::new(testing::gpu(), [8, 8]).unwrap();
    canvas.draw(&mut renderer, &Frame::new(Camera::default(), &[])).unwrap();
    assert_eq!(testing::gpu().take_errors(), []);
}

/// The number of draws does not depend on the number of agents, and is at most 40, with grass, with stand-ins and
/// with characters, near and far.
#[test]
fn few_draws_whatever_the_crowd() {
    let mut stage = Stage::new("froblins", Some(2000), 2);
    let all = stage.instances.clone();
    let options = throng_character::BuildOptions { texels: 256, ..Default::default() };
    let folder = std::env::temp_dir().join("throng-test-characters");
    let (froblin, _) = throng_character::froblin_with(&options, Some(&folder));
    let model = std::sync::Arc::new(Model::new(&froblin));
    for cast in [None, Some(Cast::all(&stage.world, &model))] {
        if let Some(cast) = &cast {
            stage.renderer.set_cast(&stage.world, cast).unwrap();
        }
        for shot in [Shot::BirdsEye, Shot::Valley, Shot::CloseUp] {
            let camera = shot.camera(&stage.world, &all).unwrap();
            let counts = [all.len(), 3].map(|people| {
                stage.instances = all[..people].to_vec();
                stage.draw(camera, [64, 36]);
                stage.renderer.census().draws
            });
            assert_eq!(counts[0], counts[1]);
            assert!(counts[0] <= 40, "{shot:?}: {}", counts[0]);
        }
    }
}
