//! Counters: what a server tells several times a second.

use serde::{Deserialize, Serialize};

/// How things are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The crowd's step, or the frame of a recording.
    pub step: u64,
    /// Simulated time (seconds).
    pub time: f64,
    /// Whether the clock runs.
    pub playing: bool,
    /// Simulated seconds per second that were asked for.
    pub speed: f32,
    /// Simulated seconds per second as they are.
    pub pace: f32,
    /// What a step takes (milliseconds).
    pub step_ms: f32,
    /// People there.
    pub people: u32,
    /// Their mean speed (metres per second).
    pub mean_speed: f32,
    /// People that came so far.
    pub spawned: u64,
    /// People that left so far.
    pub removed: u64,
    /// Arrivals so far.
    pub arrived: u64,
    /// A step that the crowd is on its way to.
    pub on_its_way: Option<u64>,
    /// Steps that can be looked at: the first and the last that are remembered.
    pub remembered: [u64; 2],
    /// Commands in the log.
    pub commands: u64,
    /// Clients.
    pub clients: u32,
    /// Where the crowd lives: `cpu`, `gpu`, or `file`.
    pub backend: String,
    /// What people are afraid of.
    pub hazards: Vec<HazardNote>,
    /// Measurement lines.
    pub lines: Vec<LineNote>,
    /// Measurement areas.
    pub areas: Vec<AreaNote>,
    /// States that can be gone back to.
    pub states: Vec<StateNote>,
    /// A recording under way.
    pub recording: Option<Recorded>,
    /// Recordings that can be fetched.
    pub recordings: Vec<Recorded>,
    /// Lines for people, oldest first.
    pub notices: Vec<String>,
}

/// A hazard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HazardNote {
    /// Its number.
    pub hazard: u64,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: [f32; 2],
    /// Radius of its cost (metres).
    pub radius: f32,
    /// Radius within which people flee (metres).
    pub fear_radius: f32,
    /// Red, green, blue.
    pub color: [u8; 3],
}

/// A measurement line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineNote {
    /// Its number.
    pub gauge: u64,
    /// Its ends.
    pub ends: [[f32; 2]; 2],
    /// How many crossed it, each counted once.
    pub count: u64,
    /// Of those, how many from left to right, for who looks along it.
    pub to_right: u64,
    /// People per second, from the first to the last.
    pub flow: Option<f64>,
}

/// A measurement area.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AreaNote {
    /// Its number.
    pub gauge: u64,
    /// Its corners.
    pub outline: Vec<[f32; 2]>,
    /// Its size (square metres).
    pub size: f64,
    /// People in it now.
    pub people: u32,
    /// People per square metre now.
    pub density: f64,
    /// Their mean speed (metres per second).
    pub speed: Option<f64>,
    /// People per square metre, mean over all steps since it was drawn.
    pub mean_density: f64,
}

/// A state that can be gone back to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateNote {
    /// Its number.
    pub state: u64,
    /// Its step.
    pub step: u64,
    /// Its time (seconds).
    pub time: f64,
}

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its number: `/recordings/NUMBER`.
    pub recording: u64,
    /// Its format: `sqlite`, `txt`, `parquet` or `csv`.
    pub format: String,
    /// Step at which it began.
    pub from: u64,
    /// Step at which it ended, or is.
    pub to: u64,
}

/// What is told of somebody.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentNote {
    /// Its number.
    pub agent: u32,
    /// The step.
    pub step: u64,
    /// Its group.
    pub group: String,
    /// What it does.
    pub action: String,
    /// Where it goes, in words.
    pub goal: String,
    /// Where it is.
    pub at: [f32; 2],
    /// Speed (metres per second).
    pub speed: f32,
    /// Fear, from 0 to 1.
    pub fear: f32,
    /// The way before it.
    pub way: Vec<[f32; 2]>,
}
