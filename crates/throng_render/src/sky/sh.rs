//! Light from all around, as spherical harmonics of order 3: nine coefficients of linear sRGB.
//!
//! The real, orthonormal basis in the order (0), (1, -1) (1, 0) (1, 1), (2, -2) … (2, 2), which is 1, y, z, x,
//! xy, yz, 3z² - 1, xz, x² - y² times a constant each.

use std::f32::consts::PI;
use std::ops::{Add, AddAssign, Mul, Sub};

use glam::Vec3;

/// Coefficients of a channel.
pub const COEFFICIENTS: usize = 9;

/// What a clamped cosine does to each band, over π (Ramamoorthi and Hanrahan 2001).
pub const LAMBERT: [f32; 3] = [1.0, 2.0 / 3.0, 0.25];

/// Normal irradiance 1 from one direction, as seen through nine coefficients, is this much of the basis there:
/// 16 π / 17 gives a surface that faces the light irradiance π (Sloan 2008, "Stupid Spherical Harmonics
/// Tricks", normalisation).
pub const UNIT_LIGHT: f32 = 16.0 * PI / 17.0;

/// Weights of the channels where the dominant direction is sought (the demo's, which are those of NTSC).
pub const WEIGHTS: Vec3 = Vec3::new(0.3, 0.59, 0.11);

/// The basis in a direction of unit length.
#[must_use]
pub fn basis(d: Vec3) -> [f32; COEFFICIENTS] {
    [
        0.282_094_8,
        0.488_602_52 * d.y,
        0.488_602_52 * d.z,
        0.488_602_52 * d.x,
        1.092_548_4 * d.x * d.y,
        1.092_548_4 * d.y * d.z,
        0.315_391_57 * (3.0 * d.z * d.z - 1.0),
        1.092_548_4 * d.x * d.z,
        0.546_274_2 * (d.x * d.x - d.y * d.y),
    ]
}

/// The band of a coefficient.
#[must_use]
pub const fn band(coefficient: usize) -> usize {
    match coefficient {
        0 => 0,
        1..=3 => 1,
        _ => 2,
    }
}

/// Radiance from all around.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sh(pub [Vec3; COEFFICIENTS]);

/// One strong light and the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dominant {
    /// Unit vector to the light; straight up where light comes from all around alike.
    pub direction: Vec3,
    /// Irradiance on a surface that faces it, over π: times a cosine and an albedo, the radiance that leaves.
    pub colour: Vec3,
    /// What is left without it.
    pub residual: Sh,
}

impl Sh {
    /// The same radiance from everywhere.
    #[must_use]
    pub fn constant(radiance: Vec3) -> Self {
        let mut sh = Self::default();
        sh.0[0] = radiance * (2.0 * PI.sqrt());
        sh
    }

    /// Adds radiance from a small solid angle (steradians) about a direction.
    pub fn put(&mut self, direction: Vec3, radiance: Vec3, solid_angle: f32) {
        let weighted = radiance * solid_angle;
        for (sum, basis) in self.0.iter_mut().zip(basis(direction)) {
            *sum += weighted * basis;
        }
    }

    /// Radiance from a direction, smoothed to what nine coefficients hold.
    #[must_use]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        self.0.iter().zip(basis(direction)).map(|(c, b)| *c * b).sum()
    }

    /// Irradiance on a surface with this normal: π L under a uniform L.
    #[must_use]
    pub fn irradiance(&self, normal: Vec3) -> Vec3 {
        let terms = self.0.iter().zip(basis(normal)).enumerate();
        let sum: Vec3 = terms.map(|(i, (c, b))| *c * (b * LAMBERT[band(i)])).sum();
        (sum * PI).max(Vec3::ZERO)
    }

    /// Takes the strongest light out: its direction by the linear terms, its colour by projection (Sloan
    /// 2008). The demo swaps axes here; our x, y and z are those of the world.
    #[must_use]
    pub fn dominant(&self) -> Dominant {
        let linear = |i: usize| self.0[i].dot(WEIGHTS);
        let toward = Vec3::new(linear(3), linear(1), linear(2));
        let direction = toward.try_normalize().unwrap_or(Vec3::Z);
        let light = basis(direction).map(|b| b * UNIT_LIGHT);
        let denominator: f32 = light.iter().map(|l| l * l).sum();
        let along: Vec3 = self.0.iter().zip(light).map(|(c, l)| *c * l).sum();
        let colour = (along / denominator).max(Vec3::ZERO);
        let mut residual = *self;
        for (c, l) in residual.0.iter_mut().zip(light) {
            *c -= colour * l;
        }
        Dominant { direction, colour, residual }
    }
}

