//! Experiments with people, repeated: the same place, the same people coming in at the same times and
//! places, and the same measures of both.
//!
//! The recordings are not part of this library; they lie in the folder `trajectories` of the data folder,
//! which is `../shared/data` or what `THRONG_DATA` names.

mod compare;
mod read;
mod recordings;
mod replay;

pub use compare::compare;
pub use recordings::{NOT_COMPARED, RECORDINGS};

use crate::ValidateError;
use crate::measure::{Area, Line};
use std::path::PathBuf;

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Text: number, frame, x, y, in metres times this.
    Text {
        /// Metres per unit.
        scale: f64,
        /// Frames per second.
        fps: f64,
    },
    /// HDF5 of the Jülich archive; it knows its rate and its geometry.
    Hdf5,
}

/// Where its geometry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// A file with WKT beside it.
    Wkt(&'static str),
    /// A JuPedSim geometry of one polygon beside it.
    JupedsimXml(&'static str),
    /// The HDF5 file itself.
    Inside,
}

/// A way people take: who starts here leaves over there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where they come in.
    pub starts: Area,
    /// Where they leave.
    pub leaves: Area,
}

/// How fast the people walk who have nobody in their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FreeSpeed {
    /// Nobody measured it: the default population.
    Unknown,
    /// It was measured of the participants: mean and deviation (m/s).
    Measured(f64, f64),
    /// As they walk in the recording, where it is so sparse that they have nobody in their way.
    AsWalked,
}

/// A kind of people among the participants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// How many of all are of it.
    pub share: f64,
    /// What of them is not as usual: lines of a `[[group]]`.
    pub traits: &'static str,
}

/// A recorded experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recording {
    /// Its name.
    pub id: &'static str,
    /// Its file, in the folder of recordings.
    pub file: &'static str,
    /// How it is written.
    pub format: Format,
    /// Its geometry.
    pub geometry: Geometry,
    /// The ways people take.
    pub ways: &'static [Way],
    /// Gaps beside what they were told to walk through, which nobody took: closed.
    pub closed: &'static [Area],
    /// Where speed and density are measured.
    pub area: Area,
    /// Where flow is measured.
    pub line: Line,
    /// Between these lines the time to pass is taken.
    pub pass: (Line, Line),
    /// Whether people stand at first and start at a sign.
    pub stands: bool,
    /// Free speed of the people.
    pub free_speed: FreeSpeed,
    /// Who they are.
    pub people: &'static [Kind],
}

/// The folder of the recordings.
///
/// # Errors
/// When it is not there.
pub fn folder() -> Result<PathBuf, ValidateError> {
    let data =
        std::env::var_os("THRONG_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    let folder = data.join("trajectories");
    match std::fs::read_dir(&folder) {
        Ok(_) => Ok(folder),
        Err(error) => Err(ValidateError::NoData {
            folder: folder.display().to_string(),
            cause: error.to_string(),
        }),
    }
}
