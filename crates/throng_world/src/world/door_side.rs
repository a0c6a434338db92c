//! Doors, found by the distance to walls, and what the ground beside them costs.
//!
//! People who queue before a door stand before it, in the shape of a drop, and not along the wall on either side of it,
//! where they would be in nobody's way but could not get in either. To ways that are as short as can be both are the
//! same; so the ground along the wall beside a door costs more, and ways lead off the wall and in from the front.

use crate::params::NavigateParams;
use glam::Vec2;
use throng_field::{Edge, Grid};

/// Walls are followed at this distance (metres),
const FOLLOWED_AT: f32 = 0.15;
/// in steps of this length.
const STEP: f32 = 0.1;
/// Nearer than this is a wall across the way,
const ACROSS: f32 = 0.08;
/// and farther than this the wall has ended.
const ENDED: f32 = 0.25;
/// A wall has to go on for so long on the other side of a door, and beside it (metres).
const FLUSH: f32 = 0.3;
/// A wider gap in a wall is no door (metres).
const WIDEST_DOOR: f32 = 3.0;
/// What is narrower than this is a passage, whose walls are no matter (metres); a metre wider, and it is a room.
const PASSAGE: f32 = 2.6;

/// What is found by following a wall to one side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// The wall goes on for as far as it was followed.
    Wall,
    /// It ends after so many metres: at a corner, or where another wall stands across.
    End(f32),
    /// After so many metres there is a door in it.
    Door(f32),
}

/// Cells are looked at in so many places across, one for each of these (metres), and no more than so many.
const PLACES_EVERY: f32 = 0.1;
const MOST_PLACES: f32 = 3.0;

/// What the ground of a cell costs more because it lies at a wall beside a door, as a share of what it costs: the mean
/// over the cell, so that a door is as wide to coarse cells as it is to fine ones.
pub(super) fn beside_doors(
    clearance: &Grid<f32>,
    (centre, side): (Vec2, f32),
    params: &NavigateParams,
) -> f32 {
    let far = params.door_side_reach + side;
    if params.door_side == 0.0 || clearance.sample(centre, Edge::Clamp) > far {
        return 0.0;
    }
    let across = (side / PLACES_EVERY).round().clamp(1.0, MOST_PLACES);
    let place = |k: u32| ((k as f32 + 0.5) / across - 0.5) * side;
    let across = across as u32;
    let all = (0..across).flat_map(|y| (0..across).map(move |x| Vec2::new(place(x), place(y))));
    let sum: f32 = all.map(|off| beside_door(clearance, centre + off, params)).sum();
    sum / (across * across) as f32
}

/// What the ground at `p` costs more because it lies at a wall beside a door, as a share of what it costs.
fn beside_door(clearance: &Grid<f32>, p: Vec2, params: &NavigateParams) -> f32 {
    let at = |p: Vec2| clearance.sample(p, Edge::Clamp);
    let (distance, reach) = (at(p), params.door_side_reach);
    if distance <= 0.0 || distance >= reach {
        return 0.0;
    }
    let [x, y] = [Vec2::X, Vec2::Y].map(|axis| axis * (0.5 * clearance.cell_size()));
    let slope = Vec2::new(at(p + x) - at(p - x), at(p + y) - at(p - y));
    let Some(away) = slope.try_normalize() else { return 0.0 };
    let room = (distance + free_way(&at, p, away) - PASSAGE).clamp(0.0, 1.0);
    if room == 0.0 {
        return 0.0;
    }
    let foot = p - away * (distance - FOLLOWED_AT);
    let sides = [away.perp(), -away.perp()].map(|t| follow(&at, foot, t, params.door_side_span));
    // Beside a post the wall begins on the other side; before it there is none to stand along.
    let flush = |side: Found| match side {
        Found::Wall => true,
        Found::End(far) | Found::Door(far) => far > FLUSH,
    };
    let door = |side: Found| matches!(side, Found::Door(_));
    let beside = (door(sides[0]) && flush(sides[1])) || (door(sides[1]) && flush(sides[0]));
    if beside { params.door_side * room * (1.0 - distance / reach) } else { 0.0 }
}

