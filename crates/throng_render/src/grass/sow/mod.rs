//! Sow: where clumps stand, once for a place.
//!
//! Takes the maps of a world's grass and the land as it is drawn; gives clumps in tiles, each tile a row of
//! neighbours in memory, in an order in which any first part of them is evenly thinner. How many stand in a cell is
//! by its area on the slope (`n = floor(density · area + chance)`), chance is an integer hash of seed, cell and
//! number: the same field on every machine. Nothing is sown in walls, in water, or under what stands there.

mod footprint;
#[cfg(test)]
mod tests;

pub(crate) use footprint::Footprints;

use glam::{UVec2, Vec2, Vec3};
use rayon::prelude::*;
use throng_field::Edge;
use throng_world::World;
use throng_world::grass::{GrassMaps, GrassParams};

use super::atlas::{FLOWERS, GRASSES, LOOKS};
use crate::noise::{fractal, smoothstep};

/// Side of a tile (metres).
pub(crate) const TILE: f32 = 4.0;
/// Cells of sowing along a side of a tile.
const CELLS: u32 = 4;
/// Crossed billboards to a clump, as far turned as this against each other.
pub(crate) const CROSSED: u32 = 3;

/// Metres of the greatest width and height that a clump can have, and of the greatest offset of a point.
pub(crate) const SIZE_UNIT: u32 = 4;
pub(crate) const OFFSET_UNIT: u32 = 2;

/// `Clump` in WGSL: 32 bytes for three billboards.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Clump {
    pub(crate) foot: Vec3,
    /// Lean along x and y, of a unit vector upwards; signed 16 bits each.
    pub(crate) lean: u32,
    /// Width and height, in [`SIZE_UNIT`]s; unsigned 16 bits each.
    pub(crate) size: u32,
    /// Look and chance in a byte each, rank among the clumps of the tile in the upper half.
    pub(crate) look: u32,
    /// Which way the first billboard stands, and the tint; unsigned 16 bits each.
    pub(crate) turn: u32,
    /// Slope of the ground along x and y, a quarter of it; signed 16 bits each.
    pub(crate) slope: u32,
}

/// `Tile` in WGSL: where its clumps are, and a sphere around all of them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Tile {
    pub(crate) centre: Vec3,
    pub(crate) radius: f32,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) unused: [u32; 2],
}

/// What was sown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(crate) clumps: Vec<Clump>,
    /// Row by row, also empty ones.
    pub(crate) tiles: Vec<Tile>,
    pub(crate) origin: Vec2,
    /// Tiles in a row, and rows.
    pub(crate) size: UVec2,
    /// Most clumps of a tile.
    pub(crate) fullest: u32,
}

/// The land that is sown on.
pub(crate) struct Soil<'a> {
    pub(crate) world: &'a World,
    pub(crate) params: &'a GrassParams,
    pub(crate) maps: &'a GrassMaps,
    /// Height of the ground as it is drawn.
    pub(crate) height: &'a (dyn Fn(Vec2) -> f32 + Sync),
    /// How bare a place is for reasons that the maps do not know (paths, water), 0 to 1.
    pub(crate) bare: &'a (dyn Fn(Vec2) -> f32 + Sync),
    pub(crate) footprints: &'a Footprints,
}

/// Chance by integer hash: a stream for three numbers.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    state: u32,
}

fn mixed(mut h: u32) -> u32 {
    h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    h ^ (h >> 16)
}

impl Draw {
    pub(crate) fn new(of: [u32; 3]) -> Self {
        let state = of.iter().fold(0x9e37_79b9, |h: u32, x| mixed(h ^ x.wrapping_mul(0x9e37_79b1)));
        Self { state }
    }

