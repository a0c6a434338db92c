//! Who decides in a step. People decide once in a reaction time and take turns, by their numbers; in a
//! dense crowd they decide more often, because there is less room for error. Who has just begun something
//! decides at once.

use std::ops::Range;

use throng_world::params::{AvoidParams, Model};

use crate::agents::{Agents, CHUNK};
use crate::bin::Bins;

/// Whether an agent decides in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It does not.
    #[default]
    No,
    /// It does, as it does once in the usual time.
    Usual,
    /// It does, as it does once in the shorter time of a dense crowd.
    Brisk,
}

/// Once in so many steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rhythm {
    period: u32,
    phase: u32,
    /// 2⁶⁴ / period, rounded up: tells multiples of the period without dividing (Lemire, Kaser and Kurz,
    /// "Faster remainder by direct computation", 2019, section 3.2): n is one when n × inverse < limit.
    inverse: u64,
    limit: u64,
}

impl Rhythm {
    fn new(seconds: f32, dt: f32, step: u64) -> Self {
        let period = ((seconds / dt).round() as u32).max(1);
        // 2⁶⁴ itself becomes 0, which makes every number a multiple of 1.
        let inverse = (u64::MAX / u64::from(period)).wrapping_add(1);
        let phase = (step % u64::from(period)) as u32;
        Self { period, phase, inverse, limit: inverse.max(1) }
    }

    #[inline(always)]
    fn is_for(self, id: u32) -> bool {
        let n = u64::from(id) + u64::from(self.phase);
        n.wrapping_mul(self.inverse) < self.limit
    }
}

/// The turns of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turns {
    usual: Rhythm,
    brisk: Rhythm,
    /// A crowd is dense from so many people per square metre on.
    dense: f32,
}

impl Turns {
    /// The turns of a step of `dt` seconds.
    pub(crate) fn new(params: &AvoidParams, dt: f32, step: u64) -> Self {
        let (usual, brisk) = match params.model {
            Model::Throng => (params.reaction, params.dense_reaction.min(params.reaction)),
            Model::Froblins => (0.0, 0.0),
        };
        Self {
            usual: Rhythm::new(usual, dt, step),
            brisk: Rhythm::new(brisk, dt, step),
            dense: params.dense,
        }
    }

    /// Steps from one decision of an agent to its next: in the usual and in a dense crowd.
    pub(crate) fn periods(self) -> (u32, u32) {
        (self.usual.period, self.brisk.period)
    }

    /// The place of the step in each of the two periods.
    #[cfg(feature = "gpu")]
    pub(crate) fn phases(self) -> (u32, u32) {
        (self.usual.phase, self.brisk.phase)
    }

    /// Writes whose turn it is. Goes along the rows of bins: those of a row lie side by side.
    pub(crate) fn find(self, bins: Bins<'_>, agents: &Agents, turns: &mut [Turn]) {
        let len = agents.len();
        let people =
            People { id: &agents.id[..len], x: &agents.x[..len], clip: &agents.clip[..len] };
        self.find_in_rows(bins, (0, bins.frame.rows), people, &mut turns[..len]);
    }

    fn find_in_rows(
        self,
        bins: Bins<'_>,
        (first, end): (usize, usize),
        people: People<'_>,
        turns: &mut [Turn],
    ) {
        if end - first > 1 && turns.len() > 2 * CHUNK {
            let middle = first.midpoint(end);
            let row = |row: usize| bins.start(row * bins.frame.columns);
            let cut = row(middle) - row(first);
            let (low, high) = turns.split_at_mut(cut);
            rayon::join(
                || self.find_in_rows(bins, (first, middle), people.part(0..cut), low),
                || self.find_in_rows(bins, (middle, end), people.part(cut..people.id.len()), high),
            );
            return;
        }
        let begin = bins.start(first * bins.frame.columns);
        let mut dense = [false; BLOCK];
        for row in first..end {
            for left in (0..bins.frame.columns).step_by(BLOCK) {
                let right = (left + BLOCK).min(bins.frame.columns);
                let (from, to) = bins.range(row, left, right - 1);
                let block = from - begin..to - begin;
                if block.is_empty() {
                    continue;
                }
                self.find_dense(bins, row, left, &mut dense[..right - left]);
                let turns = &mut turns[block.clone()];
                self.find_in_block(bins, left, &dense, people.part(block), turns);
            }
        }
    }

