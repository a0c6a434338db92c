//! Accuracy against exact solutions: a scheme that is off, or falls to first order at a source, shows
//! here. Domain [0, 1]², cell size 1/(n - 1), centres on the nodes.

use crate::grid::{Cell, Grid};
use crate::solve::{FastMarching, SolveParams, Solver, Source};
use glam::{DVec2, Vec2};

struct Errors {
    l1: f64,
    max: f64,
}

fn unit_grid(n: usize, cost: impl Fn(DVec2) -> f64) -> Grid<f32> {
    let h = 1.0 / (n - 1) as f64;
    Grid::from_fn(n, n, |c| cost(DVec2::new(f64::from(c.x), f64::from(c.y)) * h) as f32)
        .unwrap()
        .placed(h as f32, Vec2::splat(-0.5 * h as f32))
        .unwrap()
}

/// Errors in units of length (not of cells).
fn errors(
    n: usize,
    cost: impl Fn(DVec2) -> f64,
    sources: &[Source],
    params: SolveParams,
    exact: impl Fn(DVec2) -> f64,
) -> Errors {
    let grid = unit_grid(n, cost);
    let mut phi = grid.clone();
    FastMarching::new().solve(&grid, sources, &params, &mut phi).unwrap();
    let h = 1.0 / (n - 1) as f64;
    let (mut sum, mut max, mut count) = (0.0, 0.0f64, 0);
    for (i, &value) in phi.as_slice().iter().enumerate() {
        if value.is_finite() {
            let c = phi.cell_at(i);
            let e =
                (f64::from(value) - exact(DVec2::new(f64::from(c.x), f64::from(c.y)) * h)).abs();
            sum += e;
            max = max.max(e);
            count += 1;
        }
    }
    Errors { l1: sum / f64::from(count), max }
}

const SIZES: [usize; 4] = [65, 129, 257, 513];

/// Least observed order of the L1 error over the refinements.
fn observed_order(mut l1: impl FnMut(usize) -> f64) -> f64 {
    let e: Vec<f64> = SIZES.iter().map(|&n| l1(n)).collect();
    println!("L1 errors {e:.2?}", e = e.iter().map(|e| format!("{e:.2e}")).collect::<Vec<_>>());
    e.windows(2).map(|w| (w[0] / w[1]).log2()).fold(f64::INFINITY, f64::min)
}

fn centre(n: usize) -> Source {
    Source::from(Cell::new((n / 2) as u32, (n / 2) as u32))
}

const MIDDLE: DVec2 = DVec2::splat(0.5);

/// All cells within `radius` of the middle, with their exact potential.
fn ball(n: usize, radius: f64) -> Vec<Source> {
    let h = 1.0 / (n - 1) as f64;
    let cells = (0..n as u32).flat_map(|y| (0..n as u32).map(move |x| Cell::new(x, y)));
    cells
        .filter_map(|cell| {
            let r = (DVec2::new(f64::from(cell.x), f64::from(cell.y)) * h).distance(MIDDLE);
            (r <= radius).then(|| Source::new(cell, r as f32))
        })
        .collect()
}

/// From a bare point source the error of first order is `h (c log(1/h) + d)`, not `c h`: the front is
/// too curved for the first few cells at every resolution (Zhao 2005, section 4). The scheme has one
/// solution, so no first-order solver does better; between 65² and 513² the logarithm leaves an
/// observed order of 0.73 to 0.79. Held here: the law itself, and that a better start does not
/// mend it unless its radius stays fixed while the cells shrink.
#[test]
fn first_order_point_source() {
    let first = SolveParams::default();
    let exact = |p: DVec2| p.distance(MIDDLE);
    let l1 = |n: usize, sources: &[Source]| errors(n, |_| 1.0, sources, first, exact).l1;
    let plain = observed_order(|n| l1(n, &[centre(n)]));
    let nine_cells = observed_order(|n| l1(n, &ball(n, 1.5 / (n - 1) as f64)));
    let fixed_radius = observed_order(|n| l1(n, &ball(n, 0.125)));
    println!("first order, point source: observed order {plain:.3}");
    println!("  with the 8 cells around it exact: {nine_cells:.3}");
    println!("  with a disc of radius 1/8 exact: {fixed_radius:.3}");
    assert!(plain >= 0.73 && fixed_radius >= 0.95, "{plain} {fixed_radius}");
    // e/h grows by the same amount with every halving of h.
    let scaled = SIZES.map(|n| l1(n, &[centre(n)]) * (n - 1) as f64);
    let growth: Vec<f64> = scaled.windows(2).map(|w| w[1] - w[0]).collect();
    println!("  e/h {scaled:.4?} grows by {growth:.4?}");
    assert!(growth.windows(2).all(|w| (w[1] / w[0] - 1.0).abs() < 0.1), "{growth:?}");
}

