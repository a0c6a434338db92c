//! At most once: a call whose answer was lost can be made again under its number, and is not done again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Answers that are kept for a client.
const ANSWERS: usize = 256;
/// Clients whose answers are kept, also after they have gone.
const SESSIONS: usize = 128;
/// Answers larger than this are not kept (bytes); such calls only read, and can be made anew.
const LARGEST: usize = 64 << 10;

/// What is to be done with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is new.
    Do,
    /// It was done, and this was the answer.
    Answered(Arc<str>),
    /// It is being done.
    UnderWay,
    /// Its number is one of long ago, or was passed over.
    Replayed,
}

/// The calls of one client.
#[derive(Debug, Default)]
pub(super) struct Calls {
    last: Option<u64>,
    answers: VecDeque<(u64, Option<Arc<str>>)>,
}

impl Calls {
    /// Begins a call.
    pub(super) fn begin(&mut self, id: u64) -> Verdict {
        if self.last.is_none_or(|last| id > last) {
            self.last = Some(id);
            if self.answers.len() == ANSWERS {
                self.answers.pop_front();
            }
            self.answers.push_back((id, None));
            return Verdict::Do;
        }
        match self.answers.iter().find(|(other, _)| *other == id) {
            Some((_, Some(answer))) => Verdict::Answered(answer.clone()),
            Some((_, None)) => Verdict::UnderWay,
            None => Verdict::Replayed,
        }
    }

    /// Keeps the answer to a call.
    pub(super) fn end(&mut self, id: u64, answer: &Arc<str>) {
        if answer.len() > LARGEST {
            self.answers.retain(|(other, _)| *other != id);
        } else if let Some((_, kept)) = self.answers.iter_mut().find(|(other, _)| *other == id) {
            *kept = Some(answer.clone());
        }
    }
}

/// When a client was here last, and its calls.
type Session = (Instant, Arc<Mutex<Calls>>);

/// The calls of all clients, by the names they gave themselves.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Session>>);

impl Sessions {
    /// The calls of a client.
    pub(super) fn of(&self, name: &str) -> Arc<Mutex<Calls>> {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !sessions.contains_key(name) && sessions.len() >= SESSIONS {
            let oldest = sessions.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                sessions.remove(&oldest);
            }
        }
        let entry =
            sessions.entry(name.to_owned()).or_insert_with(|| (Instant::now(), Arc::default()));
        entry.0 = Instant::now();
        entry.1.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a call that was sent again after a break is done twice.
    #[test]
    fn a_call_is_done_once() {
        let sessions = Sessions::default();
        let calls = sessions.of("a");
        let mut calls = calls.lock().unwrap();
        assert_eq!(calls.begin(1), Verdict::Do);
        assert_eq!(calls.begin(1), Verdict::UnderWay);
        let answer: Arc<str> = "yes".into();
        calls.end(1, &answer);
        assert_eq!(calls.begin(5), Verdict::Do);
        assert_eq!(calls.begin(1), Verdict::Answered(answer));
        assert_eq!(calls.begin(3), Verdict::Replayed, "passed over");
        for id in 6..6 + ANSWERS as u64 {
            assert_eq!(calls.begin(id), Verdict::Do);
        }
        assert_eq!(calls.begin(1), Verdict::Replayed, "of long ago");
        drop(calls);
        assert_eq!(sessions.of("a").lock().unwrap().begin(1), Verdict::Replayed);
        for i in 0..2 * SESSIONS {
            sessions.of(&i.to_string());
        }
        assert!(sessions.0.lock().unwrap().len() <= SESSIONS);
    }
}
