//! The engine: a crowd or a recording on a thread of its own, which takes calls between two steps and publishes
//! what happens. Nobody who watches can make it wait: frames and counters are replaced, not queued.

mod feed;
mod gauges;
mod ground;
mod history;
mod live;
mod recording;
mod tape;

pub use feed::{Feed, Laid, Moment, Offered, Place};
pub use history::History;
pub use live::{Live, LiveOptions};
pub use recording::{Recording, RecordingOptions};

use serde_json::Value;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

use crate::protocol::{Call, Fault, FaultCode, Field, FieldKind, Frame, FrameHead, Status};
use crate::protocol::{Quantum, SceneNote};

/// Calls that wait for the next step, at most.
const QUEUE: usize = 1024;
/// Calls that are carried out between two steps, at most: the others wait for the next.
const CALLS: usize = 256;
/// Counters are told so often.
const STATUS_EVERY: Duration = Duration::from_millis(200);
/// Frames take no more than one part in so many of the time.
const FRAME_SHARE: u32 = 14;
/// Frames are made no faster than this.
const FRAME_EVERY: Duration = Duration::from_millis(33);
/// Nor are they slower for that.
const FRAME_LATEST: Duration = Duration::from_millis(150);
/// Fields are made no faster than this.
const FIELD_EVERY: Duration = Duration::from_millis(250);
/// When nothing is to be done, somebody may still want to know how things are.
const IDLE: Duration = Duration::from_millis(100);

/// A call on its way to the engine.
#[derive(Debug)]
pub struct Request {
    /// What is asked for.
    pub call: Call,
    /// Who asks.
    pub client: u64,
    /// When an answer is of no use any more.
    pub until: Option<Instant>,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Result<Value, Fault>>,
}

/// Something that goes on in time: a crowd or a recording.
pub trait Source: Send {
    /// The place as it is now.
    fn scene(&mut self) -> Result<SceneNote, Fault>;
    /// Counts changes of the place.
    fn revision(&self) -> u64;
    /// Heights of the ground, as a message.
    fn heights(&mut self) -> Option<Vec<u8>>;
    /// The ground of the frames' 16 bits.
    fn quantum(&self) -> Quantum;
    /// Lets time pass; whether anything is to be seen.
    fn advance(&mut self, elapsed: Duration) -> Result<bool, Fault>;
    /// How long nothing will happen by itself.
    fn due_in(&self) -> Option<Duration>;
    /// Does as it is told.
    fn call(&mut self, call: Call) -> Result<Value, Fault>;
    /// Everybody as they are.
    fn frame(&mut self, head: FrameHead) -> Result<Frame, Fault>;
    /// How things are.
    fn status(&mut self, status: &mut Status) -> Result<(), Fault>;
    /// Numbers on the ground.
    fn field(&mut self, kind: FieldKind, goal: u16) -> Result<Field, Fault>;
    /// Whether frames of the past are to be remembered.
    fn remembers(&self) -> bool;
    /// Finished recordings: number, ending of the name, file.
    fn recordings(&self) -> Vec<(u64, &'static str, std::path::PathBuf)> {
        Vec::new()
    }
    /// What happened since this was asked last, a line of JSON each.
    fn take_events(&mut self) -> Vec<Value>;
    /// The last thing that is done.
    fn end(&mut self) {}
}

/// The way to an engine. It ends when all ways to it are gone.
#[derive(Clone, Debug)]
pub struct Engine {
    requests: SyncSender<Request>,
    /// What it publishes.
    pub feed: Arc<Feed>,
}

impl Engine {
    /// Starts it.
    ///
    /// # Errors
    /// The source has no scene, or no thread can be started.
    pub fn start(mut source: Box<dyn Source>) -> Result<(Self, JoinHandle<()>), Fault> {
        let (requests, calls) = sync_channel(QUEUE);
        let feed = Arc::new(Feed::new(place(source.as_mut())?));
        let mut works = Works::new(source, feed.clone(), calls);
        works.publish()?;
        let thread = std::thread::Builder::new().name("throng-engine".into());
        let thread = thread.spawn(move || works.run());
        let thread = thread.map_err(|e| Fault::new(FaultCode::Internal, e))?;
        Ok((Self { requests, feed }, thread))
    }

    /// Hands a call over.
    ///
    /// # Errors
    /// Too many are waiting, or the engine has ended.
    pub fn ask(&self, request: Request) -> Result<(), Fault> {
        self.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => Fault::new(FaultCode::Busy, "too many calls are waiting"),
            TrySendError::Disconnected(_) => Fault::new(FaultCode::Internal, "the crowd has ended"),
        })
    }
}

fn place(source: &mut dyn Source) -> Result<Place, Fault> {
    let scene = source.scene()?;
    let heights = scene.heights.then(|| source.heights()).flatten();
    let text = serde_json::json!({ "scene": scene }).to_string();
    Ok(Place { text, heights: heights.map(Into::into), quantum: source.quantum(), scene })
}

/// The thread's own.
struct Works {
    source: Box<dyn Source>,
    feed: Arc<Feed>,
    calls: Receiver<Request>,
    framed: Instant,
    /// From one frame to the next: longer where a frame takes long.
    frame_every: Duration,
    told: Instant,
    fielded: Instant,
    /// Something is to be seen that no frame shows yet.
    news: bool,
    jump: u32,
    revision: u64,
    /// Step, time and moment of the last look at the pace.
    pace: (f64, Instant, f32),
}

