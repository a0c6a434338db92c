//! Crowds over the network: `throng serve` gives anyone with a browser what the window gives.
//!
//! A [`Source`](engine::Source) goes on in time: a living crowd ([`Live`](engine::Live)) or a recording
//! ([`Recording`](engine::Recording)). An [`Engine`](engine::Engine) has it on a thread of its own, carries out calls between
//! two steps and publishes frames, counters and events. A [`Server`](server::Server) hands them to
//! clients: to the page that is embedded in the program, or to a [`Client`](client::Client). What they say to
//! each other is in [`protocol`], and for people in `PROTOCOL.md`.
//!
//! Everything that a client does to a crowd is a command, stamped with its step and written to a log; `throng
//! run --commands LOG` repeats the run to the same hash.

pub mod client;
pub mod engine;
pub mod protocol;
pub mod server;
