//! Groups and spawns.

use super::{Builder, vec2};
use crate::scene::data::{DistributionData, GroupData, SpawnData};
use crate::scene::refs::{MAX_AGENTS, parse_color, shape_given};
use crate::world::{
    Amount, Distribution, FieldWeights, Group, Layout, Shape, Spawn, Targets, World,
};
use glam::{DVec2, Vec2};

/// Colours of groups that name none.
const PALETTE: [[u8; 3]; 8] = [
    [49, 112, 192],
    [216, 96, 48],
    [64, 160, 96],
    [176, 80, 176],
    [208, 168, 32],
    [64, 176, 192],
    [224, 112, 144],
    [112, 112, 112],
];

pub(super) fn color_of(text: Option<&String>, index: usize) -> [u8; 3] {
    text.and_then(|text| parse_color(text)).unwrap_or(PALETTE[index % PALETTE.len()])
}

/// A distribution of the world; bounds that are not given follow from the deviation, down to `low`.
pub(crate) fn distribution(data: &DistributionData, low: f32) -> Distribution {
    match *data {
        DistributionData::Fixed(value) => Distribution::Fixed(value),
        DistributionData::Uniform([a, b]) => Distribution::Uniform(a, b),
        DistributionData::Normal { mean, deviation, min, max } => Distribution::Normal {
            mean,
            deviation,
            min: min.unwrap_or((mean - 3.0 * deviation).max(low.min(mean))),
            max: max.unwrap_or(mean + 3.0 * deviation),
        },
        DistributionData::LogNormal { mu, sigma, min, max } => Distribution::LogNormal {
            mu,
            sigma,
            min: min.unwrap_or((mu - 3.0 * sigma).exp()),
            max: max.unwrap_or((mu + 3.0 * sigma).exp()),
        },
        DistributionData::Gamma { gamma: shape, scale, min, max } => Distribution::Gamma {
            shape,
            scale,
            min: min.unwrap_or(0.0),
            // By the cube of Wilson and Hilferty, five deviations above the mean.
            max: max.unwrap_or({
                let ninth = 1.0 / (9.0 * shape);
                shape * scale * (1.0 - ninth + 5.0 * ninth.sqrt()).powi(3)
            }),
        },
        DistributionData::Weibull { weibull: shape, scale, min, max } => Distribution::Weibull {
            shape,
            scale,
            min: min.unwrap_or(0.0),
            max: max.unwrap_or(scale * 1e6_f32.ln().powf(1.0 / shape)),
        },
    }
}

