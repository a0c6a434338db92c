//! One client: its calls in, answers, frames, fields and counters out. Each has a task of its own; a client that
//! is slow gets fewer frames, one that takes nothing in is cut off, and the crowd does not notice.

mod hear;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::calls::Calls;
use super::{LARGEST_MESSAGE, Place};
use crate::engine::Moment;
use crate::protocol::{FieldKind, PROGRAMS, VERSION, Window};

/// Frames on their way to a client, at most: it says when it has taken one in.
const IN_FLIGHT: usize = 2;
/// Frames per second, at most and unless it says otherwise.
const MOST_FPS: f32 = 30.0;
const USUAL_FPS: f32 = 15.0;
/// Calls of a client that are under way, at most.
const CALLS: usize = 64;
/// Messages per second, in the long run and at once.
const RATE: f64 = 200.0;
const BURST: f64 = 400.0;
/// So many messages beyond, and one is cut off.
const STRIKES: u32 = 2000;
/// A field no more often than this.
const FIELD_FPS: f32 = 4.0;
/// An agent's share of a thinned frame: fewer than this make no sense.
const FEWEST: u32 = 100;

/// Why a connection ends.
enum End {
    /// The other side has gone, or says goodbye.
    Gone,
    /// It is cut off: code and reason.
    Cut(u16, &'static str),
}

const TOO_SLOW: End = End::Cut(1008, "too slow: frames were not taken in");
const TOO_MANY: End = End::Cut(1008, "too many messages");
const GOING: End = End::Cut(1001, "the server ends");

/// What a client calls itself, by which its calls are known when it comes again: `session=…` of the query.
pub(super) fn session_of(query: Option<&str>) -> Option<String> {
    let fits = |name: &&str| {
        (16..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let mut parts = query?.split('&');
    parts.find_map(|part| part.strip_prefix("session=")).filter(fits).map(str::to_owned)
}

/// What a client wants to see.
struct View {
    fps: f32,
    window: Option<Window>,
    follow: Option<u32>,
    /// It looks at the past.
    past: bool,
    field: Option<(FieldKind, u16)>,
    field_every: Duration,
    field_number: u64,
    field_at: Instant,
}

struct Connection {
    socket: WebSocket,
    place: Place,
    calls: Arc<Mutex<Calls>>,
    view: View,
    watches: bool,
    /// Numbers of the frames on their way, and when they went.
    flying: VecDeque<(u32, Instant)>,
    next_frame: Instant,
    level: f64,
    refilled: Instant,
    strikes: u32,
    answers: mpsc::Sender<Arc<str>>,
    under_way: Arc<std::sync::atomic::AtomicUsize>,
}

/// Serves a client until one of both has enough.
pub(super) async fn serve(
    socket: WebSocket,
    place: Place,
    session: Option<String>,
    stop: watch::Receiver<bool>,
) {
    let calls = match &session {
        Some(name) => place.shared.sessions.of(name),
        None => Arc::default(),
    };
    let (answers, answered) = mpsc::channel(CALLS);
    let now = Instant::now();
    let mut connection = Connection {
        socket,
        place,
        calls,
        view: View {
            fps: USUAL_FPS,
            window: None,
            follow: None,
            past: false,
            field: None,
            field_every: Duration::from_secs(1),
            field_number: 0,
            field_at: now,
        },
        watches: false,
        flying: VecDeque::new(),
        next_frame: now,
        level: BURST,
        refilled: now,
        strikes: 0,
        answers,
        under_way: Arc::default(),
    };
    connection.set_watching(true);
    let end = connection.run(answered, stop).await;
    connection.set_watching(false);
    if let Err(End::Cut(code, reason)) = end {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ =
            tokio::time::timeout(Duration::from_millis(200), connection.socket.send(close)).await;
    }
}

impl Connection {
    async fn run(
        &mut self,
        mut answered: mpsc::Receiver<Arc<str>>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), End> {
        let feed = self.place.shared.engine.feed.clone();
        let (mut frames, mut status) = (feed.frames(), feed.status());
        let (mut places, mut events) = (feed.places(), feed.events());
        let patience = self.place.shared.options.patience;
        self.greet().await?;
        frames.mark_changed();
        status.mark_changed();
        places.borrow_and_update();
        let mut tick = tokio::time::interval(Duration::from_millis(100));
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let now = Instant::now();
            let wants = self.view.fps > 0.0 && !self.view.past && self.flying.len() < IN_FLIGHT;
            tokio::select! {
                () = stopped(&mut stop) => return Err(GOING),
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await?,
                    Some(Err(_)) | None => return Err(End::Gone),
                },
                Some(answer) = answered.recv() => self.send_text(&answer).await?,
                changed = frames.changed(), if wants && now >= self.next_frame => {
                    changed.map_err(|_| GOING)?;
                    let moment = frames.borrow_and_update().clone();
                    self.show(&moment).await?;
                }
                () = tokio::time::sleep_until(self.next_frame), if wants && now < self.next_frame => {}
                changed = status.changed() => {
                    changed.map_err(|_| GOING)?;
                    let text = status.borrow_and_update().clone();
                    if !text.is_empty() {
                        self.send_text(&text).await?;
                    }
                }
                changed = places.changed() => {
                    changed.map_err(|_| GOING)?;
                    let place = places.borrow_and_update().clone();
                    self.send_text(&place.text).await?;
                }
                event = events.recv() => match event {
                    Ok(event) => self.send_text(&event).await?,
                    Err(RecvError::Lagged(missed)) => {
                        let note = json!({ "event": { "kind": "missed", "count": missed } });
                        self.send_text(&note.to_string()).await?;
                    }
                    Err(RecvError::Closed) => return Err(GOING),
                },
                _ = tick.tick() => {
                    let stalled = |(_, sent): &(u32, Instant)| sent.elapsed() > patience;
                    if self.flying.front().is_some_and(stalled) {
                        return Err(TOO_SLOW);
                    }
                    self.lay_field().await?;
                }
            }
        }
    }

    fn set_watching(&mut self, watches: bool) {
        if self.watches != watches {
            self.watches = watches;
            self.place.shared.engine.feed.watch(watches);
        }
    }

    async fn greet(&mut self) -> Result<(), End> {
        let programs: serde_json::Map<String, Value> = PROGRAMS
            .iter()
            .map(|(name, version)| ((*name).to_owned(), (*version).into()))
            .collect();
        let hello = json!({ "hello": {
            "version": VERSION,
            "programs": programs,
            "client": self.place.number,
            "server": env!("CARGO_PKG_VERSION"),
            "limits": { "message": LARGEST_MESSAGE, "in_flight": IN_FLIGHT, "calls": CALLS, "fps": MOST_FPS },
        }});
        self.send_text(&hello.to_string()).await?;
        let place = self.place.shared.engine.feed.place();
        self.send_text(&place.text).await?;
        match &place.heights {
            Some(heights) => self.send_bytes(Bytes::copy_from_slice(heights)).await,
            None => Ok(()),
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        let patience = self.place.shared.options.patience;
        match tokio::time::timeout(patience, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(TOO_SLOW),
        }
    }

    async fn send_text(&mut self, text: &str) -> Result<(), End> {
        self.send(Message::Text(text.into())).await
    }

    async fn send_bytes(&mut self, bytes: Bytes) -> Result<(), End> {
        self.send(Message::Binary(bytes)).await
    }

    async fn show(&mut self, moment: &Moment) -> Result<(), End> {
        let now = Instant::now();
        self.next_frame = now + Duration::from_secs_f32(1.0 / self.view.fps);
        if moment.number == 0 {
            return Ok(());
        }
        let sequence = moment.number as u32;
        let bytes = match self.window() {
            None => moment.bytes(),
            Some(window) => {
                let quantum = self.place.shared.engine.feed.place().quantum;
                moment.frame.window(&window, &quantum).bytes(sequence, false).into()
            }
        };
        self.flying.push_back((sequence, now));
        self.send_bytes(bytes).await
    }

    /// The part of the ground this client sees, with whom it follows.
    fn window(&self) -> Option<Window> {
        self.view.window.map(|window| Window { always: self.view.follow, ..window })
    }

    async fn lay_field(&mut self) -> Result<(), End> {
        let Some((kind, goal)) = self.view.field else { return Ok(()) };
        let feed = &self.place.shared.engine.feed;
        let Some((number, laid)) = feed.want_field(kind, goal) else { return Ok(()) };
        if number == self.view.field_number || Instant::now() < self.view.field_at {
            return Ok(());
        }
        self.view.field_number = number;
        self.view.field_at = Instant::now() + self.view.field_every;
        match laid {
            Ok(bytes) => self.send_bytes(Bytes::copy_from_slice(&bytes)).await,
            Err(fault) => {
                self.view.field = None;
                self.send_text(&json!({ "error": fault }).to_string()).await
            }
        }
    }
}

/// Waits until the server is to end.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
