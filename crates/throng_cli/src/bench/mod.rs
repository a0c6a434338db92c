//! `throng bench`: ours against the peers in one run.

mod character;
mod crowd;
mod field;
mod gpu;
mod grass;
mod render;
mod replay;
mod serve;

use crate::failure::Failure;

/// What can be measured.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Field solvers against the crates `eikonal` and `pathfinding`, scikit-fmm and pyekfmm
    #[command(after_help = field::HELP)]
    Field(field::Args),
    /// The crowd against the crate `dodgy_2d` and JuPedSim, and in the froblin valley
    #[command(after_help = crowd::HELP)]
    Crowd(crowd::Args),
    /// The crowd on the GPU, stage by stage, beside that on the CPU
    #[command(after_help = gpu::HELP)]
    Gpu(gpu::Args),
    /// Pictures with culling and levels of detail, beside everybody at full detail
    #[command(after_help = render::HELP)]
    Render(render::Args),
    /// Characters skinned once for all views, beside characters skinned in every view
    #[command(after_help = character::HELP)]
    Character(character::Args),
    /// What clients of `throng serve` cost the crowd, and what they get
    Serve(serve::Args),
    /// How long a large recording takes to open and to seek in
    #[command(after_help = replay::HELP)]
    Replay(replay::Args),
    /// Grass that sways, is trodden on and parts around bodies, beside a meadow without it
    #[command(after_help = grass::HELP)]
    Grass(grass::Args),
}

/// Measures with a progress bar over what is counted; a GPU that is not there is said as everywhere.
#[cfg(feature = "gpu")]
fn measured<T>(
    counted: &str,
    measure: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T, throng_bench::BenchError>,
) -> Result<T, Failure> {
    let mut progress = None;
    let bench = measure(&mut |done, total| {
        let bar = || crate::progress::Progress::new(counted, total as u64);
        progress.get_or_insert_with(bar).at(done as u64);
    });
    bench.map_err(|error| match error {
        throng_bench::BenchError::Gpu(reason) => throng::BackendError::NoDevice { reason }.into(),
        error => Failure::Bench(error),
    })
}

pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Field(args) => field::run(args),
        Command::Crowd(args) => crowd::run(args),
        Command::Gpu(args) => gpu::run(args),
        Command::Render(args) => render::run(args),
        Command::Character(args) => character::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Grass(args) => grass::run(args),
    }
}
