//! What changes from step to step: the uniform.

use throng_field::cost::UNITS_PER_PERSON;

use super::buffers::Buffers;
use super::constants::Constants;
use crate::avoid::gpu::{per_oncoming, per_urge};
use crate::crowd::Crowd;
use crate::turns::Turns;

impl Constants {
    /// The constants of the next step of a crowd.
    pub(crate) fn new(crowd: &Crowd, buffers: &Buffers, dt: f32) -> Self {
        let mut c = Self { capacity: buffers.capacity, ..Self::default() };
        c.place(crowd, buffers);
        c.tell_time(crowd, dt);
        c.parameters(crowd, dt);
        c
    }

    /// Where things are.
    fn place(&mut self, crowd: &Crowd, buffers: &Buffers) {
        let frame = crowd.binning.bins().frame;
        (self.columns, self.rows) = (frame.columns as u32, frame.rows as u32);
        self.bins = frame.bins() as u32;
        (self.bin_x, self.bin_y) = frame.origin.into();
        (self.bin_size, self.bins_per_metre) = (frame.size, frame.per_size());
        let walls = &crowd.world.clearance;
        self.walled = u32::from(crowd.walled);
        (self.wall_columns, self.wall_rows) = (walls.width() as u32, walls.height() as u32);
        (self.wall_x, self.wall_y) = walls.origin().into();
        (self.wall_cell, self.walls_per_metre) = (walls.cell_size(), 1.0 / walls.cell_size());
        let cells = &crowd.world.terrain;
        (self.cell_columns, self.cell_rows) = (cells.width() as u32, cells.height() as u32);
        (self.cell_x, self.cell_y) = cells.origin().into();
        (self.cell_size, self.cells_per_metre) = (cells.cell_size(), 1.0 / cells.cell_size());
        (self.last_x, self.last_y) =
            (cells.origin() + cells.extent() - 0.5 * cells.cell_size()).into();
        let area = f64::from(self.cell_size) * f64::from(self.cell_size);
        self.people_per_share = (1.0 / (UNITS_PER_PERSON as f64 * area)) as f32;
        let tent = crowd.fields.crowding().tent;
        self.crowding_reach = tent.reach as u32;
        (self.crowding_peak, self.crowding_fall) = (tent.peak, tent.fall);
        self.alone = tent.alone;
        let bounds = crowd.world.bounds();
        (self.min_x, self.min_y) = bounds.min.into();
        (self.max_x, self.max_y) = bounds.max.into();
        let parts = &buffers.parts;
        self.ground_sites = parts.sites;
        self.ground_speed = parts.speed;
        self.ground_stairs = parts.stairs;
        self.ground_dose = parts.dose;
        self.ground_heights = parts.heights;
        let zones = parts.zones;
        (self.zone_columns, self.zone_rows, self.zone_cell) =
            (zones.columns, zones.rows, zones.cell);
        if let Some(heights) = &crowd.world.heights {
            (self.height_columns, self.height_rows) =
                (heights.width() as u32, heights.height() as u32);
            (self.height_x, self.height_y) = heights.origin().into();
            self.height_cell = heights.cell_size();
        }
        let tables = &buffers.packed;
        self.table_actions = tables.actions;
        self.table_rules = tables.rules;
        self.table_groups = tables.groups;
        self.table_sites = tables.sites;
        self.table_fields = tables.fields;
        self.table_hazards = tables.hazards;
        self.table_weights = tables.weights;
        self.table_fans = tables.fans;
        self.table_doors = tables.doors;
        self.table_lifts = tables.lifts;
        self.goals = crowd.world.goals.len() as u32;
        self.sites = crowd.sites.sites.len() as u32;
        (self.counts, self.clocks) = (crowd.busy.len() as u32, self.sites);
        self.leaves = crowd.passages.leaves.len() as u32;
        self.lifts = crowd.passages.lifts.len() as u32;
        self.parties = crowd.parties.len() as u32;
    }

