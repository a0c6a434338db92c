//! The last minutes, frame by frame, within a fixed memory.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::protocol::Frame;

/// Memory for it (bytes).
const ROOM: usize = 64 << 20;
/// What is aimed at (simulated seconds).
const SPAN: f64 = 600.0;
/// Simulated seconds from one frame to the next, at least and at most.
const NEAREST: f64 = 0.1;
const FARTHEST: f64 = 2.0;

/// Frames of the past, oldest first.
#[derive(Debug, Default)]
pub struct History {
    frames: VecDeque<Arc<Frame>>,
    bytes: usize,
    /// Time and people now.
    time: f64,
    people: u32,
}

fn size(frame: &Frame) -> usize {
    frame.ids.len() * 4 + frame.records.len() + size_of::<Frame>()
}

impl History {
    /// Tells what time it is.
    pub(super) fn now(&mut self, step: u64, time: f64, people: u32) {
        (self.time, self.people) = (time, people);
        self.forget_after(step);
    }

    /// Time from one frame to the next.
    fn every(&self) -> f64 {
        let frame = f64::from(self.people) * 11.0;
        (SPAN * frame / ROOM as f64).clamp(NEAREST, FARTHEST)
    }

    /// Whether it is time for a frame.
    pub(super) fn wants_now(&self) -> bool {
        self.frames.back().is_none_or(|last| self.time >= last.head.time + self.every())
    }

    /// Takes a frame, if it is time for one.
    pub(super) fn remember(&mut self, frame: &Arc<Frame>) {
        self.now(frame.head.step, frame.head.time, frame.head.people);
        if !self.wants_now() {
            return;
        }
        self.bytes += size(frame);
        self.frames.push_back(frame.clone());
        while self.bytes > ROOM {
            let Some(old) = self.frames.pop_front() else { break };
            self.bytes -= size(&old);
        }
    }

    /// What is later than a step never was.
    fn forget_after(&mut self, step: u64) {
        while self.frames.back().is_some_and(|last| last.head.step > step) {
            if let Some(gone) = self.frames.pop_back() {
                self.bytes -= size(&gone);
            }
        }
    }

    /// The first and the last step that can be looked at; both now, if there is nothing.
    #[must_use]
    pub fn range(&self, now: u64) -> [u64; 2] {
        [self.frames.front().map_or(now, |frame| frame.head.step), now]
    }

    /// The last frame that is not later than a step; the first one, if there is none.
    #[must_use]
    pub fn at(&self, step: u64) -> Option<Arc<Frame>> {
        let after = self.frames.partition_point(|frame| frame.head.step <= step);
        self.frames.get(after.saturating_sub(1)).cloned()
    }

    /// Whether old frames go when new ones come.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.frames.back().is_some_and(|last| self.bytes + size(last) > ROOM)
    }

    /// Bytes that are held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FrameHead;

    fn frame(step: u64, people: usize) -> Arc<Frame> {
        let head = FrameHead {
            step,
            time: step as f64 * 0.05,
            people: people as u32,
            ..FrameHead::default()
        };
        Arc::new(Frame { head, ids: vec![0; people], records: vec![0; people * 7] })
    }

    /// If this fails, the past grows without end, or cannot be found.
    #[test]
    fn the_past_is_kept_within_bounds() {
        let mut history = History::default();
        for step in 0..40_000 {
            history.remember(&frame(step, 6000));
        }
        assert!(history.bytes() <= ROOM && history.bytes() > ROOM / 2, "{}", history.bytes());
        let [first, last] = history.range(39_999);
        assert!(first > 20_000 && last == 39_999, "{first}");
        let found = history.at(30_000).unwrap().head.step;
        assert!((29_960..=30_000).contains(&found), "{found}");
        assert_eq!(history.at(0).unwrap().head.step, first);
        // The crowd went back.
        history.remember(&frame(25_000, 6000));
        assert!(history.at(u64::MAX).unwrap().head.step <= 25_000);
    }
}
