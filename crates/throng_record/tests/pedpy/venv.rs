//! PedPy, from PyPI, in a virtual environment beside the build. The tests of `throng_cli` use it too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Our folder.
fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../throng_record/tests/pedpy")
}

/// PedPy's interpreter, or why there is none. Tests that ask at the same time wait for one.
pub(crate) fn python() -> Result<PathBuf, String> {
    static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    MADE.get_or_init(make).clone()
}

fn make() -> Result<PathBuf, String> {
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pedpy-venv");
    let python = venv.join("bin/python");
    let works = || run(Command::new(&python).args(["-c", "import pedpy"])).is_ok();
    if works() {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    run(Command::new(&python).args(pip).arg(here().join("requirements.txt")))?;
    Ok(python)
}

/// What PedPy measures in the same run as SQLite and as text: a row of figures for each.
pub(crate) fn measure(
    python: &Path,
    files: &[PathBuf; 2],
    area: [f32; 4],
    line: [f32; 4],
    frame_step: usize,
) -> Vec<serde_json::Value> {
    let mut command = Command::new(python);
    command.arg(here().join("measure.py")).args(files).arg(frame_step.to_string());
    command.args(area.iter().chain(&line).map(f32::to_string));
    let answer = run(&mut command).unwrap_or_else(|why| panic!("PedPy fails: {why}"));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&answer).unwrap();
    assert_eq!(rows.len(), 2);
    rows
}

fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = said.lines().rev().take(3).collect();
    Err(format!("{command:?}: {}", tail.join(" / ")))
}
