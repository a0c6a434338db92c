//! `throng new`: a commented scene to start from.

use crate::failure::Failure;
use crate::say;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// What `throng new` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng new room my-room.toml
  throng check my-room.toml

Files that exist are never overwritten.")]
pub(crate) struct Args {
    /// What it starts from
    #[arg(value_enum)]
    kind: Kind,
    /// The file to make
    file: PathBuf,
}

/// What a scene can start from.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Kind {
    /// A room with a door that empties
    Room,
    /// A corridor with people in both directions
    Corridor,
    /// A floor plan as WKT, with places to visit before leaving
    Building,
    /// A valley with actions and rules: life as data
    Valley,
    /// A city from a seed
    City,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Self::Room => include_str!("templates/room.toml"),
            Self::Corridor => include_str!("templates/corridor.toml"),
            Self::Building => include_str!("templates/building.toml"),
            Self::Valley => include_str!("templates/valley.toml"),
            Self::City => include_str!("templates/city.toml"),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display();
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&args.file).map_err(|error| {
            match error.kind() {
                ErrorKind::AlreadyExists => {
                    Failure::Usage(format!("{name}: exists already; choose another name"))
                }
                _ => Failure::Output(format!("{name}: cannot be made ({error})")),
            }
        })?;
    let written = file.write_all(args.kind.text().as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a file would only be in the way of the next try.
        let _ = std::fs::remove_file(&args.file);
        Failure::Output(format!("{name}: cannot be written ({error})"))
    })?;
    say(&format!("{name}: made; change it, then `throng check {name}`"))
}
