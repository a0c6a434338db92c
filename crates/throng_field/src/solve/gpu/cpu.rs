//! The twin on the CPU of what is published: directions packed to four bytes a cell.

use crate::direction::{DirectionField, Heading};
use crate::grid::Cell;
use glam::Vec2;

/// No way from here.
pub const UNREACHABLE: [i16; 2] = [i16::MIN, 0];
/// Longest packed component.
pub const UNIT: f32 = 32767.0;
/// Closed cells this far from open ground know the way out.
pub const APRON: usize = 3;

const AROUND: [(i64, i64); 8] =
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Directions as two 16-bit numbers a cell, x first: a unit vector times [`UNIT`], zero at goals,
/// [`UNREACHABLE`] elsewhere; extended by [`APRON`] rings into closed ground, so that whoever is pushed
/// there finds out again.
#[must_use]
pub fn pack(field: &DirectionField) -> Vec<[i16; 2]> {
    let (width, height) = (field.width(), field.height());
    let cells = (0..height as u32).flat_map(|y| (0..width as u32).map(move |x| Cell::new(x, y)));
    let code = |cell| match field.heading(cell) {
        Heading::Towards(d) => packed(d),
        Heading::Arrived => [0, 0],
        Heading::Unreachable => UNREACHABLE,
    };
    let mut codes: Vec<[i16; 2]> = cells.map(code).collect();
    for _ in 0..APRON {
        let ring: Vec<_> = (0..codes.len())
            .filter(|&i| codes[i] == UNREACHABLE)
            .filter_map(|i| Some((i, way_out(&codes, width, i)?)))
            .collect();
        ring.into_iter().for_each(|(i, d)| codes[i] = packed(d));
    }
    codes
}

fn packed(d: Vec2) -> [i16; 2] {
    [(d.x * UNIT) as i16, (d.y * UNIT) as i16]
}

fn way_out(codes: &[[i16; 2]], width: usize, i: usize) -> Option<Vec2> {
    let (w, h) = (width as i64, (codes.len() / width) as i64);
    let (x, y) = (i as i64 % w, i as i64 / w);
    let known = AROUND.into_iter().filter(|&(dx, dy)| {
        let (x, y) = (x + dx, y + dy);
        let inside = (0..w).contains(&x) && (0..h).contains(&y);
        inside && codes[(y * w + x) as usize] != UNREACHABLE
    });
    let sum = known.map(|(dx, dy)| Vec2::new(dx as f32, dy as f32).normalize());
    let sum = sum.fold(None, |sum: Option<Vec2>, d| Some(sum.unwrap_or(Vec2::ZERO) + d))?;
    Some(sum.normalize_or(Vec2::X))
}
