//! Doors that let only so many through, and lifts.

use glam::Vec2;

use super::Shape;

/// A door that lets only so many through, either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    /// Its two ends.
    pub ends: [Vec2; 2],
    /// At most so many people per metre and second.
    pub flow: f32,
}

/// A lift: a cabin that takes people from one place to another and comes back empty.
#[derive(Clone, Debug)]
pub struct Lift {
    /// The cabin where people get in, and where they get out.
    pub cabins: [Shape; 2],
    /// How long it takes one way (seconds).
    pub seconds: f32,
    /// How many fit in.
    pub capacity: u32,
    /// How long it waits for more once somebody is in (seconds).
    pub dwell: f32,
}

impl Lift {
    /// From a place in the lower cabin to the same place in the other.
    pub fn way(&self) -> Vec2 {
        let [from, to] = &self.cabins;
        to.bounds().centre() - from.bounds().centre()
    }
}

/// When a place of a goal is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// The goal (index).
    pub goal: u16,
    /// The place of it (index).
    pub place: u32,
    /// When it opens and closes (seconds).
    pub hours: (f32, f32),
}

impl Opening {
    /// Whether it is open at a time.
    pub fn is_open(&self, time: f64) -> bool {
        time >= f64::from(self.hours.0) && time < f64::from(self.hours.1)
    }
}

/// Fractional effective dose per second in air with carbon monoxide (parts per million), carbon dioxide and
/// oxygen (per cent): Purser's model as NIST TN 1822 has it in test 2.6. At a dose of 1 people can no more.
pub fn dose_rate(co: f32, co2: f32, o2: f32) -> f32 {
    let [co, co2, o2] = [co, co2, o2].map(f64::from);
    let carbon_monoxide = 4.607e-7 * co.powf(1.036);
    let faster_breath = (0.193 * co2 + 2.0004).exp() / 7.1;
    let little_oxygen = 1.0 / (60.0 * (8.13 - 0.54 * (20.9 - o2)).exp());
    (carbon_monoxide * faster_breath + little_oxygen) as f32
}
