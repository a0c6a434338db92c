//! Trajectories read back as they were written, in every format, and whatever happens to the
//! process or the disk.

mod crowd;

use glam::Vec2;
use std::fs;
use std::path::{Path, PathBuf};
use throng_record::{
    AgentFrame, FrameRows, Geometry, RecordError, TrajectoryOptions, TrajectoryWriter,
    read_trajectory,
};
use throng_world::world::{Polygon, Rect};

const FORMATS: [&str; 4] = ["sqlite", "txt", "csv", "parquet"];
const FPS: f64 = 10.0;
const LAST: u64 = 249;

fn geometry() -> Geometry {
    let rect =
        |x0, y0, x1, y1| Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) });
    let walls = [rect(4.0, -1.0, 5.0, 0.1), rect(9.0, 4.6, 9.5, 4.9)];
    Geometry::of_polygons(&[rect(-1.0, -1.0, 21.0, 5.0)], &walls).unwrap()
}

fn write(path: &Path, steps: u64, every: u32) -> Vec<FrameRows> {
    let options = TrajectoryOptions { fps: FPS / f64::from(every), every };
    let mut writer = TrajectoryWriter::create(path, &options, &geometry()).unwrap();
    let frames: Vec<FrameRows> =
        (0..steps).map(|step| crowd::walking(step, FPS, 300, 0.2, 20.0)).collect();
    for crowd in &frames {
        writer.write(&crowd.frame()).unwrap();
    }
    writer.finish().unwrap();
    frames
}

fn assert_same(read: &AgentFrame<'_>, written: &FrameRows, format: &str) {
    let near = |a: &[f32], b: &[f32], slack: f32, what: &str| {
        let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= slack);
        assert!(same, "{what} of frame {} in {format}", written.number);
    };
    assert_eq!(read.ids, written.ids, "{format}");
    near(read.x, &written.x, 1e-4, "x");
    near(read.y, &written.y, 1e-4, "y");
    assert!((read.time - written.time).abs() < 1e-3, "{format}");
    if format != "txt" {
        assert_eq!(read.group, written.group, "{format}");
        assert_eq!(read.action, written.action, "{format}");
        near(read.radius, &written.radius, 1e-4, "radius");
    }
    if written.number == LAST {
        // Whoever just came has not moved yet in formats without velocities.
        return;
    }
    // By differences of positions where velocities are not in the file; turns are then late by
    // half a frame.
    let slack = if matches!(format, "csv" | "parquet") { 1e-4 } else { 0.1 };
    near(read.vx, &written.vx, slack, "vx");
    near(read.vy, &written.vy, slack, "vy");
}

/// A file that reads back otherwise is a wrong result for whoever analyses it.
#[test]
fn all_formats_read_back() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        let written = write(&path, LAST + 1, 1);
        let read = read_trajectory(&path).unwrap();
        assert!((read.fps - FPS).abs() < 1e-6, "{format}: {}", read.fps);
        assert_eq!(read.len(), written.len(), "{format}");
        for (read, written) in read.frames().zip(&written) {
            assert_same(&read, written, format);
        }
        let expected = (format != "csv").then(|| geometry().wkt().to_owned());
        assert_eq!(read.geometry, expected, "{format}");
    }
    let mut left: Vec<String> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["run.csv", "run.parquet", "run.sqlite", "run.txt"], "nothing else is left");
}

/// Every n-th step, numbered so that time stays frame by rate.
#[test]
fn frames_are_thinned_out() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        let written = write(&path, 25, 4);
        let read = read_trajectory(&path).unwrap();
        assert_eq!(read.len(), 7, "{format}");
        for (read, written) in read.frames().zip(written.iter().step_by(4)) {
            assert_eq!(read.step * 4, written.number);
            assert_eq!(read.ids, written.ids);
            assert!((read.time - written.time).abs() < 1e-3);
        }
    }
}

/// No line of text may cross a page: a write cut short would leave half a line, which readers
/// choke on.
#[test]
fn lines_end_with_pages() {
    let directory = tempfile::tempdir().unwrap();
    for format in ["txt", "csv"] {
        let path = directory.path().join(format!("run.{format}"));
        write(&path, LAST + 1, 1);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() > 100_000);
        for page in bytes.chunks_exact(4096) {
            assert_eq!(page[4095], b'\n', "{format}");
        }
    }
}