impl Builder<'_> {
    pub(super) fn people(&mut self, world: &mut World) {
        let counts = self.counts();
        self.check_parties(&counts);
        for (i, spawn) in self.data.spawn.iter().enumerate() {
            let key = format!("spawn[{i}]");
            if let Some(spawn) = self.spawn(spawn, &key, counts[i], world) {
                world.spawns.push(spawn);
            }
        }
    }

    /// A group; `starts` is the action it starts with.
    pub(super) fn group(&mut self, group: &GroupData, index: usize, starts: u16) -> Group {
        let character = self.casting(group, index);
        Group {
            name: group.name.clone(),
            color: color_of(group.color.as_ref(), index),
            radius: distribution(&group.radius, 0.05),
            speed: distribution(&group.speed, 0.01),
            climb: group.climb,
            descend: group.descend,
            premovement: distribution(&group.premovement, 0.0),
            aggression: group.aggression,
            time_gap: group.time_gap,
            standing_gap: group.standing_gap,
            fear: group.fear,
            weights: FieldWeights {
                terrain: group.weights.terrain,
                density: group.weights.density,
                hazard: group.weights.hazard,
            },
            starts,
            character,
        }
    }

    /// Scaled counts of all spawns. Rounded so that they add up to what was asked for, where
    /// everybody is counted.
    fn counts(&mut self) -> Vec<u32> {
        let written = |s: &SpawnData| -> f64 {
            let exact = if s.rate.is_none() && s.density.is_none() { s.positions.len() } else { 0 };
            s.count.map_or(exact as f64, f64::from)
        };
        let exact: Vec<f64> =
            self.data.spawn.iter().map(|s| written(s) * self.scale.people).collect();
        let total: f64 = exact.iter().sum();
        if total > MAX_AGENTS {
            let what = format!("{total:.0} people would start at once");
            self.findings.add("spawn", what, format!("ask for at most {MAX_AGENTS}"));
            return vec![0; exact.len()];
        }
        let mut carried = 0.0;
        let mut given = 0.0;
        exact
            .iter()
            .map(|count| {
                carried += count;
                let whole = (carried + 1e-9).floor() - given;
                given += whole;
                whole as u32
            })
            .collect()
    }

    fn spawn(&mut self, spawn: &SpawnData, key: &str, count: u32, world: &World) -> Option<Spawn> {
        let group = self.data.group.iter().position(|g| g.name == spawn.group)? as u16;
        let amount = if let Some(density) = spawn.density {
            Amount::Density((f64::from(density) * self.scale.density()) as f32)
        } else if let Some(rate) = spawn.rate {
            let at_most = spawn.at_most.map_or(f64::from(u32::MAX), f64::from) * self.scale.people;
            Amount::Rate {
                per_second: (f64::from(rate) * self.scale.people) as f32,
                from: spawn.from,
                until: spawn.until.unwrap_or(f32::INFINITY),
                at_most: if spawn.at_most.is_some() { at_most.ceil() as u32 } else { u32::MAX },
            }
        } else {
            Amount::Count(count)
        };
        let layout = self.layout(spawn, key, count, world)?;
        let targets = self.targets(spawn, key)?;
        let name = spawn.name.clone().unwrap_or_else(|| spawn.group.clone());
        let party = self.party(spawn);
        Some(Spawn { name, group, amount, layout, targets, party })
    }

    fn layout(
        &mut self,
        spawn: &SpawnData,
        key: &str,
        count: u32,
        world: &World,
    ) -> Option<Layout> {
        let length = self.scale.length;
        let place = |p: [f64; 2]| vec2(DVec2::from(p) * length);
        if let Some([x, y, radius]) = spawn.ring {
            let n = count.max(1);
            let step = std::f64::consts::TAU / f64::from(n);
            let at = |i: u32| DVec2::new(x, y) + DVec2::from_angle(step * f64::from(i)) * radius;
            let points: Vec<Vec2> = (0..n).map(|i| vec2(at(i) * length)).collect();
            self.free_points(&points, &format!("{key}.ring"), world);
            return Some(Layout::Positions(points));
        }
        if !spawn.positions.is_empty() {
            let points: Vec<Vec2> = spawn.positions.iter().map(|p| place(*p)).collect();
            self.free_points(&points, &format!("{key}.positions"), world);
            return Some(Layout::Positions(points));
        }
        let mut shapes = Vec::new();
        if shape_given(&spawn.shape) {
            shapes.extend(self.shapes(&spawn.shape, key));
        }
        for (i, place) in spawn.places.iter().enumerate() {
            shapes.extend(self.shapes(place, &format!("{key}.places[{i}]")));
        }
        if spawn.anywhere {
            let whole = world.bounds();
            shapes.push(Shape::Polygon(crate::world::Polygon::rect(whole)));
        }
        if shapes.is_empty() {
            return None; // Noted where the shape was read.
        }
        if !shapes.iter().all(|s| s.area() > 0.0) {
            let cure = "give an area, or exact `positions`";
            self.findings.add(key, "a point or line has no room for people", cure);
            return None;
        }
        Some(Layout::Scatter(shapes))
    }

    fn free_points(&mut self, points: &[Vec2], key: &str, world: &World) {
        if self.sound
            && let Some(point) = points.iter().find(|p| !stands(world, **p))
        {
            let what = format!("({:.2}, {:.2}) is in a wall or outside", point.x, point.y);
            self.findings.add(key, what, "choose a point on free ground");
        }
    }

    fn targets(&mut self, spawn: &SpawnData, key: &str) -> Option<Targets> {
        let Some(target) = &spawn.target else { return Some(Targets::None) };
        let length = self.scale.length;
        let place = |p: [f64; 2]| vec2(DVec2::from(p) * length);
        if let Some(centre) = target.opposite {
            return Some(Targets::Opposite(place(centre)));
        }
        if let Some(shape) = &target.random {
            let shapes = self.shapes(shape, &format!("{key}.target.random"));
            return (!shapes.is_empty()).then_some(Targets::Random(shapes));
        }
        Some(Targets::At(target.at.iter().map(|p| place(*p)).collect()))
    }
}

/// Whether somebody can stand at a point: on the ground and in no wall. Close to a wall the cell around it may
/// be closed to the fields.
fn stands(world: &World, p: Vec2) -> bool {
    let ground = world.ground.cell_of(p).is_some_and(|cell| world.ground[cell].is_finite());
    ground && world.clearance_at(p) >= 0.0
}
