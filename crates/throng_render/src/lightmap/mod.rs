//! Light on the ground, baked once per scene: at every texel the light from all around as spherical harmonics
//! of order 3, and how much of the sun is seen.
//!
//! At each texel, half a person's height above the ground (so that one map does for ground, people and props;
//! the demo's choice), rays are sent into strata of the whole sphere. Those that end in the sky bring the
//! sky, those that meet the ground what it reflects: sun and sky, and light that was reflected before. Rays
//! march over a pyramid of maxima and skip what they pass over.
//!
//! **The sun is kept apart.** The demo bakes the sun into the coefficients, takes the dominant light out again
//! when drawing, and fades the shadows of moving things by how well its direction agrees with the sun's. Seven
//! RGBA textures hold 28 numbers, of which 27 are coefficients; ours holds the visible share of the sun's disc in
//! the last. So direct light is
//!
//! `sun × visible share (baked: terrain) × shadow map (moving things and props) × cosine`
//!
//! and in the shade of a hill the shadow of a person changes nothing, exactly, at any angle: nothing is
//! shadowed twice and no light is counted twice. Direct light also keeps its sharp cosine, which nine
//! coefficients would blur. The demo's way is there as well: [`Texel::environment`] puts the sun back in and
//! [`Sh::dominant`] takes the strongest light out of it; without the sun, that of
//! [`Texel::light`] is the direction from which most of the shade's light comes, for contact shadows and highlights.
//!
//! Units are those of [`sky`](crate::sky). The same input gives the same bits on any number of threads.

mod bake;
mod cache;
mod gpu;
mod strata;
mod terrain;
#[cfg(test)]
mod tests;

use glam::{Vec2, Vec3};
use half::f16;
use throng_field::Grid;
use throng_gpu::Module;

pub use bake::bake;
pub use cache::{Source, load_or_bake};
pub use gpu::LightMapUniforms;

use crate::sky::sh::{COEFFICIENTS, UNIT_LIGHT};
use crate::sky::{SUN_RADIUS, Sh, Sky};

/// WGSL for others to import, after [`sky::MODULES`](crate::sky::MODULES): `throng_render::lightmap`.
pub const MODULES: &[Module] =
    &[Module { name: "throng_render::lightmap", source: include_str!("lightmap.wgsl") }];

/// Layers of the texture, RGBA each.
pub const LAYERS: usize = 7;
/// Most texels along a side: what WebGPU's default limits allow a texture.
pub const MOST_TEXELS: u32 = 8192;
/// Most rays from a texel.
pub const MOST_RAYS: u32 = 1 << 20;

/// What is to be lit.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Heights in metres; walls and buildings may be in them.
    pub heights: &'a Grid<f32>,
    /// Albedo of the ground per cell, as many cells as heights; without it, that of the sky's surroundings.
    pub albedo: Option<&'a Grid<Vec3>>,
    /// Sun and sky.
    pub sky: &'a Sky,
}

/// How it is to be lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Texels across and down, over the extent of the heights; as many as cells by default.
    pub texels: Option<[u32; 2]>,
    /// Rays from each texel, over the whole sphere.
    pub rays: u32,
    /// How often light is reflected by the ground; 0 is sky alone.
    pub bounces: u32,
    /// Rays from each texel to the sun's disc, from places all over the texel.
    pub sun_rays: u32,
    /// Half the width of the sun, radians: the softness of shadows.
    pub sun_radius: f32,
    /// How high above the ground light is gathered, m.
    pub above_ground: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            texels: None,
            rays: 256,
            bounces: 2,
            sun_rays: 16,
            sun_radius: SUN_RADIUS,
            above_ground: 0.9,
        }
    }
}

/// Why there is no light map.
#[derive(Debug, thiserror::Error)]
pub enum LightMapError {
    /// A height or an albedo is no number, or an albedo is not between 0 and 1.
    #[error("{what} of cell ({x}, {y}) is {value}; {wanted}")]
    BadCell {
        /// `height` or `albedo`.
        what: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// What was found.
        value: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// Albedo and heights have different numbers of cells.
    #[error("albedo has {0} x {1} cells and the heights {2} x {3}; they must be the same")]
    Shape(usize, usize, usize, usize),
    /// An option is out of range.
    #[error("light map option `{option}` is {value}; it must be {wanted}")]
    BadOption {
        /// Its name.
        option: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        wanted: &'static str,
    },
}

/// Light at a texel, or between texels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Texel {
    /// Sky and reflected light from all around, without the sun.
    pub light: Sh,
    /// Share of the sun's disc that the terrain leaves free, 0 to 1.
    pub sun: f32,
}

