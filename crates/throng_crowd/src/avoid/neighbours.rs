//! Neighbours of one agent, gathered from the bins into a short list.

use throng_world::params::AvoidParams;

use crate::bin::Bins;
use crate::lanes::{Lanes, WIDTH};

/// Longest list. The range shrinks with density so that the usual list is far shorter; in a crush
/// beyond all human densities the surplus is left out.
pub(super) const MOST: usize = 64;
/// People looked at in one row of bins; more is a crush beyond all densities.
pub(super) const MOST_CANDIDATES: usize = 512;
/// Offset and steepness of telling right from left.
pub(super) const HEAD_ON: f32 = 0.05;
pub(super) const SIDE_SHARPNESS: f32 = 4.0;
/// Who comes towards one counts for it by how fast: one over the speed from which on it counts wholly (seconds per
/// metre). Who stands in a jam, facing whatever way it was pushed, comes towards nobody.
pub(super) const PER_APPROACH: f32 = 3.0;
/// So much against one, and one follows others as closely as ever: 1 over this.
pub(super) const WARINESS: f32 = 8.0;
/// With a gap of less than this, one has somebody close before one (metres).
pub(super) const NEARLY_TOUCHING: f32 = 0.06;
/// Bodies nearer than this count as touching (square metres).
pub(super) const TOUCHING: f32 = 1e-4;
/// Where an unused place of the list stands: too far to matter.
const NOWHERE: f32 = 1e9;

/// Neighbours relative to the agent, one array per quality, padded to whole vectors.
pub(super) struct Neighbours {
    pub(super) count: usize,
    pub(super) dx: [f32; MOST + WIDTH],
    pub(super) dy: [f32; MOST + WIDTH],
    pub(super) vx: [f32; MOST + WIDTH],
    pub(super) vy: [f32; MOST + WIDTH],
    /// Sum of the two radii.
    pub(super) touch: [f32; MOST + WIDTH],
    /// Cosine between its heading and the direction of interest: 1 goes along, -1 against.
    pub(super) along: [f32; MOST + WIDTH],
    /// Squared distance less the squared sum of radii, and its inverse.
    apart: [f32; MOST + WIDTH],
    per_apart: [f32; MOST + WIDTH],
}

/// The arrays that neighbours are read from.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'a> {
    pub(super) x: &'a [f32],
    pub(super) y: &'a [f32],
    pub(super) vx: &'a [f32],
    pub(super) vy: &'a [f32],
    pub(super) radius: &'a [f32],
    pub(super) heading_x: &'a [f32],
    pub(super) heading_y: &'a [f32],
    pub(super) bins: Bins<'a>,
}

/// Whom to look for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub(super) agent: usize,
    /// The direction of interest (a unit vector).
    pub(super) ahead: (f32, f32),
    /// Half an ellipse ahead: its length and half its width (metres).
    pub(super) reach: Reach,
    /// Who is farther behind than this is left out (metres).
    pub(super) behind: f32,
}

