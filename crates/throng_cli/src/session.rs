//! What `throng view` and `throng serve` are told alike: of the crowd, and of its clock.

use std::path::PathBuf;

/// Options of a crowd that people watch and steer.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    /// So many people instead of the scene's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) agents: Option<u32>,
    /// Seed of every random choice [default: the scene's]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Seconds of the crowd per second of the clock
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = crate::run::positive)]
    pub(crate) speed: f64,
    /// Stand still at first
    #[arg(long)]
    pub(crate) paused: bool,
    /// Write all that is done to the crowd to this file, as it is done
    #[arg(long, value_name = "LOG")]
    pub(crate) commands: Option<PathBuf>,
}
