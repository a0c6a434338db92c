//! Figures about the crowd as it stands.

use rayon::prelude::*;

use crate::agents::CHUNK;
use crate::crowd::Crowd;
use crate::walls::Walls;

/// What can be said of a crowd at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Mean speed of all (metres per second).
    pub mean_speed: f32,
    /// Mean over all agents of the depth of their deepest overlap, as a share of their radius.
    pub overlap_mean: f32,
    /// The deepest overlap, as a share of the radius.
    pub overlap_max: f32,
    /// Pairs that overlap by more than 5 % of the radius.
    pub overlapping: usize,
    /// Agents whose middle is in a wall.
    pub in_wall: usize,
    /// Agents that are not finite numbers.
    pub not_finite: usize,
    /// Most people per square metre in any bin.
    pub densest: f32,
}

/// Candidates looked at for one agent; in a crush beyond all densities the rest is left out.
const MOST_CANDIDATES: usize = 512;

#[derive(Clone, Copy, Default)]
struct Tally {
    speed: f64,
    overlap: f64,
    worst: f32,
    pairs: usize,
    in_wall: usize,
    not_finite: usize,
}

impl Crowd {
    /// Measures the crowd. Costs about as much as a stage of the step.
    pub fn measures(&self) -> Measures {
        self.pool.install(|| self.measure_inside())
    }

    fn measure_inside(&self) -> Measures {
        let chunks = (0..self.chunks()).into_par_iter().map(|chunk| {
            let last = ((chunk + 1) * CHUNK).min(self.len());
            let mut tally = Tally::default();
            (chunk * CHUNK..last).for_each(|i| self.measure_agent(i, &mut tally));
            tally
        });
        // Summed in order: floating-point sums depend on it.
        let tallies: Vec<Tally> = chunks.collect();
        let mut sum = Tally::default();
        for t in tallies {
            sum.speed += t.speed;
            sum.overlap += t.overlap;
            sum.worst = sum.worst.max(t.worst);
            sum.pairs += t.pairs;
            sum.in_wall += t.in_wall;
            sum.not_finite += t.not_finite;
        }
        let bins = self.binning.bins();
        let fullest =
            (0..bins.frame.bins()).map(|b| bins.start(b + 1) - bins.start(b)).max().unwrap_or(0);
        let n = self.len().max(1) as f64;
        Measures {
            mean_speed: (sum.speed / n) as f32,
            overlap_mean: (sum.overlap / n) as f32,
            overlap_max: sum.worst,
            overlapping: sum.pairs / 2,
            in_wall: sum.in_wall,
            not_finite: sum.not_finite,
            densest: fullest as f32 / (bins.frame.size * bins.frame.size),
        }
    }

    fn measure_agent(&self, i: usize, tally: &mut Tally) {
        let a = &self.agents;
        let p = a.position(i);
        let speed = a.vx[i].hypot(a.vy[i]);
        if !(p.is_finite() && speed.is_finite()) {
            tally.not_finite += 1;
            return;
        }
        tally.speed += f64::from(speed);
        if self.walled && Walls::new(&self.world.clearance).distance(p) < 0.0 {
            tally.in_wall += 1;
        }
        let reach = a.radius[i] + self.spawner.widest;
        let bins = self.binning.bins();
        let (first, last) = (bins.frame.column(p.x - reach), bins.frame.column(p.x + reach));
        let mut deepest = 0.0f32;
        for row in bins.frame.row(p.y - reach)..=bins.frame.row(p.y + reach) {
            let (start, end) = bins.range(row, first, last);
            for j in start..end.min(self.len()).min(start + MOST_CANDIDATES) {
                let touch = a.radius[i] + a.radius[j];
                let d2 = a.position(j).distance_squared(p);
                if j != i && d2 < touch * touch {
                    let depth = (touch - d2.sqrt()) / a.radius[i];
                    deepest = deepest.max(depth);
                    tally.pairs += usize::from(depth > 0.05);
                }
            }
        }
        tally.overlap += f64::from(deepest);
        tally.worst = tally.worst.max(deepest);
    }
}
