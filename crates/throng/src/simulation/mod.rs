//! `Simulation`: a crowd on either backend.

mod deed;
mod edit;
mod gate;
mod observe;
#[cfg(feature = "gpu")]
mod on_gpu;
#[cfg(feature = "gpu")]
mod open;
mod options;

pub use options::{Backend, BackendError, SimulationOptions};

use deed::{Deed, Outcome};
use gate::Gates;
use throng_crowd::{Crowd, CrowdError, Instance, Totals};
use throng_world::World;

use crate::Error;

/// A crowd that lives on the CPU or on the GPU, and is spoken to in the same words on both.
///
/// ```
/// use throng::{Backend, BuildOptions, Scene, Simulation, SimulationOptions};
///
/// let world = Scene::open("bottleneck")?.build(&BuildOptions::default())?;
/// let dt = world.dt;
/// let options = SimulationOptions { backend: Backend::Auto, ..SimulationOptions::default() };
/// let mut simulation = Simulation::new(world, options)?;
/// for notice in simulation.take_notices() {
///     println!("{notice}"); // why it is on the CPU, say
/// }
/// for _ in 0..20 {
///     simulation.step(dt)?;
/// }
/// println!("{} people on the {}", simulation.crowd()?.len(), simulation.backend().name());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// On the GPU a step only records work: nothing is read back and nobody waits, until somebody looks
/// ([`Simulation::crowd`]). Events come some steps late. Edits of agents by number are carried out by the
/// GPU before its next step, so that an agent which is not there is not found out: nothing happens then.
/// Walls and goals are edited on the CPU: everybody comes down and goes up again.
///
/// # When the device is lost
///
/// A driver may take a device away at any time. Every [`SimulationOptions::keep_seconds`] of simulated time a
/// keepsake of the crowd is made, and all steps and edits since are written down. When the device is lost, or
/// has no memory for those who come, the crowd of the last keepsake is made on the CPU, and what was done
/// since is done again there at its step: the host sees the same people, the same number of steps and the
/// same clock, on [`Backend::Cpu`] from then on, and a notice. People walk a little differently in the
/// repeated steps: events of those steps are told once, but who was about to arrive at the moment of loss may
/// have arrived on one side only, or be told of on both.
///
/// Snapshots ([`Simulation::snapshot`]) are the same on both: one made on either restores on the other.
#[derive(Debug)]
pub struct Simulation {
    home: Home,
    notices: Vec<String>,
    gates: Gates,
}

#[derive(Debug)]
enum Home {
    Cpu(Box<Crowd>),
    #[cfg(feature = "gpu")]
    Gpu(Box<on_gpu::OnGpu>),
    /// Its device was lost, and the keepsake could not be restored.
    #[cfg(feature = "gpu")]
    Gone,
}

/// Said where a crowd is asked for that went down with its device.
#[cfg(feature = "gpu")]
const GONE: CrowdError =
    CrowdError::Missing { what: "crowd any more: it could not be brought back from a lost device" };

impl Simulation {
    /// A crowd in a world, on the backend that is asked for.
    ///
    /// # Errors
    /// As [`Crowd::new`](crate::Crowd::new). With [`Backend::Gpu`] also when there is no adapter, or it has not the memory: then
    /// nothing was made yet, and the message says how many would fit.
    pub fn new(world: World, options: SimulationOptions) -> Result<Self, Error> {
        #[cfg(feature = "gpu")]
        if options.backend != Backend::Cpu {
            return Self::on_gpu_or_cpu(world, options);
        }
        if options.backend == Backend::Gpu {
            return Err(BackendError::NotBuilt.into());
        }
        let notices = match options.backend {
            Backend::Auto => vec![on_the_cpu(&BackendError::NotBuilt)],
            _ => Vec::new(),
        };
        let crowd = Crowd::new(world, options.crowd)?;
        Ok(Self { home: Home::Cpu(Box::new(crowd)), notices, gates: Gates::default() })
    }

    /// How many agents there is room for where the options say, if that is known before they are made: what
    /// to ask before a world for very many is built. Opens the device to find out.
    ///
    /// # Errors
    /// There is no such device.
    pub fn room(options: &SimulationOptions) -> Result<Option<u64>, BackendError> {
        #[cfg(feature = "gpu")]
        if options.backend == Backend::Gpu {
            return open::open(options).map(|gpu| Some(open::most(&gpu)));
        }
        match options.backend {
            Backend::Gpu => Err(BackendError::NotBuilt),
            Backend::Cpu | Backend::Auto => Ok(None),
        }
    }

