//! Spawns: putting people on the ground, at the start and over time.

use glam::Vec2;
use throng_world::World;
use throng_world::world::{Amount, Layout, MOST_IN_PARTY, Party, Shape, Targets};

use crate::agents::{NONE, NewAgent, TARGETED, Traits, WAITING};
use crate::behave::draw;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::event::{AgentId, EventKind};
use crate::random::{self, Purpose, mix, to_unit};
use crate::walls::Walls;

/// Tries to find a free place for somebody before giving up.
const TRIES: u64 = 40;
/// Tries for somebody of a stream in one step.
pub(crate) const TRIES_OF_STREAMS: u64 = TRIES / 4;
/// Above this share of the ground covered by bodies, people are put on a lattice.
const LATTICE_SHARE: f32 = 0.25;

/// What the spawns have done so far.
#[derive(Clone, Debug)]
pub(crate) struct Spawner {
    /// People made by each spawn.
    pub(crate) made: Vec<u32>,
    /// The party that the last of each spawn came with, and how many there are.
    pub(crate) party: Vec<u32>,
    pub(crate) parties: u32,
    streams: Vec<Option<(f32, f32, f32, u32)>>,
    /// Largest radius and speed of anybody so far.
    pub(crate) widest: f32,
    pub(crate) fastest_speed: f32,
}

impl Spawner {
    pub(crate) fn new(world: &World) -> Result<Self, CrowdError> {
        let mut streams = Vec::new();
        for spawn in &world.spawns {
            if usize::from(spawn.group) >= world.groups.len() {
                return Err(CrowdError::Unknown {
                    what: "group",
                    given: spawn.group.to_string(),
                    count: world.groups.len(),
                });
            }
            streams.push(match spawn.amount {
                Amount::Rate { per_second, from, until, at_most } => {
                    Some((per_second, from, until, at_most))
                }
                _ => None,
            });
        }
        let none = vec![0; world.spawns.len()];
        // Parties of a name are numbered by their first spawn, the others after those.
        let parties = world.spawns.len() as u32;
        Ok(Self {
            made: none.clone(),
            party: none,
            parties,
            streams,
            widest: 0.0,
            fastest_speed: 0.0,
        })
    }

    /// The place in its party of the next of a spawn; it counts as made.
    fn join_party(&mut self, world: &World, spawn: usize) -> u32 {
        let made = self.made[spawn];
        let place = match world.spawns[spawn].party {
            Party::None => NONE,
            Party::Of(size) => {
                if made.is_multiple_of(size) {
                    self.party[spawn] = self.parties;
                    self.parties += 1;
                }
                self.party[spawn] * MOST_IN_PARTY + made % size
            }
            Party::Shared(party) => {
                let same = world.spawns.iter().zip(&self.made);
                let same = same.filter(|(s, _)| s.party == Party::Shared(party));
                let before: u32 = same.map(|(_, made)| *made).sum();
                party * MOST_IN_PARTY + before % MOST_IN_PARTY
            }
        };
        self.made[spawn] += 1;
        place
    }

    /// How many a stream should have made by a time.
    pub(crate) fn due(&self, spawn: usize, time: f64) -> u32 {
        let Some((per_second, from, until, at_most)) = self.streams[spawn] else { return 0 };
        let open = (time.min(f64::from(until)) - f64::from(from)).max(0.0);
        ((open * f64::from(per_second)) as u64).min(u64::from(at_most)) as u32
    }

    pub(crate) fn more_to_come(&self, time: f64) -> bool {
        (0..self.made.len()).any(|s| {
            self.streams[s].is_some_and(|(per_second, _, until, at_most)| {
                let last = self.due(s, f64::from(until)).min(at_most);
                per_second > 0.0 && (self.made[s] < last || time < 0.0)
            })
        })
    }
}

/// Free ground within shapes, to draw points from.
struct Ground<'a> {
    shapes: &'a [Shape],
    /// Running sum of the areas of their bounds.
    areas: Vec<f32>,
    walls: Walls<'a>,
    walled: bool,
}

impl<'a> Ground<'a> {
    fn new(shapes: &'a [Shape], world: &'a World, walled: bool) -> Self {
        let mut sum = 0.0;
        let areas = shapes
            .iter()
            .map(|shape| {
                let size = shape.bounds().size();
                sum += size.x.max(0.05) * size.y.max(0.05);
                sum
            })
            .collect();
        Self { shapes, areas, walls: Walls::new(&world.clearance), walled }
    }

