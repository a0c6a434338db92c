//! The writer in front of the formats: picks frames, checks them, and says when to commit.

use super::lines::LineSink;
use super::parquet::ParquetSink;
use super::sqlite::SqliteSink;
use super::{AgentFrame, Geometry, TrajectoryFormat, TrajectoryOptions};
use crate::RecordError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Wall time after which the next frame is committed, whatever the simulated time.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// Simulated time after which frames are committed (seconds), unless that was just done.
const SIMULATED_PAUSE: f64 = 1.0;

/// A format. All errors name the file.
pub(super) trait Sink: Send {
    /// Takes a frame; it need not be safe before the next commit.
    fn frame(&mut self, number: u64, frame: &AgentFrame<'_>) -> Result<(), RecordError>;
    /// From the next frame on people walk in this area.
    fn geometry(&mut self, geometry: &Geometry) -> Result<(), RecordError>;
    /// Makes all frames so far safe against the end of the process.
    fn commit(&mut self) -> Result<(), RecordError>;
    /// Commits and closes the file.
    fn finish(self: Box<Self>) -> Result<(), RecordError>;
    /// Wall time between two commits below which another is not worth it.
    fn shortest_pause(&self) -> Duration;
}

/// Writes a trajectory, frame by frame. See the [module](super) for formats and what survives.
///
/// Dropped without [`TrajectoryWriter::finish`] the file holds what was committed.
pub struct TrajectoryWriter {
    sink: Option<Box<dyn Sink>>,
    path: PathBuf,
    options: TrajectoryOptions,
    last_frame: Option<u64>,
    committed_at: Instant,
    committed_time: f64,
    ended: String,
}

impl TrajectoryWriter {
    /// Begins a trajectory file in the format of its name, with the area people walk in.
    ///
    /// # Errors
    /// When the name has no known ending, the options make no sense, or the file cannot be
    /// written; what was there before is still whole then.
    pub fn create(
        path: &Path,
        options: &TrajectoryOptions,
        geometry: &Geometry,
    ) -> Result<Self, RecordError> {
        options.check()?;
        let sink: Box<dyn Sink> = match TrajectoryFormat::of(path)? {
            TrajectoryFormat::Sqlite => Box::new(SqliteSink::create(path, options, geometry)?),
            TrajectoryFormat::Text => Box::new(LineSink::text(path, options, geometry)?),
            TrajectoryFormat::Csv => Box::new(LineSink::csv(path)?),
            TrajectoryFormat::Parquet => Box::new(ParquetSink::create(path, options, geometry)?),
        };
        Ok(Self {
            sink: Some(sink),
            path: path.to_owned(),
            options: *options,
            last_frame: None,
            committed_at: Instant::now(),
            committed_time: f64::NEG_INFINITY,
            ended: String::new(),
        })
    }

    /// The file being written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a step is one of those recorded; others need not be gathered at all.
    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(u64::from(self.options.every))
    }

    /// Records a frame if its step is one of those to record. Steps must grow.
    ///
    /// # Errors
    /// When the frame is not sound (nothing is written then, and the next may be), or the file
    /// cannot be written: then the recording has ended, with all committed frames in the file.
    pub fn write(&mut self, frame: &AgentFrame<'_>) -> Result<(), RecordError> {
        if !self.wants(frame.step) {
            return Ok(());
        }
        let number = frame.step / u64::from(self.options.every);
        if self.last_frame.is_some_and(|last| number <= last) {
            let cause = "a later or the same step is recorded already".to_owned();
            return Err(RecordError::BadFrame { step: frame.step, cause });
        }
        frame.check()?;
        self.with_sink(|sink| sink.frame(number, frame))?;
        let first = self.last_frame.is_none();
        self.last_frame = Some(number);
        self.commit_if_due(first, frame.time)
    }

    /// Tells that walls have changed: the area that holds from the next frame on. Formats that know
    /// of one area only (CSV none, Parquet the last) keep what they can.
    pub fn set_geometry(&mut self, geometry: &Geometry) -> Result<(), RecordError> {
        self.with_sink(|sink| sink.geometry(geometry))
    }

    /// Makes every frame so far safe against the end of the process. Done by itself as the run
    /// goes on; useful before a long pause.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.committed_at = Instant::now();
        self.with_sink(|sink| sink.commit())
    }

    /// Ends the file and puts it on the disk.
    ///
    /// # Errors
    /// When it cannot be written; the committed frames are in the file.
    pub fn finish(mut self) -> Result<(), RecordError> {
        match self.sink.take() {
            Some(sink) => sink.finish(),
            None => Err(self.end_error()),
        }
    }

    fn commit_if_due(&mut self, first: bool, time: f64) -> Result<(), RecordError> {
        let pause = self.committed_at.elapsed();
        let shortest = self.sink.as_ref().map_or(LONGEST_PAUSE, |sink| sink.shortest_pause());
        let simulated = (time - self.committed_time).abs() >= SIMULATED_PAUSE;
        if first || pause >= LONGEST_PAUSE || (simulated && pause >= shortest) {
            self.committed_time = time;
            self.flush()?;
        }
        Ok(())
    }

    /// Runs `work`; the first error ends the recording.
    fn with_sink(
        &mut self,
        work: impl FnOnce(&mut dyn Sink) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        let Some(sink) = self.sink.as_mut() else {
            return Err(self.end_error());
        };
        let done = work(sink.as_mut());
        if let Err(error) = &done {
            self.ended = error.to_string();
            self.sink = None;
        }
        done
    }

    fn end_error(&self) -> RecordError {
        RecordError::Ended { path: self.path.clone(), cause: self.ended.clone() }
    }
}
