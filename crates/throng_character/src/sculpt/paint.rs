//! Paints: what a surface is made of, and its colour at a point.

use glam::Vec3;

use super::detail::{fractal, noise, warts};

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Green, with spots and warts.
    Skin,
    /// Ears and limbs' ends.
    SkinDark,
    /// Pale underside.
    Belly,
    /// Rim of the mouth.
    Lip,
    /// Within the mouth.
    Mouth,
    /// With a pupil that lies across.
    Eye,
    /// Teeth.
    Tooth,
    /// Claws.
    Nail,
    /// The tunic.
    Cloth,
    /// A sewn-on piece.
    Patch,
    /// Belt, strap.
    Leather,
    /// Iron.
    Metal,
    /// Handle.
    Wood,
    /// Coarse linen.
    Sack,
    /// Nuggets.
    Gold,
    /// Of a toadstool.
    Cap,
    /// Of a toadstool.
    Stem,
    /// What a ghost is made of.
    Sheet,
    /// Eyes and mouth of a ghost.
    SheetDark,
}

/// A colour and what may tint it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coat {
    /// Reflected light, linear.
    pub colour: Vec3,
    /// How far it takes the tint of skin, 0 to 1.
    pub skin: f32,
    /// How far it takes the tint of cloth, 0 to 1.
    pub cloth: f32,
}

impl Paint {
    /// Over which width it fades into the next paint.
    #[must_use]
    pub fn edge(self) -> f32 {
        match self {
            Self::Skin | Self::SkinDark | Self::Belly => 0.05,
            Self::Sheet => 0.03,
            Self::Lip => 0.012,
            _ => 0.004,
        }
    }

    /// Colour at a point. `eye` is the direction from the middle of the nearest eye, as that sees it.
    #[must_use]
    pub fn coat(self, p: Vec3, eye: Vec3) -> Coat {
        let blotch = fractal(p * 11.0);
        let fine = fractal(p * 60.0);
        let (colour, skin, cloth) = match self {
            Self::Skin => (skin(p, blotch, fine), 1.0, 0.0),
            Self::SkinDark => (skin(p, blotch, fine) * Vec3::new(0.86, 0.8, 0.74), 1.0, 0.0),
            Self::Belly => {
                let pale = srgb(0xd9, 0xd3, 0x86).lerp(srgb(0xb9, 0xc2, 0x6c), blotch);
                (pale * (0.9 + 0.2 * fine), 0.6, 0.0)
            }
            Self::Lip => (srgb(0x7c, 0x8f, 0x3a).lerp(srgb(0x9a, 0x72, 0x4a), 0.45), 0.7, 0.0),
            Self::Mouth => (srgb(0x6a, 0x1c, 0x22), 0.0, 0.0),
            Self::Eye => (eye_colour(eye), 0.0, 0.0),
            Self::Tooth => (srgb(0xf1, 0xe9, 0xcf) * (0.85 + 0.15 * fine), 0.0, 0.0),
            Self::Nail => (srgb(0x4c, 0x3d, 0x2a), 0.0, 0.0),
            Self::Cloth => (cloth_colour(p, blotch), 0.0, 1.0),
            Self::Patch => (srgb(0xc9, 0xb0, 0x7c) * (0.8 + 0.3 * fine), 0.0, 0.35),
            Self::Leather => (srgb(0x6a, 0x42, 0x22) * (0.7 + 0.5 * fine), 0.0, 0.0),
            Self::Metal => {
                let rust = ((blotch - 0.5) * 5.0).clamp(0.0, 1.0);
                (srgb(0x9a, 0xa0, 0xa6).lerp(srgb(0x8a, 0x5a, 0x3a), rust * 0.6), 0.0, 0.0)
            }
            Self::Wood => {
                let ring = noise(Vec3::new(p.x * 150.0, p.y * 150.0, p.z * 12.0));
                (srgb(0x8d, 0x63, 0x38).lerp(srgb(0x5d, 0x3d, 0x20), ring), 0.0, 0.0)
            }
            Self::Sack => (srgb(0xb8, 0x98, 0x68) * (0.65 + 0.5 * blotch), 0.0, 0.2),
            Self::Gold => (srgb(0xff, 0xc8, 0x38) * (0.75 + 0.5 * fine), 0.0, 0.0),
            Self::Cap => {
                let spot = ((warts(p * 30.0) - 0.12) * 8.0).clamp(0.0, 1.0);
                (srgb(0xc8, 0x2c, 0x1c).lerp(srgb(0xf6, 0xea, 0xd6), spot), 0.0, 0.0)
            }
            Self::Stem => (srgb(0xec, 0xdf, 0xc2) * (0.8 + 0.2 * blotch), 0.0, 0.0),
            Self::Sheet => (srgb(0xd4, 0xe8, 0xf2) * (0.85 + 0.2 * blotch), 1.0, 0.0),
            Self::SheetDark => (srgb(0x10, 0x18, 0x2c), 0.0, 0.0),
        };
        Coat { colour: colour.clamp(Vec3::ZERO, Vec3::ONE), skin, cloth }
    }
}

