//! Directional.
/// Slope.
#[derive(Debug)]
pub struct Slope;
/// Solver.
#[derive(Debug)]
pub struct Directional;
