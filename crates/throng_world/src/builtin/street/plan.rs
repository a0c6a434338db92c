//! The plan of the city: where the avenues, the place, the river and the park lie, and the blocks
//! that the streets leave.

use super::super::hash::Chance;
use super::super::polygon::Polygon;
use super::river::River;
use glam::DVec2;

/// Cells from one avenue to the next.
const AVENUE_SPACING: f64 = 175.0;
/// Width of the avenues, the streets of the first cuts, and the lanes of the last, in cells.
const AVENUE_WIDTH: f64 = 8.0;
const STREET_WIDTH: f64 = 5.5;
const LANE_WIDTH: f64 = 3.6;
/// A block is cut as long as it is larger than this in the middle of the city, in cells.
const BLOCK_AREA: f64 = 1900.0;
/// How much larger the blocks are at the edge of the city.
const EDGE_GROWTH: f64 = 0.8;
/// A block above this area is cut by a street, below it by a lane.
const LANE_AREA: f64 = 4200.0;
/// The area of the park, at least and at most.
const PARK_AREA: (f64, f64) = (8000.0, 17_000.0);
/// Smallest side of a map that has a river.
const RIVER_SIDE: f64 = 200.0;

/// A wide straight road through the whole city.
#[derive(Clone, Debug)]
pub(super) struct Avenue {
    on: DVec2,
    along: DVec2,
    /// Whether it has a bridge over the river.
    pub(super) crosses_river: bool,
}

impl Avenue {
    /// Whether a point lies on the road.
    pub(super) fn covers(&self, at: DVec2) -> bool {
        self.along.perp_dot(at - self.on).abs() < AVENUE_WIDTH / 2.0
    }

    /// Where it meets another avenue that is not parallel to it.
    fn meets(&self, other: &Self) -> DVec2 {
        let t = (other.on - self.on).perp_dot(other.along) / self.along.perp_dot(other.along);
        self.on + self.along * t
    }
}

/// The round place where avenues meet.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its middle, in cells.
    pub(super) middle: DVec2,
    /// Its radius, in cells.
    pub(super) radius: f64,
    /// The radius of the monument on it, in cells.
    pub(super) monument: f64,
}

/// The plan of the city.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Extent in cells.
    pub(super) size: DVec2,
    pub(super) avenues: Vec<Avenue>,
    pub(super) place: Place,
    pub(super) river: Option<River>,
    /// What the streets leave.
    pub(super) blocks: Vec<Polygon>,
    /// Number of the block that is the park.
    pub(super) park: Option<usize>,
}

impl Plan {
    /// Draws a plan.
    pub(super) fn draw(size: DVec2, chance: &mut Chance) -> Self {
        let tilt = chance.between(0.07, 0.16) * if chance.happens(0.5) { 1.0 } else { -1.0 };
        let along = DVec2::new(1.0, tilt).normalize();
        let mut lines = Lines { size, chance };
        let level = lines.parallel(along, size.y, false);
        let upright = lines.parallel(along.perp(), size.x, true);
        let river = (size.min_element() >= RIVER_SIDE).then(|| lines.river(along, level.len()));
        let middle = level[level.len() / 2].meets(&upright[upright.len() / 2]);
        let mut avenues = [level, upright].concat();
        if size.min_element() >= RIVER_SIDE {
            avenues.push(lines.diagonal(middle, along));
        }
        let grown = DVec2::splat(12.0);
        let mut districts = vec![Polygon::rectangle(-grown, size + grown)];
        for avenue in &avenues {
            districts = cut_all(&districts, avenue);
        }
        let radius = if size.min_element() >= RIVER_SIDE { 24.0 } else { 12.0 };
        let place = Place { middle, radius, monument: radius / 5.0 };
        let mut plan = Self { size, avenues, place, river, blocks: Vec::new(), park: None };
        plan.cut_blocks(districts, chance);
        plan
    }

