//! Whether everybody can get where they want: connected pieces of free ground.

use super::Builder;
use crate::BLOCKED;
use crate::scene::data::GroundData;
use crate::scene::problem::quoted;
use crate::world::{Layout, Place, Seek, Shape, World};
use glam::Vec2;
use std::collections::BTreeSet;
use throng_field::{Cell, Grid};

/// Share of a spawn's ground that may be cut off from a goal before it is a problem.
const CUT_OFF: f64 = 0.05;

/// The number of the connected piece of each cell, from 1; 0 where it is blocked.
pub(super) fn pieces(terrain: &Grid<f32>) -> (Grid<u32>, Vec<usize>) {
    let mut label = terrain.map(|_| 0_u32);
    let mut sizes = Vec::new();
    let (w, h) = (terrain.width(), terrain.height());
    let mut stack = Vec::new();
    for start in 0..terrain.cells() {
        if label.as_slice()[start] != 0 || terrain.as_slice()[start].is_infinite() {
            continue;
        }
        let number = sizes.len() as u32 + 1;
        let mut size = 0;
        label.as_mut_slice()[start] = number;
        stack.push(start);
        while let Some(i) = stack.pop() {
            size += 1;
            let (x, y) = (i % w, i / w);
            let next = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then(|| i + 1),
                (y > 0).then(|| i - w),
                (y + 1 < h).then(|| i + w),
            ];
            for j in next.into_iter().flatten() {
                if label.as_slice()[j] == 0 && terrain.as_slice()[j].is_finite() {
                    label.as_mut_slice()[j] = number;
                    stack.push(j);
                }
            }
        }
        sizes.push(size);
    }
    (label, sizes)
}

/// Blocks all ground but the largest connected piece, so that nobody starts where no way leads.
pub(super) fn keep_largest_piece(world: &mut World) {
    let (label, sizes) = pieces(&world.terrain);
    let Some(largest) = (0..sizes.len()).max_by_key(|i| sizes[*i]) else { return };
    if sizes.len() < 2 {
        return;
    }
    let keep = largest as u32 + 1;
    // Cells that are only near a wall stay what they are: the wall closes them.
    for i in 0..label.cells() {
        if label.as_slice()[i] != 0 && label.as_slice()[i] != keep {
            world.ground.as_mut_slice()[i] = BLOCKED;
        }
    }
    world.rebuild();
}

