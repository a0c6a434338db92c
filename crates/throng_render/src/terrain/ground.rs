//! The ground as it is drawn: the scene's heights made finer, cliffs roughened, and land beyond the
//! scene up to the horizon.

use glam::{IVec2, UVec2, Vec2};
use throng_field::{Edge, Grid};
use throng_world::World;

use crate::noise::{fractal, ridges, smoothstep};

/// Vertices along a side of a grid, at most.
const MOST: usize = 2048;
/// The scene's heights are refined until a cell is at most so wide (metres).
const FINE: f32 = 0.6;
/// Quads along a side of a patch.
pub(crate) const QUADS: u32 = 32;
/// Vertices along a side of the land beyond.
const FAR: usize = 513;
/// The land reaches so far beyond the scene at least (metres).
const REACH: f32 = 3000.0;

/// Heights at the corners of square cells.
#[derive(Clone, Debug)]
pub(crate) struct Heights {
    /// Where the first corner lies.
    pub(crate) origin: Vec2,
    /// Side of a cell (metres).
    pub(crate) cell: f32,
    /// Corners in a row, and rows.
    pub(crate) size: UVec2,
    /// Row by row.
    pub(crate) values: Vec<f32>,
}

impl Heights {
    fn from_fn(origin: Vec2, cell: f32, size: UVec2, f: impl Fn(Vec2) -> f32 + Sync) -> Self {
        use rayon::prelude::*;
        let at = |i: u32| {
            let (x, y) = (i % size.x, i / size.x);
            f(origin + Vec2::new(x as f32, y as f32) * cell)
        };
        let values = (0..size.x * size.y).into_par_iter().map(at).collect();
        Self { origin, cell, size, values }
    }

    fn value(&self, at: IVec2) -> f32 {
        let last = self.size.as_ivec2() - 1;
        let at = at.clamp(IVec2::ZERO, last).as_uvec2();
        self.values[(at.y * self.size.x + at.x) as usize]
    }

    /// Between corners; beyond the edge as at the edge.
    pub(crate) fn sample(&self, p: Vec2) -> f32 {
        let q = ((p - self.origin) / self.cell).clamp(Vec2::ZERO, self.size.as_vec2() - 1.0);
        let low = q.floor();
        let (at, t) = (low.as_ivec2(), q - low);
        let v = |x, y| self.value(at + IVec2::new(x, y));
        let bottom = v(0, 0) + (v(1, 0) - v(0, 0)) * t.x;
        let top = v(0, 1) + (v(1, 1) - v(0, 1)) * t.x;
        bottom + (top - bottom) * t.y
    }

    /// Slopes along x and y at a corner, by differences over `over` cells to each side.
    pub(crate) fn slope(&self, at: IVec2, over: i32) -> Vec2 {
        let d = |step: IVec2| {
            (self.value(at + step) - self.value(at - step)) / (2.0 * over as f32 * self.cell)
        };
        Vec2::new(d(IVec2::new(over, 0)), d(IVec2::new(0, over)))
    }

    /// Least and greatest height of the corners in and around a rectangle.
    fn range(&self, min: Vec2, max: Vec2) -> (f32, f32) {
        let at = |p: Vec2| (p - self.origin) / self.cell;
        let last = self.size.as_vec2() - 1.0;
        let low = at(min).floor().clamp(Vec2::ZERO, last).as_uvec2();
        let high = at(max).ceil().clamp(Vec2::ZERO, last).as_uvec2();
        let mut range = (f32::INFINITY, f32::NEG_INFINITY);
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let h = self.values[(y * self.size.x + x) as usize];
                range = (range.0.min(h), range.1.max(h));
            }
        }
        range
    }
}

/// All ground there is.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// The scene.
    pub(crate) near: Heights,
    /// What lies around it.
    pub(crate) far: Heights,
    /// Over so many metres outside the scene the one becomes the other.
    pub(crate) band: f32,
    /// Corner of the scene, and the opposite one.
    pub(crate) min: Vec2,
    pub(crate) max: Vec2,
    /// Side of the square that is drawn, and its corner; whole patches of the finest level.
    pub(crate) root: Vec2,
    pub(crate) levels: u32,
    /// Whether the scene has hills rather than a floor.
    pub(crate) wild: bool,
    /// Least and greatest height over squares of the root, per level from the top, for culling.
    ranges: Vec<Vec<(f32, f32)>>,
}

