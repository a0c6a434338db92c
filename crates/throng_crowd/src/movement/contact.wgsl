// Contacts: discs that would overlap push each other apart. Position-based, one Jacobi pass at a time:
// `predict` says where everybody would be, `contact` corrects velocities. The first pass looks at all,
// later ones at those who were pushed and whoever is near them.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, TRAITS, ID, WANT_X, TAU, FOR_APART,
    CRUSHED, CRUSHED_LEAST, CRUSHED_SHIFT, NEAR, SOFTNESS, SAME_SPOT, AT_WALL, SURGE, MIX
}
#import throng_crowd::sheet::texel
#import throng_crowd::state::{word, group_of, action_of}
#import throng_crowd::mirror::{old_word, body_of, build_of}
#import throng_crowd::scratch::{scratched_pair, scratch_pair}
#import throng_crowd::bins::{agents, column_of, row_of, range_of}
#import throng_crowd::walls::{wall_distance, nearest_wall}
#import throng_crowd::tables::push_of
#import throng_crowd::random::random_unit
#import throng_crowd::list::{append, length_of_list, item}

struct Round {
    at: u32,
    // Whether no other follows.
    last: u32,
}

@group(0) @binding(8) var<uniform> round: Round;
// A bit per pass: who is looked at in it.
@group(0) @binding(7) var<storage, read_write> marks: array<atomic<u32>>;

// Where everybody would be, its radius and how hard it pushes: written by one dispatch, read by the next. Of all
// by way of a buffer, from which it is copied: stores to textures are dear on some devices.
@group(0) @binding(9) var<storage, read_write> predicted_all: array<vec4<f32>>;
@group(0) @binding(17) var predicted: texture_storage_2d<rgba32uint, write>;
@group(0) @binding(18) var bodies: texture_storage_2d<rgba32uint, read>;

fn predicted_of(i: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(textureLoad(bodies, texel(i)));
}

@compute @workgroup_size(GROUP)
fn predict(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    predicted_all[i] = predict_one(i);
    atomicStore(&marks[i], 0u);
}

@compute @workgroup_size(GROUP)
fn predict_again(place: Place) {
    let at = flat_invocation(place);
    if at < length_of_list() {
        let i = item(at);
        textureStore(predicted, texel(i), bitcast<vec4<u32>>(predict_one(i)));
    }
}

fn predict_one(i: u32) -> vec4<f32> {
    let velocity = scratched_pair(WANT_X, i);
    var next = body_of(i).xy + velocity * constants.dt;
    let build = build_of(i);
    let radius = build.x;
    if constants.walled != 0u {
        let slim = AT_WALL + radius;
        if wall_distance(next) < slim {
            // Beside the wall, so that the others make room.
            let wall = nearest_wall(next);
            let aside = wall.away * (slim - wall.distance);
            next += aside;
            scratch_pair(WANT_X, i, velocity + aside * constants.per_dt);
        }
    }
    let traits = word(TRAITS, i);
    var push = push_of(group_of(traits), action_of(traits), build.w);
    if build.w > 0.0 {
        push *= surge_of(old_word(ID, i), build.w);
    }
    return vec4<f32>(next, radius, push);
}

/// How hard somebody pushes now, as a share of what it would.
fn surge_of(id: u32, frustration: f32) -> f32 {
    let mixed = (((id ^ constants.surge) * MIX >> 16u) * MIX) >> 16u;
    return 1.0 - SURGE * frustration * (f32(mixed) * (1.0 / 65536.0));
}

/// The box of bins around somebody who may touch others within `gap` metres.
struct Around {
    first: u32,
    last: u32,
    low: u32,
    high: u32,
}

fn around(p: vec2<f32>, radius: f32, gap: f32) -> Around {
    // Bins hold where people were before the step.
    let reach = radius + constants.widest + gap + constants.longest;
    let far = max(reach, 0.5 * constants.bin_size);
    return Around(column_of(p.x - far), column_of(p.x + far), row_of(p.y - far), row_of(p.y + far));
}

/// Of a row of bins with more people than fit into it, those next in line, or anywhere in another row.
fn looked_at(row: vec2<u32>, i: u32) -> vec2<u32> {
    let all = row.y - row.x;
    if all <= CRUSHED {
        return row;
    }
    let most = clamp((CRUSHED << CRUSHED_SHIFT) / all, CRUSHED_LEAST, CRUSHED);
    let room = all - most;
    var skip = i % room;
    if i >= row.x && i < row.y {
        let before = i - row.x;
        skip = min(before - min(before, most / 2u), room);
    }
    return vec2<u32>(row.x + skip, row.x + skip + most);
}

@compute @workgroup_size(GROUP)
fn contact(place: Place) {
    let i = flat_invocation(place);
    if i < agents() {
        contact_one(i);
    }
}

