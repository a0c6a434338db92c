//! What the steps cost and what came of them.

use std::time::Duration;

/// Time spent in each stage of one step, or summed over many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Sorting by bin.
    pub bin: Duration,
    /// Refreshing fields.
    pub fields: Duration,
    /// Preferred velocities.
    pub navigate: Duration,
    /// Avoidance.
    pub avoid: Duration,
    /// Actions and rules.
    pub behave: Duration,
    /// Contacts.
    pub contact: Duration,
    /// Integration and walls.
    pub movement: Duration,
}

impl StageTimes {
    /// All stages by name.
    pub fn named(&self) -> [(&'static str, Duration); 7] {
        [
            ("bin", self.bin),
            ("fields", self.fields),
            ("navigate", self.navigate),
            ("avoid", self.avoid),
            ("behave", self.behave),
            ("contact", self.contact),
            ("move", self.movement),
        ]
    }

    /// All stages together.
    pub fn total(&self) -> Duration {
        self.named().iter().map(|(_, time)| *time).sum()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.bin += other.bin;
        self.fields += other.fields;
        self.navigate += other.navigate;
        self.avoid += other.avoid;
        self.behave += other.behave;
        self.contact += other.contact;
        self.movement += other.movement;
    }
}

/// Sums over all steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Agents that appeared.
    pub spawned: u64,
    /// Agents that left or were removed.
    pub removed: u64,
    /// Arrivals at goals and targets; one agent may arrive many times.
    pub arrived: u64,
    /// Sum over first arrivals at exits and targets of the time since the agent appeared (seconds).
    pub travel_seconds: f64,
    /// First arrivals at exits and targets.
    pub travels: u64,
    /// Times that somebody was found stuck.
    pub stuck: u64,
    /// Agents put down overlapping because their place had no room.
    pub squeezed: u64,
    /// Agents that could not be put down at all, for want of open ground.
    pub refused: u64,
    /// Impacts on walls.
    pub impacts: u64,
    /// Field refreshes by warm start, and from cold.
    pub refreshed: (u64, u64),
    /// Agents put aside when a wall was built on them.
    pub displaced: u64,
    /// Agents who took in so much poison that they can no more.
    pub incapacitated: u64,
}

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Agents after it.
    pub agents: usize,
    /// Time per stage.
    pub times: StageTimes,
}
