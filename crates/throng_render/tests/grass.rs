//! If one of these fails, grass pops, differs from run to run, stays down for ever, or stands where it was trodden on.

#![allow(clippy::print_stdout, reason = "tests tell what they measured")]

mod common;

use common::difference;
use glam::{Vec2, Vec3};
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::draw::Pixels;
use throng_gpu::testing;
use throng_render::{Camera, Canvas, FORMAT, Frame, Hazard, HazardLook, Renderer};
use throng_world::grass::{Grass, GrassParams};
use throng_world::{BuildOptions, Scene, World};

const SIZE: [u32; 2] = [96, 54];

/// A small level meadow.
fn meadow(params: GrassParams) -> World {
    let mut world = World::open((40, 40), 1.0, Vec2::ZERO).unwrap();
    world.grass = Some(Grass { params, drawn: Default::default() });
    world
}

fn params() -> GrassParams {
    GrassParams { recovery: 1.0, density: 6.0, ..GrassParams::default() }
}

fn renderer(world: &World) -> Renderer {
    let mut renderer = Renderer::new(testing::gpu(), FORMAT).unwrap();
    renderer.options.shadow.side = 256;
    renderer.set_world(world, Vec::new()).unwrap();
    renderer
}

fn camera() -> Camera {
    Camera::looking_at(Vec3::new(12.0, 14.0, 1.8), Vec3::new(20.0, 20.0, 0.3))
}

/// Three who walk through the meadow before the camera.
fn walkers(time: f32) -> Vec<Instance> {
    (0..3_u8)
        .map(|i| Instance {
            position: [14.0 + 1.4 * time, 17.0 + 1.5 * f32::from(i), 0.0],
            group: u32::from(i) << 8,
            direction: [1.0, 0.0],
            ..Instance::default()
        })
        .collect()
}

fn draw(renderer: &mut Renderer, time: f32, people: &[Instance]) -> Pixels {
    let canvas = Canvas::new(testing::gpu(), SIZE).unwrap();
    let frame = Frame { time, ..Frame::new(camera(), people) };
    let pixels = canvas.draw(renderer, &frame).unwrap();
    assert_eq!(testing::gpu().take_errors(), []);
    pixels
}

fn watch(renderer: &mut Renderer, time: f32, people: &[Instance]) {
    let frame = Frame { time, ..Frame::new(camera(), people) };
    renderer.observe(&frame, SIZE).unwrap();
}

/// Blades part around those who walk by, in the same bits in every run; a moment drawn twice is the same picture;
/// when all have gone and time has passed, every slot is free again.
#[test]
fn blades_part_and_stand_again() {
    let world = meadow(params());
    let mut runs: Vec<Vec<Pixels>> = Vec::new();
    for _ in 0..2 {
        let mut renderer = renderer(&world);
        let untouched = draw(&mut renderer, 0.0, &[]);
        assert_eq!(renderer.grass_census().unwrap().lattices, 0);
        for i in 1..20 {
            watch(&mut renderer, i as f32 * 0.05, &walkers(i as f32 * 0.05));
        }
        let parted = draw(&mut renderer, 1.0, &walkers(1.0));
        let census = renderer.grass_census().unwrap();
        assert!(census.lattices > 8 && census.drawn[2] == census.lattices, "{census:?}");
        assert!(census.denied == 0, "{census:?}");
        assert_eq!(draw(&mut renderer, 1.0, &walkers(1.0)).bytes, parted.bytes, "drawn twice");
        let trodden = draw(&mut renderer, 1.05, &[]);
        assert!(difference(&untouched, &trodden) > 8, "nothing was trodden down");
        for i in 0..50 {
            watch(&mut renderer, 1.1 + i as f32 * 0.05, &[]);
        }
        let after = draw(&mut renderer, 4.0, &[]);
        let census = renderer.grass_census().unwrap();
        assert_eq!((census.lattices, census.drawn[2]), (0, 0), "{census:?}");
        assert!(census.blocks <= 2, "{census:?}");
        runs.push(vec![untouched, parted, trodden, after]);
    }
    for (a, b) in runs[0].iter().zip(&runs[1]) {
        assert_eq!(a.bytes, b.bytes, "another run, other bits");
    }
}

/// From frame to frame, as blades recover and change their form, no pixel jumps.
#[test]
fn nothing_pops() {
    let mut still = params();
    still.wind.strength = 0.0;
    let world = meadow(still);
    let mut renderer = renderer(&world);
    for i in 0..16 {
        watch(&mut renderer, i as f32 * 0.05, &walkers(i as f32 * 0.05));
    }
    let mut last = draw(&mut renderer, 0.8, &[]);
    let mut worst = 0.0_f32;
    let mut forms = std::collections::HashSet::new();
    for i in 1..36 {
        let next = draw(&mut renderer, 0.8 + i as f32 / 24.0, &[]);
        forms.insert(renderer.grass_census().unwrap().lattices > 0);
        // Blades are thinner than pixels here: what counts is the light of three by three of them.
        worst = worst.max(jump(&last, &next));
        last = next;
    }
    println!("largest jump of a patch of pixels between frames: {worst:.1} of 255");
    assert_eq!(forms.len(), 2, "both forms were seen");
    assert!(worst < 15.0, "{worst}");
}

