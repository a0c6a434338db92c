//! Doors, lifts and opening hours.

use super::{Builder, vec2};
use crate::scene::data::{GoalData, PartyData, ShapeData, SpawnData};
use crate::scene::problem::quoted;
use crate::world::{Door, Lift, MOST_IN_PARTY, Opening, Party, Shape, World};
use glam::DVec2;

/// A door must be at least this wide (metres).
const NARROWEST: f32 = 0.1;

/// Cabins of a lift may differ by this much in size (metres).
const SAME_SIZE: f32 = 0.01;

impl Builder<'_> {
    pub(super) fn passages(&mut self, world: &mut World) {
        let length = self.scale.length;
        for (i, door) in self.data.door.iter().enumerate() {
            let ends = door.line.map(|p| vec2(DVec2::from(p) * length));
            if ends[0].distance(ends[1]) < NARROWEST {
                let what = "its ends are less than 0.1 m apart";
                self.findings.add(format!("door[{i}].line"), what, "give the two ends of the door");
            }
            world.doors.push(Door { ends, flow: door.flow });
        }
        for (i, lift) in self.data.lift.iter().enumerate() {
            let key = format!("lift[{i}]");
            let from = self.cabin(&lift.from, &format!("{key}.from"));
            let to = self.cabin(&lift.to, &format!("{key}.to"));
            let (Some(from), Some(to)) = (from, to) else { continue };
            let other = (from.bounds().size() - to.bounds().size()).abs().max_element();
            if other > SAME_SIZE {
                let cure = "give the same shape at another place";
                self.findings.add(format!("{key}.to"), "it is not as large as `from`", cure);
            }
            world.lifts.push(Lift {
                cabins: [from, to],
                seconds: lift.seconds,
                capacity: lift.capacity,
                dwell: lift.dwell,
            });
        }
    }

    fn cabin(&mut self, shape: &ShapeData, key: &str) -> Option<Shape> {
        let before = self.findings.0.len();
        let mut shapes = self.shapes(shape, key);
        if self.findings.0.len() > before {
            return None;
        }
        if shapes.len() != 1 || shapes[0].area() <= 0.0 {
            self.findings.add(key, "a cabin is one area", "give a `rect`, `disc` or `polygon`");
            return None;
        }
        shapes.pop()
    }

    /// When the places of a goal are open, of those that are not always; `made` is how many places each of
    /// those written out has become.
    pub(super) fn openings(
        &mut self,
        goal: &GoalData,
        index: usize,
        made: &[usize],
    ) -> Vec<Opening> {
        let mut openings = Vec::new();
        let written: usize = made.iter().sum();
        // A shape of the goal's own comes first, and is always open.
        let others = usize::from(crate::scene::refs::shape_given(&goal.shape));
        let mut place = 0;
        for (k, given) in goal.places.iter().enumerate() {
            let hours = (given.from, given.until.unwrap_or(f32::INFINITY));
            if hours.0 >= hours.1 {
                let key = format!("goal[{index}].places[{k}].until");
                self.findings.add(key, "it closes before it opens", "give a time after `from`");
            }
            for _ in 0..made[k] {
                if hours != (0.0, f32::INFINITY) {
                    openings.push(Opening { goal: index as u16, place, hours });
                }
                place += 1;
            }
        }
        let all = others == 0 && goal.scatter.is_none() && openings.len() == written;
        if !all || openings.is_empty() {
            return openings;
        }
        let times = openings.iter().flat_map(|o| [o.hours.0, o.hours.1]).chain([0.0]);
        let closed = |t: &f32| t.is_finite() && !openings.iter().any(|o| o.is_open(f64::from(*t)));
        if let Some(time) = times.filter(closed).reduce(f32::min) {
            let what = format!("no place of {} is open at {time} s", quoted(&goal.name));
            let cure = "leave one open, or give it other hours";
            self.findings.add(format!("goal[{index}].places"), what, cure);
        }
        openings
    }

    /// Who of a spawn stays together.
    pub(super) fn party(&mut self, spawn: &SpawnData) -> Party {
        match &spawn.party {
            None => Party::None,
            Some(PartyData::Size(size)) => Party::Of(*size),
            Some(PartyData::Named(name)) => {
                // Numbered by the first spawn of the name.
                let same = |s: &SpawnData| s.party == Some(PartyData::Named(name.clone()));
                let first = self.data.spawn.iter().position(same).unwrap_or(0);
                Party::Shared(first as u32)
            }
        }
    }

    /// Notes parties that are too many, or whose number nobody knows.
    pub(super) fn check_parties(&mut self, counts: &[u32]) {
        for (i, spawn) in self.data.spawn.iter().enumerate() {
            let Some(PartyData::Named(name)) = &spawn.party else { continue };
            let key = format!("spawn[{i}].party");
            if spawn.rate.is_some() || spawn.density.is_some() {
                let what = "a party of a name needs a number of people";
                self.findings.add(key, what, "give `count`, or the size of parties as a number");
                continue;
            }
            let same = self.data.spawn.iter().zip(counts);
            let same = same.filter(|(s, _)| s.party == spawn.party);
            let people: u32 = same.map(|(_, count)| *count).sum();
            if people > MOST_IN_PARTY {
                let what = format!("party {} has {people} people", quoted(name));
                self.findings.add(key, what, format!("give it at most {MOST_IN_PARTY}"));
            }
        }
    }
}