/// How far one looks, ahead and to the sides (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) ahead: f32,
    pub(super) aside: f32,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        let zero = [0.0; MOST + WIDTH];
        Self {
            count: 0,
            dx: zero,
            dy: zero,
            vx: zero,
            vy: zero,
            touch: zero,
            along: zero,
            apart: zero,
            per_apart: zero,
        }
    }

    /// Gathers the neighbours of an agent. [`Self::measure`] has to follow before times are asked for.
    #[inline(always)]
    pub(super) fn gather<L: Lanes>(&mut self, l: L, from: &Bodies<'_>, query: Query) {
        let i = query.agent;
        let (x, y, radius) = (from.x[i], from.y[i], from.radius[i]);
        let frame = from.bins.frame;
        let (gx, gy) = query.ahead;
        let Reach { ahead, aside } = query.reach;
        // The box around the half ellipse.
        let behind = query.behind.min(aside);
        let (wide_x, wide_y) = (aside * gy.abs(), aside * gx.abs());
        let (front_x, front_y) = (ahead * gx, ahead * gy);
        let (back_x, back_y) = (-behind * gx, -behind * gy);
        let first = frame.column(x + front_x.min(back_x) - wide_x);
        let last = frame.column(x + front_x.max(back_x) + wide_x);
        let low = frame.row(y + front_y.min(back_y) - wide_y);
        let high = frame.row(y + front_y.max(back_y) + wide_y);
        let (lx, ly, lr) = (l.splat(x), l.splat(y), l.splat(radius));
        let (ax, ay) = (l.splat(gx), l.splat(gy));
        // f² / ahead² + s² / aside² < 1, without dividing.
        let (ahead2, aside2) = (l.splat(ahead * ahead), l.splat(aside * aside));
        let edge = l.splat(ahead * ahead * (aside * aside));
        let behind = l.splat(-behind);
        self.count = 0;
        for row in low..=high {
            let (start, end) = window(from.bins.range(row, first, last), i);
            let mut j = start;
            while j < end {
                let dx = l.sub(l.load(from.x, j), lx);
                let dy = l.sub(l.load(from.y, j), ly);
                let forward = l.add(l.mul(dx, ax), l.mul(dy, ay));
                let side = l.sub(l.mul(dx, ay), l.mul(dy, ax));
                let far =
                    l.add(l.mul(l.mul(forward, forward), aside2), l.mul(l.mul(side, side), ahead2));
                let near = l.both(l.lt(far, edge), l.lt(behind, forward));
                // Not beyond the end of the row, and not the agent itself.
                let inside = (1u32 << (end - j).min(WIDTH)) - 1;
                let own = 1u32 << i.wrapping_sub(j).min(31);
                let bits = l.bits(near) & inside & !own;
                let n = self.count.min(MOST);
                l.compress(dx, bits, &mut self.dx, n);
                l.compress(dy, bits, &mut self.dy, n);
                l.compress(l.load(from.vx, j), bits, &mut self.vx, n);
                l.compress(l.load(from.vy, j), bits, &mut self.vy, n);
                l.compress(l.add(l.load(from.radius, j), lr), bits, &mut self.touch, n);
                let (hx, hy) = (l.load(from.heading_x, j), l.load(from.heading_y, j));
                let along = l.add(l.mul(hx, ax), l.mul(hy, ay));
                l.compress(along, bits, &mut self.along, n);
                self.count = n + bits.count_ones() as usize;
                j += WIDTH;
            }
        }
        self.count = self.count.min(MOST);
        let mut pad = self.count;
        while pad < self.count.next_multiple_of(WIDTH) {
            self.dx[pad] = NOWHERE;
            self.dy[pad] = NOWHERE;
            (self.vx[pad], self.vy[pad]) = (0.0, 0.0);
            self.touch[pad] = 0.0;
            self.along[pad] = 0.0;
            pad += 1;
        }
    }

    /// Works out what the times to touch need. To be called some time after `gather`: what has been
    /// written in parts is slow to read whole at once.
    #[inline(always)]
    pub(super) fn measure<L: Lanes>(&mut self, l: L) {
        let mut n = 0;
        while n < self.count {
            let (dx, dy) = (l.load(&self.dx, n), l.load(&self.dy, n));
            let touch = l.load(&self.touch, n);
            let apart = l.sub(l.add(l.mul(dx, dx), l.mul(dy, dy)), l.mul(touch, touch));
            let per_apart = l.div(l.splat(1.0), l.max(apart, l.splat(TOUCHING)));
            self.apart[n..n + WIDTH].copy_from_slice(&l.array_of(apart));
            self.per_apart[n..n + WIDTH].copy_from_slice(&l.array_of(per_apart));
            n += WIDTH;
        }
    }

    /// Times (at most `horizon`) until first touch for eight velocities at once (swept circles;
    /// "March of the Froblins", section 3.2.2).
    ///
    /// |d − r t| = R has the first root t = c / (b + √(b² − a c)) with a = r², b = d·r, c = d² − R².
    /// The greatest 1/t is looked for, so that nothing has to be divided per neighbour.
    #[inline(always)]
    pub(super) fn times<L: Lanes>(&self, l: L, vx: L::F, vy: L::F, horizon: f32) -> L::F {
        let zero = l.splat(0.0);
        let mut soonest = l.splat(1.0 / horizon);
        let mut n = 0;
        while n < self.count {
            let rx = l.sub(vx, l.splat(self.vx[n]));
            let ry = l.sub(vy, l.splat(self.vy[n]));
            let a = l.add(l.mul(rx, rx), l.mul(ry, ry));
            let b = l.add(l.mul(l.splat(self.dx[n]), rx), l.mul(l.splat(self.dy[n]), ry));
            let disc = l.sub(l.mul(b, b), l.mul(a, l.splat(self.apart[n])));
            let meets = l.both(l.lt(zero, b), l.lt(zero, disc));
            let soon = l.mul(l.add(b, l.sqrt(l.max(disc, zero))), l.splat(self.per_apart[n]));
            soonest = l.max(l.select(meets, soon, zero), soonest);
            n += 1;
        }
        l.div(l.splat(1.0), soonest)
    }

    /// Which side to keep to among those who come and those who go along: -1 left to 1 right; and how
    /// much there is against one.
    ///
    /// Each neighbour ahead counts by its nearness. Who comes towards one is left on the other side,
    /// who goes along is followed: that is what makes lanes.
    #[inline(always)]
    pub(super) fn side<L: Lanes>(
        &self,
        l: L,
        params: &AvoidParams,
        ahead: (f32, f32),
        reach: f32,
    ) -> (f32, f32) {
        let (gx, gy) = (l.splat(ahead.0), l.splat(ahead.1));
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let per_reach = l.splat(1.0 / reach);
        let per_band = l.splat(1.0 / params.side_band);
        let oncoming = l.splat(params.oncoming);
        let per_oncoming = l.splat(per_oncoming(params));
        let (mut lead, mut leaders, mut shun, mut against) = (zero, zero, zero, zero);
        let mut n = 0;
        while n < self.count {
            let (dx, dy) = (l.load(&self.dx, n), l.load(&self.dy, n));
            let forward = l.add(l.mul(dx, gx), l.mul(dy, gy));
            let aside = l.sub(l.mul(dx, gy), l.mul(dy, gx));
            let distance = l.max(aside, l.sub(zero, aside));
            let near = l.max(l.sub(one, l.mul(forward, per_reach)), zero);
            let beside = l.max(l.sub(one, l.mul(distance, per_band)), zero);
            let w = l.mul(l.mul(near, beside), l.select(l.lt(zero, forward), one, zero));
            let along = l.load(&self.along, n);
            let comes = l.mul(l.sub(l.sub(zero, along), oncoming), per_oncoming);
            let (vx, vy) = (l.load(&self.vx, n), l.load(&self.vy, n));
            let nears = l.sub(zero, l.add(l.mul(vx, gx), l.mul(vy, gy)));
            let nears = l.min(l.max(l.mul(nears, l.splat(PER_APPROACH)), zero), one);
            let opposed = l.mul(w, l.mul(nears, l.max(comes, zero)));
            let followed = l.mul(w, l.max(along, zero));
            // Straight ahead counts as a little to the left: both step to the right.
            let s = l.mul(l.sub(aside, l.splat(HEAD_ON)), l.splat(SIDE_SHARPNESS));
            let s = l.max(l.min(s, one), l.splat(-1.0));
            lead = l.add(lead, l.mul(followed, s));
            leaders = l.add(leaders, followed);
            shun = l.add(shun, l.mul(opposed, s));
            against = l.add(against, opposed);
            n += WIDTH;
        }
        let [lead, leaders, shun, against] =
            [lead, leaders, shun, against].map(|lanes| sum(l.array_of(lanes)));
        // Where nobody comes towards one there is nobody to hide from, and who is slow is overtaken.
        let follow = params.follow * (against * WARINESS).min(1.0);
        ((lead * follow - shun) / (leaders * follow + against + 0.5), against)
    }

    /// Distance one can walk in a direction before touching somebody who stands still (metres), at
    /// most `far`. Who is farther aside than `lane` times the radii is not in the way. Who walks off at
    /// more than `speed` counts as if it had done so for `anticipation` seconds already (Xu, Chraibi and
    /// Seyfried 2021, "Anticipation in a velocity-based model", eq. 8).
    #[inline(always)]
    pub(super) fn headway<L: Lanes>(
        &self,
        l: L,
        direction: (f32, f32),
        lane: f32,
        far: f32,
        (speed, anticipation): (f32, f32),
    ) -> f32 {
        let (ex, ey) = (l.splat(direction.0), l.splat(direction.1));
        let zero = l.splat(0.0);
        let far = l.splat(far);
        let lane2 = l.splat(lane * lane);
        let mut least = far;
        let mut n = 0;
        while n < self.count {
            let (dx, dy) = (l.load(&self.dx, n), l.load(&self.dy, n));
            let touch = l.load(&self.touch, n);
            let touch2 = l.mul(touch, touch);
            let along = l.add(l.mul(dx, ex), l.mul(dy, ey));
            let aside = l.sub(l.mul(dx, ey), l.mul(dy, ex));
            let aside2 = l.mul(aside, aside);
            let gap = l.sub(along, l.sqrt(l.max(l.sub(touch2, aside2), zero)));
            let (vx, vy) = (l.load(&self.vx, n), l.load(&self.vy, n));
            let off = l.sub(l.add(l.mul(vx, ex), l.mul(vy, ey)), l.splat(speed));
            let gap = l.add(gap, l.mul(l.max(off, zero), l.splat(anticipation)));
            let blocks = l.both(l.lt(zero, along), l.lt(aside2, l.mul(touch2, lane2)));
            least = l.min(l.select(blocks, l.max(gap, zero), far), least);
            n += WIDTH;
        }
        l.least(least)
    }

    /// How far ahead those are whom one touches, or nearly: the largest cosine to a direction, -1 where there is nobody;
    /// `None` where one of them faces another way.
    #[inline(always)]
    pub(super) fn touched_ahead<L: Lanes>(&self, l: L, direction: (f32, f32)) -> Option<f32> {
        let (ex, ey) = (l.splat(direction.0), l.splat(direction.1));
        let (zero, nobody) = (l.splat(0.0), l.splat(1.0));
        // The least of the cosines against it: lanes have no greatest.
        let (mut least, mut along_least) = (nobody, nobody);
        let mut n = 0;
        while n < self.count {
            let (dx, dy) = (l.load(&self.dx, n), l.load(&self.dy, n));
            let near = l.add(l.load(&self.touch, n), l.splat(NEARLY_TOUCHING));
            let d2 = l.add(l.mul(dx, dx), l.mul(dy, dy));
            let along = l.add(l.mul(dx, ex), l.mul(dy, ey));
            let cosine = l.div(along, l.sqrt(l.max(d2, l.splat(TOUCHING))));
            let touches = l.lt(d2, l.mul(near, near));
            least = l.min(l.select(touches, l.sub(zero, cosine), nobody), least);
            along_least = l.min(l.select(touches, l.load(&self.along, n), nobody), along_least);
            n += WIDTH;
        }
        (l.least(along_least) >= 0.0).then(|| -l.least(least))
    }
}

/// One over the range of cosines in which somebody comes towards one.
pub(crate) fn per_oncoming(params: &AvoidParams) -> f32 {
    1.0 / (1.0 - params.oncoming)
}

/// Of a row with more people than fit into it, those next in line to agent `i`.
#[inline(always)]
fn window((start, end): (usize, usize), i: usize) -> (usize, usize) {
    if end - start <= MOST_CANDIDATES {
        return (start, end);
    }
    let first = i.saturating_sub(MOST_CANDIDATES / 2).clamp(start, end - MOST_CANDIDATES);
    (first, first + MOST_CANDIDATES)
}

/// Sum of the lanes, in a fixed order.
#[inline(always)]
fn sum(a: [f32; WIDTH]) -> f32 {
    ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]))
}
