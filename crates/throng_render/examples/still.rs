//! A still of a scene: `cargo run -p throng_render --example still -- froblins out.png`.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use glam::Vec3;
use throng_crowd::{Crowd, CrowdOptions};
use throng_gpu::{Gpu, Options};
use throng_render::{Camera, Canvas, FORMAT, Frame, Hazard, Renderer, write_png};
use throng_world::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("froblins", String::as_str);
    let world = Scene::builtin(name).ok_or("no such scene")?.build(&Default::default())?;
    let numbers: Vec<f32> = args.iter().skip(2).filter_map(|a| a.parse().ok()).collect();
    let &[x, y, z, tx, ty, tz, w, h, steps] = numbers.as_slice() else {
        return Err("nine numbers".into());
    };
    let dt = world.dt;
    let mut crowd = Crowd::new(world, CrowdOptions::default())?;
    for _ in 0..steps as u32 {
        crowd.step(dt)?;
    }
    let gpu = Gpu::open(&Options::default())?;
    let start = std::time::Instant::now();
    let mut renderer = Renderer::new(&gpu, FORMAT)?;
    println!("passes {:?}", start.elapsed());
    renderer.set_world(crowd.world(), Vec::new())?;
    println!("world {:?}", start.elapsed());
    let lift = |x: f32, y: f32, z: f32| {
        Vec3::new(x, y, z + crowd.world().ground_height(glam::Vec2::new(x, y)))
    };
    let camera = Camera::looking_at(lift(x, y, z), lift(tx, ty, tz));
    let mut instances = Vec::new();
    crowd.instances(&mut instances);
    let hazards = Hazard::of_world(crowd.world(), crowd.time());
    let frame =
        Frame { hazards: &hazards, time: crowd.time() as f32, ..Frame::new(camera, &instances) };
    let canvas = Canvas::new(&gpu, [w as u32, h as u32])?;
    let start = std::time::Instant::now();
    let pixels = canvas.draw(&mut renderer, &frame)?;
    println!(
        "frame {:?}, {:?}, drawn {:?} of {}",
        start.elapsed(),
        renderer.census(),
        renderer.drawn()?,
        instances.len()
    );
    for error in gpu.take_errors() {
        println!("{error}");
    }
    write_png(args.get(1).ok_or("no file")?.as_ref(), &pixels)?;
    Ok(())
}
