//! Parties: people who stay together.
//!
//! A party walks as fast as its slowest, and whoever gets ahead waits for those behind (as real groups do:
//! Moussaïd et al., "The walking behaviour of pedestrian social groups", 2010, find them slower than people
//! alone, and never more than a few metres apart). Everybody in a party has a place in a table, where it
//! writes down where it is before anybody decides; nobody is looked for.

use glam::Vec2;
use throng_world::World;
use throng_world::world::{Amount, MOST_IN_PARTY, Party, Seek};

use crate::agents::{Agents, NONE};
use crate::spawn::Spawner;
use crate::tables::{Tables, seek_code};

/// Whoever is farther ahead of somebody of its party than this slows down (metres); at twice this it walks
/// back, or stands where it is narrow.
pub(crate) const AHEAD: f32 = 0.7;
/// How much of the distance aside, beyond the same, counts besides.
pub(crate) const ASIDE: f32 = 0.5;
/// So near to a wall they may have to go one behind the other (metres).
pub(crate) const NARROW: f32 = 0.6;
/// Room for one more in a file (metres).
pub(crate) const FILE: f32 = 0.35;
/// How fast it walks back, as a share of the usual.
pub(crate) const BACK: f32 = 0.5;
/// Parties of streams that there is room for at a time; the next would share a place with the first.
const MOST_OF_STREAMS: usize = 1 << 14;

/// Where somebody of a party is: its place, its own speed, and when it wrote that and what it did.
pub(crate) type Row = [u32; 4];

/// Where everybody in a party is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parties {
    /// A row for each, as many to a party as it can have people. Empty where there are no parties.
    pub(crate) rows: Vec<Row>,
    parties: usize,
}

impl Parties {
    pub(crate) fn new(world: &World, spawner: &Spawner) -> Self {
        if world.spawns.iter().all(|spawn| spawn.party == Party::None) {
            return Self::default();
        }
        let streams = |s: &throng_world::world::Spawn| {
            s.party != Party::None && matches!(s.amount, Amount::Rate { .. })
        };
        let least = if world.spawns.iter().any(streams) { MOST_OF_STREAMS } else { 1 };
        let parties = (spawner.parties as usize).max(least).next_power_of_two();
        Self { rows: vec![[NONE; 4]; parties * MOST_IN_PARTY as usize], parties }
    }

