//! Stills of a scene from named cameras or from places, with times and numbers:
//! `cargo run -p throng_render --example still -- froblins 8 1280x720 FOLDER valley close-up 2,3,6,45,-20`.
//! Light and characters are made once and kept in `FOLDER`. `froblins:3000` has so many people; a scene may be a file.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use std::path::Path;
use std::time::Instant;

use glam::{Vec2, Vec3};
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::{Gpu, Options};
use throng_render::{
    Camera, Canvas, Cast, FORMAT, Frame, Hazard, Light, Renderer, Shot, lightmap, write_png,
};
use throng_world::{BuildOptions, Scene, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scene, seconds, size, folder, cameras @ ..] = args.as_slice() else {
        return Err("SCENE SECONDS WxH FOLDER CAMERA…".into());
    };
    let (w, h) = size.split_once('x').ok_or("WxH")?;
    let size = [w.parse()?, h.parse()?];
    let (scene, agents) = match scene.split_once(':') {
        Some((scene, agents)) => (scene, Some(agents.parse()?)),
        None => (scene.as_str(), None),
    };
    let build = BuildOptions { agents, ..BuildOptions::default() };
    let world = Scene::open(scene)?.build(&build)?;
    let scene = Path::new(scene).file_stem().ok_or("a scene")?.to_string_lossy();
    let (dt, seconds) = (world.dt, seconds.parse::<f64>()?);
    let mut crowd = Crowd::new(world, CrowdOptions::default())?;
    let gpu = Gpu::open(&Options::default())?;
    let start = Instant::now();
    let mut renderer = Renderer::new(&gpu, FORMAT)?;
    renderer.options.light = Light::of_world(crowd.world());
    let set = |name: &str| std::env::var_os(name).is_some();
    renderer.options.scenery = !set("NO_SCENERY");
    renderer.set_world(crowd.world(), Vec::new())?;
    println!("passes and world {:?}", start.elapsed());
    let start = Instant::now();
    let options = lightmap::Options::default();
    let source = renderer.bake_light(Some(Path::new(folder)), &options, &|_| {})?;
    println!("light {:?}, {source:?}", start.elapsed());
    let start = Instant::now();
    let cast = Cast::load(crowd.world(), Some(Path::new(folder)))?;
    renderer.set_cast(crowd.world(), &cast)?;
    println!("characters {:?}", start.elapsed());
    if set("STAND_INS") {
        renderer.set_cast(crowd.world(), &Cast::default())?;
    }
    renderer.options.skin_once = !set("SKIN_EVERYWHERE");
    renderer.options.shadow.on = !set("NO_SHADOW");
    if let Ok(level) = std::env::var("CLOSE_UP") {
        renderer.options.close_up = level.parse()?;
    }
    let mut instances = Vec::new();
    while crowd.time() < seconds {
        crowd.step(dt)?;
        let soon = crowd.time() + 0.7 > seconds;
        // What was trodden on lies down, and parts where the first camera is.
        if soon || (renderer.has_grass() && crowd.steps().is_multiple_of(3)) {
            crowd.instances(&mut instances);
            let first = cameras.first().filter(|_| soon);
            let there = first.and_then(|name| camera(name, crowd.world(), &instances));
            let time = crowd.time() as f32;
            let frame = Frame { time, ..Frame::new(there.unwrap_or_default(), &instances) };
            renderer.observe(&frame, size)?;
        }
    }
    crowd.instances(&mut instances);
    let hazards = Hazard::of_world(crowd.world(), crowd.time());
    let canvas = Canvas::new(&gpu, size)?;
    for name in cameras {
        let camera = camera(name, crowd.world(), &instances).ok_or("no such camera")?;
        let time = crowd.time() as f32;
        let frame = Frame { hazards: &hazards, time, ..Frame::new(camera, &instances) };
        let start = Instant::now();
        let pixels = canvas.draw(&mut renderer, &frame)?;
        let (drawn, of) = (renderer.drawn()?, instances.len());
        println!("{name}: {:?}, {:?}, {drawn:?} of {of}", start.elapsed(), renderer.census());
        println!("close-ups {:?}, {:?}", renderer.close_ups()?, renderer.grass_census()?);
        write_png(&Path::new(folder).join(format!("{scene}-{name}.png")), &pixels)?;
    }
    for error in gpu.take_errors() {
        println!("{error}");
    }
    Ok(())
}

/// A name, `face:N:METRES`, or x,y,z,yaw,pitch with z from the ground and angles in degrees.
fn camera(name: &str, world: &World, agents: &[Instance]) -> Option<Camera> {
    if let Some(shot) = Shot::named(name) {
        return shot.camera(world, agents);
    }
    if let Some(face) = name.strip_prefix("face:") {
        let (number, metres) = face.split_once(':')?;
        let agent = agents.iter().find(|a| a.group >> 8 == number.parse().unwrap_or(0))?;
        let (feet, ahead) = (Vec3::from(agent.position), Vec2::from(agent.direction));
        let away: f32 = metres.parse().ok()?;
        let eye = feet + (Vec2::from_angle(0.5).rotate(ahead) * away).extend(1.05);
        return Some(Camera::looking_at(eye, feet + Vec3::Z * 0.85));
    }
    let numbers: Vec<f32> = name.split(',').filter_map(|n| n.parse().ok()).collect();
    let &[x, y, z, yaw, pitch] = numbers.as_slice() else { return None };
    let eye = Vec3::new(x, y, z + world.ground_height(Vec2::new(x, y)));
    Some(Camera { eye, yaw: yaw.to_radians(), pitch: pitch.to_radians(), ..Camera::default() })
}
