//! Messages of a client: calls with their numbers, read and written.

use serde::Deserialize;
use serde_json::Value;

use super::{Call, Fault, FaultCode};

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
    use super::super::{Format, Look, Shape};
    use super::*;
    use throng::Command;
    use throng::command::{HazardSpec, Point};

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
