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

/// Whoever is farther ahead of somebody of its party than this, and the room of those between, slows down (metres),
pub(crate) const AHEAD: f32 = 1.0;
/// and from here on walks back, or hardly goes on where it is narrow.
pub(crate) const TOO_FAR: f32 = 1.2;
/// Room abreast that any party has (metres), and how much of what is beyond counts as being ahead.
pub(crate) const SIDE: f32 = 0.7;
pub(crate) const ASIDE: f32 = 0.5;
/// A party that gets on at less than this share of the speed of its slowest is in a jam, and keeps as close as it can.
pub(crate) const JAM: f32 = 0.4;
/// By how much faster it gets on, each has more room: abreast for each other of the party, and ahead for each behind but
/// one, in rows and in a file (seconds). And the most room abreast that comes of it (metres).
pub(crate) const ABREAST: f32 = 0.3;
pub(crate) const ROWS: f32 = 1.2;
pub(crate) const FILE: f32 = 2.5;
pub(crate) const WIDEST: f32 = 3.0;
/// More than this many others have no room near somebody without being in each other's way; what each of the
/// surplus needs (metres).
pub(crate) const CLOSE: f32 = 4.0;
pub(crate) const SURPLUS: f32 = 0.7;
/// So near to a wall they may have to go one behind the other, and so near they have to (metres).
pub(crate) const NARROW: f32 = 0.9;
pub(crate) const NARROWEST: f32 = 0.6;
/// How fast it walks back, as a share of the usual.
pub(crate) const BACK: f32 = 0.5;
/// And how fast on where it is narrow: it may stand before those it waits for, with strangers between.
pub(crate) const ON: f32 = 0.08;
/// Speeds in rows: steps to a metre per second.
pub(crate) const PER_SPEED: f32 = 8192.0;
/// Parties of streams that there is room for at a time; the next would share a place with the first.
const MOST_OF_STREAMS: usize = 1 << 14;

/// Where somebody of a party is: its place, its own speed and (above it) how fast it gets on, and when it wrote
/// that and what it did.
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
            let [x, y] = [agents.x[i], agents.y[i]].map(f32::to_bits);
            let going = Vec2::new(agents.vx[i], agents.vy[i]).length();
            let speed = packed(agents.speed[i]) | packed(going) << 16;
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
        let first = self.first(place);
        let rows = &self.rows[first..first + MOST_IN_PARTY as usize];
        // Those who are gone, or do something else, are not waited for.
        let here = || rows.iter().enumerate().filter(|(_, row)| row[3] == stamp);
        let (mut others, mut lively, mut slowest) = (0.0f32, own, own);
        for (k, row) in here() {
            slowest = slowest.min(unpacked(row[2] & 0xffff));
            if k as u32 != place % MOST_IN_PARTY {
                others += 1.0;
                lively = lively.min(unpacked(row[2] >> 16));
            }
        }
        // People who walk keep more room than people in a jam, where strangers would come between.
        let lively = (lively - JAM * slowest).max(0.0);
        let abreast = SIDE + (others * ABREAST * lively).min(WIDEST);
        let (mut ahead, mut behind, mut file) = (0.0f32, 0.0f32, 0.0f32);
        let mut last = p;
        for (_, row) in here() {
            let [x, y] = [row[0], row[1]].map(f32::from_bits);
            let lead = (p.x - x) * way.x + (p.y - y) * way.y;
            let aside = ((p.x - x) * way.y - (p.y - y) * way.x).abs();
            behind = behind.max(-lead);
            file += (lead / SIDE).clamp(0.0, 1.0);
            // At a door the others may come from the other side.
            let apart = lead + (aside - abreast).max(0.0) * ASIDE;
            if apart > ahead {
                (ahead, last) = (apart, Vec2::new(x, y));
            }
        }
        let narrow = ((NARROW - wall) / (NARROW - NARROWEST)).clamp(0.0, 1.0);
        let in_rows = ROWS * lively + SURPLUS * (others - CLOSE).max(0.0) / others.max(1.0);
        let room = in_rows + (FILE * lively - in_rows) * narrow;
        let ahead = ahead - (file - 1.0).max(0.0) * room;
        // Whoever is behind may catch up.
        let share = if behind > SIDE { 1.0 } else { slowest / own.max(1e-6) };
        let waits = ((ahead - AHEAD) / (TOO_FAR - AHEAD)).clamp(0.0, 1.0).min(1.0 - ON * narrow);
        // In a passage it does not walk back: it would be in the way of those it waits for.
        let back = waits * BACK * (1.0 - narrow);
        (way * (1.0 - waits) + (last - p).normalize_or_zero() * back) * share
    }
}

/// A speed as rows have it.
fn packed(speed: f32) -> u32 {
    (speed * PER_SPEED + 0.5).clamp(0.0, 65535.0) as u32
}

fn unpacked(speed: u32) -> f32 {
    speed as f32 / PER_SPEED
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

    /// A row for somebody at a place, with its own speed and how fast it gets on.
    fn row(p: Vec2, speed: f32, going: f32) -> Row {
        [p.x.to_bits(), p.y.to_bits(), packed(speed) | packed(going) << 16, STAMP]
    }

    /// A party of two on the way along x: one at the origin at 1.25 m/s, the other so far behind it at 0.5 m/s.
    fn pair(behind: f32) -> Parties {
        let mut parties = Parties::with_room(1);
        parties.rows[0] = row(Vec2::ZERO, 1.25, 0.5);
        parties.rows[1] = row(Vec2::X * -behind, 0.5, 0.5);
        parties
    }

    /// If this fails, parties come apart, or one who waits in a door keeps out those it waits for.
    #[test]
    fn who_is_far_ahead_walks_back_but_goes_slowly_on_in_a_passage() {
        let ahead = |behind: f32, wall: f32| {
            pair(behind).company((0, STAMP), Vec2::ZERO, Vec2::X, 1.25, wall)
        };
        let (open, passage) = (5.0, 0.4);
        assert!(ahead(2.0, open).x < -0.1, "walks back: {}", ahead(2.0, open));
        let on = Vec2::X * (ON * 0.4);
        assert!((ahead(2.0, passage) - on).length() < 1e-4, "{}", ahead(2.0, passage));
        for wall in [open, passage] {
            let near = ahead(0.3, wall);
            assert!((near - Vec2::X * 0.4).length() < 1e-4, "as fast as the slowest: {near}");
        }
    }

    /// If this fails, people wait for others of their party who are right beside or behind them, and nobody gets on.
    #[test]
    fn a_party_that_gets_on_has_room_and_one_in_a_jam_keeps_close() {
        let first = |going: f32, wall: f32| {
            let mut parties = Parties::with_room(1);
            // Three abreast, with half a metre between, and two in a second row.
            let places = [(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (-1.5, 0.5), (-1.5, -0.5)];
            for (k, (x, y)) in places.into_iter().enumerate() {
                parties.rows[k] = row(Vec2::new(x, y), 1.25, going);
            }
            parties.company((0, STAMP), Vec2::ZERO, Vec2::X, 1.25, wall)
        };
        for wall in [5.0, 0.4] {
            assert_eq!(first(1.2, wall), Vec2::X, "{wall} m from a wall");
        }
        let jam = first(0.1, 5.0);
        assert!(jam.length() < 0.5, "{jam}");
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
