//! A recording as a source: frames of a file at the pace of a clock.

use std::path::Path;
use std::time::Duration;

use glam::Vec2;
use serde_json::{Value, json};
use throng::world::polygons_of_wkt;
use throng::world::world::Polygon;
use throng::{Gauges, SPEEDS};
use throng_record::{FileOptions, FrameRows, RecordError, TrajectoryFile};

use super::Source;
use super::gauges::{draw_gauge, gauge_notes};
use super::ground::Tally;

use crate::protocol::{
    AgentNote, Call, Fault, FaultCode, Field, FieldKind, Frame, FrameBody, FrameHead, Quantum,
    SceneNote, Status, colored,
};

/// Frames that are looked at to find out where people walk, and of what kinds they are.
const LOOKS: u64 = 16;
/// Ground around those who are farthest out (metres).
const MARGIN: f32 = 1.0;
/// Slower than this counts as waiting (metres per second).
const SLOW: f32 = 0.1;

/// What a file does not say, and how it is shown.
#[derive(Clone, Debug, Default)]
pub struct RecordingOptions {
    /// Of the file itself.
    pub file: FileOptions,
    /// The walkable area as WKT, in metres; what the file has, if left out.
    pub geometry: Option<String>,
    /// Stands still at first.
    pub paused: bool,
    /// Recorded seconds per second; 0 counts as 1.
    pub speed: f32,
}

/// A recording.
pub struct Recording {
    file: TrajectoryFile,
    name: String,
    /// The number of the frame, with what is owed of the next.
    at: f64,
    playing: bool,
    speed: f32,
    rows: FrameRows,
    areas: Vec<Polygon>,
    quantum: Quantum,
    groups: u8,
    actions: u8,
    gauges: Gauges,
    /// Seconds that everybody has stood, by number.
    waited: std::collections::HashMap<u32, f32>,
    changed: bool,
}

fn internal(error: RecordError) -> Fault {
    Fault::new(FaultCode::Internal, error)
}

impl Recording {
    /// Opens a recording.
    ///
    /// # Errors
    /// It cannot be read, or its area is none.
    pub fn open(path: &Path, options: &RecordingOptions) -> Result<Self, RecordError> {
        let mut file = TrajectoryFile::open(path, &options.file)?;
        let own = file.geometry().map(str::to_owned);
        let wkt = options.geometry.clone().or(own);
        let areas = match wkt.as_deref().map(str::trim).filter(|wkt| !wkt.is_empty()) {
            Some(wkt) => polygons_of_wkt(wkt).map_err(RecordError::BadGeometry)?,
            None => Vec::new(),
        };
        let survey = file.survey(LOOKS)?;
        let [x0, y0, x1, y1] = survey.extent;
        let (mut low, mut high) = (Vec2::new(x0, y0), Vec2::new(x1, y1));
        for p in areas.iter().flat_map(|area| &area.outer) {
            (low, high) = (low.min(*p), high.max(*p));
        }
        let (low, high) = (low - MARGIN, high + MARGIN);
        let quantum = Quantum { origin: low.to_array(), size: (high - low).to_array() };
        let (first, _) = file.range();
        let rows = file.at(first)?;
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        Ok(Self {
            file,
            name,
            at: first as f64,
            playing: !options.paused,
            speed: if options.speed > 0.0 { options.speed } else { 1.0 },
            rows,
            areas,
            quantum,
            groups: survey.group,
            actions: survey.action,
            gauges: Gauges::default(),
            waited: std::collections::HashMap::new(),
            changed: true,
        })
    }

    /// What was found out about the file that people should know.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        self.file.notices()
    }

    /// Takes the frame that is due.
    fn take(&mut self) -> Result<(), Fault> {
        let number = self.at as u64;
        let before = self.rows.number;
        let rows = self.file.at(number).map_err(internal)?;
        if rows.number == before {
            return Ok(());
        }
        let seconds = (rows.time - self.rows.time) as f32;
        self.rows = rows;
        self.changed = true;
        self.gauges.look(&self.rows.frame());
        let speeds = self.rows.vx.iter().zip(&self.rows.vy).map(|(x, y)| x.hypot(*y));
        for (id, speed) in self.rows.ids.iter().zip(speeds) {
            if speed < SLOW && seconds > 0.0 {
                *self.waited.entry(*id).or_default() += seconds;
            }
        }
        Ok(())
    }

    fn seek(&mut self, step: u64) -> Result<Value, Fault> {
        let (first, last) = self.file.range();
        self.at = step.clamp(first, last) as f64;
        self.rows = self.file.at(self.at as u64).map_err(internal)?;
        self.changed = true;
        self.waited.clear();
        self.gauges.start_over();
        self.gauges.prime(&self.rows.frame());
        Ok(self.done())
    }

    fn done(&self) -> Value {
        json!({ "step": self.rows.number })
    }

    fn is_over(&self) -> bool {
        self.at >= self.file.range().1 as f64
    }
}

