//! Draws a made-up map with the distance to a point, and a path to it.
//!
//! `cargo run -p throng_record --example field_picture -- rooms.png [map] [width] [height]`
//! where map is `rooms` (the default), `blocks`, `open`, `swamp` or `closed`.

use glam::Vec2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::error::Error;
use std::path::PathBuf;
use throng_field::{Cell, Grid};
use throng_record::FieldPicture;

const WALL: f32 = f32::INFINITY;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("give the name of a PNG file to write")?;
    let kind = arguments.next().unwrap_or_else(|| "rooms".into());
    let width: usize = arguments.next().map_or(Ok(49), |text| text.parse())?;
    let height: usize = arguments.next().map_or(Ok(width), |text| text.parse())?;

    let cost = Grid::from_fn(width, height, |cell| map(&kind, cell, width, height))?;
    let goal = nearest_free(&cost, width * 4 / 5, height / 5);
    let start = nearest_free(&cost, width / 12, height * 11 / 12);
    let potential = distances(&cost, goal);
    let path = descend(&potential, start);
    let reached = potential.as_slice().iter().filter(|v| v.is_finite()).count();
    let subtitle = format!(
        "{width} × {height} cells · shortest paths on 16 neighbours · {reached} cells reachable"
    );
    FieldPicture::new(&cost)
        .potential(&potential, "distance to goal (cells)")
        .goals(&[goal])
        .path(&path)
        .title(&kind)
        .subtitle(&subtitle)
        .length_unit("cells")
        .write_png(&PathBuf::from(file))?;
    Ok(())
}

/// Cost of a cell of one of the made-up maps.
fn map(kind: &str, cell: Cell, width: usize, height: usize) -> f32 {
    let (x, y) = (cell.x as usize, cell.y as usize);
    let wall = match kind {
        "rooms" => {
            let across = x % 12 == 0 && y % 12 != 5 && y % 12 != 6;
            let down = y % 12 == 0 && x % 12 != 8 && x % 12 != 9;
            across || down || x + 1 == width || y + 1 == height
        }
        "blocks" => hash(x / 16, y / 16) % 100 < 24,
        "closed" => (x / 9).abs_diff(2) + (y / 9).abs_diff(2) == 1,
        _ => false,
    };
    if wall {
        return WALL;
    }
    let place = Vec2::new(x as f32 / width as f32, y as f32 / height as f32);
    match kind {
        "swamp" => 1.0 + 5.0 * (-30.0 * place.distance_squared(Vec2::splat(0.5))).exp(),
        _ => 1.0,
    }
}

fn hash(x: usize, y: usize) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^ (h >> 12)
}

fn nearest_free(cost: &Grid<f32>, x: usize, y: usize) -> Cell {
    let distance = |cell: Cell| (cell.x as usize).abs_diff(x) + (cell.y as usize).abs_diff(y);
    let free = (0..cost.cells()).map(|i| cost.cell_at(i)).filter(|&cell| cost[cell] < WALL);
    free.min_by_key(|&cell| distance(cell)).unwrap_or(Cell::new(0, 0))
}

/// Steps to the 8 neighbours and the 8 knight's moves, which make distances rounder.
const MOVES: [(i64, i64); 16] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
    (2, 1),
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
];

/// Every free cell whose move from `cell` crosses no wall, with the length of the move.
fn neighbours(cost: &Grid<f32>, cell: Cell) -> impl Iterator<Item = (Cell, f32)> {
    let at = |x: i64, y: i64| {
        let inside = x >= 0 && y >= 0;
        inside
            .then(|| Cell::new(x as u32, y as u32))
            .filter(|&cell| cost.get(cell).is_some_and(|c| *c < WALL))
    };
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    MOVES.iter().filter_map(move |&(dx, dy)| {
        let target = at(x + dx, y + dy)?;
        let box_is_free = (0..=dx.abs()).all(|i| {
            (0..=dy.abs()).all(|j| at(x + i * dx.signum(), y + j * dy.signum()).is_some())
        });
        let length = ((dx * dx + dy * dy) as f32).sqrt();
        box_is_free.then(|| (target, length * (cost[cell] + cost[target]) / 2.0))
    })
}

struct Entry(f32, Cell);

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
    }
}

/// Distance of every cell to the goal (Dijkstra).
fn distances(cost: &Grid<f32>, goal: Cell) -> Grid<f32> {
    let mut distances = cost.map(|_| f32::INFINITY);
    let mut queue = BinaryHeap::new();
    if cost[goal] < WALL {
        distances[goal] = 0.0;
        queue.push(Entry(0.0, goal));
    }
    while let Some(Entry(distance, cell)) = queue.pop() {
        if distance > distances[cell] {
            continue;
        }
        for (next, length) in neighbours(cost, cell) {
            if distance + length < distances[next] {
                distances[next] = distance + length;
                queue.push(Entry(distance + length, next));
            }
        }
    }
    distances
}

/// The way down the distances from a cell, as world positions.
fn descend(potential: &Grid<f32>, start: Cell) -> Vec<Vec2> {
    let mut path = vec![potential.centre(start)];
    let mut cell = start;
    let free = potential.map(|v| if v.is_finite() { 1.0 } else { WALL });
    while potential[cell].is_finite() {
        let lower = neighbours(&free, cell)
            .map(|(next, length)| (next, (potential[next] - potential[cell]) / length))
            .filter(|&(_, slope)| slope < 0.0)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((next, _)) = lower else { break };
        cell = next;
        path.push(potential.centre(cell));
    }
    path
}
