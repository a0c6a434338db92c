//! The step itself: limits, walls, integration.

use glam::Vec2;
use rayon::prelude::*;
use throng_world::params::MoveParams;
use throng_world::world::Rect;

use crate::agents::{Agents, CHUNK, MOVING};
use crate::walls::Walls;

/// A body may come this near to a wall with its middle when it is squeezed (share of its radius).
const SQUEEZED: f32 = 0.5;
/// Slower than this share of its own speed is no progress.
const PROGRESS: f32 = 0.3;

/// What the pass reads.
#[derive(Clone, Copy)]
pub(crate) struct MoveInput<'a> {
    pub(crate) params: &'a MoveParams,
    pub(crate) walls: Walls<'a>,
    pub(crate) walled: bool,
    pub(crate) bounds: Rect,
    /// Factor of the own speed that nobody exceeds.
    pub(crate) fastest: f32,
    /// Seconds until patience ends.
    pub(crate) patience: f32,
    pub(crate) dt: f32,
}

/// Moves everybody. Gives the number of impacts on walls.
pub(crate) fn move_all(input: &MoveInput<'_>, agents: &mut Agents, velocity: &[Vec2]) -> u64 {
    let len = agents.len();
    let turn = (input.params.turn_rate * input.dt).min(std::f32::consts::PI).sin_cos();
    let Agents { x, y, vx, vy, heading_x, heading_y, frustration, radius, speed, traits, .. } =
        agents;
    let (radius, speed, traits) = (&*radius, &*speed, &*traits);
    let chunks = x[..len]
        .par_chunks_mut(CHUNK)
        .zip(y[..len].par_chunks_mut(CHUNK))
        .zip(vx[..len].par_chunks_mut(CHUNK).zip(vy[..len].par_chunks_mut(CHUNK)))
        .zip(heading_x[..len].par_chunks_mut(CHUNK).zip(heading_y[..len].par_chunks_mut(CHUNK)))
        .zip(frustration[..len].par_chunks_mut(CHUNK));
    let moved = chunks.enumerate().map(|(chunk, ((((x, y), (vx, vy)), (hx, hy)), frustration))| {
        let mut impacts = 0;
        for k in 0..x.len() {
            let i = chunk * CHUNK + k;
            let body = Body {
                position: Vec2::new(x[k], y[k]),
                velocity: Vec2::new(vx[k], vy[k]),
                radius: radius[i],
                most: speed[i] * input.fastest,
            };
            let (position, v, impact) = body.step(input, velocity[i]);
            (x[k], y[k]) = (position.x, position.y);
            (vx[k], vy[k]) = (v.x, v.y);
            impacts += u64::from(impact);
            let heading = turned(Vec2::new(hx[k], hy[k]), v, turn);
            (hx[k], hy[k]) = (heading.x, heading.y);
            let slow = traits[i].has(MOVING)
                && v.length_squared() < (PROGRESS * speed[i]) * (PROGRESS * speed[i]);
            let change = if slow { 1.0 } else { -2.0 };
            frustration[k] = (frustration[k] + change * input.dt / input.patience).clamp(0.0, 1.0);
        }
        impacts
    });
    moved.sum()
}

struct Body {
    position: Vec2,
    velocity: Vec2,
    radius: f32,
    most: f32,
}

impl Body {
    /// New position and velocity, and whether a wall stopped it.
    #[inline(always)]
    fn step(&self, input: &MoveInput<'_>, wanted: Vec2) -> (Vec2, Vec2, bool) {
        let dt = input.dt;
        let change = (wanted - self.velocity).clamp_length_max(input.params.acceleration * dt);
        let mut v = (self.velocity + change).clamp_length_max(self.most);
        let mut impact = false;
        if input.walled {
            (v, impact) = self.keep_off(input, v);
        }
        let mut position = self.position + v * dt;
        let inside = position.clamp(input.bounds.min, input.bounds.max);
        if inside != position {
            v = (inside - self.position) / dt;
            v = v.clamp_length_max(self.most);
            position = (self.position + v * dt).clamp(input.bounds.min, input.bounds.max);
            impact = true;
        }
        (position, v, impact)
    }

    /// The velocity that keeps the body off walls.
    #[inline(always)]
    fn keep_off(&self, input: &MoveInput<'_>, v: Vec2) -> (Vec2, bool) {
        let dt = input.dt;
        let next = self.position + v * dt;
        let wall = input.walls.nearest(next);
        if wall.distance >= self.radius {
            return (v, false);
        }
        // Back out to where the body just touches, along the wall's normal.
        let out = (self.radius - wall.distance) / dt;
        let slid = (v + wall.away * out).clamp_length_max(self.most);
        let here = input.walls.distance(self.position);
        let hard = (SQUEEZED * self.radius).min(here - 1e-4);
        for tried in [slid, slid * 0.5] {
            if input.walls.distance(self.position + tried * dt) >= hard {
                return (tried, true);
            }
        }
        (Vec2::ZERO, true)
    }
}

/// The heading turned towards a velocity, by no more than an angle given by its sine and cosine.
#[inline(always)]
fn turned(heading: Vec2, v: Vec2, (sin, cos): (f32, f32)) -> Vec2 {
    let speed2 = v.length_squared();
    if speed2 < 0.01 {
        return heading;
    }
    let d = v / speed2.sqrt();
    if heading.dot(d) >= cos {
        return d;
    }
    let sin = if heading.perp_dot(d) < 0.0 { -sin } else { sin };
    let h = Vec2::new(heading.x * cos - heading.y * sin, heading.x * sin + heading.y * cos);
    h.normalize_or(d)
}