/// Ten seconds in which people come, go and all stands again, also where a boulder rolled: outside of those who move
/// no patch of pixels jumps from frame to frame. Without wind, which moves all of it.
#[test]
#[ignore = "240 frames, about a minute in software: cargo test -p throng_render --test grass -- --ignored"]
fn ten_seconds_without_a_pop() {
    let mut still = GrassParams { recovery: 3.0, ..params() };
    still.wind.strength = 0.0;
    let mut renderer = renderer(&meadow(still));
    // Shadows move with those who move.
    renderer.options.shadow.on = false;
    let boulder = |time: f32| Hazard {
        position: Vec2::new(13.0 + 2.4 * time, 24.0),
        radius: 2.5,
        colour: [120; 3],
        look: HazardLook::Boulder,
        heading: Vec2::new(2.4, 0.0),
    };
    let canvas = Canvas::new(testing::gpu(), SIZE).unwrap();
    let mut last: Option<Pixels> = None;
    let (mut worst, mut parted) = (0.0_f32, 0);
    for i in 0..240_u8 {
        let time = f32::from(i) / 24.0;
        let (people, hazards) = if time < 5.0 {
            (walkers(time), vec![boulder(time)])
        } else {
            (Vec::new(), Vec::new())
        };
        let frame = Frame { time, hazards: &hazards, ..Frame::new(camera(), &people) };
        let next = canvas.draw(&mut renderer, &frame).unwrap();
        parted = parted.max(renderer.grass_census().unwrap().lattices);
        // Those who move, now or in the frame before, and what they touch.
        let mut moving: Vec<(Vec3, [f32; 2])> = Vec::new();
        for t in [time - 1.0 / 24.0, time].into_iter().filter(|t| *t < 5.1) {
            moving.extend(walkers(t).iter().map(|p| (Vec3::from(p.position), [1.9, 1.4])));
            moving.push((boulder(t).position.extend(0.0), [2.4, 2.6]));
        }
        if let Some(last) = &last {
            let jump = jump_outside(last, &next, |x, y| near_any(&moving, x, y));
            if jump > worst {
                println!("{jump:.1} of 255 at {time:.2} s");
                worst = jump;
            }
        }
        last = Some(next);
    }
    println!("largest jump of a patch of pixels in ten seconds: {worst:.1} of 255");
    assert!(parted > 20 && renderer.grass_census().unwrap().lattices == 0, "{parted}");
    assert!(worst < 15.0, "{worst}");
    assert_eq!(testing::gpu().take_errors(), []);
}

/// Whether a pixel is within reach of something that stands on the ground and is so high, and so wide to either side.
fn near_any(moving: &[(Vec3, [f32; 2])], x: usize, y: usize) -> bool {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let clip = camera().clip_from_world(aspect);
    let pixel = |p: Vec3| {
        let at = clip.project_point3(p);
        Vec2::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5) * Vec2::new(SIZE[0] as f32, SIZE[1] as f32)
    };
    moving.iter().any(|(foot, [high, wide])| {
        let (low, top) = (pixel(*foot), pixel(*foot + Vec3::Z * *high));
        let wide = wide * (low.y - top.y).abs() / high;
        let p = Vec2::new(x as f32, y as f32);
        (p.x - low.x).abs() < wide && p.y > top.y - 2.0 && p.y < low.y + wide
    })
}

/// The largest change of the mean of three by three pixels.
fn jump(a: &Pixels, b: &Pixels) -> f32 {
    jump_outside(a, b, |_, _| false)
}

/// The same for the pixels that are not left out.
fn jump_outside(a: &Pixels, b: &Pixels, left_out: impl Fn(usize, usize) -> bool) -> f32 {
    let (w, h) = (a.width as usize, a.height as usize);
    let mut worst = 0.0_f32;
    for y in 1..h - 1 {
        for x in (1..w - 1).filter(|x| !left_out(*x, y)) {
            for c in 0..3 {
                let sum = |p: &Pixels| {
                    (0..9)
                        .map(|k| f32::from(p.bytes[((y + k / 3 - 1) * w + x + k % 3 - 1) * 4 + c]))
                        .sum::<f32>()
                };
                worst = worst.max((sum(a) - sum(b)).abs() / 9.0);
            }
        }
    }
    worst
}

