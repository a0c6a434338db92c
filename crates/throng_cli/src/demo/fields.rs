//! Pictures of three built-in maps with their fields and a way each.

use crate::failure::Failure;
use crate::map::Map;
use crate::say;
use std::path::Path;
use std::time::Instant;
use throng_field::solve::{FastIterative, Report, SolveParams, Solver, Source};
use throng_field::trace::{tighten, trace};
use throng_field::{Cell, Grid};
use throng_record::FieldPicture;

/// A map, the wished-for start and goal, and what the picture shows.
const SHOWS: [(&str, Cell, Cell, &str); 3] = [
    ("street", Cell::new(24, 470), Cell::new(400, 90), "A city quarter"),
    ("maze", Cell::new(3, 3), Cell::new(253, 253), "A maze"),
    ("cave", Cell::new(50, 330), Cell::new(330, 60), "A cave"),
];

/// Draws all three into a folder.
pub(super) fn draw(out: &Path) -> Result<(), Failure> {
    let mut solver = FastIterative::new();
    for (name, from, to, title) in SHOWS {
        let map = Map::load(name.as_ref())?;
        let (from, to) = (nearest_free(&map, from), nearest_free(&map, to));
        let mut field = map.cost.map(|_| f32::INFINITY);
        let (report, ms) = solve_thrice(&mut solver, &map, to, &mut field)?;
        let way = trace(&map.cost, &field, &[Source::from(to)], map.cost.centre(from))
            .map_err(|error| Failure::Trace { map: map.name.clone(), error })?;
        let way = tighten(&way, &map.cost);
        let path = out.join(format!("{name}.png"));
        FieldPicture::new(&map.cost)
            .potential(&field, map.potential_label())
            .goals(&[to])
            .path(&way.points)
            .title(&format!("{title}: every cell knows its way to the goal"))
            .subtitle(&format!(
                "{}, {} reachable, field in {ms:.1} ms; one way of {:.0} cells",
                map.size(),
                report.reachable,
                way.length_m
            ))
            .length_unit("cells")
            .write_png(&path)?;
        say(&format!("wrote {}: field of {} in {ms:.1} ms", path.display(), map.size()))?;
    }
    Ok(())
}

/// Solves three times and gives the best time: the first includes waking threads and fetching memory.
fn solve_thrice(
    solver: &mut FastIterative,
    map: &Map,
    goal: Cell,
    field: &mut Grid<f32>,
) -> Result<(Report, f64), Failure> {
    let mut best = f64::INFINITY;
    let mut solve = || {
        let started = Instant::now();
        let report = solver.solve(&map.cost, &[goal.into()], &SolveParams::default(), field);
        best = best.min(started.elapsed().as_secs_f64() * 1e3);
        report.map_err(|error| Failure::Solve { map: map.name.clone(), error })
    };
    solve()?;
    solve()?;
    let report = solve()?;
    Ok((report, best))
}

/// The free cell nearest to a wish, so that a change of the maps does not break the demonstration.
fn nearest_free(map: &Map, wish: Cell) -> Cell {
    let distance = |cell: Cell| {
        let (dx, dy) = (u64::from(cell.x.abs_diff(wish.x)), u64::from(cell.y.abs_diff(wish.y)));
        dx * dx + dy * dy
    };
    let free = (0..map.cost.cells()).filter(|&i| map.cost.as_slice()[i].is_finite());
    free.map(|i| map.cost.cell_at(i)).min_by_key(|&cell| distance(cell)).unwrap_or(wish)
}
