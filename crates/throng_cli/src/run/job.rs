//! One run from scene to summary.

use super::gauge::Gauges;
use super::interrupt::Interrupt;
use super::maps::MapRequest;
use super::outputs::{Outputs, check_names, probe};
use super::summary::{Ending, Summary};
use super::watch::Watch;
use crate::failure::Failure;
use crate::progress::Progress;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng::world::scene::check_file;
use throng::{BuildOptions, Crowd, CrowdError, CrowdOptions, Model, SceneErrors, World};

/// Time between two changes of the words beside the progress bar.
const RETITLE: Duration = Duration::from_millis(200);

/// What is to be run, and what it should leave.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// File, or name of a scene that ships.
    pub(crate) scene: PathBuf,
    pub(crate) agents: Option<u32>,
    pub(crate) seconds: Option<f64>,
    pub(crate) steps: Option<u64>,
    pub(crate) dt: Option<f32>,
    pub(crate) seed: Option<u64>,
    pub(crate) threads: Option<usize>,
    pub(crate) model: Option<Model>,
    pub(crate) trajectories: Vec<PathBuf>,
    pub(crate) fps: f64,
    pub(crate) maps: Vec<MapRequest>,
    /// Measurement areas (two corners) and lines (two ends), in metres.
    pub(crate) areas: Vec<[f32; 4]>,
    pub(crate) lines: Vec<[f32; 4]>,
    pub(crate) quiet: bool,
}

/// A run that came to an end, well or not.
pub(crate) struct Done {
    pub(crate) summary: Summary,
    /// Exit code of what was told already: an interruption, a file that could not be written.
    code: Option<u8>,
    /// Why it could not go on.
    error: Option<Failure>,
}

impl Done {
    /// How the program ends.
    pub(crate) fn end(self) -> Result<(), Failure> {
        match (self.error, self.code) {
            (Some(error), _) => Err(error),
            (None, Some(code)) => Err(Failure::Told(code)),
            (None, None) => Ok(()),
        }
    }
}

impl Job {
    /// A run of a scene as it is written, without files.
    pub(crate) fn new(scene: &str) -> Self {
        Self {
            scene: scene.into(),
            agents: None,
            seconds: None,
            steps: None,
            dt: None,
            seed: None,
            threads: None,
            model: None,
            trajectories: Vec::new(),
            fps: 10.0,
            maps: Vec::new(),
            areas: Vec::new(),
            lines: Vec::new(),
            quiet: false,
        }
    }

    /// Runs it. Nothing is written unless the scene is sound and every file can be written.
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        check_names(self)?;
        let options = BuildOptions { agents: self.agents, seed: self.seed, assets: None };
        let (_, world) = check_file(&self.scene, &options).map_err(|e| self.problems(&e))?;
        probe(self)?;
        let dt = self.dt.unwrap_or(world.dt);
        let seconds = self.seconds.unwrap_or(f64::from(world.seconds));
        let steps = self.steps.unwrap_or((seconds / f64::from(dt)).round().max(1.0) as u64);
        let drawn = (!self.maps.is_empty()).then(|| world.clone());
        let mut crowd = self.crowd(world)?;
        let interrupt = Interrupt::watch()?;
        let mut outputs = Outputs::create(self, &crowd, drawn.as_ref(), (steps, dt))?;
        let mut run = Running {
            job: self,
            crowd: &mut crowd,
            outputs: &mut outputs,
            watch: Watch::default(),
            gauges: Gauges::new(&self.areas, &self.lines),
            stepping: Duration::ZERO,
            started_with: 0,
            code: None,
        };
        run.started_with = run.crowd.len();
        let ended = run.go((steps, dt), &interrupt);
        Ok(run.end(ended, (steps, dt)))
    }

    fn crowd(&self, world: World) -> Result<Crowd, Failure> {
        let options = CrowdOptions {
            seed: self.seed,
            model: self.model,
            threads: self.threads,
            ..CrowdOptions::default()
        };
        let scene = self.scene.display().to_string();
        Crowd::new(world, options).map_err(|error| Failure::Crowd { scene, error })
    }

    /// Tells all problems of the scene.
    pub(crate) fn problems(&self, errors: &SceneErrors) -> Failure {
        for problem in &errors.0 {
            let (line, column) = (problem.line, problem.column);
            let place = if line > 0 { format!(":{line}:{column}") } else { String::new() };
            let key = &problem.key;
            let key = if key.is_empty() { String::new() } else { format!("{key}: ") };
            eprintln!("{}{place}: {key}{}\n    {}", problem.file, problem.what, problem.cure);
        }
        let (count, s) = (errors.0.len(), if errors.0.len() == 1 { "" } else { "s" });
        let scene = self.scene.display();
        Failure::Usage(format!("{count} problem{s} in {scene}; nothing was run"))
    }
}

