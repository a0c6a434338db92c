//! Fields on the GPU are those of the CPU. If this fails, crowds on the two go different ways.
#![cfg(feature = "gpu")]

mod problem;

use problem::{Dice, Problem, largest_difference, random_problem};
use std::sync::OnceLock;
use throng_field::direction::DirectionField;
use throng_field::solve::gpu::{
    CostKind, FieldKernels, FieldShape, FieldWork, GpuFields, GroupState, TURN, cpu,
};
use throng_field::solve::{FastIterative, FastMarching, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};
use throng_gpu::testing::gpu;
use throng_gpu::{Buffer, Pool};

/// Relative difference allowed between GPU and CPU.
const AGREE: f64 = 1e-4;
/// How far packed components may be apart: a rounding on either side of a whole number.
const CODES: i32 = 2;
/// No problem here takes so many recordings.
const MOST_STEPS: u32 = 4000;

fn kernels() -> &'static FieldKernels {
    static KERNELS: OnceLock<FieldKernels> = OnceLock::new();
    KERNELS.get_or_init(|| FieldKernels::new(gpu()).unwrap())
}

/// Fields of some groups, over one cost each.
struct Fields {
    fields: GpuFields,
    work: FieldWork,
    cost: Buffer,
    frame: Grid<f32>,
}

impl Fields {
    fn new(frame: &Grid<f32>, groups: usize) -> Self {
        let pool = Pool::new(gpu());
        let shape = FieldShape {
            width: frame.width() as u32,
            height: frame.height() as u32,
            groups: groups as u32,
            cell_size: frame.cell_size(),
        };
        let fields = GpuFields::new(&pool, shape).unwrap();
        let cost = pool.array::<f32>("cost", groups * frame.cells()).unwrap();
        let work = fields.bind(&pool, kernels(), &cost, CostKind::PerGroup).unwrap();
        Self { fields, work, cost, frame: frame.clone() }
    }

    fn set_cost(&self, group: usize, cost: &Grid<f32>) {
        gpu().write(&self.cost, (4 * group * cost.cells()) as u64, cost.as_slice());
    }

    fn step(&self, rounds: u32) {
        let mut encoder = gpu().encoder("fields");
        self.work.record(&mut gpu().pass(&mut encoder, "fields"), rounds);
        gpu().submit(encoder);
    }

    /// Steps until every group is solved; says how many steps that took.
    fn converge(&self, rounds: u32) -> u32 {
        for step in 1..=MOST_STEPS {
            self.step(rounds);
            let state = self.fields.read_state().unwrap();
            if state.iter().all(GroupState::is_converged) {
                return step;
            }
        }
        panic!("not converged: {:?}", self.fields.read_state());
    }

    fn potential(&self, group: usize) -> Grid<f32> {
        let cells = self.frame.cells();
        let all = gpu().read::<f32>(self.fields.potential(), (group + 1) * cells).unwrap();
        let mut grid = self.frame.clone();
        grid.as_mut_slice().copy_from_slice(&all[group * cells..]);
        grid
    }

    fn codes(&self, group: usize) -> Vec<[i16; 2]> {
        let cells = self.frame.cells();
        let all = gpu().read::<[i16; 2]>(self.fields.directions(), (group + 1) * cells).unwrap();
        all[group * cells..].to_vec()
    }
}

fn reference(cost: &Grid<f32>, sources: &[Source]) -> Grid<f32> {
    let mut field = cost.clone();
    FastMarching::new().solve(cost, sources, &SolveParams::default(), &mut field).unwrap();
    field
}

/// Compares packed directions with those of the CPU over the same potential. Gives how many cells
/// differ by more than rounding.
fn compare_codes(
    found: &[[i16; 2]],
    cost: &Grid<f32>,
    phi: &Grid<f32>,
    sources: &[Source],
) -> usize {
    let mut field = DirectionField::default();
    field.compute(phi, cost, sources).unwrap();
    let expected = cpu::pack(&field);
    let off = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
    let pairs = found.iter().zip(&expected);
    pairs
        .filter(|(a, b)| {
            // Codes that stand for something have to be exact.
            let special = **a == cpu::UNREACHABLE || **b == cpu::UNREACHABLE;
            (special && a != b) || off(a[0], b[0]) > CODES || off(a[1], b[1]) > CODES
        })
        .count()
}

