//! Fields on the GPU that begin where the CPU left off, and look for changes only when asked. If this
//! fails, a crowd that is brought to the GPU follows other ways there, or idle fields cost time.
#![cfg(feature = "gpu")]

mod problem;

use problem::{Dice, Problem, largest_difference, random_problem};
use throng_field::direction::DirectionField;
use throng_field::solve::gpu::{
    CostKind, FieldKernels, FieldShape, FieldWork, GpuFields, GroupState, Notice, Solution, TURN,
    cpu,
};
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};
use throng_gpu::testing::gpu;
use throng_gpu::{Buffer, Pool};

const AGREE: f64 = 1e-4;

fn solved(cost: &Grid<f32>, sources: &[Source]) -> Grid<f32> {
    let mut out = cost.clone();
    FastIterative::new().solve(cost, sources, &SolveParams::default(), &mut out).unwrap();
    out
}

fn load(fields: &GpuFields, group: u32, cost: &Grid<f32>, sources: &[Source]) -> Grid<f32> {
    let potential = solved(cost, sources);
    let mut directions = DirectionField::default();
    directions.compute(&potential, cost, sources).unwrap();
    let solution = Solution {
        cost: cost.as_slice(),
        sources,
        potential: potential.as_slice(),
        directions: &cpu::pack(&directions),
    };
    fields.load(group, &solution).unwrap();
    potential
}

fn step(work: &FieldWork) {
    let mut encoder = gpu().encoder("fields");
    work.record(&mut gpu().pass(&mut encoder, "fields"), TURN);
    gpu().submit(encoder);
}

fn converge(fields: &GpuFields, work: &FieldWork) {
    for _ in 0..2000 {
        step(work);
        if fields.read_state().unwrap().iter().all(GroupState::is_converged) {
            return;
        }
    }
    panic!("not converged: {:?}", fields.read_state());
}

/// One group's part of a buffer, as a grid.
fn part(buffer: &Buffer, group: usize, like: &Grid<f32>) -> Grid<f32> {
    let cells = like.cells();
    let all = gpu().read::<f32>(buffer, (group + 1) * cells).unwrap();
    let mut grid = like.clone();
    grid.as_mut_slice().copy_from_slice(&all[group * cells..]);
    grid
}

/// Cells of a problem made dearer, cheaper or closed, never its goals.
fn changed(cost: &Grid<f32>, sources: &[Source], dice: &mut Dice) -> Grid<f32> {
    let mut next = cost.clone();
    for i in 0..cost.cells() {
        let is_goal = sources.iter().any(|s| cost.index(s.cell) == i);
        if !is_goal && dice.below(20) == 0 {
            let value = &mut next.as_mut_slice()[i];
            *value = match dice.below(4) {
                0 => f32::INFINITY,
                1 => (*value * 1.7).max(1e-4),
                2 => (*value * 0.4).max(1e-4),
                _ => dice.cost(),
            };
        }
    }
    next
}

#[test]
fn solutions_of_the_cpu_are_gone_on_with_when_asked() {
    let pool = Pool::new(gpu());
    let kernels = FieldKernels::new(gpu()).unwrap();
    for seed in 900..940 {
        let Problem { cost, sources } = random_problem(seed, 120);
        let mut dice = Dice(seed);
        let (width, height) = (cost.width() as u32, cost.height() as u32);
        let shape = FieldShape { width, height, groups: 3, cell_size: cost.cell_size() };
        let fields = GpuFields::new(&pool, shape).unwrap();
        let given = pool.array::<f32>("cost", 2 * cost.cells()).unwrap();
        let work =
            fields.bind_with(&pool, &kernels, &given, CostKind::First(1), Notice::Asked).unwrap();
        // The first has a cost of its own; the others share one.
        let set = |of: usize, cost: &Grid<f32>| {
            gpu().write(&given, (4 * of * cost.cells()) as u64, cost.as_slice());
        };
        let before = load(&fields, 0, &cost, &sources);
        load(&fields, 1, &cost, &sources);
        set(0, &cost);
        set(1, &cost);
        step(&work);
        let next = changed(&cost, &sources, &mut dice);
        set(0, &next);
        step(&work);
        let state = fields.read_state().unwrap();
        assert!(state.iter().all(|group| group.visits == 0), "seed {seed}: {state:?}");
        assert!(part(fields.potential(), 0, &cost) == before, "seed {seed}: nobody asked");

        fields.ask(0).unwrap();
        let goal = (0..cost.cells()).map(|i| cost.cell_at(i)).find(|&c| cost[c].is_finite());
        let goal: [Source; 1] = [goal.map_or(Cell::new(0, 0), |cell| cell).into()];
        fields.place(2, &goal).unwrap();
        converge(&fields, &work);
        let state = fields.read_state().unwrap();
        assert_eq!(state[1].visits, 0, "seed {seed}");
        let off = largest_difference(&solved(&next, &sources), &part(fields.potential(), 0, &cost));
        assert!(off <= AGREE, "seed {seed}: {off:e}");
        assert!(part(fields.solved_cost(), 0, &cost) == next, "seed {seed}: which cost is solved");
        let off = largest_difference(&solved(&cost, &goal), &part(fields.potential(), 2, &cost));
        assert!(off <= AGREE, "seed {seed}: {off:e}");
    }
    assert_eq!(gpu().take_errors(), []);
}

#[test]
fn solutions_that_do_not_fit_are_refused() {
    let pool = Pool::new(gpu());
    let shape = FieldShape { width: 20, height: 10, groups: 1, cell_size: 1.0 };
    let fields = GpuFields::new(&pool, shape).unwrap();
    let sources = [Source::from(Cell::new(3, 3))];
    let solution = Solution {
        cost: &[1.0; 200],
        sources: &sources,
        potential: &[1.0; 199],
        directions: &[[0; 2]; 200],
    };
    assert!(fields.load(0, &solution).is_err());
    assert!(fields.load(1, &Solution { potential: &[1.0; 200], ..solution }).is_err());
    assert!(fields.ask(1).is_err());
    fields.load(0, &Solution { potential: &[1.0; 200], ..solution }).unwrap();
}
