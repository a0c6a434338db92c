// What comes from outside between two steps: edits of single agents, and newcomers.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, CLIP, LEFT, TARGET_X, TRAITS, ID, SITE, NOTHING, FIELDS, FOURS, DEAD, TARGETED, ARRIVED, HIDDEN,
    WAITING, COMMAND_WORDS, MOST_COMMANDS, REMOVE, RETARGET, ACT, REMOVALS, DOES_ELSE, IS_GONE
}
#import throng_crowd::state::{state, word, set_word, set_number, with_flag}
#import throng_crowd::bins::agents
#import throng_crowd::events::{count_up, note}

@group(0) @binding(7) var<storage, read_write> busy: array<atomic<u32>>;
// Where the agents are that commands are about, `NOTHING` where there is none.
@group(0) @binding(9) var<storage, read_write> found: array<u32>;
// First their number, then the commands, and whom they are about: ascending, one for each command.
@group(0) @binding(11) var<storage, read> commands: array<u32>;

const NAMED: u32 = 1u + MOST_COMMANDS * COMMAND_WORDS;

/// The first of those named that is not below a number.
fn first_named(id: u32) -> u32 {
    var low = 0u;
    var high = commands[0];
    while low < high {
        let middle = (low + high) / 2u;
        if commands[NAMED + middle] < id {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Everybody looks whether it is named.
@compute @workgroup_size(GROUP)
fn look_up(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let id = word(ID, i);
    let at = first_named(id);
    if at < commands[0] && commands[NAMED + at] == id {
        found[at] = i;
    }
}

/// All commands in their order, by one invocation: there are few, and two may be about the same agent.
@compute @workgroup_size(1)
fn obey() {
    for (var k = 0u; k < commands[0]; k++) {
        let at = 1u + k * COMMAND_WORDS;
        let i = found[first_named(commands[at + 1u])];
        if i != NOTHING {
            obey_one(i, commands[at], vec2<u32>(commands[at + 2u], commands[at + 3u]));
        }
    }
}

fn obey_one(i: u32, what: u32, value: vec2<u32>) {
    let traits = word(TRAITS, i);
    if (traits & DEAD) != 0u {
        return;
    }
    if what == RETARGET {
        set_word(TARGET_X, i, value.x);
        set_word(TARGET_X + 1u, i, value.y);
        set_word(TRAITS, i, (traits | TARGETED) & ~(ARRIVED | HIDDEN));
        return;
    }
    let site = word(SITE, i);
    if site != NOTHING {
        let all = atomicLoad(&busy[site]);
        atomicStore(&busy[site], max(all, 1u) - 1u);
        set_word(SITE, i, NOTHING);
    }
    if what == REMOVE {
        set_word(TRAITS, i, traits | DEAD);
        count_up(REMOVALS);
        note(word(ID, i), IS_GONE, 0u);
    } else if what == ACT {
        // At once: also for somebody who has not begun to move yet.
        set_word(TRAITS, i, (traits & ~(0xff00u | WAITING)) | (value.x << 8u));
        set_number(CLIP, i, 0.0);
        set_word(LEFT, i, value.y);
        note(word(ID, i), DOES_ELSE, ((traits >> 8u) & 0xffu) | (value.x << 8u));
    }
}

// The words of newcomers, one after the other.
@group(0) @binding(12) var<storage, read> newcomers: array<vec4<u32>>;

/// Newcomers stand behind all others until the next sort.
@compute @workgroup_size(GROUP)
fn join(place: Place) {
    let k = flat_invocation(place);
    if k >= constants.newcomers {
        return;
    }
    let at = agents() + k;
    for (var four = 0u; four < FOURS; four++) {
        state[four * constants.capacity + at] = newcomers[k * (FIELDS / 4u) + four];
    }
}
