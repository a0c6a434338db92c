//! The decisions of both models.

use glam::{DVec2, Vec2};
use throng_world::params::{AvoidParams, Model};

use super::super::cpu::AvoidInput;
use super::super::neighbours::{Bodies, Query, Reach};
use super::super::throng::{
    BEND, BESIDE, CLOSING, CORNER, DETOUR, FACING, FAR, FREE, INTO, KEEP, NEAR_DOOR, NEARS,
    PER_BEHIND, ROUNDABOUT, SHARES, STEP_OFF, TURNING_BACK, URGENT,
};
use super::Judge;
use super::list::{Neighbour, headway, neighbours, side, time_to_collision, touched_ahead, wide};
use crate::agents::{Agents, MOVING};
use crate::turns::Turn;
use crate::walls::{AT_WALL, Walls};

/// One who decides, and whom it sees.
struct Decider<'a> {
    params: &'a AvoidParams,
    list: &'a [Neighbour],
    goal: DVec2,
    pace: f64,
    /// What is left of its speed at a gap.
    ease: f64,
    /// Its group's factors on the time gap and the standing gap.
    time_gap: f64,
    standing_gap: f64,
    velocity: DVec2,
    heading: DVec2,
    radius: f64,
    reach: f64,
    frustration: f64,
    push: f64,
    flight: f64,
    wall: f64,
    away: DVec2,
    walls: Walls<'a>,
    position: DVec2,
    /// Seconds since the last decision.
    dt: f64,
    /// Whether the crowd around is dense.
    dense: bool,
}

/// The velocity of agent `i`, and whether its way is free; `None` for the latter where it is left as
/// it was.
pub(super) fn decide(
    input: &AvoidInput<'_>,
    agents: &Agents,
    i: usize,
    (goal, pace): (Vec2, f32),
    judge: &mut Judge,
) -> (DVec2, Option<bool>) {
    let params = input.params;
    let froblins = params.model == Model::Froblins;
    // Shorter than a unit vector where people take their time.
    let ease = if goal.length() < 0.99 { goal.length() } else { 1.0 };
    let goal = goal / ease;
    let velocity = wide(Vec2::new(agents.vx[i], agents.vy[i]));
    if !agents.traits[i].has(MOVING) {
        return (DVec2::ZERO, None);
    }
    if input.turns[i] == Turn::No {
        return (velocity, None);
    }
    let brisk = input.turns[i] == Turn::Brisk;
    let period = if brisk { input.periods.1 } else { input.periods.0 };
    let bodies = bodies(input, agents);
    let reach = reach(input, agents, i);
    let all_round = froblins || agents.frustration[i] > 0.5;
    let behind = if all_round { f32::MAX } else { 0.3 };
    let query = Query { agent: i, ahead: (goal.x, goal.y), reach, behind };
    let list = neighbours(&bodies, agents.len(), &query, judge);
    let wall = input.walled.then(|| input.walls.nearest(agents.position(i)));
    let group = &input.tables.groups[usize::from(agents.traits[i].group)];
    let decider = Decider {
        params,
        list: &list,
        goal: wide(goal),
        pace: pace.into(),
        ease: ease.into(),
        time_gap: 1.0 / f64::from(group.keenness),
        standing_gap: group.standing_gap.into(),
        velocity,
        heading: wide(Vec2::new(agents.heading_x[i], agents.heading_y[i])),
        radius: f64::from(AT_WALL) + f64::from(agents.radius[i]),
        reach: reach.ahead.into(),
        frustration: agents.frustration[i].into(),
        push: input.tables.push(agents.traits[i], agents.frustration[i]).into(),
        flight: input.tables.fright(agents.fear[i]).into(),
        wall: wall.map_or(f64::INFINITY, |w| w.distance.into()),
        away: wall.map_or(DVec2::ZERO, |w| wide(w.away)),
        walls: input.walls,
        position: wide(agents.position(i)),
        dt: f64::from(input.dt) * f64::from(period),
        dense: brisk,
    };
    let (v, free) = if froblins {
        decider.froblins(f64::from(input.turn_rate) * f64::from(input.dt), judge)
    } else {
        decider.throng(judge)
    };
    (v, Some(free))
}

