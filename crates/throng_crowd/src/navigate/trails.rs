//! Trails: ground that is walked on wears, and worn ground is easier to walk on, so that people follow where
//! others went (Helbing, Keltsch and Molnár 1997, "Modelling the evolution of human trail systems").
//!
//! Where the scene's grass says so (`paths`), every navigation cell has its wear, told in whole numbers: it grows
//! with the people on the cell and halves in the time of regrowth. The cost of the bare ground falls with it, in a
//! few levels, so that most cells keep their cost from one refresh of a field to the next. Each product is rounded
//! once, so that both backends and any number of threads come to the same bits. Ways to private targets go by the
//! bare ground.

use rayon::prelude::*;
use throng_field::Grid;
use throng_world::World;

/// Wear of bare soil.
pub(crate) const FULL: u32 = 1 << 20;
/// Levels in which the cost falls.
pub(super) const LEVELS: u32 = 16;
/// Somebody who is on a cell treads it down as at this pace (metres per second).
const PACE: f64 = 1.34;

/// How worn the ground is.
#[derive(Debug)]
pub(crate) struct Trails {
    wear: Vec<u32>,
    /// The time up to which it is told (seconds).
    worn_at: f64,
    /// Share of the cost that a level saves.
    saving: f32,
    /// Wear per second and person per square metre.
    gain: f64,
    /// Seconds until a half is grown over.
    regrowth: f64,
    /// The ground as it is walked.
    eased: Grid<f32>,
}

impl Trails {
    /// Those of a world that nobody has walked in; `None` where the scene wants none.
    pub(super) fn new(world: &World) -> Option<Self> {
        let params = &world.grass.as_ref().filter(|grass| grass.params.paths > 0.0)?.params;
        // A passing wears a swath as wide as feet tread.
        let gain = f64::from(params.wear) * 2.0 * f64::from(params.foot) * PACE * f64::from(FULL);
        Some(Self {
            wear: vec![0; world.terrain.cells()],
            worn_at: 0.0,
            saving: params.paths / LEVELS as f32,
            gain,
            regrowth: f64::from(params.regrowth),
            eased: world.terrain.clone(),
        })
    }

    /// What is kept of the wear until a time, and what people per square metre add to it.
    pub(crate) fn rates(&self, time: f64) -> [f32; 2] {
        let seconds = (time - self.worn_at).max(0.0);
        [(-seconds / self.regrowth).exp2() as f32, (seconds * self.gain) as f32]
    }

    /// Share of the cost that a level saves.
    #[cfg(feature = "gpu")]
    pub(crate) fn saving(&self) -> f32 {
        self.saving
    }

    /// Wear is told up to a time.
    #[cfg(feature = "gpu")]
    pub(crate) fn note(&mut self, time: f64) {
        self.worn_at = time;
    }

    /// Lets people wear the ground until a time.
    pub(super) fn tread(&mut self, density: &Grid<f32>, time: f64) {
        let [keep, gain] = self.rates(time);
        self.worn_at = time;
        let cells = self.wear.par_iter_mut().zip(density.as_slice()).with_min_len(4096);
        cells.for_each(|(wear, density)| *wear = worn(*wear, *density, keep, gain));
    }

    /// The cost of the ground as it is worn.
    pub(super) fn ease(&mut self, terrain: &Grid<f32>) -> &Grid<f32> {
        let saving = self.saving;
        let eased = self.eased.as_mut_slice().par_iter_mut().zip(terrain.as_slice());
        let cells = eased.zip(&self.wear).with_min_len(4096);
        cells.for_each(|((eased, cost), wear)| *eased = cost * (1.0 - saving * level(*wear)));
        &self.eased
    }

    /// How worn each cell is, 0 to 1.
    pub(crate) fn shares(&self) -> Grid<f32> {
        let mut shares = self.eased.clone();
        let cells = shares.as_mut_slice().iter_mut().zip(&self.wear);
        cells.for_each(|(share, wear)| *share = *wear as f32 / FULL as f32);
        shares
    }

    /// What a snapshot holds.
    pub(crate) fn state(&self) -> (&[u32], f64) {
        (&self.wear, self.worn_at)
    }

    /// What a snapshot holds.
    pub(crate) fn state_mut(&mut self) -> (&mut [u32], &mut f64) {
        (&mut self.wear, &mut self.worn_at)
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.wear.capacity()
    }
}

/// Wear after some time; the twin is `worn` in `survey.wgsl`.
fn worn(wear: u32, density: f32, keep: f32, gain: f32) -> u32 {
    let left = (wear as f32 * keep) as u32;
    (left + (density * gain).min(FULL as f32) as u32).min(FULL)
}

fn level(wear: u32) -> f32 {
    (wear / (FULL / LEVELS)) as f32
}

#[cfg(test)]
mod tests {
    use super::{FULL, Trails};
    use glam::Vec2;
    use throng_world::World;
    use throng_world::grass::{Grass, GrassParams};

    fn trails(paths: f32) -> Option<Trails> {
        let mut world = World::open((4, 2), 1.0, Vec2::ZERO).unwrap();
        let params = GrassParams { paths, wear: 0.1, regrowth: 60.0, ..GrassParams::default() };
        world.grass = Some(Grass { params, drawn: Default::default() });
        Trails::new(&world)
    }

    /// If this fails, paths do not form, never end, or depend on how often fields are refreshed.
    #[test]
    fn ground_wears_where_people_are_and_grows_over() {
        assert!(trails(0.0).is_none());
        for steps in [1, 2, 10, 100] {
            let mut it = trails(0.5).unwrap();
            let mut density = it.eased.map(|_| 0.0);
            density.as_mut_slice()[1] = 2.0;
            for i in 1..=steps {
                it.tread(&density, f64::from(i) * 3.0 / f64::from(steps));
            }
            let share = it.wear[1] as f32 / FULL as f32;
            // Three seconds of two people, of which a little is grown over meanwhile.
            let all = 0.1 * 0.6 * 1.34 * 2.0 * 3.0;
            assert!((0.96 * all..=all).contains(&share), "{steps}: {share}");
            assert_eq!(it.wear[0], 0);
            density.as_mut_slice()[1] = 0.0;
            it.tread(&density, 63.0);
            let half = it.wear[1] as f32 / FULL as f32;
            assert!((half / share - 0.5).abs() < 1e-3, "{half} of {share}");
        }
    }

    /// If this fails, worn ground saves more or less than the scene says, or opens what is blocked.
    #[test]
    fn worn_ground_costs_less() {
        let mut it = trails(0.5).unwrap();
        let mut terrain = it.eased.map(|_| 2.0);
        terrain.as_mut_slice()[2] = f32::INFINITY;
        it.wear[1] = FULL;
        it.wear[2] = FULL;
        it.wear[3] = FULL / 2;
        assert_eq!(it.ease(&terrain).as_slice()[..4], [2.0, 1.0, f32::INFINITY, 1.5]);
        let density = it.eased.map(|_| 1e30);
        it.tread(&density, 1e6);
        assert!(it.wear.iter().all(|wear| *wear == FULL), "no more than bare soil");
    }
}
