//! `throng gpu`: which GPUs there are, what they can do, and which one a run would take.

use crate::failure::Failure;
use crate::{say, say_json};

/// What `throng gpu` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng gpu
  throng gpu --adapter nvidia     which one `--adapter nvidia` would take
  throng gpu --json

A run with `--backend gpu` takes the fastest: discrete before integrated, virtual, software. `--backend auto`
takes it too, unless it is a software one, which shares the cores that the CPU backend uses better.
Subgroups and timestamps are used where there are any; neither is needed. Exit codes: 0 also where there is no
GPU, 2 where --adapter names none of them.")]
pub(crate) struct Args {
    /// Part of a name, driver or API
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What is told of an adapter.
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "a build without has none to tell of"))]
#[derive(Debug, serde::Serialize)]
struct Adapter {
    name: String,
    api: String,
    /// Discrete, integrated, virtual, software or other.
    kind: &'static str,
    driver: String,
    /// Whether a crowd can run on it.
    fits: bool,
    /// Largest buffer and largest binding of a storage buffer (bytes).
    largest_buffer: u64,
    largest_binding: u64,
    workgroup: u32,
    /// Least and greatest size.
    subgroups: Option<[u32; 2]>,
    timestamps: bool,
    timestamps_in_passes: bool,
    /// Whether `--backend gpu` would take it.
    chosen: bool,
    /// Whether `--backend auto` would.
    chosen_by_auto: bool,
}

/// The whole answer.
#[derive(Debug, Default, serde::Serialize)]
struct Answer {
    /// Whether the program was built with the GPU backend.
    built: bool,
    adapters: Vec<Adapter>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let answer = look(args.adapter.as_deref())?;
    if args.json {
        return say_json(&answer);
    }
    if !answer.built {
        return say("this build has no GPU backend: it was made with --no-default-features");
    }
    if answer.adapters.is_empty() {
        return say(
            "no GPU found: no driver for Vulkan, Metal or DirectX 12 (on Debian, `mesa-vulkan-drivers` has \
             drivers for cards and a software one); crowds run on the CPU",
        );
    }
    for adapter in &answer.adapters {
        say(&adapter.text())?;
    }
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn look(_: Option<&str>) -> Result<Answer, Failure> {
    Ok(Answer::default())
}

#[cfg(feature = "gpu")]
fn look(wanted: Option<&str>) -> Result<Answer, Failure> {
    use throng::BackendError;
    use throng::gpu::{Adapters, Choice};
    let found = Adapters::find_now();
    let choice = wanted.map_or(Choice::Fast, |name| Choice::Named(name.to_owned()));
    if wanted.is_some() {
        let none =
            |error: throng::gpu::GpuError| BackendError::NoDevice { reason: error.to_string() };
        found.choose(&choice).map_err(none)?;
    }
    let chosen = found.place_of(&choice);
    let adapters = found.summaries().into_iter().enumerate().map(|(place, s)| Adapter {
        chosen: chosen == Some(place),
        chosen_by_auto: chosen == Some(place) && (wanted.is_some() || !s.software),
        name: s.name,
        api: s.api,
        kind: s.kind,
        driver: s.driver,
        fits: s.fits,
        largest_buffer: s.largest_buffer,
        largest_binding: s.largest_binding,
        workgroup: s.workgroup,
        subgroups: s.subgroups.map(|(least, most)| [least, most]),
        timestamps: s.timestamps,
        timestamps_in_passes: s.timestamps_in_passes,
    });
    Ok(Answer { built: true, adapters: adapters.collect() })
}

impl Adapter {
    fn text(&self) -> String {
        let chosen = match (self.chosen, self.chosen_by_auto) {
            (true, true) => "  <- --backend gpu and auto take this one",
            (true, false) => "  <- --backend gpu takes this one; auto takes the CPU",
            (false, _) => "",
        };
        let subgroups = match self.subgroups {
            Some([least, most]) if least == most => format!("of {least}"),
            Some([least, most]) => format!("of {least} to {most}"),
            None => "none".into(),
        };
        let timestamps = match (self.timestamps, self.timestamps_in_passes) {
            (_, true) => "per stage",
            (true, false) => "per pass",
            (false, false) => "none",
        };
        let fits =
            if self.fits { "" } else { "\n  has less than WebGPU's default limits: not usable" };
        format!(
            "{}{chosen}\n  {}, {}, {}\n  buffers up to {} MB, bindings up to {} MB, workgroups up to {}\n  \
             subgroups {subgroups}, timestamps {timestamps}{fits}",
            self.name,
            self.kind,
            self.api,
            self.driver,
            self.largest_buffer >> 20,
            self.largest_binding >> 20,
            self.workgroup,
        )
    }
}