pub(super) fn bodies<'a>(input: &AvoidInput<'a>, agents: &'a Agents) -> Bodies<'a> {
    Bodies {
        x: &agents.x,
        y: &agents.y,
        vx: &agents.vx,
        vy: &agents.vy,
        radius: &agents.radius,
        heading_x: &agents.heading_x,
        heading_y: &agents.heading_y,
        bins: input.bins,
    }
}

/// How far to look, so that about the wanted number is seen at the density on the open ground of the nine bins around.
pub(super) fn reach(input: &AvoidInput<'_>, agents: &Agents, i: usize) -> Reach {
    let (params, frame) = (input.params, input.bins.frame);
    let bin = |p: Vec2| (frame.column(p.x), frame.row(p.y));
    let next_to = |a: usize, b: usize| a.abs_diff(b) <= 1;
    let (column, row) = bin(agents.position(i));
    let around = (0..agents.len()).map(|j| bin(agents.position(j)));
    let around = around.filter(|b| next_to(b.0, column) && next_to(b.1, row)).count();
    // How much ground there is has a test of its own.
    let room = input.bins.count_around(column, row).1;
    let density = around as f32 / (room * frame.size * frame.size);
    // Half an ellipse has the area π/2 · ahead · aside.
    let product = params.neighbours / density * 2.0 / std::f32::consts::PI;
    let least = params.least_reach.min(params.reach);
    let aside = (product / params.reach).clamp(least, params.reach);
    Reach { ahead: (product / aside).clamp(least, params.reach), aside }
}

