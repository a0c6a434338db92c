//! A living crowd as a source: a session, with what is measured and recorded of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use glam::Vec2;
use serde_json::{Value, json};
use throng::command::{Effect, LogError};
use throng::world::world::{Polygon, Seek};
use throng::{
    AgentId, Command, Crowd, Event, EventFilter, EventKind, FrameColumns, Gauges, SPEEDS, Session,
    SessionError, SessionOptions, Simulation, Waiting,
};

use super::Source;
use super::ground::Tally;
use super::tape::Tapes;
use crate::protocol::{
    AgentNote, AreaNote, Call, Fault, FaultCode, Field, FieldKind, Frame, FrameBody, FrameHead,
    HazardNote, Heights, LineNote, Quantum, SceneNote, Shape, StateNote, Status,
};

/// Lines and areas, at most.
const MOST_GAUGES: usize = 32;
/// Corners of an area or a wall, at most.
const MOST_CORNERS: usize = 256;
/// Steps that can be asked for at once.
const MOST_STEPS: u32 = 1000;
/// So far ahead one can ask for (steps).
const FARTHEST: u64 = 100_000;
/// People that may be added by hand.
const MOST_PEOPLE: usize = 1_000_000;
/// Events between two looks that are told one by one.
const MOST_EVENTS: usize = 20;
/// Commands in a log, at most: beyond, it fills the memory.
const MOST_COMMANDS: usize = 100_000;
/// Hazards, at most.
const MOST_HAZARDS: usize = 64;
/// Walls, at most.
const MOST_WALLS: usize = 10_000;
/// A log larger than this is not sent as an answer (bytes).
const LARGEST_LOG: usize = 8 << 20;

/// How a living crowd is served.
#[derive(Debug, Default)]
pub struct LiveOptions {
    /// Number of people that the world was built for, if not the scene's own.
    pub agents: Option<u32>,
    /// Seed that was asked for, if not the scene's own.
    pub seed: Option<u64>,
    /// Writes commands here as they are carried out.
    pub commands: Option<PathBuf>,
    /// Stands still at first.
    pub paused: bool,
    /// Simulated seconds per second; 0 counts as 1.
    pub speed: f32,
}

/// A living crowd.
pub struct Live {
    session: Session,
    quantum: Quantum,
    actions: usize,
    watch: Watch,
    revision: u64,
    events: Arc<Mutex<Vec<Value>>>,
    columns: FrameColumns,
    clip: Vec<f32>,
    instances: Vec<throng::Instance>,
    /// Step and number of log entries at the last look.
    seen: (u64, usize),
}

/// What looks at the crowd after every step.
#[derive(Default)]
struct Watch {
    gauges: Gauges,
    waiting: Waiting,
    tapes: Tapes,
    columns: FrameColumns,
    faults: Vec<Fault>,
}

impl Watch {
    fn look(&mut self, crowd: &Crowd) {
        if !self.gauges.is_empty() {
            self.gauges.look(&self.columns.frame(crowd));
        }
        self.waiting.count(crowd, crowd.world().dt);
        self.faults.extend(self.tapes.look(crowd));
    }
}

fn refused(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::Refused, error)
}

fn internal(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::Internal, error)
}

/// Who asks for nonsense is told so; if the crowd cannot go on, that is the server's trouble.
fn session_fault(error: SessionError) -> Fault {
    match error {
        SessionError::Log(LogError::Crowd(error)) => refused(error),
        SessionError::NoWay(text) => refused(text),
        error => internal(error),
    }
}

impl Live {
    /// A crowd before its first step.
    ///
    /// # Errors
    /// The log cannot be made.
    pub fn new(simulation: Simulation, options: LiveOptions) -> Result<Self, SessionError> {
        let LiveOptions { agents, seed, commands, paused, speed } = options;
        let options = SessionOptions {
            agents,
            seed,
            commands,
            paused,
            speed,
            can_go_back: true,
            ..SessionOptions::default()
        };
        let mut simulation = simulation;
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        let filter = EventFilter::STUCK.and(EventFilter::INCAPACITATED).and(EventFilter::DISPLACED);
        simulation.observe(filter, move |event| {
            let mut events = heard.lock().unwrap_or_else(PoisonError::into_inner);
            if events.len() < MOST_EVENTS {
                events.push(event_note(event));
            }
        })?;
        let mut session = Session::new(simulation, options)?;
        let world = session.world()?;
        let (bounds, actions) = (world.bounds(), world.actions.len());
        let size = bounds.size().max(Vec2::splat(0.01));
        let quantum = Quantum { origin: bounds.min.to_array(), size: size.to_array() };
        Ok(Self {
            session,
            quantum,
            actions,
            watch: Watch::default(),
            revision: 1,
            events,
            columns: FrameColumns::default(),
            clip: Vec::new(),
            instances: Vec::new(),
            seen: (u64::MAX, 0),
        })
    }

