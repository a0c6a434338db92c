//! `throng path`: one way on a map; `scenarios` does whole files of them.

use crate::failure::Failure;
use crate::map::{CellArg, Kind, Map, Output};
use crate::progress::Progress;
use crate::solve::{OrderArg, SolverArg, solve};
use crate::{say, say_json, scenarios};
use std::path::PathBuf;
use std::time::Instant;
use throng_field::Cell;
use throng_field::solve::{Order, Source};
use throng_field::trace::{Path, tighten, trace};
use throng_record::{FieldPicture, write_polyline_csv};

/// What `throng path` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng path street --from 20,500 --to 478,32 --out way.png     drawn over the map
  throng path Berlin_0_256.map --from 12,200 --to 240,9 --json
  throng path cave --from 42,60 --to 300,200 --raw --out way.csv  as traced, not pulled taut
  throng path arena.map --scenarios arena.map.scen                all scenarios of a MovingAI file

MAP is as for `throng solve`. Cells are column,row from 0,0 in the top left corner; a way leads from
the centre of a cell to the centre of a cell and never through a blocked one.")]
pub(crate) struct Args {
    /// Map file, or built-in map
    map: PathBuf,
    /// Start cell as column,row
    #[arg(
        long,
        value_name = "X,Y",
        required_unless_present = "scenarios",
        requires = "to",
        allow_hyphen_values = true
    )]
    from: Option<CellArg>,
    /// Goal cell as column,row
    #[arg(
        long,
        value_name = "X,Y",
        required_unless_present = "scenarios",
        requires = "from",
        allow_hyphen_values = true
    )]
    to: Option<CellArg>,
    /// A MovingAI .scen file: all its scenarios, compared with the optimal lengths it gives
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "out", "raw"])]
    scenarios: Option<PathBuf>,
    /// Accuracy of the field: 1 or 2
    #[arg(long, default_value_t = OrderArg(Order::First))]
    order: OrderArg,
    /// Leave the way as the field leads, without pulling it taut
    #[arg(long)]
    raw: bool,
    /// Where to write the way: .png (drawn over the map), .csv or .json (points)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` says, and what a .json output holds besides the points.
#[derive(serde::Serialize)]
struct Answer<'a> {
    map: &'a str,
    from: [u32; 2],
    to: [u32; 2],
    length: f64,
    cost: f64,
    points: usize,
    ms: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(file) = &args.scenarios {
        return scenarios::run(&args.map, file, args.order.0, args.json);
    }
    let (Some(CellArg(from)), Some(CellArg(to))) = (args.from, args.to) else {
        return Err(Failure::Usage("--from and --to are both needed".into()));
    };
    let endings = [("png", Kind::Png), ("csv", Kind::Csv), ("json", Kind::Json)];
    let out = args.out.as_deref().map(|path| Output::new(path, &endings)).transpose()?;
    let map = Map::load(&args.map)?;
    map.check_cell("--from", from)?;
    map.check_cell("--to", to)?;
    let progress = Progress::new("finding the way", 0);
    let started = Instant::now();
    let (field, _) = solve(&map, &[to], SolverArg::Iterative, args.order.0)?;
    let traced = trace(&map.cost, &field, &[Source::from(to)], map.cost.centre(from))
        .map_err(|error| Failure::Trace { map: map.name.clone(), error })?;
    let way = if args.raw { traced } else { tighten(&traced, &map.cost) };
    let ms = started.elapsed().as_secs_f64() * 1e3;
    drop(progress);
    let answer = Answer {
        map: &map.name,
        from: [from.x, from.y],
        to: [to.x, to.y],
        length: way.length_m,
        cost: way.cost,
        points: way.points.len(),
        ms,
    };
    if let Some(out) = &out {
        write(out, &map, &field, to, &way, &answer)?;
    }
    if args.json {
        return say_json(&answer);
    }
    say(&format!(
        "{}: from {from} to {to}: length {:.2} cells, cost {:.2}, {} points, {ms:.1} ms",
        map.name,
        way.length_m,
        way.cost,
        way.points.len()
    ))?;
    match out {
        Some(out) => say(&format!("wrote {}", out.path.display())),
        None => Ok(()),
    }
}

fn write(
    out: &Output,
    map: &Map,
    field: &throng_field::Grid<f32>,
    goal: Cell,
    way: &Path,
    answer: &Answer<'_>,
) -> Result<(), Failure> {
    match out.kind {
        Kind::Csv => write_polyline_csv(&way.points, &out.path)?,
        Kind::Json => {
            let points: Vec<[f32; 2]> = way.points.iter().map(|p| [p.x, p.y]).collect();
            let mut value = serde_json::to_value(answer).map_err(Failure::Json)?;
            value["points"] = serde_json::to_value(points).map_err(Failure::Json)?;
            let text = serde_json::to_string_pretty(&value).map_err(Failure::Json)?;
            throng_record::file::write_bytes(&out.path, text.as_bytes())?;
        }
        _ => {
            FieldPicture::new(&map.cost)
                .potential(field, map.potential_label())
                .goals(&[goal])
                .path(&way.points)
                .title(&format!("{}: the way, {:.1} cells long", map.name, way.length_m))
                .subtitle(&format!("{}, {:.1} ms for field and way", map.size(), answer.ms))
                .length_unit("cells")
                .write_png(&out.path)?;
        }
    }
    Ok(())
}