impl Decider<'_> {
    fn throng(&self, judge: &mut Judge) -> (DVec2, bool) {
        let p = self.params;
        let speed_now = self.velocity.length();
        let (chosen, against) = self.best_direction(judge);
        let mut direction = chosen;
        let walks = judge.below(STEP_OFF.into(), speed_now, 1.0);
        if walks && judge.below(-0.7, self.heading.dot(chosen), 1.0) {
            let turn = (self.dt / f64::from(p.turn_time)).min(1.0);
            direction = self.heading.lerp(chosen, turn).normalize();
        }
        let room = (self.wall - self.radius).max(0.0);
        let mut into = -direction.dot(self.away);
        if judge.below(0.0, into, 1.0) && judge.below(room, 0.1 * self.radius, 1.0) {
            let along = direction + self.away * into;
            // Straight into the wall, there is no telling left from right.
            judge.doubt |= along.length() < 0.01;
            direction = along.normalize_or(self.away);
            into = 0.0;
        }
        let leaving = (speed_now, p.anticipation.into());
        let hurry = f64::from(p.haste) * self.flight;
        let lane = f64::from(p.lane) * (1.0 - hurry);
        let gap = headway(self.list, direction, lane, FAR.into(), leaving, judge);
        let standing = f64::from(p.standing_gap)
            * self.standing_gap
            * (1.0 - f64::from(CLOSING) * self.frustration);
        // Who has waited and gets on again follows more closely, unless others come; who flees does anyway.
        let (from, full) = (f64::from(p.urge_from), f64::from(p.urge_full));
        let lively = ((speed_now / self.pace - from) / (full - from)).clamp(0.0, 1.0);
        let given_up = f64::from(p.urge) * self.waited() * lively * (1.0 - against);
        let given_up = given_up.max(hurry);
        let time_gap = f64::from(p.time_gap) * self.time_gap * (1.0 - given_up);
        let keeping_distance = (gap - standing).max(0.0) * self.ease / time_gap;
        let keeping_distance =
            if judge.below(INTO.into(), into, 1.0) && self.walled(direction, 0.5 * CORNER, judge) {
                keeping_distance.min(room / into / f64::from(p.wall_gap))
            } else {
                keeping_distance
            };
        let pushing = f64::from(p.creep) * (self.push - 1.0);
        let pushing = pushing.clamp(0.0, p.most_creep.into());
        // Who is right behind somebody holds back, who has others beside it only goes first, and who touches
        // somebody who faces another way has to get past.
        let pushing = if pushing > 0.0 {
            let share = match touched_ahead(self.list, self.goal, judge) {
                Some(cosine) if judge.below(self.wall, NEAR_DOOR.into(), 1.0) => {
                    let behind = (cosine - f64::from(BESIDE)) * f64::from(PER_BEHIND);
                    1.0 - f64::from(p.hold_back) * behind.clamp(0.0, 1.0)
                }
                Some(_) => 1.0,
                None => p.squeeze.into(),
            };
            pushing * share
        } else {
            0.0
        };
        let wanted = keeping_distance.max(pushing).min(self.pace);
        let gain = (self.dt / f64::from(p.speed_up_time)).min(1.0);
        let speed = wanted.min(speed_now + (wanted - speed_now) * gain).max(wanted.min(speed_now));
        let bend = f64::from(BEND) + (1.0 - f64::from(BEND)) * self.waited();
        let turned = (bend + self.heading.dot(chosen)).clamp(TURNING_BACK.into(), 1.0);
        let speed = if walks { speed.min(self.pace * turned) } else { speed };
        (direction * speed, self.is_free(speed, judge))
    }

    /// How much it has had to wait, 0 to 1.
    fn waited(&self) -> f64 {
        (f64::from(URGENT) * self.frustration).min(1.0)
    }

    /// Whether it stands before somebody, with room all round: then it steps off to any side.
    fn roams(&self, judge: &mut Judge) -> bool {
        if self.dense || judge.below(STEP_OFF.into(), self.velocity.length(), 1.0) {
            return false;
        }
        let way = headway(self.list, self.goal, 1.0, FAR.into(), (0.0, 0.0), judge);
        judge.doubt |= (way - f64::from(FREE)).abs() < 1e-3;
        way < f64::from(FREE)
    }

    /// Distance to the nearest wall so far ahead.
    fn clear(&self, e: DVec2, ahead: f32) -> f64 {
        let there = (self.position + e * f64::from(ahead)).as_vec2();
        self.walls.distance(there).into()
    }

    /// Whether a wall is in the way so far ahead.
    fn walled(&self, e: DVec2, ahead: f32, judge: &mut Judge) -> bool {
        judge.below(self.clear(e, ahead), self.radius, 10.0)
    }

    /// How much a way leads into a wall that ends it (sine): far off, into the nearest one; close by, into any that a
    /// body would touch within a step.
    fn leads_into(&self, e: DVec2, judge: &mut Judge) -> Option<f64> {
        if self.wall >= self.radius + f64::from(CORNER) {
            let into = -e.dot(self.away);
            return judge.below(INTO.into(), into, 1.0).then_some(into);
        }
        let walled = self.walled(e, CORNER, judge) || self.walled(e, 0.5 * CORNER, judge);
        let clear = self.clear(e, CORNER).min(self.clear(e, 0.5 * CORNER));
        let nears = (self.wall - clear) / f64::from(CORNER);
        (walled && judge.below(NEARS.into(), nears, 10.0)).then_some(nears)
    }

    fn is_free(&self, speed: f64, judge: &mut Judge) -> bool {
        if !judge.below(speed, 0.1, 1.0) {
            return false;
        }
        let way = headway(self.list, self.goal, 1.0, FAR.into(), (0.0, 0.0), judge);
        judge.doubt |= (way - f64::from(FREE)).abs() < 1e-3;
        way > f64::from(FREE)
    }

    /// The goal, turned to the lane that suits it, and how much is against it.
    fn lane(&self, judge: &mut Judge) -> (DVec2, f64) {
        let p = self.params;
        let (side, against) = side(self.list, p, self.goal, self.reach, judge);
        let against = (2.0 * against).min(1.0);
        let gives_way =
            against * (f64::from(p.keep_right) + self.frustration * f64::from(p.give_way));
        let right = -self.goal.perp();
        let turned = self.goal + right * (side * f64::from(p.keep_side) + gives_way);
        (turned.normalize(), against)
    }

    fn best_direction(&self, judge: &mut Judge) -> (DVec2, f64) {
        let p = self.params;
        let look = self.radius + self.pace * f64::from(p.horizon);
        let near_wall = judge.below(self.wall, look, 1.0);
        if self.list.is_empty() && !near_wall {
            return (self.goal, 0.0);
        }
        let (g, against) = self.lane(judge);
        let roams = self.roams(judge);
        let spread = if self.frustration > 0.5 || roams { p.wide_spread } else { p.spread };
        let angles = SHARES.map(|share| f64::from(share) * f64::from(spread));
        let mut directions: Vec<DVec2> =
            angles.iter().map(|a| DVec2::from_angle(*a).rotate(g)).collect();
        directions.push(self.heading);
        let mut costs = Vec::new();
        for e in &directions {
            let mut close = Judge::default();
            let cost = self.cost(*e, (g, against), near_wall, roams, &mut close);
            costs.push((cost, close.doubt));
        }
        let lowest = costs.iter().map(|c| c.0).fold(f64::INFINITY, f64::min);
        let best = costs.iter().position(|c| c.0 == lowest).unwrap_or(0);
        let contenders = costs.iter().filter(|c| c.0 < lowest + 1e-4).count();
        judge.doubt |= contenders > 1 || costs.iter().any(|c| c.1);
        let inner = best > 0 && best + 1 < SHARES.len();
        if !inner {
            return (directions[best], against);
        }
        // The lowest point of the parabola through the best and the two beside it.
        let (right, left) = (angles[best - 1] - angles[best], angles[best + 1] - angles[best]);
        let (a, b) = (costs[best - 1].0 - lowest, costs[best + 1].0 - lowest);
        let slope = |cost: f64, angle: f64| cost / angle;
        let curve = (slope(b, left) - slope(a, right)) / (left - right);
        let start = slope(a, right) - curve * right;
        // Flat, the lowest point is anywhere.
        judge.doubt |= curve < 0.03;
        let turn = (-start / (2.0 * curve)).clamp(0.5 * right, 0.5 * left);
        (DVec2::from_angle(turn).rotate(directions[best]), against)
    }

    /// What a direction costs: the squared distance from where one would get to where one wants to
    /// be, with everything that is forgiven and charged.
    fn cost(
        &self,
        e: DVec2,
        (g, against): (DVec2, f64),
        near_wall: bool,
        roams: bool,
        judge: &mut Judge,
    ) -> f64 {
        let p = self.params;
        let horizon = f64::from(p.horizon);
        let mut time = time_to_collision(self.list, e * self.pace, horizon, judge);
        if near_wall && let Some(into) = self.leads_into(e, judge) {
            time = time.min((self.wall - self.radius).max(0.0) / (self.pace * into));
        }
        let q = time / horizon;
        let opposed = against * self.frustration;
        let bend = f64::from(DETOUR) * if roams { 1.0 } else { opposed };
        let towards = bend + (1.0 - bend) * g.dot(e);
        let to_the_left = g.perp_dot(e).max(0.0);
        let queues = f64::from(p.queue) * self.waited() * (1.0 - against);
        // Where there is no way one keeps one's heading, or turns to the goal when one faces away from it.
        let facing = (1.0 + f64::from(FACING) * g.dot(self.heading)).clamp(0.0, 1.0);
        let turns_to = self.heading * facing + g * (1.0 - facing);
        let kept = e.dot(self.heading) * q + e.dot(turns_to) * f64::from(KEEP);
        q * q - 2.0 * q * towards - queues * g.dot(e) - kept * f64::from(p.hysteresis)
            + to_the_left * (f64::from(p.side) + f64::from(ROUNDABOUT) * opposed)
    }

    fn froblins(&self, most_turn: f64, judge: &mut Judge) -> (DVec2, bool) {
        let p = self.params;
        let mut best = (f64::NEG_INFINITY, DVec2::ZERO, 0.0);
        for k in 0..5 {
            let e =
                DVec2::from_angle(-f64::from(p.froblins_angle) * f64::from(k)).rotate(self.goal);
            let time = time_to_collision(self.list, e * self.pace, p.horizon.into(), judge);
            let fitness = f64::from(p.froblins_weight) * time + 0.5 * self.goal.dot(e) + 0.5;
            judge.doubt |= (fitness - best.0).abs() < 1e-4;
            if fitness > best.0 {
                best = (fitness, e, time);
            }
        }
        let (_, e, time) = best;
        let angle = self.heading.angle_to(e);
        judge.doubt |= angle.abs() > std::f64::consts::PI - 1e-4;
        let turn = angle.clamp(-most_turn, most_turn);
        let speed = self.pace.min(self.pace * time / self.dt);
        let free = self.is_free(speed, judge);
        (DVec2::from_angle(turn).rotate(self.heading) * speed, free)
    }
}
