//! Which device a crowd goes to, and whether it fits there.

use throng_crowd::{Crowd, CrowdError, GpuCrowd};
use throng_gpu::{Adapters, Choice, Gpu, GpuError, Options, describe, is_software};
use throng_world::World;
use throng_world::world::{Amount, Layout, Shape, Spawn};

use super::on_gpu::OnGpu;
use super::{Backend, BackendError, SimulationOptions};

/// A device for a crowd. `Auto` takes no software adapter unless it is asked for by name.
pub(super) fn open(options: &SimulationOptions) -> Result<Gpu, BackendError> {
    let choice = options.adapter.clone().map_or(Choice::Fast, Choice::Named);
    let adapters = Adapters::find_now();
    let no_device = |error: GpuError| BackendError::NoDevice { reason: error.to_string() };
    let adapter = adapters.choose(&choice).map_err(no_device)?;
    let info = adapter.get_info();
    if options.backend == Backend::Auto && options.adapter.is_none() && is_software(&info) {
        let reason = format!(
            "there is only the software adapter {}, which shares the cores that the CPU backend uses \
             better; ask for it by name to take it all the same",
            describe(&info)
        );
        return Err(BackendError::NoDevice { reason });
    }
    Gpu::open_on(adapter, &Options::default()).map_err(no_device)
}

/// How many a device has room for.
pub(super) fn most(gpu: &Gpu) -> u64 {
    GpuCrowd::most_agents(gpu) as u64
}

/// That a device has room for all who are there from the start, before anybody is made.
pub(super) fn check_room(gpu: &Gpu, world: &World) -> Result<(), BackendError> {
    let (agents, most) = (expected(world), most(gpu));
    if agents <= most {
        return Ok(());
    }
    Err(BackendError::TooMany { agents, most, adapter: describe(gpu.info()) })
}

/// Brings a crowd to a device.
pub(super) fn settle(gpu: &Gpu, crowd: Crowd, keep_seconds: f64) -> Result<OnGpu, crate::Error> {
    let agents = crowd.len() as u64;
    let adapter = || describe(gpu.info());
    OnGpu::new(gpu, crowd, keep_seconds).map_err(|error| match error {
        CrowdError::Gpu(GpuError::OutOfMemory { what }) => {
            let megabytes = (agents * BYTES_EACH).div_ceil(1 << 20);
            BackendError::NoMemory { what, agents, megabytes, adapter: adapter() }.into()
        }
        CrowdError::Gpu(GpuError::TooLarge { .. }) if agents > most(gpu) => {
            let most = most(gpu);
            BackendError::TooMany { agents, most, adapter: adapter() }.into()
        }
        error => error.into(),
    })
}

/// About what an agent takes of the device's memory, for a message: `throng bench gpu` measures it.
const BYTES_EACH: u64 = 330;

/// How many there will be at the start, at most.
fn expected(world: &World) -> u64 {
    let of = |spawn: &Spawn| match (&spawn.amount, &spawn.layout) {
        (Amount::Count(count), _) => u64::from(*count),
        (Amount::Density(_), Layout::Positions(points)) => points.len() as u64,
        (Amount::Density(density), Layout::Scatter(shapes)) => {
            let area: f32 = shapes.iter().map(Shape::area).sum();
            (f64::from(*density) * f64::from(area)) as u64
        }
        (Amount::Rate { .. }, _) => 0,
    };
    world.spawns.iter().map(of).sum()
}
