//! Ways beside walls, and the cells at walls that run across the grid.
//!
//! Such a wall is a staircase to the cells. A cell from which the way along the wall leads into a step of it has only
//! one of its two upwind neighbours, and the scheme (`throng_field::solve`) takes the whole side of a cell for what is
//! less: the potential lags behind along the wall, and ways bend away from it by 14 degrees a cell or two off, and still
//! by seven half a metre on. The exact solution along a straight wall is phi = F d.x. With one neighbour e it obeys
//! phi(c) = phi(e) + F h |d.e|, so a cost of F |d.e| in that cell makes it a solution of the scheme too. The way d is that
//! of the last solution, read off the wall.

use glam::Vec2;
use throng_field::{Cell, Grid};
use throng_world::World;

use super::flow::Flow;
use crate::walls::{NearestWall, Walls};

/// Beside a wall, ways are read so far off it (cells): none of the cells around such a place has blocked neighbours.
pub(crate) const OFF_WALL: f32 = 2.0;
/// Walls at a smaller angle to the grid than this (sine) make no steps that matter.
pub(crate) const SLANT: f32 = 0.05;
/// Ways that lead away from the wall by less than the first go along it, and as they are from the second on (sines).
pub(crate) const ALONG: (f32, f32) = (0.5, 0.8);
/// Ways that lead into the wall by more than the first are those round its end, wholly so from the second on (sines).
pub(crate) const HEAD_ON: (f32, f32) = (0.15, 0.5);
/// Costs change in such shares only, so that most of them stay from one refresh to the next.
pub(crate) const SHARES: f32 = 64.0;

/// Neighbours of a cell that are blocked.
pub(crate) const LEFT: u32 = 1;
pub(crate) const RIGHT: u32 = 2;
pub(crate) const BELOW: u32 = 4;
pub(crate) const ABOVE: u32 = 8;

/// The way that a field knows at a place. Beside slanted walls it is read farther off: cells at a wall that runs across
/// them know only directions of a staircase, and blocked ones that out of the wall. The nearer the wall, the less of what leads into it is left.
#[inline(always)]
pub(super) fn way_at(
    walls: &Walls<'_>,
    cell: f32,
    flow: &Flow,
    p: Vec2,
    wall: NearestWall,
) -> Vec2 {
    let far = OFF_WALL * cell;
    if wall.distance >= far || wall.away.abs().min_element() <= SLANT {
        return flow.at(p);
    }
    let off = flow.at(walls.off(p, wall, far));
    let into = -off.dot(wall.away);
    // Straight at the wall: round the end of one, which is told only by the cells there.
    let (from, to) = HEAD_ON;
    let round = if off == Vec2::ZERO { 1.0 } else { ((into - from) / (to - from)).clamp(0.0, 1.0) };
    let near = 1.0 - wall.distance.max(0.0) / far;
    let way = (off + wall.away * (into.max(0.0) * near)).normalize_or_zero();
    if round > 0.0 {
        return (way * (1.0 - round) + flow.at(p) * round).normalize_or_zero();
    }
    way
}

/// An open cell at a slanted wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Brink {
    pub(crate) cell: u32,
    /// Which neighbours are blocked.
    pub(crate) blocked: u32,
    /// Where its way is read.
    pub(crate) at: Vec2,
    /// Away from the wall, as [`NearestWall::away`].
    pub(crate) away: Vec2,
}

/// All of them, by ascending cells.
pub(crate) fn brinks(world: &World) -> Vec<Brink> {
    let (terrain, walls) = (&world.terrain, Walls::new(&world.clearance));
    let mut all = Vec::new();
    for index in 0..terrain.cells() {
        let cell = terrain.cell_at(index);
        let blocked = blocked(terrain, cell);
        if !terrain[cell].is_finite() || blocked == 0 {
            continue;
        }
        let wall = walls.nearest(terrain.centre(cell));
        if wall.away.abs().min_element() > SLANT {
            let at = walls.off(terrain.centre(cell), wall, OFF_WALL * terrain.cell_size());
            all.push(Brink { cell: index as u32, blocked, at, away: wall.away });
        }
    }
    all
}

fn blocked(terrain: &Grid<f32>, cell: Cell) -> u32 {
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    let open = |x: i64, y: i64| {
        let inside = x >= 0 && y >= 0 && x < terrain.width() as i64 && y < terrain.height() as i64;
        inside && terrain[Cell::new(x as u32, y as u32)].is_finite()
    };
    let sides = [(LEFT, (x - 1, y)), (RIGHT, (x + 1, y)), (BELOW, (x, y - 1)), (ABOVE, (x, y + 1))];
    sides.into_iter().filter(|(_, (x, y))| !open(*x, *y)).map(|(side, _)| side).sum()
}

