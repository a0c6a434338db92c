//! `throng soak --determinism`: the same bits on any number of threads and after a snapshot, other
//! bits from another seed.

use super::plan::mix;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::run::Interrupt;
use crate::{say, say_json};
use std::cell::Cell;
use throng::{BuildOptions, Crowd, CrowdError, CrowdOptions, Scene};

/// Scenes, and people in them.
const SCENES: [(&str, u32); 3] = [("froblins", 2000), ("two-way", 400), ("square", 200)];
const THREADS: [usize; 3] = [1, 2, 8];
/// Steps between two looks that go into the trail.
const TRAIL: u64 = 50;

/// What one run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// The crowd at the end.
    hash: u64,
    /// All places on the way, every so many steps. Knows nothing of the seed itself.
    trail: u64,
}

/// One scene.
#[derive(Clone, Debug, serde::Serialize)]
struct Row {
    scene: &'static str,
    agents: u32,
    agents_at_end: usize,
    steps: u64,
    hash_1_thread: String,
    hash_2_threads: String,
    hash_8_threads: String,
    hash_restored: String,
    hash_other_seed: String,
    /// What does not agree where it must, or agrees where it must not.
    wrong: Vec<String>,
}

/// Steps a crowd and marks its trail.
struct Walker<'a> {
    progress: &'a Progress,
    interrupt: &'a Interrupt,
    done: &'a Cell<u64>,
}

enum Stop {
    Crowd(CrowdError),
    Interrupted(u8),
}

impl Walker<'_> {
    /// Steps from `trail` on; gives the trail.
    fn walk(&self, crowd: &mut Crowd, to: u64, mut trail: u64) -> Result<u64, Stop> {
        let dt = crowd.world().dt;
        while crowd.steps() < to {
            if let Some(code) = self.interrupt.seen() {
                return Err(Stop::Interrupted(code));
            }
            crowd.step(dt).map_err(Stop::Crowd)?;
            if crowd.steps().is_multiple_of(TRAIL) {
                trail = crowd.x().iter().chain(crowd.y()).fold(trail, |trail, v| {
                    mix(trail ^ u64::from(v.to_bits())).wrapping_add(trail << 1)
                });
            }
            self.done.set(self.done.get() + 1);
            self.progress.at(self.done.get());
        }
        Ok(trail)
    }
}

fn crowd(name: &str, agents: u32, seed: u64, threads: usize) -> Result<Crowd, Failure> {
    let scene = Scene::builtin(name).ok_or_else(|| Failure::Usage(format!("no scene {name}")))?;
    let options = BuildOptions { agents: Some(agents), ..BuildOptions::default() };
    let world = scene.build(&options).map_err(|e| Failure::Usage(format!("{name}: {e}")))?;
    let options =
        CrowdOptions { seed: Some(seed), threads: Some(threads), ..CrowdOptions::default() };
    Crowd::new(world, options).map_err(|error| Failure::Crowd { scene: name.into(), error })
}

/// One scene, in all the ways that matter.
fn try_scene(
    (name, agents): (&'static str, u32),
    steps: u64,
    seed: u64,
    walker: &Walker<'_>,
) -> Result<Row, Failure> {
    let stopped = |stop: Stop| match stop {
        Stop::Crowd(error) => Failure::Crowd { scene: name.into(), error },
        Stop::Interrupted(code) => Failure::Told(code),
    };
    let run = |seed: u64, threads: usize| -> Result<(Mark, usize), Failure> {
        walker.progress.retitle(format!("{name}, seed {seed}, threads {threads}"));
        let mut crowd = crowd(name, agents, seed, threads)?;
        let trail = walker.walk(&mut crowd, steps, 0).map_err(stopped)?;
        Ok((Mark { hash: crowd.hash(), trail }, crowd.len()))
    };
    let (one, agents_at_end) = run(seed, THREADS[0])?;
    let (two, _) = run(seed, THREADS[1])?;
    let (eight, _) = run(seed, THREADS[2])?;
    let (other, _) = run(seed ^ 0x5eed, THREADS[1])?;

    walker.progress.retitle(format!("{name}, saved and restored"));
    let mut saved = crowd(name, agents, seed, THREADS[1])?;
    let trail = walker.walk(&mut saved, steps / 2, 0).map_err(stopped)?;
    let bytes = saved.snapshot();
    drop(saved);
    // Into a crowd that has lived another life.
    let mut restored = crowd(name, agents, seed ^ 0xabc, THREADS[1])?;
    walker.walk(&mut restored, 20.min(steps), 0).map_err(stopped)?;
    restored.restore(&bytes).map_err(|e| stopped(Stop::Crowd(e)))?;
    let trail = walker.walk(&mut restored, steps, trail).map_err(stopped)?;
    let restored = Mark { hash: restored.hash(), trail };

    let mut wrong = Vec::new();
    for (what, mark) in [("2 threads", two), ("8 threads", eight), ("restored", restored)] {
        if mark != one {
            wrong.push(format!("{what} differs from 1 thread"));
        }
    }
    if other.hash == one.hash || other.trail == one.trail {
        wrong.push("another seed gives the same".into());
    }
    let hex = |mark: Mark| format!("{:016x}", mark.hash);
    Ok(Row {
        scene: name,
        agents,
        agents_at_end,
        steps,
        hash_1_thread: hex(one),
        hash_2_threads: hex(two),
        hash_8_threads: hex(eight),
        hash_restored: hex(restored),
        hash_other_seed: hex(other),
        wrong,
    })
}

/// Runs all scenes. Exit code 1 if anything is wrong.
pub(super) fn run(steps: u64, seed: u64, json: bool) -> Result<(), Failure> {
    let interrupt = Interrupt::watch()?;
    let total = SCENES.len() as u64 * (5 * steps + 20.min(steps));
    let progress = Progress::new("determinism", total);
    let done = Cell::new(0);
    let walker = Walker { progress: &progress, interrupt: &interrupt, done: &done };
    let mut rows = Vec::new();
    let mut ended = Ok(());
    for scene in SCENES {
        match try_scene(scene, steps, seed, &walker) {
            Ok(row) => rows.push(row),
            Err(failure) => {
                ended = Err(failure);
                break;
            }
        }
    }
    drop(progress);
    if json {
        say_json(&rows)?;
    } else {
        say(&text(&rows))?;
    }
    ended?;
    if rows.iter().any(|row| !row.wrong.is_empty()) {
        return Err(Failure::Told(1));
    }
    Ok(())
}

fn text(rows: &[Row]) -> String {
    let mut lines = vec![format!(
        "{:<10}{:>7}{:>7}  {:<17} {:<17} {:<17} {:<17} {:<17}",
        "scene",
        "people",
        "steps",
        "1 thread",
        "2 threads",
        "8 threads",
        "restored half-way",
        "another seed"
    )];
    for row in rows {
        lines.push(format!(
            "{:<10}{:>7}{:>7}  {:<17} {:<17} {:<17} {:<17} {:<17} {}",
            row.scene,
            row.agents,
            row.steps,
            row.hash_1_thread,
            row.hash_2_threads,
            row.hash_8_threads,
            row.hash_restored,
            row.hash_other_seed,
            if row.wrong.is_empty() { "as it should be" } else { "WRONG" }
        ));
        lines.extend(row.wrong.iter().map(|wrong| format!("  WRONG: {}: {wrong}", row.scene)));
    }
    lines.join("\n")
}
