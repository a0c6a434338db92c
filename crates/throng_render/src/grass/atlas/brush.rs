//! A sheet that blades and petals are painted on.

use glam::{Vec2, Vec3};

/// A square of texels; the first row is the top.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    side: usize,
    /// Colour (linear), and how much is covered.
    colour: Vec<[f32; 4]>,
    through: Vec<f32>,
}

/// A blade: from its root up along a curve, ever narrower. Places in shares of the side, y upwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blade {
    pub(super) root: f32,
    pub(super) tip: Vec2,
    /// How far it bows out sideways.
    pub(super) bow: f32,
    /// Width at its widest.
    pub(super) width: f32,
    /// Where it is widest, from 0 (root) to 1.
    pub(super) widest: f32,
    pub(super) colours: [Vec3; 2],
    pub(super) through: f32,
}

impl Sheet {
    pub(super) fn new(side: usize) -> Self {
        Self { side, colour: vec![[0.0; 4]; side * side], through: vec![0.0; side * side] }
    }

    fn lay(&mut self, x: usize, y: usize, cover: f32, colour: Vec3, through: f32) {
        let i = y * self.side + x;
        let old = &mut self.colour[i];
        let left = old[3] * (1.0 - cover);
        let all = left + cover;
        if all <= 1e-6 {
            return;
        }
        for (c, new) in old.iter_mut().zip(colour.to_array()) {
            *c = (*c * left + new * cover) / all;
        }
        self.through[i] = (self.through[i] * left + through * cover) / all;
        old[3] = all;
    }

    pub(super) fn blade(&mut self, blade: &Blade) {
        let side = self.side as f32;
        let top = (blade.tip.y * side) as usize;
        for row in 0..top.min(self.side) {
            let t = (row as f32 + 0.5) / (blade.tip.y * side);
            let s = 1.0 - t;
            // Quadratic, with its middle moved sideways.
            let middle = (blade.root + blade.tip.x) * 0.5 + blade.bow;
            let x = s * s * blade.root + 2.0 * s * t * middle + t * t * blade.tip.x;
            let shape = if t < blade.widest {
                0.65 + 0.35 * (t / blade.widest.max(1e-3))
            } else {
                ((1.0 - t) / (1.0 - blade.widest)).max(0.0).powf(0.75)
            };
            let half = 0.5 * blade.width * shape;
            let (low, high) = ((x - half) * side, (x + half) * side);
            let (first, last) = (low.floor().max(0.0) as usize, high.ceil().max(0.0) as usize);
            for column in first..last.min(self.side) {
                let (a, b) = (column as f32, column as f32 + 1.0);
                let cover = (b.min(high) - a.max(low)).clamp(0.0, 1.0);
                // A vein in the middle, and one half in the shade of the other.
                let across = (column as f32 + 0.5 - low) / (high - low).max(1e-3) * 2.0 - 1.0;
                let relief = 1.0 - 0.16 * across - 0.14 * (1.0 - (across * 3.0).abs()).max(0.0);
                let colour = blade.colours[0].lerp(blade.colours[1], t.powf(0.8)) * relief;
                self.lay(column, self.side - 1 - row, cover, colour, blade.through);
            }
        }
    }

    /// An ellipse, turned; darker towards its edge by `rim`.
    pub(super) fn petal(&mut self, at: Vec2, radii: Vec2, turn: f32, colour: Vec3, rim: f32) {
        let side = self.side as f32;
        let reach = radii.max_element();
        let at_row = |y: f32| ((1.0 - y) * side).clamp(0.0, side) as usize;
        let at_column = |x: f32| (x * side).clamp(0.0, side) as usize;
        let turn = Vec2::from_angle(-turn);
        for row in at_row(at.y + reach)..(at_row(at.y - reach) + 1).min(self.side) {
            for column in at_column(at.x - reach)..(at_column(at.x + reach) + 1).min(self.side) {
                let p = Vec2::new((column as f32 + 0.5) / side, 1.0 - (row as f32 + 0.5) / side);
                let q = turn.rotate(p - at) / radii;
                let d = q.length();
                let soft = 0.7 / (radii.min_element() * side);
                let cover = ((1.0 - d) / soft + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.lay(column, row, cover, colour * (1.0 - rim * d * d), 0.8);
                }
            }
        }
    }

