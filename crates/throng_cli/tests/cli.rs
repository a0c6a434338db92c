//! The program as a user meets it: answers, files, and what it says to bad input.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@@.\n.@..@.\n......\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(args).current_dir(self.0.path());
        command
    }

    fn throng(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.throng(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs what must fail: exit code 2, nothing on standard output, a line that names the cause.
    fn refused(&self, args: &[&str], names: &[&str]) {
        let output = self.throng(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        let first = said.lines().next().unwrap_or_default();
        for name in names {
            assert!(first.contains(name), "{args:?}: `{first}` does not name `{name}`");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no number {key} in {value}"))
}

#[test]
fn solve_answers_in_json() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    for solver in ["marching", "iterative", "batched"] {
        for order in ["1", "2"] {
            let args =
                ["solve", "a.map", "--goal", "0,0", "--solver", solver, "--order", order, "--json"];
            let answer = dir.json(&args);
            assert_eq!(number(&answer, "cells"), 24.0);
            assert_eq!(number(&answer, "reachable"), 18.0);
            assert_eq!(answer["solver"], solver);
            assert_eq!(answer["order"].to_string(), order);
            assert!(number(&answer, "residual") < 1e-5);
            assert!(number(&answer, "iterations") > 0.0 && number(&answer, "ms") > 0.0);
            assert!((5.0..9.0).contains(&number(&answer, "max")), "{answer}");
        }
    }
}

/// The array is float32, height x width, row 0 on top, infinite where there is no way.
#[test]
fn solve_writes_npy_csv_and_png() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    for out in ["f.npy", "f.csv", "f.png"] {
        let output =
            dir.throng(&["solve", "a.map", "--goal", "2,3", "--goal", "5,0", "--out", out]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(out));
    }
    let npy = std::fs::read(dir.path("f.npy")).unwrap();
    let header = text(&npy[10..128.min(npy.len())]);
    assert!(header.contains("'<f4'") && header.contains("(4, 6)"), "{header}");
    let data: Vec<f32> =
        npy[npy.len() - 96..].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    assert_eq!(data[3 * 6 + 2], 0.0, "a goal");
    assert_eq!(data[5], 0.0, "the other goal, in the top row");
    assert!(data[6 + 1].is_infinite(), "a wall");
    let csv = std::fs::read_to_string(dir.path("f.csv")).unwrap();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.lines().nth(1).unwrap().contains("inf"));
    let decoder =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(dir.path("f.png")).unwrap()));
    let reader = decoder.read_info().unwrap();
    assert!(reader.info().width > 400 && reader.info().height > 200);
}

