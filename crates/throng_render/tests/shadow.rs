//! If one of these fails, shadows shimmer, have gaps, or fall twice.

mod common;

use common::{Stage, difference};
use glam::{Vec2, Vec3};
use throng_crowd::Instance;
use throng_field::Grid;
use throng_gpu::draw::Pixels;
use throng_render::{Camera, Canvas, FORMAT, Frame, Light, Renderer, SPLITS, lightmap};
use throng_world::World;
use throng_world::world::{Polygon, Rect};

fn body(x: f32, y: f32) -> Instance {
    Instance { position: [x, y, 0.0], direction: [1.0, 0.0], ..Instance::default() }
}

/// A floor, with a house if wanted.
fn floor(house: bool) -> (World, Renderer) {
    let mut world = World::open((100, 100), 1.0, Vec2::splat(-50.0)).unwrap();
    if house {
        let rect = Rect { min: Vec2::new(-10.0, -6.0), max: Vec2::new(4.0, 6.0) };
        world.walls.push(Polygon::rect(rect));
    }
    let mut renderer = Renderer::new(throng_gpu::testing::gpu(), FORMAT).unwrap();
    renderer.set_world(&world, Vec::new()).unwrap();
    renderer.options.shadow.side = 1024;
    (world, renderer)
}

/// Level ground throws no shadow on itself: with and without shadow maps the picture is the same, in
/// all splits and across their borders.
#[test]
fn no_gaps_and_no_acne_on_level_ground() {
    let (_, mut renderer) = floor(false);
    let canvas = Canvas::new(throng_gpu::testing::gpu(), [160, 90]).unwrap();
    for (height, pitch) in [(1.7, -0.1), (12.0, -0.3), (60.0, -0.7)] {
        let camera = Camera { eye: Vec3::new(-30.0, 3.0, height), pitch, ..Camera::default() };
        renderer.options.shadow.on = true;
        let with = canvas.draw(&mut renderer, &Frame::new(camera, &[])).unwrap();
        renderer.options.shadow.on = false;
        let without = canvas.draw(&mut renderer, &Frame::new(camera, &[])).unwrap();
        assert!(difference(&with, &without) <= 1, "from {height} m");
    }
}

/// The camera glides by parts of a texel: the shadow of a body that stands still keeps its texels. The
/// ground is seen from straight above, where a move of the camera moves the picture by whole pixels.
#[test]
fn shadows_do_not_shimmer() {
    let (_, mut renderer) = floor(true);
    // Nothing but sun and shadow: no texture, no occlusion of bodies.
    renderer.options.shadow.side = 512;
    let people = [body(8.0, 2.0), body(9.5, -1.0), body(11.0, 3.0)];
    for split in 0..SPLITS {
        let moves = [[0.0; 3], [0.0031, 0.0, 0.0], [0.0077, -0.0051, 0.0], [0.0, 0.0123, 0.002]];
        let masks: Vec<_> = moves
            .into_iter()
            .chain([[0.4, 0.3, 0.0], [1.7, -0.9, 0.0]])
            .map(|d| {
                let eye = Vec3::new(2.0, 0.5, 14.0) + Vec3::from(d);
                let camera = Camera { eye, pitch: -0.4, ..Camera::default() };
                let frame = Frame::new(camera, &people);
                renderer.shadow_texels(&frame, split, Vec3::new(9.0, 1.0, 0.0)).unwrap()
            })
            .collect();
        assert!(masks[0].iter().any(|&d| d < -2e-4), "split {split}: there is a shadow");
        for (i, mask) in masks.iter().enumerate() {
            assert_eq!(mask.len(), masks[0].len());
            let apart = mask.iter().zip(&masks[0]).map(|(a, b)| (a - b).abs());
            let worst = apart.fold(0.0, f32::max);
            assert!(worst < 1e-5, "split {split}, move {i}: depth differs by {worst}");
        }
    }
}