/// Whether the CPU's own look at the field finds nothing to do: no cell off by more than roundings.
fn is_solution(problem: &Problem, found: &Grid<f32>) -> bool {
    let Problem { cost, sources } = problem;
    // Thinner fields are marched, whatever they are given.
    if cost.width().min(cost.height()) < 8 {
        return true;
    }
    let params = SolveParams::default();
    let report = FastIterative::new().update(cost, sources, &[], &params, &mut found.clone());
    report.unwrap().iterations == 0
}

fn problems(from: u64, count: usize, largest: usize) -> impl Iterator<Item = (u64, Problem)> {
    let all = (from..).map(move |seed| (seed, random_problem(seed, largest)));
    all.filter(|(_, p)| !p.sources.is_empty()).take(count)
}

/// A hundred random problems: walls, mazes, pockets, costs over four decades, odd sizes, single cells.
#[test]
fn random_problems_agree_with_the_cpu() {
    let (mut worst, mut cells, mut turned) = (0.0f64, 0, 0);
    for (seed, problem) in problems(1, 100, 150) {
        let fields = Fields::new(&problem.cost, 1);
        fields.set_cost(0, &problem.cost);
        fields.fields.place(0, &problem.sources).unwrap();
        fields.converge(16);
        let found = fields.potential(0);
        let off = largest_difference(&reference(&problem.cost, &problem.sources), &found);
        assert!(off <= AGREE, "seed {seed}: {off:e}");
        assert!(is_solution(&problem, &found), "seed {seed}: a residual is left");
        worst = worst.max(off);
        cells += problem.cost.cells();
        turned += compare_codes(&fields.codes(0), &problem.cost, &found, &problem.sources);
    }
    println!("worst relative difference {worst:e}; directions turned {turned} of {cells}");
    // Where two ways are as good to the last bit, rounding may choose.
    assert!(turned * 10_000 <= cells, "{turned} of {cells} directions differ");
    assert_eq!(gpu().take_errors(), []);
}

/// The smallest grids, and one tile and one cell more or less.
#[test]
fn small_and_odd_sizes_agree_with_the_cpu() {
    for (w, h) in
        [(1, 1), (1, 2), (2, 1), (15, 16), (16, 16), (17, 16), (16, 33), (1, 700), (700, 3)]
    {
        let cost = Grid::filled(w, h, 1.5f32).unwrap();
        let sources = [Source::from(Cell::new(w as u32 - 1, h as u32 / 2))];
        let fields = Fields::new(&cost, 1);
        fields.set_cost(0, &cost);
        fields.fields.place(0, &sources).unwrap();
        fields.converge(4);
        let found = fields.potential(0);
        assert!(largest_difference(&reference(&cost, &sources), &found) <= AGREE, "{w} x {h}");
        assert_eq!(compare_codes(&fields.codes(0), &cost, &found, &sources), 0, "{w} x {h}");
    }
}

/// Groups with their own costs and goals are solved together and do not mix; one without goals
/// reaches nothing; all in the same bits, however the rounds are cut into steps.
#[test]
fn groups_are_not_mixed_up() {
    let ground = random_problem(12, 150).cost;
    let mut dice = Dice(5);
    let (w, h) = (ground.width(), ground.height());
    let costs: Vec<_> = (0..5).map(|_| ground.map(|c| c * dice.between(0.5, 2.0))).collect();
    let mut goals: Vec<Vec<Source>> = Vec::new();
    for _ in 0..4 {
        let free = || Cell::new(dice.below(w) as u32, dice.below(h) as u32);
        let cell = std::iter::repeat_with(free).find(|&c| ground[c].is_finite()).unwrap();
        goals.push(vec![Source::from(cell)]);
    }
    goals.push(Vec::new());
    let solve = |rounds| {
        let fields = Fields::new(&ground, 5);
        for (i, (cost, goals)) in costs.iter().zip(&goals).enumerate() {
            fields.set_cost(i, cost);
            fields.fields.place(i as u32, goals).unwrap();
        }
        fields.converge(rounds);
        (0..5).map(|i| fields.potential(i)).collect::<Vec<_>>()
    };
    let found = solve(4);
    for i in 0..4 {
        let off = largest_difference(&reference(&costs[i], &goals[i]), &found[i]);
        assert!(off <= AGREE, "group {i}: {off:e}");
    }
    assert!(found[4].as_slice().iter().all(|&v| v == f32::INFINITY));
    assert!(solve(64) == found, "the same bits");
}

