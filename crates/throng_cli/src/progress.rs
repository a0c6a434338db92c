//! Progress on standard error for whatever takes over a second: a bar in a terminal, a line now and
//! then elsewhere, nothing for what is done at once.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long to keep quiet.
const QUIET: Duration = Duration::from_secs(1);
/// Time between lines where there is no terminal.
const LINES: Duration = Duration::from_secs(5);

/// Progress of one job.
pub(crate) struct Progress {
    bar: ProgressBar,
    what: Mutex<String>,
    total: u64,
    started: Instant,
    /// When the last line was written, where there is no terminal.
    last_line: Option<Mutex<Instant>>,
}

impl Progress {
    /// Progress over `total` things; 0 if it is not known how many there are.
    pub(crate) fn new(what: &str, total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = if total > 0 {
            "{msg} [{bar:32}] {human_pos} of {human_len}, {eta} left"
        } else {
            "{msg} {spinner} {elapsed}"
        };
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("█▌ ");
        bar.set_style(style);
        bar.set_message(what.to_owned());
        let started = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        if terminal {
            let late = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(QUIET);
                if !late.is_finished() {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(Duration::from_millis(100));
                }
            });
        }
        let last_line = (!terminal).then(|| Mutex::new(started));
        Self { bar, what: Mutex::new(what.to_owned()), total, started, last_line }
    }

    /// So many are done.
    pub(crate) fn at(&self, done: u64) {
        self.bar.set_position(done);
        let Some(last) = &self.last_line else { return };
        // Whoever else is reporting at this moment does it for us.
        if let Ok(mut last) = last.try_lock()
            && last.elapsed() >= LINES
        {
            *last = Instant::now();
            let seconds = self.started.elapsed().as_secs();
            let what = self.what.lock().map(|what| what.clone()).unwrap_or_default();
            eprintln!("{what}: {done} of {} after {seconds} s", self.total);
        }
    }

    /// Other words beside the bar.
    pub(crate) fn retitle(&self, what: String) {
        self.bar.set_message(what.clone());
        if let Ok(mut old) = self.what.lock() {
            *old = what;
        }
    }

    /// A line on standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
