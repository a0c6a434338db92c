//! The peers of the crowd alone, one JSON row a line: the open plane, and the circle until all arrive.
//!
//!     cargo run --release -p throng_bench --example crowd_peers [AGENTS]
#![expect(clippy::print_stdout, reason = "an example that prints")]

use std::error::Error;
use throng_bench::crowd::{
    Contestant, Dodgy, DodgyParams, Turns, arrive, circle,
    jupedsim::{self, Outcome},
    open_plane, side_by_side,
};

fn main() -> Result<(), Box<dyn Error>> {
    let agents = std::env::args().nth(1).map_or(Ok(65_536), |a| a.parse())?;
    let problem = open_plane(agents, 0.3, 0.3, 1.3, 1);
    let mut crowds = [1, 2].map(|threads| Dodgy::new(&problem, DodgyParams::default(), threads));
    let mut contestants: Vec<&mut dyn Contestant> = Vec::new();
    contestants.extend(crowds.iter_mut().map(|c| c as &mut dyn Contestant));
    for row in side_by_side(&problem.scene, &mut contestants, &Turns::default()) {
        println!("{}", serde_json::to_string(&row)?);
    }
    match jupedsim::run(&problem, &Turns { turns: 5, ..Turns::default() })? {
        Outcome::Measured(row) => println!("{}", serde_json::to_string(&row)?),
        Outcome::Missing(missing) => println!("left out: {} ({})", missing.peer, missing.reason),
    }
    // How they walk, with all yardsticks: ten seconds of the plane, and the circle to its end.
    let mut crowd = Dodgy::new(&problem, DodgyParams::default(), 2);
    println!("{}", serde_json::to_string(&arrive(&problem, &mut crowd, 10.0))?);
    let problem = circle(1000, 0.3, 1.3, 1);
    let mut crowd = Dodgy::new(&problem, DodgyParams::default(), 2);
    println!("{}", serde_json::to_string(&arrive(&problem, &mut crowd, 1200.0))?);
    Ok(())
}
