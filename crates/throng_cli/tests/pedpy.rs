//! PedPy, from PyPI, measures real runs as our summary does: density and speed in an area, flow over a
//! line, from SQLite and from text. Says so when PedPy cannot be installed.

#![allow(clippy::print_stdout, reason = "figures, and why a test was skipped")]

#[path = "../../throng_record/tests/pedpy/venv.rs"]
mod venv;

use serde_json::Value;
use std::process::Command;

/// Every step of the scenes is a frame.
const FPS: &str = "20";
/// PedPy's figures and ours may differ by this share.
const AGREE: f64 = 0.02;

fn corners(at: [f32; 4]) -> String {
    at.map(|v| v.to_string()).join(",")
}

fn compare(scene: &str, seconds: &str, area: [f32; 4], line: [f32; 4]) {
    let python = match venv::python() {
        Ok(python) => python,
        Err(why) => {
            println!("skipped: PedPy cannot be installed: {why}");
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let files = ["run.sqlite", "run.txt"].map(|name| folder.path().join(name));
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(["run", scene, "--seconds", seconds, "--fps", FPS, "--json"]);
    files.iter().for_each(|file| {
        command.arg("--trajectory").arg(file);
    });
    command.args(["--area", &corners(area), "--line", &corners(line)]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (here, across) = (&summary["areas"][0], &summary["lines"][0]);
    for row in venv::measure(&python, &files, area, line, 1) {
        assert_eq!(row["valid"], true, "people outside of the geometry: {row}");
        for (name, ours) in [
            ("density", &here["density"]),
            ("speed_inside", &here["speed"]),
            ("crossed", &across["crossed"]),
            ("flow", &across["flow"]),
        ] {
            let (theirs, ours) = (row[name].as_f64().unwrap(), ours.as_f64().unwrap());
            println!("{scene}, {name}: PedPy {theirs:.5}, ours {ours:.5}");
            assert!((theirs / ours - 1.0).abs() < AGREE, "{scene}, {name}: {theirs}, ours {ours}");
        }
    }
}

/// If this fails, an engineer who measures our files finds other figures than we print.
#[test]
fn pedpy_measures_a_corridor_as_we_do() {
    compare("corridor", "30", [20.0, 0.0, 30.0, 5.0], [35.0, 0.0, 35.0, 5.0]);
}

/// The same with a dense crowd that pushes through a door.
#[test]
fn pedpy_measures_a_bottleneck_as_we_do() {
    compare("bottleneck", "40", [11.0, 3.0, 14.0, 7.0], [14.2, 4.4, 14.2, 5.6]);
}