#[test]
fn path_goes_round_the_wall() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    let from_to = ["path", "a.map", "--from", "2,2", "--to", "2,0"];
    let answer = dir.json(&[&from_to[..], &["--json"]].concat());
    // Down, along under the wall, up on the left: round two corners of it.
    let exact = 1.5f64.hypot(0.5) + 2.0 + 1.5f64.hypot(0.5);
    let length = number(&answer, "length");
    assert!(length >= exact - 1e-3 && length < exact * 1.15, "{length} {exact}");
    for out in ["way.png", "way.csv", "way.json"] {
        let output = dir.throng(&[&from_to[..], &["--out", out]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let way: Value = serde_json::from_slice(&std::fs::read(dir.path("way.json")).unwrap()).unwrap();
    let points = way["points"].as_array().unwrap();
    assert_eq!(points.first().unwrap().to_string(), "[2.5,2.5]");
    assert_eq!(points.last().unwrap().to_string(), "[2.5,0.5]");
    assert!(std::fs::read_to_string(dir.path("way.csv")).unwrap().starts_with("x,y,distance"));
}

#[test]
fn scenarios_are_compared_with_the_given_lengths() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    dir.file(
        "a.scen",
        "version 1\n0\ta.map\t6\t4\t0\t0\t5\t3\t8.0\n0\ta.map\t6\t4\t0\t0\t0\t3\t3.0\r\n",
    );
    let args = ["path", "a.map", "--scenarios", "a.scen"];
    let answer = dir.json(&[&args[..], &["--json"]].concat());
    assert_eq!(number(&answer, "scenarios"), 2.0);
    assert_eq!(number(&answer, "arrived"), 2.0);
    assert_eq!(number(&answer, "blocked_points"), 0.0);
    for key in ["ratio_mean", "ratio_median", "ratio_p99", "ratio_max"] {
        assert!((0.8..1.01).contains(&number(&answer, key)), "{answer}");
    }
    assert!(number(&answer, "ms_per_query") > 0.0);
    assert!(text(&dir.throng(&args).stdout).contains("arrived"));
}

/// Each kind of bad input: one line with cause and place, exit code 2.
#[test]
fn bad_input_is_refused() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    let goal = ["--goal", "0,0"];
    let solve = |name: &'static str| ["solve", name, goal[0], goal[1]];
    dir.refused(&solve("missing.map"), &["missing.map"]);
    dir.refused(&solve("nowhere"), &["nowhere", "street"]);
    dir.file("short.map", &MAP[..50]);
    dir.refused(&solve("short.map"), &["short.map"]);
    dir.file("wrong.map", MAP.replace("height 4", "height 9"));
    dir.refused(&solve("wrong.map"), &["wrong.map", "9"]);
    dir.file("wide.map", MAP.replace("width 6", "width 5"));
    dir.refused(&solve("wide.map"), &["wide.map", "5"]);
    dir.file("odd.map", MAP.replace('@', "?"));
    dir.refused(&solve("odd.map"), &["odd.map", "6"]);
    dir.file("empty.png", b"\x89PNG\r\n\x1a\n");
    dir.refused(&solve("empty.png"), &["empty.png"]);
    dir.file("none.map", "");
    dir.refused(&solve("none.map"), &["none.map"]);
    dir.refused(&["solve", "a.map", "--goal", "6,0"], &["(6, 0)", "6 x 4"]);
    dir.refused(&["solve", "a.map", "--goal", "1,1"], &["(1, 1)", "blocked"]);
    dir.refused(&["solve", "a.map"], &["goal"]);
    dir.refused(&["solve", "a.map", "--goal", "-1,0"], &["-1,0"]);
    dir.refused(&["solve", "a.map", "--goal", "one,two"], &["one,two"]);
    dir.refused(&["solve", "a.map", "--goal", "0,0", "--order", "3"], &["3"]);
    dir.refused(&["solve", "a.map", "--goal", "0,0", "--out", "f.txt"], &["f.txt", ".png"]);
    dir.refused(&["path", "a.map", "--from", "1,1", "--to", "0,0"], &["--from", "(1, 1)"]);
    dir.refused(&["path", "a.map", "--from", "0,0", "--to", "9,9"], &["--to", "(9, 9)"]);
    dir.refused(&["path", "a.map", "--from", "0,0"], &["required"]);
    dir.file("a.scen", "version 1\n0\ta.map\t7\t4\t0\t0\t5\t3\t7.0\n");
    dir.refused(&["path", "a.map", "--scenarios", "a.scen"], &["a.scen", "7"]);
}

/// Cut off from each other: an error, not an endless search.
#[test]
fn a_way_that_does_not_exist_is_refused() {
    let dir = Folder::new();
    dir.file("two.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    dir.refused(&["path", "two.map", "--from", "0,0", "--to", "2,0"], &["two.map"]);
}

/// A header that promises ten thousand million cells must not be believed before the rows are there.
#[test]
#[cfg(unix)]
fn a_giant_header_asks_for_no_memory() {
    let dir = Folder::new();
    dir.file("giant.map", "type octile\nheight 100000\nwidth 100000\nmap\n..\n");
    let mut giant = PNG_SIGNATURE.to_vec();
    // IHDR of 100,000 x 100,000, one bit each; checksum as the standard wants it.
    giant.extend_from_slice(&[0, 0, 0, 13]);
    let header =
        [&b"IHDR"[..], &100_000u32.to_be_bytes(), &100_000u32.to_be_bytes(), &[1, 0, 0, 0, 0]]
            .concat();
    giant.extend_from_slice(&header);
    giant.extend_from_slice(&crc(&header).to_be_bytes());
    dir.file("giant.png", giant);
    let mut zero = PNG_SIGNATURE.to_vec();
    zero.extend_from_slice(&[0, 0, 0, 13]);
    let header = [&b"IHDR"[..], &[0; 8], &[8, 0, 0, 0, 0]].concat();
    zero.extend_from_slice(&header);
    zero.extend_from_slice(&crc(&header).to_be_bytes());
    dir.file("zero.png", zero);
    for name in ["giant.map", "giant.png", "zero.png"] {
        // 600 MB of address space in all, threads included.
        let script = format!(
            "ulimit -v 600000; exec '{}' solve {name} --goal 0,0",
            env!("CARGO_BIN_EXE_throng")
        );
        let output =
            Command::new("sh").arg("-c").arg(script).current_dir(dir.0.path()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(name) && !said.contains("panicked"), "{said}");
        assert_eq!(said.lines().filter(|l| l.starts_with("throng:")).count(), 1, "{said}");
    }
}

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |c, _| {
                if c & 1 == 1 { c >> 1 ^ 0xEDB8_8320 } else { c >> 1 }
            },
        )
    })
}