impl Texel {
    /// Irradiance on a surface with this normal; `shadow` is the share of the sun that moving things leave.
    #[must_use]
    pub fn irradiance(&self, normal: Vec3, sky: &Sky, shadow: f32) -> Vec3 {
        let cosine = normal.dot(sky.sun_direction()).max(0.0);
        self.light.irradiance(normal) + sky.sun_irradiance() * (self.sun * shadow * cosine)
    }

    /// All light, the visible sun in it.
    #[must_use]
    pub fn environment(&self, sky: &Sky) -> Sh {
        let mut all = self.light;
        let sun = sky.sun_irradiance() * (self.sun / std::f32::consts::PI);
        all.put(sky.sun_direction(), sun, UNIT_LIGHT);
        all
    }
}

/// The baked light of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct LightMap {
    width: usize,
    height: usize,
    origin: Vec2,
    extent: Vec2,
    /// Layer by layer, row by row, four numbers each.
    layers: Vec<f16>,
}

/// Where a coefficient's channel is: layer and component. The first four coefficients of red, green and blue are
/// layers 0 to 2, the next four 3 to 5; the last is in layer 6, whose fourth component is the sun.
const fn slot(coefficient: usize, channel: usize) -> (usize, usize) {
    match coefficient {
        0..=3 => (channel, coefficient),
        4..=7 => (3 + channel, coefficient - 4),
        _ => (6, channel),
    }
}

impl LightMap {
    fn new(width: usize, height: usize, heights: &Grid<f32>, texels: &[Texel]) -> Self {
        let layers = vec![f16::ZERO; LAYERS * width * height * 4];
        let (origin, extent) = (heights.origin(), heights.extent());
        let mut map = Self { width, height, origin, extent, layers };
        for (index, texel) in texels.iter().enumerate() {
            map.put(index, texel);
        }
        map
    }

    /// One texel that sees all of the sky and of the sun.
    pub(crate) fn open(sky: &Sky) -> Self {
        let layers = vec![f16::ZERO; LAYERS * 4];
        let mut map = Self { width: 1, height: 1, origin: Vec2::ZERO, extent: Vec2::ONE, layers };
        map.put(0, &Texel { light: Sh(sky.sh()), sun: 1.0 });
        map
    }

    fn put(&mut self, index: usize, texel: &Texel) {
        for (coefficient, colour) in texel.light.0.iter().enumerate() {
            for channel in 0..3 {
                *self.number(slot(coefficient, channel), index) = f16::from_f32(colour[channel]);
            }
        }
        *self.number((6, 3), index) = f16::from_f32(texel.sun);
    }

    fn number(&mut self, (layer, component): (usize, usize), index: usize) -> &mut f16 {
        &mut self.layers[(layer * self.width * self.height + index) * 4 + component]
    }

    /// Texels across.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Texels down.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Seven layers of RGBA half floats, each row by row: three with the first four coefficients of red, green and
    /// blue, three with the next four, and the last coefficient with the sun.
    #[must_use]
    pub fn layers(&self) -> &[f16] {
        &self.layers
    }

    /// Light at a texel, held inside the map.
    #[must_use]
    pub fn texel(&self, x: usize, y: usize) -> Texel {
        let index = y.min(self.height - 1) * self.width + x.min(self.width - 1);
        let number = |(layer, component): (usize, usize)| {
            self.layers[(layer * self.width * self.height + index) * 4 + component].to_f32()
        };
        let colour = |i: usize| Vec3::from(std::array::from_fn::<_, 3, _>(|c| number(slot(i, c))));
        Texel { light: Sh(std::array::from_fn::<_, COEFFICIENTS, _>(colour)), sun: number((6, 3)) }
    }

    /// World position of a texel's centre.
    #[must_use]
    pub fn centre(&self, x: usize, y: usize) -> Vec2 {
        let step = self.extent / Vec2::new(self.width as f32, self.height as f32);
        self.origin + (Vec2::new(x as f32, y as f32) + 0.5) * step
    }

    /// Light at a place of the world, between texels; beyond the map that of its edge.
    #[must_use]
    pub fn sample(&self, world: Vec2) -> Texel {
        let size = Vec2::new(self.width as f32, self.height as f32);
        let at = (world - self.origin) / self.extent * size - 0.5;
        let at = if at.is_finite() { at.clamp(Vec2::ZERO, size - 1.0) } else { Vec2::ZERO };
        let (x, y) = (at.x as usize, at.y as usize);
        let t = at - at.floor();
        let blend = |a: Texel, b: Texel, t: f32| Texel {
            light: a.light * (1.0 - t) + b.light * t,
            sun: a.sun + (b.sun - a.sun) * t,
        };
        let upper = blend(self.texel(x, y), self.texel(x + 1, y), t.x);
        blend(upper, blend(self.texel(x, y + 1), self.texel(x + 1, y + 1), t.x), t.y)
    }
}
