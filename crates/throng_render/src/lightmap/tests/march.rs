//! Rays over the ground: the pyramid against patch by patch, and both against small steps.

use glam::{Vec2, Vec3};
use throng_field::Grid;

use super::super::terrain::Terrain;
use super::Random;

/// Ground of several kinds: gentle, wild, terraced, and with towers.
fn grounds(random: &mut Random) -> Vec<Grid<f32>> {
    let sizes = [(1, 1), (1, 9), (7, 1), (2, 2), (37, 53), (64, 64), (129, 100), (200, 31)];
    let mut all = Vec::new();
    for (width, height) in sizes {
        for kind in 0..4 {
            let phase = 6.0 * random.next();
            let grid = Grid::from_fn(width, height, |c| {
                let (x, y) = (c.x as f32, c.y as f32);
                let waves = 4.0 * (x * 0.13 + phase).sin() + 3.0 * (y * 0.21 - phase).cos();
                match kind {
                    0 => waves,
                    1 => waves + 8.0 * random.next(),
                    2 => (waves * 0.5).floor() * 3.0,
                    _ if random.next() < 0.03 => waves + 40.0,
                    _ => waves,
                }
            });
            all.push(grid.unwrap().placed(1.5, Vec2::new(3.0, -8.0)).unwrap());
        }
    }
    all
}

fn rays(
    random: &mut Random,
    terrain: &Terrain,
    grid: &Grid<f32>,
    many: usize,
) -> Vec<(Vec3, Vec3)> {
    let (width, height) = (grid.width() as f32 + 1.0, grid.height() as f32 + 1.0);
    (0..many)
        .map(|n| {
            // Some from the centres of cells, where coordinates are whole numbers.
            let mut at = Vec2::new(random.next() * width, random.next() * height);
            if n % 3 == 0 {
                at = at.round();
            }
            let above = if n % 2 == 0 { 0.6 } else { 30.0 * random.next() + 0.01 };
            let d = match n % 16 {
                0 => Vec3::NEG_Z,
                1 => Vec3::Z,
                2 => Vec3::X,
                3 => Vec3::NEG_Y,
                4 => Vec3::new(1.0, 1.0, 0.0).normalize(),
                5 => Vec3::new(-1.0, 0.0, -0.02).normalize(),
                _ => random.direction(),
            };
            (at.extend(terrain.height(at) + above), d)
        })
        .collect()
}

#[test]
fn the_pyramid_skips_nothing_that_is_met() {
    let mut random = Random(3);
    let (mut hits, mut misses) = (0, 0);
    for grid in grounds(&mut random) {
        let terrain = Terrain::new(&grid);
        for (origin, d) in rays(&mut random, &terrain, &grid, 3000) {
            let found = terrain.march(origin, d);
            assert_eq!(found, terrain.march_plainly(origin, d), "{origin} {d}");
            match found {
                Some(_) => hits += 1,
                None => misses += 1,
            }
        }
    }
    assert!(hits > 20_000 && misses > 20_000, "{hits} {misses}");
}

/// No point of the way before a hit is under ground, the hit is on it, and a ray that meets nothing was
/// never under it.
#[test]
fn small_steps_find_the_same_ground() {
    let mut random = Random(5);
    for grid in grounds(&mut random) {
        let terrain = Terrain::new(&grid);
        let size = Vec2::new(grid.width() as f32 + 1.0, grid.height() as f32 + 1.0);
        for (origin, d) in rays(&mut random, &terrain, &grid, 60) {
            let found = terrain.march(origin, d);
            if let Some(hit) = found {
                let z = origin.z + d.z * hit.distance;
                assert!((z - terrain.height(hit.at)).abs() < 2e-2, "{origin} {d}: {hit:?}");
            }
            let end = found.map_or(600.0, |hit| hit.distance - 0.02);
            let mut t = 0.0;
            while t < end {
                let p = origin + d * t;
                let inside = p.truncate().cmpge(Vec2::ZERO).all() && p.truncate().cmple(size).all();
                if !inside || (d.z > 0.0 && p.z > 100.0) {
                    break;
                }
                let above = p.z - terrain.height(p.truncate());
                assert!(above > -1e-2, "{origin} {d} is {above} above ground at {t}");
                t += 0.013;
            }
        }
    }
}

#[test]
fn the_terrain_is_the_grid() {
    let mut random = Random(9);
    for grid in grounds(&mut random) {
        let terrain = Terrain::new(&grid);
        for _ in 0..200 {
            let within = Vec2::new(random.next(), random.next());
            let world = grid.origin() + within * grid.extent();
            let wanted = grid.sample(world, throng_field::Edge::Clamp);
            let found = terrain.height_metres(terrain.to_cells(world));
            assert!((found - wanted).abs() < 2e-3 * (1.0 + wanted.abs()), "{found} {wanted}");
        }
    }
}
