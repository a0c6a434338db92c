//! Who takes part: our solvers and the peers in Rust, behind one seam, so that only solving is timed.

use crate::problems::{Problem, neighbours};
use throng_field::solve::{
    Batched, Costs, FastIterative, FastMarching, SolveParams, Solver, Source,
};
use throng_field::{Cell, Grid};

/// Someone who solves a problem.
pub(crate) trait Contestant {
    /// Solves it. This is timed.
    fn run(&mut self) -> Result<(), String>;
    /// The field of the first goal, if it makes one that approximates the exact solution.
    fn field(&self) -> Option<Grid<f32>>;
}

/// A contestant with what the table says of it.
pub(crate) struct Entry<'a> {
    pub(crate) name: &'static str,
    pub(crate) ours: bool,
    pub(crate) threads: usize,
    pub(crate) groups: usize,
    pub(crate) contestant: Box<dyn Contestant + 'a>,
}

/// All of them; the yardstick first.
pub(crate) fn entries(problem: &Problem, groups: usize) -> Vec<Entry<'_>> {
    let threads = rayon::current_num_threads();
    let (first, second) = (SolveParams::default(), SolveParams::SECOND_ORDER);
    let peer = |name, contestant| Entry { name, ours: false, threads: 1, groups: 1, contestant };
    let ours =
        |name, threads, contestant| Entry { name, ours: true, threads, groups: 1, contestant };
    vec![
        peer("eikonal 0.1 (fast marching)", Box::new(Yardstick::new(problem))),
        peer("pathfinding (dijkstra_all)", Box::new(Dijkstra { problem })),
        ours("marching", 1, single_on_one_thread(problem, first)),
        ours("marching order 2", threads, single(problem, second, FastMarching::new())),
        ours("iterative", threads, single(problem, first, FastIterative::new())),
        ours("iterative order 2", threads, single(problem, second, FastIterative::new())),
        Entry {
            name: "batched",
            ours: true,
            threads,
            groups,
            contestant: Box::new(Groups::new(problem)),
        },
    ]
}

/// The crate `eikonal`.
struct Yardstick {
    cost: eikonal::CostField,
    source: (usize, usize),
    solved: Option<eikonal::SolveResult>,
}

impl Yardstick {
    fn new(problem: &Problem) -> Self {
        let cost = &problem.cost;
        // 0 is its word for blocked.
        let values = ndarray::Array2::from_shape_fn((cost.height(), cost.width()), |(y, x)| {
            let c = cost.row(y)[x];
            if c.is_finite() { f64::from(c) } else { 0.0 }
        });
        let goal = problem.goals[0];
        Self {
            cost: eikonal::CostField::from_array(values).expect("costs are finite and positive"),
            source: (goal.y as usize, goal.x as usize),
            solved: None,
        }
    }
}

impl Contestant for Yardstick {
    fn run(&mut self) -> Result<(), String> {
        let solved = eikonal::solve(&self.cost, self.source).map_err(|e| e.to_string())?;
        self.solved = Some(solved);
        Ok(())
    }

    fn field(&self) -> Option<Grid<f32>> {
        let distance = self.solved.as_ref()?.distance();
        let values = distance.iter().map(|&v| v as f32).collect();
        Grid::from_vec(distance.ncols(), distance.nrows(), values).ok()
    }
}

/// The crate `pathfinding`: shortest ways along the grid's lines, another measure of distance. Costs
/// in thousandths, since it wants numbers with a total order.
struct Dijkstra<'a> {
    problem: &'a Problem,
}

impl Contestant for Dijkstra<'_> {
    fn run(&mut self) -> Result<(), String> {
        let cost = &self.problem.cost;
        let reached = pathfinding::prelude::dijkstra_all(&self.problem.goals[0], |&cell| {
            neighbours(cell).into_iter().filter_map(|n| {
                let c = cost.get(n).filter(|c| c.is_finite())?;
                Some((n, (c * 1000.0) as u64))
            })
        });
        std::hint::black_box(reached.len());
        Ok(())
    }

    fn field(&self) -> Option<Grid<f32>> {
        None
    }
}

/// One of our solvers of one field.
struct Single<'a, S> {
    cost: &'a Grid<f32>,
    goal: Cell,
    params: SolveParams,
    solver: S,
    out: Grid<f32>,
    /// Where to run; the usual pool if none.
    pool: Option<rayon::ThreadPool>,
}

fn single<'a>(
    problem: &'a Problem,
    params: SolveParams,
    solver: impl Solver + Send + 'a,
) -> Box<dyn Contestant + 'a> {
    let (cost, goal) = (&problem.cost, problem.goals[0]);
    Box::new(Single { cost, goal, params, solver, out: cost.clone(), pool: None })
}

/// As [`single`], on one thread altogether.
fn single_on_one_thread(problem: &Problem, params: SolveParams) -> Box<dyn Contestant + '_> {
    let (cost, goal, solver) = (&problem.cost, problem.goals[0], FastMarching::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok();
    Box::new(Single { cost, goal, params, solver, out: cost.clone(), pool })
}

impl<S: Solver + Send> Contestant for Single<'_, S> {
    fn run(&mut self) -> Result<(), String> {
        let sources = [self.goal.into()];
        let Self { cost, params, solver, out, pool, .. } = self;
        let mut solve = || solver.solve(cost, &sources, params, out);
        let solved = match pool {
            Some(pool) => pool.install(solve),
            None => solve(),
        };
        solved.map(drop).map_err(|e| e.to_string())
    }

    fn field(&self) -> Option<Grid<f32>> {
        Some(self.out.clone())
    }
}

/// Our solver for many groups.
pub(crate) struct Groups<'a> {
    cost: &'a Grid<f32>,
    sources: Vec<[Source; 1]>,
    solver: Batched,
    outs: Vec<Grid<f32>>,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        Self {
            cost: &problem.cost,
            sources: problem.goals.iter().map(|&c| [c.into()]).collect(),
            solver: Batched::new(),
            outs: vec![problem.cost.clone(); problem.goals.len()],
        }
    }
}

impl Contestant for Groups<'_> {
    fn run(&mut self) -> Result<(), String> {
        let groups: Vec<&[Source]> = self.sources.iter().map(|s| &s[..]).collect();
        let params = SolveParams::default();
        let solved =
            self.solver.solve_groups(Costs::Shared(self.cost), &groups, &params, &mut self.outs);
        solved.map(drop).map_err(|e| e.to_string())
    }

    fn field(&self) -> Option<Grid<f32>> {
        self.outs.first().cloned()
    }
}

/// Our solver of one field, for the tables that need only it.
pub(crate) fn iterative(problem: &Problem) -> Box<dyn Contestant + '_> {
    single(problem, SolveParams::default(), FastIterative::new())
}
