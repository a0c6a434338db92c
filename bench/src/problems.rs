//! The problems: uniform, smooth random, and random with walls, made from a seed.

use throng_field::{Cell, Grid};

/// One problem.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) name: &'static str,
    pub(crate) cost: Grid<f32>,
    /// Goals, one a group. The first is the one of single-field solvers.
    pub(crate) goals: Vec<Cell>,
}

/// SplitMix64: a number as random as its place is not.
pub(crate) fn hash(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The same, from 0 to below 1.
pub(crate) fn unit(x: u64) -> f32 {
    (hash(x) >> 40) as f32 / (1u64 << 24) as f32
}

/// Costs from 1 to 5, smooth over a sixteenth of the side.
fn smooth(size: usize) -> Grid<f32> {
    const KNOTS: usize = 17;
    let knot = |x: usize, y: usize| unit((y * KNOTS + x) as u64);
    make(size, |c| {
        let scale = (KNOTS - 1) as f32 / size as f32;
        let (x, y) = (c.x as f32 * scale, c.y as f32 * scale);
        let (ix, iy) = (x as usize, y as usize);
        let ease = |t: f32| t * t * (3.0 - 2.0 * t);
        let (tx, ty) = (ease(x.fract()), ease(y.fract()));
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let top = mix(knot(ix, iy), knot(ix + 1, iy), tx);
        let bottom = mix(knot(ix, iy + 1), knot(ix + 1, iy + 1), tx);
        1.0 + 4.0 * mix(top, bottom, ty)
    })
}

/// Smooth costs with straight walls of 8 to 64 cells, a twentieth of the ground: as many as leave
/// nearly all of it connected.
fn walls(size: usize) -> Grid<f32> {
    let mut cost = smooth(size);
    let wanted = size * size / 20;
    let mut blocked = 0;
    let mut seed = 1;
    while blocked < wanted {
        seed += 1;
        let length = 8 + (hash(seed * 4) % 57) as usize;
        let (x, y) = (hash(seed * 4 + 1) as usize % size, hash(seed * 4 + 2) as usize % size);
        for i in 0..length {
            let (x, y) = if hash(seed * 4 + 3).is_multiple_of(2) { (x + i, y) } else { (x, y + i) };
            if let Some(c) = cost.get_mut(Cell::new(x as u32, y as u32))
                && c.is_finite()
            {
                *c = f32::INFINITY;
                blocked += 1;
            }
        }
    }
    cost
}

/// Smooth costs with every fifth cell blocked at random: the hardest for solvers that sweep.
fn clutter(size: usize) -> Grid<f32> {
    let smooth = smooth(size);
    make(size, |c| {
        let i = u64::from(c.y) << 32 | u64::from(c.x);
        if unit(i ^ 0xC1A7_7E12) < 0.2 { f32::INFINITY } else { smooth[c] }
    })
}

fn make(size: usize, f: impl FnMut(Cell) -> f32) -> Grid<f32> {
    Grid::from_fn(size, size, f).expect("a benchmark's size is a grid's size")
}

/// The kinds of problem, by name.
pub(crate) const KINDS: [&str; 4] = ["uniform", "smooth", "walls", "clutter"];

/// A problem of one kind and size with that many goals in its largest open part.
pub(crate) fn problem(name: &'static str, size: usize, groups: usize) -> Problem {
    let cost = match name {
        "uniform" => make(size, |_| 1.0),
        "smooth" => smooth(size),
        "walls" => walls(size),
        _ => clutter(size),
    };
    let open = largest_part(&cost);
    let goals = (0..groups as u64).map(|g| open[hash(g + 77) as usize % open.len()]).collect();
    Problem { name, cost, goals }
}

/// The cells of the largest connected part.
fn largest_part(cost: &Grid<f32>) -> Vec<Cell> {
    let mut seen = cost.map(|c| c.is_infinite());
    let mut best = Vec::new();
    for i in 0..cost.cells() {
        if seen.as_slice()[i] {
            continue;
        }
        let mut part = vec![cost.cell_at(i)];
        seen.as_mut_slice()[i] = true;
        let mut next = 0;
        while let Some(&cell) = part.get(next) {
            next += 1;
            for beside in neighbours(cell) {
                if let Some(seen) = seen.get_mut(beside)
                    && !std::mem::replace(seen, true)
                {
                    part.push(beside);
                }
            }
        }
        if part.len() > best.len() {
            best = part;
        }
        if best.len() * 2 > cost.cells() {
            break;
        }
    }
    best
}

/// The four cells beside one; those over the edge are none of any grid's.
pub(crate) fn neighbours(cell: Cell) -> [Cell; 4] {
    let Cell { x, y } = cell;
    [
        Cell::new(x.wrapping_sub(1), y),
        Cell::new(x + 1, y),
        Cell::new(x, y.wrapping_sub(1)),
        Cell::new(x, y + 1),
    ]
}
