//! Sites: every place of every goal, found from where one stands.

use glam::Vec2;
use throng_field::solve::Source;
use throng_field::{Cell, Grid};
use throng_world::World;
use throng_world::world::{Place, Shape};

use crate::error::CrowdError;

/// No site near.
pub(super) const FAR: u16 = u16::MAX;

/// One place of a goal.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) goal: u16,
    pub(crate) place: Place,
}

/// All places, and which is nearest to each cell.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    origin: Vec2,
    per_cell: f32,
    width: usize,
    height: usize,
    /// For each goal and cell the nearest site within reach.
    nearest: Vec<Vec<u16>>,
}

impl Sites {
    pub(crate) fn new(world: &World) -> Result<Self, CrowdError> {
        let frame = &world.terrain;
        let mut all = Self {
            sites: Vec::new(),
            origin: frame.origin(),
            per_cell: 1.0 / frame.cell_size(),
            width: frame.width(),
            height: frame.height(),
            nearest: Vec::new(),
        };
        for goal in 0..world.goals.len() {
            for place in &world.goals[goal].places {
                all.sites.push(Site { goal: goal as u16, place: place.clone() });
            }
        }
        if all.sites.len() >= usize::from(FAR) {
            return Err(CrowdError::TooMany {
                what: "places of goals",
                most: usize::from(FAR) - 1,
            });
        }
        for goal in 0..world.goals.len() {
            all.nearest.push(vec![FAR; frame.cells()]);
            all.fill(world, goal);
        }
        Ok(all)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nearest.iter().map(|n| 2 * n.capacity()).sum()
    }

    /// For each goal and cell the nearest site.
    #[cfg(feature = "gpu")]
    pub(crate) fn nearest(&self) -> &[Vec<u16>] {
        &self.nearest
    }

    /// How far from a place its site is known: all rules can be answered within it.
    fn reach(world: &World, place: &Place) -> f32 {
        let farthest = world.rules.iter().filter_map(|r| r.when.distance_below).fold(0.0, f32::max);
        farthest.max(place.fuzz).max(4.0 * world.terrain.cell_size()).max(4.0)
    }

    fn fill(&mut self, world: &World, goal: usize) {
        let frame = &world.terrain;
        let mut best = vec![f32::INFINITY; frame.cells()];
        for (s, site) in self.sites.iter().enumerate().filter(|(_, s)| usize::from(s.goal) == goal)
        {
            let reach = Self::reach(world, &site.place) + frame.cell_size();
            let area = site.place.shape.bounds().grown(reach);
            let low = ((area.min - self.origin) * self.per_cell).max(Vec2::ZERO);
            let high = (area.max - self.origin) * self.per_cell;
            let right = (high.x.ceil().max(0.0) as usize).min(self.width);
            let top = (high.y.ceil().max(0.0) as usize).min(self.height);
            for y in low.y as usize..top {
                for x in low.x as usize..right {
                    let cell = y * self.width + x;
                    let centre = frame.centre(Cell::new(x as u32, y as u32));
                    let d = site.place.shape.distance(centre);
                    if d < best[cell] && d <= reach {
                        best[cell] = d;
                        self.nearest[goal][cell] = s as u16;
                    }
                }
            }
        }
    }

    /// The nearest place of a goal and its index, where one is near.
    #[inline]
    pub(crate) fn near(&self, goal: u16, p: Vec2) -> Option<(u32, &Place)> {
        let q = (p - self.origin) * self.per_cell;
        let clamp = |v: f32, n: usize| (v as isize).clamp(0, n as isize - 1) as usize;
        let cell = clamp(q.y, self.height) * self.width + clamp(q.x, self.width);
        let site = self.nearest[usize::from(goal)][cell];
        (site != FAR).then(|| (u32::from(site), &self.sites[usize::from(site)].place))
    }
}

/// How deep inside a shape a point lies (metres); 0 outside.
pub(crate) fn depth(shape: &Shape, p: Vec2) -> f32 {
    match shape {
        Shape::Point(_) | Shape::Line(..) => 0.0,
        Shape::Disc { centre, radius } => (radius - centre.distance(p)).max(0.0),
        Shape::Polygon(polygon) => (-polygon.signed_distance(p)).max(0.0),
    }
}

/// Share of its area over its outline that people go deep into a polygon.
const DEEP: f32 = 0.7;

/// About the greatest depth that people go into a shape (metres); the same however it is turned.
pub(crate) fn deepest(shape: &Shape) -> f32 {
    match shape {
        Shape::Point(_) | Shape::Line(..) => 0.0,
        Shape::Disc { radius, .. } => *radius,
        // Area over outline: half the width of a strip, a quarter of the side of a square.
        Shape::Polygon(polygon) => DEEP * polygon.area() / polygon.perimeter().max(1e-6),
    }
}

/// The cells from which the field of a goal grows, each with its distance to the goal as start.
///
/// # Errors
/// When no place of the goal has open ground in or right beside it.
pub(crate) fn sources(world: &World, goal: usize) -> Result<Vec<Source>, CrowdError> {
    let (goal, terrain) = (&world.goals[goal], &world.terrain);
    let mut sources = Vec::new();
    for place in &goal.places {
        // Cells that the shape passes through; where all are blocked, those a little farther off.
        for reach in [0.75, 1.5, 3.0] {
            if add_sources(place, terrain, reach * terrain.cell_size(), &mut sources) {
                break;
            }
        }
    }
    if sources.is_empty() {
        return Err(CrowdError::GoalBlocked { goal: goal.name.clone() });
    }
    super::lift::add_cabins(world, &mut sources)?;
    Ok(sources)
}

fn add_sources(place: &Place, terrain: &Grid<f32>, reach: f32, out: &mut Vec<Source>) -> bool {
    let area = place.shape.bounds().grown(reach);
    let per_cell = 1.0 / terrain.cell_size();
    let low = ((area.min - terrain.origin()) * per_cell).max(Vec2::ZERO);
    let high = (area.max - terrain.origin()) * per_cell;
    let before = out.len();
    for y in low.y as usize..(high.y.ceil().max(0.0) as usize).min(terrain.height()) {
        for x in low.x as usize..(high.x.ceil().max(0.0) as usize).min(terrain.width()) {
            let cell = Cell::new(x as u32, y as u32);
            let cost = terrain[cell];
            let d = place.shape.distance(terrain.centre(cell));
            if cost.is_finite() && d <= reach {
                out.push(Source::new(cell, d * cost));
            }
        }
    }
    out.len() > before
}