/// What cannot be written is said, with exit code 1, and leaves nothing behind.
#[test]
fn outputs_that_cannot_be_written_are_reported() {
    let dir = Folder::new();
    dir.file("a.map", MAP);
    let mut targets = vec!["no/such/folder/f.png".to_owned()];
    std::fs::create_dir(dir.path("folder.png")).unwrap();
    targets.push("folder.png".into());
    if Path::new("/dev/full").exists() {
        std::os::unix::fs::symlink("/dev/full", dir.path("full.npy")).unwrap();
        targets.push("full.npy".into());
    }
    for target in targets {
        let output = dir.throng(&["solve", "a.map", "--goal", "0,0", "--out", &target]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{target}: {said}");
        assert!(said.starts_with("throng: ") && said.contains(&target), "{said}");
        assert!(!said.contains("panicked"));
    }
}

#[test]
fn every_command_has_help_with_examples() {
    let dir = Folder::new();
    for command in [&[][..], &["solve"], &["path"], &["bench", "field"], &["demo"]] {
        let output = dir.throng(&[command, &["--help"]].concat());
        assert!(output.status.success(), "{command:?}");
        assert!(text(&output.stdout).contains("Examples:"), "{command:?}");
    }
}

/// Every example on a built-in map, in the help and in README, does what it says.
#[test]
fn examples_work_as_written() {
    let dir = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = vec![std::fs::read_to_string(root.join("README.md")).unwrap()];
    for command in [&[][..], &["solve"], &["path"]] {
        texts.push(text(&dir.throng(&[command, &["--help"]].concat()).stdout));
    }
    let mut run = 0;
    for line in texts.iter().flat_map(|text| text.lines()) {
        let Some(example) = line.trim_start().strip_prefix("throng ") else { continue };
        // What the example is about stands after two spaces.
        let example = example.split("  ").next().unwrap_or_default();
        let args: Vec<&str> = example.split_whitespace().collect();
        if !matches!(args[..], [_, "street" | "maze" | "cave" | "uniform", ..]) {
            continue;
        }
        let output = dir.throng(&args);
        assert!(output.status.success(), "{example}: {}", text(&output.stderr));
        run += 1;
    }
    assert!(run >= 8, "only {run} examples found");
}

/// If this fails, the first thing a newcomer types does nothing.
#[test]
fn without_a_command_the_demonstration_runs() {
    let dir = Folder::new();
    let mut child = dir.command(&[]).spawn().unwrap();
    let picture = dir.path("out/street.png");
    let began = std::time::Instant::now();
    while !picture.exists()
        && began.elapsed().as_secs() < 120
        && child.try_wait().unwrap().is_none()
    {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let seen = picture.exists();
    // The whole of it takes a minute; a short one is tried in full below.
    drop(child.kill());
    child.wait().unwrap();
    assert!(seen, "no picture of a street");
}

/// If this fails, the demonstration leaves out something that it promises.
#[test]
fn the_demonstration_leaves_maps_and_clips() {
    let dir = Folder::new();
    let small = ["--size", "240x136", "--clip", "0.2"];
    let output =
        dir.throng(&[&["demo", "--agents", "1500", "--seconds", "3"], &small[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (name, least) in [
        ("street.png", 20_000),
        ("maze.png", 20_000),
        ("cave.png", 20_000),
        ("two-way.gif", 20_000),
        ("bottleneck.png", 20_000),
        ("square.png", 20_000),
        ("froblins.png", 20_000),
        ("froblins-density.png", 20_000),
        ("froblins.gif", 20_000),
        ("froblins-ghost.gif", 20_000),
        ("valley-birds-eye.png", 20_000),
        ("valley.png", 20_000),
        ("valley-close-up.png", 20_000),
        ("valley.gif", 2_000),
    ] {
        let size = std::fs::metadata(dir.path(&format!("out/{name}"))).unwrap().len();
        assert!(size > least, "{name}: {size} bytes");
    }
}

/// The table of ratios has a row for every contestant, and our solvers are in it.
#[test]
fn bench_answers_in_json() {
    let dir = Folder::new();
    let answer = dir.json(&["bench", "field", "--quick", "--sizes", "64", "--json"]);
    let rows = answer["rows"].as_array().unwrap();
    for (key, name) in [
        ("solver", "marching"),
        ("solver", "iterative"),
        ("solver", "batched"),
        ("peer", "eikonal 0.1 (fast marching)"),
        ("peer", "pathfinding (dijkstra_all)"),
    ] {
        let row = rows.iter().find(|row| row[key] == name).unwrap_or_else(|| panic!("{name}"));
        assert!(number(row, "ms_per_field") > 0.0 && number(row, "times_faster") > 0.0);
        assert!(number(row, "threads") >= 1.0 && number(row, "groups") >= 1.0);
        assert_eq!(number(row, "size"), 64.0);
        assert!(row["problem"].is_string());
    }
    let exact = rows.iter().find(|row| row["solver"] == "iterative order 2").unwrap();
    assert!(number(exact, "error_max") < 0.05, "{exact}");
}
