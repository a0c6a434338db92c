//! Going back in time: states of the past are kept, and what was done after one of them is done again on the
//! way to any step.

use std::collections::VecDeque;
use std::time::Instant;

use throng_world::Params;

use super::{BUDGET, Looker, Session, SessionError};
use crate::Backend;
use crate::command::{Command, Entry};

/// States kept by themselves, at most; with each doubling of their distance every other one is dropped.
const MOST: usize = 8;
/// Simulated seconds from one to the next, at first.
const EVERY: f64 = 10.0;
/// States that people have kept, at most.
const MOST_NAMED: usize = 16;

/// A state of the past.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its number, if somebody asked for it.
    pub number: Option<u64>,
    /// Its step.
    pub step: u64,
    /// Its simulated time (seconds).
    pub time: f64,
    bytes: Vec<u8>,
    params: Params,
    /// The log then.
    entries: Vec<(u64, Entry)>,
}

/// What is kept.
#[derive(Debug)]
pub(super) struct Back {
    states: Vec<Kept>,
    every: f64,
    next: f64,
    numbers: u64,
    /// Room of states that were dropped, for those to come: memory stays at what the most of them take.
    spare: Vec<Vec<u8>>,
}

impl Default for Back {
    fn default() -> Self {
        Self { states: Vec::new(), every: EVERY, next: 0.0, numbers: 0, spare: Vec::new() }
    }
}

/// A step to go to, with what is to be done on the way.
#[derive(Debug)]
pub(super) struct Errand {
    to: u64,
    again: VecDeque<(u64, Command)>,
}

impl Session {
    /// Keeps the state as it is now, to go back to; gives its number. On the GPU this waits.
    ///
    /// # Errors
    /// Nothing can be kept, or too much is.
    pub fn keep(&mut self) -> Result<u64, SessionError> {
        let kept = self.state()?;
        let Some(back) = &mut self.back else {
            return Err(SessionError::NoWay("this session keeps no states".into()));
        };
        if back.states.iter().filter(|s| s.number.is_some()).count() >= MOST_NAMED {
            let most = format!("{MOST_NAMED} states are kept, and there is no room for more");
            return Err(SessionError::NoWay(most));
        }
        back.numbers += 1;
        back.states.push(Kept { number: Some(back.numbers), ..kept });
        Ok(back.numbers)
    }

    /// States that somebody asked to keep.
    pub fn kept(&self) -> impl Iterator<Item = &Kept> {
        self.back.iter().flat_map(|back| &back.states).filter(|state| state.number.is_some())
    }

