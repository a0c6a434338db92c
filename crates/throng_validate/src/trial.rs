//! One run of one scene: built, stepped and written down.

use crate::scene::{Placement, SceneFile};
use crate::trajectory::{Track, Trajectories};
use crate::{ValidateError, parallel};
use glam::DVec2;
use rayon::ThreadPool;
use std::sync::Arc;
use throng::{Backend, Simulation, SimulationOptions};
use throng_crowd::{Crowd, CrowdOptions, Model};
use throng_world::scene::SceneData;
use throng_world::scene::data::{GroundData, ShapeData};
use throng_world::{BuildOptions, Scene, World};

/// Time from one frame to the next, unless a test wants it finer (seconds).
pub const FRAME_SECONDS: f64 = 0.1;

/// How many seeds a test is run with; one at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// So many times as many as the test says.
    Times(u32),
    /// So many.
    Exactly(u32),
}

impl Default for Seeds {
    fn default() -> Self {
        Self::Times(1)
    }
}

impl Seeds {
    /// How many, where the test says `usual`.
    pub(crate) fn of(self, usual: u32) -> u32 {
        match self {
            Self::Times(times) => usual.saturating_mul(times).max(1),
            Self::Exactly(seeds) => seeds.max(1),
        }
    }
}

/// How tests are run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Avoidance model; `None`: the default.
    pub model: Option<Model>,
    /// Seeds of every test.
    pub seeds: Seeds,
    /// Where crowds live.
    pub backend: Backend,
    /// Where scenes are put.
    pub placement: Placement,
    /// Shifts scenes besides by so many of their navigation cells.
    pub shift_cells: f64,
    /// Length of a step (seconds); `None`: the scene's.
    pub dt: Option<f32>,
    /// Side of a navigation cell (metres); `None`: the scene's.
    pub cell: Option<f64>,
    /// Factor on the scene's step.
    pub dt_factor: Option<f32>,
    /// Factor on the scene's navigation cell.
    pub cell_factor: Option<f64>,
    /// Parameters that are not to be the defaults, as lines of a scene file.
    pub params: String,
}

impl Settings {
    /// As many crowds at once as there are cores; on the GPU one after the other.
    pub(crate) fn workers(&self) -> usize {
        match self.backend {
            Backend::Cpu => std::thread::available_parallelism().map_or(1, usize::from),
            _ => 1,
        }
    }

    /// A run of a scene, to be filled in.
    pub fn trial(&self, file: SceneFile) -> Trial<'_> {
        Trial {
            settings: self,
            file,
            values: Vec::new(),
            seed: 1,
            seconds: 600.0,
            frame_seconds: FRAME_SECONDS,
        }
    }

    /// Runs every case with every seed; results by case, then by seed.
    ///
    /// # Errors
    /// The first error of a run.
    pub fn sweep<C: Sync, R: Send>(
        &self,
        cases: &[C],
        seeds: u32,
        run: impl Fn(&C, u64, &Arc<ThreadPool>) -> Result<R, ValidateError> + Sync,
    ) -> Result<Vec<Vec<R>>, ValidateError> {
        let jobs: Vec<(usize, u64)> =
            (0..cases.len()).flat_map(|c| (1..=u64::from(seeds)).map(move |s| (c, s))).collect();
        let done = parallel::map(self.workers(), &jobs, |&(case, seed), pool| {
            run(&cases[case], seed, pool)
        })?;
        let mut done = done.into_iter();
        Ok(cases.iter().map(|_| done.by_ref().take(seeds as usize).collect()).collect())
    }
}

/// A run of a scene, to be filled in and started.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    settings: &'a Settings,
    file: SceneFile,
    values: Vec<(&'static str, String)>,
    seed: u64,
    seconds: f64,
    frame_seconds: f64,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Everybody's ways, in the scene's own coordinates however it was placed.
    pub ways: Trajectories,
    /// How many there were.
    pub people: usize,
    /// Whether everybody had gone in the end.
    pub over: bool,
    /// When it ended (simulated seconds).
    pub seconds: f64,
    /// The scene as it was filled in.
    pub scene: SceneData,
}