/// Files that other programs wrote must be read too.
#[test]
fn files_of_jupedsim_are_read() {
    let data = std::env::var_os("THRONG_DATA").map(PathBuf::from);
    let data =
        data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = data.join("trajectories/jupedsim-output/trajectories.sqlite");
    if !path.exists() {
        println!("skipped: no {} (set THRONG_DATA)", path.display());
        return;
    }
    let read = read_trajectory(&path).unwrap();
    assert_eq!((read.rows(), read.fps), (8083, 25.0));
    assert_eq!(read.len(), 491);
    assert!(read.geometry.unwrap().starts_with("POLYGON"));
}

#[test]
fn walls_may_change_while_it_runs() {
    let directory = tempfile::tempdir().unwrap();
    let other = Geometry::of_rect(Rect { min: Vec2::splat(-9.0), max: Vec2::splat(30.0) });
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        let options = TrajectoryOptions { fps: FPS, every: 1 };
        let mut writer = TrajectoryWriter::create(&path, &options, &geometry()).unwrap();
        for step in 0..30 {
            if step == 15 {
                writer.set_geometry(&other).unwrap();
            }
            writer.write(&crowd::walking(step, FPS, 30, 0.2, 20.0).frame()).unwrap();
        }
        writer.finish().unwrap();
        let read = read_trajectory(&path).unwrap();
        assert_eq!(read.len(), 30, "{format}");
        if format != "csv" {
            assert_eq!(read.geometry.as_deref(), Some(other.wkt()), "{format}");
        }
    }
}

/// A bad frame is refused by name, and the recording goes on.
#[test]
fn bad_frames_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.csv");
    let options = TrajectoryOptions { fps: FPS, every: 1 };
    let mut writer = TrajectoryWriter::create(&path, &options, &geometry()).unwrap();
    let good = crowd::walking(20, FPS, 30, 0.2, 20.0);
    writer.write(&good.frame()).unwrap();
    let said = writer.write(&good.frame()).unwrap_err().to_string();
    assert_eq!(said, "step 20: a later or the same step is recorded already");
    let mut bad = crowd::walking(21, FPS, 30, 0.2, 20.0);
    bad.y[2] = f32::NAN;
    let said = writer.write(&bad.frame()).unwrap_err().to_string();
    assert_eq!(said, format!("step 21: y of agent {} is NaN", bad.ids[2]));
    bad.y.pop();
    let said = writer.write(&bad.frame()).unwrap_err().to_string();
    assert!(said.ends_with("values of y"), "{said}");
    writer.write(&crowd::walking(22, FPS, 30, 0.2, 20.0).frame()).unwrap();
    writer.finish().unwrap();
    assert_eq!(read_trajectory(&path).unwrap().len(), 2);
}

/// What cannot be begun leaves what was there.
#[test]
fn failures_to_begin_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let options = TrajectoryOptions { fps: FPS, every: 1 };
    let begin = |path: &Path| match TrajectoryWriter::create(path, &options, &geometry()) {
        Ok(_) => panic!("{} was begun", path.display()),
        Err(error) => error,
    };
    for format in FORMATS {
        let path = directory.path().join(format!("nowhere/run.{format}"));
        let error = begin(&path);
        assert!(matches!(error, RecordError::NoDirectory { .. }), "{error}");
        let folder = directory.path().join(format!("folder.{format}"));
        fs::create_dir(&folder).unwrap();
        assert!(matches!(begin(&folder), RecordError::IsDirectory { .. }));
        let device = directory.path().join(format!("null.{format}"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/dev/null", &device).unwrap();
            let said = begin(&device).to_string();
            assert!(said.contains("null.") && said.contains("a device or a pipe"), "{said}");
        }
    }
}

/// A recording begun over an older one must not mix with it, nor with the journal it left.
#[test]
fn an_older_file_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let path = directory.path().join(format!("run.{format}"));
        fs::write(&path, "something else that was here").unwrap();
        let mut journal = path.clone().into_os_string();
        journal.push("-journal");
        fs::write(&journal, [0xd9; 2048]).unwrap();
        write(&path, 20, 1);
        assert_eq!(read_trajectory(&path).unwrap().len(), 20, "{format}");
    }
}
