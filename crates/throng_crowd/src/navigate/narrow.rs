//! Ways in passages that a body fills.
//!
//! There nobody can go aside, so what a field says of aside says nothing: its directions come from cells as wide as half
//! the passage, and in a bend they lead to the inner wall. Who has hardly any room goes along the walls.

use glam::Vec2;

use crate::walls::{NearestWall, Walls};

/// Who has less room than the first, on both sides together, goes along the walls; from the second on the field is
/// followed (metres).
pub(crate) const ROOM: (f32, f32) = (0.1, 0.3);
/// Walls are looked for so far beside one (share of a body): past the middle of the passage, and not yet behind the wall.
pub(crate) const BESIDE: f32 = 0.8;
/// Walls are two sides of a passage from this cosine between the ways away from them on, and wholly when parallel.
pub(crate) const FACING: f32 = -0.5;

/// A way without what leads across the passage, where a body of this radius fills it. `wall` is the nearest one.
#[inline(always)]
pub(super) fn along_passage(
    walls: &Walls<'_>,
    way: Vec2,
    p: Vec2,
    wall: NearestWall,
    body: f32,
) -> Vec2 {
    let (none, enough) = ROOM;
    if wall.distance >= body + 0.5 * enough {
        return way;
    }
    let beside = way.perp() * (BESIDE * body);
    let (left, right) = (walls.nearest(p + beside), walls.nearest(p - beside));
    let facing = (left.away.dot(right.away) - FACING) / (-1.0 - FACING);
    let across = (right.away - left.away).normalize_or_zero();
    // From wall to wall, less the body: the two points lie on either side of the middle.
    let room = left.distance + right.distance + 2.0 * (beside.dot(across).abs() - body);
    let near = ((enough - room) / (enough - none)).clamp(0.0, 1.0) * facing.clamp(0.0, 1.0);
    if near > 0.0 { (way - across * (way.dot(across) * near)).normalize_or(way) } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use throng_field::Grid;

    /// Distance to the walls of a straight passage of a width around the origin, at a random angle, on cells of 0.05 m.
    fn passage(width: f32, across: Vec2) -> Grid<f32> {
        let (n, cell) = (80, 0.05);
        let low = Vec2::splat(-0.5 * n as f32 * cell);
        let at = |i: usize| low + (Vec2::new((i % n) as f32, (i / n) as f32) + 0.5) * cell;
        let values = (0..n * n).map(|i| 0.5 * width - at(i).dot(across).abs()).collect();
        Grid::from_vec(n, n, values).unwrap().placed(cell, low).unwrap()
    }

    /// If this fails, people in single file go from wall to wall, and how fast they get on depends on the grid.
    #[test]
    fn in_a_passage_that_a_body_fills_ways_go_along_it() {
        let mut dice = Dice::new(91);
        let body = 0.233;
        let (mut narrow, mut wide) = (0, 0);
        for _ in 0..3000 {
            let across = dice.direction();
            let width = dice.between(0.4, 1.4);
            let grid = passage(width, across);
            let walls = Walls::new(&grid);
            // Where a body can be, or is squeezed to.
            let y = (0.5 * width - body).max(0.02) * dice.between(-1.0, 1.0);
            let p = across * y + across.perp() * dice.between(-1.0, 1.0);
            let angle = dice.between(-0.7, 0.7);
            let along = if dice.chance(0.5) { across.perp() } else { -across.perp() };
            let way = Vec2::from_angle(angle).rotate(along);
            let got = along_passage(&walls, way, p, walls.nearest(p), body);
            assert!((got.length() - 1.0).abs() < 1e-5);
            let off = got.perp_dot(along).abs().asin().to_degrees();
            if width < 2.0 * body + 0.05 {
                assert!(
                    off < 4.0,
                    "{width} wide at {across}: {off} degrees from {}",
                    angle.to_degrees()
                );
                narrow += 1;
            }
            if width > 2.0 * body + 0.4 {
                assert_eq!(got, way, "{width} wide, at {y}");
                wide += 1;
            }
            // Never away from where it wants to, and never farther across.
            assert!(got.dot(way) > 0.0 && off <= angle.abs().to_degrees() + 0.1);
        }
        assert!(narrow > 300 && wide > 300, "{narrow} {wide}");
    }

    /// If this fails, people are led past a door, or along the wall they stand at: one wall is no passage.
    #[test]
    fn beside_one_wall_and_before_a_door_ways_are_those_of_the_field() {
        let (n, cell) = (80, 0.05);
        let low = Vec2::splat(-2.0);
        let at = |i: usize| low + (Vec2::new((i % n) as f32, (i / n) as f32) + 0.5) * cell;
        // A wall along y = 0 with a door of 0.6 m.
        let distance = |p: Vec2| {
            let beside = (0.3 - p.x.abs()).min(0.0);
            if beside < 0.0 {
                p.y.abs() - 0.05
            } else {
                Vec2::new(0.3 - p.x.abs(), p.y).length() - 0.05
            }
        };
        let values = (0..n * n).map(|i| distance(at(i))).collect();
        let grid = Grid::from_vec(n, n, values).unwrap().placed(cell, low).unwrap();
        let walls = Walls::new(&grid);
        let mut dice = Dice::new(92);
        for _ in 0..1000 {
            let p = Vec2::new(dice.between(-1.5, 1.5), dice.between(0.3, 1.0));
            let way = Vec2::from_angle(dice.between(-3.1, 0.0));
            assert_eq!(along_passage(&walls, way, p, walls.nearest(p), 0.233), way, "{p} {way}");
        }
    }
}
