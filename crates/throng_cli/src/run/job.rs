//! One run from scene to summary.

use super::commands::{self, Stop};
use super::gauge::Gauges;
use super::interrupt::Interrupt;
use super::maps::MapRequest;
use super::outputs::{Outputs, check_names, probe};
use super::summary::{Ending, Repeated, Summary};
use super::watch::Watch;
use crate::failure::Failure;
use crate::progress::Progress;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng::command::{Replay, ReplayError};
use throng::world::scene::check_file;
use throng::{
    Backend, BackendError, BuildOptions, CrowdError, CrowdOptions, Model, SceneErrors, Simulation,
    SimulationOptions, World,
};

/// Time between two changes of the words beside the progress bar.
const RETITLE: Duration = Duration::from_millis(200);

/// So many people are asked about before anything is made for them.
const MANY: u32 = 1_000_000;

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
    pub(crate) backend: Backend,
    pub(crate) adapter: Option<String>,
    /// Takes the device away before this step, to try what happens then.
    pub(crate) lose_device: Option<u64>,
    pub(crate) trajectories: Vec<PathBuf>,
    pub(crate) fps: f64,
    pub(crate) maps: Vec<MapRequest>,
    /// Measurement areas (two corners) and lines (two ends), in metres.
    pub(crate) areas: Vec<[f32; 4]>,
    pub(crate) lines: Vec<[f32; 4]>,
    /// Log of commands to repeat.
    pub(crate) commands: Option<PathBuf>,
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
            backend: Backend::Cpu,
            adapter: None,
            lose_device: None,
            trajectories: Vec::new(),
            fps: 10.0,
            maps: Vec::new(),
            areas: Vec::new(),
            lines: Vec::new(),
            commands: None,
            quiet: false,
        }
    }

    /// Runs it. Nothing is written unless the scene is sound and every file can be written.
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        match &self.commands {
            None => self.run_with(None),
            Some(path) => {
                let (job, replay) = commands::open(self, path)?;
                job.run_with(Some(replay))
            }
        }
    }

    fn run_with(&self, replay: Option<Replay>) -> Result<Done, Failure> {
        check_names(self)?;
        self.check_room()?;
        let options = BuildOptions { agents: self.agents, seed: self.seed, assets: None };
        let (_, world) = check_file(&self.scene, &options).map_err(|e| self.problems(&e))?;
        if let Some(replay) = &replay {
            commands::check_scene(replay, &world)?;
        }
        probe(self)?;
        let dt = self.dt.unwrap_or(world.dt);
        let seconds = self.seconds.unwrap_or(f64::from(world.seconds));
        let steps = self.steps.unwrap_or((seconds / f64::from(dt)).round().max(1.0) as u64);
        let drawn = (!self.maps.is_empty()).then(|| world.clone());
        let mut simulation = self.simulation(world)?;
        let interrupt = Interrupt::watch()?;
        let crowd = simulation.crowd().map_err(|error| self.failed(error))?;
        let started_with = crowd.len();
        let mut outputs = Outputs::create(self, crowd, drawn.as_ref(), (steps, dt))?;
        let mut run = Running {
            job: self,
            simulation: &mut simulation,
            outputs: &mut outputs,
            watch: Watch::default(),
            gauges: Gauges::new(&self.areas, &self.lines),
            stepping: Duration::ZERO,
            started_with,
            code: None,
            replay,
        };
        run.tell_notices(None);
        let ended = run.go((steps, dt), &interrupt);
        run.end(ended, (steps, dt))
    }

    fn options(&self) -> SimulationOptions {
        let crowd = CrowdOptions {
            seed: self.seed,
            model: self.model,
            threads: self.threads,
            ..CrowdOptions::default()
        };
        let (backend, adapter) = (self.backend, self.adapter.clone());
        SimulationOptions { backend, adapter, crowd, ..SimulationOptions::default() }
    }

    /// Refuses more people than there is room for, before the ground for them is made.
    fn check_room(&self) -> Result<(), Failure> {
        let Some(agents) = self.agents.filter(|agents| *agents > MANY) else { return Ok(()) };
        match Simulation::room(&self.options())? {
            Some(room) if u64::from(agents) > room => {
                let adapter = self.adapter.clone().unwrap_or_else(|| "the GPU".into());
                let agents = u64::from(agents);
                Err(BackendError::TooMany { agents, most: room, adapter }.into())
            }
            _ => Ok(()),
        }
    }

    fn simulation(&self, world: World) -> Result<Simulation, Failure> {
        Simulation::new(world, self.options()).map_err(|error| match error {
            throng::Error::Backend(error) => Failure::Backend(error),
            throng::Error::Crowd(error) => self.failed(error),
            error => Failure::Output(error.to_string()),
        })
    }

    fn failed(&self, error: CrowdError) -> Failure {
        Failure::Crowd { scene: self.scene.display().to_string(), error }
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
    simulation: &'r mut Simulation,
    outputs: &'r mut Outputs<'w>,
    watch: Watch,
    gauges: Gauges,
    /// Time spent in steps.
    stepping: Duration,
    started_with: usize,
    code: Option<u8>,
    /// What is done to the crowd on the way.
    replay: Option<Replay>,
}

