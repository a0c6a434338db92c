//! Whether the crowd walks as people do: tests that others wrote, and experiments that others made.
//!
//! [`suite`] has the tests of RiMEA, NIST, ISO and IMO and some of our own, each with its label and its
//! criterion; [`measure`] has what they are judged by; [`report`] tells what came of them. Scenes of the
//! tests lie in `scenes/`, with a placeholder where a test varies something. All tests run with the
//! default parameters; only populations change, where a test prescribes one.
//!
//! ```
//! use throng_validate::{Seeds, Settings, suite};
//!
//! let tests = suite::select(&["rimea-1"])?;
//! let results = suite::run(&tests, &Settings { seeds: Seeds::Exactly(1), ..Default::default() }, |_| {});
//! assert_eq!(results[0].verdict().name(), "pass");
//! # Ok::<(), throng_validate::ValidateError>(())
//! ```

mod error;
mod outcome;
mod parallel;
mod trial;

pub mod experiments;
pub mod measure;
pub mod reference;
pub mod report;
pub mod scene;
pub mod suite;
pub mod trajectory;

pub use error::ValidateError;
pub use outcome::{Check, Figure, Label, Outcome, Verdict};
pub use trial::{FRAME_SECONDS, Run, Seeds, Settings, Trial};
