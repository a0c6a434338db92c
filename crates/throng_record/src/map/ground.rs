//! What stays: terrain or floor, ground nobody can walk on, walls and goals; drawn once.

use super::layout::Layout;
use super::palette::visible;
use crate::Image;
use crate::draw::{Mask, Rgb, contour, ticks};
use glam::Vec2;
use throng_field::{Cell, Edge, Grid};
use throng_world::World;
use throng_world::world::{Polygon, Shape};

/// Floors of flat worlds.
const FLOOR: Rgb = Rgb([244, 243, 238]);
/// Ground outside the walkable area.
const OUTSIDE: Rgb = Rgb([205, 208, 212]);
const WALL: Rgb = Rgb([96, 102, 112]);
const WALL_EDGE: Rgb = Rgb([44, 48, 56]);
const SHADOW: Rgb = Rgb([60, 62, 70]);
/// Bare rock: ground too steep to walk.
const ROCK: Rgb = Rgb([146, 140, 132]);
/// Heights from low to high.
const HEIGHTS: [Rgb; 5] = [
    Rgb([196, 213, 172]),
    Rgb([215, 222, 183]),
    Rgb([231, 222, 190]),
    Rgb([222, 207, 184]),
    Rgb([240, 236, 230]),
];
/// Where the sun stands: from the upper left, halfway up.
const SUN: [f32; 3] = [-0.55, 0.6, 0.58];
/// How much darker and lighter slopes get.
const SHADE: f32 = 0.62;
/// Slopes are drawn as if the middle one were this steep.
const USUAL_SLOPE: f32 = 0.35;
/// How strongly a goal's ground is tinted, and the ring of its fuzzy edge.
const GOAL_TINT: f32 = 0.42;
const FUZZ_TINT: f32 = 0.16;
const GOAL_LINE: f32 = 2.0;
/// The line around the walkable area.
const AREA_LINE: f32 = 1.6;
/// Lines of equal height: about so many, in this colour.
const CONTOURS: usize = 24;
const CONTOUR: Rgb = Rgb([92, 84, 62]);
/// Corners of a circle.
const CIRCLE: usize = 64;

/// Draws the page with all that stays.
pub(super) fn draw(world: &World, layout: &Layout) -> Image {
    let mut image = layout.blank();
    draw_land(&mut image, world, layout);
    draw_blocked(&mut image, world, layout);
    draw_goals(&mut image, world, layout);
    draw_walls(&mut image, world, layout);
    layout.draw_surroundings(&mut image);
    image
}

/// What people do not get through: walls, and ground nobody can walk on.
pub(super) fn barriers(world: &World, layout: &Layout) -> Mask {
    let mut mask = Mask::new(&layout.blank());
    for wall in &world.walls {
        cover(&mut mask, wall, layout);
        stroke_rings(&mut mask, wall, layout, wall_line(layout));
    }
    if !world.walkable.is_empty() {
        let mut inside = Mask::new(&layout.blank());
        for polygon in &world.walkable {
            cover(&mut inside, polygon, layout);
        }
        mask.cover_where(|x, y| 1.0 - inside.at(x, y));
    }
    if has_blocked_cells(world) {
        mask.cover_where(|x, y| {
            let blocked = layout.holds(x, y) && is_blocked(world, layout, x, y);
            if blocked { 1.0 } else { 0.0 }
        });
    }
    mask
}

/// What a heat map must not cover: barriers and outlines.
pub(super) fn solid(world: &World, layout: &Layout) -> Mask {
    let mut mask = barriers(world, layout);
    for polygon in &world.walkable {
        stroke_rings(&mut mask, polygon, layout, AREA_LINE);
    }
    for place in world.goals.iter().flat_map(|goal| &goal.places) {
        let mut ring = outline_of(&place.shape, layout, 0.0);
        ring.extend(ring.first().copied());
        mask.stroke(&ring, GOAL_LINE);
    }
    mask
}

fn draw_land(image: &mut Image, world: &World, layout: &Layout) {
    let (width, height) = layout.map_size();
    let relief = world.heights.as_ref().and_then(Relief::new);
    draw_colors(image, layout, (width, height), relief.as_ref());
    if let Some(relief) = &relief {
        draw_contours(image, layout, relief);
    }
}

fn draw_colors(
    image: &mut Image,
    layout: &Layout,
    (width, height): (usize, usize),
    relief: Option<&Relief<'_>>,
) {
    for y in 0..height {
        for x in 0..width {
            let at = layout.in_world(x, y);
            let color = match relief {
                Some(relief) => relief.color(at),
                None => FLOOR,
            };
            image.row_mut(layout.corner.1 + y)[layout.corner.0 + x] = color;
        }
    }
}

