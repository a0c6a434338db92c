//! Calls: what a client asks for, and why it does not get it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::Command;
use throng::command::Point;
use throng_record::TrajectoryFormat;

use super::FieldKind;

/// A message of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A call.
    Call(Envelope),
    /// It has taken in the frame of this sequence number, and is ready for another.
    Ack(u32),
}

/// A call with what is needed to answer it.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// Number of the call; each is greater than the last.
    pub id: u64,
    /// An answer after so many milliseconds is of no use.
    pub within_ms: Option<u32>,
    /// What is asked for, or why that cannot be told.
    pub call: Result<Call, Fault>,
}

/// What a client can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum Call {
    /// Lets the clock run.
    #[serde(rename = "control.play")]
    Play {},
    /// Stops the clock.
    #[serde(rename = "control.pause")]
    Pause {},
    /// Stops the clock and makes so many steps.
    #[serde(rename = "control.step")]
    Step {
        /// How many; 1 to 1000.
        #[serde(default = "one")]
        count: u32,
    },
    /// Sets the speed of the clock.
    #[serde(rename = "control.speed")]
    Speed {
        /// Simulated seconds per second.
        value: f32,
    },
    /// Takes the whole crowd, or the recording, to another step: for everybody who watches.
    #[serde(rename = "control.seek")]
    Seek {
        /// Where to.
        step: u64,
    },
    /// Takes the crowd back to its beginning.
    #[serde(rename = "control.reset")]
    Reset {},
    /// Changes the crowd: `world.spawn`, `world.place-hazard` and so on, with the fields of the command.
    #[serde(skip)]
    World(Command),
    /// Tells of somebody.
    #[serde(rename = "inspect.agent")]
    Agent {
        /// Whom.
        agent: u32,
    },
    /// Tells all parameters, with bounds and units.
    #[serde(rename = "inspect.parameters")]
    Parameters {},
    /// Tells how things are.
    #[serde(rename = "inspect.status")]
    Status {},
    /// Tells the log of commands so far, as a text.
    #[serde(rename = "inspect.log")]
    Log {},
    /// Draws a line to be counted at, or an area to be measured in.
    #[serde(rename = "measure.draw")]
    Draw {
        /// What is drawn.
        shape: Shape,
    },
    /// Takes a line or an area away.
    #[serde(rename = "measure.erase")]
    Erase {
        /// Its number.
        gauge: u64,
    },
    /// Keeps the state as it is.
    #[serde(rename = "capture.snapshot")]
    Snapshot {},
    /// Goes back to a state that was kept.
    #[serde(rename = "capture.restore")]
    Restore {
        /// Its number.
        state: u64,
    },
    /// Lets go of a state.
    #[serde(rename = "capture.forget")]
    Forget {
        /// Its number.
        state: u64,
    },
    /// Writes the crowd's hash to the log, and tells it.
    #[serde(rename = "capture.checkpoint")]
    Checkpoint {},
    /// Begins to record everybody's ways.
    #[serde(rename = "capture.record")]
    Record {
        /// Into what kind of file.
        format: Format,
        /// Frames per simulated second.
        #[serde(default = "ten")]
        fps: f64,
    },
    /// Ends the recording; the answer says what to fetch.
    #[serde(rename = "capture.stop")]
    Stop {},
    /// Which frames this client wants.
    #[serde(rename = "view.frames")]
    Frames {
        /// At most so many per second; 0: none.
        fps: f32,
        /// Only from here: least x and y, greatest x and y.
        #[serde(default)]
        rect: Option<[f32; 4]>,
        /// At most about so many agents.
        #[serde(default)]
        most: Option<u32>,
    },
    /// Which field this client wants; none, if left out.
    #[serde(rename = "view.field")]
    Field {
        /// What of.
        #[serde(default)]
        kind: Option<FieldKind>,
        /// For the potential: the goal.
        #[serde(default)]
        goal: u16,
        /// At most so many per second.
        #[serde(default = "one_a_second")]
        fps: f32,
    },
    /// Shows this client a moment of the past, or the present again.
    #[serde(rename = "view.look")]
    Look(Look),
    /// Sends somebody in every frame, wherever they are.
    #[serde(rename = "view.follow")]
    Follow {
        /// Whom; nobody, if left out.
        #[serde(default)]
        agent: Option<u32>,
    },
}

/// Where a client looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// A step of the past; the present, if left out.
    #[serde(default)]
    pub step: Option<u64>,
}

