//! Where things may stand: walkable and blocked ground, goals, and what stands there already.

use std::collections::HashMap;

use glam::{IVec2, Vec2, Vec3};
use throng_world::World;
use throng_world::world::{Polygon, Shape};

use super::chance::Chance;
use crate::{Mesh, PropInstance};

/// Meshes and their places, as they are gathered.
#[derive(Debug, Default)]
pub(super) struct Stock {
    pub(super) kinds: Vec<(Mesh, Vec<PropInstance>)>,
}

/// Meshes that are alike: one of them is drawn for each place.
#[derive(Clone, Debug)]
pub(super) struct Breed {
    kinds: std::ops::Range<usize>,
    /// How far it reaches out below the height of heads (metres, at scale 1).
    pub(super) girth: f32,
}

impl Stock {
    /// Takes meshes of one breed in.
    pub(super) fn breed(&mut self, meshes: impl IntoIterator<Item = Mesh>) -> Breed {
        let first = self.kinds.len();
        self.kinds.extend(meshes.into_iter().map(|mesh| (mesh, Vec::new())));
        let kinds = first..self.kinds.len();
        let points = self.kinds[kinds.clone()].iter().flat_map(|(mesh, _)| &mesh.positions);
        let low = points.filter(|p| p.z < HEADS);
        let girth = low.map(|p| p.truncate().length()).fold(0.05, f32::max);
        Breed { kinds, girth }
    }

    /// One of a breed goes to a place.
    pub(super) fn put(&mut self, breed: &Breed, instance: PropInstance, chance: &mut Chance) {
        let kind = breed.kinds.start + chance.below(breed.kinds.len());
        if let Some((_, places)) = self.kinds.get_mut(kind) {
            places.push(instance);
        }
    }
}

/// A goal's place: its middle, and a radius around all of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) centre: Vec2,
    pub(super) radius: f32,
    pub(super) fuzz: f32,
    pub(super) goal: usize,
}

/// Discs that are taken, by square.
#[derive(Debug, Default)]
struct Discs {
    squares: HashMap<IVec2, Vec<(Vec2, f32)>>,
}

/// What is higher than this at scale 1 is above heads at any scale (metres).
const HEADS: f32 = 3.0;
/// Side of a square (metres).
const SQUARE: f32 = 16.0;

impl Discs {
    fn add(&mut self, centre: Vec2, radius: f32) {
        let low = ((centre - radius) / SQUARE).floor().as_ivec2();
        let high = ((centre + radius) / SQUARE).floor().as_ivec2();
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                self.squares.entry(IVec2::new(x, y)).or_default().push((centre, radius));
            }
        }
    }

    fn clear(&self, centre: Vec2, radius: f32) -> bool {
        let low = ((centre - radius) / SQUARE).floor().as_ivec2();
        let high = ((centre + radius) / SQUARE).floor().as_ivec2();
        let free = |at: IVec2| {
            let near = self.squares.get(&at).map_or(&[][..], Vec::as_slice);
            near.iter().all(|(c, r)| c.distance_squared(centre) >= (r + radius) * (r + radius))
        };
        (low.y..=high.y).all(|y| (low.x..=high.x).all(|x| free(IVec2::new(x, y))))
    }
}

/// The land as it is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Land<'a> {
    /// Height at a point, within the scene and beyond it.
    pub(crate) height: &'a dyn Fn(Vec2) -> f32,
    /// Whether water stands or runs there.
    pub(crate) wet: &'a dyn Fn(Vec2) -> bool,
}

/// The place.
pub(super) struct Site<'a> {
    pub(super) world: &'a World,
    land: Land<'a>,
    pub(super) seed: u64,
    pub(super) spots: Vec<Spot>,
    goals: Discs,
    taken: Discs,
}

impl<'a> Site<'a> {
    pub(super) fn new(world: &'a World, land: Land<'a>, seed: u64) -> Self {
        let mut spots = Vec::new();
        let mut goals = Discs::default();
        for (goal, kind) in world.goals.iter().enumerate() {
            for place in &kind.places {
                let (centre, radius) = match &place.shape {
                    Shape::Disc { centre, radius } => (*centre, *radius),
                    other => {
                        let bounds = other.bounds();
                        (bounds.centre(), bounds.size().length() * 0.5)
                    }
                };
                goals.add(centre, radius);
                spots.push(Spot { centre, radius, fuzz: place.fuzz, goal });
            }
        }
        Self { world, land, seed, spots, goals, taken: Discs::default() }
    }

