//! Observers of a course of events that may have to be repeated: what was told once is not told again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use throng_crowd::{Event, ObserverId};

/// What stands between a crowd and its observers.
#[derive(Debug, Default)]
pub(super) struct Gates {
    repeating: Arc<AtomicBool>,
    all: Vec<(ObserverId, Arc<AtomicU64>)>,
}

impl Gates {
    /// The callback that a crowd gets for the host's, and the mark by which it is known.
    pub(super) fn guard<F: FnMut(&Event) + Send + Sync + 'static>(
        &self,
        mut callback: F,
    ) -> (impl FnMut(&Event) + Send + Sync + use<F>, Arc<AtomicU64>) {
        // The latest step that was told of, and one: events come step by step.
        let told = Arc::new(AtomicU64::new(0));
        let (repeating, mark) = (self.repeating.clone(), told.clone());
        let guarded = move |event: &Event| {
            let next = event.step + 1;
            if repeating.load(Ordering::Relaxed) && next <= mark.load(Ordering::Relaxed) {
                return;
            }
            if !repeating.load(Ordering::Relaxed) {
                mark.store(next, Ordering::Relaxed);
            }
            callback(event);
        };
        (guarded, told)
    }

    pub(super) fn add(&mut self, observer: ObserverId, told: Arc<AtomicU64>) {
        self.all.push((observer, told));
    }

    pub(super) fn remove(&mut self, observer: ObserverId) {
        self.all.retain(|(other, _)| *other != observer);
    }

    /// Whether steps are being repeated.
    #[cfg(feature = "gpu")]
    pub(super) fn repeat(&self, repeating: bool) {
        self.repeating.store(repeating, Ordering::Relaxed);
    }

    /// The clock was set: nothing was told of what follows.
    pub(super) fn reset(&self) {
        self.all.iter().for_each(|(_, told)| told.store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::Gates;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use throng_crowd::{AgentId, Event, EventKind};

    /// If this fails, a host counts arrivals twice after its device was lost, or misses some.
    #[test]
    fn what_was_told_is_not_told_again() {
        static HEARD: AtomicUsize = AtomicUsize::new(0);
        let gates = Gates::default();
        let (mut callback, told) = gates.guard(|_| {
            HEARD.fetch_add(1, Ordering::Relaxed);
        });
        let mut tell =
            |step| callback(&Event { step, agent: AgentId(1), kind: EventKind::Arrived });
        [4, 4, 5].into_iter().for_each(&mut tell);
        assert_eq!((HEARD.load(Ordering::Relaxed), told.load(Ordering::Relaxed)), (3, 6));
        gates.repeating.store(true, Ordering::Relaxed);
        [3, 4, 5, 6, 6].into_iter().for_each(&mut tell);
        assert_eq!(HEARD.load(Ordering::Relaxed), 5);
        gates.repeating.store(false, Ordering::Relaxed);
        [7, 7].into_iter().for_each(&mut tell);
        assert_eq!(HEARD.load(Ordering::Relaxed), 7);
    }
}