    /// Share of the texels that are covered by more than a threshold.
    pub(super) fn covered(&self, threshold: f32) -> f32 {
        let n = self.colour.iter().filter(|c| c[3] > threshold).count();
        n as f32 / self.colour.len() as f32
    }

    #[cfg(test)]
    pub(super) fn covered_rows(&self, rows: std::ops::Range<f32>) -> f32 {
        let at = |share: f32| (share * self.side as f32) as usize * self.side;
        let part = &self.colour[at(rows.start)..at(rows.end)];
        part.iter().map(|c| c[3]).sum::<f32>() / part.len().max(1) as f32
    }

    /// This level and coarser ones.
    pub(super) fn levels(mut self, count: usize) -> Vec<Self> {
        self.spill();
        let wanted = self.covered(0.5);
        let mut all = vec![self];
        while all.len() < count {
            let next = all[all.len() - 1].halved();
            all.push(next);
        }
        for sheet in &mut all[1..] {
            sheet.cover(wanted);
        }
        all
    }

    /// Colour reaches beyond the edges of blades.
    fn spill(&mut self) {
        let sum = self.colour.iter().fold([0.0; 4], |mut sum: [f32; 4], c| {
            (0..3).for_each(|k| sum[k] += c[k] * c[3]);
            sum[3] += c[3];
            sum
        });
        let mean = |k: usize| sum[k] / sum[3].max(1e-3);
        for c in &mut self.colour {
            let share = (c[3] * 4.0).min(1.0);
            (0..3).for_each(|k| c[k] = c[k] * share + mean(k) * (1.0 - share));
        }
    }

    fn halved(&self) -> Self {
        let side = (self.side / 2).max(1);
        let mut half = Self::new(side);
        for y in 0..side {
            for x in 0..side {
                let places = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let from = places.map(|(dx, dy)| (2 * y + dy) * self.side + 2 * x + dx);
                let weight = from.iter().map(|&i| self.colour[i][3] + 0.02).sum::<f32>();
                let i = y * side + x;
                for k in 0..3 {
                    half.colour[i][k] = from
                        .iter()
                        .map(|&i| self.colour[i][k] * (self.colour[i][3] + 0.02))
                        .sum::<f32>()
                        / weight;
                }
                half.colour[i][3] = from.iter().map(|&i| self.colour[i][3]).sum::<f32>() * 0.25;
                half.through[i] = from.iter().map(|&i| self.through[i]).sum::<f32>() * 0.25;
            }
        }
        half
    }

    /// Scales coverage so that the share above a half is the wanted one.
    fn cover(&mut self, wanted: f32) {
        let mut all: Vec<f32> = self.colour.iter().map(|c| c[3]).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        let last = ((wanted * all.len() as f32).round() as usize).clamp(1, all.len()) - 1;
        let scale = (0.5 / all[last].max(0.04)).clamp(0.25, 8.0);
        self.colour.iter_mut().for_each(|c| c[3] = (c[3] * scale * 1.0001).min(1.0));
    }

    pub(super) fn colour_bytes(&self) -> Vec<u8> {
        let srgb = |c: f32| {
            let c = c.clamp(0.0, 1.0);
            let v = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (v * 255.0).round() as u8
        };
        let texel =
            |c: &[f32; 4]| [srgb(c[0]), srgb(c[1]), srgb(c[2]), (c[3] * 255.0).round() as u8];
        self.colour.iter().flat_map(texel).collect()
    }

    pub(super) fn through_bytes(&self) -> Vec<u8> {
        self.through.iter().map(|t| (t.clamp(0.0, 1.0) * 255.0).round() as u8).collect()
    }
}