impl Ground {
    pub(crate) fn new(world: &World) -> Self {
        let bounds = world.bounds();
        let frame = world.heights.as_ref().unwrap_or(&world.terrain);
        let extent = bounds.max - bounds.min;
        let side = extent.max_element();
        // The finest vertices lie on the cell edges of the scene and between, so that feet, whose
        // height is interpolated between cell centres, stand on what is drawn.
        let mut cell = frame.cell_size();
        if world.heights.is_some() && side / cell * 2.0 <= MOST as f32 {
            cell *= 0.5;
        }
        while cell > FINE && side / cell * 2.0 <= MOST as f32 {
            cell *= 0.5;
        }
        while side / cell > MOST as f32 {
            cell *= 2.0;
        }
        let size = (extent / cell).ceil().as_uvec2() + 1;
        let wild = world.heights.is_some();
        let closed = impassable(&world.ground);
        let near = Heights::from_fn(bounds.min, cell, size, |p| {
            world.ground_height(p) + cliff(world, &closed, p)
        });
        let leaf = cell * QUADS as f32;
        let levels = ((side + 2.0 * REACH).max(side * 9.0) / leaf).log2().ceil().max(1.0) as u32;
        let whole = leaf * (1_u32 << levels) as f32;
        let root = bounds.min - ((Vec2::splat(whole) - extent) * 0.5 / leaf).floor() * leaf;
        let centre = (bounds.min + bounds.max) * 0.5;
        let far = Heights::from_fn(root, whole / (FAR - 1) as f32, UVec2::splat(FAR as u32), |p| {
            beyond(p - centre, side, &near, p, wild)
        });
        let mut ground = Self {
            near,
            far,
            band: side * 0.3 + 20.0,
            min: bounds.min,
            max: bounds.max,
            root,
            levels,
            wild,
            ranges: Vec::new(),
        };
        ground.ranges = ground.measure();
        ground
    }

    /// Side of the finest patches (metres).
    pub(crate) fn leaf(&self) -> f32 {
        self.near.cell * QUADS as f32
    }

    /// Height at a point, as the shader has it.
    pub(crate) fn height(&self, p: Vec2) -> f32 {
        let outside = (self.min - p).max(p - self.max).max(Vec2::ZERO).max_element();
        let near = 1.0 - smoothstep(0.0, self.band, outside);
        if near >= 1.0 {
            return self.near.sample(p);
        }
        let (a, b) = (self.far.sample(p), self.near.sample(p));
        a + (b - a) * near
    }

    /// Least and greatest height over a patch of the quadtree; `level` 0 is the finest.
    pub(crate) fn range(&self, level: u32, at: UVec2) -> (f32, f32) {
        let from_top = (self.levels - level) as usize;
        let known = from_top.min(self.ranges.len() - 1);
        let finer = (from_top - known) as u32;
        let at = UVec2::new(at.x >> finer, at.y >> finer);
        self.ranges[known][((at.y << known) + at.x) as usize]
    }

    /// Ranges of the levels from the top down, to squares of about 1/256 of the root.
    fn measure(&self) -> Vec<Vec<(f32, f32)>> {
        let depth = self.levels.min(8);
        let n = 1_u32 << depth;
        let side = self.leaf() * (1_u32 << (self.levels - depth)) as f32;
        let mut finest = Vec::with_capacity((n * n) as usize);
        for y in 0..n {
            for x in 0..n {
                let min = self.root + Vec2::new(x as f32, y as f32) * side;
                let max = min + side;
                // Between the two everything is a mixture of both.
                let far = self.far.range(min, max);
                let touches =
                    max.cmpge(self.min - self.band).all() && min.cmple(self.max + self.band).all();
                finest.push(if touches {
                    let near = self.near.range(min, max);
                    (far.0.min(near.0), far.1.max(near.1))
                } else {
                    far
                });
            }
        }
        let mut levels = vec![finest];
        for d in (0..depth).rev() {
            let below = &levels[levels.len() - 1];
            let n = 1_u32 << d;
            let join = |i: u32| {
                let (x, y) = ((i % n) * 2, (i / n) * 2);
                let v = |dx: u32, dy: u32| below[((y + dy) * n * 2 + x + dx) as usize];
                let all = [v(0, 0), v(1, 0), v(0, 1), v(1, 1)];
                all.into_iter()
                    .fold((f32::INFINITY, f32::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)))
            };
            let joined = (0..n * n).map(join).collect();
            levels.push(joined);
        }
        levels.reverse();
        levels
    }
}