impl Builder<'_> {
    /// Notes places without free ground, and goals that cannot be reached from where people start.
    pub(super) fn ways(&mut self, world: &World) {
        let (label, _) = pieces(&world.terrain);
        let mut reached: Vec<BTreeSet<u32>> = Vec::new();
        for (i, goal) in world.goals.iter().enumerate() {
            let mut of_goal = BTreeSet::new();
            for (j, place) in goal.places.iter().enumerate() {
                let touched = touched(place, &label);
                if touched.is_empty() {
                    let at = place.shape.bounds().centre();
                    let several = !self.data.goal[i].places.is_empty();
                    let key = if several {
                        format!("goal[{i}].places[{j}]")
                    } else {
                        format!("goal[{i}]")
                    };
                    let what = format!(
                        "its place at ({:.1}, {:.1}) is in a wall or outside the ground",
                        at.x, at.y
                    );
                    self.findings.add(key, what, "move it to free ground");
                }
                of_goal.extend(touched);
            }
            reached.push(of_goal);
        }
        self.by_lift(world, &label, &mut reached);
        for i in 0..self.data.spawn.len() {
            self.spawn_ways(i, world, &label, &reached);
        }
    }

    /// Adds the ground from which a lift leads to where a goal can be reached.
    fn by_lift(&mut self, world: &World, label: &Grid<u32>, reached: &mut [BTreeSet<u32>]) {
        let pieces = |shape: &Shape| {
            let place = Place { shape: shape.clone(), fuzz: 0.0, capacity: None };
            touched(&place, label)
        };
        let mut lifts = Vec::new();
        for (i, lift) in world.lifts.iter().enumerate() {
            let [from, to] = [0, 1].map(|k| pieces(&lift.cabins[k]));
            for (name, pieces) in [("from", &from), ("to", &to)] {
                if pieces.is_empty() {
                    let key = format!("lift[{i}].{name}");
                    self.findings.add(
                        key,
                        "there is no free ground in it",
                        "move it to free ground",
                    );
                }
            }
            lifts.push((from, to));
        }
        // One lift may lead to the next.
        for _ in 0..lifts.len() {
            for of_goal in reached.iter_mut() {
                for (from, to) in &lifts {
                    if !of_goal.is_disjoint(to) {
                        of_goal.extend(from);
                    }
                }
            }
        }
    }

    /// Notes walls so thin that ways lead through them between two cells. A pillar that stands
    /// between two cells is none: there is a way round it.
    pub(super) fn walls_hold(&mut self, world: &World) {
        let grid = &world.terrain;
        let crossed = crossed_steps(world);
        for &(cell, next) in &crossed {
            if way_round(world, &crossed, cell, next) {
                continue;
            }
            let at = (grid.centre(cell) + grid.centre(next)) * 0.5;
            let what = format!(
                "a wall near ({:.1}, {:.1}) is thinner than a navigation cell of {} m, so that ways lead through it",
                at.x,
                at.y,
                grid.cell_size()
            );
            let cure = "make the wall thicker, give a smaller `ground.cell` or a larger `navigate.wall_margin`";
            return self.findings.add("ground.cell", what, cure);
        }
    }

    fn spawn_ways(
        &mut self,
        index: usize,
        world: &World,
        label: &Grid<u32>,
        reached: &[BTreeSet<u32>],
    ) {
        // Spawns that could not be made are missing from the world; they were noted then.
        if world.spawns.len() != self.data.spawn.len() {
            return;
        }
        let spawn = &world.spawns[index];
        let cells = spawn_pieces(&spawn.layout, label);
        let free: usize = cells.iter().filter(|(piece, _)| *piece != 0).map(|(_, n)| n).sum();
        if free == 0 {
            let what = "there is no free ground where people start";
            self.findings.add(format!("spawn[{index}]"), what, "move it to free ground");
            return;
        }
        for goal in goals_of(world, spawn.group) {
            let pieces = &reached[goal];
            if pieces.is_empty() {
                continue; // Noted with the goal.
            }
            let cut: usize = cells
                .iter()
                .filter(|(piece, _)| *piece != 0 && !pieces.contains(piece))
                .map(|(_, n)| n)
                .sum();
            if cut as f64 > CUT_OFF * free as f64 {
                let what = format!(
                    "no way leads from {:.0} % of it to the goal {}",
                    100.0 * cut as f64 / free as f64,
                    quoted(&world.goals[goal].name)
                );
                let cure = match self.data.ground {
                    GroundData::Flat { .. } => {
                        "open a door wide enough for a navigation cell (`ground.cell`), or move one of them"
                    }
                    _ => "move one of them",
                };
                self.findings.add(format!("spawn[{index}]"), what, cure);
            }
        }
    }
}

/// Neighbouring free cells (left and right, or lower and upper) with an outline between them.
fn crossed_steps(world: &World) -> BTreeSet<(Cell, Cell)> {
    let grid = &world.terrain;
    let mut crossed = BTreeSet::new();
    let free = |cell: Cell| grid.get(cell).is_some_and(|c| c.is_finite());
    let last = Vec2::new(grid.width() as f32 - 1.0, grid.height() as f32 - 1.0);
    for (a, b) in world.outline() {
        let low = (grid.to_centre_units(a.min(b)).floor() - 1.0).max(Vec2::ZERO);
        let high = grid.to_centre_units(a.max(b)).ceil().min(last);
        if high.x < 0.0 || high.y < 0.0 {
            continue;
        }
        for y in low.y as u32..=high.y as u32 {
            for x in low.x as u32..=high.x as u32 {
                let cell = Cell::new(x, y);
                for next in [Cell::new(x + 1, y), Cell::new(x, y + 1)] {
                    let open = free(cell) && free(next);
                    if open && segments_cross(grid.centre(cell), grid.centre(next), a, b) {
                        crossed.insert((cell, next));
                    }
                }
            }
        }
    }
    crossed
}

/// Whether segment `p`–`q` meets segment `a`–`b`.
fn segments_cross(p: Vec2, q: Vec2, a: Vec2, b: Vec2) -> bool {
    let (d, e) = (q - p, b - a);
    let denominator = d.perp_dot(e);
    if denominator.abs() < 1e-12 {
        return false;
    }
    let t = (a - p).perp_dot(e) / denominator;
    let u = (a - p).perp_dot(d) / denominator;
    (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)
}

