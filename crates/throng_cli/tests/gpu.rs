//! The GPU backend, as a user of the program meets it.
#![cfg(feature = "gpu")]

use serde_json::Value;
use std::process::{Command, Output};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_throng"))
}

fn throng(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

/// On a machine without any driver.
fn without_gpu(args: &[&str]) -> Output {
    let nothing = [("VK_DRIVER_FILES", "/dev/null"), ("VK_ICD_FILENAMES", "/dev/null")];
    let mut program = program();
    program.args(args).envs(nothing).env("WGPU_BACKEND", "vulkan");
    program.output().expect("the program starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", told(output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// Lines that are no progress bar.
fn lines(output: &Output) -> Vec<String> {
    told(output).lines().filter(|line| line.starts_with("throng: ")).map(str::to_owned).collect()
}

/// If this fails, nobody learns which GPU a run would take.
#[test]
fn adapters_are_listed() {
    let answer = json(&throng(&["gpu", "--json"]));
    assert_eq!(answer["built"], true);
    let adapters = answer["adapters"].as_array().expect("adapters");
    assert!(!adapters.is_empty(), "no GPU, not even in software: `cargo xtask test` installs one");
    assert_eq!(adapters.iter().filter(|a| a["chosen"] == true).count(), 1, "{answer}");
    for adapter in adapters {
        for key in ["name", "api", "kind", "driver"] {
            assert!(adapter[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {adapter}");
        }
        assert!(adapter["largest_binding"].as_u64().is_some_and(|b| b >= 128 << 20), "{adapter}");
        let software = adapter["kind"] == "software";
        assert!(!(software && adapter["chosen_by_auto"] == true), "{adapter}");
    }
    let text = throng(&["gpu"]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("--backend gpu"), "{text:?}");
    let wrong = throng(&["gpu", "--adapter", "no such card"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(lines(&wrong)[0].contains("no such card"), "{wrong:?}");
}

/// If this fails, a machine without a GPU is told riddles, or left without a crowd.
#[test]
fn no_adapter_is_said_and_survived() {
    let list = without_gpu(&["gpu"]);
    assert!(list.status.success(), "{list:?}");
    assert!(String::from_utf8_lossy(&list.stdout).starts_with("no GPU found"), "{list:?}");
    assert_eq!(json(&without_gpu(&["gpu", "--json"]))["adapters"], serde_json::json!([]));
    let run = ["run", "bottleneck", "--steps", "5", "--json", "--quiet", "--backend"];
    let gpu = without_gpu(&[&run[..], &["gpu"]].concat());
    assert_eq!(gpu.status.code(), Some(2), "{gpu:?}");
    assert!(gpu.stdout.is_empty());
    assert_eq!(lines(&gpu).len(), 1, "{gpu:?}");
    assert!(lines(&gpu)[0].starts_with("throng: no GPU to run on: "), "{gpu:?}");
    assert!(told(&gpu).contains("--backend auto"), "a way out: {gpu:?}");
    let auto = without_gpu(&[&run[..], &["auto"]].concat());
    let summary = json(&auto);
    assert_eq!((&summary["backend"], &summary["steps"]), (&"cpu".into(), &5.into()));
    assert_eq!(lines(&auto).len(), 1, "{auto:?}");
    assert!(lines(&auto)[0].starts_with("throng: on the CPU: no GPU to run on"), "{auto:?}");
    let bench = without_gpu(&["bench", "gpu", "--agents", "64"]);
    assert_eq!((bench.status.code(), lines(&bench).len()), (Some(2), 1), "{bench:?}");
}

/// If this fails, files of a run on the GPU are missing or empty, or the run is on the CPU after all.
#[test]
fn a_run_on_the_gpu_leaves_all_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (sqlite, csv, png, gif) = (file("a.sqlite"), file("a.csv"), file("a.png"), file("a.gif"));
    let run = |backend: &str, files: &[&str]| {
        let common =
            ["run", "bottleneck", "--seconds", "3", "--json", "--quiet", "--backend", backend];
        json(&throng(&[&common[..], files].concat()))
    };
    let files = ["--trajectory", &sqlite, "--trajectory", &csv, "--map", &png, "--map", &gif];
    let area = ["--area", "11,3,14,7", "--line", "14.2,4.4,14.2,5.6"];
    let gpu = run("gpu", &[&files[..], &area].concat());
    let cpu = run("cpu", &area);
    assert_eq!(gpu["backend"], "gpu");
    assert!(gpu["adapter"].as_str().is_some_and(|name| !name.is_empty()), "{gpu}");
    assert_eq!((&cpu["backend"], &cpu["adapter"]), (&"cpu".into(), &Value::Null));
    for key in ["agents", "agents_at_start", "agents_at_end", "steps", "sim_seconds", "seed"] {
        assert_eq!(gpu[key], cpu[key], "{key}");
    }
    let both = |key: &str| [&gpu, &cpu].map(|summary| summary[key].as_f64().expect("a number"));
    let [there, here] = both("mean_speed");
    assert!((there / here - 1.0).abs() < 0.02, "{there} m/s on the GPU, {here} on the CPU");
    assert!(both("bytes_per_agent").iter().all(|bytes| *bytes > 100.0));
    assert_eq!(gpu["in_wall"], 0);
    assert_eq!(gpu["written"].as_array().map(Vec::len), Some(4));
    for path in [&sqlite, &csv, &png, &gif] {
        assert!(std::fs::metadata(path).is_ok_and(|file| file.len() > 1000), "{path}");
    }
    let rows = std::fs::read_to_string(&csv).expect("text").lines().count();
    let people = gpu["agents_at_start"].as_u64().expect("a number") as usize;
    assert!(rows > 30 * people, "31 frames of {people} people are {rows} lines");
}

/// If this fails, a run ends with its device, loses somebody, or says nothing about it.
#[test]
fn a_lost_device_does_not_end_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("run.csv").display().to_string();
    let output = throng(&[
        "run",
        "circle",
        "--steps",
        "60",
        "--json",
        "--quiet",
        "--backend",
        "gpu",
        "--lose-device",
        "40",
        "--trajectory",
        &csv,
    ]);
    let summary = json(&output);
    assert_eq!((&summary["backend"], &summary["steps"]), (&"cpu".into(), &60.into()));
    assert_eq!(summary["agents_at_end"], summary["agents_at_start"]);
    assert_eq!(lines(&output).len(), 1, "{output:?}");
    assert!(lines(&output)[0].contains("lost") && lines(&output)[0].contains("on the CPU"));
    assert_eq!(summary["written"].as_array().map(Vec::len), Some(1));
}

/// If this fails, a crowd too large for the card ends in an allocation that fails, or much later.
#[test]
fn a_hundred_million_are_refused_at_once() {
    let output =
        throng(&["run", "froblins", "--agents", "100000000", "--backend", "gpu", "--quiet"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(lines(&output).len(), 1, "{output:?}");
    let line = &lines(&output)[0];
    assert!(line.starts_with("throng: out of GPU memory: 100000000 agents"), "{line}");
    let most = line.rsplit(' ').next().and_then(|most| most.parse::<u64>().ok());
    assert!(most.is_some_and(|most| (1_000_000..10_000_000).contains(&most)), "{line}");
}

/// If this fails, an option that changes nothing is taken without a word.
#[test]
fn an_adapter_for_the_cpu_is_refused() {
    let output = throng(&["run", "two-way", "--steps", "1", "--adapter", "llvmpipe"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(lines(&output)[0].contains("--backend gpu"), "{output:?}");
}

/// Who reads the table by machine finds every key, and numbers that fit together.
#[test]
fn bench_answers_in_json() {
    let answer =
        json(&throng(&["bench", "gpu", "--agents", "2048,4096", "--turns", "1", "--json"]));
    assert!(answer["adapter"].is_string() && answer["software"].is_boolean());
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    let number = |value: &Value, key: &str| {
        value[key].as_f64().unwrap_or_else(|| panic!("{key} is not a number in {value}"))
    };
    for row in rows {
        for key in ["gpu_ms", "cpu_ms", "gpu_to_cpu", "gpu_ns_per_agent", "per_agent_to_first"] {
            assert!(number(row, key) > 0.0, "{key}: {row}");
        }
        assert_eq!(number(row, "maps"), 0.0, "nothing is read back in a step");
        assert!((8.0..=60.0).contains(&number(row, "dispatches")), "{row}");
        assert!(number(row, "bytes_per_agent") > 150.0);
        let stages = row["stages"].as_array().expect("stages");
        let sum = |key: &str| stages.iter().map(|stage| number(stage, key)).sum::<f64>();
        assert_eq!(number(row, "bytes_moved"), sum("read") + sum("written"));
        let more = number(row, "dispatches") - sum("dispatches");
        assert!((0.0..=2.0).contains(&more), "two more where fields are due: {row}");
        assert!(number(row, "instances_ms") > 0.0, "written when they are drawn: {row}");
        let seconds = number(row, "bytes_moved") / number(&answer, "card_bytes_per_second");
        assert!((number(row, "estimate_ms") / (seconds * 1e3) - 1.0).abs() < 1e-6);
        for name in ["fields", "navigate", "avoid", "behave", "contact", "move", "bin"] {
            let stage = stages.iter().find(|stage| stage["stage"] == name);
            let stage = stage.unwrap_or_else(|| panic!("no {name} in {row}"));
            assert!(number(stage, "read") > 0.0 && number(stage, "dispatches") > 0.0, "{stage}");
            if answer["timestamps"] == true {
                assert!(number(stage, "gpu_ms") > 0.0, "{stage}");
            }
        }
    }
    assert_eq!(number(&rows[0], "per_agent_to_first"), 1.0);
    let (small, large) = (number(&rows[0], "bytes_moved"), number(&rows[1], "bytes_moved"));
    assert!(large > small && large < 2.5 * small, "{small} {large}");
}