    /// Metres into ground that nobody can walk on; negative on ground that people walk.
    pub(super) fn depth(&self, p: Vec2) -> f32 {
        let bounds = self.world.bounds();
        if bounds.contains(p) {
            let depth = -self.world.clearance_at(p);
            // Solid ground goes on beyond the edge of the world: the edge is no bank.
            let edge = (p - bounds.min).min(bounds.max - p).min_element();
            let cell = self.world.clearance.cell_size();
            let edge_is_nearest = depth > 0.0 && edge < depth + 1.5 * cell;
            if edge_is_nearest && !self.world.open_edge {
                throng_world::world::CLEARANCE_CAP
            } else {
                depth
            }
        } else if self.world.open_edge {
            -throng_world::world::CLEARANCE_CAP
        } else {
            throng_world::world::CLEARANCE_CAP
        }
    }

    /// Height of the ground as it is drawn.
    pub(super) fn height(&self, p: Vec2) -> f32 {
        (self.land.height)(p)
    }

    /// Whether there is water.
    pub(super) fn wet(&self, p: Vec2) -> bool {
        (self.land.wet)(p)
    }

    /// Rise per metre, over so many metres.
    pub(super) fn slope(&self, p: Vec2, over: f32) -> f32 {
        let d = |step: Vec2| self.height(p + step) - self.height(p - step);
        Vec2::new(d(Vec2::X * over), d(Vec2::Y * over)).length() / (2.0 * over)
    }

    /// Whether a disc touches no goal.
    pub(super) fn off_goals(&self, p: Vec2, radius: f32) -> bool {
        self.goals.clear(p, radius)
    }

    /// Whether a disc touches nothing that stands.
    pub(super) fn vacant(&self, p: Vec2, radius: f32) -> bool {
        self.taken.clear(p, radius)
    }

    /// Nothing else may stand here.
    pub(super) fn take(&mut self, p: Vec2, radius: f32) {
        self.taken.add(p, radius);
    }

    /// An instance whose foot of this radius stands in the ground all around.
    pub(super) fn stand(&self, p: Vec2, foot: f32, scale: f32, yaw: f32) -> PropInstance {
        let around = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|d| self.height(p + d * foot));
        // On a cliff it clings; it does not sink.
        let own = self.height(p);
        let low = around.into_iter().fold(own, f32::min).max(own - 0.8 * foot - 0.2);
        PropInstance { scale, yaw, ..PropInstance::at(p.extend(low)) }
    }

    /// A free place at the rim of a goal, as near to an angle as may be, for a disc of `foot` metres.
    pub(super) fn rim(&self, spot: &Spot, angle: f32, gap: f32, foot: f32) -> Option<Vec2> {
        let away = spot.radius + spot.fuzz.min(1.5) * 0.5 + gap + foot;
        (0..15).find_map(|i| {
            let turn = (i + 1) / 2;
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let p = spot.centre + Vec2::from_angle(angle + sign * turn as f32 * 0.22) * away;
            let inside = self.world.bounds().contains(p);
            (inside && self.off_goals(p, foot + 0.2) && self.vacant(p, foot)).then_some(p)
        })
    }

    /// The side of a place from which fewest come: away from the goals around it, towards ground that
    /// nobody walks.
    pub(super) fn quiet_side(&self, spot: &Spot) -> f32 {
        let mut pull = Vec2::ZERO;
        for other in &self.spots {
            let to = other.centre - spot.centre;
            let d = to.length();
            if d > 0.1 && d < 90.0 && other.goal != spot.goal {
                pull += to / (d * d);
            }
        }
        for i in 0..16 {
            let out = Vec2::from_angle(i as f32 / 16.0 * std::f32::consts::TAU);
            if self.depth(spot.centre + out * (spot.radius + 4.0)) > 0.0 {
                pull -= out * 0.03;
            }
        }
        (-pull).to_angle()
    }
}

/// A tint: lighter or darker by up to `light`, warmer or cooler by up to `warm`.
pub(super) fn tint(chance: &mut Chance, light: f32, warm: f32) -> Vec3 {
    let (l, w) = (1.0 + light * chance.either(), warm * chance.either());
    Vec3::new(l * (1.0 + w), l, l * (1.0 - w))
}

/// How far an outline lies from a point within it, by direction.
pub(super) fn reach(polygon: &Polygon, centre: Vec2, out: Vec2) -> f32 {
    let mut far: f32 = 0.0;
    for (a, b) in polygon.edges() {
        let (e, d) = (b - a, a - centre);
        let det = out.perp_dot(e);
        if det.abs() < 1e-9 {
            continue;
        }
        let (t, s) = (d.perp_dot(e) / det, d.perp_dot(out) / det);
        if t > 0.0 && (0.0..=1.0).contains(&s) {
            far = far.max(t);
        }
    }
    if far > 0.0 { far } else { (polygon.area() / std::f32::consts::PI).sqrt() }
}
