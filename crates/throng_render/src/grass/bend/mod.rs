//! Bend: how far wind and feet bend a blade, and where its points then are.
//!
//! Takes a place, a time and the state of the trample map; gives an angle along the ground, and the points of an
//! arc of constant curvature, whose length is that of the blade whatever the angle: nothing stretches. Wind is an
//! angle that is added, four smooth triangle waves (Sousa 2007) under gusts that travel with the wind. Nothing
//! here depends on what was before.

use glam::{Vec2, Vec4};
use throng_gpu::Module;

/// Imported as `throng_render::grass_bend`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::grass_bend", source: include_str!("bend.wgsl") };

/// Frequencies of the four waves, per metre of phase.
pub(crate) const WAVES: Vec4 = Vec4::new(1.975, 0.793, 0.375, 0.193);

/// `Wind` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Wind {
    /// Where it blows to.
    pub(crate) direction: Vec2,
    /// How fast it travels (metres per second).
    pub(crate) speed: f32,
    /// Greatest angle (radians).
    pub(crate) strength: f32,
    pub(crate) waves: Vec4,
    /// Share of it that comes in gusts, and metres from one to the next.
    pub(crate) gusts: f32,
    pub(crate) apart: f32,
    pub(crate) unused: Vec2,
}

/// Blades never bend farther than this (radians).
pub(crate) const FARTHEST: f32 = 2.6;

#[cfg(test)]
pub(crate) mod cpu {
    use super::{FARTHEST, Wind};
    use glam::{Vec2, Vec4};

    fn fract(x: f32) -> f32 {
        x - x.floor()
    }

    /// A wave of straight flanks, 0 to 1, smoothed (spec 4.1, 4.2).
    pub(crate) fn smooth_triangle(f: f32, x: f32) -> f32 {
        let y = (2.0 * fract(f * x + 0.5) - 1.0).abs();
        y * y * (3.0 - 2.0 * y)
    }

    /// The mean of the four waves (eq. 4.3, as a mean).
    pub(crate) fn wave(waves: Vec4, x: f32) -> f32 {
        waves.to_array().iter().map(|f| smooth_triangle(*f, x)).sum::<f32>() * 0.25
    }

    pub(crate) fn gust(wind: &Wind, p: Vec2, time: f32) -> f32 {
        let along = (time * wind.speed - wind.direction.dot(p)) / wind.apart;
        let across = wind.direction.perp_dot(p) / wind.apart;
        let front =
            along + 0.45 * smooth_triangle(0.61, across) + 0.2 * smooth_triangle(1.7, across);
        1.0 - wind.gusts + wind.gusts * smooth_triangle(1.0, front)
    }

    /// The angle that wind adds, as a vector along the ground.
    pub(crate) fn wind_angle(wind: &Wind, p: Vec2, time: f32, phase: f32) -> Vec2 {
        let x = time * wind.speed - wind.direction.dot(p) + phase;
        wind.direction * (wind.strength * gust(wind, p, time) * wave(wind.waves, x))
    }

    /// Where the point at share `q` of a blade of length `h` is that is bent by `angle`: away from the foot and
    /// above it.
    pub(crate) fn arc(h: f32, angle: f32, q: f32) -> Vec2 {
        if angle < 0.01 {
            return Vec2::new(h * q * q * angle * 0.5, h * q);
        }
        let a = angle * q;
        Vec2::new(1.0 - a.cos(), a.sin()) * (h / angle)
    }

    /// Wind and feet together.
    pub(crate) fn bent(wind: Vec2, trodden: Vec2) -> Vec2 {
        let sum = wind + trodden;
        let angle = sum.length();
        if angle > FARTHEST { sum * (FARTHEST / angle) } else { sum }
    }
}
