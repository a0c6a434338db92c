//! Parameters of the grass, with units and defaults, as the section `[grass]` of a scene sets them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How grass grows, sways, yields and recovers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GrassParams {
    /// Clumps per square metre where it grows best; a clump is three crossed billboards.
    #[schemars(range(min = 0.0, max = 64.0))]
    pub density: f32,
    /// Most billboards of a scene; where the ground would bear more, it bears them thinner.
    #[schemars(range(max = 8_000_000))]
    pub most: u32,
    /// Least and greatest width of a billboard (metres).
    #[schemars(inner(range(min = 0.05, max = 3.0)))]
    pub width: [f32; 2],
    /// Least and greatest height of a billboard (metres).
    #[schemars(inner(range(min = 0.05, max = 3.0)))]
    pub height: [f32; 2],
    /// How much of `tilt` clumps lean any way they like, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub messiness: f32,
    /// Greatest lean by chance, where messiness is 1 (degrees).
    #[schemars(range(min = 0.0, max = 80.0))]
    pub tilt: f32,
    /// How far all lean along the direction map, or downhill without one (degrees).
    #[schemars(range(min = 0.0, max = 80.0))]
    pub lean: f32,
    /// Share of clumps with flowers where they flower most, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub flowers: f32,
    /// The wind.
    pub wind: WindParams,
    /// Seconds until grass that was trodden on stands again.
    #[schemars(range(min = 0.1, max = 3600.0))]
    pub recovery: f32,
    /// How far trodden grass bends at its tip (radians).
    #[schemars(range(min = 0.0, max = 3.0))]
    pub bend: f32,
    /// Radius of what feet tread down (metres).
    #[schemars(range(min = 0.05, max = 2.0))]
    pub foot: f32,
    /// Over so many metres on either side of that radius the print fades.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub edge: f32,
    /// How much one passing wears the ground, as a share of bare soil.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub wear: f32,
    /// Seconds until a half of the wear is grown over.
    #[schemars(range(min = 1.0, max = 1_000_000.0))]
    pub regrowth: f32,
    /// Share of the cost of walking that worn ground saves, so that people follow trodden paths; 0: they do not care.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub paths: f32,
    /// Within so many metres of the camera blades part around bodies; 0: nowhere.
    #[schemars(range(min = 0.0, max = 200.0))]
    pub near: f32,
    /// Most clumps that part at once; the others bend by the map alone.
    #[schemars(range(max = 1_000_000))]
    pub pool: u32,
    /// Stiffness of the springs of a blade, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub stiffness: f32,
    /// Sweeps over the springs in a step.
    #[schemars(range(min = 0, max = 64))]
    pub sweeps: u32,
}

/// The wind that grass sways in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WindParams {
    /// Where it blows to, in degrees from the x axis towards the y axis.
    #[schemars(range(min = -360.0, max = 360.0))]
    pub heading: f32,
    /// How fast waves of it travel (metres per second).
    #[schemars(range(min = 0.0, max = 60.0))]
    pub speed: f32,
    /// How far it bends tips in the middle of a gust (radians).
    #[schemars(range(min = 0.0, max = 1.5))]
    pub strength: f32,
    /// How much of that comes in gusts, 0 (steady) to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gusts: f32,
    /// From gust to gust (metres).
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub apart: f32,
}

impl Default for GrassParams {
    fn default() -> Self {
        Self {
            density: 4.0,
            most: 1_500_000,
            width: [0.4, 0.7],
            height: [0.3, 0.7],
            messiness: 0.6,
            tilt: 35.0,
            lean: 6.0,
            flowers: 0.35,
            wind: WindParams::default(),
            recovery: 4.0,
            bend: 1.4,
            foot: 0.3,
            edge: 0.1,
            wear: 0.06,
            regrowth: 240.0,
            paths: 0.0,
            near: 24.0,
            pool: 16_384,
            stiffness: 1.0,
            sweeps: 4,
        }
    }
}

impl Default for WindParams {
    fn default() -> Self {
        Self { heading: 25.0, speed: 2.2, strength: 0.38, gusts: 0.6, apart: 26.0 }
    }
}
