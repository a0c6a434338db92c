//! Tests of the solvers.
mod accuracy;