impl Running<'_, '_> {
    /// Steps until the end, whatever it is.
    fn go(&mut self, (steps, dt): (u64, f32), interrupt: &Interrupt) -> Result<Ending, Stop> {
        let crowd = self.simulation.crowd()?;
        let name = crowd.world().name.clone();
        let progress = (!self.job.quiet).then(|| Progress::new(&name, steps));
        let mut titled = Instant::now();
        let wanted_files = self.outputs.any();
        self.outputs.take(crowd, 0.0);
        self.gauges.look(crowd);
        let (mut people, mut over) = (crowd.len(), crowd.is_over());
        for step in 1..=steps {
            if let Some(code) = interrupt.seen() {
                self.code = Some(code);
                return Ok(Ending::Interrupted);
            }
            let repeating = self.repeat()?;
            if over && !repeating {
                return Ok(Ending::Over);
            }
            self.lose_device(step);
            let began = Instant::now();
            self.simulation.step(dt)?;
            let looked = self.wants_look(step, step == steps);
            if looked {
                // On the GPU the steps are done when the crowd has come back.
                self.simulation.crowd()?;
            }
            self.stepping += began.elapsed();
            self.tell_notices(progress.as_ref());
            if looked {
                (people, over) = self.look(dt, step == steps)?;
            }
            self.tell_failures(progress.as_ref());
            if wanted_files && !self.outputs.any() {
                return Ok(Ending::NoFileLeft);
            }
            if let Some(progress) = &progress {
                if titled.elapsed() >= RETITLE {
                    titled = Instant::now();
                    let rate = step as f64 / self.stepping.as_secs_f64().max(1e-9);
                    progress.retitle(format!("{name}: {people} people, {rate:.0} steps/s"));
                }
                progress.at(step);
            }
        }
        self.repeat()?;
        Ok(Ending::Time)
    }

    /// Does what the log has before the next step; whether more is to come.
    fn repeat(&mut self) -> Result<bool, ReplayError> {
        let Some(replay) = &mut self.replay else { return Ok(false) };
        Ok(!replay.catch_up(self.simulation)?.is_over())
    }

    /// Whether somebody wants to see the crowd after a step. On the CPU looking costs nothing.
    fn wants_look(&self, step: u64, last: bool) -> bool {
        self.simulation.backend() == Backend::Cpu
            || last
            || self.gauges.any()
            || self.watch.is_due(self.simulation.time())
            || self.outputs.wants(step)
    }

    /// Looks at the crowd after a step: how many there are, and whether it is over.
    fn look(&mut self, dt: f32, last: bool) -> Result<(usize, bool), CrowdError> {
        let crowd = self.simulation.crowd()?;
        self.outputs.take(crowd, dt);
        self.gauges.look(crowd);
        self.watch.look(crowd, last);
        Ok((crowd.len(), crowd.is_over()))
    }

    /// Takes the device away where that is to be tried.
    fn lose_device(&self, step: u64) {
        if self.job.lose_device != Some(step) {
            return;
        }
        #[cfg(feature = "gpu")]
        if let Some(crowd) = self.simulation.gpu_crowd() {
            crowd.gpu().destroy();
        }
    }

    /// Ends all files and says what came of it.
    fn end(
        mut self,
        ended: Result<Ending, Stop>,
        (steps, dt): (u64, f32),
    ) -> Result<Done, Failure> {
        let began = Instant::now();
        let (done, job) = (self.simulation.steps(), self.job);
        let crowd = match self.simulation.crowd() {
            Ok(crowd) => crowd,
            // Nobody is left to tell of.
            Err(last) => {
                let last = ended.err().unwrap_or(Stop::Crowd(last));
                return Err(last.failure(done + 1));
            }
        };
        self.stepping += began.elapsed();
        self.watch.look(crowd, true);
        self.outputs.finish(crowd);
        let (ending, error) = match ended {
            Ok(ending) => (ending, None),
            Err(stop) => (Ending::Failed, Some(stop.failure(done + 1))),
        };
        let mut summary = Summary::of(crowd, &self.watch, self.stepping, dt);
        summary.started_with = self.started_with;
        summary.ended = ending;
        summary.areas = self.gauges.areas();
        summary.lines = self.gauges.lines();
        summary.commands = self.replay.as_ref().map(|replay| Repeated::of(&replay.progress()));
        summary.threads = job.threads.unwrap_or_else(cores);
        let model = job.model.unwrap_or(crowd.world().params.avoid.model);
        summary.model = format!("{model:?}").to_lowercase();
        summary.seed = crowd.world().seed;
        let people = crowd.len() as u64;
        summary.backend = self.simulation.backend().name();
        summary.adapter = self.simulation.adapter();
        summary.bytes_per_agent = self.simulation.bytes() / people.max(1);
        self.tell_notices(None);
        self.tell_failures(None);
        if ending == Ending::Interrupted {
            let files = if self.outputs.written.is_empty() { "" } else { "; all files are whole" };
            eprintln!("throng: interrupted after {done} of {steps} steps{files}");
        }
        let written = std::mem::take(&mut self.outputs.written);
        summary.written = written.iter().map(|path| path.display().to_string()).collect();
        Ok(Done { summary, code: self.code, error })
    }

    /// Tells why the crowd is where it is.
    fn tell_notices(&mut self, progress: Option<&Progress>) {
        for notice in self.simulation.take_notices() {
            let line = format!("throng: {notice}");
            match progress {
                Some(progress) => progress.say(&line),
                None => eprintln!("{line}"),
            }
        }
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