    /// Bytes of all states that are kept.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.back.iter().flat_map(|back| &back.states).map(|state| state.bytes.len()).sum()
    }

    /// Lets go of a kept state.
    ///
    /// # Errors
    /// There is none of this number.
    pub fn forget(&mut self, number: u64) -> Result<(), SessionError> {
        let at = self.find(|state| state.number == Some(number))?;
        if let Some(back) = &mut self.back {
            back.states.remove(at);
        }
        Ok(())
    }

    /// Puts the crowd back to a kept state. What was done since never happened, for it and its log.
    ///
    /// # Errors
    /// There is none of this number; the log cannot be written.
    pub fn restore(&mut self, number: u64) -> Result<(), SessionError> {
        let at = self.find(|state| state.number == Some(number))?;
        self.put_back(at)
    }

    /// Puts the crowd back to its beginning.
    ///
    /// # Errors
    /// As [`Session::restore`].
    pub fn reset(&mut self) -> Result<(), SessionError> {
        let at = self.find(|state| state.step == 0 && state.entries.is_empty())?;
        self.put_back(at)
    }

    /// Goes to a step, forward or back, as fast as it can: over the next calls of [`Session::advance`], until
    /// [`Session::on_its_way`] says no more. On the way back to a step all commands before it are done again.
    ///
    /// # Errors
    /// No state is kept from which one could get there.
    pub fn go_to(&mut self, step: u64) -> Result<(), SessionError> {
        let mut again = VecDeque::new();
        if step < self.steps() {
            let now = self.log.entries();
            let mine = |state: &Kept| state.step <= step && now.starts_with(&state.entries);
            let states = self.back.iter().flat_map(|back| &back.states).enumerate();
            let nearest = states.filter(|(_, s)| mine(s)).max_by_key(|(_, s)| s.step);
            let no_way = || SessionError::NoWay(format!("there is no way back to step {step}"));
            let (at, state) = nearest.ok_or_else(no_way)?;
            let since = now[state.entries.len()..].iter().filter(|(s, _)| *s < step);
            again.extend(since.filter_map(|(s, entry)| match entry {
                Entry::Command(command) => Some((*s, command.clone())),
                Entry::Checkpoint(_) => None,
            }));
            self.put_back(at)?;
        }
        self.errand = Some(Errand { to: step, again });
        Ok(())
    }

    /// The step that it is on its way to, if it is.
    #[must_use]
    pub fn on_its_way(&self) -> Option<u64> {
        self.errand.as_ref().map(|errand| errand.to)
    }

    /// Some steps of the way, as long as a frame may take.
    pub(super) fn run_errand(&mut self, look: Looker<'_>) -> Result<u32, SessionError> {
        let (began, mut made) = (Instant::now(), 0);
        while let Some(mut errand) = self.errand.take() {
            let now = self.steps();
            while errand.again.front().is_some_and(|(step, _)| *step <= now) {
                if let Some((_, command)) = errand.again.pop_front() {
                    self.command(&command)?;
                }
            }
            if now >= errand.to {
                self.owed = 0.0;
                break;
            }
            self.step()?;
            look(&mut self.simulation)?;
            made += 1;
            self.errand = Some(errand);
            if began.elapsed() > BUDGET {
                break;
            }
        }
        Ok(made)
    }

    /// Keeps a state if it is time for one.
    pub(super) fn keep_if_due(&mut self) -> Result<(), SessionError> {
        let time = self.time();
        if self.back.as_ref().is_none_or(|back| time < back.next) {
            return Ok(());
        }
        let mut kept = self.state()?;
        let Some(back) = &mut self.back else { return Ok(()) };
        let own = |state: &Kept| state.number.is_none();
        if back.states.iter().filter(|s| own(s)).count() >= MOST {
            back.every *= 2.0;
            let mut place = 0;
            back.states.retain_mut(|state| {
                place += usize::from(own(state));
                let stays = !own(state) || place % 2 == 1;
                if !stays {
                    back.spare.push(std::mem::take(&mut state.bytes));
                }
                stays
            });
        }
        if let Some(mut room) = back.spare.pop() {
            room.clear();
            room.extend_from_slice(&kept.bytes);
            kept.bytes = room;
        }
        back.states.push(kept);
        back.next = time + back.every;
        Ok(())
    }

    fn state(&mut self) -> Result<Kept, SessionError> {
        let crowd = self.simulation.crowd()?;
        let (step, time) = (crowd.steps(), crowd.time());
        let (bytes, params) = (crowd.snapshot(), crowd.params().clone());
        let entries = self.log.entries().to_vec();
        Ok(Kept { number: None, step, time, bytes, params, entries })
    }

    fn find(&self, wanted: impl Fn(&Kept) -> bool) -> Result<usize, SessionError> {
        let found = self.back.as_ref().and_then(|back| back.states.iter().position(wanted));
        found.ok_or_else(|| SessionError::NoWay("there is no such state to go back to".into()))
    }

    fn put_back(&mut self, at: usize) -> Result<(), SessionError> {
        let Some(back) = &mut self.back else { return Ok(()) };
        let state = back.states[at].clone();
        self.simulation.restore(&state.bytes)?;
        self.simulation.set_params(state.params)?;
        // Those of a future that will not be are of no use; what people have kept is theirs.
        let held =
            |kept: &Kept| state.entries.starts_with(&kept.entries) && kept.step <= state.step;
        back.states.retain(|kept| kept.number.is_some() || held(kept));
        back.next = state.time + back.every;
        self.log.put_back(state.step, &state.entries)?;
        (self.errand, self.owed) = (None, 0.0);
        self.ground_changed = true;
        if self.simulation.backend() == Backend::Gpu {
            self.tell("on the GPU a crowd that was put back goes on a little differently".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::command::{Command, CommandLog, Point, Replay};
    use crate::{BuildOptions, Scene, Session, SessionOptions, Simulation, SimulationOptions};
    use std::time::Duration;

    fn simulation() -> Simulation {
        let world = Scene::open("bottleneck").unwrap().build(&BuildOptions::default()).unwrap();
        Simulation::new(world, SimulationOptions::default()).unwrap()
    }

    fn session(commands: Option<std::path::PathBuf>) -> Session {
        let options = SessionOptions { commands, can_go_back: true, ..SessionOptions::default() };
        Session::new(simulation(), options).unwrap()
    }

    fn arrive(session: &mut Session) {
        while session.on_its_way().is_some() {
            session.advance(Duration::ZERO).unwrap();
        }
    }

    /// The run of a log, to its end.
    fn repeat(text: &str) -> u64 {
        let mut replay = Replay::new(CommandLog::parse(text, "a log").unwrap());
        let mut simulation = simulation();
        while !replay.catch_up(&mut simulation).unwrap().is_over() {
            simulation.step(replay.head().dt).unwrap();
        }
        assert!(replay.progress().checkpoints > 0);
        simulation.crowd().unwrap().hash()
    }

    /// If this fails, going back does not lead to what was, parameters are forgotten, or the log of a session
    /// with detours does not repeat it: the one in memory or the one in the file.
    #[test]
    fn a_session_that_goes_back_repeats_from_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        let mut session = session(Some(file.clone()));
        let step = |session: &mut Session, n| (0..n).for_each(|_| session.step().unwrap());
        step(&mut session, 30);
        let set = |value| Command::SetParameter { name: "avoid.time_gap".into(), value };
        session.carry_out(&set(2.5)).unwrap();
        step(&mut session, 30);
        let hash = session.crowd().unwrap().hash();
        let number = session.keep().unwrap();
        session.carry_out(&set(0.6)).unwrap();
        let agent = session.crowd().unwrap().ids()[0];
        session.carry_out(&Command::Retarget { agent, to: Point(1.0, 1.0) }).unwrap();
        step(&mut session, 250);
        let later = session.crowd().unwrap().hash();
        session.go_to(60).unwrap();
        arrive(&mut session);
        assert_eq!((session.steps(), session.crowd().unwrap().hash()), (60, hash), "by redoing");
        step(&mut session, 5);
        session.restore(number).unwrap();
        assert_eq!((session.steps(), session.crowd().unwrap().hash()), (60, hash), "by restoring");
        session.carry_out(&set(0.6)).unwrap();
        session.carry_out(&Command::Retarget { agent, to: Point(1.0, 1.0) }).unwrap();
        session.go_to(310).unwrap();
        arrive(&mut session);
        assert_eq!(session.crowd().unwrap().hash(), later, "the same again");
        session.reset().unwrap();
        assert_eq!(session.steps(), 0);
        let usual = throng_world::params::AvoidParams::default().time_gap;
        assert_eq!(session.crowd().unwrap().params().avoid.time_gap, usual);
        session.restore(number).unwrap();
        step(&mut session, 20);
        let end = session.checkpoint().unwrap();
        assert_eq!(repeat(&session.log().text()), end);
        assert_eq!(repeat(&std::fs::read_to_string(&file).unwrap()), end);
        assert!(session.restore(99).is_err());
        assert!(session.forget(number).is_ok() && session.restore(number).is_err());
    }

    /// If this fails, hazards of a past that never was are felt by whoever sets a goal after going back.
    #[test]
    fn a_goal_that_is_set_after_going_back_knows_nothing_of_what_was_undone() {
        let gas = |x: f32| Command::PlaceHazard {
            hazard: crate::command::HazardSpec {
                name: "gas".into(),
                color: [0; 3],
                path: vec![Point(x, 5.0)],
                speed: 0.0,
                closed: false,
                radius: 4.0,
                strength: 9.0,
                fear_radius: 1.0,
                from: None,
                until: None,
            },
        };
        let shape = crate::command::ShapeSpec::Disc { centre: Point(2.0, 2.0), radius: 1.0 };
        let places = vec![crate::command::PlaceSpec { shape, fuzz: 0.0, capacity: None }];
        let goal = Command::SetGoal { goal: 0, places };
        let run = |detour: bool| {
            let mut session = session(None);
            session.carry_out(&gas(4.0)).unwrap();
            (0..12).for_each(|_| session.step().unwrap());
            let state = session.keep().unwrap();
            if detour {
                session.carry_out(&gas(8.0)).unwrap();
                (0..14).for_each(|_| session.step().unwrap());
                session.restore(state).unwrap();
            }
            session.carry_out(&goal).unwrap();
            (0..6).for_each(|_| session.step().unwrap());
            session.crowd().unwrap().hash()
        };
        assert_eq!(run(true), run(false));
    }

    /// If this fails, a long session keeps ever more states, or none that is near.
    #[test]
    fn states_are_kept_ever_more_sparsely() {
        let mut session = session(None);
        for _ in 0..6000 {
            session.step().unwrap();
        }
        let states = &session.back.as_ref().unwrap().states;
        assert!(states.len() <= super::MOST && states.len() >= super::MOST / 2, "{}", states.len());
        assert_eq!(states[0].step, 0);
    }
}
