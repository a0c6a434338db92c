//! What a crowd lets its host see.

use glam::Vec2;
use throng_field::Grid;
use throng_world::World;
use throng_world::world::MovingHazard;

use crate::agents::Traits;
use crate::counters::{StageTimes, Totals};
use crate::crowd::Crowd;
use crate::event::{Event, EventFilter, ObserverId};
use crate::instance::Instance;
use crate::random;

impl Crowd {
    /// The world it lives in, as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Simulated time (seconds).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents.len() == 0
    }

    /// Whether nobody is there and nobody will come any more.
    pub fn is_over(&self) -> bool {
        self.is_empty() && !self.spawner.more_to_come(self.time)
    }

    /// Numbers of the agents. All slices have the same order, which changes from step to step.
    pub fn ids(&self) -> &[u32] {
        &self.agents.id[..self.len()]
    }

    /// Positions along x (metres).
    pub fn x(&self) -> &[f32] {
        &self.agents.x[..self.len()]
    }

    /// Positions along y (metres).
    pub fn y(&self) -> &[f32] {
        &self.agents.y[..self.len()]
    }

    /// Velocities along x (metres per second).
    pub fn vx(&self) -> &[f32] {
        &self.agents.vx[..self.len()]
    }

    /// Velocities along y (metres per second).
    pub fn vy(&self) -> &[f32] {
        &self.agents.vy[..self.len()]
    }

    /// Headings along x (unit vectors).
    pub fn heading_x(&self) -> &[f32] {
        &self.agents.heading_x[..self.len()]
    }

    /// Headings along y (unit vectors).
    pub fn heading_y(&self) -> &[f32] {
        &self.agents.heading_y[..self.len()]
    }

    /// Body radii (metres).
    pub fn radius(&self) -> &[f32] {
        &self.agents.radius[..self.len()]
    }

    /// Groups and actions.
    pub fn traits(&self) -> &[Traits] {
        &self.agents.traits[..self.len()]
    }

    /// Free walking speeds (metres per second).
    pub fn free_speed(&self) -> &[f32] {
        &self.agents.speed[..self.len()]
    }

    /// How impatient everybody is: 0 content, 1 at the end of its patience.
    pub fn frustration(&self) -> &[f32] {
        &self.agents.frustration[..self.len()]
    }

    /// Fear, 0 to 1.
    pub fn fear(&self) -> &[f32] {
        &self.agents.fear[..self.len()]
    }

    /// Nobody walks faster than this times its free speed.
    pub fn fastest(&self) -> f32 {
        self.tables.fastest
    }

    /// Where the hazards are now: position, and the hazard.
    pub fn hazards(&self) -> impl Iterator<Item = (Vec2, &MovingHazard)> {
        self.hazards.iter().filter_map(|(_, h)| h.position(self.time).map(|p| (p, h)))
    }

    /// Potential of the way of a group to a goal, as of its last refresh.
    pub fn potential(&self, group: u8, goal: u16) -> Option<&Grid<f32>> {
        self.fields.potential(group, goal)
    }

    /// People per square metre on the navigation cells, as of the last refresh.
    pub fn density(&self) -> &Grid<f32> {
        self.fields.density()
    }

    /// How worn the ground is (0 to 1), as of the last refresh of a field; `None` where it does not count for ways
    /// (`paths` of the scene's grass).
    pub fn wear(&self) -> Option<Grid<f32>> {
        self.fields.trails.as_ref().map(|trails| trails.shares())
    }

    /// Calls `callback` for the events that pass the filter, at the end of the stage they happen in.
    pub fn observe(
        &mut self,
        filter: EventFilter,
        callback: impl FnMut(&Event) + Send + Sync + 'static,
    ) -> ObserverId {
        self.observers.add(filter, Box::new(callback))
    }

    /// Sends an observer away; whether it was there.
    pub fn unobserve(&mut self, observer: ObserverId) -> bool {
        self.observers.remove(observer)
    }

    /// Sums over all steps so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Time per stage over all steps so far.
    pub fn times(&self) -> &StageTimes {
        &self.times
    }

    /// Fills `out` with what a renderer needs, in the order of the slices.
    pub fn instances(&self, out: &mut Vec<Instance>) {
        out.clear();
        let a = &self.agents;
        out.extend((0..self.len()).map(|i| {
            let t = a.traits[i];
            let carries = self.world.actions[usize::from(t.action)].carries;
            Instance {
                position: [a.x[i], a.y[i], self.world.ground_height(a.position(i))],
                group: u32::from(t.group) | a.id[i] << 8,
                direction: [a.heading_x[i], a.heading_y[i]],
                action: u32::from(t.action) | u32::from(carries) << 8,
                clip_time: a.clip[i],
            }
        }));
    }

    /// Bytes held for agents, bins, fields and scratch.
    pub fn bytes(&self) -> usize {
        self.agents.bytes()
            + self.binning.bytes()
            + self.scratch.bytes()
            + self.fields.bytes()
            + self.targets.bytes()
            + self.sites.bytes()
            + 4 * (self.world.clearance.cells() + self.world.terrain.cells())
            + 4 * self.world.heights.as_ref().map_or(0, Grid::cells)
            + 4 * self.world.speed.as_ref().map_or(0, Grid::cells)
            + 8 * self.world.stairs.as_ref().map_or(0, Grid::cells)
    }

    /// A number that differs when anything about any agent differs.
    pub fn hash(&self) -> u64 {
        let mut hash = random::mix(self.step ^ self.seed.rotate_left(17));
        let mut take =
            |word: u32| hash = random::mix(hash ^ u64::from(word)).wrapping_add(hash << 1);
        for (_, values) in self.agents.floats() {
            values.iter().for_each(|v| take(v.to_bits()));
        }
        self.agents.id[..self.len()].iter().for_each(|&v| take(v));
        self.agents.site[..self.len()].iter().for_each(|&v| take(v));
        if self.agents.extended {
            self.agents.dose[..self.len()].iter().for_each(|v| take(v.to_bits()));
            self.agents.party[..self.len()].iter().for_each(|&v| take(v));
        }
        for t in self.traits() {
            take(u32::from_le_bytes([t.group, t.action, t.interrupted, t.flags]));
        }
        hash
    }
}
