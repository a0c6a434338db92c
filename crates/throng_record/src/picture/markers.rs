//! Goals and path, drawn over the map with a light casing so that they stand out on any ground.

use super::lines::Clearing;
use super::page::Page;
use super::terrain::Terrain;
use crate::Image;
use crate::draw::{Mask, star, theme};
use glam::Vec2;
use std::collections::{HashSet, VecDeque};
use throng_field::{Cell, Grid};

const PATH_WIDTH: f32 = 3.6;
const CASING: f32 = 2.0;
const START_RADIUS: f32 = 7.5;
const END_RADIUS: f32 = 5.5;
/// Radius of a star as a part of a cell, kept within these pixels.
const STAR_PART: f32 = 0.62;
const STAR_RADII: (f32, f32) = (11.0, 20.0);
/// With more goal areas than this, stars would hide the map; dots take their place.
const MOST_STARS: usize = 60;
const DOT_RADIUS: f32 = 3.5;
/// How strongly the cells of a goal area are tinted.
const AREA_ALPHA: f32 = 0.7;
/// A path's end nearer than this to a goal's star needs no mark of its own.
const AT_GOAL: f32 = 1.5;

/// Goal cells that touch, on the page.
pub(super) struct GoalArea {
    star: Vec2,
    radius: f32,
    /// Corners of the cells in pixels, if there is more than one.
    cells: Vec<(Vec2, Vec2)>,
}

/// World positions as positions on the page.
pub(super) fn to_pixels(
    points: &[Vec2],
    grid: &Grid<f32>,
    terrain: &Terrain,
    page: &Page,
) -> Vec<Vec2> {
    let corner = Vec2::new(page.map.0 as f32, page.map.1 as f32);
    let per_unit = terrain.pixels_per_cell() / grid.cell_size();
    let place = |&point: &Vec2| corner + (point - grid.origin()) * per_unit;
    points.iter().map(place).collect()
}

/// Gathers goals that touch (by side or corner) into areas.
pub(super) fn group(
    goals: &[Cell],
    grid: &Grid<f32>,
    terrain: &Terrain,
    page: &Page,
) -> Vec<GoalArea> {
    let radius = terrain.pixels_per_cell() * STAR_PART;
    let areas = connected(goals);
    let many = areas.len() > MOST_STARS;
    let radius = if many { DOT_RADIUS } else { radius.clamp(STAR_RADII.0, STAR_RADII.1) };
    let on_page = |world: Vec2| to_pixels(&[world], grid, terrain, page)[0];
    let half_cell = Vec2::splat(grid.cell_size() / 2.0);
    let area = |cells: Vec<Cell>| {
        let star = on_page(grid.centre(most_central(&cells)));
        let corners = |&cell: &Cell| {
            let centre = grid.centre(cell);
            (on_page(centre - half_cell), on_page(centre + half_cell))
        };
        let single = cells.len() == 1;
        let cells = if single { Vec::new() } else { cells.iter().map(corners).collect() };
        GoalArea { star, radius, cells }
    };
    areas.into_iter().map(area).collect()
}

fn connected(goals: &[Cell]) -> Vec<Vec<Cell>> {
    let mut left: HashSet<Cell> = goals.iter().copied().collect();
    let mut areas = Vec::new();
    for &goal in goals {
        if !left.remove(&goal) {
            continue;
        }
        let mut area = Vec::new();
        let mut queue = VecDeque::from([goal]);
        while let Some(cell) = queue.pop_front() {
            area.push(cell);
            for y in cell.y.saturating_sub(1)..=cell.y.saturating_add(1) {
                for x in cell.x.saturating_sub(1)..=cell.x.saturating_add(1) {
                    queue.extend(left.take(&Cell::new(x, y)));
                }
            }
        }
        areas.push(area);
    }
    areas
}

/// The cell nearest to the middle of all.
fn most_central(cells: &[Cell]) -> Cell {
    let place = |cell: &Cell| Vec2::new(cell.x as f32, cell.y as f32);
    let middle = cells.iter().map(place).sum::<Vec2>() / cells.len() as f32;
    let distance = |cell: &Cell| place(cell).distance_squared(middle);
    let nearest = cells.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    *nearest.expect("an area has at least one goal")
}