@compute @workgroup_size(GROUP)
fn contact_again(place: Place) {
    let at = flat_invocation(place);
    if at < length_of_list() {
        contact_one(item(at));
    }
}

fn contact_one(i: u32) {
    let own = predicted_of(i);
    let p = own.xy;
    let radius = own.z;
    var sum = vec2<f32>(0.0);
    var touching = 0u;
    var stacked = false;
    let near = around(p, radius, constants.comfort);
    let padded = radius + constants.comfort;
    for (var row = near.low; row <= near.high; row++) {
        let range = looked_at(range_of(row, near.first, near.last), i);
        var j = range.x;
        loop {
            // The next who is touched: by a loop of its own, so that the others of a subgroup do not go
            // through what follows for each who is not.
            var other = vec4<f32>(0.0);
            var d = vec2<f32>(0.0);
            while j < range.y {
                other = predicted_of(j);
                d = other.xy - p;
                let touch = other.z + padded;
                if d.x * d.x + d.y * d.y < touch * touch && j != i {
                    break;
                }
                j += 1u;
            }
            if j >= range.y {
                break;
            }
            let distance = length_of(d);
            let on_top = !(distance > SAME_SPOT);
            stacked |= on_top;
            let shove = shove_of(i, j, radius + other.z, distance) * (other.w / (own.w + other.w));
            sum -= select(d * (shove / max(distance, SAME_SPOT)), vec2<f32>(0.0), on_top);
            touching += 1u;
            j += 1u;
        }
    }
    // Seldom, and long to work out: by loops of their own, for those alone who need it.
    for (var row = near.low; stacked && row <= near.high; row++) {
        let range = looked_at(range_of(row, near.first, near.last), i);
        for (var j = range.x; j < range.y; j++) {
            let other = predicted_of(j);
            let distance = length_of(other.xy - p);
            if !(distance > SAME_SPOT) && j != i {
                let shove = shove_of(i, j, radius + other.z, distance) * (other.w / (own.w + other.w));
                sum += any_way(i, j) * shove;
            }
        }
    }
    if touching == 0u {
        return;
    }
    // Several at once would overshoot: each pair corrects its full share.
    let share = constants.stiffness / (0.5 + 0.5 * f32(touching));
    let velocity = scratched_pair(WANT_X, i);
    scratch_pair(WANT_X, i, velocity + sum * (share * constants.per_dt));
    if round.last == 0u {
        mark_near(i, p, radius);
    }
}

fn length_of(d: vec2<f32>) -> f32 {
    return sqrt(d.x * d.x + d.y * d.y);
}

/// How far two come apart who overlap by so much, less than nothing if only their shells do (metres).
fn depth_of(hard: f32) -> f32 {
    // The shell between bodies is soft, the bodies are not.
    let soft = clamp(hard + constants.comfort, 0.0, constants.comfort) * SOFTNESS;
    return soft + max(hard, 0.0);
}

/// How far two move apart in the step who touch at one distance and will be at another (metres).
fn shove_of(i: u32, j: u32, touch: f32, distance: f32) -> f32 {
    let depth = depth_of(touch - distance);
    if constants.left_over <= 0.0 {
        return depth;
    }
    let before = length_of(body_of(i).xy - body_of(j).xy);
    return max(depth - constants.left_over * depth_of(touch - before), 0.0);
}

/// A direction away from somebody in the same spot: any will do, as long as the other takes the opposite one.
fn any_way(i: u32, j: u32) -> vec2<f32> {
    let own = old_word(ID, i);
    let other = old_word(ID, j);
    let low = min(own, other);
    let turn = random_unit(vec2<u32>(low, 0u), max(own, other), vec2<u32>(0u), FOR_APART) * TAU;
    let e = vec2<f32>(cos(turn), sin(turn));
    return select(-e, e, own == low);
}

/// Marks an agent that is pushed, and all who may touch it after that.
fn mark_near(i: u32, p: vec2<f32>, radius: f32) {
    let bit = 1u << (round.at + 1u);
    mark(i, bit);
    let gap = constants.comfort + NEAR;
    let near = around(p, radius, gap);
    for (var row = near.low; row <= near.high; row++) {
        let range = looked_at(range_of(row, near.first, near.last), i);
        for (var j = range.x; j < range.y; j++) {
            let other = predicted_of(j);
            let d = other.xy - p;
            let touch = other.z + (radius + gap);
            if d.x * d.x + d.y * d.y < touch * touch {
                mark(j, bit);
            }
        }
    }
}

fn mark(i: u32, bit: u32) {
    if (atomicOr(&marks[i], bit) & bit) == 0u {
        append(i);
    }
}
