//! A crowd in the browser in ten lines: `cargo run -p throng_remote --example serve_scene -- square`, and open the
//! address that it prints.

use throng::{BuildOptions, Scene, Simulation, SimulationOptions};
use throng_remote::engine::{Engine, Live, LiveOptions};
use throng_remote::server::{ServeOptions, Server};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "bottleneck".into());
    let port = words.next().map_or(Ok(0), |port| port.parse())?;
    let world = Scene::open(&name)?.build(&BuildOptions::default())?;
    let simulation = Simulation::new(world, SimulationOptions::default())?;
    let live = Live::new(simulation, LiveOptions::default())?;
    let (engine, _) = Engine::start(Box::new(live))?;
    let server = Server::bind(engine, ServeOptions { port, ..ServeOptions::default() })?;
    #[allow(clippy::print_stdout, reason = "a program speaks")]
    {
        println!("{name} at {}", server.url());
    }
    Ok(server.run()?)
}
