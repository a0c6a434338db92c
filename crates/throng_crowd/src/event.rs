//! Events: what happened in a step, for those who want to know without asking each agent.

use glam::Vec2;

/// Stable number of an agent. Never given twice in a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId(pub u32);

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Reached the goal or target it was walking to.
    Arrived,
    /// Began to do something else (actions by index).
    ActionChanged {
        /// What it did.
        from: u8,
        /// What it does now.
        to: u8,
    },
    /// Appeared.
    Spawned,
    /// Left through an exit, or was removed.
    Removed,
    /// Has got nowhere for long, though the way is free.
    Stuck,
    /// Took in so much poison that it can no more.
    Incapacitated,
    /// Was put aside because a wall was built where it stood.
    Displaced {
        /// Where it stood.
        from: Vec2,
    },
}

impl EventKind {
    fn bit(self) -> u32 {
        match self {
            Self::Arrived => 1,
            Self::ActionChanged { .. } => 2,
            Self::Spawned => 4,
            Self::Removed => 8,
            Self::Stuck => 16,
            Self::Displaced { .. } => 32,
            Self::Incapacitated => 64,
        }
    }
}

/// Something that happened to an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The step in which it happened.
    pub step: u64,
    /// To whom.
    pub agent: AgentId,
    /// What.
    pub kind: EventKind,
}

/// Which events an observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventFilter(u32);

impl EventFilter {
    /// All events.
    pub const ALL: Self = Self(u32::MAX);
    /// [`EventKind::Arrived`].
    pub const ARRIVED: Self = Self(1);
    /// [`EventKind::ActionChanged`].
    pub const ACTION_CHANGED: Self = Self(2);
    /// [`EventKind::Spawned`].
    pub const SPAWNED: Self = Self(4);
    /// [`EventKind::Removed`].
    pub const REMOVED: Self = Self(8);
    /// [`EventKind::Stuck`].
    pub const STUCK: Self = Self(16);
    /// [`EventKind::Displaced`].
    pub const DISPLACED: Self = Self(32);
    /// [`EventKind::Incapacitated`].
    pub const INCAPACITATED: Self = Self(64);

    /// Both kinds.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether an event is wanted.
    pub fn wants(self, event: &Event) -> bool {
        self.0 & event.kind.bit() != 0
    }
}

/// Names an observer, to send it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObserverId(u64);

type Callback = Box<dyn FnMut(&Event) + Send + Sync>;

/// Those who want to know.
#[derive(Default)]
pub(crate) struct Observers {
    next: u64,
    all: Vec<(ObserverId, EventFilter, Callback)>,
}

impl std::fmt::Debug for Observers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} observers", self.all.len())
    }
}

impl Observers {
    pub(crate) fn add(&mut self, filter: EventFilter, callback: Callback) -> ObserverId {
        let id = ObserverId(self.next);
        self.next += 1;
        self.all.push((id, filter, callback));
        id
    }

    pub(crate) fn remove(&mut self, id: ObserverId) -> bool {
        let before = self.all.len();
        self.all.retain(|(other, ..)| *other != id);
        self.all.len() < before
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn tell(&mut self, event: &Event) {
        for (_, filter, callback) in &mut self.all {
            if filter.wants(event) {
                callback(event);
            }
        }
    }
}
