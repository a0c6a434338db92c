//! The server: one port for the page, its calls and its frames. `guard` decides who may come in, `page` has the
//! files, `fetch` sends recordings, `connection` speaks with one client, `calls` keeps each call from being done twice.

mod calls;
mod connection;
mod fetch;
mod guard;
mod page;

pub use guard::{check_token, new_token};

use axum::body::Body;
use axum::extract::{ConnectInfo, RawQuery, Request, State, WebSocketUpgrade};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::engine::Engine;
use calls::Sessions;
use guard::{Guard, Refusal};

/// The largest message of a client (bytes).
pub const LARGEST_MESSAGE: usize = 64 << 10;
/// Connections at once, clients or not.
const CONNECTIONS: usize = 256;
/// A request whose head takes longer is none.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How a server is run.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Where to listen.
    pub bind: IpAddr,
    /// The port; 0: any that is free.
    pub port: u16,
    /// What clients must know; needed unless only this machine can come in.
    pub token: Option<String>,
    /// Names by which the server goes, besides `localhost` and its numbers.
    pub names: Vec<String>,
    /// Clients at once.
    pub most_clients: u32,
    /// A client that has not taken in a frame for so long is cut off.
    pub patience: Duration,
}

impl Default for ServeOptions {
    /// On this machine alone, at any free port.
    fn default() -> Self {
        Self {
            bind: IpAddr::from([127, 0, 0, 1]),
            port: 0,
            token: None,
            names: Vec::new(),
            most_clients: 32,
            patience: Duration::from_secs(10),
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could come in without a token.
    #[error("{0} can be reached from elsewhere: that needs a token")]
    NeedsToken(IpAddr),
    /// The token is none.
    #[error("{0}")]
    BadToken(String),
    /// The port cannot be had.
    #[error("cannot listen at {at}: {reason}")]
    Bind {
        /// Where.
        at: SocketAddr,
        /// What the system says.
        reason: String,
    },
    /// The server cannot run.
    #[error("{0}")]
    System(String),
}

/// What all requests share.
pub(crate) struct Shared {
    engine: Engine,
    guard: Guard,
    options: ServeOptions,
    sessions: Sessions,
    clients: AtomicU32,
    next_client: AtomicU64,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    runtime: tokio::runtime::Runtime,
    stop: watch::Sender<bool>,
}

/// Ends a server.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// Ends it: clients are told.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens; nobody is served before [`Server::run`].
    ///
    /// # Errors
    /// The port cannot be had, or others could come in without a token.
    pub fn bind(engine: Engine, options: ServeOptions) -> Result<Self, ServeError> {
        if let Some(token) = &options.token {
            check_token(token).map_err(ServeError::BadToken)?;
        } else if !options.bind.is_loopback() {
            return Err(ServeError::NeedsToken(options.bind));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("throng-serve")
            .enable_io()
            .enable_time()
            .build()
            .map_err(|e| ServeError::System(e.to_string()))?;
        let at = SocketAddr::new(options.bind, options.port);
        let failed = |e: std::io::Error| ServeError::Bind { at, reason: e.to_string() };
        let listener = runtime.block_on(TcpListener::bind(at)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let shared = Arc::new(Shared {
            engine,
            guard: Guard::new(options.names.clone(), options.token.clone()),
            options,
            sessions: Sessions::default(),
            clients: AtomicU32::new(0),
            next_client: AtomicU64::new(1),
        });
        Ok(Self { listener, address, shared, runtime, stop: watch::Sender::new(false) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        let mut at = self.address;
        if at.ip().is_unspecified() {
            at.set_ip(IpAddr::from([127, 0, 0, 1]));
        }
        // Behind the `#` it stays in the browser: no log and no other site gets to see it.
        let token = self.shared.options.token.as_ref().map(|token| format!("#token={token}"));
        format!("http://{at}/{}", token.unwrap_or_default())
    }

    /// What ends it, from another thread.
    #[must_use]
    pub fn stopper(&self) -> Stop {
        Stop(self.stop.clone())
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// The system gives no more connections.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, shared, runtime, stop, .. } = self;
        let done = runtime.block_on(accept(listener, shared, stop.subscribe()));
        // Clients have a moment to hear of it.
        runtime.shutdown_timeout(Duration::from_millis(500));
        done
    }
}

/// Takes in one connection after the other. Heads of requests have a size and a time.
async fn accept(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stop: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let app = router(shared.clone(), stop.clone());
    loop {
        let (socket, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of handles, or the other side has gone: others may come.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Ok(place) = room.clone().try_acquire_owned() else { continue };
        let _ = socket.set_nodelay(true);
        let app = app.clone();
        tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request: hyper::Request<_>| {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(ConnectInfo(peer));
                let mut app = app.clone();
                async move { tower_call(&mut app, request).await }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(hyper_util::rt::TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(32 << 10)
                .keep_alive(true);
            let io = hyper_util::rt::TokioIo::new(socket);
            // Whoever breaks off does not want to hear of it.
            let _ = http.serve_connection(io, service).with_upgrades().await;
            drop(place);
        });
    }
    // Connections see the signal too and say goodbye.
    tokio::time::sleep(Duration::from_millis(200)).await;
    Ok(())
}

async fn tower_call(
    app: &mut Router,
    request: Request,
) -> Result<Response, std::convert::Infallible> {
    use hyper::service::Service as _;
    hyper_util::service::TowerToHyperService::new(app.clone()).call(request).await
}

#[derive(Clone)]
struct Context {
    shared: Arc<Shared>,
    stop: watch::Receiver<bool>,
}

fn router(shared: Arc<Shared>, stop: watch::Receiver<bool>) -> Router {
    let context = Context { shared, stop };
    Router::new()
        .route("/live", routing::any(live))
        .route("/recordings/{number}", routing::get(fetch::fetch))
        .fallback(file)
        .layer(axum::middleware::from_fn_with_state(context.clone(), admit))
        .with_state(context)
}

/// Everything passes here first, and everything that goes out gets these headers.
async fn admit(State(context): State<Context>, request: Request, next: Next) -> Response {
    let mut response = match context.shared.guard.admit(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
             img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

fn refuse(refusal: Refusal) -> Response {
    let status = match refusal {
        Refusal::Token => StatusCode::UNAUTHORIZED,
        Refusal::Host | Refusal::Origin => StatusCode::FORBIDDEN,
    };
    (status, refusal.text()).into_response()
}

/// A file of the page.
async fn file(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, "only GET").into_response();
    }
    match page::asset(request.uri().path()) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

/// A client.
async fn live(
    State(context): State<Context>,
    RawQuery(query): RawQuery,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let shared = context.shared;
    if let Err(refusal) = shared.guard.has_token(query.as_deref()) {
        return refuse(refusal);
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Some(place) = Place::take(&shared) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there are too many clients").into_response();
    };
    let session = connection::session_of(query.as_deref());
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .write_buffer_size(0)
        .on_upgrade(move |socket| connection::serve(socket, place, session, context.stop))
}

/// A client's place among all.
pub(crate) struct Place {
    shared: Arc<Shared>,
    number: u64,
}

impl Place {
    fn take(shared: &Arc<Shared>) -> Option<Self> {
        let most = shared.options.most_clients;
        let room = |n: u32| (n < most).then_some(n + 1);
        let before =
            shared.clients.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room).ok()?;
        shared.engine.feed.set_clients(before + 1);
        let number = shared.next_client.fetch_add(1, Ordering::Relaxed);
        Some(Self { shared: shared.clone(), number })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let before = self.shared.clients.fetch_sub(1, Ordering::Relaxed);
        self.shared.engine.feed.set_clients(before.saturating_sub(1));
    }
}