/// Fine lines of equal height.
fn draw_contours(image: &mut Image, layout: &Layout, relief: &Relief<'_>) {
    let (low, high) = (f64::from(relief.low), f64::from(relief.high));
    let step = ticks::round_step(high - low, CONTOURS);
    let multiples = ticks::multiples(low, high, step);
    let grid = relief.heights;
    let levels = contour::Levels { step, multiples, most_per_quad: 3 };
    let (mut fine, mut bold) = (Mask::new(image), Mask::new(image));
    for mut line in contour::trace(grid, &levels) {
        contour::smooth(&mut line, 2);
        let place = |p: &Vec2| layout.on_page(grid.origin() + *p * grid.cell_size());
        let points: Vec<Vec2> = line.points.iter().map(place).collect();
        let major = line.multiple % ticks::steps_per_major(step) == 0;
        (if major { &mut bold } else { &mut fine }).stroke(&points, if major { 1.3 } else { 0.9 });
    }
    let on_map = |x, y| layout.holds(x, y).then_some(CONTOUR);
    fine.paint_where(image, 0.16, on_map);
    bold.paint_where(image, 0.28, on_map);
}

/// Heights with their gradients.
struct Relief<'a> {
    heights: &'a Grid<f32>,
    slopes: Grid<Vec2>,
    low: f32,
    high: f32,
    /// How much higher than real the land is drawn.
    stretch: f32,
}

impl<'a> Relief<'a> {
    /// `None` where the land is flat.
    fn new(heights: &'a Grid<f32>) -> Option<Self> {
        let values = heights.as_slice();
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let slopes = Grid::from_fn(heights.width(), heights.height(), |cell| slope(heights, cell));
        let slopes = slopes.ok()?.placed(heights.cell_size(), heights.origin()).ok()?;
        let mean: f32 = slopes.as_slice().iter().map(|slope| slope.length()).sum::<f32>()
            / slopes.cells() as f32;
        let flat = !(high > low && mean > 0.0 && mean.is_finite());
        let stretch = USUAL_SLOPE / mean;
        (!flat).then_some(Self { heights, slopes, low, high, stretch })
    }

