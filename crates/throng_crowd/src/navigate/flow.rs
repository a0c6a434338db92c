//! The directions of a field, packed to four bytes a cell, to be read at any position.

use glam::Vec2;
use rayon::prelude::*;
use throng_field::{Cell, DirectionField, Grid, Heading};

/// No way from here.
pub(super) const UNREACHABLE: [i16; 2] = [i16::MIN, 0];
/// Longest packed component.
pub(super) const UNIT: f32 = 32767.0;
/// Blends shorter than this share of a unit are no direction.
pub(super) const LEAST: f32 = 0.02;
/// Blocked cells this far from open ground know the way out.
pub(super) const APRON: usize = 3;

/// The direction of a packed cell, of about length 1; `None` where no way leads on.
pub(crate) fn unpacked(code: [i16; 2]) -> Option<Vec2> {
    let d = Vec2::from_array(code.map(f32::from)) / UNIT;
    (code != UNREACHABLE && d.length_squared() > LEAST * LEAST).then_some(d)
}

/// Directions on the cells of a field.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    origin: Vec2,
    per_cell: f32,
    width: usize,
    height: usize,
    codes: Vec<[i16; 2]>,
    /// Whether a cell's direction leads out of blocked ground.
    apron: Vec<u32>,
}

impl Flow {
    pub(crate) fn new(frame: &Grid<f32>) -> Self {
        Self {
            origin: frame.origin(),
            per_cell: 1.0 / frame.cell_size(),
            width: frame.width(),
            height: frame.height(),
            codes: vec![UNREACHABLE; frame.cells()],
            apron: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * (self.codes.capacity() + self.apron.capacity())
    }

    pub(crate) fn codes(&self) -> &[[i16; 2]] {
        &self.codes
    }

    pub(crate) fn codes_mut(&mut self) -> &mut [[i16; 2]] {
        &mut self.codes
    }

    /// Takes over computed directions, and extends them into the edge of blocked ground: whoever
    /// is pushed there finds out again.
    pub(crate) fn pack(&mut self, field: &DirectionField) {
        let width = self.width;
        self.codes.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, code) in row.iter_mut().enumerate() {
                *code = match field.heading(Cell::new(x as u32, y as u32)) {
                    Heading::Towards(d) => [(d.x * UNIT) as i16, (d.y * UNIT) as i16],
                    Heading::Arrived => [0, 0],
                    Heading::Unreachable => UNREACHABLE,
                };
            }
        });
        self.find_edge();
        for ring in 0..APRON {
            if ring > 0 {
                self.find_beyond();
            }
            self.extend();
        }
    }

    /// Lists the unreachable cells beside reachable ones.
    fn find_edge(&mut self) {
        self.apron.clear();
        for cell in 0..self.codes.len() {
            if self.codes[cell] == UNREACHABLE
                && self.around(cell).any(|beside| self.codes[beside] != UNREACHABLE)
            {
                self.apron.push(cell as u32);
            }
        }
    }

    /// Lists the unreachable cells beside those of the last list.
    fn find_beyond(&mut self) {
        let ring = self.apron.len();
        for i in 0..ring {
            for beside in self.around(self.apron[i] as usize) {
                if self.codes[beside] == UNREACHABLE {
                    self.apron.push(beside as u32);
                }
            }
        }
        self.apron.drain(..ring);
        self.apron.sort_unstable();
        self.apron.dedup();
    }

    /// The listed cells get directions towards their reachable neighbours.
    fn extend(&mut self) {
        // Codes are written when all are known, so that a ring does not feed on itself; until then they
        // are kept in the same memory, behind the list.
        let ring = self.apron.len();
        for i in 0..ring {
            let d = self.way_out(self.apron[i] as usize);
            let code = [(d.x * UNIT) as i16, (d.y * UNIT) as i16];
            self.apron.push(u32::from(code[0] as u16) << 16 | u32::from(code[1] as u16));
        }
        for i in 0..ring {
            let code = self.apron[ring + i];
            self.codes[self.apron[i] as usize] = [(code >> 16) as u16 as i16, code as u16 as i16];
        }
        self.apron.truncate(ring);
    }

    /// The cells beside a cell, at most eight.
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        let (x, y) = (cell % width, cell / width);
        let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
        let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
        let cells = rows.flat_map(move |y| columns.clone().map(move |x| y * width + x));
        cells.filter(move |&beside| beside != cell)
    }

    /// The mean direction from a cell to its reachable neighbours.
    fn way_out(&self, cell: usize) -> Vec2 {
        let (x, y) = (cell % self.width, cell / self.width);
        let mut sum = Vec2::ZERO;
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
            let (nx, ny) = (x as isize + dx, y as isize + dy);
            if nx < 0 || ny < 0 || nx >= self.width as isize || ny >= self.height as isize {
                continue;
            }
            if self.codes[ny as usize * self.width + nx as usize] != UNREACHABLE {
                sum += Vec2::new(dx as f32, dy as f32).normalize_or_zero();
            }
        }
        sum.normalize_or(Vec2::X)
    }

    /// The direction at a position (a unit vector), smooth between cell centres; zero where there is
    /// no way or the goal is here.
    #[inline]
    pub(crate) fn at(&self, p: Vec2) -> Vec2 {
        let q = (p - self.origin) * self.per_cell - 0.5;
        let (fx, fy) = (q.x.floor(), q.y.floor());
        let (tx, ty) = (q.x - fx, q.y - fy);
        let clamp = |v: f32, n: usize| (v as isize).clamp(0, n as isize - 1) as usize;
        let (x0, x1) = (clamp(fx, self.width), clamp(fx + 1.0, self.width));
        let (y0, y1) = (clamp(fy, self.height), clamp(fy + 1.0, self.height));
        let mut sum = Vec2::ZERO;
        for (x, y, w) in [
            (x0, y0, (1.0 - tx) * (1.0 - ty)),
            (x1, y0, tx * (1.0 - ty)),
            (x0, y1, (1.0 - tx) * ty),
            (x1, y1, tx * ty),
        ] {
            let code = self.codes[y * self.width + x];
            if code != UNREACHABLE {
                sum += Vec2::new(f32::from(code[0]), f32::from(code[1])) * w;
            }
        }
        let length = sum.length();
        if length > LEAST * UNIT { sum / length } else { Vec2::ZERO }
    }
}
