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
        for _ in 0..APRON {
            self.extend();
        }
    }

    /// One ring of unreachable cells gets directions towards its reachable neighbours.
    fn extend(&mut self) {
        self.apron.clear();
        for y in 0..self.height {
            for x in 0..self.width {
                if self.codes[y * self.width + x] == UNREACHABLE && self.way_out(x, y).is_some() {
                    self.apron.push((y * self.width + x) as u32);
                }
            }
        }
        // Two passes, so that a ring does not feed on itself. The second goes backwards over a list
        // of codes kept in the same memory.
        let ring = self.apron.len();
        for i in 0..ring {
            let cell = self.apron[i] as usize;
            let d = self.way_out(cell % self.width, cell / self.width).unwrap_or(Vec2::ZERO);
            let code = [(d.x * UNIT) as i16, (d.y * UNIT) as i16];
            self.apron.push(u32::from(code[0] as u16) << 16 | u32::from(code[1] as u16));
        }
        for i in 0..ring {
            let code = self.apron[ring + i];
            self.codes[self.apron[i] as usize] = [(code >> 16) as u16 as i16, code as u16 as i16];
        }
    }

    fn way_out(&self, x: usize, y: usize) -> Option<Vec2> {
        let mut sum = Vec2::ZERO;
        let mut any = false;
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
            let (nx, ny) = (x as isize + dx, y as isize + dy);
            if nx < 0 || ny < 0 || nx >= self.width as isize || ny >= self.height as isize {
                continue;
            }
            if self.codes[ny as usize * self.width + nx as usize] != UNREACHABLE {
                sum += Vec2::new(dx as f32, dy as f32).normalize_or_zero();
                any = true;
            }
        }
        any.then(|| sum.normalize_or(Vec2::X))
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
