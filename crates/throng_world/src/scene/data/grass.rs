//! The grass of a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grass::{GrassParams, WindParams};

macro_rules! section {
    ($($(#[$meta:meta])* $name:ident: $ty:ty,)*) => {
        /// The section `[grass]`: maps, and whatever differs from the defaults of [`GrassParams`].
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct GrassData {
            /// Whether there is grass. Without it: yes, if this section is there or the ground has hills.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub on: Option<bool>,
            /// How dense it grows, 0 to 1: grey PNG (white is dense) or ASCII grid, over all of the ground.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub density_map: Option<String>,
            /// Which way it leans: grey PNG (black to white is a full turn from the x axis) or ASCII grid in degrees.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub direction_map: Option<String>,
            /// How untidy it grows, 0 to 1: as `density_map`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub messiness_map: Option<String>,
            $($(#[$meta])* #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<$ty>,)*
        }

        impl GrassData {
            /// The parameters it asks for.
            #[must_use]
            pub fn params(&self) -> GrassParams {
                let usual = GrassParams::default();
                GrassParams { $($name: self.$name.clone().unwrap_or(usual.$name),)* }
            }
        }
    };
}

section! {
    /// Clumps per square metre where it grows best; a clump is three crossed billboards. Usual: 4.
    #[schemars(range(min = 0.0, max = 64.0))]
    density: f32,
    /// Most billboards; where the ground would bear more, it bears them thinner. Usual: 1,500,000.
    #[schemars(range(max = 8_000_000))]
    most: u32,
    /// Least and greatest width of a billboard (metres). Usual: 0.4 to 0.7.
    #[schemars(inner(range(min = 0.05, max = 3.0)))]
    width: [f32; 2],
    /// Least and greatest height of a billboard (metres). Usual: 0.3 to 0.7.
    #[schemars(inner(range(min = 0.05, max = 3.0)))]
    height: [f32; 2],
    /// How much of `tilt` clumps lean any way they like. Usual: 0.6.
    #[schemars(range(min = 0.0, max = 1.0))]
    messiness: f32,
    /// Greatest lean by chance, where messiness is 1 (degrees). Usual: 35.
    #[schemars(range(min = 0.0, max = 80.0))]
    tilt: f32,
    /// How far all lean along the direction map, or downhill without one (degrees). Usual: 6.
    #[schemars(range(min = 0.0, max = 80.0))]
    lean: f32,
    /// Share of clumps with flowers where they flower most. Usual: 0.35.
    #[schemars(range(min = 0.0, max = 1.0))]
    flowers: f32,
    /// The wind.
    wind: WindParams,
    /// Seconds until grass that was trodden on stands again. Usual: 4.
    #[schemars(range(min = 0.1, max = 3600.0))]
    recovery: f32,
    /// How far trodden grass bends at its tip (radians). Usual: 1.4.
    #[schemars(range(min = 0.0, max = 3.0))]
    bend: f32,
    /// Radius of what feet tread down (metres). Usual: 0.3.
    #[schemars(range(min = 0.05, max = 2.0))]
    foot: f32,
    /// Over so many metres on either side of that radius the print fades. Usual: 0.1.
    #[schemars(range(min = 0.01, max = 1.0))]
    edge: f32,
    /// How much one passing wears the ground, as a share of bare soil. Usual: 0.06.
    #[schemars(range(min = 0.0, max = 1.0))]
    wear: f32,
    /// Seconds until a half of the wear is grown over. Usual: 240.
    #[schemars(range(min = 1.0, max = 1_000_000.0))]
    regrowth: f32,
    /// Share of the cost of walking that worn ground saves: people follow trodden paths. Usual: 0, they do not care.
    #[schemars(range(min = 0.0, max = 0.9))]
    paths: f32,
    /// Within so many metres of the camera blades part around bodies; 0: nowhere. Usual: 24.
    #[schemars(range(min = 0.0, max = 200.0))]
    near: f32,
    /// Most clumps that part at once. Usual: 16,384.
    #[schemars(range(max = 1_000_000))]
    pool: u32,
    /// Stiffness of the springs of a blade. Usual: 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    stiffness: f32,
    /// Sweeps over the springs in a step. Usual: 4.
    #[schemars(range(min = 0, max = 64))]
    sweeps: u32,
}
