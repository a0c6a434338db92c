//! JuPedSim (PyPI), its collision-free speed model, in a process of its own through `bench/.venv`.
//!
//! Only its loop of iterations is timed. Overlaps are measured here, with the same yardstick.

use super::measure::overlaps;
use super::{Problem, Row, Turns, Who};
use crate::BenchError;
use crate::field::Missing;
use crate::python::{Script, file_error};
use serde::Deserialize;
use std::path::Path;

/// What came of it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was measured.
    Measured(Row),
    /// It is not installed, or failed: a notice, not an error.
    Missing(Missing),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Timed { version: String, ms: Vec<f64>, bytes: Option<f64> },
    Missing { missing: String },
}

/// Times it on a problem; `dt`, radii, speeds and goals are the problem's, all else its defaults.
///
/// # Errors
/// If a file for it cannot be written or read.
pub fn run(problem: &Problem, turns: &Turns) -> Result<Outcome, BenchError> {
    run_with(&Script::find("jupedsim_peer.py"), problem, turns)
}

fn run_with(script: &Script, problem: &Problem, turns: &Turns) -> Result<Outcome, BenchError> {
    let missing =
        |reason: String| Ok(Outcome::Missing(Missing { peer: "JuPedSim".into(), reason }));
    if !script.python.exists() {
        return missing(Script::NOT_INSTALLED.into());
    }
    let work = tempfile::tempdir().map_err(|e| file_error(Path::new("temporary folder"), &e))?;
    hand_over(problem, turns, work.path())?;
    let output = match script.run(work.path())? {
        Ok(output) => output,
        Err(said) => return missing(said),
    };
    let (version, mut ms, bytes) = match serde_json::from_slice(&output) {
        Ok(Answer::Timed { version, ms, bytes }) if !ms.is_empty() => (version, ms, bytes),
        Ok(Answer::Timed { .. }) => return missing("measured nothing".into()),
        Ok(Answer::Missing { missing: reason }) => return missing(reason),
        Err(e) => return Err(file_error(&script.file, &e)),
    };
    let (mean, worst) = overlap_of(problem, &work.path().join("positions.f32"), ms.len())?;
    ms.sort_by(f64::total_cmp);
    let who = Who::Peer(format!("JuPedSim {version}"));
    let from_seconds = turns.warm_up as f64 * problem.seconds_per_step();
    let bytes_per_agent = bytes.map(|b| b / problem.agents() as f64);
    let row =
        Row { from_seconds, bytes_per_agent, ..Row::new(&problem.scene, problem.agents(), who, 1) };
    Ok(Outcome::Measured(row.timed(ms[0], ms[ms.len() / 2]).overlapping(mean, worst)))
}

fn hand_over(problem: &Problem, turns: &Turns, folder: &Path) -> Result<(), BenchError> {
    let about = serde_json::json!({
        "agents": problem.agents(), "dt": problem.seconds_per_step(),
        "warm_up": turns.warm_up, "turns": turns.turns.max(1), "steps": turns.steps.max(1),
    });
    let Problem { x, y, radius, speed, goal_x, goal_y, .. } = problem;
    let columns = [x, y, radius, speed, goal_x, goal_y];
    let bytes: Vec<u8> = columns.into_iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    for (name, bytes) in [("problem.json", about.to_string().into_bytes()), ("problem.f32", bytes)]
    {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|e| file_error(&path, &e))?;
    }
    Ok(())
}

/// Mean and worst overlap over the turns.
fn overlap_of(problem: &Problem, path: &Path, turns: usize) -> Result<(f64, f64), BenchError> {
    let bytes = std::fs::read(path).map_err(|e| file_error(path, &e))?;
    let (values, _) = bytes.as_chunks();
    let values: Vec<f32> = values.iter().map(|b| f32::from_le_bytes(*b)).collect();
    let agents = problem.agents();
    if values.len() != 2 * agents * turns || values.iter().any(|v| !v.is_finite()) {
        return Err(file_error(path, &"does not hold a place of every agent at every turn"));
    }
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for places in values.chunks_exact(2 * agents) {
        let overlap = overlaps(&places[..agents], &places[agents..], &problem.radius);
        sum += overlap.mean;
        worst = worst.max(overlap.worst);
    }
    Ok((sum / turns as f64, worst))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::open_plane;

    #[test]
    fn without_an_environment_it_is_missing_and_says_what_to_do() {
        let script = Script { python: "no/such/python".into(), file: "none.py".into() };
        let outcome = run_with(&script, &open_plane(10, 0.3, 0.3, 1.3, 1), &Turns::default());
        let Ok(Outcome::Missing(missing)) = outcome else { panic!("{outcome:?}") };
        assert!(missing.reason.contains("cargo xtask bench"), "{missing:?}");
    }

    #[test]
    fn measures_where_it_is_installed() {
        let problem = open_plane(200, 0.3, 0.3, 1.3, 1);
        let turns = Turns { warm_up: 2, turns: 3, steps: 2, settle: 0 };
        match run(&problem, &turns).expect("files can be written") {
            Outcome::Missing(missing) => {
                eprintln!("left out: {} ({})", missing.peer, missing.reason);
            }
            Outcome::Measured(row) => {
                assert_eq!((row.agents, row.threads), (200, 1));
                assert!(row.ms_per_step > 0.0 && row.ms_per_step <= row.ms_median);
                assert!(row.overlap_mean >= 0.0 && row.overlap_max < 2.0);
            }
        }
    }
}
