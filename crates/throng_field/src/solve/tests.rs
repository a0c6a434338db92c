//! Tests of the solvers.