/// How far cells lie within what nobody can walk on: 0 up to two cells from walkable ones, so that
/// nothing changes under feet, and smoothly to 1 behind.
fn impassable(terrain: &Grid<f32>) -> Grid<f32> {
    let around = |grid: &Grid<f32>, reach: i32, i: usize, join: fn(f32, f32) -> f32| {
        let at = grid.cell_at(i);
        let mut joined: Option<f32> = None;
        for y in -reach..=reach {
            for x in -reach..=reach {
                let last = (grid.width() as i32 - 1, grid.height() as i32 - 1);
                let (x, y) =
                    ((at.x as i32 + x).clamp(0, last.0), (at.y as i32 + y).clamp(0, last.1));
                let value = grid.as_slice()[y as usize * grid.width() + x as usize];
                joined = Some(joined.map_or(value, |all| join(all, value)));
            }
        }
        joined.unwrap_or(0.0)
    };
    let closed = terrain.map(|cost| if cost.is_finite() { 0.0 } else { 1.0 });
    let mut eroded = closed.clone();
    for i in 0..closed.cells() {
        eroded.as_mut_slice()[i] = around(&closed, 2, i, f32::min);
    }
    let mut blurred = eroded.clone();
    for i in 0..eroded.cells() {
        blurred.as_mut_slice()[i] = around(&eroded, 1, i, |a, b| a + b) / 9.0;
    }
    blurred
}

/// Roughness of rock where nobody walks.
fn cliff(world: &World, closed: &Grid<f32>, p: Vec2) -> f32 {
    if world.heights.is_none() {
        return 0.0;
    }
    let closed = closed.sample(p, Edge::Clamp);
    if closed == 0.0 {
        return 0.0;
    }
    let d = 2.0 * world.ground.cell_size();
    let h = |dx: f32, dy: f32| world.ground_height(p + Vec2::new(dx, dy));
    let slope = Vec2::new(h(d, 0.0) - h(-d, 0.0), h(0.0, d) - h(0.0, -d)).length() / (2.0 * d);
    let steep = smoothstep(0.35, 0.9, slope);
    let rough = ridges(p / 14.0, 4, 0, 5) - 0.45;
    let lumps = fractal(p / 40.0, 3, 0, 9);
    closed * steep * (rough * 2.4 + lumps * 3.0)
}

/// The land around a scene: hills that rise towards the horizon, mountains around a valley.
fn beyond(from_centre: Vec2, side: f32, near: &Heights, p: Vec2, wild: bool) -> f32 {
    let d = from_centre.length();
    if wild {
        let base = near.sample(p);
        let rise = smoothstep(side * 0.5, side * 2.6, d);
        let warp =
            Vec2::new(fractal(from_centre / side, 3, 0, 81), fractal(from_centre / side, 3, 0, 82));
        let q = from_centre + warp * side * 0.35;
        let peaks = ridges(q / (side * 1.6), 5, 0, 77);
        let hills = fractal(from_centre / (side * 0.35), 5, 0, 31);
        base + rise * (peaks.powf(1.4) * side * 0.72 - side * 0.05) + rise * hills * side * 0.07
    } else {
        let rise = smoothstep(side * 1.2 + 120.0, 2600.0, d);
        let hills = fractal(from_centre / 700.0, 6, 0, 31) * 0.5 + 0.35;
        rise * hills.max(0.0) * 260.0
    }
}
