//! A server of its own for a test, and clients for it.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;
use throng::{BuildOptions, Scene, Simulation, SimulationOptions};
use throng_remote::client::{Client, ClientOptions};
use throng_remote::engine::{Engine, Live, LiveOptions, Source};
use throng_remote::server::{ServeOptions, Server, Stop};

/// A server that ends with the test.
pub struct Served {
    pub address: SocketAddr,
    pub engine: Engine,
    stop: Stop,
    threads: Vec<JoinHandle<()>>,
}

pub fn simulation(scene: &str, agents: Option<u32>) -> Simulation {
    let options = BuildOptions { agents, ..BuildOptions::default() };
    let world = Scene::open(scene).expect("it ships").build(&options).expect("it is sound");
    Simulation::new(world, SimulationOptions::default()).expect("a crowd")
}

pub fn live(scene: &str, options: LiveOptions) -> Box<dyn Source> {
    Box::new(Live::new(simulation(scene, options.agents), options).expect("a session"))
}

impl Served {
    pub fn start(source: Box<dyn Source>, options: ServeOptions) -> Self {
        let (engine, thread) = Engine::start(source).expect("an engine");
        let server = Server::bind(engine.clone(), options).expect("a port");
        let (address, stop) = (server.address(), server.stopper());
        let serving = std::thread::spawn(move || server.run().expect("it serves"));
        Self { address, engine, stop, threads: vec![serving, thread] }
    }

    /// A crowd that stands still.
    pub fn paused(scene: &str) -> Self {
        let options = LiveOptions { paused: true, ..LiveOptions::default() };
        Self::start(live(scene, options), patient())
    }

    pub fn client(&self) -> Client {
        Client::connect(self.address, &ClientOptions::default()).expect("a connection")
    }

    /// Ends the server and waits for all of it.
    pub fn end(self) {
        let Self { engine, stop, threads, .. } = self;
        stop.stop();
        drop(engine);
        for thread in threads {
            thread.join().expect("it ended well");
        }
    }
}

/// For clients that a test does not listen to for a while, on a machine with other work.
pub fn patient() -> ServeOptions {
    ServeOptions { patience: Duration::from_secs(600), ..ServeOptions::default() }
}

pub const SOON: Duration = Duration::from_secs(120);
