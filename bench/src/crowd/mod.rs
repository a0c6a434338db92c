//! The crowd against its peers: the same agents, radii, speeds, goals and time step, in one run.
//!
//! A [`Problem`] is plain data. A [`Contestant`] steps it: [`Dodgy`] (the crate dodgy_2d) lives here,
//! JuPedSim in a process of its own ([`jupedsim`]). [`side_by_side`] times them by turns, [`arrive`]
//! waits until all are there, and [`measure`] holds the yardsticks, which know nothing of the peers.

mod arrival;
mod bins;
mod contest;
mod dodgy;
pub mod jupedsim;
pub mod measure;
mod problem;

pub use arrival::{ARRIVED_WITHIN, Arrival, arrive};
pub use bins::Bins;
pub use contest::{Contestant, Row, Turns, side_by_side};
pub use dodgy::{Dodgy, DodgyParams};
pub use problem::{Problem, circle, open_plane};
