//! What clients can do to a living crowd, and ask of it.

use serde_json::{Value, json};
use throng::command::Effect;
use throng::world::world::Seek;
use throng::{AgentId, Command, Waiting};

use super::super::gauges::{MOST_CORNERS, MOST_GAUGES, draw_gauge};
use super::{Live, internal, refused, session_fault};
use crate::protocol::{AgentNote, Fault, FaultCode, Field, FieldKind, Shape};

/// Steps that can be asked for at once.
const MOST_STEPS: u32 = 1000;
/// So far ahead one can ask for (steps).
const FARTHEST: u64 = 100_000;
/// People that may be added by hand.
const MOST_PEOPLE: usize = 1_000_000;
/// Commands in a log, at most: beyond, it fills the memory.
const MOST_COMMANDS: usize = 100_000;
/// Hazards, at most.
const MOST_HAZARDS: usize = 64;
/// Walls, at most.
const MOST_WALLS: usize = 10_000;
/// A log larger than this is not sent as an answer (bytes).
const LARGEST_LOG: usize = 8 << 20;

impl Live {
    pub(super) fn command(&mut self, command: &Command) -> Result<Value, Fault> {
        if let Some(step) = self.session.on_its_way() {
            let text = format!("the crowd is on its way to step {step}");
            return Err(Fault::new(FaultCode::Busy, text));
        }
        if self.session.log().entries().len() >= MOST_COMMANDS {
            return Err(refused(format!("{MOST_COMMANDS} commands are enough for one log")));
        }
        self.check_room(command)?;
        let effect = self.session.carry_out(command).map_err(session_fault)?;
        if self.session.take_ground_changed() {
            self.ground_changed()?;
        }
        let mut answer = self.done();
        match effect {
            Effect::Done => {}
            Effect::Agent(agent) => answer["agent"] = agent.0.into(),
            Effect::Hazard(hazard) => answer["hazard"] = hazard.number().into(),
        }
        Ok(answer)
    }