impl Works {
    fn new(source: Box<dyn Source>, feed: Arc<Feed>, calls: Receiver<Request>) -> Self {
        let now = Instant::now();
        let revision = feed.place().scene.revision;
        let pace = (0.0, now, 0.0);
        Self {
            source,
            feed,
            calls,
            framed: now,
            frame_every: FRAME_EVERY,
            told: now,
            fielded: now,
            news: true,
            jump: 0,
            revision,
            pace,
        }
    }

    fn run(mut self) {
        let mut last = Instant::now();
        let mut waiting = None;
        loop {
            if !self.take_calls(waiting.take()) {
                break;
            }
            let now = Instant::now();
            match self.source.advance(now - last) {
                Ok(news) => self.news |= news,
                Err(fault) => {
                    self.feed.tell(
                        &serde_json::json!({ "event": { "kind": "failed", "text": fault.text } }),
                    );
                    break;
                }
            }
            last = now;
            if self.publish().is_err() {
                break;
            }
            let due = self.source.due_in().unwrap_or(IDLE).min(IDLE);
            if due > Duration::ZERO {
                match self.calls.recv_timeout(due) {
                    Ok(request) => waiting = Some(request),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        }
        self.source.end();
    }

    /// Carries out what has come; whether anybody is left who could call.
    fn take_calls(&mut self, first: Option<Request>) -> bool {
        if let Some(request) = first {
            self.answer(request);
        }
        for _ in 0..CALLS {
            match self.calls.try_recv() {
                Ok(request) => self.answer(request),
                Err(std::sync::mpsc::TryRecvError::Empty) => break,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return false,
            }
        }
        true
    }

    fn answer(&mut self, request: Request) {
        if request.until.is_some_and(|until| Instant::now() > until) {
            let late = Fault::new(FaultCode::Late, "it was not done, as the time for it was over");
            let _ = request.answer.send(Err(late));
            return;
        }
        let (name, changes) = (request.call.parts().0, changes(&request.call));
        let jumps =
            matches!(request.call, Call::Seek { .. } | Call::Reset {} | Call::Restore { .. });
        let done = self.source.call(request.call);
        if let Ok(answer) = &done
            && changes
        {
            self.news = true;
            self.feed.offer(self.source.recordings());
            self.jump += u32::from(jumps);
            let step = answer.get("step").cloned().unwrap_or_default();
            let event = serde_json::json!({ "kind": "command", "call": name, "step": step, "by": request.client });
            self.feed.tell(&serde_json::json!({ "event": event }));
            // Whoever reads the answer finds the counters to be later than it.
            self.told -= STATUS_EVERY;
        }
        // Whoever has gone away does not wait for an answer.
        let _ = request.answer.send(done);
    }

    /// Publishes what is new and due.
    fn publish(&mut self) -> Result<(), Fault> {
        let now = Instant::now();
        for event in self.source.take_events() {
            self.feed.tell(&serde_json::json!({ "event": event }));
        }
        if now - self.told >= STATUS_EVERY {
            self.told = now;
            self.tell_status(now)?;
        }
        let remembers = self.source.remembers() && self.feed.history().wants_now();
        if self.news
            && now - self.framed >= self.frame_every
            && (self.feed.is_watched() || remembers)
        {
            self.framed = now;
            self.news = false;
            let head = FrameHead { jump: self.jump, ..FrameHead::default() };
            let frame = Arc::new(self.source.frame(head)?);
            if self.source.remembers() {
                self.feed.history().remember(&frame);
            }
            self.feed.show(frame);
            self.frame_every = FRAME_EVERY.max(now.elapsed() * FRAME_SHARE).min(FRAME_LATEST);
        }
        if now - self.fielded >= FIELD_EVERY {
            self.fielded = now;
            for (kind, goal) in self.feed.wanted_fields(now) {
                let made = self.source.field(kind, goal).map(|field| field.bytes());
                self.feed.lay(kind, goal, made);
            }
        }
        Ok(())
    }

    fn tell_status(&mut self, now: Instant) -> Result<(), Fault> {
        let mut status = Status::default();
        self.source.status(&mut status)?;
        let (since, at, pace) = self.pace;
        let seconds = (now - at).as_secs_f64();
        if seconds >= 0.9 {
            let pace = ((status.time - since) / seconds).max(0.0) as f32;
            self.pace = (status.time, now, pace);
        }
        status.pace = if status.playing { self.pace.2.max(pace) } else { 0.0 };
        status.clients = self.feed.clients();
        if self.source.remembers() {
            self.feed.history().now(status.step, status.time, status.people);
            status.remembered = self.feed.history().range(status.step);
        }
        self.feed.tell_status(&status);
        let revision = self.source.revision();
        if revision != self.revision {
            self.revision = revision;
            self.feed.change(place(self.source.as_mut())?);
        }
        Ok(())
    }
}

/// Whether a call changes what others see.
fn changes(call: &Call) -> bool {
    !matches!(
        call,
        Call::Agent { .. }
            | Call::Parameters {}
            | Call::Status {}
            | Call::Log {}
            | Call::Frames { .. }
            | Call::Field { .. }
            | Call::Look(_)
            | Call::Follow { .. }
    )
}
