//! The model of "March of the Froblins" (section 3.2.2), as written.

use glam::Vec2;
use throng_world::params::AvoidParams;

use super::cpu::Mover;
use super::neighbours::Neighbours;
use crate::lanes::{Lanes, WIDTH};

/// Directions compared: the preferred one and four to its right.
const DIRECTIONS: usize = 5;

/// The new velocity, and whether the way straight ahead is free.
#[inline(always)]
pub(super) fn velocity<L: Lanes>(
    l: L,
    params: &AvoidParams,
    most_turn: f32,
    dt: f32,
    mover: &Mover<'_>,
    list: &Neighbours,
) -> (Vec2, bool) {
    let (mut ex, mut ey) = ([mover.goal.x; WIDTH], [mover.goal.y; WIDTH]);
    let step = Vec2::from_angle(-params.froblins_angle);
    let mut e = mover.goal;
    for k in 0..DIRECTIONS {
        (ex[k], ey[k]) = (e.x, e.y);
        e = step.rotate(e);
    }
    let pace = l.splat(mover.pace);
    let (vx, vy) = (l.mul(l.lanes_of(ex), pace), l.mul(l.lanes_of(ey), pace));
    let times = l.array_of(list.times(l, vx, vy, params.horizon));
    let (mut best, mut fittest) = (0, f32::NEG_INFINITY);
    for k in 0..DIRECTIONS {
        let along = mover.goal.dot(Vec2::new(ex[k], ey[k]));
        let fitness = params.froblins_weight * times[k] + 0.5 * along + 0.5;
        if fitness > fittest {
            (best, fittest) = (k, fitness);
        }
    }
    let direction = turn_towards(mover.heading, Vec2::new(ex[best], ey[best]), most_turn);
    let speed = mover.pace.min(mover.pace * times[best] / dt);
    let free =
        speed < 0.1 && list.headway(l, (mover.goal.x, mover.goal.y), 1.0, 10.0, (0.0, 0.0)) > 0.5;
    (direction * speed, free)
}

/// `from` turned towards `to` by at most `most` radians.
pub(crate) fn turn_towards(from: Vec2, to: Vec2, most: f32) -> Vec2 {
    let angle = from.angle_to(to);
    if angle.abs() <= most {
        return to;
    }
    Vec2::from_angle(most.copysign(angle)).rotate(from).normalize_or(to)
}
