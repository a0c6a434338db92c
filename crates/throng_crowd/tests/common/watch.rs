//! Everything that must hold after every step, checked the slow and obvious way. `throng soak` checks
//! the same things fast.

use std::collections::HashMap;

use glam::Vec2;
use throng_crowd::{AT_WALL, Crowd};

/// Somebody's velocity and heading.
type Motion = (Vec2, Vec2);

/// Watches a crowd from step to step.
#[derive(Default)]
pub(crate) struct Watch {
    before: HashMap<u32, Motion>,
    /// Numbers below this have been given.
    known: u32,
    /// Nobody is compared with the step before.
    fresh: bool,
}

impl Watch {
    /// Takes a crowd as it is, after an edit: who was put aside stands still, who is new is known.
    pub(crate) fn look(&mut self, crowd: &Crowd) {
        self.before = (0..crowd.len()).map(|i| (crowd.ids()[i], motion(crowd, i))).collect();
        self.known = self.before.keys().map(|id| id + 1).max().unwrap_or(0).max(self.known);
        self.fresh = true;
    }

    /// Checks the crowd after a step of `dt` seconds.
    pub(crate) fn check(&mut self, crowd: &Crowd, dt: f32) {
        let mut now = HashMap::with_capacity(crowd.len());
        for i in 0..crowd.len() {
            let id = crowd.ids()[i];
            check_agent(crowd, i, self.before.get(&id), dt);
            let new = id >= self.known;
            assert!(!self.fresh || new || self.before.contains_key(&id), "agent {id} came back");
            assert!(now.insert(id, motion(crowd, i)).is_none(), "agent {id} twice");
        }
        self.before = now;
        self.known = self.before.keys().map(|id| id + 1).max().unwrap_or(0).max(self.known);
        self.fresh = true;
        let totals = crowd.totals();
        assert_eq!(totals.spawned - totals.removed, crowd.len() as u64, "agents lost or doubled");
    }
}

fn motion(crowd: &Crowd, i: usize) -> Motion {
    let v = Vec2::new(crowd.vx()[i], crowd.vy()[i]);
    (v, Vec2::new(crowd.heading_x()[i], crowd.heading_y()[i]))
}

fn check_agent(crowd: &Crowd, i: usize, before: Option<&Motion>, dt: f32) {
    let params = &crowd.world().params.movement;
    let id = crowd.ids()[i];
    let p = Vec2::new(crowd.x()[i], crowd.y()[i]);
    let (v, h) = motion(crowd, i);
    assert!(p.is_finite() && v.is_finite() && h.is_finite(), "agent {id}: {p} {v} {h}");
    assert!((h.length() - 1.0).abs() < 1e-3, "agent {id}: heading {h}");
    let bounds = crowd.world().bounds();
    assert!(bounds.grown(1e-3).contains(p), "agent {id} off the world at {p}");
    let clear = crowd.world().clearance_at(p);
    assert!(clear >= 0.0, "agent {id} in a wall at {p}: {clear}");
    let most = crowd.free_speed()[i] * crowd.fastest();
    assert!(v.length() <= most * 1.0001, "agent {id}: {} above {most}", v.length());
    if let Some((old, heading)) = before {
        let change = (v - old).length() / dt;
        // A wall, or the edge of the world, may stop somebody at once.
        let margin = (crowd.radius()[i] + AT_WALL) * 1.05 + most * dt;
        let free = clear > margin && bounds.grown(-margin).contains(p);
        let limit = params.jolt / dt * 1.001 + 1e-3;
        assert!(!free || change <= limit, "agent {id}: acceleration {change}");
        let turn = heading.angle_to(h).abs();
        assert!(turn <= params.turn_rate * dt * 1.001 + 1e-3, "agent {id}: turn {turn}");
    }
}
