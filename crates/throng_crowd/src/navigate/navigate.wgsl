// Navigate: where everybody would like to go, and how fast, of those whose turn it is.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, X, SPEED, TIRED, FEAR, TARGET_X, TRAITS, ID, WANT_X, PACE, MOVING, FREE_WAY, WAITING,
    TARGETED, HIDDEN, SEEK_GOAL, SEEK_TARGET, SEEK_AWAY, HAZARD_WORDS, LOOK_AGAIN, CLOSE_BY,
    NEARLY, HAIR, WALL_NEAR, FOOT, FAR_OFF, NOTHING, DOSE, EXTENDED, MOST_IN_PARTY,
    AHEAD, ASIDE, SIDE, TOO_FAR, ABREAST, WIDEST, ROWS, CLOSE, SURPLUS, FILE, JAM, BACK, ON, NARROW, NARROWEST,
    OFF_WALL, SLANT, HEAD_ON_FROM, HEAD_ON_TO, AT_WALL, RADIUS, ROOM_NONE, ROOM_ENOUGH, BESIDE_BODY, FACING_WALLS
}
#import throng_crowd::state::{set_word, set_number, group_of, action_of, has, with_flag}
#import throng_crowd::mirror::{four_of, old_word, old_number, old_pair}
#import throng_crowd::party::{first_of, member, stamp, unpacked}
#import throng_crowd::scratch::{scratch_down, scratch_pair}
#import throng_crowd::walls::{NearestWall, wall_distance, nearest_wall, off_wall, sees}
#import throng_crowd::tables::{
    table, table_four, table_number, action_row, group_row, ACTION_SEEK, ACTION_GOAL, ACTION_SPEED, GROUP_FEAR,
    GROUP_CLIMB, GROUP_DESCEND, flight_of
}
#import throng_crowd::ground::{site_near, target_cell, ground_speed, stairs_at}
#import throng_crowd::flows::flow_at
#import throng_crowd::slots::{slots, slot_of}
#import throng_crowd::shape::{site_row, table_pair, nearest_point, SITE_CENTRE}
#import throng_crowd::list::{length_of_list, item}

// Where people of parties are.
@group(0) @binding(9) var<storage, read> parties: array<vec4<u32>>;

struct Fright {
    fear: f32,
    away: vec2<f32>,
}

@compute @workgroup_size(GROUP)
fn navigate(place: Place) {
    let at = flat_invocation(place);
    if at < length_of_list() {
        prefer(item(at));
    }
}

fn prefer(i: u32) {
    var traits = old_word(TRAITS, i);
    let p = old_pair(X, i);
    let body = old_number(RADIUS, i) + AT_WALL;
    let action = action_row(action_of(traits));
    let fright = fear_at(p, group_of(traits));
    var way = vec2<f32>(0.0);
    var down = false;
    var party = NOTHING;
    if EXTENDED {
        let more = four_of(DOSE / 4u, i);
        down = bitcast<f32>(more.x) >= 1.0;
        party = more.y;
    }
    if !has(traits, WAITING) && !down {
        let seek = table(action + ACTION_SEEK);
        if seek == SEEK_GOAL {
            way = to_goal(p, group_of(traits), table(action + ACTION_GOAL), body);
        } else if seek == SEEK_TARGET && has(traits, TARGETED) {
            let goal = old_pair(TARGET_X, i);
            if constants.walled != 0u && looks_again(old_word(ID, i)) {
                traits = with_flag(traits, HIDDEN, !sees(p, goal, constants.sight_margin));
            }
            way = to_target(p, goal, has(traits, HIDDEN), body);
        } else if seek == SEEK_AWAY {
            way = fright.away;
        }
    }
    let own = old_number(SPEED, i);
    let slope = constants.tired_slows * old_number(TIRED, i);
    var speed = own * table_number(action + ACTION_SPEED) * (1.0 - slope) * ground_speed(p);
    if EXTENDED && party != NOTHING && constants.parties != 0u {
        let with_others = company(party, action_of(traits), p, way, own);
        speed *= length(with_others);
        way = normal_or(with_others, vec2<f32>(0.0));
    }
    let here = stairs_at(p);
    if any(here != vec2<f32>(0.0)) {
        speed *= slower(group_of(traits), way, here);
    } else {
        let ahead = stairs_at(p + way * FOOT);
        if any(ahead != vec2<f32>(0.0)) {
            // Before the first step one waits until whoever is ahead has gone on by its slower paces, and takes
            // a slower one oneself, and keeps more room: nobody wants to tread on those who climb.
            let share = slower(group_of(traits), way, ahead);
            way *= min(share * share * share, 1.0);
        }
    }
    let flight = flight_of(fright.fear);
    if flight > 0.0 && !down {
        // From "around" at the edge of the fear radius to "away" further in.
        way = normal_or(way * (1.0 - flight) + fright.away * flight, fright.away);
        speed = max(speed, own * (1.0 + (constants.flee_speed - 1.0) * flight));
    }
    let moving = any(way != vec2<f32>(0.0)) && speed > 0.0;
    traits = with_flag(traits, MOVING, moving);
    traits = with_flag(traits, FREE_WAY, moving && has(traits, FREE_WAY));
    set_word(TRAITS, i, traits);
    set_number(FEAR, i, fright.fear);
    scratch_pair(WANT_X, i, select(vec2<f32>(0.0), way, moving));
    scratch_down(PACE, i, select(0.0, speed, moving));
}

