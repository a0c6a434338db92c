//! Ctrl-C, and the polite request to end: noticed between two steps.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Who asks again after this long does not want to wait for the step to end.
const PATIENCE: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(250);

/// Remembers that the program should end. There is one for all runs of the program.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// From now on signals do not end the program but are remembered. A second one, some seconds
    /// after the first, ends it at once.
    pub(crate) fn watch() -> Result<Self, Failure> {
        static SEEN: OnceLock<Interrupt> = OnceLock::new();
        if let Some(seen) = SEEN.get() {
            return Ok(seen.clone());
        }
        let explain = |error| Failure::Output(format!("cannot watch for Ctrl-C: {error}"));
        let seen = Arc::new(AtomicUsize::new(0));
        let armed = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, armed.clone())
                .map_err(explain)?;
            flag::register_usize(signal, seen.clone(), signal as usize).map_err(explain)?;
        }
        let watched = seen.clone();
        std::thread::spawn(move || {
            while watched.load(Ordering::Relaxed) == 0 {
                std::thread::sleep(GLANCE);
            }
            std::thread::sleep(PATIENCE);
            armed.store(true, Ordering::Relaxed);
        });
        Ok(SEEN.get_or_init(|| Self(seen)).clone())
    }

    /// The exit code of a program that was asked to end, if it was.
    pub(crate) fn seen(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(128 + signal as u8),
        }
    }
}
