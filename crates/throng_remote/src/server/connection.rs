//! One client: its calls in, answers, frames, fields and counters out. Each has a task of its own; a client that
//! is slow gets fewer frames, one that takes nothing in is cut off, and the crowd does not notice.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::calls::{Calls, Verdict};
use super::{LARGEST_MESSAGE, Place};
use crate::engine::{Moment, Request};
use crate::protocol::{
    Call, Envelope, Fault, FaultCode, FieldKind, Incoming, PROGRAMS, VERSION, Window,
};

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

    async fn hear(&mut self, message: Message) -> Result<(), End> {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return Err(End::Gone),
            Message::Ping(_) | Message::Pong(_) => return self.count().map(|_| ()),
            Message::Binary(_) => {
                self.count()?;
                let fault = Fault::new(FaultCode::Malformed, "clients send text, not bytes");
                return self.send_text(&json!({ "error": fault }).to_string()).await;
            }
        };
        let within = self.count()?;
        match Incoming::parse(&text) {
            Ok(Incoming::Ack(sequence)) => {
                // Numbers go round after years.
                while let Some((sent, _)) = self.flying.front() {
                    if (sequence.wrapping_sub(*sent) as i32) < 0 {
                        break;
                    }
                    self.flying.pop_front();
                }
                Ok(())
            }
            Ok(Incoming::Call(Envelope { id, .. })) if !within => {
                let fault = Fault::new(FaultCode::Busy, "too many messages; wait a little");
                self.send_text(&answer(id, Err(fault))).await
            }
            Ok(Incoming::Call(envelope)) => self.call(envelope).await,
            Err(fault) => self.send_text(&json!({ "error": fault }).to_string()).await,
        }
    }

    /// Counts a message; whether it is within what one may send.
    fn count(&mut self) -> Result<bool, End> {
        let now = Instant::now();
        let gained = (now - self.refilled).as_secs_f64() * RATE;
        self.refilled = now;
        self.level = (self.level + gained).min(BURST);
        if self.level >= 1.0 {
            self.level -= 1.0;
            return Ok(true);
        }
        self.strikes += 1;
        if self.strikes > STRIKES { Err(TOO_MANY) } else { Ok(false) }
    }

    async fn call(&mut self, envelope: Envelope) -> Result<(), End> {
        let Envelope { id, within_ms, call } = envelope;
        let verdict = self.calls.lock().unwrap_or_else(PoisonError::into_inner).begin(id);
        match verdict {
            Verdict::Do => {}
            Verdict::Answered(text) => return self.send_text(&text).await,
            // Its answer comes.
            Verdict::UnderWay => return Ok(()),
            Verdict::Replayed => {
                let text = format!("call {id} comes after a later one, and is not done");
                let fault = Fault::new(FaultCode::Replayed, text);
                return self.send_text(&answer(id, Err(fault))).await;
            }
        }
        let mine = match call {
            Err(fault) => Err(fault),
            Ok(call) => match self.view_call(&call).await? {
                Some(done) => done,
                None => return self.ask(id, within_ms, call).await,
            },
        };
        let text: Arc<str> = answer(id, mine).into();
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).end(id, &text);
        self.send_text(&text).await
    }

    /// Hands a call to the engine; the answer comes when it is done.
    async fn ask(&mut self, id: u64, within_ms: Option<u32>, call: Call) -> Result<(), End> {
        use std::sync::atomic::Ordering::Relaxed;
        let (sender, done) = oneshot::channel();
        let until =
            within_ms.map(|ms| std::time::Instant::now() + Duration::from_millis(ms.into()));
        let request = Request { call, client: self.place.number, until, answer: sender };
        let busy = self.under_way.load(Relaxed) >= CALLS;
        let asked = match busy {
            true => Err(Fault::new(FaultCode::Busy, "too many calls are under way")),
            false => self.place.shared.engine.ask(request),
        };
        if let Err(fault) = asked {
            let text: Arc<str> = answer(id, Err(fault)).into();
            self.calls.lock().unwrap_or_else(PoisonError::into_inner).end(id, &text);
            return self.send_text(&text).await;
        }
        self.under_way.fetch_add(1, Relaxed);
        let (calls, answers, under_way) =
            (self.calls.clone(), self.answers.clone(), self.under_way.clone());
        tokio::spawn(async move {
            let gone = || Err(Fault::new(FaultCode::Internal, "the crowd has ended"));
            let text: Arc<str> = answer(id, done.await.unwrap_or_else(|_| gone())).into();
            calls.lock().unwrap_or_else(PoisonError::into_inner).end(id, &text);
            under_way.fetch_sub(1, Relaxed);
            // A client that has gone finds the answer when it comes again.
            let _ = answers.send(text).await;
        });
        Ok(())
    }

    /// Calls that concern this client alone.
    async fn view_call(&mut self, call: &Call) -> Result<Option<Result<Value, Fault>>, End> {
        let bad = |text: &str| Ok(Some(Err(Fault::new(FaultCode::BadArguments, text))));
        match *call {
            Call::Frames { fps, rect, most } => {
                let finite =
                    |r: [f32; 4]| r.iter().all(|v| v.is_finite()) && r[0] < r[2] && r[1] < r[3];
                if !fps.is_finite() || fps < 0.0 || rect.is_some_and(|rect| !finite(rect)) {
                    return bad("fps is a number from 0 on, and rect least and greatest x and y");
                }
                self.view.fps = fps.min(MOST_FPS);
                let bounds = self.place.shared.engine.feed.place().scene.bounds;
                let most = most.map_or(u32::MAX, |most| most.max(FEWEST));
                let all = rect.is_none() && most == u32::MAX;
                let rect = rect.unwrap_or(bounds);
                self.view.window = (!all).then_some(Window { rect, most, always: None });
                self.next_frame = Instant::now();
                self.set_watching(self.view.fps > 0.0);
            }
            Call::Field { kind, goal, fps } => {
                if !fps.is_finite() || fps <= 0.0 {
                    return bad("fps is a number above 0");
                }
                self.view.field = kind.map(|kind| (kind, goal));
                self.view.field_number = 0;
                self.view.field_at = Instant::now();
                self.view.field_every = Duration::from_secs_f32(1.0 / fps.clamp(0.01, FIELD_FPS));
            }
            Call::Follow { agent } => self.view.follow = agent,
            Call::Look(look) => {
                let Some(step) = look.step else {
                    self.view.past = false;
                    return Ok(Some(Ok(json!({}))));
                };
                let found = self.place.shared.engine.feed.history().at(step);
                let Some(frame) = found else {
                    return Ok(Some(Err(Fault::new(FaultCode::NotHere, "nothing is remembered"))));
                };
                self.view.past = true;
                let answer = json!({ "step": frame.head.step });
                let frame = match self.window() {
                    Some(window) => {
                        let quantum = self.place.shared.engine.feed.place().quantum;
                        frame.window(&window, &quantum).bytes(0, true)
                    }
                    None => frame.bytes(0, true),
                };
                self.send_bytes(frame.into()).await?;
                return Ok(Some(Ok(answer)));
            }
            _ => return Ok(None),
        }
        Ok(Some(Ok(json!({}))))
    }
}

/// Waits until the server is to end.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

fn answer(id: u64, done: Result<Value, Fault>) -> String {
    match done {
        Ok(value) => json!({ "id": id, "ok": value }),
        Err(fault) => json!({ "id": id, "error": fault }),
    }
    .to_string()
}