    #[cfg(test)]
    pub(crate) fn with_room(parties: usize) -> Self {
        Self { rows: vec![[NONE; 4]; parties * MOST_IN_PARTY as usize], parties }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many parties there is room for.
    #[cfg(feature = "gpu")]
    pub(crate) fn len(&self) -> usize {
        self.parties
    }

    /// The first row of a party, of somebody's place in it.
    #[inline]
    fn first(&self, place: u32) -> usize {
        (place / MOST_IN_PARTY) as usize % self.parties * MOST_IN_PARTY as usize
    }

    /// Everybody writes down where it is.
    pub(crate) fn meet(&mut self, agents: &Agents, tables: &Tables, step: u64) {
        for i in 0..agents.len() {
            let place = agents.party[i];
            if place == NONE || agents.is_down(i) {
                continue;
            }
            let at = self.first(place) + (place % MOST_IN_PARTY) as usize;
            let [x, y, speed] = [agents.x[i], agents.y[i], agents.speed[i]].map(f32::to_bits);
            let seek = tables.actions[usize::from(agents.traits[i].action)].seek;
            self.rows[at] = [x, y, speed, stamp(step, seek)];
        }
    }

    /// Where somebody of a party who would go `way` at its `own` speed goes instead, as a share of that
    /// speed; `wall` is how far the nearest wall is (metres).
    pub(crate) fn company(
        &self,
        (place, stamp): (u32, u32),
        p: Vec2,
        way: Vec2,
        own: f32,
        wall: f32,
    ) -> Vec2 {
        if place == NONE || self.rows.is_empty() {
            return way;
        }
        let (mut slowest, mut ahead, mut behind, mut file) = (own, 0.0f32, 0.0f32, 0.0f32);
        let mut last = p;
        let first = self.first(place);
        for row in &self.rows[first..first + MOST_IN_PARTY as usize] {
            // Those who are gone, or do something else, are not waited for.
            if row[3] != stamp {
                continue;
            }
            let [x, y, speed] = [row[0], row[1], row[2]].map(f32::from_bits);
            let lead = (p.x - x) * way.x + (p.y - y) * way.y;
            let aside = ((p.x - x) * way.y - (p.y - y) * way.x).abs();
            slowest = slowest.min(speed);
            behind = behind.max(-lead);
            // At a door the others may come from the other side.
            let apart = lead + (aside - AHEAD).max(0.0) * ASIDE;
            file += if lead > 0.0 { FILE } else { 0.0 };
            if apart > ahead {
                (ahead, last) = (apart, Vec2::new(x, y));
            }
        }
        // Where they can only go one behind the other, more of them are farther apart.
        let narrow = wall < NARROW;
        let ahead = if narrow { ahead - (file - FILE).max(0.0) } else { ahead };
        // Whoever is behind may catch up.
        let share = if behind > AHEAD { 1.0 } else { slowest / own.max(1e-6) };
        let waits = (ahead / AHEAD - 1.0).clamp(0.0, 1.0);
        // In a passage it stands: on its way back it would be in the way of those it waits for.
        let back = if narrow { 0.0 } else { waits * BACK };
        (way * (1.0 - waits) + (last - p).normalize_or_zero() * back) * share
    }
}

/// Bits of a stamp that say which goal; those above say what kind of aim, then when.
pub(crate) const GOAL_BITS: u32 = 6;
/// Bits of a stamp that say what somebody was after.
pub(crate) const AIM_BITS: u32 = GOAL_BITS + 2;

/// When somebody was after what, in one word. People of different groups have different actions for the
/// same aim; goals beyond 64 share a number.
#[inline]
pub(crate) fn stamp(step: u64, seek: Seek) -> u32 {
    let (kind, goal) = seek_code(seek);
    (step as u32) << AIM_BITS | kind << GOAL_BITS | (goal % (1 << GOAL_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: u32 = 7;

    /// A party of two on the way along x: one at the origin at 1.25 m/s, the other so far behind it at 0.5 m/s.
    fn pair(behind: f32) -> Parties {
        let mut parties = Parties::with_room(1);
        let row = |x: f32, speed: f32| [x.to_bits(), 0.0f32.to_bits(), speed.to_bits(), STAMP];
        parties.rows[0] = row(0.0, 1.25);
        parties.rows[1] = row(-behind, 0.5);
        parties
    }

    /// If this fails, parties come apart, or one who waits in a door keeps out those it waits for.
    #[test]
    fn who_is_far_ahead_walks_back_but_stands_in_a_passage() {
        let ahead = |behind: f32, wall: f32| {
            pair(behind).company((0, STAMP), Vec2::ZERO, Vec2::X, 1.25, wall)
        };
        let (open, passage) = (5.0, 0.4);
        assert!(ahead(2.0, open).x < -0.1, "walks back: {}", ahead(2.0, open));
        assert_eq!(ahead(2.0, passage), Vec2::ZERO, "stands");
        for wall in [open, passage] {
            let near = ahead(0.3, wall);
            assert!((near - Vec2::X * 0.4).length() < 1e-6, "as fast as the slowest: {near}");
        }
    }

    /// If this fails, whoever has fallen behind never catches up.
    #[test]
    fn who_is_behind_goes_at_its_own_speed() {
        let mut parties = pair(0.0);
        parties.rows[1][0] = 2.0f32.to_bits();
        let way = parties.company((0, STAMP), Vec2::ZERO, Vec2::X, 1.25, 5.0);
        assert_eq!(way, Vec2::X);
        parties.rows[1][3] = STAMP + 1;
        parties.rows[1][0] = (-3.0f32).to_bits();
        let alone = parties.company((0, STAMP), Vec2::ZERO, Vec2::X, 1.25, 5.0);
        assert_eq!(alone, Vec2::X, "who is gone is not waited for");
    }
}
