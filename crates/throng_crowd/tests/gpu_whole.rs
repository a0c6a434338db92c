//! Both backends as wholes: after 600 steps the same speed, arrivals and densities, within 2 %. If this
//! fails, a crowd on the GPU is another crowd.
//!
//! Crowds are chaotic: after some seconds two runs that began alike have other people in other places, and
//! two seeds on one backend differ by more than 2 % in what few people do. So each scene is run with some
//! seeds on both backends, and what is compared are the means over the seeds:
//!
//! * mean speed: of all people at all looks (every ten steps);
//! * arrivals: all until the end;
//! * density map: people per cell of 2 m. KS is the greatest distance between the distributions of the
//!   cells' densities (Kolmogorov and Smirnov), of all cells at all looks; RMS the root of the mean squared
//!   difference cell by cell of the maps' means over all looks, as a share of the greatest density.
//!
//! The same four figures between the CPU's seeds and other seeds of the CPU are printed beside them: what
//! a perfect twin that shares no chaos would show. Where few people arrive, or lanes form on either side, it
//! takes many seeds until those are alike; each scene has as many as it needs. `THRONG_SEEDS` sets another number.
//! `cargo test -p throng_crowd --features gpu --test gpu_whole -- --ignored --nocapture`

#![allow(clippy::print_stdout, reason = "trials tell their figures")]
#![cfg(feature = "gpu")]

mod common;

use common::{On, shipped};
use throng_crowd::CrowdOptions;

const STEPS: u64 = 600;
const LOOKS: u64 = 10;
const CELL: f32 = 2.0;
const WITHIN: f64 = 0.02;

/// What came of some runs.
#[derive(Default)]
struct Sums {
    speed: f64,
    people: f64,
    arrived: f64,
    looks: f64,
    map: Vec<f64>,
    /// How many cells had so many people, over all looks.
    cells_with: Vec<f64>,
}

impl Sums {
    fn add(&mut self, on: On, name: &str, agents: Option<u32>, seed: u64) {
        let options = CrowdOptions { seed: Some(seed), threads: Some(2), ..Default::default() };
        let mut trial = on.crowd(shipped(name, agents), options);
        let bounds = trial.look().world().bounds();
        let size = (bounds.size() / CELL).ceil();
        self.map.resize(size.x as usize * size.y as usize, 0.0);
        for _ in 0..STEPS / LOOKS {
            (0..LOOKS).for_each(|_| trial.step());
            let crowd = trial.look();
            let mut now = vec![0_usize; self.map.len()];
            for i in 0..crowd.len() {
                let column = ((crowd.x()[i] - bounds.min.x) / CELL).clamp(0.0, size.x - 1.0);
                let row = ((crowd.y()[i] - bounds.min.y) / CELL).clamp(0.0, size.y - 1.0);
                now[row as usize * size.x as usize + column as usize] += 1;
                self.speed += f64::from(crowd.vx()[i].hypot(crowd.vy()[i]));
            }
            for (sum, people) in self.map.iter_mut().zip(now) {
                *sum += people as f64;
                self.cells_with.resize(self.cells_with.len().max(people + 1), 0.0);
                self.cells_with[people] += 1.0;
            }
            self.people += crowd.len() as f64;
            self.looks += 1.0;
        }
        self.arrived += trial.look().totals().arrived as f64;
    }

    /// Densities of the cells (people per square metre).
    fn densities(&self) -> Vec<f64> {
        self.map.iter().map(|n| n / self.looks / f64::from(CELL * CELL)).collect()
    }
}

/// Mean speed, arrivals, KS and RMS of one against another.
fn differences(a: &Sums, b: &Sums) -> [f64; 4] {
    let share = |a: f64, b: f64| (a / b - 1.0).abs();
    let (da, db) = (a.densities(), b.densities());
    let peak = db.iter().copied().fold(0.0, f64::max);
    let squares = da.iter().zip(&db).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let rms = (squares / da.len() as f64).sqrt() / peak;
    let speed = share(a.speed / a.people, b.speed / b.people);
    [speed, share(a.arrived, b.arrived), kolmogorov_smirnov(&a.cells_with, &b.cells_with), rms]
}

/// Of two histograms.
fn kolmogorov_smirnov(a: &[f64], b: &[f64]) -> f64 {
    let all = |counts: &[f64]| counts.iter().sum::<f64>();
    let below = |counts: &[f64], bin: usize| {
        counts[..counts.len().min(bin + 1)].iter().sum::<f64>() / all(counts)
    };
    let bins = 0..a.len().max(b.len());
    bins.map(|bin| (below(a, bin) - below(b, bin)).abs()).fold(0.0, f64::max)
}

/// Compares the backends on a scene, over so many seeds.
fn compare(name: &str, agents: Option<u32>, seeds: u64) {
    let seeds =
        std::env::var("THRONG_SEEDS").map_or(seeds, |n| n.parse().expect("a number of seeds"));
    let (mut gpu, mut cpu, mut others) = (Sums::default(), Sums::default(), Sums::default());
    for seed in 1..=seeds {
        gpu.add(On::Gpu, name, agents, seed);
        cpu.add(On::Cpu, name, agents, seed);
        others.add(On::Cpu, name, agents, 1000 + seed);
    }
    let found = differences(&gpu, &cpu);
    let spread = differences(&others, &cpu);
    println!(
        "{name}: {:.0} people, {:.3} m/s, {} arrivals in {seeds} seeds",
        cpu.people / cpu.looks,
        cpu.speed / cpu.people,
        cpu.arrived
    );
    for (what, d) in [("GPU against CPU", found), ("CPU, other seeds", spread)] {
        let [speed, arrivals, ks, rms] = d.map(|d| 100.0 * d);
        println!(
            "  {what}: speed {speed:.2} %, arrivals {arrivals:.2} %, KS {ks:.2} %, RMS {rms:.2} %"
        );
    }
    assert!(cpu.arrived > 0.0, "{name}: nobody arrived, nothing was compared");
    let names = ["mean speed", "arrivals", "KS of densities", "RMS of densities"];
    for (what, d) in names.iter().zip(found) {
        assert!(d <= WITHIN, "{name}: {what} differs by {:.2} %", 100.0 * d);
    }
}

#[test]
#[ignore = "many seeds take long on a software device"]
fn froblins_are_alike() {
    compare("froblins", Some(3000), 12);
}

#[test]
#[ignore = "many seeds take long on a software device"]
fn two_way_is_alike() {
    compare("two-way", None, 80);
}

#[test]
#[ignore = "many seeds take long on a software device"]
fn bottleneck_is_alike() {
    compare("bottleneck", None, 12);
}

#[test]
#[ignore = "many seeds take long on a software device"]
fn crossing_is_alike() {
    compare("crossing", None, 48);
}

#[test]
#[ignore = "many seeds take long on a software device"]
fn corridor_is_alike() {
    compare("corridor", None, 80);
}