/// More tiles than workgroups fit in a row of a dispatch.
#[test]
fn many_tiles_are_split_in_rows() {
    let cost = Grid::filled(1, 1_100_000, 2.0f32).unwrap();
    let sources: Vec<Source> = (0..1_100_000).step_by(40).map(|y| Cell::new(0, y).into()).collect();
    let fields = Fields::new(&cost, 1);
    fields.set_cost(0, &cost);
    fields.fields.place(0, &sources).unwrap();
    fields.converge(4);
    assert!(largest_difference(&reference(&cost, &sources), &fields.potential(0)) <= AGREE);
    assert_eq!(gpu().take_errors(), []);
}

/// One cost for all groups, which changes in every step: each solution is that of some cost there was,
/// and the last one comes when the changes end.
#[test]
fn a_restless_shared_cost_keeps_nobody_from_ending() {
    let ground = random_problem(33, 100).cost.map(|c| c.min(50.0));
    let pool = Pool::new(gpu());
    let (width, height) = (ground.width() as u32, ground.height() as u32);
    let shape = FieldShape { width, height, groups: 3, cell_size: ground.cell_size() };
    let fields = GpuFields::new(&pool, shape).unwrap();
    let goals = [(0, 0), (width - 1, height / 2), (width / 2, height - 1)];
    let goals = goals.map(|(x, y)| [Source::from(Cell::new(x, y))]);
    goals.iter().enumerate().for_each(|(i, goal)| fields.place(i as u32, goal).unwrap());
    let buffer = pool.array::<f32>("cost", ground.cells()).unwrap();
    let work = fields.bind(&pool, kernels(), &buffer, CostKind::Shared).unwrap();
    let mut costs = vec![ground.clone()];
    let step = |cost: &Grid<f32>| {
        gpu().write(&buffer, 0, cost.as_slice());
        let mut encoder = gpu().encoder("fields");
        work.record(&mut gpu().pass(&mut encoder, "fields"), TURN);
        gpu().submit(encoder);
    };
    let solves = |cost: &Grid<f32>, i: usize| {
        let all = gpu().read::<f32>(fields.potential(), 3 * cost.cells()).unwrap();
        let mut found = cost.clone();
        found.as_mut_slice().copy_from_slice(&all[i * cost.cells()..][..cost.cells()]);
        largest_difference(&reference(cost, &goals[i]), &found) <= AGREE
    };
    let mut dice = Dice(1);
    for _ in 0..40 {
        let next = costs[costs.len() - 1].map(|c| c * dice.between(0.9, 1.1));
        step(&next);
        costs.push(next);
    }
    let state = fields.read_state().unwrap();
    for (i, group) in state.iter().enumerate() {
        assert!(group.published > 1, "group {i}: {group:?}");
        assert!(costs.iter().rev().any(|cost| solves(cost, i)), "group {i} solves no cost");
    }
    for _ in 0..100 {
        step(&costs[costs.len() - 1]);
    }
    assert!((0..3).all(|i| solves(&costs[costs.len() - 1], i)));
}

/// Costs that rise and fall, walls that come and go, goals that move: a warm start ends where a cold
/// start ends. The old field stays in use until the new one is done.
#[test]
fn changes_end_at_the_new_solution() {
    for (seed, problem) in problems(500, 25, 120) {
        let Problem { mut cost, sources } = problem;
        let mut dice = Dice(seed);
        let fields = Fields::new(&cost, 1);
        fields.set_cost(0, &cost);
        fields.fields.place(0, &sources).unwrap();
        fields.converge(16);
        let mut goals = sources.clone();
        for edit in 0..4 {
            let before = fields.potential(0);
            let kind = dice.below(5);
            for i in 0..cost.cells() {
                let is_goal = sources.iter().any(|s| cost.index(s.cell) == i);
                if dice.below(30) != 0 || is_goal {
                    continue;
                }
                let value = &mut cost.as_mut_slice()[i];
                *value = match kind {
                    0 => f32::INFINITY,
                    1 => 1.0,
                    2 => (*value * 1.5).max(1e-4),
                    3 => (*value * 0.5).max(1e-4),
                    _ => dice.cost(),
                };
            }
            if edit == 2 {
                goals = sources[..1].to_vec();
                fields.fields.place(0, &goals).unwrap();
            }
            fields.set_cost(0, &cost);
            fields.step(TURN);
            let state = fields.fields.read_state().unwrap();
            if !state[0].is_converged() {
                assert!(fields.potential(0) == before, "seed {seed}: half a field was handed out");
            }
            fields.converge(16);
            let off = largest_difference(&reference(&cost, &goals), &fields.potential(0));
            assert!(off <= AGREE, "seed {seed}, edit {edit}, kind {kind}: {off:e}");
        }
    }
}

