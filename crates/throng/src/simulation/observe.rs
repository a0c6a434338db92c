//! Observers, on both backends.

use throng_crowd::{CrowdError, Event, EventFilter, ObserverId};

#[cfg(feature = "gpu")]
use super::GONE;
use super::{Home, Simulation};

impl Simulation {
    /// Calls `callback` for the events that pass the filter: at once on the CPU, some steps late on the GPU.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn observe(
        &mut self,
        filter: EventFilter,
        callback: impl FnMut(&Event) + Send + Sync + 'static,
    ) -> Result<ObserverId, CrowdError> {
        let (callback, told) = self.gates.guard(callback);
        let observer = match &mut self.home {
            Home::Cpu(crowd) => crowd.observe(filter, callback),
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.observe(filter, callback),
            #[cfg(feature = "gpu")]
            Home::Gone => return Err(GONE),
        };
        self.gates.add(observer, told);
        Ok(observer)
    }

    /// Sends an observer away; whether it was there.
    pub fn unobserve(&mut self, observer: ObserverId) -> bool {
        self.gates.remove(observer);
        match &mut self.home {
            Home::Cpu(crowd) => crowd.unobserve(observer),
            #[cfg(feature = "gpu")]
            Home::Gpu(home) => home.crowd.unobserve(observer),
            #[cfg(feature = "gpu")]
            Home::Gone => false,
        }
    }

    /// Waits for all work that was handed to the GPU, and tells observers of the events that were on their
    /// way.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn flush(&mut self) -> Result<(), CrowdError> {
        #[cfg(feature = "gpu")]
        if let Home::Gpu(home) = &mut self.home
            && let Err(error) = home.crowd.flush_events()
        {
            self.survive(error)?;
        }
        Ok(())
    }
}