    fn is_free(&self, p: Vec2, radius: f32) -> bool {
        !self.walled || self.walls.distance(p) >= radius
    }

    /// A point of the shapes by two random words; `None` where the throw missed.
    fn throw(&self, bits: u64) -> Option<Vec2> {
        let pick = to_unit(bits) * self.areas.last()?;
        let shape =
            &self.shapes[self.areas.partition_point(|&a| a <= pick).min(self.shapes.len() - 1)];
        let bounds = shape.bounds();
        let (u, v) = (to_unit(mix(bits ^ 0xa5a5)), to_unit(mix(bits ^ 0x5a5a)));
        match shape {
            Shape::Point(p) => Some(*p),
            Shape::Line(a, b) => Some(a.lerp(*b, u)),
            _ => {
                let p = bounds.min + bounds.size() * Vec2::new(u, v);
                (shape.distance(p) <= 0.0).then_some(p)
            }
        }
    }

    /// Points of a hexagonal lattice of a density on free ground, jittered a little, in the order of
    /// a hash.
    fn lattice(&self, density: f32, radius: f32, seed: u64) -> Vec<Vec2> {
        let pitch = (2.0 / (3f32.sqrt() * density)).sqrt();
        let row = pitch * 0.75f32.sqrt();
        let jitter = (0.5 * pitch - radius).max(0.0) * 0.9;
        let mut points = Vec::new();
        for (s, shape) in self.shapes.iter().enumerate() {
            let bounds = shape.bounds();
            let mut y = bounds.min.y + 0.5 * row;
            let mut odd = false;
            while y < bounds.max.y {
                let mut x = bounds.min.x + if odd { pitch } else { 0.5 * pitch };
                while x < bounds.max.x {
                    let bits = mix(seed ^ points.len() as u64 ^ (s as u64) << 40);
                    let turn = to_unit(bits) * std::f32::consts::TAU;
                    let away = jitter * to_unit(mix(bits)).sqrt();
                    let p = Vec2::new(x, y);
                    let moved = p + Vec2::from_angle(turn) * away;
                    let earlier = self.shapes[..s].iter().any(|e| e.distance(p) <= 0.0);
                    if !earlier && shape.distance(p) <= 0.0 && self.is_free(p, radius) {
                        let inside = shape.distance(moved) <= 0.0 && self.is_free(moved, radius);
                        points.push(if inside { moved } else { p });
                    }
                    x += pitch;
                }
                y += row;
                odd = !odd;
            }
        }
        points
    }
}

/// People already on the ground, to keep off.
struct Occupied {
    cell: f32,
    cells: std::collections::HashMap<(i32, i32), Vec<(Vec2, f32)>>,
    widest: f32,
}

impl Occupied {
    fn new(widest: f32) -> Self {
        Self { cell: (2.0 * widest).max(0.05), cells: Default::default(), widest }
    }

    fn key(&self, p: Vec2) -> (i32, i32) {
        ((p.x / self.cell).floor() as i32, (p.y / self.cell).floor() as i32)
    }

    fn add(&mut self, p: Vec2, radius: f32) {
        self.cells.entry(self.key(p)).or_default().push((p, radius));
    }

    fn is_free(&self, p: Vec2, radius: f32) -> bool {
        let reach = ((radius + self.widest) / self.cell).ceil() as i32;
        let (x, y) = self.key(p);
        !(-reach..=reach).any(|dy| {
            (-reach..=reach).any(|dx| {
                self.cells.get(&(x + dx, y + dy)).is_some_and(|others| {
                    others.iter().any(|(o, r)| o.distance_squared(p) < (radius + r) * (radius + r))
                })
            })
        })
    }
}

