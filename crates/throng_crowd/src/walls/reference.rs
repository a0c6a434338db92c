//! Reading the distance to walls against a bilinear blend in double precision, whose slope is
//! measured and not derived.

use glam::{DVec2, Vec2};
use throng_field::{Edge, Grid};

use super::{FAINT, Walls};
use crate::dice::Dice;

/// The blend of the four cells around a place in units of cells, 0 at the centre of the first.
fn blend(grid: &Grid<f32>, q: DVec2) -> f64 {
    let (w, h) = (grid.width(), grid.height());
    let q = q.clamp(DVec2::ZERO, DVec2::new((w - 1) as f64, (h - 1) as f64));
    let mut sum = 0.0;
    for y in 0..h {
        for x in 0..w {
            let weight =
                (1.0 - (q.x - x as f64).abs()).max(0.0) * (1.0 - (q.y - y as f64).abs()).max(0.0);
            sum += weight * f64::from(grid.as_slice()[y * w + x]);
        }
    }
    sum
}

/// The slope of the blend at a place, by differences within the square of four cells it lies in
/// (a blend is straight along each axis there).
fn slope(grid: &Grid<f32>, q: DVec2) -> DVec2 {
    let high = DVec2::new((grid.width() - 1) as f64, (grid.height() - 1) as f64);
    let q = q.clamp(DVec2::ZERO, high);
    let low = q.floor().min((high - 1.0).max(DVec2::ZERO));
    let along = |axis: DVec2| {
        let from = q + axis * (low - q);
        let to = q + axis * (low + 1.0 - q);
        blend(grid, to) - blend(grid, from)
    };
    DVec2::new(along(DVec2::X), along(DVec2::Y))
}

fn random_grid(dice: &mut Dice) -> Grid<f32> {
    let (w, h) = (1 + dice.below(9), 1 + dice.below(9));
    let flat = dice.chance(0.1);
    let values = (0..w * h).map(|_| if flat { 8.0 } else { dice.between(-8.0, 8.0) }).collect();
    let cell = [0.1, 0.25, 1.0, 3.0][dice.below(4)];
    let origin = dice.point(Vec2::splat(-20.0), Vec2::splat(20.0));
    Grid::from_vec(w, h, values).unwrap().placed(cell, origin).unwrap()
}

/// Anywhere in the world, on its edges, and outside.
fn random_place(dice: &mut Dice, grid: &Grid<f32>) -> Vec2 {
    let (low, high) = (grid.origin(), grid.origin() + grid.extent());
    let p = dice.point(low - grid.cell_size(), high + grid.cell_size());
    match dice.below(4) {
        0 => p.clamp(low, high),
        1 => low + ((p - low) / grid.cell_size()).floor() * grid.cell_size(),
        _ => p,
    }
}

/// If this fails, people bump into walls or shy from where none are. Tolerances: the
/// distance to what rounding of the position allows (below 1e-4 m in a usual grid), the direction
/// to 0.01 radians where the slope is 1 m a cell or more, in grids whose values jump by up to 16 m.
#[test]
fn distance_and_normal_are_those_of_the_blend() {
    let mut dice = Dice::new(5);
    let (mut compared, mut short) = (0, 0);
    for _ in 0..400 {
        let grid = random_grid(&mut dice);
        let walls = Walls::new(&grid);
        for _ in 0..20 {
            let p = random_place(&mut dice, &grid);
            let q = (p - grid.origin()).as_dvec2() / f64::from(grid.cell_size()) - 0.5;
            let want = blend(&grid, q);
            let near = walls.nearest(p);
            // The place in the cell is rounded, and distances change by up to 16 m from cell to cell.
            let rounded = 5e-7 * (1.0 + p.length() + grid.origin().length()) / grid.cell_size();
            let slack = 16.0 * f64::from(rounded) + 1e-5;
            assert!((f64::from(near.distance) - want).abs() < slack, "{p} {near:?} {want}");
            assert!((walls.distance(p) - near.distance).abs() <= 1e-6 * near.distance.abs());
            let sampled = grid.sample(p, Edge::Clamp);
            assert!((f64::from(sampled) - want).abs() < slack);
            let slope = slope(&grid, q);
            let on_a_line = (q - q.round()).abs().min_element() < 1e-3;
            let cell = f64::from(grid.cell_size());
            // Halfway between two walls there is hardly a slope (per metre), and hardly a way from them.
            let faint = slope.length() < f64::from(FAINT) * cell;
            if on_a_line || !faint && slope.length() < 1.0 {
                // Between two squares either slope is right; a small one has no sure direction.
                continue;
            }
            compared += 1;
            short += usize::from(faint && slope.length() > 0.0);
            let away = slope / slope.length().max(f64::from(FAINT) * cell);
            let off = (near.away.as_dvec2() - away).length();
            assert!(off < 1e-2, "{p} {near:?} {away} at {q} of {}x{}", grid.width(), grid.height());
        }
    }
    assert!(compared > 5000 && short > 30, "{compared}, {short} of them faint");
}

