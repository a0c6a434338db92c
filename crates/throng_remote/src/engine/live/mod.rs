//! A living crowd as a source: a session, with what is measured and recorded of it.

mod deeds;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use glam::Vec2;
use serde_json::{Value, json};
use throng::command::LogError;
use throng::{
    Crowd, Event, EventFilter, EventKind, FrameColumns, Gauges, SPEEDS, Session, SessionError,
    SessionOptions, Simulation, Waiting,
};

use super::Source;
use super::gauges::gauge_notes;
use super::ground::Tally;
use super::tape::Tapes;
use crate::protocol::{
    Call, Fault, FaultCode, Field, FieldKind, Frame, FrameBody, FrameHead, HazardNote, Heights,
    Quantum, SceneNote, StateNote, Status,
};

/// Events between two looks that are told one by one.
const MOST_EVENTS: usize = 20;

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
        let places = crowd.x().iter().zip(crowd.y());
        let speeds = crowd.vx().iter().zip(crowd.vy()).map(|(x, y)| x.hypot(*y));
        for (((x, y), speed), waited) in places.zip(speeds).zip(waited) {
            let value = match kind {
                FieldKind::Speed => speed,
                FieldKind::Waiting => *waited,
                _ => 0.0,
            };
            tally.add(Vec2::new(*x, *y), value);
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

fn event_note(event: &Event) -> Value {
    let kind = match event.kind {
        EventKind::Stuck => "stuck",
        EventKind::Incapacitated => "incapacitated",
        EventKind::Displaced { .. } => "displaced",
        _ => "other",
    };
    json!({ "kind": kind, "step": event.step, "agent": event.agent.0 })
}
