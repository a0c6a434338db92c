//! `Recorder`: where everybody was, written to a file while the crowd goes on.

use std::path::Path;

use throng_crowd::Crowd;
use throng_record::{Geometry, RecordError, TrajectoryOptions, TrajectoryWriter};

use crate::FrameColumns;

/// How a crowd is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecorderOptions {
    /// Frames per second of simulated time. What is written is every n-th step with the n that comes
    /// nearest; never more than every step.
    pub fps: f64,
    /// Length of the steps (seconds); `None`: the world's.
    pub dt: Option<f32>,
}

impl Default for RecorderOptions {
    /// Ten frames a second of steps as long as the world says.
    fn default() -> Self {
        Self { fps: 10.0, dt: None }
    }
}

/// Writes a crowd's trajectories, in the format of the file's name: `.sqlite` (JuPedSim), `.txt`
/// (PedPy), `.parquet` or `.csv`.
///
/// The file is good to read at any time: a killed process leaves all but the last second.
pub struct Recorder {
    writer: TrajectoryWriter,
    columns: FrameColumns,
    dt: f64,
    /// Step and time at the first frame.
    start: Option<(u64, f64)>,
}

impl Recorder {
    /// Begins a recording.
    ///
    /// # Errors
    /// When the name has no known ending, the rate is not positive or the file cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        crowd: &Crowd,
        options: RecorderOptions,
    ) -> Result<Self, RecordError> {
        let dt = f64::from(options.dt.unwrap_or(crowd.world().dt));
        for (name, value) in [("fps", options.fps), ("dt", dt)] {
            if !(value.is_finite() && value > 0.0) {
                let (value, right) = (value.to_string(), "a positive number");
                return Err(RecordError::BadOption { name, value, right });
            }
        }
        let rate = TrajectoryOptions::at_fps(dt, options.fps);
        let geometry = Geometry::of_world(crowd.world())?;
        let writer = TrajectoryWriter::create(path.as_ref(), &rate, &geometry)?;
        Ok(Self { writer, columns: FrameColumns::default(), dt, start: None })
    }

    /// The file being written.
    pub fn path(&self) -> &Path {
        self.writer.path()
    }

    /// Whether this step is one of those to record: where looking at a crowd costs something, the others
    /// can be left out.
    pub fn wants(&self, step: u64) -> bool {
        self.writer.wants(step)
    }

    /// Records the crowd as it stands if this step is one of those to record. To be called after
    /// every step, and before the first.
    ///
    /// # Errors
    /// When the file cannot be written; the frames before are kept then. When steps were not as long
    /// as the options say: speeds read from the file would be wrong.
    pub fn record(&mut self, crowd: &Crowd) -> Result<(), RecordError> {
        let step = crowd.steps();
        if !self.writer.wants(step) {
            return Ok(());
        }
        let (first, since) = *self.start.get_or_insert((step, crowd.time()));
        let told = step.saturating_sub(first) as f64 * self.dt;
        let passed = crowd.time() - since;
        if (passed - told).abs() > self.dt.max(told * 1e-4) {
            let cause = format!(
                "{passed:.3} s have passed, but steps of {} s make {told:.3} s; give the recorder \
                 the length of the steps",
                self.dt
            );
            return Err(RecordError::BadFrame { step, cause });
        }
        self.writer.write(&self.columns.frame(crowd))
    }

    /// Tells that walls were built or taken down: the area that holds from the next frame on.
    ///
    /// # Errors
    /// When the file cannot be written or nothing is left to walk on.
    pub fn walls_changed(&mut self, crowd: &Crowd) -> Result<(), RecordError> {
        self.writer.set_geometry(&Geometry::of_world(crowd.world())?)
    }

    /// Ends the file and puts it on the disk. A recorder that is merely dropped leaves what was
    /// committed by then.
    ///
    /// # Errors
    /// When it cannot be written; the committed frames are in the file.
    pub fn finish(self) -> Result<(), RecordError> {
        self.writer.finish()
    }
}
