//! Numbers on grids: costs, eikonal potentials, directions and routes.
pub mod cost;
pub mod direction;
pub mod grid;
pub mod solve;
pub mod trace;
pub use grid::{Cell, Edge, Grid, GridError};