/// What is drawn to measure by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// A line, by its ends.
    Line(Point, Point),
    /// An area, by its corners.
    Area(Vec<Point>),
}

/// Formats of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// JuPedSim's.
    Sqlite,
    /// PedPy's.
    Txt,
    /// Columns.
    Parquet,
    /// Commas.
    Csv,
}

impl Format {
    /// The ending of such a file's name.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Txt => "txt",
            Self::Parquet => "parquet",
            Self::Csv => "csv",
        }
    }
}

impl From<Format> for TrajectoryFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Sqlite => Self::Sqlite,
            Format::Txt => Self::Text,
            Format::Parquet => Self::Parquet,
            Format::Csv => Self::Csv,
        }
    }
}

fn one() -> u32 {
    1
}

fn ten() -> f64 {
    10.0
}

fn one_a_second() -> f32 {
    1.0
}

/// Kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultCode {
    /// It is no message of this protocol.
    Malformed,
    /// There is no such program or procedure.
    Unknown,
    /// Its arguments are not those of the procedure.
    BadArguments,
    /// The crowd does not take it.
    Refused,
    /// This is a recording, or there is nothing of the kind here.
    NotHere,
    /// Too many calls, or the crowd is busy.
    Busy,
    /// It was not done in time.
    Late,
    /// Its number was used before, or is smaller than one that was.
    Replayed,
    /// Something is wrong at the server.
    Internal,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    /// What kind of refusal.
    pub code: FaultCode,
    /// One line for people.
    pub text: String,
}

impl Fault {
    /// A refusal.
    #[must_use]
    pub fn new(code: FaultCode, text: impl std::fmt::Display) -> Self {
        let mut text = text.to_string();
        // Parts of a message may come back in it.
        if text.len() > 400 {
            let end = (0..=400).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            text.truncate(end);
            text.push('…');
        }
        Self { code, text }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    ack: Option<u32>,
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    call: Option<String>,
    #[serde(default)]
    with: Option<Value>,
    #[serde(default)]
    within_ms: Option<u32>,
}

impl Incoming {
    /// Reads a message.
    ///
    /// # Errors
    /// It is none; there is not even a call that could be answered.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let malformed = |what: &dyn std::fmt::Display| Fault::new(FaultCode::Malformed, what);
        let raw: Raw = serde_json::from_str(text).map_err(|e| malformed(&e))?;
        match raw {
            Raw { ack: Some(ack), id: None, call: None, with: None, within_ms: None } => {
                Ok(Self::Ack(ack))
            }
            Raw { ack: None, id: Some(id), call: Some(name), with, within_ms } => {
                let with = with.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
                Ok(Self::Call(Envelope { id, within_ms, call: Call::parse(&name, with) }))
            }
            _ => Err(malformed(&"give an `ack`, or an `id` and a `call`")),
        }
    }
}

impl Call {
    /// A call by its name and arguments.
    ///
    /// # Errors
    /// There is no such procedure, or its arguments are others.
    pub fn parse(name: &str, with: Value) -> Result<Self, Fault> {
        let bad = |e: serde_json::Error| {
            let text = e.to_string();
            let unknown = text.starts_with("unknown variant");
            let code = if unknown { FaultCode::Unknown } else { FaultCode::BadArguments };
            let short: String = name.chars().take(60).collect();
            match unknown {
                true => Fault::new(code, format!("there is no procedure {short:?}")),
                false => Fault::new(code, format!("{short}: {text}")),
            }
        };
        if let Some(deed) = name.strip_prefix("world.") {
            let Value::Object(mut fields) = with else {
                return Err(Fault::new(FaultCode::BadArguments, "give arguments by name"));
            };
            if fields.insert("do".into(), deed.into()).is_some() {
                return Err(Fault::new(FaultCode::BadArguments, "`do` is not an argument"));
            }
            return serde_json::from_value(Value::Object(fields)).map(Self::World).map_err(bad);
        }
        let mut named = serde_json::Map::new();
        named.insert(name.to_owned(), with);
        serde_json::from_value(Value::Object(named)).map_err(bad)
    }

    /// Name and arguments, as they are sent.
    #[must_use]
    pub fn parts(&self) -> (String, Value) {
        let value = match self {
            Self::World(command) => serde_json::to_value(command),
            call => serde_json::to_value(call),
        };
        match (self, value) {
            (Self::World(_), Ok(Value::Object(mut fields))) => {
                let deed = fields.remove("do").unwrap_or_default();
                (format!("world.{}", deed.as_str().unwrap_or_default()), Value::Object(fields))
            }
            (_, Ok(Value::Object(named))) => named.into_iter().next().unwrap_or_default(),
            _ => (String::new(), Value::Null),
        }
    }

