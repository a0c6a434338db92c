//! `throng run` as people and scripts meet it: its answer, its files, and how it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use throng_record::read_trajectory;

/// A hall with a door, quick to run.
const HALL: &str = r#"
version = 1
seconds = 4
ground = { kind = "flat", size = [20, 10] }
wall   = [{ rect = [14, 0, 14.4, 4.2] }, { rect = [14, 5.8, 14.4, 10] }]
goal   = [{ name = "way out", exit = true, rect = [19, 0, 20, 10] }]
group  = [{ name = "visitors", goal = "way out" }]
spawn  = [{ group = "visitors", count = 50, rect = [1, 1, 12, 9] }]
"#;

fn hall() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("hall.toml");
    fs::write(&scene, HALL).unwrap();
    (folder, scene)
}

fn command(scene: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.arg("run").arg(scene).args(args);
    command
}

fn throng(scene: &Path, args: &[&str]) -> Output {
    command(scene, args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Scripts read these keys.
#[test]
fn json_has_its_keys() {
    let (_folder, scene) = hall();
    let answer = json(&throng(&scene, &["--json", "--seconds", "2", "--dt", "0.1"]));
    let whole = ["agents", "steps", "arrived", "stuck", "in_wall"];
    let real =
        ["sim_seconds", "wall_seconds", "steps_per_s", "mean_speed", "overlap_mean", "overlap_max"];
    for key in whole {
        assert!(answer[key].is_u64(), "{key}: {answer}");
    }
    for key in real {
        assert!(answer[key].is_f64(), "{key}: {answer}");
    }
    assert_eq!((answer["agents"].as_u64(), answer["steps"].as_u64()), (Some(50), Some(20)));
    assert!((answer["sim_seconds"].as_f64().unwrap() - 2.0).abs() < 1e-5);
    assert!(answer["mean_speed"].as_f64().unwrap() > 0.2);
    let hash = answer["hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    let fewer = json(&throng(&scene, &["--json", "--agents", "20", "--steps", "3"]));
    assert_eq!((fewer["agents"].as_u64(), fewer["steps"].as_u64()), (Some(20), Some(3)));
}

/// Same scene, same seed: the same bits on any number of threads.
#[test]
fn the_hash_depends_on_the_seed_and_not_on_threads() {
    let (_folder, scene) = hall();
    let hash = |args: &[&str]| json(&throng(&scene, &[&["--json"], args].concat()))["hash"].clone();
    let one = hash(&["--threads", "1"]);
    assert_eq!(one, hash(&["--threads", "2"]));
    assert_ne!(one, hash(&["--threads", "2", "--seed", "77"]));
    assert_ne!(one, hash(&["--model", "froblins"]));
}

/// Every kind of file is there and can be read; the summary is for people.
#[test]
fn every_kind_of_file_is_written() {
    let (folder, scene) = hall();
    let kinds = ["a.sqlite", "a.txt", "a.parquet", "a.csv", "a.png", "a.gif"];
    let paths = kinds.map(|kind| folder.path().join(kind));
    let mut command = command(&scene, &["--fps", "5", "--heat", "waiting", "--color", "action"]);
    for path in &paths[..4] {
        command.arg("--trajectory").arg(path);
    }
    let output = command.arg("--map").arg(&paths[4]).arg("--map").arg(&paths[5]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    for word in ["people    50", "arrivals", "stuck", "crowding", "overlaps", "steps/s", "a.gif"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for path in &paths[..4] {
        let trajectory = read_trajectory(path).unwrap();
        // Four seconds at five a second, and the start.
        assert_eq!(trajectory.len(), 21, "{}", path.display());
        assert_eq!(trajectory.frame(0).unwrap().len(), 50);
        assert!((trajectory.fps - 5.0).abs() < 1e-6);
    }
    let picture = png::Decoder::new(std::io::Cursor::new(fs::read(&paths[4]).unwrap()));
    assert_eq!(picture.read_info().unwrap().info().width, 1200);
    let clip = fs::read(&paths[5]).unwrap();
    assert!(clip.starts_with(b"GIF89a") && clip.ends_with(b";") && clip.len() > 10_000);
    assert_eq!(names(folder.path()).len(), kinds.len() + 1);
    for heat in ["density", "speed", "potential"] {
        let path = folder.path().join(format!("{heat}.png"));
        let made = throng(&scene, &["--map", path.to_str().unwrap(), "--heat", heat]);
        assert!(made.status.success() && path.exists(), "{heat}: {}", stderr(&made));
    }
}

/// A broken scene must not cost an hour, nor the files of the run before.
#[test]
fn broken_scenes_write_nothing() {
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("../throng_world/tests/broken");
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.csv");
    fs::write(&old, "mine").unwrap();
    let map = folder.path().join("new.gif");
    let outputs = ["--trajectory", old.to_str().unwrap(), "--map", map.to_str().unwrap()];
    let mut count = 0;
    for entry in fs::read_dir(broken).unwrap() {
        let scene = entry.unwrap().path();
        let failed = throng(&scene, &outputs);
        let said = stderr(&failed);
        assert_eq!(failed.status.code(), Some(2), "{}: {said}", scene.display());
        assert!(said.starts_with(&scene.display().to_string()), "{said}");
        assert!(failed.stdout.is_empty());
        count += 1;
    }
    assert!(count >= 50, "{count}");
    assert_eq!(names(folder.path()), ["old.csv"]);
    assert_eq!(fs::read_to_string(&old).unwrap(), "mine");
    let unknown = throng(Path::new("frobblins"), &outputs);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean `froblins`?"), "{}", stderr(&unknown));
}

/// What cannot be written is told before anything is run or any other file touched.
#[test]
fn hopeless_outputs_fail_at_once() {
    let (folder, scene) = hall();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (good, nowhere) = (at("good.csv"), at("no/such/folder/a.gif"));
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--trajectory", &good, "--map", &nowhere], 1, "there is no directory"),
        (&["--trajectory", &good, "--trajectory", &at("")], 2, ".sqlite, .txt, .parquet or .csv"),
        (&["--trajectory", &at("a.db")], 2, ".sqlite, .txt, .parquet or .csv"),
        (&["--map", &at("a.jpg")], 2, "ends in .png or .gif"),
        (&["--map", &at("a.png"), "--map", &at("a.png")], 2, "given twice"),
        (&["--dt", "0.7"], 2, "at most 0.5"),
    ];
    for (args, code, words) in cases {
        let started = Instant::now();
        // Ten million seconds: it must not even start.
        let failed = throng(&scene, &[args, &["--seconds", "1e7"]].concat());
        let said = stderr(&failed);
        assert_eq!(failed.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
        assert!(started.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(names(folder.path()), ["hall.toml"]);
}

/// A full disk costs the file it hits, with one clear line; the others are whole.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_one_file_only() {
    let (folder, scene) = hall();
    let map = folder.path().join("whole.png");
    let ways = folder.path().join("full.csv");
    // No file may grow beyond 100 kB: writing fails as on a full disk.
    let line = format!(
        "ulimit -f 100; trap '' XFSZ; \
         exec {} run {} --trajectory {} --map {} --fps 20 --seconds 20 --quiet --json",
        env!("CARGO_BIN_EXE_throng"),
        scene.display(),
        ways.display(),
        map.display()
    );
    let failed = Command::new("bash").arg("-c").arg(line).output().unwrap();
    let said = stderr(&failed);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(said.contains("full.csv") && said.trim().lines().count() == 1, "{said}");
    let answer: serde_json::Value = serde_json::from_slice(&failed.stdout).unwrap();
    let kept = read_trajectory(&ways).unwrap().len() as u64;
    assert!(kept > 2 && kept < answer["steps"].as_u64().unwrap(), "{kept}: {answer}");
    assert_eq!(answer["written"].as_array().unwrap().len(), 1);
    assert!(map.exists());
}

/// Ctrl-C: what was seen so far is kept.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_whole_files() {
    let (folder, scene) = hall();
    let ways = folder.path().join("ways.sqlite");
    let clip = folder.path().join("clip.gif");
    // Streams keep coming: it would run for hours.
    let more = r#"9] }, { group = "visitors", rate = 2, rect = [1, 1, 12, 9] }]"#;
    let stream = HALL.replace("9] }]", more);
    fs::write(&scene, stream).unwrap();
    let mut child = command(&scene, &["--seconds", "1e5", "--json"])
        .arg("--trajectory")
        .arg(&ways)
        .arg("--map")
        .arg(&clip)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !ways.exists() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("interrupted after"), "{}", stderr(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["ended"], "interrupted");
    let trajectory = read_trajectory(&ways).unwrap();
    assert_eq!(trajectory.len() as u64, answer["steps"].as_u64().unwrap() / 2 + 1);
    assert!(fs::read(&clip).unwrap().ends_with(b";"));
    assert_eq!(names(folder.path()), ["clip.gif", "hall.toml", "ways.sqlite"]);
}

/// A million people in a square metre: it survives, and says that there was no room.
#[test]
fn a_million_in_one_spot_survive() {
    let (_folder, scene) = hall();
    let crush =
        HALL.replace("count = 50, rect = [1, 1, 12, 9]", "count = 1000000, rect = [5, 5, 6, 6]");
    fs::write(&scene, crush).unwrap();
    let output = throng(&scene, &["--steps", "1"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("1,000,000"), "{text}");
    assert!(text.contains("squeezed in") || text.contains("refused"), "{text}");
}