    /// A crowd that is there already, on the CPU.
    pub fn of(crowd: Crowd) -> Self {
        let home = Home::Cpu(Box::new(crowd));
        Self { home, notices: Vec::new(), gates: Gates::default() }
    }

    #[cfg(feature = "gpu")]
    fn on_gpu_or_cpu(world: World, options: SimulationOptions) -> Result<Self, Error> {
        let opened =
            open::open(&options).and_then(|gpu| open::check_room(&gpu, &world).map(|()| gpu));
        let gpu = match (opened, options.backend) {
            (Ok(gpu), _) => gpu,
            (Err(error), Backend::Auto) => return Self::cpu_instead(world, options, &error),
            (Err(error), _) => return Err(error.into()),
        };
        let spare = (options.backend == Backend::Auto).then(|| world.clone());
        match (Self::on_gpu(&gpu, world, options.clone()), spare) {
            (Err(Error::Backend(error)), Some(world)) => Self::cpu_instead(world, options, &error),
            (done, _) => done,
        }
    }

    #[cfg(feature = "gpu")]
    fn cpu_instead(
        world: World,
        options: SimulationOptions,
        why: &BackendError,
    ) -> Result<Self, Error> {
        let mut cpu = Self::of(Crowd::new(world, options.crowd)?);
        cpu.notices.push(on_the_cpu(why));
        Ok(cpu)
    }

    /// A crowd on a device that is open already: one that a renderer draws with, say. What the options say of
    /// backend and adapter is not looked at.
    ///
    /// # Errors
    /// As [`Crowd::new`](crate::Crowd::new); the device has not the memory.
    #[cfg(feature = "gpu")]
    pub fn on_gpu(
        gpu: &throng_gpu::Gpu,
        world: World,
        options: SimulationOptions,
    ) -> Result<Self, Error> {
        if options.keep_seconds.is_nan() || options.keep_seconds <= 0.0 {
            let (what, must) = ("the time between keepsakes", "above 0 seconds");
            return Err(CrowdError::BadNumber { what, value: options.keep_seconds, must }.into());
        }
        open::check_room(gpu, &world)?;
        let crowd = Crowd::new(world, options.crowd)?;
        let home = Home::Gpu(Box::new(open::settle(gpu, crowd, options.keep_seconds)?));
        Ok(Self { home, notices: Vec::new(), gates: Gates::default() })
    }

    /// Where the crowd lives now: on the CPU or on the GPU.
    pub fn backend(&self) -> Backend {
        match self.home {
            Home::Cpu(_) => Backend::Cpu,
            #[cfg(feature = "gpu")]
            Home::Gpu(_) => Backend::Gpu,
            #[cfg(feature = "gpu")]
            Home::Gone => Backend::Cpu,
        }
    }

    /// The adapter it lives on: name, driver and API.
    pub fn adapter(&self) -> Option<String> {
        #[cfg(feature = "gpu")]
        if let Home::Gpu(home) = &self.home {
            return Some(throng_gpu::describe(home.crowd.gpu().info()));
        }
        None
    }

    /// Takes what the host should tell its user, oldest first, a line each: why the crowd is on the CPU.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// One step of `dt` seconds. On the GPU nobody waits for it.
    ///
    /// # Errors
    /// As [`Crowd::step`](crate::Crowd::step). A lost device is no error: see [`Simulation`].
    pub fn step(&mut self, dt: f32) -> Result<(), CrowdError> {
        self.act(Deed::Step(dt)).map(|_| ())
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        match &self.home {
            Home::Cpu(crowd) => crowd.steps(),
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.steps(),
            #[cfg(feature = "gpu")]
            Home::Gone => 0,
        }
    }

    /// Simulated time (seconds).
    pub fn time(&self) -> f64 {
        match &self.home {
            Home::Cpu(crowd) => crowd.time(),
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.time(),
            #[cfg(feature = "gpu")]
            Home::Gone => 0.0,
        }
    }

    /// The crowd as it is now, for recorders, maps, measures and totals. On the GPU this waits and reads
    /// everybody back, once between two steps however often it is asked for.
    ///
    /// # Errors
    /// When a lost device's crowd cannot be made again.
    pub fn crowd(&mut self) -> Result<&Crowd, CrowdError> {
        #[cfg(feature = "gpu")]
        if let Home::Gpu(home) = &mut self.home
            && let Err(error) = home.crowd.crowd().map(|_| ())
        {
            self.survive(error)?;
        }
        match &mut self.home {
            Home::Cpu(crowd) => Ok(crowd),
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.crowd(),
            #[cfg(feature = "gpu")]
            Home::Gone => Err(GONE),
        }
    }