/// A run under way.
struct Running<'r, 'w> {
    job: &'r Job,
    crowd: &'r mut Crowd,
    outputs: &'r mut Outputs<'w>,
    watch: Watch,
    gauges: Gauges,
    /// Time spent in steps.
    stepping: Duration,
    started_with: usize,
    code: Option<u8>,
}

impl Running<'_, '_> {
    /// Steps until the end, whatever it is.
    fn go(&mut self, (steps, dt): (u64, f32), interrupt: &Interrupt) -> Result<Ending, CrowdError> {
        let name = self.crowd.world().name.clone();
        let progress = (!self.job.quiet).then(|| Progress::new(&name, steps));
        let mut titled = Instant::now();
        let wanted_files = self.outputs.any();
        self.outputs.take(self.crowd, 0.0);
        self.gauges.look(self.crowd);
        for step in 1..=steps {
            if let Some(code) = interrupt.seen() {
                self.code = Some(code);
                return Ok(Ending::Interrupted);
            }
            if self.crowd.is_over() {
                return Ok(Ending::Over);
            }
            let began = Instant::now();
            self.crowd.step(dt)?;
            self.stepping += began.elapsed();
            self.outputs.take(self.crowd, dt);
            self.gauges.look(self.crowd);
            self.tell_failures(progress.as_ref());
            if wanted_files && !self.outputs.any() {
                return Ok(Ending::NoFileLeft);
            }
            self.watch.look(self.crowd, step == steps);
            if let Some(progress) = &progress {
                if titled.elapsed() >= RETITLE {
                    titled = Instant::now();
                    let rate = step as f64 / self.stepping.as_secs_f64().max(1e-9);
                    progress
                        .retitle(format!("{name}: {} people, {rate:.0} steps/s", self.crowd.len()));
                }
                progress.at(step);
            }
        }
        Ok(Ending::Time)
    }

    /// Ends all files and says what came of it.
    fn end(mut self, ended: Result<Ending, CrowdError>, (steps, dt): (u64, f32)) -> Done {
        self.watch.look(self.crowd, true);
        self.outputs.finish(self.crowd);
        self.tell_failures(None);
        let (ending, error) = match ended {
            Ok(ending) => (ending, None),
            Err(error) => {
                let step = self.crowd.steps() + 1;
                (Ending::Failed, Some(Failure::Step { step, error }))
            }
        };
        if ending == Ending::Interrupted {
            let done = self.crowd.steps();
            let files = if self.outputs.written.is_empty() { "" } else { "; all files are whole" };
            eprintln!("throng: interrupted after {done} of {steps} steps{files}");
        }
        let mut summary = Summary::of(self.crowd, &self.watch, self.stepping, dt);
        summary.started_with = self.started_with;
        summary.ended = ending;
        summary.areas = self.gauges.areas();
        summary.lines = self.gauges.lines();
        summary.threads = self.job.threads.unwrap_or_else(cores);
        let model = self.job.model.unwrap_or(self.crowd.world().params.avoid.model);
        summary.model = format!("{model:?}").to_lowercase();
        summary.seed = self.crowd.world().seed;
        let written = std::mem::take(&mut self.outputs.written);
        summary.written = written.iter().map(|path| path.display().to_string()).collect();
        Done { summary, code: self.code, error }
    }

    /// Tells each failed file once, at once.
    fn tell_failures(&mut self, progress: Option<&Progress>) {
        for error in self.outputs.failures.drain(..) {
            let line = format!("throng: {error}");
            match progress {
                Some(progress) => progress.say(&line),
                None => eprintln!("{line}"),
            }
            self.code = Some(1);
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
