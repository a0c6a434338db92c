//! What a client says: acknowledgements and calls, counted, done at most once, and answered.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::extract::ws::Message;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::super::calls::Verdict;
use super::{BURST, CALLS, Connection, End, FEWEST, FIELD_FPS, MOST_FPS, RATE, STRIKES, TOO_MANY};
use crate::engine::Request;
use crate::protocol::{Call, Envelope, Fault, FaultCode, Incoming, Window};

impl Connection {
    pub(super) async fn hear(&mut self, message: Message) -> Result<(), End> {
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

fn answer(id: u64, done: Result<Value, Fault>) -> String {
    match done {
        Ok(value) => json!({ "id": id, "ok": value }),
        Err(fault) => json!({ "id": id, "error": fault }),
    }
    .to_string()
}