/// How far the way is free in a direction, as far as it takes to be a room (metres).
fn free_way(at: &impl Fn(Vec2) -> f32, p: Vec2, direction: Vec2) -> f32 {
    let mut far = STEP;
    while far < PASSAGE + 1.0 && at(p + direction * far) >= 0.5 * STEP {
        far += STEP;
    }
    far
}

/// Follows a wall from a point beside it for up to `span` metres, and over a gap in it.
fn follow(at: &impl Fn(Vec2) -> f32, foot: Vec2, direction: Vec2, span: f32) -> Found {
    let mut ended = None;
    let mut flush = 0.0;
    let mut far = 0.0;
    loop {
        far += STEP;
        let most = ended.map_or(span, |end: f32| end + WIDEST_DOOR + FLUSH);
        if far > most {
            return ended.map_or(Found::Wall, Found::End);
        }
        let distance = at(foot + direction * far);
        if distance < ACROSS {
            return Found::End(ended.unwrap_or(far));
        }
        match ended {
            None if distance > ENDED => ended = Some(far),
            None => {}
            Some(end) => {
                flush = if distance < ENDED { flush + STEP } else { 0.0 };
                if flush > FLUSH - 0.5 * STEP {
                    return Found::Door(end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Polygon, Rect, World};

    /// A wall of 0.2 m across a room of 12 by 10 m, with gaps, and one along its lower edge.
    fn room(gaps: &[(f32, f32)], wall_y: f32) -> World {
        let mut world = World::open((120, 100), 0.1, Vec2::ZERO).expect("a frame");
        world.walls.push(Polygon::rect(Rect { min: Vec2::ZERO, max: Vec2::new(12.0, 0.1) }));
        let mut from = 0.0;
        for &(low, high) in gaps.iter().chain(&[(12.0, 12.0)]) {
            let (min, max) = (Vec2::new(from, wall_y), Vec2::new(low, wall_y + 0.2));
            world.walls.push(Polygon::rect(Rect { min, max }));
            from = high;
        }
        world.rebuild();
        world
    }

    fn cost(world: &World, x: f32, y: f32) -> f32 {
        let cell = world.terrain.cell_of(Vec2::new(x, y)).expect("inside");
        world.terrain[cell]
    }

    /// Without this people would queue along the wall on either side of a door.
    #[test]
    fn ground_along_the_wall_beside_a_door_costs_more() {
        let world = room(&[(5.5, 6.5)], 5.0);
        let (near, far) = (cost(&world, 4.85, 4.75), cost(&world, 4.85, 4.45));
        assert!(near > 3.0 && far > 1.2 && far < near, "{near}, {far}");
        // On the other side of the door and of the wall alike.
        assert!((cost(&world, 7.15, 4.75) - near).abs() < 0.3);
        assert!((cost(&world, 4.85, 5.45) - near).abs() < 0.3);
        // Not before the door, nor in it, nor far from it, nor off the wall.
        for (x, y) in [(6.05, 4.75), (6.05, 5.15), (1.55, 4.75), (4.85, 3.95)] {
            assert_eq!(cost(&world, x, y), 1.0, "at {x}, {y}");
        }
    }

    /// A wall without a door, a gap as wide as a hall, and a passage are walked along as ever.
    #[test]
    fn walls_without_doors_and_passages_cost_nothing() {
        for (gaps, y) in [(&[][..], 5.0), (&[(4.0, 8.0)][..], 5.0), (&[(5.5, 6.5)][..], 2.0)] {
            let world = room(gaps, y);
            let below = world.terrain.as_slice().iter().take(120 * (y * 10.0) as usize);
            assert!(below.filter(|c| c.is_finite()).all(|c| *c == 1.0), "{gaps:?} at {y}");
        }
    }
}