/// Whether a short way over open ground joins two cells.
fn way_round(world: &World, crossed: &BTreeSet<(Cell, Cell)>, from: Cell, to: Cell) -> bool {
    const REACH: u32 = 6;
    let free = |cell: Cell| world.terrain.get(cell).is_some_and(|c| c.is_finite());
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        let next = [
            Cell::new(cell.x.wrapping_sub(1), cell.y),
            Cell::new(cell.x + 1, cell.y),
            Cell::new(cell.x, cell.y.wrapping_sub(1)),
            Cell::new(cell.x, cell.y + 1),
        ];
        for next in next {
            let near = next.x.abs_diff(from.x) <= REACH && next.y.abs_diff(from.y) <= REACH;
            let blocked = crossed.contains(&(cell, next)) || crossed.contains(&(next, cell));
            if near && free(next) && !blocked && seen.insert(next) {
                if next == to {
                    return true;
                }
                open.push(next);
            }
        }
    }
    false
}

/// Pieces of ground that touch a place.
fn touched(place: &Place, label: &Grid<u32>) -> BTreeSet<u32> {
    let reach = label.cell_size() * 0.75 + place.fuzz.min(label.cell_size());
    let mut found = BTreeSet::new();
    each_cell(&place.shape, reach, label, |cell| {
        if label[cell] != 0 {
            found.insert(label[cell]);
        }
    });
    found
}

/// Calls for each cell whose centre is within `reach` of a shape.
fn each_cell(shape: &Shape, reach: f32, grid: &Grid<u32>, mut f: impl FnMut(Cell)) {
    let bounds = shape.bounds().grown(reach);
    let low = grid.to_centre_units(bounds.min).ceil().max(Vec2::ZERO);
    let last = Vec2::new(grid.width() as f32 - 1.0, grid.height() as f32 - 1.0);
    let high = grid.to_centre_units(bounds.max).floor().min(last);
    if high.x < 0.0 || high.y < 0.0 {
        return;
    }
    // Within an area the test for being inside is much cheaper than the distance.
    let near = |p: Vec2| match shape {
        Shape::Polygon(polygon) if reach <= 0.0 => polygon.contains(p),
        _ => shape.distance(p) <= reach,
    };
    for y in low.y as u32..=high.y as u32 {
        for x in low.x as u32..=high.x as u32 {
            let cell = Cell::new(x, y);
            if near(grid.centre(cell)) {
                f(cell);
            }
        }
    }
}

/// Cells where people of a spawn start, counted by piece.
fn spawn_pieces(layout: &Layout, label: &Grid<u32>) -> Vec<(u32, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    match layout {
        Layout::Positions(points) => {
            for cell in points.iter().filter_map(|p| label.cell_of(*p)) {
                *counts.entry(label[cell]).or_insert(0) += 1;
            }
        }
        Layout::Scatter(shapes) => {
            for shape in shapes {
                each_cell(shape, 0.0, label, |cell| *counts.entry(label[cell]).or_insert(0) += 1);
                // A shape smaller than a cell still has the cell it lies in.
                if let Some(cell) = label.cell_of(shape.bounds().centre()) {
                    counts.entry(label[cell]).or_insert(1);
                }
            }
        }
    }
    counts.into_iter().collect()
}

/// Goals that people of a group may ever seek.
fn goals_of(world: &World, group: u16) -> BTreeSet<usize> {
    let Some(starts) = world.groups.get(usize::from(group)).map(|g| g.starts) else {
        return BTreeSet::new();
    };
    let mut seen = BTreeSet::from([starts]);
    let mut open = vec![starts];
    while let Some(action) = open.pop() {
        for rule in &world.rules {
            let fits = (rule.from.is_empty() || rule.from.contains(&action))
                && (rule.groups.is_empty() || rule.groups.contains(&group));
            if fits && !rule.resume && seen.insert(rule.to) {
                open.push(rule.to);
            }
        }
    }
    let seek = |a: &u16| match world.actions.get(usize::from(*a)).map(|a| a.seek) {
        Some(Seek::Goal(goal)) => Some(usize::from(goal)),
        _ => None,
    };
    seen.iter().filter_map(seek).filter(|g| *g < world.goals.len()).collect()
}
