//! PedPy, from PyPI, loads our SQLite and text files with their geometry, and measures what we
//! measure. Makes a virtual environment beside the build; says so when it cannot.

mod crowd;

#[path = "pedpy/venv.rs"]
mod venv;

use glam::Vec2;
use std::collections::HashMap;
use throng_record::{FrameRows, Geometry, TrajectoryOptions, TrajectoryWriter};
use throng_world::world::{Polygon, Rect};

const FPS: f64 = 12.5;
const STEPS: u64 = 500;
/// Measured within: least and greatest x and y.
const AREA: [f32; 4] = [5.0, 0.0, 13.0, 4.0];
const LINE: f32 = 12.0;
/// Frames before and after over which PedPy finds a speed.
const FRAME_STEP: usize = 3;
const AGREE: f64 = 0.02;

fn geometry() -> Geometry {
    let rect =
        |x0, y0, x1, y1| Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) });
    let walls = [rect(-1.0, -1.0, 21.0, -0.5), rect(9.0, 4.3, 10.0, 4.7)];
    Geometry::of_polygons(&[rect(-1.0, -1.0, 21.0, 5.0)], &walls).unwrap()
}

/// Our own figures: density, speed, how many crossed the line, and the flow.
fn measure(frames: &[FrameRows]) -> [f64; 4] {
    let [x0, y0, x1, y1] = AREA;
    let mut inside = 0usize;
    let mut paths: HashMap<u32, Vec<(u64, Vec2)>> = HashMap::new();
    for crowd in frames {
        for i in 0..crowd.ids.len() {
            let at = Vec2::new(crowd.x[i], crowd.y[i]);
            let within = Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) };
            inside += usize::from(within.contains(at));
            paths.entry(crowd.ids[i]).or_default().push((crowd.number, at));
        }
    }
    let area = f64::from((x1 - x0) * (y1 - y0));
    let density = inside as f64 / frames.len() as f64 / area;
    let (mut sum, mut count) = (0.0, 0usize);
    let mut crossings = Vec::new();
    for path in paths.values() {
        for window in path.windows(2 * FRAME_STEP + 1) {
            let way = window[2 * FRAME_STEP].1.distance(window[0].1);
            sum += f64::from(way) / (2.0 * FRAME_STEP as f64 / FPS);
            count += 1;
        }
        let crossed = path.windows(2).find(|pair| pair[0].1.x < LINE && pair[1].1.x >= LINE);
        crossings.extend(crossed.map(|pair| pair[1].0));
    }
    crossings.sort_unstable();
    let seconds = (crossings[crossings.len() - 1] - crossings[0]) as f64 / FPS;
    let flow = (crossings.len() - 1) as f64 / seconds;
    [density, sum / count as f64, crossings.len() as f64, flow]
}

#[test]
fn pedpy_measures_what_we_measure() {
    let python = match venv::python() {
        Ok(python) => python,
        Err(why) => {
            println!("skipped: PedPy cannot be installed: {why}");
            return;
        }
    };
    let directory = tempfile::tempdir().unwrap();
    let files = ["sqlite", "txt"].map(|format| directory.path().join(format!("run.{format}")));
    let frames: Vec<FrameRows> =
        (0..STEPS).map(|step| crowd::walking(step, FPS, 200, 0.25, 20.0)).collect();
    for file in &files {
        let options = TrajectoryOptions { fps: FPS, every: 1 };
        let mut writer = TrajectoryWriter::create(file, &options, &geometry()).unwrap();
        frames.iter().for_each(|crowd| writer.write(&crowd.frame()).unwrap());
        writer.finish().unwrap();
    }
    let rows = venv::measure(&python, &files, AREA, [LINE, -1.0, LINE, 5.0], FRAME_STEP);
    let ours = measure(&frames);
    let count: usize = frames.iter().map(|crowd| crowd.ids.len()).sum();
    for row in &rows {
        assert_eq!(row["valid"], true, "people outside of the geometry: {row}");
        assert_eq!(row["holes"], 1, "{row}");
        assert_eq!((&row["rows"], &row["frame_rate"]), (&count.into(), &FPS.into()));
        let area = f64::from(geometry().polygon().area());
        assert!((row["area"].as_f64().unwrap() - area).abs() < 1e-3, "{row}");
        for (name, ours) in ["density", "speed", "crossed", "flow"].into_iter().zip(ours) {
            let theirs = row[name].as_f64().unwrap();
            println!("{name}: PedPy {theirs:.5}, ours {ours:.5}");
            assert!((theirs / ours - 1.0).abs() < AGREE, "{name}: {theirs}, ours {ours}");
        }
    }
}
