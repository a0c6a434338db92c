//! `throng solve`: the navigation field of a map.

use crate::failure::Failure;
use crate::map::{CellArg, Kind, Map, Output};
use crate::progress::Progress;
use crate::{say, say_json};
use std::path::PathBuf;
use std::time::Instant;
use throng_field::solve::{
    Batched, FastIterative, FastMarching, Order, Report, SolveParams, Solver, Source,
};
use throng_field::{Cell, Grid};
use throng_record::{FieldPicture, write_grid_csv, write_npy};

/// What `throng solve` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng solve street --goal 256,256 --out field.png      a built-in map, as a picture
  throng solve Berlin_0_256.map --goal 12,200 --goal 240,9  nearest of two goals
  throng solve ground.png --goal 40,40 --order 2 --out field.npy
  throng solve maze --goal 1,1 --solver marching --json

MAP is a MovingAI .map file, a greyscale PNG (white = cost 1, darker = dearer, black = blocked), or
the name of a built-in map: street, maze, cave, uniform. Cells are counted from 0,0 in the top left.
The .npy is float32, height x width, row 0 at the top; blocked and unreachable cells are inf.")]
pub(crate) struct Args {
    /// Map file, or built-in map
    map: PathBuf,
    /// Goal cell as column,row; several times for several goals
    #[arg(long = "goal", value_name = "X,Y", allow_hyphen_values = true)]
    goals: Vec<CellArg>,
    /// How to solve
    #[arg(long, value_enum, default_value_t = SolverArg::Iterative)]
    solver: SolverArg,
    /// Accuracy: 1 = first order, 2 = second order
    #[arg(long, default_value_t = OrderArg(Order::First))]
    order: OrderArg,
    /// Where to write the field: .png (a picture), .npy or .csv (numbers)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// The solvers of one field.
#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SolverArg {
    /// Fast marching, the reference
    Marching,
    /// Fast iterative method, all cores
    Iterative,
    /// The solver for many groups, with one
    Batched,
}

impl SolverArg {
    fn make(self) -> Box<dyn Solver> {
        match self {
            Self::Marching => Box::new(FastMarching::new()),
            Self::Iterative => Box::new(FastIterative::new()),
            Self::Batched => Box::new(Batched::new()),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Marching => "marching",
            Self::Iterative => "iterative",
            Self::Batched => "batched",
        }
    }
}

/// `1` or `2`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderArg(pub(crate) Order);

impl OrderArg {
    pub(crate) fn number(self) -> u8 {
        match self.0 {
            Order::First => 1,
            Order::Second => 2,
        }
    }
}

impl std::str::FromStr for OrderArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "1" => Ok(Self(Order::First)),
            "2" => Ok(Self(Order::Second)),
            _ => Err("the order is 1 or 2".into()),
        }
    }
}

impl std::fmt::Display for OrderArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// What `--json` says.
#[derive(serde::Serialize)]
struct Answer {
    map: String,
    width: usize,
    height: usize,
    cells: usize,
    reachable: usize,
    solver: SolverArg,
    order: u8,
    ms: f64,
    iterations: u64,
    residual: f32,
    max: f32,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let endings = [("png", Kind::Png), ("npy", Kind::Npy), ("csv", Kind::Csv)];
    let out = args.out.as_deref().map(|path| Output::new(path, &endings)).transpose()?;
    let map = Map::load(&args.map)?;
    let goals: Vec<Cell> = args.goals.iter().map(|arg| arg.0).collect();
    let progress = Progress::new("solving", 0);
    let started = Instant::now();
    let (field, report) = solve(&map, &goals, args.solver, args.order.0)?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    drop(progress);
    if let Some(out) = &out {
        match out.kind {
            Kind::Npy => write_npy(&field, &out.path)?,
            Kind::Csv => write_grid_csv(&field, &out.path)?,
            _ => picture(&map, &field, &goals, args, &report, ms).write_png(&out.path)?,
        }
    }
    let answer = Answer {
        map: map.name.clone(),
        width: map.cost.width(),
        height: map.cost.height(),
        cells: map.cost.cells(),
        reachable: report.reachable,
        solver: args.solver,
        order: args.order.number(),
        ms,
        iterations: report.iterations,
        residual: report.residual,
        max: report.max,
    };
    if args.json {
        return say_json(&answer);
    }
    say(&format!(
        "{}: {}, {} reachable; farthest {:.1}; {} order {} in {ms:.2} ms, residual {:.1e}",
        map.name,
        map.size(),
        report.reachable,
        report.max,
        args.solver.name(),
        args.order,
        report.residual
    ))?;
    match out {
        Some(out) => say(&format!("wrote {}", out.path.display())),
        None => Ok(()),
    }
}

/// Solves the field of a map.
pub(crate) fn solve(
    map: &Map,
    goals: &[Cell],
    solver: SolverArg,
    order: Order,
) -> Result<(Grid<f32>, Report), Failure> {
    let sources: Vec<Source> = goals.iter().map(|&cell| cell.into()).collect();
    let params = SolveParams { order, ..SolveParams::default() };
    let mut field = map.cost.map(|_| f32::INFINITY);
    let report = solver
        .make()
        .solve(&map.cost, &sources, &params, &mut field)
        .map_err(|error| Failure::Solve { map: map.name.clone(), error })?;
    Ok((field, report))
}

struct Picture<'a> {
    map: &'a Map,
    field: &'a Grid<f32>,
    goals: &'a [Cell],
    title: String,
    subtitle: String,
}

fn picture<'a>(
    map: &'a Map,
    field: &'a Grid<f32>,
    goals: &'a [Cell],
    args: &Args,
    report: &Report,
    ms: f64,
) -> Picture<'a> {
    let goals_text = if goals.len() == 1 { "goal" } else { "nearest goal" };
    Picture {
        map,
        field,
        goals,
        title: format!("{}: cost of the way to the {goals_text}", map.name),
        subtitle: format!(
            "{}, {} reachable, {} solver, order {}, {ms:.1} ms",
            map.size(),
            report.reachable,
            args.solver.name(),
            args.order
        ),
    }
}

impl Picture<'_> {
    fn write_png(&self, path: &std::path::Path) -> Result<(), Failure> {
        FieldPicture::new(&self.map.cost)
            .potential(self.field, self.map.potential_label())
            .goals(self.goals)
            .title(&self.title)
            .subtitle(&self.subtitle)
            .length_unit("cells")
            .write_png(path)?;
        Ok(())
    }
}