/// Factor on the speed of a group on stairs that go up in a direction.
fn slower(group: u32, way: vec2<f32>, up: vec2<f32>) -> f32 {
    return table_number(group_row(group) + select(GROUP_DESCEND, GROUP_CLIMB, dot(way, up) > 0.0));
}

/// A unit vector, or another one where there is none.
fn normal_or(v: vec2<f32>, other: vec2<f32>) -> vec2<f32> {
    let long = sqrt(v.x * v.x + v.y * v.y);
    if long > 1e-37 {
        return v * (1.0 / long);
    }
    return other;
}

/// Where somebody of a party goes instead, as a share of its own speed.
fn company(place: u32, action: u32, p: vec2<f32>, way: vec2<f32>, own: f32) -> vec2<f32> {
    let when = stamp(action);
    let first = first_of(place);
    var others = 0.0;
    var lively = own;
    var slowest = own;
    for (var k = 0u; k < MOST_IN_PARTY; k++) {
        let row = parties[first + k];
        // Those who are gone, or do something else, are not waited for.
        if row.w == when {
            slowest = min(slowest, unpacked(row.z & 0xffffu));
            if k != member(place) {
                others += 1.0;
                lively = min(lively, unpacked(row.z >> 16u));
            }
        }
    }
    // People who walk keep more room than people in a jam, where strangers would come between.
    lively = max(lively - JAM * slowest, 0.0);
    let abreast = SIDE + min(others * ABREAST * lively, WIDEST);
    var ahead = 0.0;
    var behind = 0.0;
    var file = 0.0;
    var last = p;
    for (var k = 0u; k < MOST_IN_PARTY; k++) {
        let row = parties[first + k];
        if row.w == when {
            let other = bitcast<vec2<f32>>(row.xy);
            let lead = (p.x - other.x) * way.x + (p.y - other.y) * way.y;
            let aside = abs((p.x - other.x) * way.y - (p.y - other.y) * way.x);
            behind = max(behind, -lead);
            file += clamp(lead / SIDE, 0.0, 1.0);
            // At a door the others may come from the other side.
            let apart = lead + max(aside - abreast, 0.0) * ASIDE;
            if apart > ahead {
                ahead = apart;
                last = other;
            }
        }
    }
    var narrow = 0.0;
    if constants.walled != 0u {
        narrow = clamp((NARROW - wall_distance(p)) / (NARROW - NARROWEST), 0.0, 1.0);
    }
    let in_rows = ROWS * lively + SURPLUS * max(others - CLOSE, 0.0) / max(others, 1.0);
    let room = in_rows + (FILE * lively - in_rows) * narrow;
    ahead -= max(file - 1.0, 0.0) * room;
    // Whoever is behind may catch up.
    let share = select(slowest / max(own, 1e-6), 1.0, behind > SIDE);
    let waits = min(clamp((ahead - AHEAD) / (TOO_FAR - AHEAD), 0.0, 1.0), 1.0 - ON * narrow);
    // In a passage it does not walk back: it would be in the way of those it waits for.
    let back = waits * BACK * (1.0 - narrow);
    return (way * (1.0 - waits) + normal_or(last - p, vec2<f32>(0.0)) * back) * share;
}

/// How afraid, 0 to 1, and which way is away from it all.
fn fear_at(p: vec2<f32>, group: u32) -> Fright {
    let nothing = Fright(0.0, vec2<f32>(0.0));
    var worst = 0.0;
    var away = vec2<f32>(0.0);
    for (var k = 0u; k < constants.hazards; k++) {
        let row = constants.table_hazards + k * HAZARD_WORDS;
        let hazard = bitcast<vec4<f32>>(table_four(row));
        let d = p - hazard.xy;
        let radius = hazard.z;
        let squared = d.x * d.x + d.y * d.y;
        if squared < radius * radius {
            let distance = sqrt(squared);
            let near = 1.0 - distance / radius;
            worst = max(worst, near);
            away += d * (near / max(distance, 1e-3));
        }
    }
    let fear = min(worst * table_number(group_row(group) + GROUP_FEAR), 1.0);
    if fear <= 0.0 {
        return nothing;
    }
    away = normal_or(away, vec2<f32>(1.0, 0.0));
    // Not into a wall: along it.
    if constants.walled != 0u {
        let wall = nearest_wall(p);
        let into = away.x * wall.away.x + away.y * wall.away.y;
        if wall.distance < WALL_NEAR && into < 0.0 {
            let share = min(1.0 - wall.distance / WALL_NEAR, 1.0);
            away = normal_or(away - wall.away * into * share, wall.away);
        }
    }
    return Fright(fear, away);
}

