//! Recordings: our own in all formats, and files that others made.

mod common;

use common::{SOON, Served, simulation};
use std::path::{Path, PathBuf};
use throng::record::{Columns, FileOptions, TrajectoryFile, read_trajectory};
use throng::{Command, Recorder, RecorderOptions};
use throng_remote::client::ClientError;
use throng_remote::engine::{Recording, RecordingOptions};
use throng_remote::protocol::{Call, FaultCode};
use throng_remote::server::ServeOptions;

fn record(path: &Path, steps: u32) {
    let mut simulation = simulation("bottleneck", None);
    let dt = simulation.crowd().unwrap().world().dt;
    let options = RecorderOptions::default();
    let mut recorder = Recorder::create(path, simulation.crowd().unwrap(), options).unwrap();
    recorder.record(simulation.crowd().unwrap()).unwrap();
    for _ in 0..steps {
        simulation.step(dt).unwrap();
        recorder.record(simulation.crowd().unwrap()).unwrap();
    }
    recorder.finish().unwrap();
}

/// If this fails, some frame of a recording shows other people, elsewhere, or of another group.
#[test]
fn frames_are_found_in_any_order_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["sqlite", "parquet", "txt", "csv"] {
        let path = folder.path().join(format!("run.{ending}"));
        record(&path, 120);
        let whole = read_trajectory(&path).unwrap();
        let mut file = TrajectoryFile::open(&path, &FileOptions::default()).unwrap();
        assert!((file.fps() - whole.fps).abs() < 0.01, "{ending}");
        let count = whole.len();
        assert_eq!(file.range().1, whole.frame(count - 1).unwrap().step, "{ending}");
        for i in [count - 1, 0, count / 2, 1, count / 3, count - 2, count / 2 + 1] {
            let (expected, found) =
                (whole.frame(i).unwrap(), file.at(whole.frame(i).unwrap().step).unwrap());
            let found = found.frame();
            assert_eq!(
                (found.step, found.ids),
                (expected.step, expected.ids),
                "{ending}, frame {i}"
            );
            assert_eq!((found.x, found.y), (expected.x, expected.y), "{ending}, frame {i}");
            assert_eq!((found.group, found.action), (expected.group, expected.action), "{ending}");
            // Whoever stands has no direction of their own, and may be given that of their next step.
            let off = (0..found.len()).filter(|&k| found.vx[k] != 0.0 || found.vy[k] != 0.0);
            let off = off.map(|k| found.velocity(k).distance(expected.velocity(k)));
            assert!(i == 0 || off.fold(0.0, f32::max) < 0.02, "{ending}, frame {i}: velocities");
        }
    }
}

/// If this fails, a recording cannot be watched, sought in or measured, or can be changed.
#[test]
fn a_recording_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.sqlite");
    record(&path, 200);
    let options = RecordingOptions { paused: true, ..RecordingOptions::default() };
    let recording = Recording::open(&path, &options).unwrap();
    let served = Served::start(Box::new(recording), ServeOptions::default());
    let mut client = served.client();
    let scene = client.scene.clone().unwrap();
    let [_, last] = scene.steps.unwrap();
    assert!(!scene.live && !scene.walkable.is_empty() && last >= 90, "{last}");
    client.call(&Call::Seek { step: last / 2 }).unwrap();
    client.wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == last / 2)).unwrap();
    let whole = read_trajectory(&path).unwrap();
    let frame = whole.frames().find(|f| f.step == last / 2).unwrap();
    assert_eq!(client.frame.as_ref().unwrap().ids.len(), frame.ids.len());
    client.call(&Call::Speed { value: 16.0 }).unwrap();
    client.call(&Call::Play {}).unwrap();
    client
        .wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step == last && !s.playing))
        .unwrap();
    for call in [Call::World(Command::Remove { agent: 1 }), Call::Snapshot {}, Call::Parameters {}]
    {
        match client.call(&call) {
            Err(ClientError::Refused(fault)) => assert_eq!(fault.code, FaultCode::NotHere),
            other => panic!("{other:?}"),
        }
    }
    served.end();
}

fn data() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("THRONG_DATA").map_or(own, PathBuf::from).join("trajectories");
    folder.is_dir().then_some(folder)
}

/// A file, what it does not tell (rate, columns), its first frame and its unit.
type Case = (&'static str, Option<f64>, Option<&'static str>, u32, f32);

/// If this fails, a file that others made cannot be watched, or its people walk at the wrong pace.
#[test]
fn files_of_others_are_read() {
    let Some(folder) = data() else {
        println!("the recordings of others are not here: nothing was tried");
        return;
    };
    let cases: [Case; 8] = [
        ("jupedsim-output/trajectories.sqlite", None, None, 1, 1.0),
        ("bottleneck-wuppertal-2018/040_c_56_h-.txt", None, None, 1, 1.0),
        ("bidirectional-corridor-400/bi_corr_400_b_03.txt", None, None, 94, 0.01),
        ("unidirectional-corridor-500/traj_UNI_CORR_500_01.txt", None, None, 98, 1.0),
        ("unidirectional-hermes-2009/uo-050-180-180.txt", Some(16.0), None, 43, 0.01),
        ("corner/traj.txt", None, None, 53, 1.0),
        ("bottleneck-school-2014/00_01a.h5", None, None, 1, 1.0),
        ("ucy-zara01/obsmat.txt", Some(25.0), Some("frame,id,x,z,y"), 1, 1.0),
    ];
    for (name, fps, columns, first, unit) in cases {
        let columns = columns.map(|names| Columns::parse(names).unwrap());
        let options = FileOptions { fps, unit: None, columns };
        let mut file =
            TrajectoryFile::open(&folder.join(name), &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(file.unit(), unit, "{name}");
        assert!(
            file.range().0 <= u64::from(first) && file.range().1 > 400,
            "{name}: {:?}",
            file.range()
        );
        let middle = file.at((file.range().0 + file.range().1) / 2).unwrap();
        assert!(!middle.ids.is_empty(), "{name}");
        let speed = |i: usize| middle.vx[i].hypot(middle.vy[i]);
        let mean = (0..middle.ids.len()).map(speed).sum::<f32>() / middle.ids.len() as f32;
        assert!((0.001..3.0).contains(&mean), "{name}: {mean} m/s");
        let [x0, y0, x1, y1] = file.survey(20).unwrap().extent;
        assert!((1.0..60.0).contains(&(x1 - x0)) && (1.0..60.0).contains(&(y1 - y0)), "{name}");
    }
    let no_rate = folder.join("unidirectional-hermes-2009/uo-050-180-180.txt");
    let Err(error) = TrajectoryFile::open(&no_rate, &FileOptions::default()) else {
        panic!("no rate")
    };
    assert!(error.to_string().contains("--fps"), "{error}");
    let single = folder.join("single-file/n34_cam2.csv");
    let options = FileOptions { fps: Some(25.0), ..FileOptions::default() };
    assert!(TrajectoryFile::open(&single, &options).unwrap().range().1 == 3990);
}

/// If this fails, what is no recording is not refused in words.
#[test]
fn what_is_no_recording_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.sqlite", "nonsense"),
        ("a.parquet", "nonsense"),
        ("a.txt", "nonsense"),
        ("a.csv", "x,y\n1"),
        ("a.h5", "x"),
        ("a.doc", "x"),
        ("b.txt", "# framerate: 25 fps\n1 2 three 4\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let Err(error) = TrajectoryFile::open(&path, &FileOptions::default()) else {
            panic!("{name}")
        };
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(
        TrajectoryFile::open(&folder.path().join("none.txt"), &FileOptions::default()).is_err()
    );
}
