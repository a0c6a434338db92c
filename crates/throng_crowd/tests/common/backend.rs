//! The same trial on either backend.

use glam::Vec2;
#[cfg(feature = "gpu")]
use throng_crowd::GpuCrowd;
use throng_crowd::{Crowd, CrowdOptions, HazardId};
use throng_world::World;
use throng_world::world::MovingHazard;

/// Where a trial is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu,
}

impl On {
    /// A crowd there.
    pub(crate) fn crowd(self, world: World, options: CrowdOptions) -> Trial {
        let crowd = super::crowd(world, options);
        let dt = crowd.world().dt;
        let inside = match self {
            Self::Cpu => Inside::Cpu(Box::new(crowd)),
            #[cfg(feature = "gpu")]
            Self::Gpu => {
                Inside::Gpu(Box::new(GpuCrowd::new(throng_gpu::testing::gpu(), crowd).unwrap()))
            }
        };
        Trial { inside, dt }
    }

    /// Steps between two looks at the crowd: on the GPU a look costs as much as some steps.
    pub(crate) fn looks_every(self) -> u64 {
        if self == Self::Cpu { 1 } else { 20 }
    }
}

enum Inside {
    Cpu(Box<Crowd>),
    #[cfg(feature = "gpu")]
    Gpu(Box<GpuCrowd>),
}

/// A crowd on one of the backends.
pub(crate) struct Trial {
    inside: Inside,
    pub(crate) dt: f32,
}

impl Trial {
    pub(crate) fn step(&mut self) {
        match &mut self.inside {
            Inside::Cpu(crowd) => {
                crowd.step(self.dt).unwrap();
            }
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.step(self.dt).unwrap(),
        }
    }

    /// The crowd as it is now.
    pub(crate) fn look(&mut self) -> &Crowd {
        match &mut self.inside {
            Inside::Cpu(crowd) => crowd,
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.crowd().unwrap(),
        }
    }

    pub(crate) fn time(&self) -> f64 {
        match &self.inside {
            Inside::Cpu(crowd) => crowd.time(),
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.time(),
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        match &self.inside {
            Inside::Cpu(crowd) => crowd.steps(),
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.steps(),
        }
    }

    pub(crate) fn place_hazard(&mut self, hazard: MovingHazard) -> HazardId {
        match &mut self.inside {
            Inside::Cpu(crowd) => crowd.place_hazard(hazard).unwrap(),
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.place_hazard(hazard).unwrap(),
        }
    }

    pub(crate) fn move_hazard(&mut self, hazard: HazardId, to: Vec2) {
        match &mut self.inside {
            Inside::Cpu(crowd) => crowd.move_hazard(hazard, to).unwrap(),
            #[cfg(feature = "gpu")]
            Inside::Gpu(crowd) => crowd.move_hazard(hazard, to).unwrap(),
        }
    }

    /// Steps for so many simulated seconds.
    pub(crate) fn run(&mut self, seconds: f64) {
        let end = self.time() + seconds;
        while self.time() < end - 1e-6 {
            self.step();
        }
    }
}
