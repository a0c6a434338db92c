//! Groups: kinds of people.

use std::path::PathBuf;

/// A distribution to draw a person's quality from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same for all.
    Fixed(f32),
    /// Evenly between two bounds.
    Uniform(f32, f32),
    /// Normal, cut to the bounds.
    Normal {
        /// Mean.
        mean: f32,
        /// Standard deviation.
        deviation: f32,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
    /// Log-normal by the mean and deviation of the logarithm, cut to the bounds.
    LogNormal {
        /// Mean of the logarithm.
        mu: f32,
        /// Deviation of the logarithm.
        sigma: f32,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
    /// Gamma by shape and scale, cut to the bounds.
    Gamma {
        /// Shape.
        shape: f32,
        /// Scale.
        scale: f32,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
    /// Weibull by shape and scale, cut to the bounds.
    Weibull {
        /// Shape.
        shape: f32,
        /// Scale.
        scale: f32,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
}

impl Distribution {
    /// The largest value it can give.
    pub fn max(&self) -> f32 {
        match *self {
            Self::Fixed(v) | Self::Uniform(_, v) => v,
            Self::Normal { max, .. }
            | Self::LogNormal { max, .. }
            | Self::Gamma { max, .. }
            | Self::Weibull { max, .. } => max,
        }
    }

    /// The smallest value it can give.
    pub fn min(&self) -> f32 {
        match *self {
            Self::Fixed(v) | Self::Uniform(v, _) => v,
            Self::Normal { min, .. }
            | Self::LogNormal { min, .. }
            | Self::Gamma { min, .. }
            | Self::Weibull { min, .. } => min,
        }
    }
}

/// Weights of the cost of a way: F = terrain·T + density·D + hazard·A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldWeights {
    /// Weight of the static cost.
    pub terrain: f32,
    /// Weight of the density of people (cost per person and square metre).
    pub density: f32,
    /// Weight of hazards.
    pub hazard: f32,
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self { terrain: 1.0, density: 0.5, hazard: 1.0 }
    }
}

/// Whose body somebody has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A character that ships, by name: `froblin` or `ghost`.
    Named(String),
    /// A glTF or GLB file.
    File(PathBuf),
}

/// How a group is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Casting {
    /// Its body.
    pub body: Body,
    /// Height of a usual body (metres); `None`: the character's own.
    pub height: Option<f32>,
    /// Clip of the character by clip of the scene, where names differ.
    pub clips: Vec<(String, String)>,
}

/// A kind of people.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Colour in maps (red, green, blue).
    pub color: [u8; 3],
    /// Body radius (metres).
    pub radius: Distribution,
    /// Free walking speed (metres per second).
    pub speed: Distribution,
    /// Factors on the walking speed up and down stairs.
    pub climb: f32,
    /// See `climb`.
    pub descend: f32,
    /// How long a person stands after appearing before it does anything (seconds).
    pub premovement: Distribution,
    /// How hard it pushes in contact: 0 gives way to all, 1 is usual.
    pub aggression: f32,
    /// Factor on the time gap kept to whoever walks ahead.
    pub time_gap: f32,
    /// Factor on the distance kept to whoever stands ahead.
    pub standing_gap: f32,
    /// How strongly hazards frighten it: factor on their fear.
    pub fear: f32,
    /// Weights of its ways.
    pub weights: FieldWeights,
    /// What a person does first (index into the actions of the world).
    pub starts: u16,
    /// How it is drawn; `None`: as stand-ins.
    pub character: Option<Casting>,
}
