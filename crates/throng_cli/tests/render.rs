//! `throng render`, as a user of the program meets it.
#![cfg(feature = "gpu")]

use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).output().expect("the program starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Draws a small picture with light from a folder.
fn draw(folder: &Path, cache: &Path, name: &str) -> (Output, Vec<u8>) {
    let out = folder.join(name);
    let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let (out_text, cache) = (text(&out), text(cache));
    let scene = ["render", "bottleneck", "--at", "0.2", "--size", "96x54"];
    let ends = ["--light-cache", &cache, "--out", &out_text];
    let output = throng(&[&scene[..], &ends[..]].concat());
    assert!(output.status.success(), "{}", told(&output));
    (output, std::fs::read(out).expect("a picture"))
}

/// If this fails, light is baked at every start, or a broken cache is drawn.
#[test]
fn baked_light_is_kept_and_a_broken_cache_is_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("light");
    let (_, first) = draw(folder.path(), &cache, "first.png");
    let kept = || {
        let files =
            std::fs::read_dir(&cache).expect("the cache").map(|f| f.expect("a file").path());
        let files: Vec<_> = files.collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    };
    let written = std::fs::metadata(kept()).and_then(|m| m.modified()).expect("its time");
    let start = Instant::now();
    let (_, second) = draw(folder.path(), &cache, "second.png");
    println!("second start: {:?}", start.elapsed());
    assert_eq!(std::fs::metadata(kept()).and_then(|m| m.modified()).expect("its time"), written);
    assert_eq!(first, second, "the same picture");
    let mut bytes = std::fs::read(kept()).expect("the map");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(kept(), bytes).expect("broken");
    let (output, third) = draw(folder.path(), &cache, "third.png");
    assert!(told(&output).contains("made anew"), "{}", told(&output));
    assert_eq!(first, third, "drawn from light that was made anew");
}

/// If this fails, a wrong hour or sun is drawn as another.
#[test]
fn hours_and_suns_that_are_none_are_refused() {
    for (option, wrong) in [("--time", "25:00"), ("--sun", "10"), ("--haze", "-1")] {
        let output = throng(&["render", "square", option, wrong, "--out", "x.png"]);
        assert_eq!(output.status.code(), Some(2), "{option} {wrong}");
        assert!(told(&output).contains(wrong), "{}", told(&output));
    }
}
