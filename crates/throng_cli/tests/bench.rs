//! `throng bench crowd`, as a reader of its JSON sees it.

use serde_json::Value;
use std::process::{Command, Output};

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).output().expect("the program starts")
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} is not a number in {value}"))
}

/// Who reads the table by machine finds every key, and no number that is not one.
#[test]
fn crowd_answers_in_json() {
    let output = throng(&["bench", "crowd", "--quick", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let rows = answer["rows"].as_array().expect("rows");
    for row in rows {
        for key in ["agents", "threads", "ms_per_step", "steps_per_s", "ns_per_agent"] {
            assert!(number(row, key) > 0.0, "{key}: {row}");
        }
        assert!(number(row, "bytes_per_agent") > 0.0);
        assert!(number(row, "overlap_mean") >= 0.0);
        assert!(number(row, "overlap_max") >= number(row, "overlap_mean"));
        assert!(row["scene"].is_string());
        assert!(row["model"].is_string() != row["peer"].is_string(), "one of both: {row}");
        let stages = row["stages"].as_object().expect("stages");
        assert!(stages["avoid"].as_f64().is_some_and(|ms| ms > 0.0), "{row}");
        let sum: f64 = stages.values().filter_map(Value::as_f64).sum();
        let step = number(row, "ms_per_step");
        assert!(sum > 0.05 * step && sum < 1.1 * step, "stages are parts of a step: {row}");
    }
    for (scene, key, name, threads) in [
        ("open plane", "model", "throng", 1),
        ("open plane", "model", "throng", 2),
        ("open plane", "model", "froblins", 2),
        ("open plane", "peer", "dodgy_2d", 2),
        ("open plane", "peer", "dodgy_2d (tuned search)", 2),
        ("froblins", "model", "throng", 1),
        ("froblins", "model", "throng", 2),
    ] {
        let is = |r: &&Value| r["scene"] == scene && r[key] == name && r["threads"] == threads;
        assert!(rows.iter().any(|r| is(&r)), "{scene} {name} {threads}");
    }
    let ratios = answer["ratios"].as_array().expect("ratios");
    assert!(ratios.len() >= 9, "{ratios:?}");
    for ratio in ratios {
        assert!(number(ratio, "value") > 0.0 && ratio["name"].is_string(), "{ratio}");
    }
    for scene in ["froblins", "bottleneck", "open plane"] {
        let those = answer["collisions"].as_array().expect("collisions").iter();
        let those: Vec<&Value> = those.filter(|c| c["scene"] == scene).collect();
        assert_eq!(those.len(), 2, "{scene}: one beside the other");
        for row in those {
            assert!(number(row, "collisions_per_agent_minute") >= 0.0);
            assert!(number(row, "seconds") > 0.5 && number(row, "mean_speed") > 0.0, "{row}");
        }
    }
    let circle = answer["circle"].as_array().expect("circle");
    let throng = circle.iter().find(|c| c["model"] == "throng").expect("ours on the circle");
    assert!(number(throng, "seconds") > 1.0, "all arrive: {throng}");
    assert!(circle.iter().any(|c| c["peer"] == "dodgy_2d"));
}

#[test]
fn a_person_reads_only_the_part_asked_for() {
    let output = throng(&["bench", "crowd", "--quick", "--agents", "256", "--only", "plane"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for word in ["open plane, 256 agents", "ours: throng", "dodgy_2d (tuned search)", "ms/step"] {
        assert!(text.contains(word), "{word} is missing in:\n{text}");
    }
    assert!(!text.contains("circle") && !text.contains("bottleneck"), "{text}");
    let output = throng(&["bench", "crowd", "--only", "plain"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("plane"), "a typo gets a hint");
}

#[test]
fn help_has_examples() {
    let output = throng(&["bench", "crowd", "--help"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Examples:"));
}
