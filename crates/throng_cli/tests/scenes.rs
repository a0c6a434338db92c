//! Scenes through the program: what ships is listed and sound, templates pass the check, and broken
//! scenes end with exit code 2 and all their problems.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn broken() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../throng_world/tests/broken");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// What ships is listed with people and seconds, and each passes its own check.
#[test]
fn what_ships_is_listed_and_sound() {
    let listed = throng(&["scenes", "--json"]);
    assert!(listed.status.success());
    let rows: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let names: Vec<&str> =
        rows.as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    for name in
        ["froblins", "corridor", "two-way", "bottleneck", "circle", "square", "stadium", "city"]
    {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(rows[0]["agents"], 65_536);
    let plain = stdout(&throng(&["scenes"]));
    assert!(plain.contains("froblins") && plain.contains("65536"), "{plain}");
    let checked = throng(&[&["check"], &names[..]].concat());
    assert!(checked.status.success(), "{}", stderr(&checked));
    assert_eq!(stdout(&checked).matches(": ok, ").count(), names.len());
}

/// A newcomer's first file must work, and must never cost an old one.
#[test]
fn templates_pass_the_check_and_never_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["room", "corridor", "building", "valley", "city"] {
        let file = folder.path().join(format!("{kind}.toml"));
        let file = file.to_str().unwrap();
        let made = throng(&["new", kind, file]);
        assert!(made.status.success(), "{}", stderr(&made));
        let checked = throng(&["check", file]);
        assert!(checked.status.success(), "{kind}: {}", stderr(&checked));
        std::fs::write(file, "mine").unwrap();
        let again = throng(&["new", kind, file]);
        assert_eq!(again.status.code(), Some(2));
        assert!(stderr(&again).contains("exists already"));
        assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
    }
    let nowhere = folder.path().join("no/such/folder/a.toml");
    let failed = throng(&["new", "room", nowhere.to_str().unwrap()]);
    assert_eq!(failed.status.code(), Some(1));
}

/// Scripts rely on the exit code, people on file, line, key and cure.
#[test]
fn broken_scenes_end_with_code_2() {
    let files = broken();
    assert!(files.len() >= 50);
    for file in &files {
        let checked = throng(&["check", file.to_str().unwrap()]);
        let errors = stderr(&checked);
        assert_eq!(checked.status.code(), Some(2), "{}: {errors}", file.display());
        let place = format!("{}:", file.display());
        assert!(errors.starts_with(&place), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
    let all: Vec<&str> = files.iter().map(|f| f.to_str().unwrap()).collect();
    let together = throng(&[&["check", "--json"], &all[..], &["corridor"]].concat());
    assert_eq!(together.status.code(), Some(2));
    let answers: serde_json::Value = serde_json::from_slice(&together.stdout).unwrap();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.iter().filter(|a| a["ok"] == true).count(), 1);
    for answer in answers.iter().filter(|a| a["ok"] == false) {
        let problem = &answer["problems"][0];
        assert!(
            problem["line"].as_u64().unwrap() >= 1 && problem["cure"].as_str().unwrap().len() > 5
        );
    }
}

/// A name that is nothing gets the list of what there is; the schema is JSON.
#[test]
fn unknown_names_and_the_schema() {
    let unknown = throng(&["check", "frobins"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean `froblins`?"), "{}", stderr(&unknown));
    let schema = throng(&["check", "--schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["title"], "Throng scene");
}
