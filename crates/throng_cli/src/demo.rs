//! `throng demo`: pictures of three built-in maps with their fields and a way each.

use crate::failure::Failure;
use crate::map::Map;
use crate::say;
use crate::solve::{SolverArg, solve};
use std::path::PathBuf;
use std::time::Instant;
use throng_field::Cell;
use throng_field::solve::{Order, Source};
use throng_field::trace::{tighten, trace};
use throng_record::FieldPicture;

/// What `throng demo` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng demo                 pictures in out/
  throng demo --out /tmp/demo")]
pub(crate) struct Args {
    /// Folder for the pictures; made if missing
    #[arg(long, default_value = "out", value_name = "DIR")]
    out: PathBuf,
}

impl Default for Args {
    fn default() -> Self {
        Self { out: "out".into() }
    }
}

/// A map, the wished-for start and goal, and what the picture shows.
const SHOWS: [(&str, Cell, Cell, &str); 3] = [
    ("street", Cell::new(24, 470), Cell::new(400, 90), "A city quarter"),
    ("maze", Cell::new(3, 3), Cell::new(253, 253), "A maze"),
    ("cave", Cell::new(50, 330), Cell::new(330, 60), "A cave"),
];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.out).map_err(|error| {
        Failure::Output(format!("cannot make the folder {}: {error}", args.out.display()))
    })?;
    for (name, from, to, title) in SHOWS {
        let map = Map::load(name.as_ref())?;
        let (from, to) = (nearest_free(&map, from), nearest_free(&map, to));
        let started = Instant::now();
        let (field, report) = solve(&map, &[to], SolverArg::Iterative, Order::First)?;
        let ms = started.elapsed().as_secs_f64() * 1e3;
        let way = trace(&map.cost, &field, &[Source::from(to)], map.cost.centre(from))
            .map_err(|error| Failure::Trace { map: map.name.clone(), error })?;
        let way = tighten(&way, &map.cost);
        let path = args.out.join(format!("{name}.png"));
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

/// The free cell nearest to a wish, so that a change of the maps does not break the demonstration.
fn nearest_free(map: &Map, wish: Cell) -> Cell {
    let distance = |cell: Cell| {
        let (dx, dy) = (u64::from(cell.x.abs_diff(wish.x)), u64::from(cell.y.abs_diff(wish.y)));
        dx * dx + dy * dy
    };
    let free = (0..map.cost.cells()).filter(|&i| map.cost.as_slice()[i].is_finite());
    free.map(|i| map.cost.cell_at(i)).min_by_key(|&cell| distance(cell)).unwrap_or(wish)
}
