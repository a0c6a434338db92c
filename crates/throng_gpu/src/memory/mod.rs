//! Buffers: where they come from, how bytes get in and out.

mod pool;
mod ring;
mod transfer;

pub use pool::{Buffer, Pool, PoolBytes};
pub use ring::{ReadBack, ReadRing};