/// A step without a change hands out nothing and does nothing; one that was begun goes on by itself.
#[test]
fn unchanged_fields_stay() {
    let cost = Grid::filled(100, 60, 1.0f32).unwrap();
    let fields = Fields::new(&cost, 1);
    fields.set_cost(0, &cost);
    fields.fields.place(0, &[Cell::new(99, 0).into()]).unwrap();
    let steps = fields.converge(TURN);
    let state = fields.fields.read_state().unwrap()[0];
    assert_eq!((state.published, state.took), (1, steps));
    assert!(steps > 1, "a front crosses one tile a round");
    fields.step(TURN);
    let later = fields.fields.read_state().unwrap()[0];
    assert_eq!((later.published, later.took, later.pending), (1, steps, 0));
    fields.set_cost(0, &cost.map(|_| 0.5));
    fields.converge(TURN);
    assert_eq!(fields.fields.read_state().unwrap()[0].published, 2);
}

/// A goal that appears at the edge of a tile is seen on both sides of the edge, also if nothing else
/// leads across it.
#[test]
fn goals_may_appear_at_the_edges_of_tiles() {
    let wide = Grid::filled(64, 64, 1.0f32).unwrap();
    let row = Grid::filled(64, 1, 1.0f32).unwrap();
    let column = Grid::filled(1, 64, 1.0f32).unwrap();
    let cases = [(&wide, 15, 40), (&wide, 16, 40), (&wide, 16, 16), (&wide, 40, 31)];
    let thin = [(&row, 15, 0), (&row, 16, 0), (&column, 0, 31), (&column, 0, 32)];
    for (cost, x, y) in cases.into_iter().chain(thin) {
        let last = Cell::new(cost.width() as u32 - 1, cost.height() as u32 - 1);
        let mut goals = vec![Source::from(last)];
        let fields = Fields::new(cost, 1);
        fields.set_cost(0, cost);
        fields.fields.place(0, &goals).unwrap();
        fields.converge(16);
        goals.push(Source::from(Cell::new(x, y)));
        fields.fields.place(0, &goals).unwrap();
        fields.converge(16);
        let off = largest_difference(&reference(cost, &goals), &fields.potential(0));
        assert!(off <= AGREE, "({x}, {y}): {off:e}");
    }
}

/// What a step costs does not depend on what is in the fields, and nothing is made or read in it.
#[test]
fn a_step_is_a_fixed_number_of_dispatches() {
    // A device of its own: others would be counted too.
    let gpu = throng_gpu::testing::open();
    let pool = Pool::new(&gpu);
    let shape = FieldShape { width: 50, height: 40, groups: 2, cell_size: 1.0 };
    let fields = GpuFields::new(&pool, shape).unwrap();
    let cost = pool.array_of("cost", &vec![1.0f32; 2000]).unwrap();
    let kernels = FieldKernels::new(&gpu).unwrap();
    let work = fields.bind(&pool, &kernels, &cost, CostKind::Shared).unwrap();
    fields.place(0, &[Cell::new(3, 3).into()]).unwrap();
    let before = gpu.counts();
    for _ in 0..3 {
        let mut encoder = gpu.encoder("fields");
        work.record(&mut gpu.pass(&mut encoder, "fields"), 12);
        gpu.submit(encoder);
    }
    let after = gpu.counts();
    assert_eq!(work.dispatches(12), 17);
    assert_eq!(after.dispatches - before.dispatches, 3 * 17);
    assert_eq!(after.buffers, before.buffers);
    assert_eq!(after.bind_groups, before.bind_groups);
    assert_eq!((after.maps, after.uploaded), (before.maps, before.uploaded));
    assert!(fields.read_state().unwrap().iter().all(GroupState::is_converged));
    assert_eq!(gpu.take_errors(), []);
}