impl Brink {
    /// Share of its cost that the cell is to have where ways are those of a field.
    pub(crate) fn share(&self, flow: &Flow) -> f32 {
        let way = flow.at(self.at);
        let off = way.dot(self.away);
        if off < -HEAD_ON.1 {
            return 1.0;
        }
        let (from, to) = ALONG;
        let leaving = off.max(0.0) * ((off - from) / (to - from)).clamp(0.0, 1.0);
        let Some(way) = (way + self.away * (leaving - off)).try_normalize() else { return 1.0 };
        let across = self.blocked & if way.x > 0.0 { RIGHT } else { LEFT } != 0;
        let along = self.blocked & if way.y > 0.0 { ABOVE } else { BELOW } != 0;
        let share = match (across, along) {
            (true, false) => way.y.abs(),
            (false, true) => way.x.abs(),
            _ => 1.0,
        };
        (share * SHARES + 0.5).floor().max(1.0) / SHARES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navigate::Fields;
    use glam::DVec2;
    use throng_world::{BuildOptions, Scene};

    /// A corridor of 30 by 2 m, turned, with its goal at the far end.
    fn corridor(degrees: f64, cell: f64) -> World {
        let turn = DVec2::from_angle(degrees.to_radians());
        let rect = |from: f64, to: f64| {
            let corners = [(from, 0.0), (to, 0.0), (to, 2.0), (from, 2.0)];
            let corners = corners.map(|(x, y)| turn.rotate(DVec2::new(x, y)));
            format!("[{}]", corners.map(|p| format!("[{:.6}, {:.6}]", p.x, p.y)).join(", "))
        };
        let scene = format!(
            "version = 1\nground = {{ kind = \"flat\", bounds = [-31, -4, 32, 33], cell = {cell} }}\n\
             area = [{{ polygon = {} }}]\n\
             goal = [{{ name = \"end\", exit = true, polygon = {} }}]\n\
             group = [{{ name = \"people\", goal = \"end\" }}]\n\
             spawn = [{{ group = \"people\", count = 1, polygon = {} }}]",
            rect(0.0, 30.0),
            rect(28.0, 30.0),
            rect(1.0, 3.0)
        );
        Scene::parse(&scene, "corridor").unwrap().build(&BuildOptions::default()).unwrap()
    }

    /// Mean and largest angle between the ways and the corridor (degrees), from a body's width off the walls on.
    fn apart(world: &World, degrees: f64, way: impl Fn(&Flow, Vec2) -> Vec2) -> (f64, f64) {
        let mut fields = Fields::new(world).unwrap();
        fields.refresh_all(&world.terrain).unwrap();
        let turn = DVec2::from_angle(degrees.to_radians());
        let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0.0);
        for i in 0..160 {
            for k in 0..=32 {
                let place = DVec2::new(5.0 + 0.1 * f64::from(i), 0.2 + 0.05 * f64::from(k));
                let found = way(fields.flow(0, 0), turn.rotate(place).as_vec2()).as_dvec2();
                let angle = found.angle_to(turn).abs().to_degrees();
                (sum, most, count) = (sum + angle, most.max(angle), count + 1.0);
            }
        }
        (sum / count, most)
    }

    /// If this fails, walls that run across the grid push people towards the middle of the corridor. Read from the
    /// cells at the place itself, ways would be off by many degrees beside the walls.
    #[test]
    fn ways_along_slanted_walls_are_straight() {
        for cell in [0.25, 0.1] {
            for degrees in [0.0, 8.0, 17.0, 30.0, 45.0, 73.0, 107.0, 135.0] {
                let world = corridor(degrees, cell);
                let walls = Walls::new(&world.clearance);
                let (mean, most) = apart(&world, degrees, |flow, p| {
                    way_at(&walls, cell as f32, flow, p, walls.nearest(p))
                });
                let place = format!("{degrees} degrees, cells of {cell} m");
                assert!(mean < 1.0 && most < 4.0, "{place}: {mean} on average, {most}");
                if (degrees, cell) == (17.0, 0.25) {
                    let (_, most) = apart(&world, degrees, Flow::at);
                    assert!(most > 6.0, "{place}: cells at the wall are right themselves, {most}");
                }
            }
        }
    }
}
