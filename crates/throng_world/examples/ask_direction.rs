//! Load a map, solve its field, ask which way to go.
//! `cargo run -p throng_world --example ask_direction`
#![allow(clippy::print_stdout, reason = "an example speaks")]
use throng_field::Cell;
use throng_field::direction::DirectionField;
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cost = throng_world::builtin("street").ok_or("no such map")?; // or throng_world::load_cost("city.map")?
    let (start, goals) = (Cell::new(36, 488), [Source::from(Cell::new(400, 90))]);
    let mut potential = cost.clone();
    FastIterative::new().solve(&cost, &goals, &SolveParams::default(), &mut potential)?;
    let mut directions = DirectionField::default();
    directions.compute(&potential, &cost, &goals)?;
    println!(
        "from {start}: {:?}, {:.1} m to go",
        directions.heading(start),
        potential[start]
    );
    Ok(())
}