/// Frog green, darker and bluer on top, with spots.
fn skin(p: Vec3, blotch: f32, fine: f32) -> Vec3 {
    let base = srgb(0x86, 0xa8, 0x3a).lerp(srgb(0x55, 0x86, 0x34), blotch);
    let spot = ((warts(p * 13.0 + 4.0) - 0.10) * 6.0).clamp(0.0, 1.0) * back(p);
    let wart = (warts(p * 26.0) * 2.0).min(1.0);
    let colour = base.lerp(srgb(0x2f, 0x58, 0x30), spot * 0.75);
    colour.lerp(srgb(0xa9, 0xb6, 0x4c), wart * 0.45) * (0.85 + 0.3 * fine)
}

/// 1 behind and above, 0 before and below: where spots grow.
fn back(p: Vec3) -> f32 {
    ((0.06 - p.x) * 8.0 + (p.z - 0.78).max(0.0) * 6.0).clamp(0.15, 1.0)
}

fn cloth_colour(p: Vec3, blotch: f32) -> Vec3 {
    // Grey of a middle brightness: the tint makes the colour. Worn lighter at edges, dirty at the hem.
    let dirt = ((0.34 - p.z) * 8.0 + (blotch - 0.5) * 1.5).clamp(0.0, 1.0);
    srgb(0xd2, 0xcc, 0xc2).lerp(srgb(0x86, 0x6c, 0x4c), dirt * 0.6) * (0.8 + 0.35 * blotch)
}

/// Gold with darker rays, a wide pupil that lies across, a light rim and a glint.
fn eye_colour(d: Vec3) -> Vec3 {
    let d = d.normalize_or(Vec3::X);
    let (across, up) = (d.y, d.z);
    let around = across.hypot(up);
    if d.x < 0.0 {
        return srgb(0xd8, 0xc0, 0x70);
    }
    let glint = glam::vec2(across - 0.24, up - 0.26).length();
    if glint < 0.13 || glam::vec2(across + 0.2, up + 0.2).length() < 0.06 {
        return srgb(0xff, 0xff, 0xff);
    }
    let pupil = glam::vec2(across / 0.42, up / 0.34).length();
    let iris = srgb(0xf2, 0xa8, 0x1c).lerp(srgb(0xf8, 0xdd, 0x5a), (around * 1.5).min(1.0));
    let ray = 0.86 + 0.14 * (up.atan2(across) * 24.0).sin();
    let white = ((around - 0.66) * 14.0).clamp(0.0, 1.0);
    let rim = 1.0 - ((around - 0.60).abs() * -30.0 + 1.0).clamp(0.0, 1.0) * 0.75;
    let colour = (iris * ray * rim).lerp(srgb(0xf4, 0xee, 0xd8), white);
    colour.lerp(srgb(0x12, 0x0c, 0x08), ((1.04 - pupil) * 14.0).clamp(0.0, 1.0))
}

/// A colour as screens have it, made linear.
#[must_use]
pub fn srgb(r: u32, g: u32, b: u32) -> Vec3 {
    Vec3::from([r, g, b].map(|v| {
        let v = v as f32 / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    }))
}
