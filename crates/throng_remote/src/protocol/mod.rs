//! What is said between a server and its clients: versions, calls and answers as lines of JSON, frames and
//! fields as bytes. `PROTOCOL.md` beside this crate's manifest has all of it for people.

mod bytes;
mod call;
mod fault;
mod field;
mod frame;
mod heights;
mod message;
mod numbers;
mod scene;
mod status;

pub use call::{Call, Format, Look, Shape};
pub use fault::{Fault, FaultCode};
pub use field::{Field, FieldKind, NOTHING};
pub use frame::{
    Frame, FrameBody, FrameError, FrameHead, HEAD_BYTES, Quantum, RECORD_BYTES, Seen, Window,
};
pub use heights::Heights;
pub use message::{Envelope, Incoming};
pub(crate) use scene::colored;
pub use scene::{ActionNote, GoalNote, Lines, NamedColor, Outline, SceneNote};
pub use status::{AgentNote, AreaNote, HazardNote, LineNote, Recorded, StateNote, Status};

/// Version of the whole: clients and servers with another one do not understand each other.
pub const VERSION: u32 = 1;

/// Groups of procedures, each with a version of its own, as a server tells them in its hello.
pub const PROGRAMS: [(&str, u32); 6] =
    [("control", 1), ("world", 1), ("inspect", 1), ("measure", 1), ("capture", 1), ("view", 1)];

/// First byte of a binary message.
pub mod tag {
    /// Everybody at one moment.
    pub const FRAME: u8 = 1;
    /// Numbers on the ground.
    pub const FIELD: u8 = 2;
    /// Heights of the ground.
    pub const HEIGHTS: u8 = 3;
}
