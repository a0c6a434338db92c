//! What each stage takes on the GPU and on the CPU, in one run: `cargo run --release -p throng_crowd
//! --features gpu --example gpu_stages [agents] [seconds] [steps] [scene]`. Both take turns, from the same
//! state after so many simulated seconds. On a machine with other work, processor time (Linux) tells more
//! about a software device than time on the clock.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use throng_crowd::{Crowd, CrowdOptions, GpuCrowd};
use throng_gpu::{Gpu, Options, describe};
use throng_world::scene::{BuildOptions, Scene};

type Times = BTreeMap<&'static str, Vec<Duration>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: f64| arguments.next().and_then(|a| a.parse().ok()).unwrap_or(usual);
    let (agents, seconds, steps) = (number(65_536.0) as u32, number(2.0), number(24.0) as usize);
    let name = arguments.next().unwrap_or_else(|| "froblins".to_owned());
    let scene = Scene::builtin(&name).ok_or("no such scene")?;
    let build = || scene.build(&BuildOptions { agents: Some(agents), ..Default::default() });
    let mut cpu = Crowd::new(build()?, CrowdOptions::default())?;
    let dt = cpu.world().dt;
    while cpu.time() < seconds {
        cpu.step(dt)?;
    }
    let mut copy = Crowd::new(build()?, CrowdOptions::default())?;
    copy.restore(&cpu.snapshot())?;
    let device = Gpu::open(&Options::default())?;
    let mut gpu = GpuCrowd::new(&device, copy)?;
    gpu.time_stages()?;
    let (mut ours, mut theirs) = (Times::new(), Times::new());
    let mut spent = [0, 0];
    for step in 0..steps + 2 {
        let ticks = processor_ticks();
        let begin = Instant::now();
        gpu.step(dt)?;
        device.wait()?;
        let whole = begin.elapsed();
        let between = processor_ticks();
        let begin = Instant::now();
        let report = cpu.step(dt)?;
        let cpu_whole = begin.elapsed();
        // The first ones warm up.
        if step < 2 {
            continue;
        }
        spent[0] += between - ticks;
        spent[1] += processor_ticks() - between;
        ours.entry("whole").or_default().push(whole);
        theirs.entry("whole").or_default().push(cpu_whole);
        let mut sums = BTreeMap::<_, Duration>::new();
        for timing in gpu.times() {
            *sums.entry(timing.label).or_default() += timing.duration;
        }
        for (label, sum) in sums {
            ours.entry(label).or_default().push(sum);
        }
        for (stage, time) in report.times.named() {
            theirs.entry(stage).or_default().push(time);
        }
    }
    println!("{}; {} agents of {name} after {seconds} s", describe(device.info()), cpu.len());
    println!("{:<28} {:>9} {:>9} {:>7}", "median, ms", "GPU", "CPU", "ratio");
    for (label, times) in &mut ours {
        let ours = median(times);
        match theirs.get_mut(label).map(|times| median(times)) {
            Some(theirs) => {
                println!("{label:<28} {ours:>9.2} {theirs:>9.2} {:>7.1}", ours / theirs);
            }
            None => println!("{label:<28} {ours:>9.2}"),
        }
    }
    if let Some(fields) = theirs.get("fields") {
        let mean = fields.iter().sum::<Duration>().as_secs_f64() * 1e3 / fields.len() as f64;
        println!("{:<28} {:>9} {mean:>9.2}  (mean)", "fields", "");
    }
    if spent[1] > 0 {
        let [ours, theirs] = spent.map(|ticks| ticks as f64 * 10.0 / steps as f64);
        let ratio = ours / theirs;
        println!("{:<28} {ours:>9.2} {theirs:>9.2} {ratio:>7.1}", "processor time a step");
    }
    Ok(())
}

/// Hundredths of a second that all threads of this process have run, where `/proc` tells.
fn processor_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum()
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
