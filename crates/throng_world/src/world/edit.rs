//! Walls that come and go, and what can be asked about a place.

use super::boundary::Solids;
use super::clearance::{Span, close_cells, fill};
use super::{CLEARANCE_CAP, Polygon, Rect, World};
use glam::Vec2;
use throng_field::Edge;

/// What an edit of the walls changed.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedArea {
    /// The rectangle within which distances to walls may have changed.
    pub rect: Rect,
    /// Navigation cells whose static cost changed, as indices in row order.
    pub cells: Vec<u32>,
}

/// Why the walls could not be edited. The world is unchanged then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// A ring has fewer than three corners.
    #[error("a ring of the wall has {found} corners; give at least 3")]
    TooFewCorners {
        /// Corners given.
        found: usize,
    },
    /// A corner is NaN, infinite or too far away.
    #[error("a corner of the wall is at ({}, {}); give finite coordinates within 1e6 m", corner.x, corner.y)]
    BadCorner {
        /// The corner.
        corner: Vec2,
    },
    /// There is no such wall.
    #[error("there is no wall {index}; there are {count}, counted from 0")]
    NoSuchWall {
        /// Index given.
        index: usize,
        /// Number of walls.
        count: usize,
    },
}

impl World {
    /// Puts up a wall. Distances and static costs are updated where it stands and nowhere else;
    /// the result is that of building the world anew with it.
    ///
    /// # Errors
    /// When the polygon has too few corners or impossible ones.
    pub fn add_wall(&mut self, wall: Polygon) -> Result<EditedArea, EditError> {
        for ring in wall.rings() {
            if ring.len() < 3 {
                return Err(EditError::TooFewCorners { found: ring.len() });
            }
            let good = |p: &Vec2| p.is_finite() && p.abs().max_element() <= 1e6;
            if let Some(corner) = ring.iter().find(|p| !good(p)) {
                return Err(EditError::BadCorner { corner: *corner });
            }
        }
        let touched = wall.bounds();
        self.walls.push(wall);
        Ok(self.renew(touched))
    }

    /// Takes down a wall by its index; those behind it move up by one.
    ///
    /// # Errors
    /// When there is no such wall.
    pub fn remove_wall(&mut self, index: usize) -> Result<EditedArea, EditError> {
        if index >= self.walls.len() {
            return Err(EditError::NoSuchWall { index, count: self.walls.len() });
        }
        let wall = self.walls.remove(index);
        Ok(self.renew(wall.bounds()))
    }

    /// The outline of everything solid, as segments of at most 32 m: walls, the rim of the walkable
    /// areas, blocked cells of the ground, the edge of the world.
    pub fn outline(&self) -> Vec<(Vec2, Vec2)> {
        let solids = solids_of(&self.walls, &self.walkable, &self.ground, self.open_edge, None);
        let ends = |part: &super::boundary::Part| {
            let (a, b) = part.ends();
            (a.as_vec2(), b.as_vec2())
        };
        solids.outline(None).iter().map(ends).collect()
    }

    /// Finds distances to walls and static costs anew, everywhere.
    pub fn rebuild(&mut self) {
        let whole = self.bounds();
        let solids = solids_of(&self.walls, &self.walkable, &self.ground, self.open_edge, None);
        let outline = solids.outline(None);
        let span = Span::all(&self.clearance);
        fill(&mut self.clearance, span, &solids, &outline);
        let _ = self.close(&whole);
    }

    fn renew(&mut self, touched: Rect) -> EditedArea {
        let rect = touched.grown(CLEARANCE_CAP);
        let near = rect.grown(CLEARANCE_CAP + self.clearance.cell_size() * 2.0);
        let solids =
            solids_of(&self.walls, &self.walkable, &self.ground, self.open_edge, Some(&near));
        let outline = solids.outline(Some(near));
        let span = Span::around(&self.clearance, &rect);
        fill(&mut self.clearance, span, &solids, &outline);
        let cells = self.close(&rect.grown(self.clearance.cell_size() * 2.0));
        EditedArea { rect, cells }
    }

    fn close(&mut self, rect: &Rect) -> Vec<u32> {
        let span = Span::around(&self.terrain, rect);
        let navigate = &self.params.navigate;
        close_cells(&mut self.terrain, &self.ground, &self.clearance, navigate, span)
    }

    /// Height of the ground in metres; 0 where it is flat.
    pub fn ground_height(&self, p: Vec2) -> f32 {
        self.heights.as_ref().map_or(0.0, |heights| heights.sample(p, Edge::Clamp))
    }

    /// Distance to the nearest wall in metres, negative inside, at most [`CLEARANCE_CAP`].
    pub fn clearance_at(&self, p: Vec2) -> f32 {
        self.clearance.sample(p, Edge::Clamp)
    }

    /// Whether a disc at `p` touches no wall and its middle lies in a cell that can be walked.
    pub fn is_free(&self, p: Vec2, radius: f32) -> bool {
        let open = self.terrain.cell_of(p).is_some_and(|cell| self.terrain[cell].is_finite());
        open && self.clearance_at(p) >= radius
    }
}

fn solids_of<'a>(
    walls: &'a [Polygon],
    walkable: &'a [Polygon],
    ground: &'a throng_field::Grid<f32>,
    open_edge: bool,
    near: Option<&Rect>,
) -> Solids<'a> {
    let touches = |p: &&Polygon| {
        let own = p.bounds();
        near.is_none_or(|r| own.min.cmple(r.max).all() && own.max.cmpge(r.min).all())
    };
    Solids {
        walls: walls.iter().filter(touches).collect(),
        walkable: walkable.iter().filter(touches).collect(),
        bound: !walkable.is_empty(),
        ground,
        open_edge,
    }
}