    fn color(&self, at: Vec2) -> Rgb {
        let height = self.heights.sample(at, Edge::Clamp);
        let t = ((height - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let along = t * (HEIGHTS.len() - 1) as f32;
        let index = (along as usize).min(HEIGHTS.len() - 2);
        let tint = HEIGHTS[index].mix(HEIGHTS[index + 1], along - index as f32);
        let slope = self.slopes.sample(at, Edge::Clamp) * self.stretch;
        let normal = glam::Vec3::new(-slope.x, -slope.y, 1.0).normalize();
        let flat = SUN[2] / glam::Vec3::from(SUN).length();
        let light = normal.dot(glam::Vec3::from(SUN).normalize()) - flat;
        if light < 0.0 {
            tint.mix(Rgb([52, 60, 74]), -light * SHADE)
        } else {
            tint.mix(Rgb([255, 253, 240]), light * SHADE * 1.2)
        }
    }
}

fn slope(heights: &Grid<f32>, cell: Cell) -> Vec2 {
    let (x, y) = (cell.x as usize, cell.y as usize);
    // One-sided at the rim.
    let along = |at: usize, end: usize, value: &dyn Fn(usize) -> f32| {
        let (low, high) = (at.saturating_sub(1), (at + 1).min(end - 1));
        (value(high) - value(low)) / ((high - low).max(1) as f32 * heights.cell_size())
    };
    let across = along(x, heights.width(), &|x| heights.row(y)[x]);
    let up = along(y, heights.height(), &|y| heights.row(y)[x]);
    Vec2::new(across, up)
}

/// Ground nobody can walk on that no wall shows: outside of the walkable area, and cells without
/// a way through.
fn draw_blocked(image: &mut Image, world: &World, layout: &Layout) {
    if !world.walkable.is_empty() {
        let mut inside = Mask::new(image);
        for polygon in &world.walkable {
            cover(&mut inside, polygon, layout);
        }
        paint_land(image, layout, |x, y| Some((OUTSIDE, 1.0 - inside.at(x, y))));
        outline(image, layout, &world.walkable, WALL_EDGE, AREA_LINE);
    }
    if has_blocked_cells(world) {
        let (rock, alpha) = if world.heights.is_some() { (ROCK, 0.75) } else { (WALL, 1.0) };
        paint_land(image, layout, |x, y| is_blocked(world, layout, x, y).then_some((rock, alpha)));
    }
}

/// Whether cells without a way are shown as such: where shapes do not tell it better.
fn has_blocked_cells(world: &World) -> bool {
    world.walkable.is_empty() && (world.walls.is_empty() || world.heights.is_some())
}

fn is_blocked(world: &World, layout: &Layout, x: usize, y: usize) -> bool {
    let at = layout.in_world(x - layout.corner.0, y - layout.corner.1);
    world.terrain.cell_of(at).is_some_and(|cell| world.terrain[cell].is_infinite())
}

fn paint_land(
    image: &mut Image,
    layout: &Layout,
    color: impl Fn(usize, usize) -> Option<(Rgb, f32)>,
) {
    let (width, height) = layout.map_size();
    for y in layout.corner.1..layout.corner.1 + height {
        for x in layout.corner.0..layout.corner.0 + width {
            if let Some((color, alpha)) = color(x, y) {
                image.blend(x as i64, y as i64, color, alpha);
            }
        }
    }
}

fn draw_walls(image: &mut Image, world: &World, layout: &Layout) {
    if world.walls.is_empty() {
        return;
    }
    let mut solid = Mask::new(image);
    for wall in &world.walls {
        cover(&mut solid, wall, layout);
    }
    // A short shadow to the lower right lifts walls off the floor.
    let offset = (layout.scale * 0.25).clamp(1.0, 4.0) as usize;
    let mut shadow = Mask::new(image);
    for wall in &world.walls {
        for ring in moved_rings(wall, layout, Vec2::splat(offset as f32)) {
            shadow.rings(std::iter::once(ring.as_slice()));
        }
    }
    shadow.paint_where(image, 0.22, |x, y| layout.holds(x, y).then_some(SHADOW));
    solid.paint_where(image, 1.0, |x, y| layout.holds(x, y).then_some(WALL));
    outline(image, layout, &world.walls, WALL_EDGE, wall_line(layout));
}

fn moved_rings(polygon: &Polygon, layout: &Layout, by: Vec2) -> Vec<Vec<Vec2>> {
    let ring = |points: &[Vec2]| points.iter().map(|&p| layout.on_page(p) + by).collect();
    polygon.rings().map(ring).collect()
}

fn cover(mask: &mut Mask, polygon: &Polygon, layout: &Layout) {
    let rings = moved_rings(polygon, layout, Vec2::ZERO);
    mask.rings(rings.iter().map(Vec::as_slice));
}

fn stroke_rings(mask: &mut Mask, polygon: &Polygon, layout: &Layout, width: f32) {
    for mut ring in moved_rings(polygon, layout, Vec2::ZERO) {
        ring.extend(ring.first().copied());
        mask.stroke(&ring, width);
    }
}

fn wall_line(layout: &Layout) -> f32 {
    (layout.scale * 0.12).clamp(1.0, 2.5)
}

fn outline(image: &mut Image, layout: &Layout, polygons: &[Polygon], color: Rgb, width: f32) {
    let mut lines = Mask::new(image);
    for polygon in polygons {
        stroke_rings(&mut lines, polygon, layout, width);
    }
    lines.paint_where(image, 1.0, |x, y| layout.holds(x, y).then_some(color));
}

fn draw_goals(image: &mut Image, world: &World, layout: &Layout) {
    for goal in &world.goals {
        let color = visible(Rgb(goal.color));
        let mut patch = Mask::new(image);
        let mut fuzz = Mask::new(image);
        let mut rim = Mask::new(image);
        for place in &goal.places {
            if place.fuzz > 0.0 {
                let grown = outline_of(&place.shape, layout, place.fuzz);
                fuzz.rings(std::iter::once(grown.as_slice()));
            }
            match &place.shape {
                Shape::Polygon(polygon) => cover(&mut patch, polygon, layout),
                Shape::Line(a, b) => {
                    let line = [layout.on_page(*a), layout.on_page(*b)];
                    patch.stroke(&line, (layout.scale * 0.3).max(4.0));
                }
                shape => patch.rings(std::iter::once(outline_of(shape, layout, 0.0).as_slice())),
            }
            if !matches!(place.shape, Shape::Line(..)) {
                let mut ring = outline_of(&place.shape, layout, 0.0);
                ring.extend(ring.first().copied());
                rim.stroke(&ring, GOAL_LINE);
            }
        }
        let on_map = |x, y| layout.holds(x, y).then_some(color);
        fuzz.paint_where(image, FUZZ_TINT, on_map);
        patch.paint_where(image, GOAL_TINT, on_map);
        rim.paint_where(image, 0.9, on_map);
    }
}

/// The outline of a shape on the page, grown by `by` metres.
fn outline_of(shape: &Shape, layout: &Layout, by: f32) -> Vec<Vec2> {
    let circle = |centre: Vec2, radius: f32| -> Vec<Vec2> {
        let centre = layout.on_page(centre);
        let radius = (radius * layout.scale).max(4.0);
        let corner = |i: usize| {
            let angle = i as f32 / CIRCLE as f32 * std::f32::consts::TAU;
            centre + Vec2::from_angle(angle) * radius
        };
        (0..CIRCLE).map(corner).collect()
    };
    match shape {
        Shape::Point(centre) => circle(*centre, by),
        Shape::Disc { centre, radius } => circle(*centre, radius + by),
        Shape::Line(a, b) => {
            let along = (*b - *a).normalize_or_zero() * by;
            let across = along.perp();
            let corners =
                [a - along - across, b + along - across, b + along + across, a - along + across];
            corners.map(|corner| layout.on_page(corner)).to_vec()
        }
        Shape::Polygon(polygon) => {
            let middle = polygon.bounds().centre();
            let grow = |p: &Vec2| layout.on_page(*p + (*p - middle).normalize_or_zero() * by);
            polygon.outer.iter().map(grow).collect()
        }
    }
}
