//! The same scene at another place: turned about the origin and shifted, so that what a grid does to
//! people can be told from what people do.

use glam::DVec2;
use throng_world::scene::SceneData;
use throng_world::scene::data::{GroundData, ShapeData, WallData};

/// Where a scene is put: turned anticlockwise about the origin, then shifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// Degrees.
    pub turn: f64,
    /// Metres, in x and in y.
    pub shift: f64,
}

impl Placement {
    /// Whether nothing is moved.
    pub fn is_home(&self) -> bool {
        self.turn == 0.0 && self.shift == 0.0
    }

    /// Where a point of the scene comes to lie.
    pub fn place(&self, p: DVec2) -> DVec2 {
        self.direction(p) + self.shift
    }

    /// Where a direction of the scene comes to point.
    pub fn direction(&self, d: DVec2) -> DVec2 {
        DVec2::from_angle(self.turn.to_radians()).rotate(d)
    }

    /// Where a point in the world lies in the scene.
    pub fn back(&self, p: DVec2) -> DVec2 {
        DVec2::from_angle(-self.turn.to_radians()).rotate(p - self.shift)
    }

    fn pair(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.place(DVec2::new(x, y)).to_array()
    }

    fn corners(&self, corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
        corners.iter().map(|&p| self.pair(p)).collect()
    }

    /// A WKT with every pair of numbers moved.
    fn wkt(&self, text: &str) -> String {
        let mut moved = String::new();
        for part in text.split_inclusive(['(', ')', ',']) {
            let (pair, end) = part.split_at(part.trim_end_matches(['(', ')', ',']).len());
            let numbers: Vec<f64> =
                pair.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            match numbers[..] {
                [x, y] => {
                    let [x, y] = self.pair([x, y]);
                    moved += &format!(" {x} {y}{end}");
                }
                _ => moved += part,
            }
        }
        moved
    }

    /// A shape moved: rectangles become polygons.
    fn shape(&self, shape: &mut ShapeData) {
        if let Some([left, lower, right, upper]) = shape.rect.take() {
            let corners = [[left, lower], [right, lower], [right, upper], [left, upper]];
            shape.polygon = Some(self.corners(&corners));
        } else if let Some(polygon) = &mut shape.polygon {
            *polygon = self.corners(polygon);
        }
        if let Some(wkt) = &mut shape.wkt {
            *wkt = self.wkt(wkt);
        }
        if let Some(point) = &mut shape.point {
            *point = self.pair(*point);
        }
        if let Some([x, y, _]) = &mut shape.disc {
            [*x, *y] = self.pair([*x, *y]);
        }
        if let Some(line) = &mut shape.line {
            *line = self.corners(line);
        }
        if let Some([x, y, _, _, from, to]) = &mut shape.sector {
            [*x, *y] = self.pair([*x, *y]);
            *from += self.turn;
            *to += self.turn;
        }
        if let Some(repeat) = &mut shape.repeat {
            repeat.about = self.pair(repeat.about);
        }
    }

    /// Moves everything that a scene of a test has. The ground keeps its cells: what walks at an angle
    /// to them, or half a cell off, walks so indeed.
    pub fn apply(&self, data: &mut SceneData) {
        if self.is_home() {
            return;
        }
        let GroundData::Flat { size, bounds, cell } = &mut data.ground else { return };
        let home = bounds.unwrap_or_else(|| {
            let [w, h] = size.unwrap_or([0.0, 0.0]);
            [0.0, 0.0, w, h]
        });
        let [left, lower, right, upper] = home;
        if data.area.is_empty() {
            // The edge of the ground was the wall; now an area has to say so.
            let shape = ShapeData { rect: Some(home), ..Default::default() };
            data.area.push(WallData { shape, ..Default::default() });
        }
        let corners = self.corners(&[[left, lower], [right, lower], [right, upper], [left, upper]]);
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for p in corners {
            (low, high) = (low.min(DVec2::from(p)), high.max(DVec2::from(p)));
        }
        // Whole cells from where the grid began, and a cell to spare on each side.
        let grid = DVec2::new(left, lower);
        let low = grid + (((low - grid) / *cell).floor() - 1.0) * *cell;
        let high = grid + (((high - grid) / *cell).ceil() + 1.0) * *cell;
        *bounds = Some([low.x, low.y, high.x, high.y]);
        *size = None;
        for wall in data.area.iter_mut().chain(&mut data.wall) {
            self.shape(&mut wall.shape);
        }
        for zone in &mut data.zone {
            self.shape(&mut zone.shape);
            if let Some(stairs) = &mut zone.stairs {
                stairs.up = self.direction(stairs.up.into()).into();
            }
        }
        for goal in &mut data.goal {
            self.shape(&mut goal.shape);
            for place in &mut goal.places {
                self.shape(&mut place.shape);
            }
        }
        for spawn in &mut data.spawn {
            self.shape(&mut spawn.shape);
            for shape in &mut spawn.places {
                self.shape(shape);
            }
            spawn.positions = self.corners(&spawn.positions);
            if let Some([x, y, _]) = &mut spawn.ring {
                [*x, *y] = self.pair([*x, *y]);
            }
        }
        for door in &mut data.door {
            door.line = door.line.map(|end| self.pair(end));
        }
        for lift in &mut data.lift {
            self.shape(&mut lift.from);
            self.shape(&mut lift.to);
        }
        for hazard in &mut data.hazard {
            hazard.path = self.corners(&hazard.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_undoes_place() {
        let placement = Placement { turn: 17.0, shift: 0.1 };
        for p in [DVec2::new(3.0, -4.0), DVec2::ZERO, DVec2::new(1000.0, 10.0)] {
            assert!((placement.back(placement.place(p)) - p).length() < 1e-9);
        }
    }

    #[test]
    fn a_quarter_turn_puts_right_up() {
        let placement = Placement { turn: 90.0, shift: 0.5 };
        assert!((placement.place(DVec2::X) - DVec2::new(0.5, 1.5)).length() < 1e-12);
        assert!((placement.direction(DVec2::X) - DVec2::Y).length() < 1e-12);
    }

    #[test]
    fn wkt_moves_with_its_holes() {
        let placement = Placement { turn: 0.0, shift: 0.5 };
        let moved = placement.wkt("POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))");
        assert!(moved.starts_with("POLYGON (( 0.5 0.5, 4.5 0.5,"), "{moved}");
        assert!(moved.ends_with(" 1.5 1.5))"), "{moved}");
    }
}
