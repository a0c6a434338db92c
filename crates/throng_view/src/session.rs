//! The session as a window wants it: with everybody as they are drawn.

use std::ops::{Deref, DerefMut};

use throng::{AgentId, CrowdError, SessionError, SessionOptions, Simulation};
use throng_crowd::{HazardId, Instance};
use throng_render::Hazard;

/// A crowd that people watch and steer in a window.
#[derive(Debug)]
pub struct Session {
    session: throng::Session,
    instances: Vec<Instance>,
    /// The step and the length of the log of the instances.
    seen: Option<(u64, usize)>,
}

impl Deref for Session {
    type Target = throng::Session;

    fn deref(&self) -> &Self::Target {
        &self.session
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.session
    }
}

impl Session {
    /// A session on a crowd before its first step.
    ///
    /// # Errors
    /// The log cannot be made.
    pub fn new(simulation: Simulation, options: SessionOptions) -> Result<Self, SessionError> {
        let session = throng::Session::new(simulation, options)?;
        Ok(Self { session, instances: Vec::new(), seen: None })
    }

    /// Everybody as they are drawn. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn instances(&mut self) -> Result<&[Instance], CrowdError> {
        // People can be added and taken away between steps.
        let now = Some((self.session.steps(), self.session.log().entries().len()));
        if self.seen != now {
            self.session.crowd()?.instances(&mut self.instances);
            self.seen = now;
        }
        Ok(&self.instances)
    }

    /// All hazards where they are now.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn hazards(&mut self) -> Result<Vec<(HazardId, String, Hazard)>, CrowdError> {
        let crowd = self.session.crowd()?;
        let time = crowd.time();
        // Those that are away at present have a number but no place.
        let all = crowd.hazards_by_id().filter_map(|(id, hazard)| {
            Hazard::seen(hazard, time).map(|seen| (id, hazard.name.clone(), seen))
        });
        Ok(all.collect())
    }

    /// Somebody's place in the instances.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn place_of(&mut self, agent: AgentId) -> Result<Option<Instance>, CrowdError> {
        let found = |a: &&Instance| a.group >> 8 == agent.0 & 0x00ff_ffff;
        Ok(self.instances()?.iter().find(found).copied())
    }
}