/// If this fails, walls on one side of the world are felt otherwise than those on the other.
#[test]
fn a_mirrored_world_has_mirrored_walls() {
    let mut dice = Dice::new(6);
    for _ in 0..400 {
        let (w, h) = (1 + dice.below(6), 1 + dice.below(6));
        let values: Vec<f32> = (0..w * h).map(|_| dice.between(-8.0, 8.0)).collect();
        // Dyadic sizes and places, so that mirroring rounds nothing.
        let extent = Vec2::new(w as f32, h as f32) * 0.25;
        let origin = -0.5 * extent;
        let grid = Grid::from_vec(w, h, values.clone()).unwrap().placed(0.25, origin).unwrap();
        let turned = values.iter().rev().copied().collect();
        let turned = Grid::from_vec(w, h, turned).unwrap().placed(0.25, origin).unwrap();
        for _ in 0..20 {
            let p = dice.point(origin - 0.25, origin + extent + 0.25);
            let q = (p - origin) / 0.25 - 0.5;
            if (q - q.round()).abs().min_element() < 1e-3 {
                continue;
            }
            let (a, b) = (Walls::new(&grid).nearest(p), Walls::new(&turned).nearest(-p));
            assert!((a.distance - b.distance).abs() < 1e-4, "{a:?} {b:?}");
            assert!((a.away + b.away).length() < 1e-2, "{p} of {w}x{h}: {a:?} {b:?}");
        }
    }
}

/// If this fails, people beside a wall take their way from ground behind it, or from the cells at the wall. A passage
/// of random width at a random angle: the place lies as far off as asked for, or in the middle.
#[test]
fn off_the_wall_is_as_far_as_asked_for_or_the_middle() {
    let mut dice = Dice::new(37);
    for _ in 0..2000 {
        let (width, cell) = (dice.between(0.4, 3.0), [0.05, 0.1][dice.below(2)]);
        let across = dice.direction();
        // Behind either wall, which is thin, there is open ground again.
        let thick = dice.between(0.2, 0.4);
        let distance = |p: Vec2| {
            let y = p.dot(across);
            let inside = y.min(width - y);
            if inside >= -0.5 * thick { inside } else { -inside - thick }
        };
        let n = (8.0 / cell) as usize;
        let low = Vec2::splat(-4.0) + across * (0.5 * width);
        let centre = |i: usize| low + (Vec2::new((i % n) as f32, (i / n) as f32) + 0.5) * cell;
        let values = (0..n * n).map(|i| distance(centre(i))).collect();
        let grid = Grid::from_vec(n, n, values).unwrap().placed(cell, low).unwrap();
        let walls = Walls::new(&grid);
        let (y, far) = (dice.between(0.15, width - 0.15), dice.between(0.2, 1.0));
        let p = across * y + across.perp() * dice.between(-1.0, 1.0);
        let wall = walls.nearest(p);
        // At the middle of the passage there is no telling which wall is nearer.
        if (y - 0.5 * width).abs() < 1.5 * cell || wall.distance >= far {
            continue;
        }
        let off = walls.off(p, wall, far);
        let (want, got) = (far.min(0.5 * width), distance(off));
        assert!(
            (got - want).abs() < 0.5 * far.min(0.15) + cell,
            "{got} not {want}: {width} wide, at {y}"
        );
        assert!((off - p).perp_dot(across).abs() < 0.1 * far, "to the side: {p} {off}");
        assert!((0.0..width).contains(&off.dot(across)), "through the wall: {off}");
    }
}
