//! Work: kernels, what they are bound to, and the passes it is recorded into.

mod count;
mod kernel;
mod pass;
mod timer;

#[cfg(test)]
pub(crate) use count::Extent;
pub use count::{Count, GROUP, groups_for, workgroups};
pub(crate) use count::{Extents, MOST_IN_ROW, apart, holds_words};
pub use kernel::{Groups, Kernel, Prepared, Program, Step};
pub use pass::Pass;
pub use timer::{Timer, Timing};
