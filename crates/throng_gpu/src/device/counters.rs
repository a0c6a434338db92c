//! What was asked of the device so far. A test takes two looks and compares.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers since the device was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Buffers mapped for reading. A step that never waits for the GPU maps none.
    pub maps: u64,
    /// Compute dispatches recorded, direct and indirect.
    pub dispatches: u64,
    /// Bytes copied from the CPU to buffers.
    pub uploaded: u64,
    /// Bytes copied from buffers to the CPU.
    pub read_back: u64,
    /// Buffers created.
    pub buffers: u64,
    /// Bind groups created.
    pub bind_groups: u64,
    /// Command buffers submitted by [`Gpu::submit`](crate::Gpu::submit).
    pub submissions: u64,
}

impl Counts {
    /// What was added since an earlier look.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            maps: self.maps - earlier.maps,
            dispatches: self.dispatches - earlier.dispatches,
            uploaded: self.uploaded - earlier.uploaded,
            read_back: self.read_back - earlier.read_back,
            buffers: self.buffers - earlier.buffers,
            bind_groups: self.bind_groups - earlier.bind_groups,
            submissions: self.submissions - earlier.submissions,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) maps: Counter,
    pub(crate) dispatches: Counter,
    pub(crate) uploaded: Counter,
    pub(crate) read_back: Counter,
    pub(crate) buffers: Counter,
    pub(crate) bind_groups: Counter,
    pub(crate) submissions: Counter,
}

impl Counters {
    pub(crate) fn look(&self) -> Counts {
        Counts {
            maps: self.maps.get(),
            dispatches: self.dispatches.get(),
            uploaded: self.uploaded.get(),
            read_back: self.read_back.get(),
            buffers: self.buffers.get(),
            bind_groups: self.bind_groups.get(),
            submissions: self.submissions.get(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, by: u64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
