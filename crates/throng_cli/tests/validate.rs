//! `throng validate`, as a shell and a reader of its JSON see it.

use serde_json::Value;
use std::process::{Command, Output};

fn throng(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.arg("validate").args(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Who reads it by machine finds every key, and the verdict is one of three.
#[test]
fn it_answers_in_json() {
    let output = throng(&["rimea-1", "nist-2.1", "--seeds", "1", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let tests = answer["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 2);
    for test in tests {
        for key in ["test", "label", "criterion", "value", "verdict"] {
            assert!(test[key].is_string(), "{key}: {test}");
        }
        assert!(["pass", "fail", "report"].contains(&test["verdict"].as_str().unwrap_or("")));
        assert!(test["figures"][0]["value"].as_f64().is_some_and(f64::is_finite), "{test}");
    }
}

/// A failure is an exit code 1: the model of 2008 does not pass the door that ours does.
#[test]
fn a_failure_is_told_by_the_exit_code() {
    let output = throng(&["bottleneck-width", "--seeds", "1", "--model", "froblins"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("does not hold"));
}

#[test]
fn unknown_tests_and_missing_data_are_errors_that_help() {
    let output = throng(&["rimea-77"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--list"), "{}", text(&output.stderr));
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    let output = command
        .args(["validate", "experiments"])
        .env("THRONG_DATA", "no-such-folder")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-folder"), "{}", text(&output.stderr));
}

#[test]
fn the_report_is_one_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report");
    let output = throng(&["rimea-6", "--seeds", "1", "--report", &out.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(out.join("index.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("rimea-6"));
    let json = std::fs::read_to_string(out.join("results.json")).expect("results");
    assert!(serde_json::from_str::<Value>(&json).is_ok());
}

#[test]
fn the_list_names_all_suites() {
    let output = throng(&["--list"]);
    assert!(output.status.success());
    let list = text(&output.stdout);
    for name in ["rimea-12b", "nist-2.8", "iso-13", "imo-11", "bottleneck-width", "hermes-uo-050"] {
        assert!(list.contains(name), "{name}");
    }
}
