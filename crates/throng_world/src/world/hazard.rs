//! Hazards: what people fear, standing still or moving along a path.

use glam::Vec2;

/// Something to fear and to walk around.
#[derive(Clone, Debug)]
pub struct MovingHazard {
    /// Its name.
    pub name: String,
    /// Colour in maps (red, green, blue).
    pub color: [u8; 3],
    /// Corners of its way; one: it stands still.
    pub path: Vec<Vec2>,
    /// Speed along the way (metres per second).
    pub speed: f32,
    /// Whether it goes round (from the last corner to the first) rather than to and fro.
    pub closed: bool,
    /// Radius of its cost in the fields (metres).
    pub radius: f32,
    /// Cost in its middle, falling to 0 at the radius.
    pub strength: f32,
    /// Radius within which people flee it (metres); 0: they only walk around it.
    pub fear_radius: f32,
    /// When it appears and goes (seconds of simulated time).
    pub active: (f32, f32),
}

impl MovingHazard {
    /// Where it is at a time (seconds), or `None` while it is away.
    pub fn position(&self, time: f64) -> Option<Vec2> {
        if time < f64::from(self.active.0) || time > f64::from(self.active.1) {
            return None;
        }
        let first = *self.path.first()?;
        let legs = self.path.len() - 1 + usize::from(self.closed && self.path.len() > 1);
        let corner = |i: usize| self.path[i % self.path.len()];
        let length: f64 = (0..legs).map(|i| f64::from(corner(i).distance(corner(i + 1)))).sum();
        if length <= 0.0 || self.speed <= 0.0 {
            return Some(first);
        }
        let walked = (time - f64::from(self.active.0).max(0.0)) * f64::from(self.speed);
        let mut along = if self.closed {
            walked.rem_euclid(length)
        } else {
            let there_and_back = walked.rem_euclid(2.0 * length);
            if there_and_back > length { 2.0 * length - there_and_back } else { there_and_back }
        };
        for i in 0..legs {
            let (a, b) = (corner(i), corner(i + 1));
            let leg = f64::from(a.distance(b));
            if along <= leg {
                return Some(a.lerp(b, (along / leg.max(1e-9)) as f32));
            }
            along -= leg;
        }
        Some(corner(legs))
    }
}
