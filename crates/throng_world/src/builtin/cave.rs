//! A cave: chambers grown by a cellular automaton on a coarse lattice, joined by winding tunnels,
//! and smoothed to rounded walls by a B-spline surface over the lattice.

use super::connect::{keep_largest, neighbours, parts};
use super::hash::{Chance, noise};
use super::{at_least, filled};
use crate::{BLOCKED, FREE, MapError};
use glam::DVec2;
use std::collections::VecDeque;
use throng_field::{Cell, Grid};

/// Cells of the map to one step of the coarse lattice.
const PITCH: usize = 4;
/// Share of rock in the first generation, far from the edge and at it.
const FIRST_ROCK: f64 = 0.485;
const EDGE_ROCK: f64 = 0.85;
/// Lattice points over which the one goes over into the other, and at most which share of the side.
const EDGE_REACH: f64 = 9.0;
const EDGE_SHARE: f64 = 0.15;
/// Generations of the automaton.
const GENERATIONS: usize = 5;
/// Lattice points below which a chamber is left buried.
const SMALLEST_CHAMBER: usize = 8;
/// Lattice points of solid rock around the map.
const RIM: usize = 2;
/// How far the lattice is bent out of shape, in cells, and over what length.
const BEND: f64 = 9.0;
const BEND_LENGTH: f64 = 26.0;
/// How far the fine noise moves the walls, in units of the surface (rock 1, air 0).
const ROUGHNESS: f64 = 0.22;

/// A cave of chambers and tunnels in solid rock. Fails below 32 x 32 cells.
pub fn cave(width: usize, height: usize, seed: u64) -> Result<Grid<f32>, MapError> {
    at_least("cave", width, height, 32)?;
    let mut map = filled("cave", width, height, BLOCKED)?;
    let lattice_size = |cells: usize| cells.div_ceil(PITCH) + 1;
    let mut lattice = filled("cave", lattice_size(width), lattice_size(height), BLOCKED)?;
    let mut chance = Chance::new(seed, 0x6361_7665);
    grow(&mut lattice, &mut chance);
    open_middle(&mut lattice);
    join_chambers(&mut lattice, &mut chance);
    let rough = chance.bits();
    for y in 0..height {
        for x in 0..width {
            let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            if surface(&lattice, bent(rough, at)) + roughness(rough, at) < 0.5 {
                map[Cell::new(x as u32, y as u32)] = FREE;
            }
        }
    }
    keep_largest(&mut map);
    Ok(map)
}

fn is_rock(lattice: &Grid<f32>, x: isize, y: isize) -> bool {
    let cell = Cell::new(x as u32, y as u32);
    // What lies outside (also a negative index, as a huge one) is rock.
    lattice.get(cell).is_none_or(|cost| cost.is_infinite())
}

fn on_rim(lattice: &Grid<f32>, x: usize, y: usize) -> bool {
    x < RIM || y < RIM || x + RIM >= lattice.width() || y + RIM >= lattice.height()
}

/// Random rock, then the rule: rock where at least five of the nine cells around are rock.
fn grow(lattice: &mut Grid<f32>, chance: &mut Chance) {
    let (width, height) = (lattice.width(), lattice.height());
    for y in 0..height {
        for x in 0..width {
            let rock = chance.happens(first_rock(lattice, x, y)) || on_rim(lattice, x, y);
            lattice.as_mut_slice()[y * width + x] = if rock { BLOCKED } else { FREE };
        }
    }
    for _ in 0..GENERATIONS {
        let before = lattice.clone();
        for y in 0..height {
            for x in 0..width {
                let rock = rock_around(&before, x, y) >= 5 || on_rim(&before, x, y);
                lattice.as_mut_slice()[y * width + x] = if rock { BLOCKED } else { FREE };
            }
        }
    }
}

/// Opens a chamber in the middle, so that no seed gives a cave without air.
fn open_middle(lattice: &mut Grid<f32>) {
    let (x, y) = (lattice.width() as u32 / 2, lattice.height() as u32 / 2);
    for (x, y) in (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y))) {
        lattice[Cell::new(x, y)] = FREE;
    }
}

/// Share of rock in the first generation: more towards the edge, so that the cave ends in bays.
fn first_rock(lattice: &Grid<f32>, x: usize, y: usize) -> f64 {
    let from_edge = x.min(y).min(lattice.width() - 1 - x).min(lattice.height() - 1 - y);
    let reach = EDGE_REACH.min(EDGE_SHARE * lattice.width().min(lattice.height()) as f64);
    let near = (1.0 - from_edge as f64 / reach).max(0.0);
    FIRST_ROCK + (EDGE_ROCK - FIRST_ROCK) * near * near
}

fn rock_around(lattice: &Grid<f32>, x: usize, y: usize) -> usize {
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    around.filter(|&(dx, dy)| is_rock(lattice, x as isize + dx, y as isize + dy)).count()
}

