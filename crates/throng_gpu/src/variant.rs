//! Two ways to do the same: with workgroup memory only, or with subgroups.

use crate::Gpu;
use crate::shader::{Def, Defs};

/// How the invocations of a workgroup talk to each other. Results are the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// By workgroup memory: on every device.
    Portable,
    /// By subgroup operations: where [`Capabilities::subgroups`](crate::Capabilities) is set.
    Subgroups,
}

impl Variant {
    /// Definitions of both.
    pub(crate) const BOTH: &'static [Defs] = &[&[], SUBGROUPS];

    /// The better one on this device. Subgroups of eight, as llvmpipe has them, were measured to be
    /// slower than workgroup memory.
    #[must_use]
    pub fn best(gpu: &Gpu) -> Self {
        match gpu.capabilities().subgroups && gpu.info().subgroup_min_size >= 16 {
            true => Self::Subgroups,
            false => Self::Portable,
        }
    }

    /// What shaders are compiled with that have no other definitions.
    #[must_use]
    pub fn defs(self) -> Defs {
        self.of(&[], SUBGROUPS)
    }

    /// The one of two that belongs to this.
    #[must_use]
    pub fn of<T>(self, portable: T, subgroups: T) -> T {
        match self {
            Self::Portable => portable,
            Self::Subgroups => subgroups,
        }
    }
}

const SUBGROUPS: Defs = &[("SUBGROUPS", Def::Yes)];
