//! The engine under [`super::FastIterative`] and [`super::Batched`]: the fast iterative method (Jeong
//! and Whitaker 2008) over a list of active tiles.
//!
//! * `shear`: how a tile is laid out so that a whole diagonal is one vector operation;
//! * `kernel`: one Gauss-Seidel sweep (fast sweeping, Zhao 2005) over a tile, in any vector width;
//! * `visit`: sweeps until the tile is at rest, and whom that wakes;
//! * `rounds`: which tiles are visited when.
//!
//! # Why it ends, and where
//! The first-order update is monotone and causal: a cell's value grows with its neighbours' and is never
//! below the ones it uses. Values start at infinity and only go down, each to a number its neighbours
//! justify, so they cannot pass below the solution; when no tile is due, the last sweep of every tile
//! has found no cell that could go lower, which is the scheme itself. No tolerance is involved.

pub(crate) mod kernel;
pub(crate) mod rounds;
pub(crate) mod shear;
pub(crate) mod visit;

#[cfg(test)]
mod tests;
