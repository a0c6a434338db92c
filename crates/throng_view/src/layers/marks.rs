//! Lines: where fields lead, where goals are, whom one looks at and where that one goes.

use glam::{Vec2, Vec3};
use throng::{AgentState, Crowd};
use throng_render::{Camera, Stroke};
use throng_world::World;
use throng_world::world::Shape;

use super::Layer;
use crate::ViewState;

/// Height of lines above the ground (metres).
const LIFT: f32 = 0.25;
/// Arrows across the longer side of the world.
const ARROWS: f32 = 56.0;
/// A line over hills is cut into pieces of this length (metres).
const PIECE: f32 = 2.0;

const SELECTED: [u8; 4] = [255, 214, 64, 255];
const WAY: [u8; 4] = [255, 170, 50, 235];
const ARROW: [u8; 4] = [240, 244, 250, 220];
const FRUSTUM: [u8; 4] = [120, 220, 255, 230];
const DRAFT: [u8; 4] = [255, 120, 90, 255];

/// All lines of a frame. `draft` is a line that is being drawn with a tool.
pub(crate) fn marks(
    crowd: &Crowd,
    state: &ViewState,
    selected: Option<(&AgentState, &[Vec2])>,
    draft: Option<(Vec2, Vec2)>,
    aspect: f32,
) -> Vec<Stroke> {
    let world = crowd.world();
    let mut pen = Pen { world, strokes: Vec::new() };
    if state.layer == Layer::Directions {
        arrows(&mut pen, crowd, state.field);
    }
    if state.goals {
        goals(&mut pen);
    }
    if let Some((agent, way)) = selected {
        for pair in way.windows(2) {
            pen.line(pair[0], pair[1], 3.0, WAY);
        }
        if let Some(end) = way.last() {
            pen.circle(*end, 0.6, 2.5, WAY);
        }
        pen.circle(agent.position, agent.radius.max(0.25) + 0.25, 3.0, SELECTED);
        let over = agent.position.extend(world.ground_height(agent.position) + 2.0);
        pen.post(over, over + Vec3::Z * 1.4, 2.5, SELECTED);
    }
    if let Some((from, to)) = draft {
        let corners = crate::tool::wall(from, to).outer;
        for (i, a) in corners.iter().enumerate() {
            pen.line(*a, corners[(i + 1) % corners.len()], 2.5, DRAFT);
        }
    }
    if let Some(frozen) = &state.frozen {
        frustum(&mut pen, frozen, aspect);
    }
    pen.strokes
}

struct Pen<'a> {
    world: &'a World,
    strokes: Vec<Stroke>,
}

impl Pen<'_> {
    /// A line over the ground.
    fn line(&mut self, a: Vec2, b: Vec2, width: f32, colour: [u8; 4]) {
        let pieces = if self.world.heights.is_some() {
            (a.distance(b) / PIECE).ceil().clamp(1.0, 64.0)
        } else {
            1.0
        };
        let on = |p: Vec2| p.extend(self.world.ground_height(p) + LIFT);
        let mut from = on(a);
        for i in 1..=pieces as u32 {
            let to = on(a.lerp(b, i as f32 / pieces));
            self.strokes.push(Stroke { from, to, width, colour });
            from = to;
        }
    }

    fn post(&mut self, from: Vec3, to: Vec3, width: f32, colour: [u8; 4]) {
        self.strokes.push(Stroke { from, to, width, colour });
    }

    fn circle(&mut self, centre: Vec2, radius: f32, width: f32, colour: [u8; 4]) {
        let sides = (radius * 6.0).clamp(16.0, 48.0) as u8;
        let corner = |i: u8| {
            let turn = f32::from(i) / f32::from(sides) * std::f32::consts::TAU;
            centre + Vec2::from_angle(turn) * radius
        };
        for i in 0..sides {
            self.line(corner(i), corner(i + 1), width, colour);
        }
    }
}

/// An arrow for every few cells.
fn arrows(pen: &mut Pen<'_>, crowd: &Crowd, (group, goal): (u8, u16)) {
    let Some(field) = crowd.field(group, goal) else { return };
    let grid = field.potential;
    let size = Vec2::new(grid.width() as f32, grid.height() as f32);
    let every = (size.max_element() / ARROWS).ceil().max(1.0) as usize;
    let length = 0.72 * every as f32 * grid.cell_size();
    for y in (every / 2..grid.height()).step_by(every) {
        for x in (every / 2..grid.width()).step_by(every) {
            let Some(d) = field.direction(y * grid.width() + x) else { continue };
            if !field.cost.as_slice()[y * grid.width() + x].is_finite() {
                continue;
            }
            let middle =
                grid.origin() + Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * grid.cell_size();
            let (tail, tip) = (middle - d * length * 0.5, middle + d * length * 0.5);
            let barb = |turn: f32| tip - Vec2::from_angle(turn).rotate(d) * length * 0.38;
            let on = |p: Vec2| p.extend(pen.world.ground_height(p) + LIFT);
            let ends = [(tail, tip), (tip, barb(0.5)), (tip, barb(-0.5))];
            let ends = ends.map(|(a, b)| (on(a), on(b)));
            for (from, to) in ends {
                pen.post(from, to, 1.6, ARROW);
            }
        }
    }
}

/// Outlines of all places of all goals.
fn goals(pen: &mut Pen<'_>) {
    let world = pen.world;
    for goal in &world.goals {
        let [r, g, b] = goal.color;
        let colour = [r, g, b, 240];
        for place in &goal.places {
            match &place.shape {
                Shape::Point(p) => pen.circle(*p, 0.5, 2.5, colour),
                Shape::Disc { centre, radius } => pen.circle(*centre, *radius, 2.5, colour),
                Shape::Line(a, b) => pen.line(*a, *b, 3.0, colour),
                Shape::Polygon(polygon) => {
                    for (a, b) in polygon.edges() {
                        pen.line(a, b, 2.5, colour);
                    }
                }
            }
        }
    }
}

/// The edges of what a camera sees, to some distance.
fn frustum(pen: &mut Pen<'_>, camera: &Camera, aspect: f32) {
    let [forward, right, up] = camera.axes();
    let half = camera.half_extent(aspect);
    let far = (0.25 * pen.world.bounds().size().max_element()).max(10.0);
    let corner = |x: f32, y: f32, away: f32| {
        camera.eye + (forward + right * (half.x * x) + up * (half.y * y)) * away
    };
    let ring = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for (i, &(x, y)) in ring.iter().enumerate() {
        let (next_x, next_y) = ring[(i + 1) % 4];
        pen.post(camera.eye, corner(x, y, far), 1.8, FRUSTUM);
        for away in [0.15 * far, far] {
            pen.post(corner(x, y, away), corner(next_x, next_y, away), 1.8, FRUSTUM);
        }
    }
}
