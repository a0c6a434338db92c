//! Load a map, solve its field, ask which way to go: `cargo run -p throng_world --example ask_direction`
#![allow(clippy::print_stdout, reason = "an example speaks")]
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, DirectionField};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A built-in map; your own by `throng_world::load_cost("city.map")?`.
    let cost = throng_world::builtin("street").ok_or("no such map")?;
    let goals = [Source::from(Cell::new(400, 90))];
    let mut potential = cost.clone();
    FastIterative::new().solve(&cost, &goals, &SolveParams::default(), &mut potential)?;
    let mut directions = DirectionField::default();
    directions.compute(&potential, &cost, &goals)?;
    let here = Cell::new(36, 488);
    println!("{:?}, {:.1} m to go", directions.heading(here), potential[here]);
    Ok(())
}
