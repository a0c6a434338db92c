//! Why a client does not get what it asks for.

use serde::{Deserialize, Serialize};

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
