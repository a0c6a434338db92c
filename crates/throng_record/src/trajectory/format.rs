//! Which format, and how many frames.

use crate::RecordError;
use std::path::Path;

/// How a trajectory is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrajectoryFormat {
    /// JuPedSim's SQLite tables.
    Sqlite,
    /// PedPy text.
    Text,
    /// Apache Parquet.
    Parquet,
    /// Comma-separated text.
    Csv,
}

impl TrajectoryFormat {
    /// The format a file's name asks for.
    ///
    /// # Errors
    /// When its extension is none of `.sqlite`, `.txt`, `.parquet` and `.csv`.
    pub fn of(path: &Path) -> Result<Self, RecordError> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "sqlite" => Ok(Self::Sqlite),
            "txt" => Ok(Self::Text),
            "parquet" => Ok(Self::Parquet),
            "csv" => Ok(Self::Csv),
            _ => Err(RecordError::UnknownFormat { path: path.to_owned() }),
        }
    }
}

/// How often frames are recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrajectoryOptions {
    /// Recorded frames per second of simulated time, as it stands in the file.
    pub fps: f64,
    /// Every so manyth step is recorded: those whose number it divides.
    pub every: u32,
}

impl TrajectoryOptions {
    /// Every step of a run with steps of `dt` seconds.
    pub fn every_step(dt: f64) -> Self {
        Self { fps: 1.0 / dt, every: 1 }
    }

    /// About `fps` frames a second of a run with steps of `dt` seconds: every n-th step, with the n
    /// that comes nearest; never more than every step.
    pub fn at_fps(dt: f64, fps: f64) -> Self {
        let every = (1.0 / (dt * fps)).round().clamp(1.0, f64::from(u32::MAX));
        Self { fps: 1.0 / (dt * every), every: every as u32 }
    }

    pub(super) fn check(&self) -> Result<(), RecordError> {
        if !(self.fps.is_finite() && self.fps > 0.0) {
            let (name, value) = ("fps", self.fps.to_string());
            return Err(RecordError::BadOption { name, value, right: "a positive number" });
        }
        if self.every == 0 {
            let (name, value) = ("every", "0".to_owned());
            return Err(RecordError::BadOption { name, value, right: "at least 1" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong rate in the file makes every speed computed from it wrong.
    #[test]
    fn the_rate_in_the_file_is_the_rate_of_recorded_steps() {
        let tenth = TrajectoryOptions::at_fps(0.05, 10.0);
        assert_eq!(tenth.every, 2);
        assert!((tenth.fps - 10.0).abs() < 1e-9);
        let odd = TrajectoryOptions::at_fps(1.0 / 30.0, 16.0);
        assert_eq!(odd.every, 2);
        assert!((odd.fps - 15.0).abs() < 1e-9);
        assert_eq!(TrajectoryOptions::at_fps(0.1, 60.0), TrajectoryOptions::every_step(0.1));
        assert!(TrajectoryOptions { fps: f64::NAN, every: 1 }.check().is_err());
        assert!(TrajectoryOptions { fps: 1.0, every: 0 }.check().is_err());
    }

    #[test]
    fn names_tell_formats() {
        assert_eq!(
            TrajectoryFormat::of(Path::new("a/b.SQLITE")).unwrap(),
            TrajectoryFormat::Sqlite
        );
        let said = TrajectoryFormat::of(Path::new("a.db")).unwrap_err().to_string();
        assert_eq!(
            said,
            "cannot write a.db: a trajectory's name ends in .sqlite, .txt, .parquet or .csv"
        );
    }
}