/// Buffers that do not fit and goals that are none are refused with a reason.
#[test]
fn what_is_no_problem_is_refused() {
    let pool = Pool::new(gpu());
    let shape = FieldShape { width: 20, height: 10, groups: 2, cell_size: 1.0 };
    assert!(GpuFields::new(&pool, FieldShape { width: 0, ..shape }).is_err());
    assert!(GpuFields::new(&pool, FieldShape { groups: 0, ..shape }).is_err());
    assert!(
        GpuFields::new(&pool, FieldShape { width: 1 << 20, height: 1 << 20, ..shape }).is_err()
    );
    let fields = GpuFields::new(&pool, shape).unwrap();
    assert!(fields.place(2, &[]).is_err());
    assert!(fields.place(0, &[Cell::new(20, 0).into()]).is_err());
    for start in [f32::NAN, -1.0, f32::INFINITY] {
        assert!(fields.place(0, &[Source::new(Cell::new(0, 0), start)]).is_err());
    }
    let small = pool.array::<f32>("cost", 1).unwrap();
    assert!(fields.bind(&pool, kernels(), &small, CostKind::PerGroup).is_err());
}

/// Not a test: rounds and times, cold and warm, with the CPU's beside them.
#[test]
#[ignore = "prints figures"]
fn figures() {
    let mut dice = Dice(9);
    let patches: Vec<f32> = (0..64).map(|_| dice.between(1.0, 3.0)).collect();
    let cost = Grid::from_fn(256, 256, |c| {
        let wall = (c.x == 90 && c.y > 20) || (c.x == 170 && c.y < 230);
        let patch = (c.y / 32 * 8 + c.x / 32) as usize;
        if wall { f32::INFINITY } else { patches[patch] }
    })
    .unwrap();
    let goals =
        [(5, 5), (250, 250), (128, 128), (30, 200)].map(|(x, y)| [Source::from(Cell::new(x, y))]);
    let mut dearer = cost.clone();
    let mut cheaper = cost.clone();
    for i in 0..cost.cells() {
        let c = cost.cell_at(i);
        let near = |x: u32, y: u32| c.x.abs_diff(x).pow(2) + c.y.abs_diff(y).pow(2) < 100;
        if near(200, 120) {
            dearer.as_mut_slice()[i] *= 2.0;
            cheaper.as_mut_slice()[i] *= 0.5;
        }
    }
    let changed: Vec<u32> = (0..cost.cells() as u32)
        .filter(|&i| dearer.as_slice()[i as usize] != cost.as_slice()[i as usize])
        .collect();
    let open = Fields::new(&cost, 4);
    for (i, goal) in goals.iter().enumerate() {
        open.set_cost(i, &cost.map(|_| 1.0));
        open.fields.place(i as u32, goal).unwrap();
    }
    println!("gpu cold on open ground: {} rounds at most", TURN * open.converge(TURN));
    for pass in 0..2 {
        let fields = Fields::new(&cost, 4);
        goals.iter().enumerate().for_each(|(i, g)| fields.fields.place(i as u32, g).unwrap());
        for (name, now) in
            [("cold", &cost), ("cheaper", &cheaper), ("dearer", &dearer), ("same", &dearer)]
        {
            (0..4).for_each(|i| fields.set_cost(i, now));
            gpu().wait().unwrap();
            // Rounds by the smallest steps, time by one long one.
            let (rounds, begun) =
                if pass == 0 { (TURN, None) } else { (128, Some(std::time::Instant::now())) };
            let steps = fields.converge(rounds);
            let ms = begun.map(|begun| begun.elapsed().as_secs_f64() * 1e3);
            let visits: Vec<u32> =
                fields.fields.read_state().unwrap().iter().map(|s| s.visits).collect();
            println!("gpu {name}: {} rounds at most, {ms:?} ms, visits {visits:?}", steps * rounds);
        }
    }
    let mut solver = FastIterative::new();
    let mut out = vec![cost.clone(); 4];
    for pass in 0..2 {
        let begun = std::time::Instant::now();
        for (out, goal) in out.iter_mut().zip(&goals) {
            solver.solve(&cost, goal, &SolveParams::default(), out).unwrap();
        }
        println!("cpu cold {pass}: {} ms", begun.elapsed().as_secs_f64() * 1e3);
    }
    let begun = std::time::Instant::now();
    for (out, goal) in out.iter_mut().zip(&goals) {
        solver.update(&dearer, goal, &changed, &SolveParams::default(), out).unwrap();
    }
    println!("cpu dearer: {} ms", begun.elapsed().as_secs_f64() * 1e3);
}
