//! Many crowds at once: each on a thread of its own, results in the order of the jobs.

use crate::ValidateError;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A pool of so many threads for a crowd to live in.
pub(crate) fn pool(threads: usize) -> Result<Arc<ThreadPool>, ValidateError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Arc::new).map_err(|error| ValidateError::Threads(error.to_string()))
}

/// Does all jobs, at most `workers` at a time, each inside a pool of one thread. A crowd that is given
/// this pool stays on its thread: nothing is handed over from step to step, and no crowd waits for
/// another.
///
/// # Errors
/// The first error by the order of the jobs.
pub(crate) fn map<J, R>(
    workers: usize,
    jobs: &[J],
    work: impl Fn(&J, &Arc<ThreadPool>) -> Result<R, ValidateError> + Sync,
) -> Result<Vec<R>, ValidateError>
where
    J: Sync,
    R: Send,
{
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<R, ValidateError>)>> = Mutex::new(Vec::new());
    let pools: Vec<_> =
        (0..workers.min(jobs.len()).max(1)).map(|_| pool(1)).collect::<Result<_, _>>()?;
    std::thread::scope(|scope| {
        for pool in &pools {
            let (next, results, work) = (&next, &results, &work);
            scope.spawn(move || {
                pool.install(|| {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = jobs.get(i) else { break };
                        let result = work(job, pool);
                        if let Ok(mut all) = results.lock() {
                            all.push((i, result));
                        }
                    }
                });
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let jobs: Vec<u64> = (0..100).collect();
        let squares = super::map(4, &jobs, |j, _| Ok(j * j)).expect("threads");
        assert!(squares.iter().zip(&jobs).all(|(s, j)| *s == j * j));
    }
}
