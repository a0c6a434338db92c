//! Shade: what a blade sends to the eye, lit from one direction: both sides alike, a broad highlight, and light
//! that comes through it.
//!
//! After section 11.8 of the specification, with the transmission corrected: 0.5 max(-v·b, 0) for unit vectors.

use throng_gpu::Module;

/// Imported as `throng_render::grass_shade`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::grass_shade", source: include_str!("shade.wgsl") };

#[cfg(test)]
pub(crate) mod cpu {
    use glam::Vec3;

    /// Colour of light that came through a blade.
    pub(crate) const THROUGH: Vec3 = Vec3::new(1.0, 0.9, 0.3);

    /// Share that comes through, diffuse, and highlight.
    pub(crate) fn parts(n: Vec3, v: Vec3, b: Vec3) -> [f32; 3] {
        let through = 0.5 * (-v.dot(b)).max(0.0);
        let diffuse = 0.7 * n.dot(b).abs() + 0.3;
        let h = (v + b).normalize_or_zero();
        let shine = (1.0 - through) * n.dot(h).max(0.0).powi(4);
        [through, diffuse, shine]
    }

    pub(crate) fn reflectance(n: Vec3, v: Vec3, b: Vec3) -> Vec3 {
        let [through, diffuse, shine] = parts(n, v, b);
        Vec3::splat(diffuse + shine) + THROUGH * through
    }
}
