//! Scaling a scene to another number of people.

use crate::scene::data::{GroundData, SceneData, ShapeData, SpawnData};

/// How a scene is scaled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// People, relative to the scene as written.
    pub(super) people: f64,
    /// Lengths of the place.
    pub(super) length: f64,
}

impl Scale {
    pub(super) fn new(data: &SceneData, agents: Option<u32>) -> Self {
        let nominal = nominal(data);
        let people = match agents {
            Some(agents) if nominal > 0.0 => f64::from(agents.max(1)) / nominal,
            _ => 1.0,
        };
        let length = if data.grow { people.sqrt().clamp(0.01, 100.0) } else { 1.0 };
        Self { people, length }
    }

    /// People per square metre, relative to the scene as written.
    pub(super) fn density(&self) -> f64 {
        self.people / (self.length * self.length)
    }
}

/// How many people the scene means: those at the start, or of its streams if nobody is there at
/// the start.
pub(crate) fn nominal(data: &SceneData) -> f64 {
    let at_start: f64 = data.spawn.iter().map(|s| start_of(s, data)).sum();
    if at_start > 0.0 { at_start } else { data.spawn.iter().map(|s| stream_of(s, data)).sum() }
}

fn start_of(spawn: &SpawnData, data: &SceneData) -> f64 {
    if let Some(count) = spawn.count {
        return f64::from(count);
    }
    if let Some(density) = spawn.density {
        let shapes = spawn.places.iter().chain([&spawn.shape]);
        let area = if spawn.anywhere { ground_area(data) } else { shapes.map(area).sum() };
        return f64::from(density) * area;
    }
    if spawn.rate.is_none() { spawn.positions.len() as f64 } else { 0.0 }
}

fn stream_of(spawn: &SpawnData, data: &SceneData) -> f64 {
    let Some(rate) = spawn.rate else { return 0.0 };
    let until = spawn.until.unwrap_or(data.seconds).min(data.seconds);
    let all = f64::from(rate) * f64::from((until - spawn.from).max(0.0));
    spawn.at_most.map_or(all, |most| all.min(f64::from(most)))
}

fn ground_area(data: &SceneData) -> f64 {
    match &data.ground {
        GroundData::Flat { size: Some([w, h]), .. } => w * h,
        GroundData::Flat { bounds: Some([l, b, r, t]), .. } => (r - l) * (t - b),
        GroundData::Valley { size, .. } | GroundData::City { size, .. } => size * size,
        _ => 0.0,
    }
}

fn area(shape: &ShapeData) -> f64 {
    let pi = std::f64::consts::PI;
    let one = if let Some([_, _, r]) = shape.disc {
        pi * r * r
    } else if let Some([l, b, r, t]) = shape.rect {
        ((r - l) * (t - b)).max(0.0)
    } else if let Some([_, _, inner, outer, from, to]) = shape.sector {
        pi * (outer * outer - inner * inner) * (to - from) / 360.0
    } else if let Some(corners) = &shape.polygon {
        let n = corners.len();
        let cross = |i: usize| {
            let (a, b) = (corners[i], corners[(i + 1) % n]);
            a[0] * b[1] - a[1] * b[0]
        };
        (0..n).map(cross).sum::<f64>().abs() * 0.5
    } else {
        0.0
    };
    one.max(0.0) * shape.repeat.as_ref().map_or(1.0, |r| f64::from(r.count))
}