/// A pool that is too small is said, and the others bend by the map; no billboards are no grass.
#[test]
fn little_room_and_no_grass_are_pictures_too() {
    let mut renderer = renderer(&meadow(GrassParams { pool: 4, ..params() }));
    for i in 0..8 {
        watch(&mut renderer, i as f32 * 0.05, &walkers(i as f32 * 0.05));
    }
    draw(&mut renderer, 0.4, &walkers(0.4));
    let census = renderer.grass_census().unwrap();
    assert!(census.lattices <= 4 && census.denied > 0, "{census:?}");
    for none in [
        GrassParams { density: 0.0, ..params() },
        GrassParams { most: 0, ..params() },
        GrassParams { pool: 0, near: 0.0, ..params() },
    ] {
        let grown = none.density > 0.0 && none.most > 0;
        let mut renderer = self::renderer(&meadow(none));
        draw(&mut renderer, 0.0, &walkers(0.0));
        draw(&mut renderer, 0.1, &walkers(0.1));
        assert_eq!(renderer.has_grass(), grown);
        assert_eq!(renderer.grass_census().unwrap().lattices, 0);
    }
}

/// The meadow that ships: memory, trails of 4,096, and what nobody came near. Slow: a crowd of thousands, and a field
/// of half a million billboards.
#[test]
#[ignore = "a minute or more in software: cargo test -p throng_render --test grass -- --ignored"]
fn four_thousand_leave_trails() {
    let scene = Scene::builtin("meadow").unwrap();
    let world = scene.build(&BuildOptions::default()).unwrap();
    let (dt, grass) = (world.dt, world.grass.clone().unwrap().params);
    let mut crowd = Crowd::new(world.clone(), CrowdOptions::default()).unwrap();
    let mut renderer = Renderer::new(testing::gpu(), FORMAT).unwrap();
    renderer.options.scenery = false;
    renderer.set_world(&world, Vec::new()).unwrap();
    // Near nobody: this is about the map.
    let away = Camera { eye: Vec3::new(-4000.0, 0.0, 10.0), ..Camera::default() };
    let look = |renderer: &mut Renderer, time: f32, people: &[Instance]| {
        renderer.observe(&Frame { time, ..Frame::new(away, people) }, SIZE).unwrap();
    };
    let mut people = Vec::new();
    let mut feet: Vec<Vec<Vec2>> = Vec::new();
    while crowd.time() < 12.0 {
        crowd.step(dt).unwrap();
        crowd.instances(&mut people);
        look(&mut renderer, crowd.time() as f32, &people);
        feet.push(people.iter().map(|p| Vec2::new(p.position[0], p.position[1])).collect());
    }
    let [strength, _] = renderer.trample_map().unwrap().unwrap();
    let last = feet.last().unwrap();
    let standing: Vec<bool> = (0..strength.cells())
        .map(|i| {
            let p = strength.centre(strength.cell_at(i));
            last.iter().any(|f| f.distance(p) < grass.foot - grass.edge)
        })
        .collect();
    let under = standing.iter().filter(|it| **it).count() as u32;
    let pressed = |(s, under): (&f32, &bool)| u32::from(*under && *s > 0.95);
    let bent: u32 = strength.as_slice().iter().zip(&standing).map(pressed).sum();
    println!("under feet now: {bent} of {under} texels bent");
    assert!(f64::from(bent) >= 0.95 * f64::from(under) && under > 10_000);
    let reach = grass.foot + grass.edge;
    let square = |p: Vec2| (p / 2.0).floor().as_ivec2();
    let mut near: std::collections::HashMap<_, Vec<Vec2>> = std::collections::HashMap::new();
    for f in feet.iter().flatten() {
        near.entry(square(*f)).or_default().push(*f);
    }
    let mut astray = 0;
    for (i, s) in strength.as_slice().iter().enumerate().filter(|(_, s)| **s > 0.0) {
        let p = strength.centre(strength.cell_at(i));
        let around = (-1..2).flat_map(|y| (-1..2).map(move |x| glam::IVec2::new(x, y)));
        let mut all = around.filter_map(|d| near.get(&(square(p) + d))).flatten();
        // Between two steps somebody goes up to a tenth of a metre.
        astray += usize::from(!all.any(|f| f.distance(p) < reach + 0.1) && *s > 0.0);
    }
    let share = astray as f64 / strength.cells() as f64;
    println!("bent where nobody came near: {astray} of {} texels", strength.cells());
    assert!(share < 0.01);
    let time = crowd.time() as f32 + 0.5 * grass.recovery;
    look(&mut renderer, time, &[]);
    let [half, _] = renderer.trample_map().unwrap().unwrap();
    // Of what is under feet now; the rest was left earlier.
    let shares: Vec<f32> =
        half.as_slice().iter().zip(&standing).filter(|it| *it.1).map(|it| *it.0).collect();
    let mean = shares.iter().sum::<f32>() / shares.len() as f32;
    println!("after half the time of recovery: {mean:.3} of the bend is left");
    assert!((mean - 0.5).abs() < 0.01, "{mean}");
    let census = renderer.grass_census().unwrap();
    println!("{census:?}");
    assert!(census.billboards >= 450_000);
    assert!(census.bytes as f64 / f64::from(census.billboards) <= 48.0);
}
