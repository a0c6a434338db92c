//! The default model. What it does and why: see the head of the stage.

use glam::Vec2;
use throng_world::params::AvoidParams;

use super::cpu::{IMPATIENT, Mover};
use super::neighbours::Neighbours;
use crate::lanes::{Lanes, WIDTH};

/// Directions in a fan; the lane left over holds the present heading.
pub(super) const FAN: usize = WIDTH - 1;
/// The lane of the present heading.
const PRESENT: usize = FAN;
/// 1 in the lane of the present heading. Selecting by it is quicker than writing into an array that is
/// then read as a vector.
const IS_PRESENT: [f32; WIDTH] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
/// Angles of a fan as shares of its spread, from right to left.
pub(super) const SHARES: [f32; FAN] = [-1.0, -0.6, -0.27, 0.0, 0.27, 0.6, 1.0];
/// How much of the cost of a detour is forgiven at the end of patience.
pub(super) const DETOUR: f32 = 0.8;
/// Cost of going round on the left at the end of patience.
pub(super) const ROUNDABOUT: f32 = 0.3;
/// Slower than this, people turn on the spot (metres per second).
pub(super) const STEP_OFF: f32 = 0.2;
/// Free ways are looked for up to this distance (metres).
pub(super) const FAR: f32 = 10.0;
/// A direction leads into a wall from this cosine on.
pub(super) const INTO: f32 = 1e-3;
/// What of the present direction is kept where there is no way in any.
pub(super) const KEEP: f32 = 0.3;
/// One over the cosine behind oneself at which a heading is not worth keeping.
pub(super) const FACING: f32 = 2.0;
/// Whether a wall close by is in the way is looked for so far ahead (metres),
pub(super) const CORNER: f32 = 0.5;
/// and ways that come nearer to one by less than this share of their length lead along it.
pub(super) const NEARS: f32 = 0.05;
/// A way this long counts as free (metres).
pub(super) const FREE: f32 = 0.5;
/// Only who is slower than this has to know whether the way is free (metres per second).
pub(super) const SLOW: f32 = 0.1;
/// Nearer to a wall than this share of the radius, one goes along it.
pub(super) const ALONG_WALL: f32 = 0.1;
/// Cosine of a turn that is too sharp to be walked as a bend.
pub(super) const SHARP_TURN: f32 = -0.7;

/// Share of the standing gap that is given up at the end of patience.
pub(super) const CLOSING: f32 = 0.5;
/// Only so near to a wall who is right behind somebody holds back (metres): two who press into a door side by side
/// would both be stuck between its posts.
pub(super) const NEAR_DOOR: f32 = 0.7;
/// Whom one touches at less than this cosine to one's way is beside one,
pub(super) const BESIDE: f32 = 0.45;
/// and one is right behind somebody from there on: one over the range of cosines between.
pub(super) const PER_BEHIND: f32 = 3.0;
/// Who turns by an angle whose cosine and this are less than one slows down: from 73 degrees on. From 90 on, people who walk
/// fast could go round and round before a door.
pub(super) const BEND: f32 = 0.7;
/// Share of its pace that somebody keeps who turns right round.
pub(super) const TURNING_BACK: f32 = 0.2;

/// Of the time after which patience is at its end, one over the share after which people queue and have urge.
pub(super) const URGENT: f32 = 4.0;

/// One over the range of shares of the pace in which urge grows.
pub(crate) fn per_urge(params: &AvoidParams) -> f32 {
    1.0 / (params.urge_full - params.urge_from).max(1e-3)
}

/// A fan of directions about the preferred one.
#[derive(Clone, Copy, Debug)]
struct Fan {
    sin: [f32; WIDTH],
    cos: [f32; WIDTH],
    /// Parabola p α² + q α through a direction and its two neighbours: p and q from the costs of the
    /// neighbours over its own.
    parabola: [Parabola; FAN],
}

/// p = a p.0 + b p.1, q = a q.0 + b q.1, for the costs a to the right and b to the left.
#[derive(Clone, Copy, Debug, Default)]
struct Parabola {
    p: (f32, f32),
    q: (f32, f32),
    /// The angles to half-way to the neighbours.
    half: (f32, f32),
}

impl Fan {
    fn new(spread: f32) -> Self {
        let mut fan =
            Self { sin: [0.0; WIDTH], cos: [1.0; WIDTH], parabola: [Parabola::default(); FAN] };
        let angle = SHARES.map(|share| share * spread);
        for (k, angle) in angle.iter().enumerate() {
            (fan.sin[k], fan.cos[k]) = angle.sin_cos();
        }
        for k in 1..FAN - 1 {
            let (right, left) = (angle[k - 1] - angle[k], angle[k + 1] - angle[k]);
            // a = p right² + q right, b = p left² + q left.
            let det = right * left * (right - left);
            fan.parabola[k] = Parabola {
                p: (left / det, -right / det),
                q: (-left * left / det, right * right / det),
                half: (0.5 * right, 0.5 * left),
            };
        }
        fan
    }

