//! Whatever ends the process or fills the disk, the trajectory opens and holds all but the last
//! second. The process that is ended is this test program itself, run again as a child.
#![cfg(unix)]

mod crowd;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use throng_record::{FrameRows, Geometry, TrajectoryOptions, TrajectoryWriter, read_trajectory};
use throng_world::world::Rect;

const FORMATS: [&str; 4] = ["sqlite", "txt", "csv", "parquet"];
const FPS: f64 = 30.0;
/// Frames of a second of simulated time, which may be lost, and the one being written.
const MAY_MISS: u64 = FPS as u64 + 1;
/// So many frames at the start and the end are looked at closely.
const LOOK_AT: u64 = 40;
const FILE: &str = "THRONG_TEST_TRAJECTORY";
const PACE: &str = "THRONG_TEST_PACE_MS";

fn geometry() -> Geometry {
    let (min, max) = (glam::Vec2::splat(-5.0), glam::Vec2::new(400.0, 15.0));
    Geometry::of_rect(Rect { min, max })
}

/// Not a test: what the child does. Writes frames until something ends it; says what it wrote.
#[test]
#[ignore = "run by the other tests as a child"]
fn child() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let pace: u64 = std::env::var(PACE).unwrap().parse().unwrap();
    let options = TrajectoryOptions { fps: FPS, every: 1 };
    let mut writer = TrajectoryWriter::create(&path, &options, &geometry()).unwrap();
    for step in 0..100_000 {
        if let Err(error) = writer.write(&people(step).frame()) {
            println!("\nerror {error}");
            return;
        }
        println!("\nwrote {step}");
        std::io::stdout().flush().unwrap();
        std::thread::sleep(Duration::from_millis(pace));
    }
}

fn people(step: u64) -> FrameRows {
    let mut crowd = crowd::walking(step + 3000, FPS, 1500, 0.05, 390.0);
    crowd.number = step;
    crowd.time = step as f64 / FPS;
    crowd
}

fn start(path: &Path, pace: u64, before: &str) -> Child {
    let own = std::env::current_exe().unwrap();
    let line = format!("{before} exec \"$0\" --exact child --ignored --nocapture");
    Command::new("sh")
        .args(["-c", &line])
        .arg(own)
        .env(FILE, path)
        .env(PACE, pace.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the child after a while; gives the last frame it said it wrote.
fn run_and_kill(path: &Path, pace: u64, after: Duration) -> u64 {
    let mut child = start(path, pace, "");
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut line, mut last, begun) = (String::new(), None, Instant::now());
    while out.read_line(&mut line).unwrap() > 0 {
        if let Some(frame) = line.strip_prefix("wrote ") {
            last = Some(frame.trim().parse().unwrap());
        }
        line.clear();
        if begun.elapsed() > after && last.is_some() {
            // SIGKILL; frames it wrote meanwhile are read below.
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    last.unwrap()
}

fn assert_holds(path: &Path, frames: u64, exact: bool) {
    let read = read_trajectory(path).unwrap();
    let format = path.extension().unwrap().to_str().unwrap().to_owned();
    let found = read.len() as u64;
    assert!(found + MAY_MISS > frames, "{format}: {found} of {frames} frames");
    for (i, frame) in read.frames().enumerate() {
        if (LOOK_AT..found.saturating_sub(LOOK_AT)).contains(&(i as u64)) {
            continue;
        }
        let written = people(i as u64);
        assert_eq!(frame.step, written.number, "{format}");
        // Only lines of the very last frame may be missing, where frames are lines.
        let last = i as u64 + 1 == found && !exact;
        let whole = frame.ids == written.ids;
        let begun = written.ids.starts_with(frame.ids);
        assert!(whole || (last && begun), "{format}: frame {i} of {found}");
    }
}

/// The promise for every format: opens, all but the last second, frames whole.
#[test]
fn a_killed_run_leaves_all_but_its_last_second() {
    let directory = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for (i, format) in FORMATS.into_iter().enumerate() {
            let path = directory.path().join(format!("paced.{format}"));
            scope.spawn(move || {
                let frames = run_and_kill(&path, 10, Duration::from_millis(1300 + 170 * i as u64));
                assert!(frames > 40, "the machine is too slow for this test: {frames} frames");
                assert_holds(&path, frames, matches!(format, "sqlite" | "parquet"));
            });
        }
    });
}

/// Killed in the thick of writing, again and again, and begun anew over what was left.
#[test]
fn killed_while_writing_and_begun_again() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        for round in 0..3 {
            run_and_kill(&path, 0, Duration::from_millis(150 + 83 * round));
            let read = read_trajectory(&path).unwrap();
            assert!(!read.is_empty(), "{format}");
            let exact = matches!(format, "sqlite" | "parquet");
            // At full speed a second of simulated time is nothing; that it opens and is whole is
            // what counts here.
            assert_holds(&path, read.len() as u64, exact);
        }
    }
}

