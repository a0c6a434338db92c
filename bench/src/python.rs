//! The peers in Python, run through the virtual environment of this folder.

use crate::BenchError;
use crate::problems::Problem;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a peer answered.
#[derive(Debug, Deserialize)]
pub(crate) enum Answer {
    /// A time for each problem, or none where the peer cannot do it.
    #[serde(rename = "rows")]
    Rows(Vec<Option<Row>>),
    /// Why it is not there.
    #[serde(rename = "missing")]
    Missing(String),
}

/// A peer's time on a problem.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) ms: f64,
    pub(crate) error_max: Option<f64>,
}

/// The folder of this crate: `bench/` of the working directory, or where it was built.
fn folder() -> PathBuf {
    let here = PathBuf::from("bench");
    if here.join("peers.py").exists() { here } else { PathBuf::from(env!("CARGO_MANIFEST_DIR")) }
}

/// A script of this folder and the Python of its virtual environment.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) python: PathBuf,
    pub(crate) file: PathBuf,
}

impl Script {
    /// Why there is nothing to run where there is no environment.
    pub(crate) const NOT_INSTALLED: &str =
        "not installed; `cargo xtask bench` makes the environment bench/.venv";

    pub(crate) fn find(name: &str) -> Self {
        let folder = folder();
        Self { python: folder.join(".venv/bin/python"), file: folder.join(name) }
    }

    /// What it says on standard output, or the last thing it said when it failed.
    pub(crate) fn run(&self, argument: &Path) -> Result<Result<Vec<u8>, String>, BenchError> {
        let output = Command::new(&self.python).arg(&self.file).arg(argument).output();
        let output = output.map_err(|e| file_error(&self.python, &e))?;
        if output.status.success() {
            return Ok(Ok(output.stdout));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Ok(Err(said.lines().last().unwrap_or("failed without a word").to_owned()))
    }
}

/// Runs the peers on all problems, or says why not.
pub(crate) fn run(problems: &[(&Problem, usize)]) -> Result<BTreeMap<String, Answer>, BenchError> {
    let script = Script::find("peers.py");
    let all_missing = |why: &str| {
        let names = ["scikit-fmm order 1", "scikit-fmm order 2", "pyekfmm order 2"];
        Ok(names.iter().map(|n| ((*n).to_owned(), Answer::Missing(why.to_owned()))).collect())
    };
    if !script.python.exists() {
        return all_missing(Script::NOT_INSTALLED);
    }
    let work = tempfile::tempdir().map_err(|e| file_error(Path::new("temporary folder"), &e))?;
    let mut list = Vec::new();
    for (i, (problem, repeats)) in problems.iter().enumerate() {
        let path = work.path().join(format!("{i}.npy"));
        throng_record::write_npy(&problem.cost, &path).map_err(|e| file_error(&path, &e))?;
        let goal = problem.goals[0];
        list.push(serde_json::json!({
            "cost": path, "source": [goal.x, goal.y], "repeats": repeats,
        }));
    }
    let listed = work.path().join("problems.json");
    std::fs::write(&listed, serde_json::Value::from(list).to_string())
        .map_err(|e| file_error(&listed, &e))?;
    match script.run(&listed)? {
        Ok(output) => serde_json::from_slice(&output).map_err(|e| file_error(&script.python, &e)),
        Err(said) => all_missing(&said),
    }
}

pub(crate) fn file_error(path: &Path, cause: &dyn std::fmt::Display) -> BenchError {
    BenchError::File { path: path.to_owned(), cause: cause.to_string() }
}
