// Who decides in a step: people decide once in a period and take turns, by their numbers; in a dense crowd
// the period is shorter. A crowd is as dense as the ground it has, wherever the bins lie.

#import throng_crowd::constants::constants
#import throng_crowd::bins::{column_of, row_of, range_of}
#import throng_crowd::walls::room_around

/// Agents within one bin of a place's, and the open ground there, in bins.
fn people_around(p: vec2<f32>) -> vec2<f32> {
    let column = column_of(p.x);
    let row = row_of(p.y);
    let left = max(column, 1u) - 1u;
    let right = min(column + 1u, constants.columns - 1u);
    let low = max(row, 1u) - 1u;
    let high = min(row + 1u, constants.rows - 1u);
    // Three rows without a loop; at an edge of the world the outer one does not count.
    let here = range_of(row, left, right);
    let below = range_of(low, left, right);
    let above = range_of(high, left, right);
    var count = here.y - here.x;
    count += select(0u, below.y - below.x, low < row);
    count += select(0u, above.y - above.x, row < high);
    return vec2<f32>(f32(count), room_around(row * constants.columns + column));
}

/// Whether so many people on so many bins of ground are dense.
fn is_dense_among(around: vec2<f32>) -> bool {
    return around.x > constants.dense_bin * around.y;
}

/// Whether the crowd around a place is dense.
fn is_dense(p: vec2<f32>) -> bool {
    return is_dense_among(people_around(p));
}

/// Whether an agent at a place decides now. Who has just begun something does not wait for its turn.
fn decides(id: u32, p: vec2<f32>, clip: f32) -> bool {
    let usual = (id % constants.period + constants.phase) % constants.period == 0u;
    let brisk = (id % constants.brisk_period + constants.brisk_phase) % constants.brisk_period == 0u;
    if clip == 0.0 || usual && brisk {
        return true;
    }
    if usual == brisk {
        return false;
    }
    return select(usual, brisk, is_dense(p));
}
