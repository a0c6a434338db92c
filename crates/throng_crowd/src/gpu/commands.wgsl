// What comes from outside between two steps: edits of single agents, and newcomers.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, CLIP, LEFT, TARGET_X, TRAITS, ID, SITE, NOTHING, FIELDS, DEAD, TARGETED, ARRIVED, HIDDEN,
    WAITING, COMMAND_WORDS, REMOVE, RETARGET, ACT, REMOVALS, DOES_ELSE, IS_GONE
}
#import throng_crowd::state::{state, word, set_word, set_number, with_flag}
#import throng_crowd::bins::agents
#import throng_crowd::events::{count_up, note}

@group(0) @binding(7) var<storage, read_write> busy: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> roster: array<u32>;
@group(0) @binding(10) var<storage, read_write> enrolled: array<u32>;
// First their number, then the commands.
@group(0) @binding(11) var<storage, read> commands: array<u32>;

/// The place of an agent, by a search in the roster, where IDs ascend; `NOTHING` where there is none.
fn find(id: u32) -> u32 {
    var low = 0u;
    var high = enrolled[0];
    while low < high {
        let middle = (low + high) / 2u;
        if word(ID, roster[middle]) < id {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if low < enrolled[0] && word(ID, roster[low]) == id {
        return roster[low];
    }
    return NOTHING;
}

/// All commands in their order, by one invocation: there are few, and two may be about the same agent.
@compute @workgroup_size(1)
fn obey() {
    for (var k = 0u; k < commands[0]; k++) {
        let at = 1u + k * COMMAND_WORDS;
        let i = find(commands[at + 1u]);
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

/// Newcomers stand behind all others until the next sort. Their IDs are the highest.
@compute @workgroup_size(GROUP)
fn join(place: Place) {
    let k = flat_invocation(place);
    if k >= constants.newcomers {
        return;
    }
    let at = agents() + k;
    for (var four = 0u; four < FIELDS / 4u; four++) {
        state[four * constants.capacity + at] = newcomers[k * (FIELDS / 4u) + four];
    }
    roster[enrolled[0] + k] = at;
}

@compute @workgroup_size(1)
fn enrol() {
    enrolled[0] += constants.newcomers;
}