/// What labels should not cover.
pub(super) fn keep_clear(path: &[Vec2], goals: &[GoalArea]) -> Vec<Clearing> {
    /// Clearings along a path are this far apart at most, in pixels.
    const SPACING: f32 = 10.0;
    let mut clearings: Vec<Clearing> = goals
        .iter()
        .map(|goal| Clearing { middle: goal.star, half: Vec2::splat(goal.radius + CASING) })
        .collect();
    let half = Vec2::splat(PATH_WIDTH / 2.0 + CASING + SPACING / 2.0);
    for pair in path.windows(2) {
        let steps = (pair[0].distance(pair[1]) / SPACING).ceil().clamp(1.0, 1e4) as usize;
        clearings.extend((0..=steps).map(|i| {
            let middle = pair[0].lerp(pair[1], i as f32 / steps as f32);
            Clearing { middle, half }
        }));
    }
    clearings
}

/// Draws goal areas, then the path, then stars and the path's ends.
pub(super) fn draw(image: &mut Image, page: &Page, path: &[Vec2], goals: &[GoalArea]) {
    draw_areas(image, page, goals);
    draw_path(image, page, path);
    draw_stars(image, goals);
    draw_ends(image, page, path, goals);
}

fn draw_areas(image: &mut Image, page: &Page, goals: &[GoalArea]) {
    let mut mask = Mask::new(image);
    for &(low, high) in goals.iter().flat_map(|goal| &goal.cells) {
        // At least a pixel, however small the cells.
        let high = high.max(low + 1.0);
        let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        mask.polygon(&corners);
    }
    mask.paint_where(image, AREA_ALPHA, |x, y| page.to_map(x, y).map(|_| theme::ACCENT));
}

fn draw_path(image: &mut Image, page: &Page, path: &[Vec2]) {
    for (width, color) in [(PATH_WIDTH + 2.0 * CASING, theme::CASING), (PATH_WIDTH, theme::ACCENT)]
    {
        let mut mask = Mask::new(image);
        mask.stroke(path, width);
        mask.paint_where(image, 1.0, |x, y| page.to_map(x, y).map(|_| color));
    }
}

fn draw_stars(image: &mut Image, goals: &[GoalArea]) {
    let with_stars = goals.len() <= MOST_STARS;
    let mut casing = Mask::new(image);
    let mut fill = Mask::new(image);
    for goal in goals {
        if with_stars {
            let corners = star(goal.star, goal.radius);
            let ring: Vec<Vec2> = corners.iter().chain(&corners[..1]).copied().collect();
            casing.stroke(&ring, 2.0 * CASING);
            casing.polygon(&corners);
            fill.polygon(&corners);
        } else {
            casing.disc(goal.star, goal.radius + CASING);
            fill.disc(goal.star, goal.radius);
        }
    }
    casing.paint(image, theme::CASING);
    fill.paint(image, theme::ACCENT);
}

fn draw_ends(image: &mut Image, page: &Page, path: &[Vec2], goals: &[GoalArea]) {
    let (Some(&start), Some(&end)) = (path.first(), path.last()) else {
        return;
    };
    let mut disc = |at: Vec2, radius: f32, color| {
        let mut mask = Mask::new(image);
        mask.disc(at, radius);
        mask.paint(image, color);
    };
    let at_goal = goals.iter().any(|goal| goal.star.distance(end) < goal.radius * AT_GOAL);
    if path.len() > 1 && page.holds(end) && !at_goal {
        disc(end, END_RADIUS + CASING, theme::CASING);
        disc(end, END_RADIUS, theme::ACCENT);
    }
    if page.holds(start) {
        disc(start, START_RADIUS + CASING, theme::CASING);
        disc(start, START_RADIUS, theme::ACCENT);
        disc(start, START_RADIUS - PATH_WIDTH, theme::CASING);
    }
}