/// A point in the shade of a house is as dark with the shadow of a person on it as without.
#[test]
fn nothing_is_shadowed_twice() {
    let (_, mut renderer) = floor(true);
    let sun = Light::default().sun_direction;
    // On the side away from the sun, and a person between who is himself in the shade.
    let away = Vec2::new(-sun.x, -sun.y).normalize();
    let spot = Vec2::new(-3.0, 0.0) + away * 11.5;
    let person = spot - away * 1.6;
    let camera =
        Camera::looking_at((spot + away.perp() * 6.0 + away * 2.0).extend(4.0), spot.extend(0.0))
            .with_fov(0.12);
    let canvas = Canvas::new(throng_gpu::testing::gpu(), [32, 32]).unwrap();
    renderer.options.occlusion = false;
    let mean = |renderer: &mut Renderer, people: &[Instance]| {
        let pixels = canvas.draw(renderer, &Frame::new(camera, people)).unwrap();
        let bytes = pixels.bytes.chunks_exact(4).map(|p| f64::from(p[1]));
        bytes.sum::<f64>() / f64::from(pixels.width * pixels.height)
    };
    let alone = mean(&mut renderer, &[]);
    let with = mean(&mut renderer, &[body(person.x, person.y)]);
    renderer.options.shadow.on = false;
    let lit = mean(&mut renderer, &[]);
    assert!(alone < lit * 0.8, "the spot is not in the shade: {alone} of {lit}");
    assert!((with - alone).abs() < alone * 0.02, "{with} against {alone}");
}

fn mean(pixels: &Pixels) -> f64 {
    let bytes = pixels.bytes.chunks_exact(4).map(|p| f64::from(p[1]));
    bytes.sum::<f64>() / f64::from(pixels.width * pixels.height)
}

/// Along the shadow of a long wall, through all splits, no place is lit: where one map ends the next begins.
#[test]
fn a_shadow_goes_through_all_splits() {
    let mut world = World::open((400, 60), 1.0, Vec2::new(0.0, -30.0)).unwrap();
    let rect = Rect { min: Vec2::new(-5.0, 6.0), max: Vec2::new(395.0, 8.0) };
    world.walls.push(Polygon::rect(rect));
    let mut renderer = Renderer::new(throng_gpu::testing::gpu(), FORMAT).unwrap();
    renderer.options.scenery = false;
    renderer.options.occlusion = false;
    renderer.options.shadow.side = 512;
    // From the left, over the wall: its shadow is a band from 6 to below 3.
    renderer.options.light = Light::default().with_sun(0.0, 35.0);
    renderer.set_world(&world, Vec::new()).unwrap();
    let canvas = Canvas::new(throng_gpu::testing::gpu(), [16, 16]).unwrap();
    let eye = Vec3::new(4.0, 4.5, 6.0);
    let mut lightest = (0.0_f64, 0.0);
    for metre in (8..300_u16).step_by(5) {
        let spot = Vec3::new(f32::from(metre), 4.6, 0.0);
        // So narrow that nothing but the band is seen; all cameras have the same axis but for that.
        let camera =
            Camera::looking_at(eye, spot).with_fov((1.2 / f32::from(metre)).clamp(0.01, 0.1));
        renderer.options.shadow.on = true;
        let with = mean(&canvas.draw(&mut renderer, &Frame::new(camera, &[])).unwrap());
        renderer.options.shadow.on = false;
        let without = mean(&canvas.draw(&mut renderer, &Frame::new(camera, &[])).unwrap());
        if with / without > lightest.0 {
            lightest = (with / without, f64::from(metre));
        }
    }
    assert!(lightest.0 < 0.8, "at {} m the shadow has {} of the light", lightest.1, lightest.0);
}

