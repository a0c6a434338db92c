//! Directions.
