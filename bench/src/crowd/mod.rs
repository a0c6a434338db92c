//! The crowd against its peers: the same agents, radii, speeds, goals and time step, in one run.
//!
//! A [`Problem`] is plain data. A [`Contestant`] steps it: [`Ours`], and [`Dodgy`] (the crate dodgy_2d);
//! JuPedSim runs in a process of its own ([`jupedsim`]). [`side_by_side`] times them by turns,
//! `crowding` watches how they get along, [`arrive`] waits until all are there, and [`measure`] holds
//! the yardsticks, which know nothing of who made the positions. [`run`] does it all.

mod arrival;
mod bins;
mod bodies;
mod contest;
mod crowding;
mod dodgy;
pub mod jupedsim;
pub mod measure;
mod ours;
mod problem;
mod ratios;
mod suite;

pub use arrival::{ARRIVED_WITHIN, Arrival, arrive};
pub use bins::Bins;
pub use bodies::Bodies;
pub use contest::{Contestant, Row, Turns, Who, side_by_side};
pub use crowding::{Crowding, crowding};
pub use dodgy::{Dodgy, DodgyParams, Search};
pub use ours::Ours;
pub use problem::{Problem, circle, open_plane};
pub use ratios::Ratio;
pub use suite::{CrowdBench, Options, Part, run};
