//! What an engine publishes: the last frame, the last counters, the last fields; whoever is slow misses those
//! in between. Events are queued for a while.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{broadcast, watch};

use super::history::History;
use crate::protocol::{Fault, FieldKind, Frame, Quantum, SceneNote, Status};

/// Events that wait for a slow client; older ones are dropped.
const EVENTS: usize = 256;
/// Who has not asked for a field for so long does not want it any more.
const INTEREST: Duration = Duration::from_secs(3);

/// A place, as it is sent.
#[derive(Clone, Debug)]
pub struct Place {
    /// The message of the scene.
    pub text: String,
    /// The message of the heights.
    pub heights: Option<Arc<[u8]>>,
    /// The ground of the frames' 16 bits.
    pub quantum: Quantum,
    /// What the message says.
    pub scene: SceneNote,
}

/// A frame that is shown.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// Counts them.
    pub number: u64,
    /// The frame.
    pub frame: Arc<Frame>,
    /// Its message, made when somebody wants it, once for all.
    bytes: Arc<OnceLock<Bytes>>,
}

impl Moment {
    /// The message of the whole frame.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.bytes.get_or_init(|| self.frame.bytes(self.number as u32, false).into()).clone()
    }
}

/// A field that is laid out, or why there is none.
pub type Laid = Result<Arc<[u8]>, Fault>;

/// A recording to be fetched: its number, the ending of its name, and its file.
pub type Offered = (u64, &'static str, PathBuf);

#[derive(Debug)]
struct Wanted {
    asked: Instant,
    laid: Option<(u64, Laid)>,
}

/// What an engine publishes.
#[derive(Debug)]
pub struct Feed {
    place: watch::Sender<Arc<Place>>,
    frames: watch::Sender<Moment>,
    status: watch::Sender<Arc<str>>,
    events: broadcast::Sender<Arc<str>>,
    fields: Mutex<HashMap<(FieldKind, u16), Wanted>>,
    history: Mutex<History>,
    recordings: Mutex<Vec<Offered>>,
    watchers: AtomicU32,
    clients: AtomicU32,
}

/// A panic elsewhere leaves plain data behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Feed {
    pub(super) fn new(place: Place) -> Self {
        Self {
            place: watch::Sender::new(Arc::new(place)),
            frames: watch::Sender::new(Moment::default()),
            status: watch::Sender::new(Arc::from("")),
            events: broadcast::Sender::new(EVENTS),
            fields: Mutex::default(),
            history: Mutex::default(),
            recordings: Mutex::default(),
            watchers: AtomicU32::new(0),
            clients: AtomicU32::new(0),
        }
    }

    /// The place as it is now.
    #[must_use]
    pub fn place(&self) -> Arc<Place> {
        self.place.borrow().clone()
    }

    /// Changes of the place.
    #[must_use]
    pub fn places(&self) -> watch::Receiver<Arc<Place>> {
        self.place.subscribe()
    }

    /// Frames.
    #[must_use]
    pub fn frames(&self) -> watch::Receiver<Moment> {
        self.frames.subscribe()
    }

    /// Counters.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Arc<str>> {
        self.status.subscribe()
    }

    /// Events.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Arc<str>> {
        self.events.subscribe()
    }

    /// The past.
    pub fn history(&self) -> MutexGuard<'_, History> {
        lock(&self.history)
    }

    /// Somebody begins to watch frames, or stops.
    pub fn watch(&self, watches: bool) {
        match watches {
            true => self.watchers.fetch_add(1, Ordering::Relaxed),
            false => self.watchers.fetch_sub(1, Ordering::Relaxed),
        };
    }

    pub(super) fn is_watched(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) > 0
    }

    /// Sets how many clients there are.
    pub fn set_clients(&self, clients: u32) {
        self.clients.store(clients, Ordering::Relaxed);
    }

    pub(super) fn clients(&self) -> u32 {
        self.clients.load(Ordering::Relaxed)
    }

    /// Asks for a field; gives the last one and its number, if there is one.
    pub fn want_field(&self, kind: FieldKind, goal: u16) -> Option<(u64, Laid)> {
        let mut fields = lock(&self.fields);
        let wanted = || Wanted { asked: Instant::now(), laid: None };
        let entry = fields.entry((kind, goal)).or_insert_with(wanted);
        entry.asked = Instant::now();
        entry.laid.clone()
    }

    pub(super) fn wanted_fields(&self, now: Instant) -> Vec<(FieldKind, u16)> {
        let mut fields = lock(&self.fields);
        fields.retain(|_, wanted| now.saturating_duration_since(wanted.asked) < INTEREST);
        fields.keys().copied().collect()
    }

    pub(super) fn lay(&self, kind: FieldKind, goal: u16, made: Result<Vec<u8>, Fault>) {
        if let Some(wanted) = lock(&self.fields).get_mut(&(kind, goal)) {
            let number = wanted.laid.as_ref().map_or(1, |(number, _)| number + 1);
            wanted.laid = Some((number, made.map(Into::into)));
        }
    }

    pub(super) fn offer(&self, recordings: Vec<Offered>) {
        *lock(&self.recordings) = recordings;
    }

    /// The recording of a number.
    #[must_use]
    pub fn recording(&self, number: u64) -> Option<Offered> {
        lock(&self.recordings).iter().find(|offered| offered.0 == number).cloned()
    }

    pub(super) fn show(&self, frame: Arc<Frame>) {
        self.frames.send_modify(|moment| {
            *moment = Moment { number: moment.number + 1, frame, bytes: Arc::default() };
        });
    }

    pub(super) fn tell_status(&self, status: &Status) {
        let text = serde_json::json!({ "status": status }).to_string();
        self.status.send_replace(text.into());
    }

    pub(super) fn change(&self, place: Place) {
        self.place.send_replace(Arc::new(place));
    }

    pub(super) fn tell(&self, event: &serde_json::Value) {
        // Nobody listens: nobody has to know.
        let _ = self.events.send(event.to_string().into());
    }
}
