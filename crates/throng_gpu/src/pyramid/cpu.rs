//! The twin on the CPU.

use super::{Level, levels};

/// All levels above an image, as least and greatest.
#[must_use]
pub fn pyramid(image: &[f32], width: u32, height: u32) -> Vec<[f32; 2]> {
    let mut below: Vec<[f32; 2]> = image.iter().map(|&x| bounds_of(x)).collect();
    let (mut columns, mut rows) = (width, height);
    let mut all = Vec::new();
    for level in levels(width, height) {
        below = next(&below, columns, rows, level);
        all.extend_from_slice(&below);
        (columns, rows) = (level.width, level.height);
    }
    all
}

fn bounds_of(x: f32) -> [f32; 2] {
    if x.is_nan() { [f32::INFINITY, f32::NEG_INFINITY] } else { [x, x] }
}

fn next(below: &[[f32; 2]], width: u32, height: u32, level: Level) -> Vec<[f32; 2]> {
    let covered = |i: u32, to: u32, from: u32| 2 * i..if i + 1 == to { from } else { 2 * i + 2 };
    let mut texels = Vec::with_capacity((level.width * level.height) as usize);
    for i in 0..level.width * level.height {
        let mut bounds = bounds_of(f32::NAN);
        for y in covered(i / level.width, level.height, height) {
            for x in covered(i % level.width, level.width, width) {
                let [least, greatest] = below[(y * width + x) as usize];
                bounds[0] = std::cmp::min_by(bounds[0], least, f32::total_cmp);
                bounds[1] = std::cmp::max_by(bounds[1], greatest, f32::total_cmp);
            }
        }
        texels.push(bounds);
    }
    texels
}
