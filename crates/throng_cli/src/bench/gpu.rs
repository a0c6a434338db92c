//! `throng bench gpu`: the crowd on the GPU beside that on the CPU.

use clap::builder::RangedU64ValueParser;

pub(crate) const HELP: &str = "\
Examples:
  throng bench gpu                               the full table: 65,536, 262,144 and 1,048,576 agents
  throng bench gpu --agents 65536                the smallest alone
  throng bench gpu --adapter nvidia --json > gpu.json

Both sides start from one state of the froblin valley and take turns; the best turn of each counts. Times of
stages are the device's own timestamps. Bytes moved are what the kernels read and write, each once per dispatch,
by the table in throng_crowd's `gpu/crowd/account.rs`. The last column is an ESTIMATE for a card of 500 GB/s:
bytes moved by that, and nothing else.
A software adapter (llvmpipe) shares the cores with the other side: the ratio then compares two programs on
the same cores; the processor time of all threads, told besides, is what other programs disturb least.";

/// What `throng bench gpu` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Numbers of people
    #[arg(long, value_delimiter = ',', default_values_t = [65_536, 262_144, 1_048_576],
          value_parser = RangedU64ValueParser::<u32>::new().range(1..))]
    agents: Vec<u32>,
    /// Turns of five steps that each side takes
    #[arg(long, default_value_t = 10,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    turns: usize,
    /// Part of the name of the GPU to take, its driver or API [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Threads of the CPU [default: as many as there are cores]
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=256))]
    threads: Option<usize>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(args: &Args) -> Result<(), crate::failure::Failure> {
    let Args { agents: _, turns: _, adapter: _, threads: _, json: _ } = args;
    Err(throng::BackendError::NotBuilt.into())
}

#[cfg(feature = "gpu")]
pub(crate) use built::run;

#[cfg(feature = "gpu")]
mod built {
    use super::Args;
    use crate::failure::Failure;
    use crate::run::count;
    use crate::{say, say_json};
    use throng_bench::gpu::{GpuBench, Options, Row, Stage, run as measure};

    pub(crate) fn run(args: &Args) -> Result<(), Failure> {
        let options = Options {
            agents: args.agents.clone(),
            turns: args.turns,
            adapter: args.adapter.clone(),
            threads: args.threads,
            ..Options::default()
        };
        let bench = super::super::measured("turns", |told| measure(&options, told))?;
        if args.json {
            return say_json(&bench);
        }
        print(&bench)
    }

    fn print(bench: &GpuBench) -> Result<(), Failure> {
        say(&bench.adapter)?;
        if bench.software {
            say("a software adapter: both sides use the same cores")?;
        }
        if !bench.timestamps {
            say("no timestamps within passes: stages are not timed")?;
        }
        for row in &bench.rows {
            print_row(row)?;
            let drawn = row.instances_ms;
            say(&format!("  instances for a renderer, when it asks for them: {drawn:.2} ms"))?;
            if let Some(time) = row.processor_ms.filter(|_| bench.software) {
                say(&format!(
                    "  processor time of a step, all threads: {:.1} ms for the GPU's side, {:.1} ms for the CPU's: \
                     {:.2} times",
                    time.gpu, time.cpu, time.gpu_to_cpu
                ))?;
            }
        }
        Ok(())
    }

    fn print_row(row: &Row) -> Result<(), Failure> {
        say(&format!(
            "\n{:<24}{:>10}{:>10}{:>8}{:>12}{:>12}{:>24}",
            format!("{} agents", count(row.agents as u64)),
            "GPU ms",
            "CPU ms",
            "ratio",
            "dispatches",
            "MB moved",
            "ESTIMATE at 500 GB/s"
        ))?;
        for stage in &row.stages {
            say(&stage_line(stage))?;
        }
        say(&format!(
            "  {:<22}{:>10.2}{:>10.2}{:>8.2}{:>12.0}{:>12.1}{:>21.3} ms",
            "whole step",
            row.gpu_ms,
            row.cpu_ms,
            row.gpu_to_cpu,
            row.dispatches,
            row.bytes_moved as f64 / 1e6,
            row.estimate_ms
        ))?;
        say(&format!(
            "  {:.0} ns per agent, {:.2} times that of the first; {:.0} bytes of device memory and {:.0} bytes \
             moved per agent; {} bytes sent and {:.0} maps per step",
            row.gpu_ns_per_agent,
            row.per_agent_to_first,
            row.bytes_per_agent,
            row.bytes_moved as f64 / row.agents as f64,
            count(row.uploaded as u64),
            row.maps
        ))
    }

    fn stage_line(stage: &Stage) -> String {
        let ms = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
        let moved = (stage.read + stage.written) as f64 / 1e6;
        let (bytes, estimate) = match stage.dispatches {
            0 => ("-".to_owned(), "-   ".to_owned()),
            _ => (format!("{moved:.1}"), format!("{:.3} ms", stage.estimate_ms)),
        };
        format!(
            "  {:<22}{:>10}{:>10}{:>8}{:>12}{bytes:>12}{estimate:>24}",
            stage.stage,
            ms(stage.gpu_ms),
            ms(stage.cpu_ms),
            ms(stage.gpu_to_cpu),
            stage.dispatches
        )
    }
}
