//! A crowd on the GPU, with what it takes to go on without it: a keepsake, and a log of all that was done
//! since.

use glam::Vec2;
use throng_crowd::{Crowd, CrowdError, GpuCrowd, Keeper, Keepsake};
use throng_gpu::{Gpu, GpuError};

use super::deed::{Deed, Outcome};

/// A crowd on the GPU.
#[derive(Debug)]
pub(super) struct OnGpu {
    pub(super) crowd: GpuCrowd,
    keeper: Keeper,
    kept: Keepsake,
    keep_seconds: f64,
    /// When the next keepsake is due.
    next: f64,
    /// All that was done since the keepsake.
    log: Vec<(Deed, Outcome)>,
    /// Where in the log the one under way was begun.
    begun: usize,
}

/// How a crowd was brought back to the CPU.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) crowd: Crowd,
    /// Steps that were repeated.
    pub(super) steps: usize,
    /// Edits that were repeated, and those that were refused this time.
    pub(super) edits: usize,
    pub(super) refused: usize,
}

impl OnGpu {
    pub(super) fn new(gpu: &Gpu, crowd: Crowd, keep_seconds: f64) -> Result<Self, CrowdError> {
        let (len, most) = (crowd.len(), GpuCrowd::most_agents(gpu));
        let (kept, time) = (Keepsake::of(&crowd), crowd.time());
        Ok(Self {
            crowd: GpuCrowd::with_room(gpu, crowd, (len + len / 4).min(most))?,
            keeper: Keeper::new(),
            kept,
            keep_seconds,
            next: time + keep_seconds,
            log: Vec::new(),
            begun: 0,
        })
    }

    /// Does something to the crowd, and writes it down.
    pub(super) fn act(&mut self, deed: &Deed) -> Result<Outcome, CrowdError> {
        let outcome = self.act_unseen(deed)?;
        self.log.push((deed.clone(), outcome));
        if matches!(deed, Deed::Step(_)) {
            self.keep()?;
        }
        Ok(outcome)
    }

    fn act_unseen(&mut self, deed: &Deed) -> Result<Outcome, CrowdError> {
        let crowd = &mut self.crowd;
        let done = |()| Outcome::Done;
        match deed.clone() {
            Deed::Step(dt) => {
                // Errors that nobody waited for are those of the steps before.
                if let Some(error) = crowd.gpu().take_errors().into_iter().next() {
                    // A device that is being lost refuses work before it says so: that it is comes when
                    // all it had to do is done.
                    let waited = crowd.gpu().wait();
                    return Err(match (crowd.gpu().lost(), waited) {
                        (Some(reason), _) => GpuError::Lost { reason }.into(),
                        (None, Err(lost @ GpuError::Lost { .. })) => lost.into(),
                        (None, _) => error.into(),
                    });
                }
                crowd.step(dt).map(done)
            }
            Deed::Spawn { group, position, target } => {
                crowd.spawn(group, position, target).map(Outcome::Agent)
            }
            Deed::Remove(agent) => {
                crowd.remove(agent);
                Ok(Outcome::Done)
            }
            Deed::Retarget(agent, target) => {
                check_target(target)?;
                crowd.retarget(agent, target);
                Ok(Outcome::Done)
            }
            Deed::SetAction(agent, action) => crowd.set_action(agent, action).map(done),
            Deed::PlaceHazard(hazard) => crowd.place_hazard(hazard).map(Outcome::Hazard),
            Deed::MoveHazard(hazard, to) => crowd.move_hazard(hazard, to).map(done),
            Deed::RemoveHazard(hazard) => crowd.remove_hazard(hazard).map(done),
            Deed::SetGoal(goal, places) => crowd.edit(|c| c.set_goal(goal, places)).map(done),
            Deed::AddWall(wall) => crowd.edit(|c| c.add_wall(wall)).map(done),
            Deed::RemoveWall(index) => crowd.edit(|c| c.remove_wall(index)).map(done),
            Deed::SetParams(params) => crowd.edit(|c| c.set_params(*params)).map(done),
        }
    }

    /// Begins a keepsake when one is due, and takes one that has come back. Does not wait.
    fn keep(&mut self) -> Result<(), CrowdError> {
        if self.keeper.is_busy() {
            if let Some(kept) = self.keeper.take() {
                self.kept = kept;
                self.log.drain(..self.begun);
            }
        } else if self.crowd.time() >= self.next && self.keeper.begin(&mut self.crowd)? {
            self.next = self.crowd.time() + self.keep_seconds;
            self.begun = self.log.len();
        }
        Ok(())
    }

    /// The step of the keepsake that the crowd would go on from now.
    pub(super) fn kept_step(&self) -> u64 {
        self.kept.step()
    }

    /// Steps and edits that would be repeated now.
    pub(super) fn logged(&self) -> usize {
        self.log.len()
    }

    /// The crowd was set to something else.
    pub(super) fn start_over(&mut self) -> Result<(), CrowdError> {
        self.keeper = Keeper::new();
        let crowd = self.crowd.crowd()?;
        self.kept = Keepsake::of(crowd);
        let time = crowd.time();
        self.next = time + self.keep_seconds;
        self.log.clear();
        Ok(())
    }

    /// Leaves the device: the crowd of the keepsake, and all that was done since done again.
    ///
    /// # Errors
    /// When the keepsake cannot be restored, or a step cannot be made.
    pub(super) fn recover(self) -> Result<Recovered, CrowdError> {
        let mut crowd = self.crowd.abandon();
        self.kept.restore(&mut crowd)?;
        let mut back = Recovered { crowd, steps: 0, edits: 0, refused: 0 };
        for (deed, outcome) in self.log {
            let crowd = &mut back.crowd;
            let done = match (deed, outcome) {
                (Deed::Step(dt), _) => {
                    crowd.step(dt)?;
                    back.steps += 1;
                    continue;
                }
                (Deed::Spawn { group, position, target }, Outcome::Agent(agent)) => {
                    crowd.spawn_again(agent, group, position, target).map(Outcome::Agent)
                }
                (deed, _) => deed.on_cpu(crowd),
            };
            back.edits += 1;
            // People walk a little differently this time: who was to be edited may have left by now.
            back.refused += usize::from(done.is_err());
        }
        Ok(back)
    }
}

/// Whether a crowd can go on elsewhere after this.
pub(super) fn is_survivable(error: &CrowdError) -> bool {
    matches!(
        error,
        CrowdError::Gpu(
            GpuError::Lost { .. }
                | GpuError::OutOfMemory { .. }
                | GpuError::TooLarge { .. }
                | GpuError::ReadBack { .. }
        )
    )
}

/// On the GPU nobody else looks at the numbers of a target.
fn check_target(target: Vec2) -> Result<(), CrowdError> {
    if target.is_finite() && target.abs().max_element() < 1e6 {
        return Ok(());
    }
    let value = f64::from(if target.x.is_finite() { target.y } else { target.x });
    let (what, must) = ("a target", "a point within a million metres");
    Err(CrowdError::BadNumber { what, value, must })
}
