//! Writes a trajectory of people walking in circles: `write_trajectory FILE [AGENTS [FRAMES [FPS
//! [PACE]]]]`, where PACE is the wall time per frame in milliseconds. Tests kill it halfway.
//! Prints what it wrote and how long that took.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};
use throng_record::{AgentFrame, Geometry, TrajectoryOptions, TrajectoryWriter};
use throng_world::world::Rect;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, usual: u64| arguments.get(i).map_or(Ok(usual), |a| a.parse());
    let path = arguments.first().ok_or("which file? .sqlite, .txt, .parquet or .csv")?;
    let (agents, frames) = (number(1, 1000)?, number(2, 300)?);
    let (fps, pace) = (number(3, 30)?, Duration::from_millis(number(4, 0)?));

    let side = (agents as f32).sqrt().ceil();
    let bounds = Rect { min: glam::Vec2::splat(-1.0), max: glam::Vec2::splat(side + 1.0) };
    let options = TrajectoryOptions { fps: fps as f64, every: 1 };
    let mut writer =
        TrajectoryWriter::create(Path::new(path), &options, &Geometry::of_rect(bounds))?;
    let ids: Vec<u32> = (1..=agents as u32).collect();
    let group: Vec<u8> = ids.iter().map(|id| (id % 4) as u8).collect();
    let radius = vec![0.25; ids.len()];
    let mut columns = [const { Vec::new() }; 4];
    let mut spent = Duration::ZERO;
    for step in 0..frames {
        columns.iter_mut().for_each(Vec::clear);
        let time = step as f64 / fps as f64;
        for i in 0..agents {
            let (sin, cos) = (time as f32 + i as f32).sin_cos();
            let home = glam::Vec2::new((i as f32) % side, (i as f32 / side).floor());
            for (column, value) in columns.iter_mut().zip([
                home.x + 0.5 * cos,
                home.y + 0.5 * sin,
                -0.5 * sin,
                0.5 * cos,
            ]) {
                column.push(value);
            }
        }
        let action: Vec<u8> = ids.iter().map(|id| (u64::from(*id) + step / 30) as u8 % 3).collect();
        let [x, y, vx, vy] = &columns;
        let start = Instant::now();
        writer.write(&AgentFrame {
            step,
            time,
            ids: &ids,
            x,
            y,
            vx,
            vy,
            group: &group,
            action: &action,
            radius: &radius,
        })?;
        spent += start.elapsed();
        std::thread::sleep(pace);
    }
    let start = Instant::now();
    writer.finish()?;
    let bytes = std::fs::metadata(path)?.len();
    let rows = agents * frames;
    println!(
        "{rows} rows in {:.0} ms, {:.0} ns a row; finished in {:.0} ms; {bytes} bytes",
        spent.as_secs_f64() * 1e3,
        spent.as_secs_f64() * 1e9 / rows as f64,
        start.elapsed().as_secs_f64() * 1e3,
    );
    Ok(())
}
