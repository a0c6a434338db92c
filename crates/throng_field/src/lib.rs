//! Numbers on grids: costs, eikonal potentials, directions and routes.
//!
//! From the cost of crossing each cell ([`cost`]) and some goals, a solver ([`solve`]) finds the potential:
//! the cost of the best way to a goal, from everywhere at once. Its slope says which way to go
//! ([`direction`]); followed to the end it is a path ([`trace`]).
//!
//! ```
//! use throng_field::{Cell, Grid, direction::DirectionField};
//! use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
//!
//! let cost = Grid::filled(100, 60, 1.0)?; // 100 x 60 cells of 1 m, all free
//! let goals = [Source::from(Cell::new(90, 30))];
//! let mut potential = cost.clone();
//! let report = FastIterative::new().solve(&cost, &goals, &SolveParams::default(), &mut potential)?;
//! assert_eq!(report.reachable, 6000);
//! let mut directions = DirectionField::default();
//! directions.compute(&potential, &cost, &goals)?;
//! println!("{:?}", directions.heading(Cell::new(5, 5)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cost;
mod crew;
pub mod direction;
pub mod grid;
pub mod solve;
pub mod trace;

pub use direction::{DirectionField, Heading};
pub use grid::{Cell, Edge, Grid, GridError};
pub use trace::Path;