    /// The message for it.
    #[must_use]
    pub fn message(&self, id: u64) -> String {
        let (call, with) = self.parts();
        serde_json::json!({ "id": id, "call": call, "with": with }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::command::HazardSpec;

    /// If this fails, the wording of the protocol has changed: that needs another version.
    #[test]
    fn calls_have_the_documented_wording() {
        let gas = HazardSpec {
            name: "gas".into(),
            color: [1, 2, 3],
            path: vec![Point(1.0, 2.0)],
            speed: 0.0,
            closed: false,
            radius: 5.0,
            strength: 8.0,
            fear_radius: 6.0,
            from: None,
            until: None,
        };
        let golden = [
            (Call::Pause {}, r#"{"call":"control.pause","id":7,"with":{}}"#),
            (Call::Step { count: 3 }, r#"{"call":"control.step","id":7,"with":{"count":3}}"#),
            (
                Call::World(Command::Spawn { group: 1, at: Point(2.0, 3.5), target: None }),
                r#"{"call":"world.spawn","id":7,"with":{"at":[2.0,3.5],"group":1}}"#,
            ),
            (
                Call::World(Command::PlaceHazard { hazard: gas }),
                r#"{"call":"world.place-hazard","id":7,"with":{"hazard":{"closed":false,"color":[1,2,3],"fear_radius":6.0,"name":"gas","path":[[1.0,2.0]],"radius":5.0,"speed":0.0,"strength":8.0}}}"#,
            ),
            (
                Call::Draw { shape: Shape::Line(Point(0.0, 1.0), Point(2.0, 3.0)) },
                r#"{"call":"measure.draw","id":7,"with":{"shape":{"line":[[0.0,1.0],[2.0,3.0]]}}}"#,
            ),
            (
                Call::Look(Look { step: Some(4) }),
                r#"{"call":"view.look","id":7,"with":{"step":4}}"#,
            ),
            (
                Call::Record { format: Format::Sqlite, fps: 10.0 },
                r#"{"call":"capture.record","id":7,"with":{"format":"sqlite","fps":10.0}}"#,
            ),
        ];
        for (call, text) in golden {
            assert_eq!(call.message(7), text);
            let parsed = Incoming::parse(text).unwrap();
            assert_eq!(parsed, Incoming::Call(Envelope { id: 7, within_ms: None, call: Ok(call) }));
        }
        assert_eq!(Incoming::parse(r#"{"ack":12}"#), Ok(Incoming::Ack(12)));
    }

    /// If this fails, what is no call is taken for one, or refused without a reason.
    #[test]
    fn what_is_no_call_is_refused_with_its_reason() {
        for text in
            ["", "[]", "{", "{\"id\":1}", "{\"ack\":-1}", "{\"ack\":1,\"id\":2}", "null", "7"]
        {
            assert_eq!(Incoming::parse(text).unwrap_err().code, FaultCode::Malformed, "{text}");
        }
        for (text, code, word) in [
            (r#"{"id":1,"call":"control.fly"}"#, FaultCode::Unknown, "control.fly"),
            (r#"{"id":1,"call":"world.fly"}"#, FaultCode::Unknown, "fly"),
            (r#"{"id":1,"call":"World"}"#, FaultCode::Unknown, "World"),
            (
                r#"{"id":1,"call":"control.step","with":{"count":"x"}}"#,
                FaultCode::BadArguments,
                "u32",
            ),
            (
                r#"{"id":1,"call":"control.step","with":{"hurry":1}}"#,
                FaultCode::BadArguments,
                "hurry",
            ),
            (r#"{"id":1,"call":"world.spawn","with":{"do":"x"}}"#, FaultCode::BadArguments, "do"),
            (
                r#"{"id":1,"call":"world.remove","with":{"agent":-4}}"#,
                FaultCode::BadArguments,
                "-4",
            ),
        ] {
            let Ok(Incoming::Call(Envelope { call: Err(fault), .. })) = Incoming::parse(text)
            else {
                panic!("{text} was taken");
            };
            assert_eq!(fault.code, code, "{text}: {fault}");
            assert!(fault.text.contains(word), "{text}: {fault}");
        }
        assert!(Fault::new(FaultCode::Refused, "ä".repeat(999)).text.len() < 410);
    }
}
