//! The ground as rays see it: bilinear patches between the centres of cells, and a pyramid of their maxima.
//!
//! Lengths are in cells, upward too, and heights are from the lowest point: the march knows no metres. Around
//! the grid runs one more row of nodes, as high as those beside them, so that patches cover the grid's whole extent.

use glam::{Vec2, Vec3};
use throng_field::Grid;

/// One level of the pyramid: the highest point of blocks of patches.
#[derive(Debug)]
struct Level {
    width: usize,
    highest: Vec<f32>,
}

/// Heights, ready to be marched over.
#[derive(Debug)]
pub(crate) struct Terrain {
    /// Patches across and down.
    width: usize,
    height: usize,
    /// Heights of the corners of patches, one more than patches in each row and column.
    nodes: Vec<f32>,
    levels: Vec<Level>,
    highest: f32,
    #[cfg(test)]
    lowest_metres: f32,
    cell_size: f32,
    origin: Vec2,
}

/// Where a ray meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// How far, in cells.
    pub(crate) distance: f32,
    /// Where, in cells from the terrain's corner.
    pub(crate) at: Vec2,
}

/// Air that is left between a ray and a block that it is said to pass over, in cells: far above rounding, far
/// below anything seen.
const MARGIN: f32 = 1e-4;
/// No ray is followed further, cells.
const FAR: f32 = 1e7;

impl Terrain {
    /// From finite heights in metres.
    pub(crate) fn new(heights: &Grid<f32>) -> Self {
        let (columns, rows) = (heights.width(), heights.height());
        let (width, height) = (columns + 1, rows + 1);
        let lowest = heights.as_slice().iter().copied().fold(f32::INFINITY, f32::min);
        let mut nodes = Vec::with_capacity((width + 1) * (height + 1));
        for y in 0..=height {
            let row = heights.row(y.saturating_sub(1).min(rows - 1));
            nodes.extend((0..=width).map(|x| {
                (row[x.saturating_sub(1).min(columns - 1)] - lowest) / heights.cell_size()
            }));
        }
        let levels = pyramid(&nodes, width, height);
        let highest = levels.last().map_or(0.0, |top| top.highest[0]);
        Self {
            width,
            height,
            nodes,
            levels,
            highest,
            #[cfg(test)]
            lowest_metres: lowest,
            cell_size: heights.cell_size(),
            // Node 1 is the centre of cell 0.
            origin: heights.origin() - 0.5 * heights.cell_size(),
        }
    }

    /// A place of the world in cells from the terrain's corner.
    pub(crate) fn to_cells(&self, world: Vec2) -> Vec2 {
        (world - self.origin) / self.cell_size
    }

    /// A length in cells.
    pub(crate) fn length_to_cells(&self, metres: f32) -> f32 {
        metres / self.cell_size
    }

    /// Height above the lowest point, in cells.
    pub(crate) fn height(&self, at: Vec2) -> f32 {
        let at = at.clamp(Vec2::ZERO, Vec2::new(self.width as f32, self.height as f32));
        let (x, y) = ((at.x as usize).min(self.width - 1), (at.y as usize).min(self.height - 1));
        let (u, v) = (at.x - x as f32, at.y - y as f32);
        let [h, along, across, twist] = self.patch(x, y);
        h + along * u + across * v + twist * u * v
    }

    /// Height in metres.
    #[cfg(test)]
    pub(crate) fn height_metres(&self, at: Vec2) -> f32 {
        self.height(at) * self.cell_size + self.lowest_metres
    }

    /// Unit normal, by differences over half a cell to each side.
    pub(crate) fn normal(&self, at: Vec2) -> Vec3 {
        let rise = |d: Vec2| self.height(at + d) - self.height(at - d);
        Vec3::new(-rise(Vec2::new(0.5, 0.0)), -rise(Vec2::new(0.0, 0.5)), 1.0).normalize()
    }

    /// A patch as h + a u + b v + c u v.
    fn patch(&self, x: usize, y: usize) -> [f32; 4] {
        let first = y * (self.width + 1) + x;
        let second = first + self.width + 1;
        let (a, b) = (self.nodes[first], self.nodes[first + 1]);
        let (c, d) = (self.nodes[second], self.nodes[second + 1]);
        [a, b - a, c - a, a - b - c + d]
    }

    /// The first point where a ray from above the ground, in cells, with a direction of unit length, meets it.
    ///
    /// Blocks of the pyramid that the ray passes over are skipped whole; below them it goes down the levels to
    /// single patches, which are met exactly. Which patch comes next is kept in integers, so no ray slips
    /// through between two or stands still.
    pub(crate) fn march(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        self.walk::<true>(origin, direction)
    }

    /// The same without the pyramid, patch by patch.
    #[cfg(test)]
    pub(crate) fn march_plainly(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        self.walk::<false>(origin, direction)
    }