    fn crowd(&mut self) -> Result<&Crowd, Fault> {
        self.session.crowd().map_err(internal)
    }

    /// The step at which something took effect.
    fn done(&self) -> Value {
        json!({ "step": self.session.steps() })
    }

    fn command(&mut self, command: &Command) -> Result<Value, Fault> {
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

    fn ground_changed(&mut self) -> Result<(), Fault> {
        self.revision += 1;
        let crowd = self.session.crowd().map_err(internal)?;
        self.watch.tapes.walls_changed(crowd);
        Ok(())
    }

    /// Time has jumped.
    fn jumped(&mut self) -> Result<Value, Fault> {
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

    fn draw(&mut self, shape: Shape) -> Result<Value, Fault> {
        let number = draw_gauge(&mut self.watch.gauges, shape)?;
        // From here on: where everybody stands now is where they come from.
        let crowd = self.session.crowd().map_err(internal)?;
        self.watch.gauges.prime(&self.columns.frame(crowd));
        let mut answer = self.done();
        answer["gauge"] = number.into();
        Ok(answer)
    }

    fn agent(&mut self, agent: u32) -> Result<Value, Fault> {
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

    fn step(&mut self, count: u32) -> Result<Value, Fault> {
        if !(1..=MOST_STEPS).contains(&count) {
            let text = format!("count is {count}, but must be from 1 to {MOST_STEPS}");
            return Err(Fault::new(FaultCode::BadArguments, text));
        }
        self.session.play(false);
        let to = self.session.steps() + u64::from(count);
        self.session.go_to(to).map_err(session_fault)?;
        Ok(json!({ "step": self.session.steps(), "to": to }))
    }

    fn seek(&mut self, step: u64) -> Result<Value, Fault> {
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

    fn log(&self) -> Result<Value, Fault> {
        let text = self.session.log().text();
        if text.len() > LARGEST_LOG {
            return Err(refused("the log is too large to be sent; the server's file has it"));
        }
        Ok(json!({ "step": self.session.steps(), "log": text }))
    }

    fn potential(&mut self, goal: u16) -> Result<Field, Fault> {
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

impl Source for Live {
    fn scene(&mut self) -> Result<SceneNote, Fault> {
        let revision = self.revision;
        Ok(SceneNote::of(self.crowd()?.world(), revision))
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn heights(&mut self) -> Option<Vec<u8>> {
        self.session.world().ok()?.heights.as_ref().map(Heights::bytes)
    }

    fn quantum(&self) -> Quantum {
        self.quantum
    }

    fn advance(&mut self, elapsed: Duration) -> Result<bool, Fault> {
        let watch = &mut self.watch;
        let mut look = |simulation: &mut Simulation| {
            watch.look(simulation.crowd()?);
            Ok(())
        };
        self.session.advance_with(elapsed, &mut look).map_err(internal)?;
        for fault in std::mem::take(&mut self.watch.faults) {
            self.session.tell(fault.text);
        }
        if self.session.take_ground_changed() {
            self.ground_changed()?;
        }
        let now = (self.session.steps(), self.session.log().entries().len());
        let news = self.seen != now;
        self.seen = now;
        Ok(news)
    }

    fn due_in(&self) -> Option<Duration> {
        self.session.due_in()
    }

    fn call(&mut self, call: Call) -> Result<Value, Fault> {
        match call {
            Call::Play {} => self.session.play(true),
            Call::Pause {} => self.session.play(false),
            Call::Step { count } => return self.step(count),
            Call::Speed { value } if SPEEDS.contains(&value) => self.session.set_speed(value),
            Call::Speed { value } => {
                let (least, most) = (SPEEDS.start(), SPEEDS.end());
                let text = format!("the speed is {value}, but must be from {least} to {most}");
                return Err(Fault::new(FaultCode::BadArguments, text));
            }
            Call::Seek { step } => return self.seek(step),
            Call::Reset {} => {
                self.session.reset().map_err(session_fault)?;
                return self.jumped();
            }
            Call::World(command) => return self.command(&command),
            Call::Agent { agent } => return self.agent(agent),
            Call::Parameters {} => {
                let all = self.crowd()?.params().tunables();
                return Ok(json!({ "step": self.session.steps(), "parameters": all }));
            }
            Call::Status {} => {
                let mut status = Status::default();
                self.status(&mut status)?;
                return serde_json::to_value(status).map_err(internal);
            }
            Call::Log {} => return self.log(),
            Call::Draw { shape } => return self.draw(shape),
            Call::Erase { gauge } => match self.watch.gauges.remove(gauge) {
                true => {}
                false => return Err(refused(format!("there is no line or area {gauge}"))),
            },
            Call::Snapshot {} => {
                let state = self.session.keep().map_err(session_fault)?;
                return Ok(json!({ "step": self.session.steps(), "state": state }));
            }
            Call::Restore { state } => {
                self.session.restore(state).map_err(session_fault)?;
                return self.jumped();
            }
            Call::Forget { state } => self.session.forget(state).map_err(session_fault)?,
            Call::Checkpoint {} => {
                let hash = self.session.checkpoint().map_err(session_fault)?;
                let step = self.session.steps();
                return Ok(json!({ "step": step, "hash": format!("{hash:016x}") }));
            }
            Call::Record { format, fps } => {
                let crowd = self.session.crowd().map_err(internal)?;
                let recording = self.watch.tapes.begin(crowd, format, fps)?;
                return Ok(json!({ "step": self.session.steps(), "recording": recording }));
            }
            Call::Stop {} => {
                let none = || refused("nothing is being recorded");
                let recorded = self.watch.tapes.end()?.ok_or_else(none)?;
                return Ok(json!({ "step": self.session.steps(), "recorded": recorded }));
            }
            Call::Frames { .. } | Call::Field { .. } | Call::Look(_) | Call::Follow { .. } => {
                return Err(internal("this is a matter between a client and its connection"));
            }
        }
        Ok(self.done())
    }

    fn frame(&mut self, head: FrameHead) -> Result<Frame, Fault> {
        let crowd = self.session.crowd().map_err(internal)?;
        crowd.instances(&mut self.instances);
        self.clip.clear();
        self.clip.extend(self.instances.iter().map(|instance| instance.clip_time));
        let head = FrameHead { step: crowd.steps(), time: crowd.time(), ..head };
        let columns = self.columns.frame(crowd);
        let body = FrameBody {
            ids: columns.ids,
            x: columns.x,
            y: columns.y,
            heading_x: crowd.heading_x(),
            heading_y: crowd.heading_y(),
            group: columns.group,
            action: columns.action,
            clip: &self.clip,
            actions: self.actions,
        };
        Ok(Frame::encode(head, &body, &self.quantum))
    }

    fn status(&mut self, status: &mut Status) -> Result<(), Fault> {
        let session = &mut self.session;
        status.playing = session.playing();
        status.speed = session.speed();
        status.step_ms = session.step_ms();
        status.on_its_way = session.on_its_way();
        status.commands = session.log().commands() as u64;
        status.backend = session.simulation().backend().name().to_owned();
        status.notices = session.notices().map(str::to_owned).collect();
        let state = |kept: &throng::Kept| StateNote {
            state: kept.number.unwrap_or_default(),
            step: kept.step,
            time: kept.time,
        };
        status.states = session.kept().map(state).collect();
        let crowd = session.crowd().map_err(internal)?;
        (status.step, status.time) = (crowd.steps(), crowd.time());
        status.people = crowd.len() as u32;
        let speeds = crowd.vx().iter().zip(crowd.vy()).map(|(x, y)| x.hypot(*y));
        status.mean_speed = speeds.sum::<f32>() / crowd.len().max(1) as f32;
        let totals = crowd.totals();
        (status.spawned, status.removed) = (totals.spawned, totals.removed);
        status.arrived = totals.arrived;
        let hazards = crowd.hazards_by_id().filter_map(|(id, hazard)| {
            let at = hazard.position(crowd.time())?.to_array();
            Some(HazardNote {
                hazard: id.number(),
                name: hazard.name.clone(),
                at,
                radius: hazard.radius,
                fear_radius: hazard.fear_radius,
                color: hazard.color,
            })
        });
        status.hazards = hazards.collect();
        gauge_notes(&self.watch.gauges, status);
        status.recording = self.watch.tapes.running();
        status.recordings = self.watch.tapes.finished().map(|(r, ..)| r.clone()).collect();
        Ok(())
    }

    fn field(&mut self, kind: FieldKind, goal: u16) -> Result<Field, Fault> {
        if kind == FieldKind::Potential {
            return self.potential(goal);
        }
        let crowd = self.session.crowd().map_err(internal)?;
        let waited = self.watch.waiting.of(crowd);
        let mut tally = Tally::over(&self.quantum);
        for i in 0..crowd.len() {
            let value = match kind {
                FieldKind::Speed => crowd.vx()[i].hypot(crowd.vy()[i]),
                FieldKind::Waiting => waited[i],
                _ => 0.0,
            };
            tally.add(Vec2::new(crowd.x()[i], crowd.y()[i]), value);
        }
        Ok(tally.field(kind, crowd.steps()))
    }

    fn remembers(&self) -> bool {
        true
    }

    fn recordings(&self) -> Vec<(u64, &'static str, PathBuf)> {
        let offered = |(recorded, path, ending): &(crate::protocol::Recorded, PathBuf, _)| {
            (recorded.recording, *ending, path.clone())
        };
        self.watch.tapes.finished().map(offered).collect()
    }

    fn take_events(&mut self) -> Vec<Value> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The log ends with a hash, by which a replay of it is checked.
    fn end(&mut self) {
        if self.session.log().commands() > 0 {
            let _ = self.session.checkpoint();
        }
        let _ = self.watch.tapes.end();
    }
}

/// Draws a line or an area; gives its number.
pub(super) fn draw_gauge(gauges: &mut Gauges, shape: Shape) -> Result<u64, Fault> {
    if gauges.len() >= MOST_GAUGES {
        return Err(refused(format!("{MOST_GAUGES} lines and areas are enough")));
    }
    let finite = |p: &Vec2| p.is_finite() && p.abs().max_element() < 1e6;
    match shape {
        Shape::Line(a, b) => {
            let ends = [Vec2::from(a), Vec2::from(b)];
            if !ends.iter().all(finite) || ends[0] == ends[1] {
                return Err(refused("a line has two ends that are not one"));
            }
            Ok(gauges.add_line(ends))
        }
        Shape::Area(corners) => {
            let outer: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
            let fits = (3..=MOST_CORNERS).contains(&outer.len()) && outer.iter().all(finite);
            let area = Polygon { outer, holes: Vec::new() };
            if !fits || area.area() < 1e-3 {
                return Err(refused("an area has three corners or more, and a size"));
            }
            Ok(gauges.add_area(area))
        }
    }
}

/// What lines and areas say.
pub(super) fn gauge_notes(gauges: &Gauges, status: &mut Status) {
    let lines = gauges.lines().iter().map(|(gauge, line)| LineNote {
        gauge: *gauge,
        ends: line.ends().map(|p| p.to_array()),
        count: line.count(),
        to_right: line.to_right(),
        flow: line.flow(),
    });
    status.lines = lines.collect();
    let areas = gauges.areas().iter().map(|(gauge, area)| AreaNote {
        gauge: *gauge,
        outline: area.outline().outer.iter().map(|p| p.to_array()).collect(),
        size: area.size(),
        people: area.people_now(),
        density: f64::from(area.people_now()) / area.size(),
        speed: area.speed_now(),
        mean_density: area.density(),
    });
    status.areas = areas.collect();
}

fn event_note(event: &Event) -> Value {
    let kind = match event.kind {
        EventKind::Stuck => "stuck",
        EventKind::Incapacitated => "incapacitated",
        EventKind::Displaced { .. } => "displaced",
        _ => "other",
    };
    json!({ "kind": kind, "step": event.step, "agent": event.agent.0 })
}