impl Source for Recording {
    fn scene(&mut self) -> Result<SceneNote, Fault> {
        let Quantum { origin, size } = self.quantum;
        let (first, last) = self.file.range();
        let numbered = |what: &'static str, most: u8| {
            let name = move |i: u8| if most == 0 { what.to_owned() } else { format!("{what} {i}") };
            colored((0..=most).map(name))
        };
        Ok(SceneNote {
            revision: 1,
            live: false,
            name: self.name.clone(),
            title: format!("Recording {}", self.name),
            bounds: [origin[0], origin[1], origin[0] + size[0], origin[1] + size[1]],
            dt: 1.0 / self.file.fps(),
            steps: Some([first, last]),
            heights: false,
            walkable: self.areas.iter().map(Into::into).collect(),
            walls: Vec::new(),
            goals: Vec::new(),
            groups: numbered("people", self.groups),
            actions: numbered("action", self.actions).into_iter().map(Into::into).collect(),
        })
    }

    fn revision(&self) -> u64 {
        1
    }

    fn heights(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn quantum(&self) -> Quantum {
        self.quantum
    }

    fn advance(&mut self, elapsed: Duration) -> Result<bool, Fault> {
        if self.playing {
            // A pause of the machine is none of the recording's.
            let seconds = elapsed.as_secs_f64().min(1.0) * f64::from(self.speed);
            let last = self.file.range().1 as f64;
            self.at = (self.at + seconds * self.file.fps()).min(last);
            self.take()?;
            if self.is_over() {
                self.playing = false;
            }
        }
        Ok(std::mem::take(&mut self.changed))
    }

    fn due_in(&self) -> Option<Duration> {
        let frames = 1.0 - self.at.fract();
        let seconds = frames / self.file.fps() / f64::from(self.speed);
        self.playing.then(|| Duration::from_secs_f64(seconds.clamp(0.001, 1.0)))
    }

    fn call(&mut self, call: Call) -> Result<Value, Fault> {
        match call {
            Call::Play {} => {
                if self.is_over() {
                    self.seek(0)?;
                }
                self.playing = true;
            }
            Call::Pause {} => self.playing = false,
            Call::Step { count } => {
                self.playing = false;
                self.at = (self.at.floor() + f64::from(count)).min(self.file.range().1 as f64);
                self.take()?;
            }
            Call::Speed { value } if SPEEDS.contains(&value) => self.speed = value,
            Call::Speed { .. } => {
                return Err(Fault::new(FaultCode::BadArguments, "that is no speed"));
            }
            Call::Seek { step } => return self.seek(step),
            Call::Reset {} => return self.seek(0),
            Call::Agent { agent } => {
                let missing =
                    || Fault::new(FaultCode::Refused, format!("nobody has number {agent} here"));
                let i = self.rows.ids.iter().position(|id| *id == agent).ok_or_else(missing)?;
                let note = AgentNote {
                    agent,
                    step: self.rows.number,
                    group: format!("people {}", self.rows.group[i]),
                    action: format!("action {}", self.rows.action[i]),
                    at: [self.rows.x[i], self.rows.y[i]],
                    speed: self.rows.vx[i].hypot(self.rows.vy[i]),
                    ..AgentNote::default()
                };
                return serde_json::to_value(note).map_err(|e| Fault::new(FaultCode::Internal, e));
            }
            Call::Status {} => {
                let mut status = Status::default();
                self.status(&mut status)?;
                return serde_json::to_value(status)
                    .map_err(|e| Fault::new(FaultCode::Internal, e));
            }
            Call::Draw { shape } => {
                let gauge = draw_gauge(&mut self.gauges, shape)?;
                self.gauges.prime(&self.rows.frame());
                return Ok(json!({ "step": self.rows.number, "gauge": gauge }));
            }
            Call::Erase { gauge } => {
                if !self.gauges.remove(gauge) {
                    return Err(Fault::new(
                        FaultCode::Refused,
                        format!("there is no gauge {gauge}"),
                    ));
                }
            }
            _ => {
                let text = "this is a recording: it can be watched and measured, not changed";
                return Err(Fault::new(FaultCode::NotHere, text));
            }
        }
        Ok(self.done())
    }

    fn frame(&mut self, head: FrameHead) -> Result<Frame, Fault> {
        let rows = &self.rows;
        let head = FrameHead { step: rows.number, time: rows.time, ..head };
        let body = FrameBody {
            ids: &rows.ids,
            x: &rows.x,
            y: &rows.y,
            heading_x: &rows.vx,
            heading_y: &rows.vy,
            group: &rows.group,
            action: &rows.action,
            clip: &[],
            actions: usize::from(self.actions) + 1,
        };
        Ok(Frame::encode(head, &body, &self.quantum))
    }

    fn status(&mut self, status: &mut Status) -> Result<(), Fault> {
        let rows = &self.rows;
        (status.step, status.time) = (rows.number, rows.time);
        (status.playing, status.speed) = (self.playing, self.speed);
        status.people = rows.ids.len() as u32;
        let speeds = rows.vx.iter().zip(&rows.vy).map(|(x, y)| x.hypot(*y));
        status.mean_speed = speeds.sum::<f32>() / rows.ids.len().max(1) as f32;
        let (first, last) = self.file.range();
        status.remembered = [first, last];
        status.backend = "file".into();
        status.notices = self.file.notices().to_vec();
        gauge_notes(&self.gauges, status);
        Ok(())
    }

    fn field(&mut self, kind: FieldKind, _: u16) -> Result<Field, Fault> {
        if kind == FieldKind::Potential {
            return Err(Fault::new(FaultCode::NotHere, "a recording has no potential"));
        }
        let rows = &self.rows;
        let mut tally = Tally::over(&self.quantum);
        for i in 0..rows.ids.len() {
            let value = match kind {
                FieldKind::Speed => rows.vx[i].hypot(rows.vy[i]),
                FieldKind::Waiting => self.waited.get(&rows.ids[i]).copied().unwrap_or(0.0),
                _ => 0.0,
            };
            tally.add(Vec2::new(rows.x[i], rows.y[i]), value);
        }
        Ok(tally.field(kind, rows.number))
    }

    fn remembers(&self) -> bool {
        false
    }

    fn take_events(&mut self) -> Vec<Value> {
        Vec::new()
    }
}
