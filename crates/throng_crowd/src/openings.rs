//! Opening hours: places of goals that open and close while it runs.

use throng_world::World;
use throng_world::world::{Opening, Place};

use crate::crowd::Crowd;
use crate::error::CrowdError;

/// A goal some of whose places are not always open.
#[derive(Clone, Debug)]
pub(crate) struct Timetable {
    goal: usize,
    /// All its places.
    places: Vec<Place>,
    openings: Vec<Opening>,
}

impl Timetable {
    fn open_places(&self, time: f64) -> Vec<Place> {
        let open = |place: usize| {
            let mut own = self.openings.iter().filter(|o| o.place as usize == place);
            own.all(|o| o.is_open(time))
        };
        let places = self.places.iter().enumerate();
        places.filter(|(i, _)| open(*i)).map(|(_, place)| place.clone()).collect()
    }

    /// Whether a place opens or closes after one time and not after another.
    fn changes(&self, after: f64, until: f64) -> bool {
        let between = |t: f32| f64::from(t) > after && f64::from(t) <= until;
        self.openings.iter().any(|o| between(o.hours.0) || between(o.hours.1))
    }
}

/// The timetables of a world, whose goals keep the places that are open at the start.
pub(crate) fn timetables(world: &mut World) -> Vec<Timetable> {
    let mut tables: Vec<Timetable> = Vec::new();
    for opening in &world.openings {
        let goal = usize::from(opening.goal);
        match tables.iter_mut().find(|t| t.goal == goal) {
            Some(table) => table.openings.push(*opening),
            None => {
                let places = world.goals[goal].places.clone();
                tables.push(Timetable { goal, places, openings: vec![*opening] });
            }
        }
    }
    for table in &tables {
        world.goals[table.goal].places = table.open_places(0.0);
    }
    tables
}

impl Crowd {
    /// Whether a place opens or closes before the next step of `dt` seconds.
    pub(crate) fn hours_change(&self, dt: f32) -> bool {
        // What changes at the very time of a step changes before it.
        let (after, until) = (self.time - f64::from(dt) * 0.5, self.time + f64::from(dt) * 0.5);
        self.timetables.iter().any(|t| t.changes(after, until))
    }

    /// Opens and closes what is due.
    pub(crate) fn open_and_close(&mut self, dt: f32) -> Result<(), CrowdError> {
        let (after, until) = (self.time - f64::from(dt) * 0.5, self.time + f64::from(dt) * 0.5);
        for k in 0..self.timetables.len() {
            if self.timetables[k].changes(after, until) {
                let table = &self.timetables[k];
                let (goal, places) = (table.goal, table.open_places(until));
                self.place_goal(goal, places)?;
            }
        }
        Ok(())
    }

    /// Somebody else says now where a goal is.
    pub(crate) fn forget_hours(&mut self, goal: usize) {
        self.timetables.retain(|t| t.goal != goal);
    }
}