fn to_goal(p: vec2<f32>, group: u32, goal: u32, body: f32) -> vec2<f32> {
    let site = site_near(goal, p);
    if site != FAR_OFF {
        // Close by, cells are too coarse: straight to the place, where it is in sight.
        let row = site_row(site);
        var to = nearest_point(row, p).point - p;
        let inside = all(to == vec2<f32>(0.0));
        if inside {
            to = table_pair(row + SITE_CENTRE) - p;
        }
        let close = CLOSE_BY * constants.cell_size;
        if inside || to.x * to.x + to.y * to.y < close * close {
            if constants.walled == 0u || wall_distance(p) > close || sees(p, p + to * NEARLY, HAIR) {
                return normal_or(to, vec2<f32>(0.0));
            }
        }
    }
    let field = table(constants.table_fields + group * constants.goals + goal);
    return by_field(field, p, body);
}

/// The way that a field knows, for a body of a radius; where that fills a passage, along it.
fn by_field(field: u32, p: vec2<f32>, body: f32) -> vec2<f32> {
    if constants.walled == 0u {
        return flow_at(field, p);
    }
    let wall = nearest_wall(p);
    return along_passage(way_at(field, p, wall), p, wall, body);
}

/// A way without what leads across a passage that a body fills (`narrow.rs`).
fn along_passage(way: vec2<f32>, p: vec2<f32>, wall: NearestWall, body: f32) -> vec2<f32> {
    if wall.distance >= body + 0.5 * ROOM_ENOUGH {
        return way;
    }
    let beside = vec2<f32>(-way.y, way.x) * (BESIDE_BODY * body);
    let left = nearest_wall(p + beside);
    let right = nearest_wall(p - beside);
    let facing = (dot(left.away, right.away) - FACING_WALLS) / (-1.0 - FACING_WALLS);
    let across = normal_or(right.away - left.away, vec2<f32>(0.0));
    // From wall to wall, less the body: the two points lie on either side of the middle.
    let room = left.distance + right.distance + 2.0 * (abs(dot(beside, across)) - body);
    let near = clamp((ROOM_ENOUGH - room) / (ROOM_ENOUGH - ROOM_NONE), 0.0, 1.0) * clamp(facing, 0.0, 1.0);
    if near > 0.0 {
        return normal_or(way - across * (dot(way, across) * near), way);
    }
    return way;
}

/// The way at a place. Beside slanted walls it is read farther off: cells at a wall that runs across them know only
/// directions of a staircase, and blocked ones that out of the wall. The nearer the wall, the less of what
/// leads into it is left.
fn way_at(field: u32, p: vec2<f32>, wall: NearestWall) -> vec2<f32> {
    let far = OFF_WALL * constants.cell_size;
    if wall.distance >= far || min(abs(wall.away.x), abs(wall.away.y)) <= SLANT {
        return flow_at(field, p);
    }
    let off = flow_at(field, off_wall(p, wall, far));
    let into = -dot(off, wall.away);
    // Straight at the wall: round the end of one, which is told only by the cells there.
    var round = 1.0;
    if any(off != vec2<f32>(0.0)) {
        round = clamp((into - HEAD_ON_FROM) / (HEAD_ON_TO - HEAD_ON_FROM), 0.0, 1.0);
    }
    let near = 1.0 - max(wall.distance, 0.0) / far;
    var way = normal_or(off + wall.away * (max(into, 0.0) * near), vec2<f32>(0.0));
    if round > 0.0 {
        way = normal_or(way * (1.0 - round) + flow_at(field, p) * round, vec2<f32>(0.0));
    }
    return way;
}

/// Whether it looks for its hidden target again at this decision.
fn looks_again(id: u32) -> bool {
    let period = constants.brisk_period;
    let carry = (id % period + constants.brisk_phase) / period;
    return (constants.looks + (id / period) % LOOK_AGAIN + carry) % LOOK_AGAIN == 0u;
}

fn to_target(p: vec2<f32>, goal: vec2<f32>, hidden: bool, body: f32) -> vec2<f32> {
    if constants.walled != 0u && hidden && constants.targets != 0u {
        let slot = atomicLoad(&slots[slot_of(target_cell(goal))]);
        if slot < constants.targets {
            let way = by_field(constants.fields + slot, p, body);
            if any(way != vec2<f32>(0.0)) {
                return way;
            }
        }
    }
    return normal_or(goal - p, vec2<f32>(0.0));
}
