// Who decides in a step: people decide once in a period and take turns, by their numbers; in a dense crowd
// the period is shorter.

#import throng_crowd::constants::constants
#import throng_crowd::bins::people_around

/// Whether the crowd around a place is dense.
fn is_dense(p: vec2<f32>) -> bool {
    let around = people_around(p);
    return f32(around.x) > constants.dense_bin * f32(around.y);
}

/// Whether an agent at a place decides now.
fn decides(id: u32, p: vec2<f32>) -> bool {
    let usual = (id % constants.period + constants.phase) % constants.period == 0u;
    let brisk = (id % constants.brisk_period + constants.brisk_phase) % constants.brisk_period == 0u;
    if usual == brisk {
        return usual;
    }
    return select(usual, brisk, is_dense(p));
}