impl Crowd {
    /// Puts the people of all spawns down that are there from the start.
    pub(crate) fn spawn_at_start(&mut self) -> Result<(), CrowdError> {
        let spawns = self.world.spawns.clone();
        let widest = self.tables.widest.max(0.01);
        let mut occupied = Occupied::new(widest);
        for (index, spawn) in spawns.iter().enumerate() {
            let group = &self.world.groups[usize::from(spawn.group)];
            let radius = group.radius.max();
            let points = match (&spawn.amount, &spawn.layout) {
                (Amount::Rate { .. }, _) => continue,
                (Amount::Count(count), Layout::Positions(points)) => points
                    .iter()
                    .copied()
                    .cycle()
                    .take(if points.is_empty() { 0 } else { *count as usize })
                    .collect(),
                (Amount::Density(_), Layout::Positions(points)) => points.clone(),
                (Amount::Density(density), Layout::Scatter(shapes)) => {
                    let ground = Ground::new(shapes, &self.world, self.walled);
                    ground.lattice(*density, radius, self.seed ^ index as u64)
                }
                (Amount::Count(count), Layout::Scatter(shapes)) => {
                    let count = *count as usize;
                    let ground = Ground::new(shapes, &self.world, self.walled);
                    let seed = mix(self.seed ^ (index as u64) << 32 ^ 0x7370_6177);
                    let (points, squeezed, refused) =
                        scatter(&ground, count, radius, seed, &mut occupied);
                    self.totals.squeezed += squeezed;
                    self.totals.refused += refused;
                    points
                }
            };
            self.agents.reserve(points.len());
            for p in points {
                occupied.add(p, radius);
                self.put_down(index, p)?;
            }
        }
        Ok(())
    }

    /// Puts down those who are due by the streams; who finds no room comes later.
    pub(crate) fn spawn_due(&mut self) {
        for index in 0..self.world.spawns.len() {
            let due = self.spawner.due(index, self.time);
            while self.spawner.made[index] < due {
                let Some(p) = self.find_room(index) else { break };
                // The group was checked when the crowd was made.
                if self.put_down(index, p).is_err() {
                    break;
                }
            }
        }
    }

    fn find_room(&self, index: usize) -> Option<Vec2> {
        self.find_place(index, |p, radius| self.has_room(p, radius))
    }

    /// All open places that somebody of a stream would try now, in their order.
    #[cfg(feature = "gpu")]
    pub(crate) fn open_places(&self, index: usize) -> Vec<Vec2> {
        let mut places = Vec::new();
        self.find_place(index, |p, _| {
            places.push(p);
            false
        });
        places
    }

    /// The first open place for the next of a stream that suits a body of its size.
    fn find_place(&self, index: usize, mut suits: impl FnMut(Vec2, f32) -> bool) -> Option<Vec2> {
        let spawn = &self.world.spawns[index];
        let radius = self.world.groups[usize::from(spawn.group)].radius.max();
        let made = self.spawner.made[index];
        let salt = mix(self.seed ^ u64::from(made) << 20 ^ self.step ^ (index as u64) << 56);
        match &spawn.layout {
            Layout::Positions(points) => {
                let p = *points.get(made as usize % points.len().max(1))?;
                suits(p, radius).then_some(p)
            }
            Layout::Scatter(shapes) => {
                let ground = Ground::new(shapes, &self.world, self.walled);
                (0..TRIES_OF_STREAMS).find_map(|k| {
                    let p = ground.throw(mix(salt.wrapping_add(k)))?;
                    (ground.is_free(p, radius) && suits(p, radius)).then_some(p)
                })
            }
        }
    }

    /// Whether nobody stands where a body would be put. Those put down since the last sort are at
    /// the end of the arrays.
    fn has_room(&self, p: Vec2, radius: f32) -> bool {
        let reach = radius + self.spawner.widest + 0.5;
        let touches = |j: usize| {
            let r = radius + self.agents.radius[j];
            self.agents.position(j).distance_squared(p) < r * r
        };
        let bins = self.binning.bins();
        let sorted = bins.start(bins.frame.bins());
        let (first, last) = (bins.frame.column(p.x - reach), bins.frame.column(p.x + reach));
        for row in bins.frame.row(p.y - reach)..=bins.frame.row(p.y + reach) {
            let (start, end) = bins.range(row, first, last);
            if (start..end.min(self.agents.len())).any(touches) {
                return false;
            }
        }
        !(sorted..self.agents.len()).any(touches)
    }

    /// Adds a person of a spawn.
    pub(crate) fn put_down(&mut self, index: usize, p: Vec2) -> Result<AgentId, CrowdError> {
        let made = self.spawner.made[index];
        let party = self.spawner.join_party(&self.world, index);
        let spawn = &self.world.spawns[index];
        let target = match &spawn.targets {
            Targets::None => None,
            Targets::Opposite(centre) => Some(*centre * 2.0 - p),
            Targets::At(points) if points.is_empty() => None,
            Targets::At(points) => Some(points[made as usize % points.len()]),
            Targets::Random(shapes) => {
                let ground = Ground::new(shapes, &self.world, self.walled);
                let bits = random::bits(self.seed, self.next_id, 0, Purpose::Target);
                (0..TRIES).find_map(|k| {
                    let p = ground.throw(mix(bits.wrapping_add(k)))?;
                    ground.is_free(p, 0.3).then_some(p)
                })
            }
        };
        self.add_agent(spawn.group as u8, p, target, party)
    }