    /// How far the lowest point of the parabola is from a direction (radians).
    #[inline(always)]
    fn vertex(&self, cost: [f32; WIDTH], k: usize) -> f32 {
        let (a, b) = (cost[k - 1] - cost[k], cost[k + 1] - cost[k]);
        let Parabola { p, q, half } = self.parabola[k];
        let (p, q) = (a * p.0 + b * p.1, a * q.0 + b * q.1);
        if p > 1e-6 { (-q / (2.0 * p)).clamp(half.0, half.1) } else { 0.0 }
    }
}

/// What is the same for all agents of a step.
#[derive(Clone, Debug)]
pub(super) struct Model {
    usual: Fan,
    wide: Fan,
    /// Share of the way to the chosen direction that is turned from one decision to the next: usual and
    /// brisk.
    turn: [f32; 2],
    /// Share of the missing speed that is gained from one decision to the next.
    gain: [f32; 2],
    per_time_gap: f32,
    per_wall_gap: f32,
    per_horizon: f32,
    per_urge: f32,
}

impl Model {
    /// `intervals`: seconds from one decision to the next, usual and brisk.
    pub(super) fn new(params: &AvoidParams, intervals: [f32; 2]) -> Self {
        Self {
            usual: Fan::new(params.spread),
            wide: Fan::new(params.wide_spread),
            turn: intervals.map(|dt| (dt / params.turn_time.max(1e-6)).min(1.0)),
            gain: intervals.map(|dt| (dt / params.speed_up_time.max(1e-6)).min(1.0)),
            per_time_gap: 1.0 / params.time_gap,
            per_wall_gap: 1.0 / params.wall_gap,
            per_horizon: 1.0 / params.horizon,
            per_urge: per_urge(params),
        }
    }

    /// Both fans as numbers: sines, cosines, and six of each parabola.
    #[cfg(feature = "gpu")]
    pub(super) fn fans(&self) -> [Vec<f32>; 2] {
        [&self.usual, &self.wide].map(|fan| {
            let parabolas = fan.parabola.iter();
            let parabolas =
                parabolas.flat_map(|Parabola { p, q, half }| [p.0, p.1, q.0, q.1, half.0, half.1]);
            fan.sin.into_iter().chain(fan.cos).chain(parabolas).collect()
        })
    }

    /// The new velocity, and whether the way straight ahead is free. `brisk`: 1 where decisions come fast.
    #[inline(always)]
    pub(super) fn velocity<L: Lanes>(
        &self,
        l: L,
        params: &AvoidParams,
        brisk: usize,
        mover: &Mover<'_>,
        list: &Neighbours,
    ) -> (Vec2, bool) {
        let speed_now = mover.velocity.length();
        let stands = brisk == 0 && speed_now < STEP_OFF;
        let roams = stands && self.ahead(l, mover, list) < FREE;
        let (chosen, against) = self.choose(l, params, roams, mover, list);
        let present = mover.heading;
        // Who stands steps off in any direction; who walks bends its way.
        let mut direction = if speed_now > STEP_OFF && present.dot(chosen) > SHARP_TURN {
            let between = present.lerp(chosen, self.turn[brisk]);
            between * (1.0 / between.length())
        } else {
            chosen
        };
        let room = (mover.wall.distance - mover.radius).max(0.0);
        let mut into = -direction.dot(mover.wall.away);
        if into > 0.0 && room < ALONG_WALL * mover.radius {
            // At a wall already: along it.
            direction = (direction + mover.wall.away * into).normalize_or(mover.wall.away);
            into = 0.0;
        }
        let hurry = params.haste * mover.flight;
        let gap = list.headway(
            l,
            (direction.x, direction.y),
            params.lane * (1.0 - hurry),
            FAR,
            (speed_now, params.anticipation),
        );
        let closes_up =
            params.standing_gap * mover.standing_gap * (1.0 - CLOSING * mover.frustration);
        let urge = self.urge(params, mover, speed_now, against).max(hurry);
        let per_gap = self.per_time_gap * mover.ease * mover.keenness / (1.0 - urge);
        let mut speed = mover.pace.min((gap - closes_up).max(0.0) * per_gap);
        if into > INTO && mover.clearance(direction * (0.5 * CORNER)) < mover.radius {
            speed = speed.min(room / into * self.per_wall_gap);
        }
        // Who has to get through pushes on, and contact sorts out who gives way.
        let mut creep = (params.creep * (mover.push - 1.0)).clamp(0.0, params.most_creep);
        if creep > 0.0 {
            creep *= match list.touched_ahead(l, (mover.goal.x, mover.goal.y)) {
                Some(cosine) if mover.wall.distance < NEAR_DOOR => {
                    1.0 - params.hold_back * ((cosine - BESIDE) * PER_BEHIND).clamp(0.0, 1.0)
                }
                Some(_) => 1.0,
                None => params.squeeze,
            };
        }
        speed = speed.max(creep.min(mover.pace));
        if speed > speed_now {
            speed = speed_now + (speed - speed_now) * self.gain[brisk];
        }
        if speed_now > STEP_OFF {
            speed = speed.min(mover.pace * in_bend(present.dot(chosen), waited(mover)));
        }
        // Only who hardly moves has to know whether the way is free.
        let free = speed < SLOW && self.ahead(l, mover, list) > FREE;
        (direction * speed, free)
    }

