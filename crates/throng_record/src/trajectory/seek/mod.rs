//! Recordings frame by frame: opened at once and read where one looks, however large they are. Small files, and
//! those that are not in the order of their frames, are read whole.

mod foreign;
mod lines;
mod parquet;
mod sqlite;

pub use foreign::Columns;

use super::{AgentFrame, Trajectory, TrajectoryFormat, read_trajectory};
use crate::RecordError;
use std::collections::HashMap;
use std::path::Path;

/// Smaller files are read whole (bytes).
const SMALL: u64 = 16 << 20;
/// Nobody walks faster than this: such a file is in centimetres (metres per second).
const RUNNER: f32 = 13.0;

/// What a file does not say of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileOptions {
    /// Frames per second; what the file says, if left out.
    pub fps: Option<f64>,
    /// Metres of a unit of length; what the file says or its speeds suggest, if left out.
    pub unit: Option<f32>,
    /// What the columns of a text file are.
    pub columns: Option<Columns>,
}

/// Everybody in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRows {
    /// The frame's number.
    pub number: u64,
    /// Its time (seconds).
    pub time: f64,
    /// Who.
    pub ids: Vec<u32>,
    /// Where (metres).
    pub x: Vec<f32>,
    /// Where (metres).
    pub y: Vec<f32>,
    /// Velocity (metres per second).
    pub vx: Vec<f32>,
    /// Velocity (metres per second).
    pub vy: Vec<f32>,
    /// Group.
    pub group: Vec<u8>,
    /// Action.
    pub action: Vec<u8>,
    /// Radius (metres).
    pub radius: Vec<f32>,
}

impl FrameRows {
    /// As a frame, to be drawn or measured.
    #[must_use]
    pub fn frame(&self) -> AgentFrame<'_> {
        AgentFrame {
            step: self.number,
            time: self.time,
            ids: &self.ids,
            x: &self.x,
            y: &self.y,
            vx: &self.vx,
            vy: &self.vy,
            group: &self.group,
            action: &self.action,
            radius: &self.radius,
        }
    }

    fn push(&mut self, id: u32, [x, y]: [f32; 2]) {
        self.ids.push(id);
        self.x.push(x);
        self.y.push(y);
        self.vx.push(0.0);
        self.vy.push(0.0);
        self.group.push(0);
        self.action.push(0);
        self.radius.push(super::read::USUAL_RADIUS);
    }

    fn of(frame: &AgentFrame<'_>) -> Self {
        Self {
            number: frame.step,
            time: frame.time,
            ids: frame.ids.to_vec(),
            x: frame.x.to_vec(),
            y: frame.y.to_vec(),
            vx: frame.vx.to_vec(),
            vy: frame.vy.to_vec(),
            group: frame.group.to_vec(),
            action: frame.action.to_vec(),
            radius: frame.radius.to_vec(),
        }
    }
}

/// What some frames of a recording have in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// The rectangle around everybody: least x and y, greatest x and y (metres).
    pub extent: [f32; 4],
    /// The greatest number of a group.
    pub group: u8,
    /// The greatest number of an action.
    pub action: u8,
}

/// A store of frames that can be read in any order.
trait Frames: Send {
    /// The first and the last frame's numbers.
    fn range(&self) -> (u64, u64);
    /// The last frame that is not later than a number, which is not before the first. Whether velocities are
    /// known.
    fn at(&mut self, number: u64) -> Result<(FrameRows, bool), String>;
}

/// A recording in a file, of which frames are read as they are wanted.
pub struct TrajectoryFile {
    frames: Box<dyn Frames>,
    fps: f64,
    unit: f32,
    geometry: Option<String>,
    explain: Box<dyn Fn(String) -> RecordError + Send>,
    last: Option<FrameRows>,
    notices: Vec<String>,
}

/// What opening a file gives: its frames, its rate, its geometry.
struct Opened {
    frames: Box<dyn Frames>,
    fps: Option<f64>,
    geometry: Option<String>,
    unit: Option<f32>,
}