    /// Refuses what would fill the memory.
    fn check_room(&mut self, command: &Command) -> Result<(), Fault> {
        let crowd = self.crowd()?;
        let full = |what: &str, most: usize| Err(refused(format!("there are {most} {what}")));
        match command {
            Command::Spawn { .. } if crowd.len() >= MOST_PEOPLE => full("people", MOST_PEOPLE),
            Command::PlaceHazard { hazard } => {
                if hazard.path.len() > MOST_CORNERS || hazard.name.len() > 100 {
                    return Err(refused("a hazard has a short name and a short way"));
                }
                match crowd.hazards_by_id().count() >= MOST_HAZARDS {
                    true => full("hazards", MOST_HAZARDS),
                    false => Ok(()),
                }
            }
            Command::AddWall { outer, holes } => {
                let corners = outer.len() + holes.iter().map(Vec::len).sum::<usize>();
                if corners > MOST_CORNERS {
                    return Err(refused(format!("a wall has at most {MOST_CORNERS} corners")));
                }
                match crowd.world().walls.len() >= MOST_WALLS {
                    true => full("walls", MOST_WALLS),
                    false => Ok(()),
                }
            }
            Command::SetGoal { places, .. } if places.len() > MOST_GAUGES => {
                Err(refused(format!("a goal has at most {MOST_GAUGES} places")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn ground_changed(&mut self) -> Result<(), Fault> {
        self.revision += 1;
        let crowd = self.session.crowd().map_err(internal)?;
        self.watch.tapes.walls_changed(crowd);
        Ok(())
    }

    /// Time has jumped.
    pub(super) fn jumped(&mut self) -> Result<Value, Fault> {
        self.watch.gauges.start_over();
        self.watch.waiting = Waiting::default();
        if self.watch.tapes.end()?.is_some() {
            self.session.tell("the recording has ended: time has gone back".into());
        }
        self.session.take_ground_changed();
        self.revision += 1;
        let crowd = self.session.crowd().map_err(internal)?;
        self.watch.gauges.prime(&self.columns.frame(crowd));
        Ok(self.done())
    }

    pub(super) fn draw(&mut self, shape: Shape) -> Result<Value, Fault> {
        let number = draw_gauge(&mut self.watch.gauges, shape)?;
        // From here on: where everybody stands now is where they come from.
        let crowd = self.session.crowd().map_err(internal)?;
        self.watch.gauges.prime(&self.columns.frame(crowd));
        let mut answer = self.done();
        answer["gauge"] = number.into();
        Ok(answer)
    }

    pub(super) fn agent(&mut self, agent: u32) -> Result<Value, Fault> {
        let crowd = self.crowd()?;
        let missing = || refused(format!("there is nobody with the number {agent}"));
        let state = crowd.agent(AgentId(agent)).ok_or_else(missing)?;
        let world = crowd.world();
        let goal = match state.seek {
            Seek::Nothing => "stays here".to_owned(),
            Seek::Away => "away from danger".to_owned(),
            Seek::Target => "its own target".to_owned(),
            Seek::Goal(goal) => {
                world.goals.get(usize::from(goal)).map_or_else(String::new, |g| g.name.clone())
            }
        };
        let name = |name: Option<&String>| name.cloned().unwrap_or_default();
        let note = AgentNote {
            agent,
            step: crowd.steps(),
            group: name(world.groups.get(usize::from(state.group)).map(|g| &g.name)),
            action: name(world.actions.get(usize::from(state.action)).map(|a| &a.name)),
            goal,
            at: state.position.to_array(),
            speed: state.velocity.length(),
            fear: state.fear,
            way: crowd.way_of(&state).iter().map(|p| p.to_array()).collect(),
        };
        serde_json::to_value(note).map_err(internal)
    }

    pub(super) fn step(&mut self, count: u32) -> Result<Value, Fault> {
        if !(1..=MOST_STEPS).contains(&count) {
            let text = format!("count is {count}, but must be from 1 to {MOST_STEPS}");
            return Err(Fault::new(FaultCode::BadArguments, text));
        }
        self.session.play(false);
        let to = self.session.steps() + u64::from(count);
        self.session.go_to(to).map_err(session_fault)?;
        Ok(json!({ "step": self.session.steps(), "to": to }))
    }

    pub(super) fn seek(&mut self, step: u64) -> Result<Value, Fault> {
        let now = self.session.steps();
        if step > now + FARTHEST {
            return Err(refused(format!("step {step} is too far away")));
        }
        self.session.go_to(step).map_err(session_fault)?;
        match step < now {
            true => self.jumped(),
            false => Ok(json!({ "step": now, "to": step })),
        }
    }

    pub(super) fn log(&self) -> Result<Value, Fault> {
        let text = self.session.log().text();
        if text.len() > LARGEST_LOG {
            return Err(refused("the log is too large to be sent; the server's file has it"));
        }
        Ok(json!({ "step": self.session.steps(), "log": text }))
    }

    pub(super) fn potential(&mut self, goal: u16) -> Result<Field, Fault> {
        let crowd = self.crowd()?;
        let missing = || refused(format!("there is no way to a goal {goal}"));
        let groups = 0..crowd.world().groups.len();
        let grid = groups.filter_map(|group| crowd.potential(group as u8, goal)).next();
        let grid = grid.ok_or_else(missing)?;
        let finite = grid.as_slice().iter().copied().filter(|v| v.is_finite());
        let range = [0.0, finite.fold(1.0, f32::max)];
        Ok(Field {
            kind: FieldKind::Potential,
            step: crowd.steps(),
            size: [grid.width() as u32, grid.height() as u32],
            origin: grid.origin().to_array(),
            cell: grid.cell_size(),
            range,
            cells: Field::quantise(grid.as_slice().iter().copied(), range),
        })
    }
}