    /// The next 32 bits.
    pub(crate) fn bits(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9);
        mixed(self.state)
    }

    /// 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }

    /// -1 to 1.
    pub(crate) fn either(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

fn pair(a: f32, b: f32) -> u32 {
    let snorm = |x: f32| u32::from(((x.clamp(-1.0, 1.0) * 32_767.0).round() as i16) as u16);
    snorm(a) | snorm(b) << 16
}

fn unit_pair(a: f32, b: f32) -> u32 {
    let unorm = |x: f32| (x.clamp(0.0, 1.0) * 65_535.0).round() as u32;
    unorm(a) | unorm(b) << 16
}

impl Soil<'_> {
    /// Sows the field.
    pub(crate) fn sow(&self) -> Field {
        let bounds = self.world.bounds();
        let size = ((bounds.max - bounds.min) / TILE).ceil().max(Vec2::ONE).as_uvec2();
        let thin = self.thinned();
        let rows: Vec<Vec<Vec<Clump>>> = (0..size.y)
            .into_par_iter()
            .map(|y| (0..size.x).map(|x| self.tile(UVec2::new(x, y), thin)).collect())
            .collect();
        let mut field = Field { origin: bounds.min, size, ..Field::default() };
        for clumps in rows.into_iter().flatten() {
            let first = field.clumps.len() as u32;
            field.fullest = field.fullest.max(clumps.len() as u32);
            field.tiles.push(tile_of(&clumps, first));
            field.clumps.extend(clumps);
        }
        field
    }

    /// Factor on the density, so that no more are sown than the scene allows.
    fn thinned(&self) -> f32 {
        let map = &self.maps.density;
        let area = map.cell_size() * map.cell_size();
        let expected: f32 =
            map.as_slice().iter().map(|d| d * area).sum::<f32>() * self.params.density;
        let most = self.params.most as f32 / CROSSED as f32;
        // A little less: chance and slopes add some.
        (0.97 * most / expected.max(1.0)).min(1.0)
    }

    fn slope(&self, p: Vec2) -> Vec2 {
        let d = 0.4;
        let h = |x: f32, y: f32| (self.height)(p + Vec2::new(x, y));
        Vec2::new(h(d, 0.0) - h(-d, 0.0), h(0.0, d) - h(0.0, -d)) / (2.0 * d)
    }

    /// Clumps of a tile, thinnest first.
    fn tile(&self, at: UVec2, thin: f32) -> Vec<Clump> {
        let side = TILE / CELLS as f32;
        let bounds = self.world.bounds();
        let mut clumps: Vec<(u32, Clump)> = Vec::new();
        for cell in 0..CELLS * CELLS {
            let cell = at * CELLS + UVec2::new(cell % CELLS, cell / CELLS);
            let corner = bounds.min + cell.as_vec2() * side;
            let middle = corner + side * 0.5;
            let density = self.maps.density.sample(middle, Edge::Clamp);
            if density <= 0.0 || !bounds.contains(middle) {
                continue;
            }
            let slope = self.slope(middle);
            let area = side * side * (1.0 + slope.length_squared()).sqrt();
            let mut draw = Draw::new([self.world.seed as u32, cell.x, cell.y]);
            let n = (self.params.density * thin * density * area + draw.unit()).floor() as u32;
            for k in 0..n {
                let mut draw = Draw::new([self.world.seed as u32 ^ (k + 1) << 20, cell.x, cell.y]);
                let p = corner + Vec2::new(draw.unit(), draw.unit()) * side;
                if draw.unit() >= (self.bare)(p) && bounds.contains(p) {
                    clumps.extend(self.clump(p, &mut draw).map(|clump| (draw.bits(), clump)));
                }
            }
        }
        clumps.sort_by_key(|(order, clump)| (*order, clump.look));
        let n = clumps.len() as f32;
        let ranked = |(i, (_, clump)): (usize, (u32, Clump))| {
            let rank = ((i as f32 + 0.5) / n * 65_535.0) as u32;
            Clump { look: clump.look | rank << 16, ..clump }
        };
        clumps.into_iter().enumerate().map(ranked).collect()
    }

    fn clump(&self, p: Vec2, draw: &mut Draw) -> Option<Clump> {
        let params = self.params;
        let look = self.look(p, draw);
        let width = draw.between(params.width[0], params.width[1]);
        let height = draw.between(params.height[0], params.height[1]) * LOOKS[look].tall;
        // Not so wide that it reaches into what stands beside it.
        if !self.footprints.free(p, 0.35 * width) {
            return None;
        }
        let slope = self.slope(p);
        let along = self.maps.direction.sample(p, Edge::Clamp).normalize_or_zero();
        let messy = self.maps.messiness.sample(p, Edge::Clamp) * params.messiness;
        let tilt = (params.tilt * messy * draw.unit()).to_radians();
        let any = Vec2::from_angle(draw.unit() * std::f32::consts::TAU);
        let lean = along * params.lean.to_radians().sin() + any * tilt.sin();
        let lean = lean.clamp_length_max(0.9);
        let turn = draw.unit();
        let dry = fractal(p / 31.0, 3, 0, 77) * 0.6 + 0.5 + 0.22 * draw.either();
        let size = unit_pair(width / SIZE_UNIT as f32, height / SIZE_UNIT as f32);
        Some(Clump {
            foot: p.extend((self.height)(p)),
            lean: pair(lean.x, lean.y),
            size,
            look: look as u32 | (draw.bits() & 0xff) << 8,
            turn: unit_pair(turn, dry),
            slope: pair(slope.x * 0.25, slope.y * 0.25),
        })
    }

    /// Which look grows at a place: flowers in drifts, each of one kind mostly.
    fn look(&self, p: Vec2, draw: &mut Draw) -> usize {
        let bloom = smoothstep(-0.08, 0.3, fractal(p / 19.0, 3, 0, 5));
        let chosen = if draw.unit() < bloom * self.params.flowers { FLOWERS } else { GRASSES };
        if chosen == FLOWERS && draw.unit() < 0.75 {
            let drift = fractal(p / 37.0, 2, 0, 23) * 0.5 + 0.5;
            let kinds = FLOWERS.len() as f32;
            return FLOWERS.start + (drift.clamp(0.0, 0.999) * kinds) as usize;
        }
        let whole: f32 = LOOKS[chosen.clone()].iter().map(|look| look.often).sum();
        let mut left = draw.unit() * whole;
        let found = chosen.clone().find(|i| {
            left -= LOOKS[*i].often;
            left < 0.0
        });
        found.unwrap_or(chosen.start)
    }
}

impl Clump {
    /// Width and height (metres).
    pub(crate) fn extent(&self) -> Vec2 {
        let share = |bits: u32| bits as f32 / 65_535.0 * SIZE_UNIT as f32;
        Vec2::new(share(self.size & 0xffff), share(self.size >> 16))
    }
}

/// A sphere around clumps, however they bend.
fn tile_of(clumps: &[Clump], first: u32) -> Tile {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut reach = 0.0_f32;
    for clump in clumps {
        low = low.min(clump.foot);
        high = high.max(clump.foot);
        // Widened clumps are wider; see `widened` in the shader.
        reach = reach.max(clump.extent().x * 0.5).max(clump.extent().y);
    }
    if clumps.is_empty() {
        return Tile { first, ..Tile::default() };
    }
    Tile {
        centre: (low + high) * 0.5,
        radius: (high - low).length() * 0.5 + reach * 1.2 + 0.1,
        first,
        count: clumps.len() as u32,
        unused: [0; 2],
    }
}
