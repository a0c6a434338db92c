//! The files of a run. All are opened before it starts; one that fails does not take the others along.

use super::job::Job;
use super::maps::MapOutput;
use crate::failure::Failure;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use throng::Waiting;
use throng::record::TrajectoryFormat;
use throng::{
    Clip, ClipOptions, Crowd, FrameColumns, RecordError, Recorder, RecorderOptions, World,
};

/// All files of a run.
pub(super) struct Outputs<'w> {
    recorders: Vec<Option<Recorder>>,
    maps: Vec<Option<MapOutput<'w>>>,
    waiting: Waiting,
    waits: bool,
    columns: FrameColumns,
    /// What went wrong and was not told yet.
    pub(super) failures: Vec<RecordError>,
    /// Files that are whole.
    pub(super) written: Vec<PathBuf>,
}

/// Refuses names that say no format, and names given twice.
pub(super) fn check_names(job: &Job) -> Result<(), Failure> {
    for path in &job.trajectories {
        TrajectoryFormat::of(path).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    for request in &job.maps {
        request.is_clip()?;
    }
    let mut seen = HashSet::new();
    match paths(job).find(|path| !seen.insert(path.to_path_buf())) {
        None => Ok(()),
        Some(twice) => Err(Failure::Usage(format!("{} is given twice", twice.display()))),
    }
}

/// Finds out whether all files can be written, without touching what is there.
pub(super) fn probe(job: &Job) -> Result<(), Failure> {
    for path in paths(job) {
        // A clip makes its file under another name and leaves nothing when it is let go.
        drop(Clip::create(path, ClipOptions::default())?);
    }
    Ok(())
}

fn paths(job: &Job) -> impl Iterator<Item = &Path> {
    let maps = job.maps.iter().map(|request| request.path.as_path());
    job.trajectories.iter().map(PathBuf::as_path).chain(maps)
}

impl<'w> Outputs<'w> {
    /// Opens all files; `world` is what maps are drawn of.
    pub(super) fn create(
        job: &Job,
        crowd: &Crowd,
        world: Option<&'w World>,
        (steps, dt): (u64, f32),
    ) -> Result<Self, Failure> {
        let mut maps = Vec::new();
        for (request, world) in job.maps.iter().zip(world.into_iter().cycle()) {
            maps.push(Some(MapOutput::create(request, world, (steps, dt))?));
        }
        let options = RecorderOptions { fps: job.fps, dt: Some(dt) };
        let mut recorders = Vec::new();
        for path in &job.trajectories {
            recorders.push(Some(Recorder::create(path, crowd, options)?));
        }
        Ok(Self {
            recorders,
            waits: maps.iter().flatten().any(MapOutput::wants_waiting),
            maps,
            waiting: Waiting::default(),
            columns: FrameColumns::default(),
            failures: Vec::new(),
            written: Vec::new(),
        })
    }

    /// Whether any file is still being written.
    pub(super) fn any(&self) -> bool {
        self.recorders.iter().any(Option::is_some) || self.maps.iter().any(Option::is_some)
    }

    /// Whether any file wants to see the crowd after this step.
    pub(super) fn wants(&self, step: u64) -> bool {
        self.waits
            || self.recorders.iter().flatten().any(|recorder| recorder.wants(step))
            || self.maps.iter().flatten().any(|map| map.wants(step))
    }

    /// Takes the crowd down after a step of `dt` seconds, or before the first (0).
    pub(super) fn take(&mut self, crowd: &Crowd, dt: f32) {
        if self.waits && dt > 0.0 {
            self.waiting.count(crowd, dt);
        }
        for slot in &mut self.recorders {
            if let Some(recorder) = slot
                && let Err(error) = recorder.record(crowd)
            {
                self.failures.push(error);
                *slot = None;
            }
        }
        let step = crowd.steps();
        for slot in &mut self.maps {
            let Some(map) = slot.as_mut().filter(|map| map.wants(step)) else { continue };
            if let Err(error) = map.draw(crowd, &self.columns.frame(crowd), &mut self.waiting) {
                self.failures.push(error);
                *slot = None;
            }
        }
    }

    /// Ends all files.
    pub(super) fn finish(&mut self, crowd: &Crowd) {
        for recorder in std::mem::take(&mut self.recorders).into_iter().flatten() {
            let path = recorder.path().to_owned();
            self.ended(path, recorder.finish());
        }
        for map in std::mem::take(&mut self.maps).into_iter().flatten() {
            let path = map.path().to_owned();
            let ended = map.finish(crowd, &self.columns.frame(crowd), &mut self.waiting);
            self.ended(path, ended);
        }
    }

    fn ended(&mut self, path: PathBuf, ended: Result<(), RecordError>) {
        match ended {
            Ok(()) => self.written.push(path),
            Err(error) => self.failures.push(error),
        }
    }
}