impl TrajectoryFile {
    /// Opens a recording: what we write, JuPedSim's SQLite, PedPy's text, and the Jülich archive's HDF5.
    ///
    /// # Errors
    /// The file is not there, is not such a file, has no frame, or does not tell its frame rate.
    pub fn open(path: &Path, options: &FileOptions) -> Result<Self, RecordError> {
        let owned = path.to_owned();
        let explain = move |cause: String| RecordError::Read { path: owned.clone(), cause };
        let size = std::fs::metadata(path).map_err(|error| explain(error.to_string()))?.len();
        let opened = opened(path, size, options)?;
        let no_rate = || {
            explain("it does not tell how many frames a second has; give the rate (--fps)".into())
        };
        let fps = options.fps.or(opened.fps).ok_or_else(no_rate)?;
        if !(fps > 0.0 && fps < 1e4) {
            return Err(explain(format!("{fps} frames per second are none")));
        }
        let mut file = Self {
            frames: opened.frames,
            fps,
            unit: options.unit.or(opened.unit).unwrap_or(1.0),
            geometry: opened.geometry,
            explain: Box::new(explain),
            last: None,
            notices: Vec::new(),
        };
        if options.unit.is_none() && opened.unit.is_none() && file.median_speed()? > RUNNER {
            file.unit = 0.01;
            file.last = None;
            file.notices
                .push("by its speeds this file is in centimetres (--unit says otherwise)".into());
        }
        Ok(file)
    }

    /// Frames per second.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// The walkable area as WKT, if the file has one.
    #[must_use]
    pub fn geometry(&self) -> Option<&str> {
        self.geometry.as_deref()
    }

    /// Metres of a unit of length.
    #[must_use]
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// What was found out about the file that people should know.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The first and the last frame's numbers.
    #[must_use]
    pub fn range(&self) -> (u64, u64) {
        self.frames.range()
    }

    /// The last frame that is not later than a number; the first one, for numbers before it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn at(&mut self, number: u64) -> Result<FrameRows, RecordError> {
        let (first, last) = self.range();
        let number = number.clamp(first, last);
        if let Some(kept) = self.last.as_ref().filter(|kept| kept.number == number) {
            return Ok(kept.clone());
        }
        let (mut rows, moving) = self.read(number)?;
        if !moving {
            let before = self.last.take().filter(|last| last.number + 1 == rows.number);
            let other = match (rows.number > first, before) {
                // Where one goes on, the frame before is at hand.
                (true, Some(before)) => Some(before),
                (true, None) => Some(self.read(rows.number - 1)?.0),
                (false, _) if last > first => Some(self.read((first + 1).min(last))?.0),
                (false, _) => None,
            };
            if let Some(other) = other {
                give_velocities(&mut rows, &other, self.fps);
            }
        }
        self.last = Some(rows.clone());
        Ok(rows)
    }

    fn read(&mut self, number: u64) -> Result<(FrameRows, bool), RecordError> {
        let (mut rows, moving) = self.frames.at(number).map_err(&self.explain)?;
        rows.time = rows.number as f64 / self.fps;
        if self.unit != 1.0 {
            let all = [&mut rows.x, &mut rows.y, &mut rows.vx, &mut rows.vy];
            all.into_iter().flatten().for_each(|value| *value *= self.unit);
        }
        Ok((rows, moving))
    }

    fn median_speed(&mut self) -> Result<f32, RecordError> {
        let (first, last) = self.range();
        let mut speeds = Vec::new();
        for part in 1..4 {
            let rows = self.at(first + (last - first) * part / 4)?;
            speeds.extend(rows.vx.iter().zip(&rows.vy).map(|(x, y)| x.hypot(*y)));
        }
        speeds.sort_by(f32::total_cmp);
        Ok(speeds.get(speeds.len() / 2).copied().unwrap_or(0.0))
    }

    /// Looks at some frames, from the first to the last: where people are, and of what kinds.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn survey(&mut self, frames: u64) -> Result<Survey, RecordError> {
        let (first, last) = self.range();
        let mut all = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let (mut group, mut action) = (0, 0);
        for i in 0..=frames {
            // Velocities are not asked for: they would need a second frame each.
            let (rows, _) = self.read(first + (last - first) * i / frames.max(1))?;
            for (&x, &y) in rows.x.iter().zip(&rows.y) {
                all = [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)];
            }
            group = rows.group.iter().copied().fold(group, u8::max);
            action = rows.action.iter().copied().fold(action, u8::max);
        }
        let extent = if all[0] <= all[2] { all } else { [0.0, 0.0, 1.0, 1.0] };
        Ok(Survey { extent, group, action })
    }
}

