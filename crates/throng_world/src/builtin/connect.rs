//! Connected parts of a map: what a walker can reach by steps to the four neighbours.

use crate::{BLOCKED, FREE};
use throng_field::Grid;

/// The number of each cell's connected part among the cells whose cost is `wanted` (0 for all
/// others), and the sizes of the parts. Part `n` has size `sizes[n]`; `sizes[0]` is 0.
pub(crate) fn parts(map: &Grid<f32>, wanted: impl Fn(f32) -> bool) -> (Vec<u32>, Vec<usize>) {
    let mut labels = vec![0; map.cells()];
    let mut sizes = vec![0];
    let mut open = Vec::new();
    for start in 0..map.cells() {
        if labels[start] != 0 || !wanted(map.as_slice()[start]) {
            continue;
        }
        let label = sizes.len() as u32;
        labels[start] = label;
        open.push(start);
        let mut size = 0;
        while let Some(at) = open.pop() {
            size += 1;
            for next in neighbours(map, at).into_iter().flatten() {
                if labels[next] == 0 && wanted(map.as_slice()[next]) {
                    labels[next] = label;
                    open.push(next);
                }
            }
        }
        sizes.push(size);
    }
    (labels, sizes)
}

/// Indices of the cells to the left, right, above and below, where they exist.
pub(crate) fn neighbours(map: &Grid<f32>, at: usize) -> [Option<usize>; 4] {
    let width = map.width();
    let x = at % width;
    [
        (x > 0).then(|| at - 1),
        (x + 1 < width).then_some(at + 1),
        at.checked_sub(width),
        (at + width < map.cells()).then_some(at + width),
    ]
}

/// Blocks all free cells outside the largest connected part (the first of equals).
pub(crate) fn keep_largest(map: &mut Grid<f32>) {
    let (labels, sizes) = parts(map, f32::is_finite);
    let mut largest = 0;
    for (label, &size) in sizes.iter().enumerate() {
        if size > sizes[largest] {
            largest = label;
        }
    }
    for (cost, &label) in map.as_mut_slice().iter_mut().zip(&labels) {
        if label as usize != largest {
            *cost = BLOCKED;
        }
    }
}

/// Frees the blocked parts of fewer than `least` cells.
pub(crate) fn clear_crumbs(map: &mut Grid<f32>, least: usize) {
    let (labels, sizes) = parts(map, f32::is_infinite);
    for (cost, &label) in map.as_mut_slice().iter_mut().zip(&labels) {
        if label != 0 && sizes[label as usize] < least {
            *cost = FREE;
        }
    }
}