    /// How far the way is free, straight to where somebody wants to (metres).
    #[inline(always)]
    fn ahead<L: Lanes>(&self, l: L, mover: &Mover<'_>, list: &Neighbours) -> f32 {
        list.headway(l, (mover.goal.x, mover.goal.y), 1.0, FAR, (0.0, 0.0))
    }

    /// The share of the time gap that somebody gives up: who has had to wait in a jam, and gets on again,
    /// follows more closely than in a crowd that flows (the flow of bottlenecks is above the peak of the
    /// fundamental diagram), unless others come `against` it.
    #[inline(always)]
    fn urge(&self, params: &AvoidParams, mover: &Mover<'_>, speed: f32, against: f32) -> f32 {
        let lively = (speed / mover.pace - params.urge_from) * self.per_urge;
        params.urge * waited(mover) * lively.clamp(0.0, 1.0) * (1.0 - against)
    }

    /// The preferred direction, turned towards the lane that suits it; and how much is against it, 0 to 1.
    #[inline(always)]
    fn lane<L: Lanes>(
        &self,
        l: L,
        params: &AvoidParams,
        mover: &Mover<'_>,
        list: &Neighbours,
    ) -> (Vec2, f32) {
        let g = mover.goal;
        let (side, against) = list.side(l, params, (g.x, g.y), mover.reach);
        // Against others one keeps to the right, and somebody who gets nowhere gives way to the right.
        let against = (against * 2.0).min(1.0);
        let opposed = against * mover.frustration;
        let right = Vec2::new(g.y, -g.x);
        let aside = against * params.keep_right + opposed * params.give_way;
        let turned = g + right * (side * params.keep_side + aside);
        (turned * (1.0 / turned.length()), against)
    }

