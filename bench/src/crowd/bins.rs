//! A uniform grid over points by counting sort: the cells of a row follow each other, and so do the
//! points in them, so that the neighbours of a point are a few runs.

/// Points by cell. Build it anew after they moved; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    origin: [f32; 2],
    /// Cells per metre.
    scale: f32,
    columns: usize,
    rows: usize,
    /// Where each cell begins in `order`, and one more.
    start: Vec<u32>,
    /// The points, by cell; ascending within one.
    order: Vec<u32>,
    cell_of: Vec<u32>,
}

impl Bins {
    /// Sorts points into cells of that size, or of a larger one where there would be far more cells
    /// than points.
    ///
    /// # Panics
    /// If a coordinate is not finite, the lists differ in length, or the size is not positive.
    pub fn build(&mut self, x: &[f32], y: &[f32], cell: f32) {
        assert_eq!(x.len(), y.len());
        assert!(cell > 0.0, "cells of {cell} m");
        let (low_x, high_x) = extent(x);
        let (low_y, high_y) = extent(y);
        let (width, height) = (f64::from(high_x - low_x), f64::from(high_y - low_y));
        let most = 8.0 * x.len() as f64 + 64.0;
        let mut cell = f64::from(cell);
        while (width / cell + 1.0) * (height / cell + 1.0) > most {
            cell *= 1.5;
        }
        self.origin = [low_x, low_y];
        self.scale = (1.0 / cell) as f32;
        self.columns = (width / cell) as usize + 2;
        self.rows = (height / cell) as usize + 2;
        self.start.clear();
        self.start.resize(self.columns * self.rows + 1, 0);
        self.cell_of.clear();
        for (&x, &y) in x.iter().zip(y) {
            let cell = self.row(y) * self.columns + self.column(x);
            self.cell_of.push(cell as u32);
            self.start[cell] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.order.resize(x.len(), 0);
        for (i, &cell) in self.cell_of.iter().enumerate().rev() {
            let at = &mut self.start[cell as usize];
            *at -= 1;
            self.order[*at as usize] = i as u32;
        }
    }

    /// The points in the order of their cells.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Which row of cells a coordinate is in, or the nearest row.
    #[must_use]
    pub fn row(&self, y: f32) -> usize {
        // Casting saturates: what is below the first row is in the first.
        (((y - self.origin[1]) * self.scale) as usize).min(self.rows - 1)
    }

    fn column(&self, x: f32) -> usize {
        (((x - self.origin[0]) * self.scale) as usize).min(self.columns - 1)
    }

    /// Where a row begins and ends, metres.
    pub(crate) fn row_span(&self, row: usize) -> (f32, f32) {
        let size = 1.0 / self.scale;
        (self.origin[1] + row as f32 * size, self.origin[1] + (row + 1) as f32 * size)
    }

    /// The places in [`Bins::order`] of the cells of one row that `low..=high` touches.
    #[must_use]
    pub fn run(&self, row: usize, low: f32, high: f32) -> std::ops::Range<usize> {
        let first = self.start[row * self.columns + self.column(low)];
        let end = self.start[row * self.columns + self.column(high) + 1];
        first as usize..end as usize
    }

    /// Calls `see(i, j, distance)` once for each two points within reach of each other, `i < j`.
    pub fn pairs(&self, x: &[f32], y: &[f32], reach: f32, mut see: impl FnMut(usize, usize, f32)) {
        for i in self.order.iter().map(|&i| i as usize) {
            let (xi, yi) = (x[i], y[i]);
            for row in self.row(yi - reach)..=self.row(yi + reach) {
                for &j in &self.order[self.run(row, xi - reach, xi + reach)] {
                    let j = j as usize;
                    if j <= i {
                        continue;
                    }
                    let (dx, dy) = (x[j] - xi, y[j] - yi);
                    let squared = dx * dx + dy * dy;
                    if squared <= reach * reach {
                        see(i, j, squared.sqrt());
                    }
                }
            }
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.order.capacity() + self.cell_of.capacity())
    }
}

fn extent(values: &[f32]) -> (f32, f32) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    values.iter().enumerate().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (i, &v)| {
        assert!(v.is_finite(), "agent {i} is at {v}");
        (low.min(v), high.max(v))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::unit;

    fn points(count: u64, side: f32) -> (Vec<f32>, Vec<f32>) {
        let at = |k: u64| (0..count).map(|i| (unit(4 * i + k) - 0.5) * side).collect();
        (at(0), at(1))
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        let (mut x, mut y) = points(300, 10.0);
        // One far away, so that cells have to grow; one on top of another.
        (x[5], y[5]) = (4000.0, -3000.0);
        (x[9], y[9]) = (x[8], y[8]);
        for cell in [0.1, 0.7, 3.0] {
            let mut bins = Bins::default();
            bins.build(&x, &y, cell);
            let mut found = Vec::new();
            bins.pairs(&x, &y, 0.7, |i, j, _| found.push((i, j)));
            found.sort_unstable();
            let near = |i: usize, j: usize| {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                dx * dx + dy * dy <= 0.7 * 0.7
            };
            let all = (0..300).flat_map(|i| (i + 1..300).map(move |j| (i, j)));
            let expected: Vec<_> = all.filter(|&(i, j)| near(i, j)).collect();
            assert!(expected.len() > 300);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn order_is_a_permutation_and_ascends_within_cells() {
        let (x, y) = points(1000, 20.0);
        let mut bins = Bins::default();
        bins.build(&x, &y, 1.0);
        let mut sorted = bins.order().to_vec();
        for cell in bins.start.windows(2) {
            let members = &bins.order()[cell[0] as usize..cell[1] as usize];
            assert!(members.is_sorted());
        }
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..1000));
    }

    #[test]
    fn nobody_at_all() {
        let mut bins = Bins::default();
        bins.build(&[], &[], 1.0);
        bins.pairs(&[], &[], 1.0, |_, _, _| panic!("there is nobody"));
    }

    #[test]
    #[should_panic(expected = "agent 1 is at NaN")]
    fn a_lost_agent_is_named() {
        Bins::default().build(&[0.0, f32::NAN], &[0.0, 0.0], 1.0);
    }
}
