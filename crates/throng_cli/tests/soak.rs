//! `throng soak` in short: it looks at all scenes, is the same every time, and refuses what makes no
//! sense. `cargo xtask soak` goes on for a billion agent-steps.

use serde_json::Value;
use std::process::{Command, Output};

fn soak(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.arg("soak").args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = soak(&[args, &["--json"]].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said} {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&said).unwrap()
}

/// If this fails, an invariant is broken within minutes of simulated time, or a scene is left out.
#[test]
fn nothing_is_wrong_in_any_scene() {
    let report = json(&["--agent-steps", "2e5"]);
    assert_eq!(report["wrong"], Value::Null, "{report}");
    assert!(report["agent_steps"].as_u64() >= Some(200_000));
    let scenes = report["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), throng_world::scene_names().count());
    for scene in scenes {
        assert!(scene["agent_steps"].as_u64() > Some(10_000), "{scene}");
        assert!(scene["edits"].as_u64() > Some(0), "{scene}");
        assert!(scene["speed_of_limit"].as_f64() > Some(0.5), "nobody walks: {scene}");
    }
    for kind in ["spawn", "remove", "add_wall", "set_goal", "nonsense"] {
        assert!(report["edits"][kind].as_u64() > Some(0), "no {kind}: {report}");
    }
}

/// If this fails, a finding could not be repeated by the command that is told with it.
#[test]
fn the_same_seed_does_the_same() {
    let told = |args: &[&str]| {
        let report = json(&[args, &["--scenes", "two-way,bottleneck"]].concat());
        (report["agent_steps"].clone(), report["edits"].clone(), report["scenes"].clone())
    };
    let first = told(&["--agent-steps", "3e4", "--seed", "8", "--threads", "1"]);
    assert_eq!(first, told(&["--agent-steps", "3e4", "--seed", "8", "--threads", "2"]));
    assert_ne!(first, told(&["--agent-steps", "3e4", "--seed", "9"]));
    // One slice alone is part of the whole.
    let one = told(&["--agent-steps", "3e4", "--seed", "8", "--slice", "1"]);
    assert!(one.0.as_u64() < first.0.as_u64());
}

/// If this fails, runs depend on the machine they ran on.
#[test]
fn hashes_agree_where_they_must() {
    let rows = json(&["--determinism", "--steps", "60"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let one = &row["hash_1_thread"];
        assert!(one.as_str().is_some_and(|hash| hash.len() == 16), "{row}");
        for same in ["hash_2_threads", "hash_8_threads", "hash_restored"] {
            assert_eq!(&row[same], one, "{same}: {row}");
        }
        assert_ne!(&row["hash_other_seed"], one, "{row}");
        assert_eq!(row["wrong"].as_array().unwrap().len(), 0);
    }
}

/// A typing error should not cost an hour.
#[test]
fn what_makes_no_sense_is_refused() {
    for (args, says) in [
        (&["--scenes", "moon"][..], "froblins"),
        (&["--agent-steps", "0"], "from 1"),
        (&["--agent-steps", "many"], "from 1"),
        (&["--steps", "5"], "--determinism"),
        (&["--determinism", "--scenes", "two-way"], "cannot be used"),
    ] {
        let output = soak(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(says), "{args:?}: {said}");
    }
}

/// Whoever ends it would not learn what was seen so far.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_what_was_seen() {
    use std::io::BufRead;
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(["soak", "--scenes", "two-way", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Its first line about progress comes after five seconds.
    let mut said = std::io::BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["interrupted"], &report["wrong"]), (&Value::Bool(true), &Value::Null));
    assert!(report["agent_steps"].as_u64() > Some(0), "{report}");
}