/// A limit on the size of files acts as a full disk does.
#[test]
fn a_file_that_may_not_grow_is_one_clear_error() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        // Ignoring the signal makes the write fail instead of ending the process.
        let mut child = start(&path, 0, "trap '' XFSZ; ulimit -f 4000;");
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines: Vec<String> = out.lines().map(Result::unwrap).collect();
        child.wait().unwrap();
        let said = lines.iter().find_map(|line| line.strip_prefix("error "));
        let said = said.unwrap_or_else(|| panic!("{format}: no error"));
        let start = format!("cannot write {}: ", path.display());
        assert!(said.starts_with(&start), "{said}");
        let read = read_trajectory(&path).unwrap();
        assert!(!read.is_empty(), "{format}");
        assert_holds(&path, read.len() as u64, true);
    }
}

/// A small disk of our own; needs the right to mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(bytes: u64) -> Result<Self, String> {
        let directory = tempfile::tempdir().unwrap();
        let size = format!("size={bytes}");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "throng-test"])
            .arg(directory.path())
            .output()
            .map_err(|error| error.to_string())?;
        if mount.status.success() {
            return Ok(Self(directory));
        }
        Err(String::from_utf8_lossy(&mount.stderr).trim().to_owned())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

/// On a disk that is really full: one error with file and cause, frames before it are there, and
/// what cannot even be begun leaves the older file.
#[test]
fn a_full_disk_is_one_clear_error() {
    let disk = match SmallDisk::mount(3 << 20) {
        Ok(disk) => disk,
        Err(why) => {
            println!("skipped: cannot mount a small disk: {why}");
            return;
        }
    };
    for format in FORMATS {
        let path = disk.0.path().join(format!("run.{format}"));
        let options = TrajectoryOptions { fps: FPS, every: 1 };
        let mut writer = TrajectoryWriter::create(&path, &options, &geometry()).unwrap();
        let mut error = None;
        for step in 0..3000 {
            let crowd = people(step);
            if let Err(failed) = writer.write(&crowd.frame()).and_then(|()| writer.flush()) {
                error = Some((step, failed.to_string()));
                break;
            }
        }
        let (step, said) = error.unwrap_or_else(|| panic!("{format}: the disk never filled"));
        let start = format!("cannot write {}: ", path.display());
        assert!(
            said.starts_with(&start) && said.to_lowercase().contains("no space left"),
            "{said}"
        );
        let again = writer.write(&people(step + 1).frame()).unwrap_err().to_string();
        assert!(again.contains("has ended"), "{again}");
        drop(writer);
        assert_eq!(read_trajectory(&path).unwrap().len() as u64, step, "{format}");
        assert_holds(&path, step, true);

        // Fill the rest, and try to begin again over it.
        let ballast = disk.0.path().join("ballast");
        let _ = std::fs::write(&ballast, vec![1; 4 << 20]);
        let before = std::fs::read(&path).unwrap();
        let Err(error) = TrajectoryWriter::create(&path, &options, &geometry()) else {
            panic!("{format}: begun on a full disk");
        };
        assert!(error.to_string().starts_with(&start), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{format}: the older file is whole");
        std::fs::remove_file(&ballast).unwrap();
        std::fs::remove_file(&path).unwrap();
        let left: Vec<_> =
            std::fs::read_dir(disk.0.path()).unwrap().map(|e| e.unwrap().path()).collect();
        assert!(left.is_empty(), "{format} left {left:?}");
    }
}
