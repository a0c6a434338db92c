//! Tests of the tile engine.