    /// Whose turn it is in a row of bins from `left` on. Without a branch: turns are too irregular to be
    /// guessed by a processor.
    fn find_in_block(
        self,
        bins: Bins<'_>,
        left: usize,
        dense: &[bool; BLOCK],
        people: People<'_>,
        turns: &mut [Turn],
    ) {
        for (((&id, &x), &clip), turn) in people.id.iter().zip(people.x).zip(people.clip).zip(turns)
        {
            let dense = dense[(bins.frame.column(x) - left) % BLOCK];
            // Who has just begun something does not wait for its turn.
            let begins = clip == 0.0;
            let usual = (self.usual.is_for(id) | begins) & !dense;
            let brisk = (self.brisk.is_for(id) | begins) & dense;
            *turn = TURNS[usize::from(usual) + 2 * usize::from(brisk)];
        }
    }

    /// In which bins of a row, from column `left` on, the crowd is dense.
    fn find_dense(self, bins: Bins<'_>, row: usize, left: usize, dense: &mut [bool]) {
        // People in a bin, from which on the crowd is dense.
        let each = self.dense * bins.frame.size * bins.frame.size;
        let mut people = [0; BLOCK];
        let people = &mut people[..dense.len()];
        bins.people_around(row, left, people);
        let room = &bins.room()[row * bins.frame.columns + left..];
        for ((&people, &room), dense) in people.iter().zip(room).zip(dense) {
            *dense = people as f32 > each * room;
        }
    }
}

/// By whether it is a usual turn (1) or a brisk one (2); both at once there are not.
const TURNS: [Turn; 4] = [Turn::No, Turn::Usual, Turn::Brisk, Turn::No];

/// So many bins of a row are looked at together.
const BLOCK: usize = 128;

/// Those of some bins.
#[derive(Clone, Copy)]
struct People<'a> {
    id: &'a [u32],
    x: &'a [f32],
    /// For how long it has been doing what it does (seconds).
    clip: &'a [f32],
}

impl People<'_> {
    fn part(&self, range: Range<usize>) -> Self {
        Self { id: &self.id[range.clone()], x: &self.x[range.clone()], clip: &self.clip[range] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{self, Dice, Layout};

    /// A wrong rhythm would leave somebody who never decides.
    #[test]
    fn everybody_has_a_turn_once_in_a_period() {
        for (seconds, dt) in
            [(0.15, 0.05), (0.1, 1.0 / 30.0), (0.2, 0.01), (0.1, 0.5), (0.35, 0.05)]
        {
            let period = u64::from(Rhythm::new(seconds, dt, 0).period);
            for id in [0, 1, 2, 3, 5, 100, 65_537, u32::MAX - 8, u32::MAX] {
                for step in 0..3 * period {
                    let expected = (u64::from(id) + step % period).is_multiple_of(period);
                    assert_eq!(Rhythm::new(seconds, dt, step).is_for(id), expected, "{id} {step}");
                }
            }
        }
    }

    /// If this fails, people in a crush are slow to decide, or those with room decide too often.
    #[test]
    fn turns_are_brisk_where_it_is_dense() {
        let mut dice = Dice::new(31);
        let mut seen = [0; 3];
        for k in 0..200 {
            let world = dice::world(&mut dice, false);
            let layout = Layout::ALL[k % Layout::ALL.len()];
            let (mut agents, binning) = dice::crowd(&mut dice, &world, layout, 400);
            // One in ten has just begun something.
            agents.clip.iter_mut().for_each(|c| *c = dice.below(10) as f32);
            let params = AvoidParams { dense: dice.between(0.05, 2.0), ..AvoidParams::default() };
            let (dt, step) = ([0.01, 0.05, 0.2][k % 3], dice.bits() >> 32);
            let mut turns = vec![Turn::default(); agents.len()];
            Turns::new(&params, dt, step).find(binning.bins(), &agents, &mut turns);
            let frame = binning.bins().frame;
            let bin = |i: usize| [frame.column(agents.x[i]) as i64, frame.row(agents.y[i]) as i64];
            for (i, turn) in turns.iter().enumerate() {
                let near = |&j: &usize| bin(i).iter().zip(bin(j)).all(|(a, b)| (a - b).abs() <= 1);
                let people = (0..agents.len()).filter(near).count();
                let [column, row] = bin(i).map(|at| at as usize);
                let room = binning.bins().count_around(column, row).1;
                let area = room * frame.size * frame.size;
                let dense = people as f32 > params.dense * area;
                let seconds = if dense { params.dense_reaction } else { params.reaction };
                let period = ((seconds / dt).round() as u64).max(1);
                let now = (u64::from(agents.id[i]) + step % period).is_multiple_of(period)
                    || agents.clip[i] == 0.0;
                let want =
                    [Turn::No, if dense { Turn::Brisk } else { Turn::Usual }][usize::from(now)];
                assert_eq!(*turn, want, "{i}: {people} in {area} m²");
                seen[want as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
    }
}
