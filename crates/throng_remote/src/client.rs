//! A small client that waits: for tests, tools and whoever wants to speak with a server from Rust.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use crate::protocol::{Call, Fault, Field, Frame, FrameError, SceneNote, Status, VERSION, tag};

/// The largest message that a server may send (bytes).
const LARGEST: usize = 256 << 20;
/// How long one read waits.
const GLANCE: Duration = Duration::from_millis(20);

/// Why a client does not get what it asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server cannot be reached, or refuses the connection.
    #[error("no connection: {0}")]
    Connect(String),
    /// The connection has ended.
    #[error("the connection has ended: {0}")]
    Ended(String),
    /// The server refuses the call.
    #[error(transparent)]
    Refused(#[from] Fault),
    /// It takes too long.
    #[error("no answer in time")]
    Late,
    /// The server says something that is not of the protocol.
    #[error("the server speaks another language: {0}")]
    Language(String),
    /// A frame is not whole.
    #[error(transparent)]
    Torn(#[from] FrameError),
}

/// What comes from a server.
#[derive(Clone, Debug)]
pub enum News {
    /// Everybody at one moment.
    Frame(Box<Frame>, usize),
    /// A field.
    Field(Field),
    /// Heights of the ground.
    Heights(usize),
    /// How things are.
    Status(Box<Status>),
    /// The place is another one.
    Scene(Box<SceneNote>),
    /// Something happened.
    Event(Value),
    /// A message was no call.
    Complaint(Fault),
    /// The answer to a call.
    Answer(u64, Result<Value, Fault>),
    /// What a server says first.
    Hello(Value),
}

/// How to connect.
#[derive(Clone, Debug, Default)]
pub struct ClientOptions {
    /// The server's token.
    pub token: Option<String>,
    /// A name of 16 letters and digits or more, by which answers are found again after a break.
    pub session: Option<String>,
    /// The page that it pretends to come from.
    pub origin: Option<String>,
    /// The name that it calls the server by; its address, if left out.
    pub host: Option<String>,
}

/// A connection to a server.
pub struct Client {
    socket: WebSocket<TcpStream>,
    next: u64,
    /// Whether frames are acknowledged as they come.
    pub acknowledges: bool,
    /// The last status.
    pub status: Option<Status>,
    /// The last frame.
    pub frame: Option<Frame>,
    /// The place.
    pub scene: Option<SceneNote>,
    /// Events and complaints, oldest first; the host takes them.
    pub heard: Vec<News>,
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    /// The server is not there, refuses, or has another version.
    pub fn connect(server: SocketAddr, options: &ClientOptions) -> Result<Self, ClientError> {
        let failed = |e: &dyn std::fmt::Display| ClientError::Connect(e.to_string());
        let query: Vec<String> = [("token", &options.token), ("session", &options.session)]
            .into_iter()
            .filter_map(|(key, value)| value.as_ref().map(|value| format!("{key}={value}")))
            .collect();
        let host = options.host.clone().unwrap_or_else(|| server.to_string());
        let url = format!("ws://{server}/live?{}", query.join("&"));
        let mut request = url.into_client_request().map_err(|e| failed(&e))?;
        let headers = request.headers_mut();
        headers.insert("host", host.parse().map_err(|e| failed(&e))?);
        if let Some(origin) = &options.origin {
            headers.insert("origin", origin.parse().map_err(|e| failed(&e))?);
        }
        let stream = TcpStream::connect(server).map_err(|e| failed(&e))?;
        stream.set_nodelay(true).map_err(|e| failed(&e))?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).map_err(|e| failed(&e))?;
        let mut config = WebSocketConfig::default();
        config.max_message_size = Some(LARGEST);
        config.max_frame_size = Some(LARGEST);
        let (socket, _) = tungstenite::client::client_with_config(request, stream, Some(config))
            .map_err(|error| match error {
                HandshakeError::Failure(tungstenite::Error::Http(response)) => {
                    let body = response.body().as_deref().map(String::from_utf8_lossy);
                    failed(&format!("{}: {}", response.status(), body.unwrap_or_default()))
                }
                HandshakeError::Failure(error) => failed(&error),
                HandshakeError::Interrupted(_) => failed(&"the server takes too long"),
            })?;
        socket.get_ref().set_read_timeout(Some(GLANCE)).map_err(|e| failed(&e))?;
        let mut client = Self {
            socket,
            next: 1,
            acknowledges: true,
            status: None,
            frame: None,
            scene: None,
            heard: Vec::new(),
        };
        let end = Instant::now() + Duration::from_secs(10);
        while client.scene.is_none() {
            if let Some(News::Hello(hello)) = client.next_news(end)?
                && hello.get("version").and_then(Value::as_u64) != Some(VERSION.into())
            {
                return Err(ClientError::Language(hello.to_string()));
            }
        }
        Ok(client)
    }

    /// Sends any text.
    ///
    /// # Errors
    /// The connection has ended.
    pub fn send_text(&mut self, text: &str) -> Result<(), ClientError> {
        let sent = self.socket.send(Message::Text(text.into()));
        sent.map_err(|e| ClientError::Ended(e.to_string()))
    }

    /// Sends any bytes.
    ///
    /// # Errors
    /// The connection has ended.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        let sent = self.socket.send(Message::Binary(bytes.into()));
        sent.map_err(|e| ClientError::Ended(e.to_string()))
    }

    /// Makes a call and does not wait; gives its number.
    ///
    /// # Errors
    /// The connection has ended.
    pub fn start(&mut self, call: &Call) -> Result<u64, ClientError> {
        let id = self.next;
        self.next += 1;
        self.send_text(&call.message(id))?;
        Ok(id)
    }

    /// Makes a call and waits for its answer.
    ///
    /// # Errors
    /// The server refuses it, takes longer than ten seconds, or has gone.
    pub fn call(&mut self, call: &Call) -> Result<Value, ClientError> {
        let id = self.start(call)?;
        self.answer(id, Duration::from_secs(10))
    }

    /// Waits for the answer to a call.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub fn answer(&mut self, id: u64, within: Duration) -> Result<Value, ClientError> {
        let end = Instant::now() + within;
        loop {
            match self.next_news(end)? {
                Some(News::Answer(answered, done)) if answered == id => return Ok(done?),
                Some(_) => {}
                None => return Err(ClientError::Late),
            }
        }
    }

    /// Waits until something holds of what has come.
    ///
    /// # Errors
    /// It does not hold in time, or the connection has ended.
    pub fn wait_for(
        &mut self,
        within: Duration,
        holds: impl Fn(&Self) -> bool,
    ) -> Result<(), ClientError> {
        let end = Instant::now() + within;
        while !holds(self) {
            self.next_news(end)?.ok_or(ClientError::Late)?;
        }
        Ok(())
    }

    /// The next thing that comes; nothing, if the time is over.
    ///
    /// # Errors
    /// The connection has ended, or what comes is not of the protocol.
    pub fn next_news(&mut self, end: Instant) -> Result<Option<News>, ClientError> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return self.take_text(&text).map(Some),
                Ok(Message::Binary(bytes)) => return self.take_bytes(&bytes).map(Some),
                Ok(Message::Close(close)) => {
                    let why =
                        close.map_or_else(String::new, |c| format!("{} {}", c.code, c.reason));
                    return Err(ClientError::Ended(why));
                }
                Ok(_) => {}
                Err(tungstenite::Error::Io(e))
                    if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    if Instant::now() >= end {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(ClientError::Ended(error.to_string())),
            }
        }
    }

    fn take_text(&mut self, text: &str) -> Result<News, ClientError> {
        let language = |e: &dyn std::fmt::Display| ClientError::Language(e.to_string());
        let mut value: Value = serde_json::from_str(text).map_err(|e| language(&e))?;
        let mut take = |key: &str| value.get_mut(key).map(Value::take);
        if let Some(id) = take("id").and_then(|id| id.as_u64()) {
            let done = match (take("ok"), take("error")) {
                (Some(ok), None) => Ok(ok),
                (_, Some(fault)) => Err(serde_json::from_value(fault).map_err(|e| language(&e))?),
                _ => return Err(language(&text)),
            };
            return Ok(News::Answer(id, done));
        }
        if let Some(status) = take("status") {
            let status: Status = serde_json::from_value(status).map_err(|e| language(&e))?;
            self.status = Some(status.clone());
            return Ok(News::Status(Box::new(status)));
        }
        if let Some(scene) = take("scene") {
            let scene: SceneNote = serde_json::from_value(scene).map_err(|e| language(&e))?;
            self.scene = Some(scene.clone());
            return Ok(News::Scene(Box::new(scene)));
        }
        if let Some(hello) = take("hello") {
            return Ok(News::Hello(hello));
        }
        let news = match (take("event"), take("error")) {
            (Some(event), _) => News::Event(event),
            (_, Some(fault)) => {
                News::Complaint(serde_json::from_value(fault).map_err(|e| language(&e))?)
            }
            _ => return Err(language(&text)),
        };
        self.heard.push(news.clone());
        Ok(news)
    }

    fn take_bytes(&mut self, bytes: &[u8]) -> Result<News, ClientError> {
        match bytes.first() {
            Some(&tag::FRAME) => {
                let frame = Frame::decode(bytes)?;
                if self.acknowledges && !frame.head.past {
                    self.send_text(&json!({ "ack": frame.head.sequence }).to_string())?;
                }
                self.frame = Some(frame.clone());
                Ok(News::Frame(Box::new(frame), bytes.len()))
            }
            Some(&tag::FIELD) => Field::decode(bytes)
                .map(News::Field)
                .ok_or_else(|| ClientError::Language("a field that is none".into())),
            Some(&tag::HEIGHTS) => Ok(News::Heights(bytes.len())),
            _ => Err(ClientError::Language("unknown bytes".into())),
        }
    }
}
