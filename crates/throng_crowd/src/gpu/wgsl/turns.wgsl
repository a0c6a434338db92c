// Who decides in a step: people decide once in a period and take turns, by their numbers.

#import throng_crowd::constants::constants

fn decides(id: u32) -> bool {
    return (id % constants.period + constants.phase) % constants.period == 0u;
}
