//! How long each primitive takes on this device: `cargo run --release -p throng_gpu --example
//! timings [elements] [adapter] [primitive]`. Portable kernels and, where there are any, those with subgroups.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use std::time::{Duration, Instant};

use throng_gpu::compact::Compact;
use throng_gpu::counting::CountingSort;
use throng_gpu::histogram::Histogram;
use throng_gpu::pyramid::{self, Pyramid};
use throng_gpu::reduce::{Fold, Reduce};
use throng_gpu::scan::{Scan, Sums};
use throng_gpu::segmented::{Extreme, Segmented};
use throng_gpu::sort::{Sort, Sorted};
use throng_gpu::{Choice, Gpu, GpuError, Options, Pool, Prepared, Variant, describe, wide};

const ROUNDS: usize = 5;

fn main() -> Result<(), GpuError> {
    let mut arguments = std::env::args().skip(1);
    let n: u32 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let choice = arguments.next().map_or(Choice::Fast, Choice::Named);
    let gpu = Gpu::open(&Options { choice, ..Options::default() })?;
    println!("{}", describe(gpu.info()));
    println!(
        "{:?}, subgroups of {} to {}",
        gpu.capabilities(),
        gpu.info().subgroup_min_size,
        gpu.info().subgroup_max_size
    );
    println!("{n} elements, median of {ROUNDS}, submission to completion");
    row(&gpu, n, Variant::Portable)?;
    if gpu.capabilities().subgroups {
        row(&gpu, n, Variant::Subgroups)?;
    }
    Ok(())
}

fn row(gpu: &Gpu, n: u32, variant: Variant) -> Result<(), GpuError> {
    println!("{variant:?}");
    let pool = Pool::new(gpu);
    let len = n as usize;
    let words: Vec<u32> = (0..u64::from(n)).map(|i| (wide::mix(i) >> 32) as u32).collect();
    let bins = (n / 16).clamp(1, 1 << 20);
    let cells: Vec<u32> = words.iter().map(|word| word % bins).collect();
    let input = pool.array_of("input", &words)?;
    let cells = pool.array_of("cells", &cells)?;
    let starts: Vec<u32> = (0..=n / 10).map(|i| i * 10).collect();
    let starts = pool.array_of("starts", &starts)?;
    let output = pool.array::<u32>("output", len + 1)?;
    let payload = pool.array::<u32>("payload", len)?;
    let small = pool.array::<u32>("small", bins as usize + 1)?;
    let sorted = Sorted { keys: &output, payload: &payload };
    let count = n.into();
    for fold in [Fold::Sum, Fold::MinF32] {
        let work = Reduce::with(gpu, fold, variant)?.bind(&pool, &input, &output, 0, count)?;
        time(gpu, &format!("reduce {fold:?}"), work)?;
    }
    let scan = Scan::with(gpu, variant)?;
    time(gpu, "scan, exclusive", scan.bind(&pool, Sums::Exclusive, &input, &output, count)?)?;
    let compact = Compact::with(gpu, variant)?;
    time(gpu, "compact", compact.bind(&pool, &cells, None, &output, &small, count)?)?;
    let histogram = Histogram::new(gpu)?;
    time(gpu, "histogram, 256 bins", histogram.bind(&pool, &input, 256, &output, count)?)?;
    let work = histogram.bind(&pool, &cells, bins, &small, count)?;
    time(gpu, &format!("histogram, {bins} bins"), work)?;
    let segmented = Segmented::new(gpu, Extreme::MinF32)?;
    let work = segmented.bind(&pool, &input, &starts, n / 10, &payload, count)?;
    time(gpu, "segmented least, tens", work)?;
    let side = f64::from(n).sqrt() as u32;
    let texels = pool.array::<[f32; 2]>("texels", pyramid::texels(side, side) as usize)?;
    let work = Pyramid::new(gpu)?.bind(&pool, &input, [side, side], &texels)?;
    time(gpu, &format!("pyramid, {side} x {side}"), work)?;
    let sort = Sort::with(gpu, variant)?;
    let work = sort.bind_bins(&pool, &cells, None, sorted, bins, &small, count)?;
    time(gpu, &format!("radix sort, {bins} bins"), work)?;
    let counting = CountingSort::with(gpu, variant)?;
    let work = counting.bind(&pool, &cells, None, sorted, bins, &small, count)?;
    time(gpu, &format!("counting sort, {bins} bins"), work)?;
    time(gpu, "radix sort, 32 bits", sort.bind(&pool, &input, None, sorted, 32, count)?)
}

fn time(gpu: &Gpu, name: &str, work: Prepared) -> Result<(), GpuError> {
    if std::env::args().nth(3).is_some_and(|part| !name.contains(&part)) {
        return Ok(());
    }
    let mut times = Vec::new();
    for _ in 0..=ROUNDS {
        let mut encoder = gpu.encoder(name);
        work.record(&mut gpu.pass(&mut encoder, name));
        gpu.wait()?;
        let start = Instant::now();
        gpu.submit(encoder);
        gpu.wait()?;
        times.push(start.elapsed());
    }
    // The first one warms up.
    let mut times: Vec<Duration> = times.split_off(1);
    times.sort();
    let median = times[times.len() / 2].as_secs_f64() * 1e3;
    println!("  {name:<32} {median:>10.2} ms in {:>2} dispatches", work.dispatches());
    match gpu.take_errors().into_iter().next() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
