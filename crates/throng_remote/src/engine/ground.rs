//! Fields of people: sums over cells of the ground.

use glam::Vec2;

use crate::protocol::{Field, FieldKind, Quantum};

/// Cells along the longer side, at most.
const MOST_CELLS: f32 = 256.0;
/// Side of a cell, at least (metres).
const LEAST_CELL: f32 = 0.5;
/// Tops of the scales, unless there is more: people per square metre, metres per second, seconds.
const DENSE: f32 = 4.0;
const FAST: f32 = 2.0;
const LONG: f32 = 30.0;
/// Fewer people on a square metre than this leave no trace.
const FEW: f32 = 0.02;

/// Sums of people on the cells of a ground.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    cell: f32,
    size: [usize; 2],
    origin: Vec2,
    people: Vec<f32>,
    value: Vec<f32>,
}

impl Tally {
    pub(super) fn over(ground: &Quantum) -> Self {
        let longer = ground.size[0].max(ground.size[1]);
        let cell = (longer / MOST_CELLS).max(LEAST_CELL);
        let size = ground.size.map(|side| (side / cell).ceil().max(1.0) as usize);
        let none = vec![0.0; size[0] * size[1]];
        let origin = Vec2::from(ground.origin);
        Self { cell, size, origin, people: none.clone(), value: none }
    }

    /// Shares somebody out to the four cells around.
    pub(super) fn add(&mut self, at: Vec2, value: f32) {
        let p = (at - self.origin) / self.cell - 0.5;
        let (low, part) = (p.floor(), p - p.floor());
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (low.x as i64 + dx, low.y as i64 + dy);
            let along = |d: i64, part: f32| if d == 1 { part } else { 1.0 - part };
            let share = along(dx, part.x) * along(dy, part.y);
            let inside = |v: i64, n: usize| (0..n as i64).contains(&v);
            if inside(x, self.size[0]) && inside(y, self.size[1]) {
                let i = y as usize * self.size[0] + x as usize;
                self.people[i] += share;
                self.value[i] += share * value;
            }
        }
    }

    /// The field of what was added.
    pub(super) fn field(mut self, kind: FieldKind, step: u64) -> Field {
        self.smooth();
        let square = self.cell * self.cell;
        let cells = self.people.iter().zip(&self.value);
        let values: Vec<f32> = cells
            .map(|(&people, &value)| match kind {
                _ if people / square < FEW => f32::NAN,
                FieldKind::Density => people / square,
                _ => value / people,
            })
            .collect();
        let top = match kind {
            FieldKind::Density => DENSE,
            FieldKind::Speed => FAST,
            _ => LONG,
        };
        let most = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f32::max);
        let range = [0.0, if kind == FieldKind::Speed { top } else { most.max(top) }];
        Field {
            kind,
            step,
            size: [self.size[0] as u32, self.size[1] as u32],
            origin: self.origin.to_array(),
            cell: self.cell,
            range,
            cells: Field::quantise(values.into_iter(), range),
        }
    }

    /// A person is felt about a metre around.
    fn smooth(&mut self) {
        let passes = (1.0 / self.cell).round().clamp(0.0, 2.0) as usize;
        let [w, h] = self.size;
        for _ in 0..passes {
            for array in [&mut self.people, &mut self.value] {
                blur(array, h, w, 1, w);
                blur(array, w, h, w, 1);
            }
        }
    }
}

/// Quarter, half, quarter along rows.
fn blur(array: &mut [f32], rows: usize, length: usize, step: usize, next: usize) {
    for row in 0..rows {
        let at = |i: usize| row * next + i * step;
        let mut before = array[at(0)];
        for i in 0..length {
            let here = array[at(i)];
            let after = array[at((i + 1).min(length - 1))];
            array[at(i)] = 0.25 * before + 0.5 * here + 0.25 * after;
            before = here;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the density map shows people who are not there.
    #[test]
    fn density_adds_up_to_the_people() {
        let ground = Quantum { origin: [-5.0, 3.0], size: [30.0, 20.0] };
        let mut tally = Tally::over(&ground);
        for i in 0..300_u16 {
            let i = f32::from(i);
            tally.add(Vec2::new(5.0 + (i * 0.37) % 10.0, 8.0 + (i * 0.73) % 9.0), 1.5);
        }
        tally.smooth();
        let sum: f32 = tally.people.iter().sum();
        assert!((sum - 300.0).abs() < 0.1, "{sum}");
        let field = tally.field(FieldKind::Speed, 3);
        assert_eq!((field.size, field.cell), ([60, 40], 0.5));
        // 1.5 of 2 metres per second, wherever anybody is.
        assert!(field.cells.iter().all(|&c| c == 0 || (191..=193).contains(&c)));
        assert!(field.cells.iter().any(|&c| c > 0));
    }
}
