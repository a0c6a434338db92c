//! Ctrl-C, and the polite request to end: noticed between two steps.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Remembers that the run should end.
pub(super) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// From now on signals do not end the program but are remembered.
    pub(super) fn watch() -> Result<Self, Failure> {
        let seen = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, seen.clone(), signal as usize)
                .map_err(|error| Failure::Output(format!("cannot watch for Ctrl-C: {error}")))?;
        }
        Ok(Self(seen))
    }

    /// The exit code of a program that was asked to end, if it was.
    pub(super) fn seen(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(128 + signal as u8),
        }
    }
}
