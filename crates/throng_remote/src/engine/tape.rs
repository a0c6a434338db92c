//! Recordings that clients ask for: written to a folder of the server's own, and fetched by their number.

use std::path::PathBuf;
use tempfile::TempDir;
use throng::{Crowd, Recorder, RecorderOptions};

use crate::protocol::{Fault, FaultCode, Format, Recorded};

/// Recordings that can be fetched, at most; the oldest goes when another one ends.
const MOST: usize = 4;
/// A recording ends by itself when it is this large (bytes).
const LARGEST: u64 = 512 << 20;
/// Frames per second of simulated time.
const RATES: std::ops::RangeInclusive<f64> = 0.1..=100.0;

/// All recordings of a session.
#[derive(Default)]
pub(super) struct Tapes {
    folder: Option<TempDir>,
    running: Option<(Recorder, Recorded)>,
    finished: Vec<(Recorded, PathBuf, &'static str)>,
    next: u64,
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::Internal, error)
}

impl Tapes {
    /// Begins one; gives its number.
    pub(super) fn begin(&mut self, crowd: &Crowd, format: Format, fps: f64) -> Result<u64, Fault> {
        if self.running.is_some() {
            return Err(Fault::new(FaultCode::Refused, "a recording is under way"));
        }
        if !RATES.contains(&fps) {
            let text =
                format!("fps is {fps}, but must be from {} to {}", RATES.start(), RATES.end());
            return Err(Fault::new(FaultCode::BadArguments, text));
        }
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(tempfile::tempdir().map_err(failed)?),
        };
        self.next += 1;
        let path = folder.path().join(format!("{}.{}", self.next, format.ending()));
        let options = RecorderOptions { fps, dt: None };
        let mut recorder = Recorder::create(path, crowd, options).map_err(failed)?;
        recorder.record(crowd).map_err(failed)?;
        let (from, format) = (crowd.steps(), format.ending().to_owned());
        self.running = Some((recorder, Recorded { recording: self.next, format, from, to: from }));
        Ok(self.next)
    }

    /// Records the crowd as it is, if a recording is under way. What goes wrong ends it.
    pub(super) fn look(&mut self, crowd: &Crowd) -> Option<Fault> {
        let (recorder, recorded) = self.running.as_mut()?;
        recorded.to = crowd.steps();
        let done = recorder.record(crowd).map_err(failed);
        let size = recorder.path().metadata().map_or(0, |data| data.len());
        if done.is_ok() && (size <= LARGEST || !recorded.to.is_multiple_of(64)) {
            return None;
        }
        let ended = self.end();
        let full = || Fault::new(FaultCode::Refused, "the recording has ended: it is large enough");
        done.err().or(ended.err()).or_else(|| Some(full()))
    }

    /// Walls were built or taken down.
    pub(super) fn walls_changed(&mut self, crowd: &Crowd) {
        if let Some((recorder, _)) = &mut self.running
            && recorder.walls_changed(crowd).is_err()
        {
            let _ = self.end();
        }
    }

    /// Ends it; what can be fetched now.
    pub(super) fn end(&mut self) -> Result<Option<Recorded>, Fault> {
        let Some((recorder, recorded)) = self.running.take() else { return Ok(None) };
        let path = recorder.path().to_owned();
        recorder.finish().map_err(failed)?;
        let ending = match recorded.format.as_str() {
            "sqlite" => "sqlite",
            "txt" => "txt",
            "parquet" => "parquet",
            _ => "csv",
        };
        self.finished.push((recorded.clone(), path, ending));
        if self.finished.len() > MOST {
            let (_, old, _) = self.finished.remove(0);
            let _ = std::fs::remove_file(old);
        }
        Ok(Some(recorded))
    }

    pub(super) fn running(&self) -> Option<Recorded> {
        self.running.as_ref().map(|(_, recorded)| recorded.clone())
    }

    pub(super) fn finished(&self) -> impl Iterator<Item = &(Recorded, PathBuf, &'static str)> {
        self.finished.iter()
    }
}
