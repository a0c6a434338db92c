//! Paths worn by feet: where the ways between the goals of a place run, and around the goals, grass is trodden
//! down to the soil.
//!
//! From every place of a goal the way to the nearest place of every other kind is followed down the same kind
//! of field that people walk by, on the bare ground; where ways run together the path is wider and barer.

use glam::{UVec2, Vec2};
use rayon::prelude::*;
use throng_field::Grid;
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::trace::{TraceParams, Tracer};
use throng_world::World;
use throng_world::world::Goal;

use crate::noise::smoothstep;

/// Half the width of a way that one place is reached by (metres).
const HALF: f32 = 0.9;
/// How bare one way makes the ground; more of them add up to bare soil.
const ONE: f32 = 0.75;
/// Around a goal the ground is trodden so far beyond its edge (metres).
const AROUND: f32 = 2.5;

/// How worn the ground is, 0 to 1, row by row on `size` texels from `origin`, each `cell` metres wide.
pub(super) fn wear(world: &World, origin: Vec2, cell: f32, size: UVec2) -> Vec<f32> {
    let mut worn = vec![0.0_f32; (size.x * size.y) as usize];
    if world.heights.is_none() {
        return worn;
    }
    let ways: Vec<Vec<Vec2>> =
        world.goals.par_iter().flat_map_iter(|goal| ways_to(world, goal)).collect();
    for way in &ways {
        for pair in way.windows(2) {
            tread(&mut worn, origin, cell, size, pair[0], pair[1]);
        }
    }
    for place in world.goals.iter().flat_map(|goal| &goal.places) {
        let bounds = place.shape.bounds().grown(AROUND);
        texels(origin, cell, size, bounds.min, bounds.max, |i, p| {
            worn[i] += 1.6 * smoothstep(AROUND, -1.0, place.shape.distance(p));
        });
    }
    worn.iter().map(|sum| 1.0 - (-sum).exp()).collect()
}

/// Ways from every place of other goals to the nearest place of this one.
fn ways_to(world: &World, goal: &Goal) -> Vec<Vec<Vec2>> {
    let cost = &world.terrain;
    let free = |p: Vec2| cost.cell_of(p).filter(|&cell| cost[cell].is_finite());
    let middle = |place: &throng_world::world::Place| place.shape.bounds().centre();
    let sources: Vec<Source> =
        goal.places.iter().filter_map(|place| free(middle(place))).map(Source::from).collect();
    let mut potential: Grid<f32> = cost.clone();
    // A place that cannot be reached, or a field that fails, wears no path.
    let solved =
        FastIterative::new().solve(cost, &sources, &SolveParams::default(), &mut potential);
    let tracer = Tracer::new(cost, &potential, &sources, &TraceParams::default());
    let (Ok(_), Ok(tracer), false) = (solved, tracer, sources.is_empty()) else {
        return Vec::new();
    };
    let others = world.goals.iter().filter(|other| !std::ptr::eq(*other, goal));
    let starts = others.flat_map(|other| &other.places).map(middle);
    starts.filter_map(|start| tracer.trace(start).ok()).map(|path| path.points).collect()
}

/// Wears the ground along a piece of a way.
fn tread(worn: &mut [f32], origin: Vec2, cell: f32, size: UVec2, a: Vec2, b: Vec2) {
    let along = b - a;
    let length = along.length();
    if length < 1e-4 {
        return;
    }
    let wide = Vec2::splat(2.5 * HALF);
    texels(origin, cell, size, a.min(b) - wide, a.max(b) + wide, |i, p| {
        let t = (p - a).dot(along) / (length * length);
        // A piece owns what lies beside it, so that no place is trodden twice where two meet.
        if (0.0..1.0).contains(&t) {
            let off = (p - a).perp_dot(along).abs() / length;
            worn[i] += ONE * (-(off / HALF).powi(2)).exp();
        }
    });
}

/// Calls for every texel of a rectangle, with its number and its middle.
fn texels(
    origin: Vec2,
    cell: f32,
    size: UVec2,
    min: Vec2,
    max: Vec2,
    mut each: impl FnMut(usize, Vec2),
) {
    let last = size.as_vec2() - 1.0;
    let at = |p: Vec2| ((p - origin) / cell).floor();
    if at(max).cmplt(Vec2::ZERO).any() || at(min).cmpgt(last).any() {
        return;
    }
    let low = at(min).clamp(Vec2::ZERO, last).as_uvec2();
    let high = at(max).clamp(Vec2::ZERO, last).as_uvec2();
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            let middle = origin + (Vec2::new(x as f32, y as f32) + 0.5) * cell;
            each((y * size.x + x) as usize, middle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wear;
    use glam::{UVec2, Vec2};
    use throng_field::Grid;
    use throng_world::World;
    use throng_world::world::{Goal, Place, Shape};

    fn goal(name: &str, x: f32, y: f32) -> Goal {
        let shape = Shape::Disc { centre: Vec2::new(x, y), radius: 2.0 };
        let places = vec![Place { shape, fuzz: 0.0, capacity: None }];
        Goal { name: name.to_owned(), color: [0; 3], places, exit: false }
    }

    /// If this fails, paths lead nowhere, run through what is closed, or cover all of a meadow.
    #[test]
    fn a_path_is_worn_between_two_goals() {
        let mut world = World::open((60, 60), 1.0, Vec2::ZERO).unwrap();
        let size = UVec2::splat(60);
        world.goals = vec![goal("a", 8.0, 30.0), goal("b", 52.0, 30.0)];
        assert!(wear(&world, Vec2::ZERO, 1.0, size).iter().all(|w| *w == 0.0), "a floor");
        world.heights = Some(Grid::filled(60, 60, 0.0).unwrap());
        // A wall in the way, open at its lower end.
        for y in 10..60 {
            world.terrain.as_mut_slice()[y * 60 + 30] = f32::INFINITY;
        }
        let worn = wear(&world, Vec2::ZERO, 1.0, size);
        let at = |x: usize, y: usize| worn[y * 60 + x];
        assert!(at(8, 30) > 0.7 && at(52, 30) > 0.7, "around the goals");
        assert!((0..10).any(|y| at(30, y) > 0.3), "round the end of the wall");
        assert!((14..60).all(|y| at(30, y) < 0.05), "not through it");
        let bare = worn.iter().filter(|w| **w > 0.2).count();
        assert!(bare < 600, "{bare} of 3600");
    }
}
