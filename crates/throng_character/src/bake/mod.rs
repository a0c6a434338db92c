//! What is computed once: maps of the sculpture, clips flattened to matrices, and the cache of both.

pub mod cache;
pub mod clips;
pub mod maps;
