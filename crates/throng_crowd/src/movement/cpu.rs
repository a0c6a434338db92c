//! The step itself: limits, walls, integration; eight agents at a time.

use glam::Vec2;
use rayon::prelude::*;
use throng_world::params::MoveParams;
use throng_world::world::Rect;

use crate::agents::{Agents, CHUNK, MOVING, Traits};
use crate::lanes::{Isa, Kernel, Lanes, WIDTH, dispatch};
use crate::walls::{AT_WALL, Walls};

/// A body may come this near to a wall with its middle when it is squeezed (share of its radius there).
pub(super) const SQUEEZED: f32 = 0.5;
/// Slower than this share of its own speed is no progress.
pub(super) const PROGRESS: f32 = 0.2;
/// Slower than this a body keeps its heading (metres per second, squared).
pub(super) const STANDING: f32 = 0.01;

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
    /// Time in which impatience passes (seconds).
    pub(crate) calm: f32,
    pub(crate) dt: f32,
    pub(crate) isa: Isa,
}

/// Moves everybody. Gives the number of impacts on walls.
pub(crate) fn move_all(input: &MoveInput<'_>, agents: &mut Agents, velocity: &[Vec2]) -> u64 {
    // Whole vectors: there is room for them at the end of every array.
    let len = agents.len().next_multiple_of(WIDTH);
    let count = agents.len();
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
        let first = chunk * CHUNK;
        let (radius, speed) = (&radius[first..], &speed[first..]);
        let (traits, wanted) = (&traits[first..], &velocity[first..]);
        let count = x.len().min(count - first);
        let mut impacts = 0;
        let (px, py) = (x, y);
        let kernel = Chunk {
            input,
            count,
            turn,
            x: px,
            y: py,
            vx,
            vy,
            hx,
            hy,
            frustration,
            radius,
            speed,
            traits,
            wanted,
            impacts: &mut impacts,
        };
        dispatch(input.isa, kernel);
        impacts
    });
    moved.sum()
}

/// Eight vectors: along x and along y.
type Pair<L> = (<L as Lanes>::F, <L as Lanes>::F);

struct Chunk<'a> {
    input: &'a MoveInput<'a>,
    /// Agents in the chunk; what follows is padding.
    count: usize,
    /// Sine and cosine of the largest turn.
    turn: (f32, f32),
    x: &'a mut [f32],
    y: &'a mut [f32],
    vx: &'a mut [f32],
    vy: &'a mut [f32],
    hx: &'a mut [f32],
    hy: &'a mut [f32],
    frustration: &'a mut [f32],
    radius: &'a [f32],
    speed: &'a [f32],
    traits: &'a [Traits],
    wanted: &'a [Vec2],
    impacts: &'a mut u64,
}

impl Kernel for Chunk<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let mut at = 0;
        while at < self.count {
            self.eight(l, at);
            at += WIDTH;
        }
    }
}

impl Chunk<'_> {
    #[inline(always)]
    fn eight<L: Lanes>(&mut self, l: L, at: usize) {
        let input = self.input;
        let speed = l.load(self.speed, at);
        let most = l.mul(speed, l.splat(input.fastest));
        let (mut wx, mut wy, mut moving) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        for k in 0..WIDTH {
            let wanted = self.wanted[at + k];
            (wx[k], wy[k]) = (wanted.x, wanted.y);
            moving[k] = f32::from(u8::from(self.traits[at + k].has(MOVING)));
        }
        let (old_x, old_y) = (l.load(self.vx, at), l.load(self.vy, at));
        let (cx, cy) = (l.sub(l.lanes_of(wx), old_x), l.sub(l.lanes_of(wy), old_y));
        let (cx, cy) = at_most(l, cx, cy, l.splat(input.params.jolt));
        let (mut vx, mut vy) = at_most(l, l.add(old_x, cx), l.add(old_y, cy), most);
        if input.walled {
            (vx, vy) = self.keep_off(l, at, l.array_of(vx), l.array_of(vy), l.array_of(most));
        }
        let dt = l.splat(input.dt);
        let mut x = l.add(l.load(self.x, at), l.mul(vx, dt));
        let mut y = l.add(l.load(self.y, at), l.mul(vy, dt));
        if self.outside(l, at, x, y) {
            [(x, y), (vx, vy)] = self.stay_inside(l, at, (l.array_of(vx), l.array_of(vy)), most);
        }
        store(l, self.x, at, x);
        store(l, self.y, at, y);
        store(l, self.vx, at, vx);
        store(l, self.vy, at, vy);
        let speed2 = l.add(l.mul(vx, vx), l.mul(vy, vy));
        let (hx, hy) =
            turned(l, (l.load(self.hx, at), l.load(self.hy, at)), (vx, vy), speed2, self.turn);
        store(l, self.hx, at, hx);
        store(l, self.hy, at, hy);
        let progress = l.mul(speed, l.splat(PROGRESS));
        let slow =
            l.both(l.lt(speed2, l.mul(progress, progress)), l.lt(l.splat(0.0), l.lanes_of(moving)));
        let per_step = input.dt / input.patience;
        let change = l.select(slow, l.splat(per_step), l.splat(-input.dt / input.calm));
        let frustration = l.add(l.load(self.frustration, at), change);
        let frustration = l.min(l.max(frustration, l.splat(0.0)), l.splat(1.0));
        store(l, self.frustration, at, frustration);
    }

    /// Velocities that keep the bodies off walls.
    #[inline(always)]
    fn keep_off<L: Lanes>(
        &mut self,
        l: L,
        at: usize,
        mut vx: [f32; WIDTH],
        mut vy: [f32; WIDTH],
        most: [f32; WIDTH],
    ) -> (L::F, L::F) {
        for k in 0..WIDTH.min(self.count - at) {
            let (position, v) =
                (Vec2::new(self.x[at + k], self.y[at + k]), Vec2::new(vx[k], vy[k]));
            let radius = AT_WALL + self.radius[at + k];
            if self.input.walls.distance(position + v * self.input.dt) < radius {
                let slid = slide(self.input, position, v, radius, most[k]);
                (vx[k], vy[k]) = (slid.x, slid.y);
                *self.impacts += 1;
            }
        }
        (l.lanes_of(vx), l.lanes_of(vy))
    }

    /// Whether anybody would leave the world.
    #[inline(always)]
    fn outside<L: Lanes>(&self, l: L, at: usize, x: L::F, y: L::F) -> bool {
        let Rect { min, max } = self.input.bounds;
        let low = l.bits(l.lt(x, l.splat(min.x))) | l.bits(l.lt(y, l.splat(min.y)));
        let high = l.bits(l.lt(l.splat(max.x), x)) | l.bits(l.lt(l.splat(max.y), y));
        let real = (1u32 << (self.count - at).min(WIDTH)) - 1;
        (low | high) & real != 0
    }

    /// Positions and velocities of eight of whom one would leave the world.
    #[cold]
    fn stay_inside<L: Lanes>(
        &mut self,
        l: L,
        at: usize,
        (mut vx, mut vy): ([f32; WIDTH], [f32; WIDTH]),
        most: L::F,
    ) -> [Pair<L>; 2] {
        let most = l.array_of(most);
        let (mut x, mut y) = ([0.0; WIDTH], [0.0; WIDTH]);
        let Rect { min, max } = self.input.bounds;
        let dt = self.input.dt;
        for k in 0..WIDTH {
            let old = Vec2::new(self.x[at + k], self.y[at + k]);
            let mut position = old + Vec2::new(vx[k], vy[k]) * dt;
            let inside = position.clamp(min, max);
            if inside != position && at + k < self.count {
                let v = ((inside - old) / dt).clamp_length_max(most[k]);
                (vx[k], vy[k]) = (v.x, v.y);
                position = (old + v * dt).clamp(min, max);
                *self.impacts += 1;
            }
            (x[k], y[k]) = (position.x, position.y);
        }
        [(l.lanes_of(x), l.lanes_of(y)), (l.lanes_of(vx), l.lanes_of(vy))]
    }
}

