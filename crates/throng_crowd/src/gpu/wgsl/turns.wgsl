// Who decides in a step: people decide once in a period and take turns, by their numbers; in a dense crowd
// the period is shorter.

#import throng_crowd::constants::constants
#import throng_crowd::bins::people_around

/// Whether so many people in so many bins are dense.
fn is_dense_among(around: vec2<u32>) -> bool {
    return f32(around.x) > constants.dense_bin * f32(around.y);
}

/// Whether the crowd around a place is dense.
fn is_dense(p: vec2<f32>) -> bool {
    return is_dense_among(people_around(p));
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
