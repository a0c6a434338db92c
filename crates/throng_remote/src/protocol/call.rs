//! Calls: what a client can ask for.

use serde::{Deserialize, Serialize};
use throng::Command;
use throng::command::Point;
use throng_record::TrajectoryFormat;

use super::FieldKind;

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