    /// Adds a person of a group at a place, without asking whether there is room.
    pub(crate) fn add_agent(
        &mut self,
        group: u8,
        p: Vec2,
        target: Option<Vec2>,
        party: u32,
    ) -> Result<AgentId, CrowdError> {
        let id = self.next_id;
        let next = id.checked_add(1).filter(|n| *n < u32::MAX);
        let next =
            next.ok_or(CrowdError::TooMany { what: "agents", most: u32::MAX as usize - 1 })?;
        let kind = &self.world.groups[usize::from(group)];
        let bits = |purpose| random::bits(self.seed, id, 0, purpose);
        let premovement = draw(&kind.premovement, bits(Purpose::Premovement)).max(0.0);
        let mut traits = Traits { group, action: kind.starts as u8, ..Traits::default() };
        traits.set(TARGETED, target.is_some());
        // Everybody begins by waiting, if only for an instant: the first action starts with its own time.
        traits.set(WAITING, true);
        let towards = target.map(|t| t - p).and_then(Vec2::try_normalize);
        let turn = to_unit(bits(Purpose::Heading)) * std::f32::consts::TAU;
        let new = NewAgent {
            id,
            position: p,
            heading: towards.unwrap_or_else(|| Vec2::from_angle(turn)),
            radius: draw(&kind.radius, bits(Purpose::Radius)),
            speed: draw(&kind.speed, bits(Purpose::Speed)),
            traits,
            left: premovement,
            born: self.time as f32,
            target: target.unwrap_or(p),
            party,
        };
        self.next_id = next;
        self.spawner.widest = self.spawner.widest.max(new.radius);
        self.spawner.fastest_speed = self.spawner.fastest_speed.max(new.speed);
        self.agents.push(new);
        self.totals.spawned += 1;
        let agent = (self.agents.len() - 1) as u32;
        self.tell(agent, EventKind::Spawned);
        Ok(AgentId(id))
    }
}

/// Places for `count` people, and how many of them overlap or found no ground.
fn scatter(
    ground: &Ground<'_>,
    count: usize,
    radius: f32,
    seed: u64,
    occupied: &mut Occupied,
) -> (Vec<Vec2>, u64, u64) {
    let area: f32 = ground.shapes.iter().map(Shape::area).sum();
    let body = std::f32::consts::PI * radius * radius;
    if area > 0.0 && count as f32 * body > LATTICE_SHARE * area {
        return crowd_in(ground, count, radius, seed, area);
    }
    let mut points = Vec::with_capacity(count);
    let (mut squeezed, mut refused) = (0, 0);
    for i in 0..count {
        let mut last = None;
        let mut found = None;
        for k in 0..TRIES {
            let throw = ground.throw(mix(seed ^ (i as u64) << 8 ^ k));
            let Some(p) = throw.filter(|&p| ground.is_free(p, radius)) else { continue };
            last = Some(p);
            if occupied.is_free(p, radius) {
                found = Some(p);
                break;
            }
        }
        squeezed += u64::from(found.is_none() && last.is_some());
        match found.or(last) {
            Some(p) => {
                occupied.add(p, radius);
                points.push(p);
            }
            None => refused += 1,
        }
    }
    (points, squeezed, refused)
}

/// Many in little room: on a lattice just dense enough.
fn crowd_in(
    ground: &Ground<'_>,
    count: usize,
    radius: f32,
    seed: u64,
    area: f32,
) -> (Vec<Vec2>, u64, u64) {
    let mut density = count as f32 / area;
    // Discs on a lattice of this density touch.
    let touching = 1.0 / (2.0 * 3f32.sqrt() * radius * radius);
    for _ in 0..40 {
        let mut points = ground.lattice(density, radius, seed);
        if points.len() >= count {
            // An even choice, by hash.
            let mut order: Vec<u32> = (0..points.len() as u32).collect();
            order.sort_unstable_by_key(|&i| mix(seed ^ u64::from(i)));
            order.truncate(count);
            order.sort_unstable();
            points = order.into_iter().map(|i| points[i as usize]).collect();
            let squeezed = if density > touching { count as u64 } else { 0 };
            return (points, squeezed, 0);
        }
        density *= 1.05;
        if points.is_empty() && density > 64.0 * touching {
            break;
        }
    }
    (Vec::new(), 0, count as u64)
}