    /// The best direction, and how much is against it. Who stands before somebody, with room all round
    /// (`roams`), goes round it, as far aside as it takes.
    #[inline(always)]
    fn choose<L: Lanes>(
        &self,
        l: L,
        params: &AvoidParams,
        roams: bool,
        mover: &Mover<'_>,
        list: &Neighbours,
    ) -> (Vec2, f32) {
        let near_wall = mover.wall.distance < mover.radius + mover.pace * params.horizon;
        if list.count == 0 && !near_wall {
            return (mover.goal, 0.0);
        }
        let fan = if mover.frustration > IMPATIENT || roams { &self.wide } else { &self.usual };
        let h = mover.heading;
        let (g, against) = self.lane(l, params, mover, list);
        let opposed = against * mover.frustration;
        // The last lane is the present heading, as an angle to the goal.
        let present = l.lt(l.splat(0.0), l.lanes_of(IS_PRESENT));
        let sin = l.select(present, l.splat(g.perp_dot(h)), l.lanes_of(fan.sin));
        let cos = l.select(present, l.splat(g.dot(h)), l.lanes_of(fan.cos));
        let (gx, gy) = (l.splat(g.x), l.splat(g.y));
        let ex = l.sub(l.mul(gx, cos), l.mul(gy, sin));
        let ey = l.add(l.mul(gx, sin), l.mul(gy, cos));
        let pace = l.splat(mover.pace);
        let mut time = list.times(l, l.mul(ex, pace), l.mul(ey, pace), params.horizon);
        if near_wall {
            let w = mover.wall;
            // A wall ends only ways that lead into it, however close one stands.
            let (leads, ends) = if w.distance < mover.radius + CORNER {
                // So close, it may end beside the way, as the post of a door does; and of two walls, in a passage or
                // between posts, either ends ways.
                let (ex, ey) = (l.array_of(ex), l.array_of(ey));
                let mut clear = [0.0; WIDTH];
                for k in 0..WIDTH {
                    // Half way too, so that nobody looks through a thin wall.
                    let ahead = Vec2::new(ex[k], ey[k]) * CORNER;
                    clear[k] = mover.clearance(ahead).min(mover.clearance(ahead * 0.5));
                }
                let clear = l.lanes_of(clear);
                let nears = l.mul(l.sub(l.splat(w.distance), clear), l.splat(1.0 / CORNER));
                (nears, l.both(l.lt(l.splat(NEARS), nears), l.lt(clear, l.splat(mover.radius))))
            } else {
                let off = l.add(l.mul(ex, l.splat(w.away.x)), l.mul(ey, l.splat(w.away.y)));
                let into = l.sub(l.splat(0.0), off);
                (into, l.lt(l.splat(INTO), into))
            };
            let room = (w.distance - mover.radius).max(0.0) / mover.pace;
            let hit = l.div(l.splat(room), l.max(leads, l.splat(INTO)));
            time = l.select(ends, l.min(hit, time), time);
        }
        // Moussaïd et al. 2011, eq. 1: the squared distance from where one would get to where one
        // wants to be, in units of the horizon.
        let q = l.mul(time, l.splat(self.per_horizon));
        let two = l.splat(2.0);
        // Out of patience, a detour costs less and less, and all go round the same way.
        let bend = DETOUR * if roams { 1.0 } else { opposed };
        let near = l.add(l.splat(bend), l.mul(cos, l.splat(1.0 - bend)));
        let cost = l.sub(l.mul(q, q), l.mul(two, l.mul(q, near)));
        // Who queues faces where it wants to, and leaves its place for a real gap only.
        let queues = params.queue * waited(mover) * (1.0 - against);
        let cost = l.sub(cost, l.mul(cos, l.splat(queues)));
        let along = l.add(l.mul(ex, l.splat(h.x)), l.mul(ey, l.splat(h.y)));
        // The less one gets on, the less there is to keep; who faces away from its goal in a jam turns to it.
        let facing = (1.0 + FACING * g.dot(h)).clamp(0.0, 1.0);
        let kept = l.mul(along, l.add(q, l.splat(KEEP * facing)));
        let kept = l.add(kept, l.mul(cos, l.splat(KEEP * (1.0 - facing))));
        let kept = l.mul(kept, l.splat(params.hysteresis));
        let cost = l.sub(cost, kept);
        let side = l.splat(params.side + ROUNDABOUT * opposed);
        let cost = l.add(cost, l.mul(l.max(sin, l.splat(0.0)), side));
        let best = l.first_least(cost);
        if best == PRESENT {
            return (h, against);
        }
        let costs = l.array_of(cost);
        let e = Vec2::new(l.array_of(ex)[best], l.array_of(ey)[best]);
        if best == 0 || best == FAN - 1 {
            return (e, against);
        }
        (turned(e, fan.vertex(costs, best)), against)
    }
}

/// Share of its pace that somebody keeps who turns by an angle of this cosine: who turns aside or back slows down.
/// Otherwise a fast walker circles before a door that it overshoots. Who had to wait turns aside at its pace: in a jam it
/// has to, to get through.
#[inline(always)]
fn in_bend(cosine: f32, waited: f32) -> f32 {
    (BEND + (1.0 - BEND) * waited + cosine).clamp(TURNING_BACK, 1.0)
}

/// How much somebody has had to wait, 0 to 1.
#[inline(always)]
fn waited(mover: &Mover<'_>) -> f32 {
    (mover.frustration * URGENT).min(1.0)
}

/// A unit vector turned by a small angle (series; error below 1e-5 up to 0.4 radians).
#[inline(always)]
fn turned(e: Vec2, angle: f32) -> Vec2 {
    let a2 = angle * angle;
    let sin = angle * (1.0 - a2 * (1.0 / 6.0) * (1.0 - a2 * 0.05));
    let cos = 1.0 - a2 * 0.5 * (1.0 - a2 * (1.0 / 12.0));
    Vec2::new(e.x * cos - e.y * sin, e.x * sin + e.y * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong vertex would make people waver between two directions.
    #[test]
    fn vertex_finds_the_lowest_point_of_a_parabola() {
        let fan = Fan::new(1.3);
        let angle = SHARES.map(|share| share * 1.3);
        for lowest in [-0.15f32, -0.05, 0.0, 0.02, 0.1] {
            let mut cost = [0.0; WIDTH];
            for k in 0..FAN {
                cost[k] = 3.0 * (angle[k] - lowest) * (angle[k] - lowest) - 1.0;
            }
            assert!((fan.vertex(cost, 3) - lowest).abs() < 1e-4, "{lowest}");
        }
    }

    /// A wrong turn would lengthen or shorten velocities.
    #[test]
    fn turning_keeps_the_length() {
        for k in -8..=8 {
            let angle = k as f32 * 0.05;
            let t = turned(Vec2::new(0.6, 0.8), angle);
            assert!((t - Vec2::from_angle(angle).rotate(Vec2::new(0.6, 0.8))).length() < 1e-5);
        }
    }
}