impl Trial<'_> {
    /// Fills in a placeholder.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl ToString) -> Self {
        self.values.push((name, value.to_string()));
        self
    }

    /// The seed of all chance.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How long it runs at most, if people are left (simulated seconds).
    #[must_use]
    pub fn seconds(mut self, seconds: f64) -> Self {
        self.seconds = seconds;
        self
    }

    /// The scene, filled in.
    ///
    /// # Errors
    /// As [`SceneFile::fill`].
    pub fn scene(&self) -> Result<SceneData, ValidateError> {
        self.file.fill(&self.values, &self.settings.params)
    }

    /// Runs it until everybody has gone, or its time is up.
    ///
    /// # Errors
    /// When the scene is not accepted, people find no room or the crowd cannot go on.
    pub fn run(&self, pool: &Arc<ThreadPool>) -> Result<Run, ValidateError> {
        self.run_until(pool, |_| false)
    }

    /// The same; ends also when `done` says so of a frame.
    ///
    /// # Errors
    /// As [`Trial::run`].
    pub fn run_until(
        &self,
        pool: &Arc<ThreadPool>,
        done: impl Fn(&Crowd) -> bool,
    ) -> Result<Run, ValidateError> {
        let home = self.scene()?;
        let mut simulation = self.open(&home, pool)?;
        let dt = simulation.crowd()?.world().dt;
        let steps = (self.frame_seconds / f64::from(dt)).round().max(1.0) as usize;
        let mut recorder = Recorder::new(steps as f64 * f64::from(dt));
        recorder.observe(simulation.crowd()?);
        while simulation.time() < self.seconds - 1e-6 {
            for _ in 0..steps {
                simulation.step(dt)?;
            }
            let crowd = simulation.crowd()?;
            if crowd.is_over() {
                break;
            }
            recorder.observe(crowd);
            if done(crowd) {
                break;
            }
        }
        let (over, seconds) = (simulation.is_over()?, simulation.time());
        let placement = self.placement(&home);
        let ways = recorder.ways.moved(|p| placement.back(p));
        Ok(Run { people: ways.tracks.len(), ways, over, seconds, scene: home })
    }

    /// The crowd at its start.
    ///
    /// # Errors
    /// When the scene is not accepted or people find no room.
    pub fn open(
        &self,
        home: &SceneData,
        pool: &Arc<ThreadPool>,
    ) -> Result<Simulation, ValidateError> {
        let settings = self.settings;
        let mut data = home.clone();
        resolve(&mut data, settings);
        let placement = self.placement(home);
        if !placement.is_home() {
            self.stand_as_at_home(&mut data, pool)?;
            placement.apply(&mut data);
        }
        let world = self.build(data)?;
        let crowd = CrowdOptions {
            seed: Some(self.seed),
            model: settings.model,
            pool: Some(pool.clone()),
            ..Default::default()
        };
        let options = SimulationOptions { backend: settings.backend, crowd, ..Default::default() };
        let mut simulation = Simulation::new(world, options)?;
        let count = simulation.totals()?.refused;
        if count > 0 {
            return Err(ValidateError::NoRoom { scene: self.file.name, seed: self.seed, count });
        }
        Ok(simulation)
    }

    /// Where the scene is put.
    pub fn placement(&self, home: &SceneData) -> Placement {
        let Placement { turn, shift } = self.settings.placement;
        let GroundData::Flat { cell, .. } = home.ground else { return Placement { turn, shift } };
        Placement { turn, shift: shift + self.settings.shift_cells * cell }
    }

    fn build(&self, data: SceneData) -> Result<World, ValidateError> {
        Scene::from_data(data, self.file.name)
            .build(&BuildOptions { seed: Some(self.seed), ..Default::default() })
            .map_err(|errors| ValidateError::Scene { scene: self.file.name, errors })
    }

    /// Puts everybody where it would stand in the scene as written: a scene that is turned has the
    /// same people at the same places, and what differs afterwards is the grid's doing.
    fn stand_as_at_home(
        &self,
        data: &mut SceneData,
        pool: &Arc<ThreadPool>,
    ) -> Result<(), ValidateError> {
        let world = self.build(data.clone())?;
        let options =
            CrowdOptions { seed: Some(self.seed), pool: Some(pool.clone()), ..Default::default() };
        let crowd = Crowd::new(world, options)?;
        let mut order: Vec<usize> = (0..crowd.len()).collect();
        order.sort_by_key(|&i| crowd.ids()[i]);
        let mut standing =
            order.into_iter().map(|i| [f64::from(crowd.x()[i]), f64::from(crowd.y()[i])]);
        for spawn in &mut data.spawn {
            let Some(count) = spawn.count.filter(|_| spawn.positions.is_empty()) else {
                // Exact places have nothing to draw; streams come later.
                standing.by_ref().take(spawn.positions.len()).for_each(drop);
                continue;
            };
            spawn.positions = standing.by_ref().take(count as usize).collect();
            spawn.count = None;
            spawn.shape = ShapeData::default();
            spawn.places.clear();
            spawn.ring = None;
            spawn.anywhere = false;
        }
        Ok(())
    }
}

/// Sets step and cell as the settings say.
fn resolve(data: &mut SceneData, settings: &Settings) {
    data.dt = settings.dt.unwrap_or(data.dt) * settings.dt_factor.unwrap_or(1.0);
    if let GroundData::Flat { cell, .. } = &mut data.ground {
        *cell = settings.cell.unwrap_or(*cell) * settings.cell_factor.unwrap_or(1.0);
    }
}

/// Writes a crowd down, frame by frame.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) ways: Trajectories,
    /// Index of the track of each number.
    track_of: Vec<Option<u32>>,
}

impl Recorder {
    pub(crate) fn new(frame_seconds: f64) -> Self {
        Self { ways: Trajectories::new(frame_seconds), track_of: Vec::new() }
    }

    /// The crowd as it stands is the next frame.
    pub(crate) fn observe(&mut self, crowd: &Crowd) {
        let frame = self.ways.frames;
        for i in 0..crowd.len() {
            let id = crowd.ids()[i];
            if self.track_of.len() <= id as usize {
                self.track_of.resize(id as usize + 1, None);
            }
            let place = DVec2::new(f64::from(crowd.x()[i]), f64::from(crowd.y()[i]));
            match self.track_of[id as usize] {
                Some(track) => self.ways.tracks[track as usize].places.push(place),
                None => {
                    self.track_of[id as usize] = Some(self.ways.tracks.len() as u32);
                    self.ways.tracks.push(Track {
                        id,
                        group: usize::from(crowd.traits()[i].group),
                        free_speed: Some(f64::from(crowd.free_speed()[i])),
                        first: frame,
                        places: vec![place],
                    });
                }
            }
        }
        self.ways.frames += 1;
    }
}