impl Add for Sh {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Sh {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl Sub for Sh {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl Mul<f32> for Sh {
    type Output = Self;
    fn mul(self, by: f32) -> Self {
        Self(self.0.map(|c| c * by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sphere(n: usize) -> impl Iterator<Item = (Vec3, f32)> {
        let each = 4.0 * PI / (n as f32);
        (0..n).map(move |i| {
            let z = 1.0 - (2.0 * i as f32 + 1.0) / n as f32;
            let angle = i as f32 * 2.399_963_2;
            let r = (1.0 - z * z).sqrt();
            (Vec3::new(r * angle.cos(), r * angle.sin(), z), each)
        })
    }

    #[test]
    fn the_basis_is_orthonormal() {
        let mut product = [[0.0_f32; 9]; 9];
        for (d, solid) in sphere(20_000) {
            let b = basis(d);
            for i in 0..9 {
                for j in 0..9 {
                    product[i][j] += b[i] * b[j] * solid;
                }
            }
        }
        for (i, row) in product.iter().enumerate() {
            for (j, p) in row.iter().enumerate() {
                assert!((p - f32::from(u8::from(i == j))).abs() < 2e-3, "{i} {j}: {p}");
            }
        }
    }

    #[test]
    fn a_uniform_sky_gives_pi() {
        let sh = Sh::constant(Vec3::new(1.0, 2.0, 3.0));
        for (d, _) in sphere(50) {
            assert!((sh.radiance(d) - Vec3::new(1.0, 2.0, 3.0)).length() < 1e-5);
            assert!((sh.irradiance(d) - PI * Vec3::new(1.0, 2.0, 3.0)).length() < 1e-4);
        }
    }

    /// Half a sphere of light: π L facing it, about half that on a wall, nothing below (within what
    /// nine coefficients can do).
    #[test]
    fn half_a_sphere_of_light() {
        let mut sh = Sh::default();
        for (d, solid) in sphere(20_000) {
            sh.put(d, if d.z > 0.0 { Vec3::ONE } else { Vec3::ZERO }, solid);
        }
        assert!((sh.irradiance(Vec3::Z).x - PI).abs() < 0.02);
        assert!((sh.irradiance(Vec3::X).x - PI / 2.0).abs() < 0.02);
        assert!(sh.irradiance(Vec3::NEG_Z).x < 0.02);
    }

    /// A lamp in a dim room is found where it is, as strong as it is, and the room is left.
    #[test]
    fn the_dominant_light_is_found() {
        for (d, _) in sphere(20) {
            let (lamp, room) = (Vec3::new(5.0, 4.0, 2.0), Vec3::new(0.1, 0.2, 0.4));
            let mut sh = Sh::default();
            sh.put(d, lamp, UNIT_LIGHT);
            let found = sh.dominant();
            assert!((found.direction - d).length() < 1e-3);
            assert!((found.colour - lamp).length() < 1e-3);
            assert!(found.residual.0.iter().all(|c| c.length() < 1e-3));
            let found = (sh + Sh::constant(room)).dominant();
            assert!((found.direction - d).length() < 1e-3);
            let whole = found.residual.irradiance(d) + found.colour * PI;
            assert!((whole - PI * (lamp + room)).length() < 1e-2 * whole.length(), "{whole}");
        }
        assert_eq!(Sh::constant(Vec3::ONE).dominant().direction, Vec3::Z);
    }
}
