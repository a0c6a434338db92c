//! `throng scenes`: what ships.

use crate::failure::Failure;
use crate::{say, say_json};
use throng_world::{Scene, scene_names};

/// What `throng scenes` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng scenes                 names, people, seconds and what they are
  throng check froblins         is it sound, and how large is it?")]
pub(crate) struct Args {
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// One scene of the list.
#[derive(serde::Serialize)]
struct Row {
    name: &'static str,
    agents: u64,
    seconds: f32,
    title: String,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rows: Vec<Row> = scene_names()
        .filter_map(|name| {
            let scene = Scene::builtin(name)?;
            let (agents, seconds) = (scene.agents(), scene.data.seconds);
            Some(Row { name, agents, seconds, title: scene.data.title })
        })
        .collect();
    if args.json {
        return say_json(&rows);
    }
    say(&format!("{:<12}{:>8}{:>9}  {}", "scene", "people", "seconds", "what it is"))?;
    for row in rows {
        say(&format!("{:<12}{:>8}{:>9}  {}", row.name, row.agents, row.seconds, row.title))?;
    }
    Ok(())
}
