//! How much ground there is to stand on around each bin: a crowd is as dense as the ground it has, wherever the
//! bins lie.

use throng_field::Grid;

use super::BinFrame;

/// The least that is ever counted: whoever is pushed into a wall has some ground (bins).
const LEAST: f32 = 0.02;

/// Open ground within one bin of each bin, in bins. `clearance` is the distance to walls.
pub(super) fn around(frame: BinFrame, clearance: &Grid<f32>) -> Vec<f32> {
    let share = (clearance.cell_size() * frame.per_size).powi(2);
    let mut own = vec![0u32; frame.bins()];
    let column_of: Vec<usize> = (0..clearance.width())
        .map(|x| frame.column(clearance.origin().x + (x as f32 + 0.5) * clearance.cell_size()))
        .collect();
    for y in 0..clearance.height() {
        let row = frame.row(clearance.origin().y + (y as f32 + 0.5) * clearance.cell_size());
        let own = &mut own[row * frame.columns..][..frame.columns];
        for (&distance, &column) in clearance.row(y).iter().zip(&column_of) {
            own[column] += u32::from(distance > 0.0);
        }
    }
    let mut room = vec![0.0; frame.bins()];
    for row in 0..frame.rows {
        for column in 0..frame.columns {
            let mut cells = 0;
            for r in row.saturating_sub(1)..=(row + 1).min(frame.rows - 1) {
                let columns = column.saturating_sub(1)..=(column + 1).min(frame.columns - 1);
                cells += own[r * frame.columns..][columns].iter().sum::<u32>();
            }
            room[row * frame.columns + column] = (cells as f32 * share).max(LEAST);
        }
    }
    room
}