    /// Cuts the districts into blocks; one piece of the right size becomes the park.
    fn cut_blocks(&mut self, districts: Vec<Polygon>, chance: &mut Chance) {
        let mut open = districts;
        while let Some(area) = open.pop() {
            if self.park.is_none() && self.suits_park(&area) {
                self.park = Some(self.blocks.len());
                self.blocks.push(area);
                continue;
            }
            match self.cut(&area, chance) {
                Some(halves) => open.extend(halves),
                None => self.blocks.push(area),
            }
        }
    }

    fn suits_park(&self, area: &Polygon) -> bool {
        let middle = area.middle();
        let dry = self.river.as_ref().is_none_or(|r| {
            area.0.iter().all(|&corner| r.quay_distance(corner) > 0.0)
                && r.quay_distance(middle) > 30.0
        });
        let inside = area.0.iter().all(|c| c.cmpge(DVec2::ZERO).all() && c.cmple(self.size).all());
        (PARK_AREA.0..PARK_AREA.1).contains(&area.area()) && dry && inside
    }

    /// Cuts an area in two by a street across its longest side; `None` if it is small enough.
    fn cut(&self, area: &Polygon, chance: &mut Chance) -> Option<[Polygon; 2]> {
        let size = area.area();
        let far = (area.middle() - self.size / 2.0).length() / (self.size.length() / 2.0);
        let limit = BLOCK_AREA * (1.0 + EDGE_GROWTH * far) * chance.between(0.75, 1.35);
        if size < limit {
            return None;
        }
        let (a, b) = area.edge(area.longest_edge());
        let on = a + (b - a) * chance.between(0.41, 0.59);
        let forward = (b - a).normalize();
        let normal = (forward + forward.perp() * chance.between(-0.09, 0.09)).normalize();
        let width = if size > LANE_AREA { STREET_WIDTH } else { LANE_WIDTH };
        let left = area.clip(on - normal * (width / 2.0), -normal)?;
        let right = area.clip(on + normal * (width / 2.0), normal)?;
        Some([left, right])
    }
}

/// All areas, cut by an avenue where it crosses them.
fn cut_all(areas: &[Polygon], avenue: &Avenue) -> Vec<Polygon> {
    let normal = avenue.along.perp();
    let half = normal * (AVENUE_WIDTH / 2.0);
    let sides = areas.iter().flat_map(|area| {
        [area.clip(avenue.on + half, normal), area.clip(avenue.on - half, -normal)]
    });
    sides.flatten().collect()
}

/// Draws lines through the city.
struct Lines<'a> {
    size: DVec2,
    chance: &'a mut Chance,
}

impl Lines<'_> {
    /// Avenues along one direction, spread over an extent at right angles to it.
    fn parallel(&mut self, along: DVec2, extent: f64, crosses_river: bool) -> Vec<Avenue> {
        let count = (extent / AVENUE_SPACING).round().max(1.0);
        let across = along.perp();
        let line = |i: f64, chance: &mut Chance| {
            let shift = (i + 0.5 + chance.between(-0.13, 0.13)) / count - 0.5;
            let lean = along + across * chance.between(-0.05, 0.05);
            Avenue {
                on: self.size / 2.0 + across * (shift * extent),
                along: lean.normalize(),
                crosses_river,
            }
        };
        (0..count as usize).map(|i| line(i as f64, self.chance)).collect()
    }

    /// An avenue through a point at an angle to all others.
    fn diagonal(&mut self, through: DVec2, along: DVec2) -> Avenue {
        let steep =
            self.chance.between(0.8, 1.1) * if self.chance.happens(0.5) { 1.0 } else { -1.0 };
        Avenue {
            on: through,
            along: (along + along.perp() * steep).normalize(),
            crosses_river: true,
        }
    }

    /// A river half way between two of the `avenues` that run beside it.
    fn river(&mut self, along: DVec2, avenues: usize) -> River {
        let count = avenues.max(1) as f64;
        let gap =
            if self.chance.happens(0.5) { (count / 2.0).floor() } else { (count / 2.0).ceil() };
        let gap = if count < 2.0 { 0.12 } else { gap };
        let shift = (gap / count - 0.5) * self.size.y;
        River::new(self.size / 2.0 + along.perp() * shift, along, self.chance)
    }
}