/// Digs from every chamber worth it to the nearest other one, until all are one.
fn join_chambers(lattice: &mut Grid<f32>, chance: &mut Chance) {
    // Every round joins each chamber but the largest to another, so their number at least halves.
    loop {
        let (labels, sizes) = parts(lattice, f32::is_finite);
        let chambers = Chambers::new(&labels, &sizes);
        if chambers.points.len() < 2 {
            return;
        }
        let mut search = Search::new(lattice.cells());
        let mut tunnels = Vec::new();
        for number in 0..chambers.points.len() {
            if number != chambers.largest {
                tunnels.extend(search.nearest_other(lattice, &chambers, number));
            }
        }
        for (from, to) in tunnels {
            dig(lattice, from, to, chance);
        }
    }
}

/// The chambers large enough to keep.
struct Chambers {
    /// Number of the chamber that each lattice point belongs to.
    of_point: Vec<Option<usize>>,
    /// The points of each chamber.
    points: Vec<Vec<usize>>,
    /// Number of the largest.
    largest: usize,
}

impl Chambers {
    fn new(labels: &[u32], sizes: &[usize]) -> Self {
        let mut kept = 0;
        let numbers: Vec<Option<usize>> = sizes
            .iter()
            .map(|&size| {
                let number = (size >= SMALLEST_CHAMBER).then_some(kept);
                kept += usize::from(number.is_some());
                number
            })
            .collect();
        let of_point: Vec<_> = labels.iter().map(|&l| numbers[l as usize]).collect();
        let mut points = vec![Vec::new(); kept];
        for (point, number) in of_point.iter().enumerate() {
            if let Some(number) = *number {
                points[number].push(point);
            }
        }
        let largest = (0..kept).max_by_key(|&n| points[n].len()).unwrap_or(0);
        Self { of_point, points, largest }
    }
}

/// Breadth-first search through the rock; its memory serves all searches of a round.
struct Search {
    /// For each point, the chamber whose search has seen it last and the point it started from.
    seen: Vec<(usize, usize)>,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(points: usize) -> Self {
        Self { seen: vec![(usize::MAX, 0); points], queue: VecDeque::new() }
    }

    /// The closest two points by steps, one of the chamber and one of another.
    fn nearest_other(
        &mut self,
        lattice: &Grid<f32>,
        chambers: &Chambers,
        number: usize,
    ) -> Option<(Cell, Cell)> {
        self.queue.clear();
        for &point in &chambers.points[number] {
            self.seen[point] = (number, point);
            self.queue.push_back(point);
        }
        while let Some(at) = self.queue.pop_front() {
            let start = self.seen[at].1;
            if chambers.of_point[at].is_some_and(|other| other != number) {
                return Some((lattice.cell_at(start), lattice.cell_at(at)));
            }
            for next in neighbours(lattice, at).into_iter().flatten() {
                if self.seen[next].0 != number {
                    self.seen[next] = (number, start);
                    self.queue.push_back(next);
                }
            }
        }
        None
    }
}

/// Digs a winding tunnel two points wide.
fn dig(lattice: &mut Grid<f32>, from: Cell, to: Cell, chance: &mut Chance) {
    let mut at = from;
    while at != to {
        let (dx, dy) = (at.x.abs_diff(to.x), at.y.abs_diff(to.y));
        if chance.below((dx + dy) as usize) < dx as usize {
            at.x = if to.x > at.x { at.x + 1 } else { at.x - 1 };
        } else {
            at.y = if to.y > at.y { at.y + 1 } else { at.y - 1 };
        }
        for (x, y) in [(at.x, at.y), (at.x + 1, at.y), (at.x, at.y + 1)] {
            if !on_rim(lattice, x as usize, y as usize) {
                lattice[Cell::new(x, y)] = FREE;
            }
        }
    }
}

/// Rock (1) and air (0) of the lattice, smoothed by a uniform cubic B-spline, at a point in cells.
fn surface(lattice: &Grid<f32>, at: DVec2) -> f64 {
    let scaled = at / PITCH as f64;
    let base = scaled.floor();
    let part = scaled - base;
    let (wx, wy) = (spline_weights(part.x), spline_weights(part.y));
    let mut sum = 0.0;
    for (j, wy) in wy.iter().enumerate() {
        for (i, wx) in wx.iter().enumerate() {
            let cx = base.x as isize + i as isize - 1;
            let cy = base.y as isize + j as isize - 1;
            if is_rock(lattice, cx, cy) {
                sum += wx * wy;
            }
        }
    }
    sum
}

/// Weights of the four points around a fraction `t` of a step.
fn spline_weights(t: f64) -> [f64; 4] {
    let s = 1.0 - t;
    [
        s * s * s / 6.0,
        (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
        (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0,
        t * t * t / 6.0,
    ]
}

/// Where the surface is looked up for a point: bent by noise, so that no lattice line shows.
fn bent(seed: u64, at: DVec2) -> DVec2 {
    let p = at / BEND_LENGTH;
    let shift = DVec2::new(noise(seed ^ 2, p.x, p.y), noise(seed ^ 3, p.x, p.y));
    at + (shift - 0.5) * BEND
}

/// Two octaves of noise that roughen the walls.
fn roughness(seed: u64, at: DVec2) -> f64 {
    let octave = |n: u64, length: f64| noise(seed ^ n, at.x / length, at.y / length) - 0.5;
    ROUGHNESS * (octave(0, 9.0) + 0.5 * octave(1, 4.0))
}