fn opened(path: &Path, size: u64, options: &FileOptions) -> Result<Opened, RecordError> {
    let explain = |cause: String| RecordError::Read { path: path.to_owned(), cause };
    if foreign::is_hdf5(path) {
        return foreign::hdf5(path).map_err(explain);
    }
    let format = TrajectoryFormat::of(path).map_err(|_| {
        explain("a recording's name ends in .sqlite, .txt, .parquet, .csv or .h5".to_owned())
    })?;
    let found = match format {
        TrajectoryFormat::Sqlite => sqlite::open(path).map_err(|e| explain(e.to_string()))?,
        TrajectoryFormat::Parquet => parquet::open(path).map_err(explain)?,
        TrajectoryFormat::Text | TrajectoryFormat::Csv
            if size > SMALL && options.columns.is_none() =>
        {
            lines::open(path, format).map_err(explain)?
        }
        TrajectoryFormat::Text | TrajectoryFormat::Csv => None,
    };
    if let Some(opened) = found {
        return Ok(opened);
    }
    match format {
        TrajectoryFormat::Text | TrajectoryFormat::Csv => {
            foreign::text(path, options.columns.as_ref()).map_err(explain)
        }
        TrajectoryFormat::Parquet => read_trajectory(path).map(Opened::moving),
        TrajectoryFormat::Sqlite => {
            read_trajectory(path).map(|whole| Opened::whole(whole, None, None))
        }
    }
}

impl Opened {
    fn whole(whole: Trajectory, fps: Option<f64>, unit: Option<f32>) -> Self {
        let (rate, geometry) = (whole.fps, whole.geometry.clone());
        let fps = fps.or(rate.is_finite().then_some(rate));
        Self { frames: Box::new(Whole { whole, moving: false }), fps, geometry, unit }
    }

    /// A file whose rows have velocities of their own.
    fn moving(whole: Trajectory) -> Self {
        let (fps, geometry) = (Some(whole.fps), whole.geometry.clone());
        Self { frames: Box::new(Whole { whole, moving: true }), fps, geometry, unit: None }
    }
}

/// A recording in memory.
struct Whole {
    whole: Trajectory,
    /// Velocities are those of the file.
    moving: bool,
}

impl Frames for Whole {
    fn range(&self) -> (u64, u64) {
        let number = |i: usize| self.whole.frame(i).map_or(0, |frame| frame.step);
        (number(0), number(self.whole.len().saturating_sub(1)))
    }

    fn at(&mut self, number: u64) -> Result<(FrameRows, bool), String> {
        let (mut low, mut high) = (0, self.whole.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.whole.frame(middle).is_some_and(|frame| frame.step <= number) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let frame = self.whole.frame(low.saturating_sub(1)).ok_or("it has no frame")?;
        Ok((FrameRows::of(&frame), self.moving))
    }
}

/// Velocities from the way to or from another frame.
fn give_velocities(rows: &mut FrameRows, other: &FrameRows, fps: f64) {
    let seconds = (rows.number as f64 - other.number as f64) / fps;
    if seconds == 0.0 {
        return;
    }
    let places: HashMap<u32, usize> = other.ids.iter().copied().zip(0..).collect();
    for i in 0..rows.ids.len() {
        if let Some(&k) = places.get(&rows.ids[i]) {
            rows.vx[i] = (f64::from(rows.x[i] - other.x[k]) / seconds) as f32;
            rows.vy[i] = (f64::from(rows.y[i] - other.y[k]) / seconds) as f32;
        }
    }
}
