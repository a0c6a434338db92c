//! Trajectories read back: what we write, and what JuPedSim and PedPy write in the same formats.

mod lines;
mod parquet;
mod sqlite;

use super::{AgentFrame, TrajectoryFormat};
use crate::RecordError;
use std::collections::HashMap;
use std::path::Path;

/// Radius of people whose file does not tell (metres).
pub(super) const USUAL_RADIUS: f32 = 0.25;

/// A whole recording in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Frames per second.
    pub fps: f64,
    /// The walkable area as WKT, if the file has one (the last one, where it changes).
    pub geometry: Option<String>,
    numbers: Vec<u64>,
    /// Where each frame starts in the columns, and the end of the last.
    starts: Vec<usize>,
    ids: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
    group: Vec<u8>,
    action: Vec<u8>,
    radius: Vec<f32>,
}

/// Reads a trajectory in the format of its name.
///
/// What a format does not hold is filled in: velocities from the positions of the frame before,
/// group and action 0, radius 0.25 m; for CSV the frame rate from the times.
///
/// # Errors
/// When the file is not there, cannot be read or is not such a file.
pub fn read_trajectory(path: &Path) -> Result<Trajectory, RecordError> {
    let explain = |cause: String| RecordError::Read { path: path.to_owned(), cause };
    let format = TrajectoryFormat::of(path).map_err(|_| {
        explain("a trajectory's name ends in .sqlite, .txt, .parquet or .csv".to_owned())
    })?;
    // SQLite would only say that it cannot open it.
    std::fs::File::open(path).map_err(|error| explain(error.to_string()))?;
    match format {
        TrajectoryFormat::Sqlite => sqlite::read(path).map_err(|error| explain(error.to_string())),
        TrajectoryFormat::Text => lines::read_text(path).map_err(explain),
        TrajectoryFormat::Csv => lines::read_csv(path).map_err(explain),
        TrajectoryFormat::Parquet => parquet::read(path).map_err(explain),
    }
}

impl Trajectory {
    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many rows there are: agents times frames.
    pub fn rows(&self) -> usize {
        self.ids.len()
    }

    /// The frame at index `i`, from 0 to [`Trajectory::len`]; its step is the frame's number.
    pub fn frame(&self, i: usize) -> Option<AgentFrame<'_>> {
        let (&number, range) = (self.numbers.get(i)?, self.starts[i]..self.starts[i + 1]);
        Some(AgentFrame {
            step: number,
            time: number as f64 / self.fps,
            ids: &self.ids[range.clone()],
            x: &self.x[range.clone()],
            y: &self.y[range.clone()],
            vx: &self.vx[range.clone()],
            vy: &self.vy[range.clone()],
            group: &self.group[range.clone()],
            action: &self.action[range.clone()],
            radius: &self.radius[range],
        })
    }

    /// All frames in turn.
    pub fn frames(&self) -> impl Iterator<Item = AgentFrame<'_>> {
        (0..self.len()).filter_map(|i| self.frame(i))
    }

    /// A recording from rows in any order.
    pub(super) fn of_rows(fps: f64, geometry: Option<String>, mut rows: Vec<Row>) -> Self {
        if !rows.is_sorted_by_key(|row| row.frame) {
            rows.sort_by_key(|row| row.frame);
        }
        let mut all = Self { fps, geometry, ..Self::default() };
        for (i, row) in rows.iter().enumerate() {
            if all.numbers.last() != Some(&row.frame) {
                all.numbers.push(row.frame);
                all.starts.push(i);
            }
            all.ids.push(row.id);
            all.x.push(row.position[0]);
            all.y.push(row.position[1]);
            all.group.push(row.group);
            all.action.push(row.action);
            all.radius.push(row.radius);
            let [vx, vy] = row.velocity.unwrap_or_default();
            all.vx.push(vx);
            all.vy.push(vy);
        }
        all.starts.push(rows.len());
        if rows.iter().any(|row| row.velocity.is_none()) {
            all.derive_velocities();
        }
        all
    }

    /// Velocities from the way since the frame before; of newcomers from the way to the next.
    fn derive_velocities(&mut self) {
        let mut before: HashMap<u32, usize> = HashMap::new();
        for k in 1..self.len() {
            let gap = (self.numbers[k] - self.numbers[k - 1]) as f64 / self.fps;
            before.clear();
            before.extend((self.starts[k - 1]..self.starts[k]).map(|row| (self.ids[row], row)));
            for row in self.starts[k]..self.starts[k + 1] {
                let Some(&old) = before.get(&self.ids[row]) else { continue };
                let speed = |to: f32, from: f32| (f64::from(to - from) / gap) as f32;
                self.vx[row] = speed(self.x[row], self.x[old]);
                self.vy[row] = speed(self.y[row], self.y[old]);
                if k == 1 || (self.vx[old], self.vy[old]) == (0.0, 0.0) {
                    (self.vx[old], self.vy[old]) = (self.vx[row], self.vy[row]);
                }
            }
        }
    }
}

/// One agent in one frame.
pub(super) struct Row {
    frame: u64,
    id: u32,
    position: [f32; 2],
    velocity: Option<[f32; 2]>,
    group: u8,
    action: u8,
    radius: f32,
}

impl Row {
    pub(super) fn bare(frame: u64, id: u32, position: [f32; 2]) -> Self {
        let radius = USUAL_RADIUS;
        Self { frame, id, position, velocity: None, group: 0, action: 0, radius }
    }
}