    /// Fills `out` with what a renderer needs of everybody. On the GPU this waits; a renderer on the same
    /// device takes the buffer of [`Simulation::gpu_crowd`] instead.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn instances(&mut self, out: &mut Vec<Instance>) -> Result<(), CrowdError> {
        self.crowd()?.instances(out);
        Ok(())
    }

    /// Sums over all steps so far. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn totals(&mut self) -> Result<Totals, CrowdError> {
        Ok(*self.crowd()?.totals())
    }

    /// Whether nobody is there and nobody will come any more. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn is_over(&mut self) -> Result<bool, CrowdError> {
        Ok(self.crowd()?.is_over())
    }

    /// The crowd on the GPU, if it is there: its buffers, its device.
    #[cfg(feature = "gpu")]
    pub fn gpu_crowd(&self) -> Option<&throng_crowd::GpuCrowd> {
        match &self.home {
            Home::Gpu(home) => Some(&home.crowd),
            _ => None,
        }
    }

    /// The step of the keepsake a crowd on the GPU would go on from, and how many steps and edits would be
    /// repeated.
    #[cfg(feature = "gpu")]
    pub fn kept(&self) -> Option<(u64, usize)> {
        match &self.home {
            Home::Gpu(home) => Some((home.kept_step(), home.logged())),
            _ => None,
        }
    }

    /// Bytes of memory that the crowd holds where it lives.
    pub fn bytes(&self) -> u64 {
        match &self.home {
            Home::Cpu(crowd) => crowd.bytes() as u64,
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.bytes(),
            #[cfg(feature = "gpu")]
            Home::Gone => 0,
        }
    }

    fn act(&mut self, deed: Deed) -> Result<Outcome, CrowdError> {
        #[cfg(feature = "gpu")]
        if let Home::Gpu(home) = &mut self.home {
            match home.act(&deed) {
                Ok(outcome) => return Ok(outcome),
                Err(error) => self.survive(error)?,
            }
        }
        match &mut self.home {
            Home::Cpu(crowd) => deed.on_cpu(crowd),
            #[cfg(feature = "gpu")]
            Home::Gpu(_) | Home::Gone => Err(GONE),
        }
    }

    /// Goes on on the CPU after an error that leaves no other way; gives back any other.
    #[cfg(feature = "gpu")]
    fn survive(&mut self, error: CrowdError) -> Result<(), CrowdError> {
        if !on_gpu::is_survivable(&error) {
            return Err(error);
        }
        let Home::Gpu(home) = std::mem::replace(&mut self.home, Home::Gone) else {
            return Err(error);
        };
        self.gates.repeat(true);
        let from = home.kept_step();
        let back = home.recover();
        self.gates.repeat(false);
        let back = back?;
        let refused = match back.refused {
            0 => String::new(),
            n => format!(" ({n} refused)"),
        };
        let s = |n: usize| if n == 1 { "" } else { "s" };
        self.notices.push(format!(
            "{error}; went on on the CPU from step {from}, with {} step{} and {} edit{}{refused} repeated",
            back.steps,
            s(back.steps),
            back.edits,
            s(back.edits),
        ));
        self.home = Home::Cpu(Box::new(back.crowd));
        Ok(())
    }

    /// The whole state, as bytes. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn snapshot(&mut self) -> Result<Vec<u8>, CrowdError> {
        Ok(self.crowd()?.snapshot())
    }

    /// Goes back to a snapshot of the same scene, made on either backend.
    ///
    /// # Errors
    /// As [`Crowd::restore`](crate::Crowd::restore); the crowd is then as it was.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), CrowdError> {
        #[cfg(feature = "gpu")]
        if let Home::Gpu(home) = &mut self.home {
            let restored = home.crowd.restore(snapshot).and_then(|()| home.start_over());
            match restored {
                Ok(()) => {
                    self.gates.reset();
                    return Ok(());
                }
                Err(error) => self.survive(error)?,
            }
        }
        match &mut self.home {
            Home::Cpu(crowd) => crowd.restore(snapshot)?,
            #[cfg(feature = "gpu")]
            Home::Gpu(_) | Home::Gone => return Err(GONE),
        }
        self.gates.reset();
        Ok(())
    }
}

/// The notice of `Auto` on the CPU.
fn on_the_cpu(why: &BackendError) -> String {
    format!("on the CPU: {why}")
}