    fn walk<const SKIP: bool>(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        let inside = |v: f32, n: usize| v >= 0.0 && v <= n as f32;
        if !(inside(origin.x, self.width) && inside(origin.y, self.height)) {
            return None;
        }
        let (last_x, last_y) = (self.width as i64 - 1, self.height as i64 - 1);
        let (mut x, mut y) = ((origin.x as i64).min(last_x), (origin.y as i64).min(last_y));
        let inverse = direction.truncate().recip();
        let top = self.levels.len() - 1;
        let (mut t, mut level) = (0.0_f32, if SKIP { 2.min(top) } else { 0 });
        loop {
            let z = origin.z + direction.z * t;
            if direction.z >= 0.0 && z > self.highest + MARGIN {
                return None;
            }
            let (block_x, block_y) = (x >> level, y >> level);
            // Where the ray leaves the block, through which side.
            let exit = |block: i64, o: f32, d: f32, inverse: f32| {
                let side = (block + i64::from(d > 0.0)) << level;
                if d == 0.0 { FAR } else { (side as f32 - o) * inverse }
            };
            let exit_x = exit(block_x, origin.x, direction.x, inverse.x);
            let exit_y = exit(block_y, origin.y, direction.y, inverse.y);
            let leave = exit_x.min(exit_y).min(FAR).max(t);
            let block = &self.levels[level];
            let highest = block.highest[block_y as usize * block.width + block_x as usize];
            let lowest_of_ray = z.min(origin.z + direction.z * leave);
            if !(SKIP && lowest_of_ray > highest + MARGIN) {
                if level > 0 {
                    level -= 1;
                    continue;
                }
                if let Some(distance) =
                    self.meet(x as usize, y as usize, origin, direction, t, leave)
                {
                    let at = origin.truncate() + direction.truncate() * distance;
                    return Some(Hit { distance, at });
                }
            }
            if leave >= FAR {
                return None;
            }
            // Into the next block; within it, the patch by rounding, held to the block's own.
            let across =
                |v: f32, block: i64| (v as i64).clamp(block << level, ((block + 1) << level) - 1);
            if exit_x <= exit_y {
                x = if direction.x > 0.0 { (block_x + 1) << level } else { (block_x << level) - 1 };
                y = across(origin.y + direction.y * leave, block_y).min(last_y);
            } else {
                y = if direction.y > 0.0 { (block_y + 1) << level } else { (block_y << level) - 1 };
                x = across(origin.x + direction.x * leave, block_x).min(last_x);
            }
            if x < 0 || y < 0 || x > last_x || y > last_y {
                return None;
            }
            t = leave;
            if SKIP {
                level = (level + 1).min(top);
            }
        }
    }

    /// Where a ray meets one patch between two distances: the least root of a quadratic.
    fn meet(&self, x: usize, y: usize, o: Vec3, d: Vec3, from: f32, to: f32) -> Option<f32> {
        let [h, along, across, twist] = self.patch(x, y);
        let (u, v) = (o.x + d.x * from - x as f32, o.y + d.y * from - y as f32);
        let above = o.z + d.z * from - (h + along * u + across * v + twist * u * v);
        if above <= 0.0 {
            return Some(from);
        }
        let a = -twist * d.x * d.y;
        let b = d.z - along * d.x - across * d.y - twist * (u * d.y + v * d.x);
        let discriminant = b * b - 4.0 * a * above;
        if discriminant < 0.0 {
            return None;
        }
        let q = -0.5 * (b + discriminant.sqrt().copysign(b));
        let valid = |root: f32| root >= 0.0 && root <= to - from;
        let (one, two) = (above / q, q / a);
        let least = match (valid(one), valid(two)) {
            (true, true) => one.min(two),
            (true, false) => one,
            (false, true) => two,
            (false, false) => return None,
        };
        Some(from + least)
    }
}

/// Level 0 is the highest corner of each patch; each further level that of four blocks.
fn pyramid(nodes: &[f32], width: usize, height: usize) -> Vec<Level> {
    let stride = width + 1;
    let mut highest = Vec::with_capacity(width * height);
    for y in 0..height {
        highest.extend((0..width).map(|x| {
            let at = y * stride + x;
            nodes[at].max(nodes[at + 1]).max(nodes[at + stride]).max(nodes[at + stride + 1])
        }));
    }
    let mut levels = vec![Level { width, highest }];
    let (mut width, mut height) = (width, height);
    while width > 1 || height > 1 {
        let Some(below) = levels.last() else { break };
        let (wide, high) = (width.div_ceil(2), height.div_ceil(2));
        let mut highest = Vec::with_capacity(wide * high);
        for y in 0..high {
            for x in 0..wide {
                let (right, down) = ((2 * x + 1).min(width - 1), (2 * y + 1).min(height - 1));
                let at = |x: usize, y: usize| below.highest[y * below.width + x];
                let upper = at(2 * x, 2 * y).max(at(right, 2 * y));
                highest.push(upper.max(at(2 * x, down)).max(at(right, down)));
            }
        }
        levels.push(Level { width: wide, highest });
        (width, height) = (wide, high);
    }
    levels
}
