//! A crew: helpers that stay for many short phases of parallel work.
//!
//! Handing each phase to a thread pool costs a sleep and a wake-up of its threads, which on a virtual
//! machine may take longer than the phase. A crew asks the pool for helpers once; they take items from
//! the current phase, and wait for the next one awake. No phase waits for a helper that has not come: the
//! driver works too, and waits only for items that someone has taken. (The last helpers are called off
//! when the pool gets round to them.)

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bits of the ticket that count items; the rest number the phase.
const ITEM_BITS: u32 = 20;
const ITEM_MASK: u64 = (1 << ITEM_BITS) - 1;
/// The ticket of a crew that is dismissed.
const DISMISSED: u64 = u64::MAX;
/// How often to look for news before giving others the processor.
const PATIENCE: u32 = 200;

/// Work shared out by phases.
pub(crate) struct Crew<'a> {
    /// Called with the number of the worker, 0 for the driver, and of the item.
    work: &'a (dyn Fn(usize, usize) + Sync),
    /// Number of the phase, items it has, next item to take; one word, so that a claim is always of
    /// the phase it was made in.
    ticket: AtomicU64,
    done: AtomicUsize,
}

/// Calls `drive` with a crew of up to `helpers` helpers from the current thread pool, each doing `work` on
/// the items of the phases that `drive` calls. No two workers with the same number work at a time.
pub(crate) fn with_crew<R: Send>(
    helpers: usize,
    work: &(dyn Fn(usize, usize) + Sync),
    drive: impl FnOnce(&Crew<'_>) -> R + Send,
) -> R {
    let crew = Crew { work, ticket: AtomicU64::new(0), done: AtomicUsize::new(0) };
    if helpers == 0 {
        return drive(&crew);
    }
    rayon::in_place_scope(|scope| {
        for worker in 1..=helpers {
            let crew = &crew;
            scope.spawn(move |_| crew.help(worker));
        }
        // Dismisses the helpers even if `drive` panics; the scope would wait for them for ever.
        let _dismiss = Dismiss(&crew);
        drive(&crew)
    })
}

struct Dismiss<'a, 'b>(&'a Crew<'b>);

impl Drop for Dismiss<'_, '_> {
    fn drop(&mut self) {
        self.0.ticket.store(DISMISSED, Ordering::Release);
    }
}

/// Counts an item as done when it is dropped, however the work on it ended.
struct Item<'a>(&'a AtomicUsize);

impl Drop for Item<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

impl Crew<'_> {
    /// Works on items `0..items`, with whoever helps, and returns when all are done.
    pub(crate) fn phase(&self, items: usize) {
        if items <= 1 || items as u64 >= ITEM_MASK {
            (0..items).for_each(|item| (self.work)(0, item));
            return;
        }
        self.done.store(0, Ordering::Relaxed);
        let number = (self.ticket.load(Ordering::Relaxed) >> (2 * ITEM_BITS)) + 1;
        // Wraps long before it could look like a dismissal.
        let number = number & ((1 << (62 - 2 * ITEM_BITS)) - 1);
        let ticket = number << (2 * ITEM_BITS) | (items as u64) << ITEM_BITS;
        self.ticket.store(ticket, Ordering::Release);
        while self.take(0) {}
        let mut looks = 0;
        while self.done.load(Ordering::Acquire) < items {
            pause(&mut looks);
        }
    }

    fn help(&self, worker: usize) {
        let mut looks = 0;
        while self.ticket.load(Ordering::Acquire) != DISMISSED {
            if self.take(worker) {
                looks = 0;
            } else {
                pause(&mut looks);
            }
        }
    }

    /// Takes an item of the current phase and does it; false if there is none.
    fn take(&self, worker: usize) -> bool {
        let mut ticket = self.ticket.load(Ordering::Acquire);
        loop {
            let (items, next) = (ticket >> ITEM_BITS & ITEM_MASK, ticket & ITEM_MASK);
            if ticket == DISMISSED || next >= items {
                return false;
            }
            let claim = self.ticket.compare_exchange_weak(
                ticket,
                ticket + 1,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match claim {
                Ok(_) => {
                    let _done = Item(&self.done);
                    (self.work)(worker, next as usize);
                    return true;
                }
                Err(now) => ticket = now,
            }
        }
    }
}

fn pause(looks: &mut u32) {
    *looks += 1;
    if looks.is_multiple_of(PATIENCE) {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item done twice or not at all would be a tile visited twice or forgotten.
    #[test]
    fn every_item_of_every_phase_is_done_once() {
        for helpers in [0, 1, 3] {
            let counts: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            let work = |_: usize, i: usize| {
                counts[i].fetch_add(1, Ordering::Relaxed);
            };
            with_crew(helpers, &work, |crew| {
                for phase in 0..2000 {
                    let items = phase % 101;
                    crew.phase(items);
                    for (i, count) in counts.iter().enumerate() {
                        let expected = usize::from(i < items);
                        assert_eq!(count.swap(0, Ordering::Relaxed), expected, "phase {phase}");
                    }
                }
            });
        }
    }

    /// A crew inside a pool whose threads are all busy with crews must not wait for ever.
    #[test]
    fn crews_within_a_full_pool_finish() {
        use rayon::prelude::*;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let sum = AtomicUsize::new(0);
        pool.install(|| {
            (0..16).into_par_iter().for_each(|_| {
                let work = |_: usize, i: usize| {
                    sum.fetch_add(i, Ordering::Relaxed);
                };
                with_crew(2, &work, |crew| (0..50).for_each(|_| crew.phase(5)));
            });
        });
        assert_eq!(sum.into_inner(), 16 * 50 * 10);
    }

    #[test]
    #[should_panic(expected = "an item fails")]
    fn a_panic_of_the_driver_comes_through() {
        let work = |worker: usize, i: usize| assert!(worker != 0 || i != 7, "an item fails");
        with_crew(1, &work, |crew| (0..10_000).for_each(|_| crew.phase(20)));
    }

    #[test]
    #[should_panic(expected = "a helper fails")]
    fn a_panic_of_a_helper_comes_through() {
        let came = std::sync::atomic::AtomicBool::new(false);
        let work = |worker: usize, _: usize| {
            if worker != 0 {
                came.store(true, Ordering::Relaxed);
                panic!("a helper fails");
            }
        };
        let started = std::time::Instant::now();
        with_crew(1, &work, |crew| {
            while !came.load(Ordering::Relaxed) && started.elapsed().as_secs() < 20 {
                crew.phase(20);
            }
        });
    }
}
