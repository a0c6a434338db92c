//! Cameras with names, for any scene: where to stand to see it.

use glam::{Vec2, Vec3};
use throng_crowd::Instance;
use throng_world::World;

use crate::Camera;

/// A camera by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shot {
    /// From above a corner, all of it.
    BirdsEye,
    /// From a slope, along the place, with the horizon.
    Valley,
    /// Among people, where most of them are.
    CloseUp,
    /// Behind an agent.
    Follow(u32),
    /// Straight down.
    Map,
}

/// Names of [`Shot`]s, for people.
pub const SHOTS: &str = "birds-eye, valley, close-up, follow:N, map";

impl Shot {
    /// The shot of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "birds-eye" | "birdseye" | "bird" => Self::BirdsEye,
            "valley" | "low" => Self::Valley,
            "close-up" | "closeup" | "close" => Self::CloseUp,
            "map" | "top" => Self::Map,
            _ => Self::Follow(name.strip_prefix("follow:")?.parse().ok()?),
        })
    }

    /// The camera of this shot. `None` if it follows somebody who is not there.
    #[must_use]
    pub fn camera(self, world: &World, agents: &[Instance]) -> Option<Camera> {
        let bounds = world.bounds();
        let (centre, extent) = (bounds.centre(), bounds.max - bounds.min);
        let side = extent.max_element();
        let wild = world.heights.is_some();
        let on = |p: Vec2, z: f32| p.extend(world.ground_height(p) + z);
        Some(match self {
            Self::BirdsEye => {
                let (back, up) = if wild { (0.24, 0.05) } else { (0.62, 0.52) };
                let eye = centre - Vec2::new(0.62, 0.78) * back * extent.length();
                let eye = on(eye.clamp(bounds.min - side, bounds.max + side), 0.0);
                let eye = eye + Vec3::Z * (side * up + 6.0);
                // With the horizon in the upper part.
                let ahead = if wild { 0.15 } else { 0.0 };
                Camera::looking_at(eye, on(centre + Vec2::new(0.62, 0.78) * ahead * side, 0.0))
            }
            Self::Valley => {
                // Over heads and low walls, towards the sun's far side.
                let back = if wild { 0.36 } else { 0.56 };
                let up = if wild { 5.0 + side * 0.014 } else { 5.0 + side * 0.11 };
                let eye = centre - Vec2::new(extent.x, extent.y * 0.22) * back;
                let look = centre + extent * Vec2::new(0.10, 0.05);
                let clear = clear_of_walls(world, eye, wild);
                Camera::looking_at(on(clear, up), on(look, if wild { 3.0 } else { 0.0 }))
            }
            Self::CloseUp => {
                let to = busiest(world, agents).unwrap_or(centre);
                let eye = best_stand(world, agents, to);
                Camera::looking_at(on(eye, 2.5), on(to, 0.9)).with_fov(0.82)
            }
            Self::Follow(id) => {
                let it = agents.iter().find(|agent| agent.group >> 8 == id & 0x00ff_ffff)?;
                let heading = Vec2::from(it.direction);
                let at = Vec2::new(it.position[0], it.position[1]);
                let eye = on(at - heading * 5.0 + heading.perp() * 0.8, 2.9);
                Camera::looking_at(eye, on(at + heading * 2.5, 1.2))
            }
            Self::Map => {
                let camera =
                    Camera { pitch: -1.55, yaw: std::f32::consts::FRAC_PI_2, ..Camera::default() };
                let up = side * 0.5 / (camera.fov * 0.5).tan() * 1.08;
                Camera { eye: centre.extend(world.ground_height(centre) + up), ..camera }
            }
        })
    }
}

/// Moves a place out of walls: up to some steps towards the middle.
fn clear_of_walls(world: &World, p: Vec2, wild: bool) -> Vec2 {
    let bounds = world.bounds();
    let mut at = p;
    for _ in 0..40 {
        let inside = bounds.contains(at);
        let open =
            inside && world.terrain.cell_of(at).is_some_and(|c| world.terrain[c].is_finite());
        if !wild || open {
            break;
        }
        at += (bounds.centre() - at) * 0.03;
    }
    at
}

/// The middle of the square with most people, of a coarse grid over the world.
fn busiest(world: &World, agents: &[Instance]) -> Option<Vec2> {
    const CELLS: usize = 48;
    let bounds = world.bounds();
    let cell = (bounds.max - bounds.min).max_element() / CELLS as f32;
    let mut sums = vec![(0_u32, Vec2::ZERO); CELLS * CELLS];
    for agent in agents {
        let p = Vec2::new(agent.position[0], agent.position[1]);
        let q = ((p - bounds.min) / cell).clamp(Vec2::ZERO, Vec2::splat(CELLS as f32 - 1.0));
        let sum = &mut sums[q.y as usize * CELLS + q.x as usize];
        *sum = (sum.0 + 1, sum.1 + p);
    }
    // Not at the rim: there is little to see behind it.
    let inner = |i: usize| {
        let (x, y) = (i % CELLS, i / CELLS);
        (CELLS / 8..CELLS * 7 / 8).contains(&x) && (CELLS / 8..CELLS * 7 / 8).contains(&y)
    };
    let best = sums.iter().enumerate().max_by_key(|(i, s)| (s.0 > 0, inner(*i), s.0, *i));
    best.and_then(|(_, s)| (s.0 > 0).then(|| s.1 / s.0 as f32))
}

/// A place some metres from `to` with nobody right before the lens, clear of walls.
fn best_stand(world: &World, agents: &[Instance], to: Vec2) -> Vec2 {
    let away = 8.5;
    let score = |i: u32| {
        let p = to + Vec2::from_angle(i as f32 * std::f32::consts::TAU / 16.0) * away;
        let near = agents.iter().filter(|a| {
            let q = Vec2::new(a.position[0], a.position[1]);
            q.distance_squared(p) < 4.0 || q.distance_squared(p.lerp(to, 0.3)) < 2.0
        });
        let walled = if world.is_free(p, 0.5) { 0 } else { 1000 };
        // Rather uphill than down, and with the sun from the side.
        let rise = ((world.ground_height(to) - world.ground_height(p)) * 2.0) as i64;
        (walled + near.count() as i64 + rise, i, p)
    };
    (0..16).map(score).min_by_key(|&(s, i, _)| (s, i)).map_or(to, |(_, _, p)| p)
}