/// In the shade of a hill, which is both in the baked light and in the shadow maps, the shadow of a person
/// changes nothing; on sunlit ground it does. With the maps off the hill's shade is there still.
#[test]
fn a_shadow_in_the_shade_of_a_hill_is_no_darker() {
    let mut world = World::open((100, 100), 1.0, Vec2::splat(-50.0)).unwrap();
    let light = Light::default().with_sun(270.0, 30.0);
    let ridge = |x: f32| 9.0 * (-((x + 14.0) / 4.0).powi(2)).exp();
    let heights = Grid::from_fn(100, 100, |c| ridge(c.x as f32 - 49.5)).unwrap();
    world.heights = Some(heights.placed(1.0, Vec2::splat(-50.0)).unwrap());
    let mut renderer = Renderer::new(throng_gpu::testing::gpu(), FORMAT).unwrap();
    renderer.options.scenery = false;
    renderer.options.occlusion = false;
    renderer.options.shadow.side = 1024;
    renderer.options.light = light;
    renderer.set_world(&world, Vec::new()).unwrap();
    let options = lightmap::Options { rays: 64, ..lightmap::Options::default() };
    renderer.bake_light(None, &options, &|_| {}).unwrap();
    assert!(renderer.has_baked_light());
    let canvas = Canvas::new(throng_gpu::testing::gpu(), [32, 32]).unwrap();
    let mut seen = |x: f32, person: bool, shadows: bool| {
        let spot = Vec2::new(x, 0.0);
        let on = |p: Vec2, z: f32| p.extend(world.ground_height(p) + z);
        let camera = Camera::looking_at(on(spot + Vec2::new(2.0, 6.0), 4.0), on(spot, 0.0));
        // Towards the sun from the spot, so that the spot is in its shadow.
        let at = on(spot - Vec2::X * 1.6, 0.0);
        let people = [Instance { position: at.to_array(), ..body(0.0, 0.0) }];
        renderer.options.shadow.on = shadows;
        let people = if person { &people[..] } else { &[] };
        mean(&canvas.draw(&mut renderer, &Frame::new(camera.with_fov(0.1), people)).unwrap())
    };
    let (shade, sun) = (-5.0, 20.0);
    let (alone, with) = (seen(shade, false, true), seen(shade, true, true));
    let baked = seen(shade, false, false);
    let (lit, shadowed) = (seen(sun, false, true), seen(sun, true, true));
    assert!(alone < 0.75 * lit, "the spot is not in the shade: {alone} of {lit}");
    assert!((with - alone).abs() < 0.02 * alone, "shadowed twice: {with} of {alone}");
    assert!((baked - alone).abs() < 0.05 * alone, "only in the maps: {baked}, {alone}");
    assert!(shadowed < 0.9 * lit, "a person throws no shadow: {shadowed} of {lit}");
}

/// A person in the sun throws a shadow that begins at the feet.
#[test]
fn feet_are_on_the_ground() {
    let (_, mut renderer) = floor(false);
    let sun = Light::default().sun_direction;
    let away = Vec2::new(-sun.x, -sun.y).normalize();
    let canvas = Canvas::new(throng_gpu::testing::gpu(), [48, 48]).unwrap();
    for (along, share) in [(0.3_f32, 0.95), (1.2, 0.85)] {
        let spot = away * along;
        let camera = Camera::looking_at((spot + away.perp() * 3.0).extend(3.0), spot.extend(0.0))
            .with_fov(0.12);
        let mut mean = |people: &[Instance]| {
            let pixels = canvas.draw(&mut renderer, &Frame::new(camera, people)).unwrap();
            pixels.bytes.chunks_exact(4).map(|p| f64::from(p[1])).sum::<f64>()
        };
        let (alone, with) = (mean(&[]), mean(&[body(0.0, 0.0)]));
        assert!(with < alone * share, "{along} m from the feet: {with} of {alone}");
    }
}

/// Stages share a device: nothing of one shows in the other.
#[test]
fn a_scene_is_the_same_in_two_renderers() {
    let mut first = Stage::new("bottleneck", None, 10);
    let mut second = Stage::new("bottleneck", None, 10);
    let camera = Camera::looking_at(Vec3::new(2.0, -5.0, 5.0), Vec3::new(14.0, 6.0, 0.0));
    let (a, b) = (first.draw(camera, [96, 54]), second.draw(camera, [96, 54]));
    assert_eq!(difference(&a, &b), 0);
}