#[inline(always)]
fn store<L: Lanes>(l: L, to: &mut [f32], at: usize, v: L::F) {
    to[at..at + WIDTH].copy_from_slice(&l.array_of(v));
}

/// Vectors shortened to a length at most.
#[inline(always)]
fn at_most<L: Lanes>(l: L, x: L::F, y: L::F, most: L::F) -> (L::F, L::F) {
    let length2 = l.add(l.mul(x, x), l.mul(y, y));
    let long = l.lt(l.mul(most, most), length2);
    let scale = l.select(long, l.div(most, l.sqrt(length2)), l.splat(1.0));
    (l.mul(x, scale), l.mul(y, scale))
}

/// Headings turned towards velocities, by no more than an angle given by its sine and cosine.
#[inline(always)]
fn turned<L: Lanes>(
    l: L,
    (hx, hy): (L::F, L::F),
    (vx, vy): (L::F, L::F),
    speed2: L::F,
    (sin, cos): (f32, f32),
) -> (L::F, L::F) {
    let walks = l.lt(l.splat(STANDING), speed2);
    let per_speed = l.div(l.splat(1.0), l.sqrt(l.max(speed2, l.splat(STANDING))));
    let (dx, dy) = (l.mul(vx, per_speed), l.mul(vy, per_speed));
    let dot = l.add(l.mul(hx, dx), l.mul(hy, dy));
    let cross = l.sub(l.mul(hx, dy), l.mul(hy, dx));
    let sin = l.select(l.lt(cross, l.splat(0.0)), l.splat(-sin), l.splat(sin));
    let cos = l.splat(cos);
    let rx = l.sub(l.mul(hx, cos), l.mul(hy, sin));
    let ry = l.add(l.mul(hx, sin), l.mul(hy, cos));
    let length2 = l.add(l.mul(rx, rx), l.mul(ry, ry));
    let per_length = l.div(l.splat(1.0), l.sqrt(l.max(length2, l.splat(1e-12))));
    let sharp = l.lt(dot, cos);
    let tx = l.select(sharp, l.mul(rx, per_length), dx);
    let ty = l.select(sharp, l.mul(ry, per_length), dy);
    (l.select(walks, tx, hx), l.select(walks, ty, hy))
}

/// The velocity of a body that would touch a wall: along it, or none.
pub(super) fn slide(
    input: &MoveInput<'_>,
    position: Vec2,
    v: Vec2,
    radius: f32,
    most: f32,
) -> Vec2 {
    let dt = input.dt;
    let wall = input.walls.nearest(position + v * dt);
    // Back out to where the body just touches, along the wall's normal.
    let out = (radius - wall.distance) / dt;
    let slid = (v + wall.away * out).clamp_length_max(most);
    let here = input.walls.distance(position);
    let hard = (SQUEEZED * radius).min(here - 1e-4);
    for tried in [slid, slid * 0.5] {
        if input.walls.distance(position + tried * dt) >= hard {
            return tried;
        }
    }
    Vec2::ZERO
}