    fn tell_time(&mut self, crowd: &Crowd, dt: f32) {
        let halves = |v: u64| (v as u32, (v >> 32) as u32);
        (self.dt, self.per_dt) = (dt, 1.0 / dt);
        self.step_low = crowd.step as u32;
        self.ticks = crate::movement::ticks(crowd.time);
        self.surge = crate::movement::surge_at(crowd.time);
        (self.moment_low, self.moment_high) = halves(crate::random::moment(crowd.time));
        (self.seed_low, self.seed_high) = halves(crowd.seed);
        let turns = Turns::new(&crowd.params.avoid, dt, crowd.step);
        (self.period, self.brisk_period) = turns.periods();
        (self.phase, self.brisk_phase) = turns.phases();
        self.looks = crate::navigate::gpu::looks(crowd.step, self.brisk_period);
        if let Some(trails) = &crowd.fields.trails {
            [self.wear_keep, self.wear_gain] = trails.rates(crowd.time);
            self.wear_saving = trails.saving();
        }
        self.hazards = crowd.scratch.hazards.len() as u32;
        self.watched = u32::from(!crowd.observers.is_empty());
    }

    fn parameters(&mut self, crowd: &Crowd, dt: f32) {
        let (tables, params) = (&crowd.tables, &crowd.params);
        self.tired_slows = tables.slow_when_tired;
        (self.flee_from, self.flee_full) = tables.flight();
        self.flee_speed = tables.flee_speed;
        self.sight_margin = tables.sight_margin;
        let a = &params.avoid;
        self.reach = a.reach;
        self.least_reach = a.least_reach.min(a.reach);
        self.per_reach = 1.0 / a.reach;
        self.area = a.neighbours * (self.bin_size * self.bin_size) * 2.0 / std::f32::consts::PI;
        (self.horizon, self.per_horizon) = (a.horizon, 1.0 / a.horizon);
        (self.per_time_gap, self.standing_gap) = (1.0 / a.time_gap, a.standing_gap);
        (self.urge, self.urge_from, self.per_urge) = (a.urge, a.urge_from, per_urge(a));
        (self.oncoming, self.per_oncoming) = (a.oncoming, per_oncoming(a));
        (self.haste, self.keep_right, self.queue) = (a.haste, a.keep_right, a.queue);
        (self.per_wall_gap, self.anticipation) = (1.0 / a.wall_gap, a.anticipation);
        (self.creep, self.most_creep, self.hold_back) = (a.creep, a.most_creep, a.hold_back);
        (self.squeeze, self.lane) = (a.squeeze, a.lane);
        (self.hysteresis, self.side, self.keep_side) = (a.hysteresis, a.side, a.keep_side);
        (self.per_side_band, self.follow) = (1.0 / a.side_band, a.follow);
        self.give_way = a.give_way;
        self.dense_bin = a.dense * self.bin_size * self.bin_size;
        let [turn, gain] = [a.turn_time, a.speed_up_time].map(|seconds| {
            [self.period, self.brisk_period]
                .map(|period| (dt * period as f32 / seconds.max(1e-6)).min(1.0))
        });
        [self.turn, self.brisk_turn] = turn;
        [self.gain, self.brisk_gain] = gain;
        self.froblins_weight = a.froblins_weight;
        (self.froblins_sin, self.froblins_cos) = (-a.froblins_angle).sin_cos();
        let b = &params.behave;
        (self.crowd_radius, self.stuck_seconds) = (b.crowd_radius, b.stuck_seconds);
        (self.stuck_speed, self.influence_radius) = (b.stuck_speed, b.influence_radius);
        let m = &params.movement;
        self.widest = crowd.spawner.widest;
        self.longest = 2.0 * (crowd.spawner.fastest_speed * tables.fastest) * dt;
        (self.stiffness, self.comfort) = (m.stiffness, m.comfort);
        self.left_over = crate::movement::left_over(dt, m.settle);
        self.jolt = m.jolt;
        self.most_turn = m.turn_rate * dt;
        (self.turn_sin, self.turn_cos) = self.most_turn.min(std::f32::consts::PI).sin_cos();
        (self.fastest, self.patience, self.calm) = (tables.fastest, a.patience, a.calm);
    }
}
