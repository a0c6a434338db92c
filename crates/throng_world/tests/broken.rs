//! Broken scenes: each must be told its line, its key and its cure, and nothing else.
//!
//! The files end with what is expected of them: `#! LINE KEY | part of the cure`, `-` for the file
//! as a whole.

use std::path::PathBuf;
use throng_world::scene::{BuildOptions, Problem, check_file};

/// Line, key and part of the cure.
type Expected = (usize, String, String);

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn expected(text: &str) -> Vec<Expected> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("#! "));
    lines
        .map(|line| {
            let (place, cure) = line.split_once(" | ").unwrap();
            let (number, key) = place.split_once(' ').unwrap();
            let key = if key == "-" { "" } else { key };
            (number.parse().unwrap(), key.into(), cure.into())
        })
        .collect()
}

fn fits(problem: &Problem, expected: &Expected) -> bool {
    let (line, key, cure) = expected;
    problem.line == *line && problem.key == *key && problem.cure.contains(cure.as_str())
}

/// An author who is sent to the wrong line, or is told of one problem at a time, loses the evening.
#[test]
fn every_broken_scene_is_told_line_key_and_cure() {
    let files = files();
    assert!(files.len() >= 50, "only {} broken scenes", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = expected(&text);
        assert!(!expected.is_empty(), "{}: nothing is expected", file.display());
        let Err(errors) = check_file(&file, &BuildOptions::default()) else {
            panic!("{} passes", file.display());
        };
        for one in &expected {
            let found = errors.0.iter().any(|problem| fits(problem, one));
            assert!(found, "{one:?} is not among\n{errors}");
        }
        assert_eq!(errors.0.len(), expected.len(), "{}\n{errors}", file.display());
        let name = file.display().to_string();
        for problem in &errors.0 {
            assert!(problem.to_string().starts_with(&name), "{problem}");
            assert!(!problem.to_string().contains('\n') && !problem.cure.is_empty());
            let length = text.lines().nth(problem.line - 1).unwrap_or("").chars().count();
            assert!(problem.column <= length + 1, "{problem}");
        }
    }
}