/// With factoring, a point source in uniform cost is exact.
#[test]
fn second_order_point_source_is_exact() {
    for n in SIZES {
        let e = errors(n, |_| 1.0, &[centre(n)], SolveParams::SECOND_ORDER, |p| p.distance(MIDDLE));
        let cells = e.max * (n - 1) as f64;
        println!("second order, point source, {n}²: L-infinity {cells:.2e} cells");
        assert!(cells < 1e-3, "{n}: {cells} cells");
    }
}

/// The scheme itself, with the values around the source given instead of factored out: factoring is
/// exact here, so the order has to be seen without its help.
#[test]
fn second_order_exact_start() {
    let params = SolveParams::SECOND_ORDER;
    let order =
        observed_order(|n| errors(n, |_| 1.0, &ball(n, 0.125), params, |p| p.distance(MIDDLE)).l1);
    println!("second order, exact start: observed order {order:.3}");
    assert!(order >= 1.8, "{order}");
}

#[test]
fn two_sources() {
    let at = [DVec2::new(0.25, 0.25), DVec2::new(0.75, 0.5)];
    let sources = |n: usize| -> Vec<Source> {
        let cell =
            |p: DVec2| Cell::new((p.x * (n - 1) as f64) as u32, (p.y * (n - 1) as f64) as u32);
        vec![cell(at[0]).into(), Source::new(cell(at[1]), 0.125)]
    };
    let exact = |p: DVec2| p.distance(at[0]).min(p.distance(at[1]) + 0.125);
    let first =
        observed_order(|n| errors(n, |_| 1.0, &sources(n), SolveParams::default(), exact).l1);
    println!("two sources: first order {first:.3}");
    assert!(first >= 0.7, "{first}: see `first_order_point_source`");
    let second = observed_order(|n| {
        let e = errors(n, |_| 1.0, &sources(n), SolveParams::SECOND_ORDER, exact);
        println!("  {n}²: L-infinity {:.3} cells", e.max * (n - 1) as f64);
        // On the line where the fronts meet, a cell has one neighbour in each: off by part of a cell
        // there, and exact everywhere else.
        assert!(e.max * ((n - 1) as f64) < 0.3, "{n}: {} cells", e.max * (n - 1) as f64);
        e.l1
    });
    println!("two sources: second order {second:.3}");
    assert!(second >= 1.8, "{second}");
}

/// F = 1 + x from the left edge: phi = x + x²/2.
#[test]
fn cost_that_grows_with_x() {
    let left = |n: usize| (0..n as u32).map(|y| Cell::new(0, y).into()).collect::<Vec<Source>>();
    let exact = |p: DVec2| p.x + 0.5 * p.x * p.x;
    for (params, least) in [(SolveParams::default(), 0.85), (SolveParams::SECOND_ORDER, 1.8)] {
        let order = observed_order(|n| errors(n, |p| 1.0 + p.x, &left(n), params, exact).l1);
        println!("F = 1 + x, {:?}: observed order {order:.3}", params.order);
        assert!(order >= least, "{:?}: {order}", params.order);
    }
}

/// A point source where the speed grows linearly: speed 1 + x, phi = arcosh(1 + |p - s|² / (2 v(p) v(s))).
#[test]
fn speed_that_grows_with_x() {
    let exact = |p: DVec2| (1.0 + p.distance_squared(MIDDLE) / (2.0 * (1.0 + p.x) * 1.5)).acosh();
    // First order: see `first_order_point_source`.
    for (params, least) in [(SolveParams::default(), 0.7), (SolveParams::SECOND_ORDER, 1.8)] {
        let order =
            observed_order(|n| errors(n, |p| 1.0 / (1.0 + p.x), &[centre(n)], params, exact).l1);
        println!("speed 1 + x, point source, {:?}: observed order {order:.3}", params.order);
        assert!(order >= least, "{:?}: {order}", params.order);
    }
}

/// A wall from the top edge to the middle: beyond it the shortest way goes round its tip.
#[test]
fn round_the_end_of_a_wall() {
    let source = DVec2::new(0.25, 0.25);
    let tip = DVec2::new(0.5, 0.5);
    let cost = |p: DVec2| {
        if p.x == 0.5 && p.y <= 0.5 { f64::INFINITY } else { 1.0 }
    };
    // In the shadow: right of the wall and above the line from the source through the tip.
    let exact = |p: DVec2| {
        let shadow = p.x > 0.5 && (p - source).perp_dot(tip - source) > 0.0;
        if shadow { source.distance(tip) + tip.distance(p) } else { p.distance(source) }
    };
    let at = |n: usize| [Source::from(Cell::new((n / 4) as u32, (n / 4) as u32))];
    for params in [SolveParams::default(), SolveParams::SECOND_ORDER] {
        let order = observed_order(|n| errors(n, cost, &at(n), params, exact).l1);
        println!("wall, {:?}: observed order {order:.3}", params.order);
        // The wall is a cell wide: its tip is off by one cell, an error of first order in any scheme.
        assert!(order >= 0.7, "{:?}: {order}", params.order);
    }
}
