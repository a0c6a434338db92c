// Avoid: how everybody really goes, with others and walls in the way. What the models do and why: see the
// head of the stage; this is `throng.rs`, `froblins.rs` and `neighbours.rs`, one agent to an invocation.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, FEAR, TRAITS, WANT_X, PACE, MOVING, FREE_WAY,
    MOST_NEIGHBOURS, MOST_CANDIDATES, WARINESS, HEAD_ON, SIDE_SHARPNESS, TOUCHING, DETOUR, ROUNDABOUT, STEP_OFF,
    FAR_AHEAD, INTO, CORNER, NEARS, KEEP, FACING, FREE_AHEAD, SLOW_WALK, ALONG_WALL, SHARP_TURN, FAN, FAN_WORDS,
    IMPATIENT, CLOSE_BEHIND, URGENT, UNEASY, AT_WALL, CLOSING, BEND, TURNING_BACK, PER_APPROACH, BESIDE,
    PER_BEHIND, NEAR_DOOR, NEARLY_TOUCHING
}
#import throng_crowd::state::{word, set_word, number, group_of, action_of, has, with_flag}
#import throng_crowd::mirror::{body_of, build_of}
#import throng_crowd::scratch::{scratched, scratched_pair, scratch_pair}
#import throng_crowd::bins::{column_of, row_of, range_of}
#import throng_crowd::walls::{NearestWall, nearest_wall, wall_distance}
#import throng_crowd::tables::{
    push_of, flight_of, table_four, table_number, group_row, GROUP_KEENNESS, GROUP_STANDING_GAP
}
#import throng_crowd::turns::{is_dense_among, people_around}
#import throng_crowd::list::{length_of_list, item}

/// One agent as a model sees it.
struct Mover {
    place: vec2<f32>,
    goal: vec2<f32>,
    velocity: vec2<f32>,
    heading: vec2<f32>,
    pace: f32,
    /// Share of its usual speed at a gap; less than 1 before a stair.
    ease: f32,
    /// One over its group's factor on the time gap, and the factor on the standing gap.
    keenness: f32,
    standing_gap: f32,
    radius: f32,
    /// Of its body at a wall.
    slim: f32,
    frustration: f32,
    push: f32,
    wall: NearestWall,
    /// Whether the crowd around it is dense.
    brisk: bool,
    /// How many it sees, how far it can walk straight ahead before it touches one of them who stands still
    /// (metres), and which side suits it among them.
    seen: u32,
    ahead: f32,
    drift: f32,
    against: f32,
    /// How much of what it does is flight, 0 to 1.
    flight: f32,
}

/// Eight of something.
struct Eight {
    low: vec4<f32>,
    high: vec4<f32>,
}

/// A velocity, and whether the way straight ahead is free.
struct Decision {
    velocity: vec2<f32>,
    free: bool,
}

/// Whom the agent sees.
var<private> seen: array<u32, MOST_NEIGHBOURS>;

@compute @workgroup_size(GROUP)
fn avoid(place: Place) {
    let at = flat_invocation(place);
    if at < length_of_list() {
        decide(item(at));
    }
}

fn decide(i: u32) {
    let traits = word(TRAITS, i);
    if !has(traits, MOVING) {
        scratch_pair(WANT_X, i, vec2<f32>(0.0));
        return;
    }
    let body = body_of(i);
    let build = build_of(i);
    var mover: Mover;
    mover.place = body.xy;
    mover.goal = scratched_pair(WANT_X, i);
    mover.ease = 1.0;
    // A unit vector, or shorter where people take their time.
    let ease = length(mover.goal);
    if ease < UNEASY {
        mover.goal *= 1.0 / ease;
        mover.ease = ease;
    }
    mover.velocity = body.zw;
    mover.heading = build.yz;
    mover.pace = scratched(PACE, i);
    mover.radius = build.x;
    mover.slim = AT_WALL + build.x;
    mover.frustration = build.w;
    mover.push = push_of(group_of(traits), action_of(traits), mover.frustration);
    let group = group_row(group_of(traits));
    mover.keenness = table_number(group + GROUP_KEENNESS);
    mover.standing_gap = table_number(group + GROUP_STANDING_GAP);
    mover.flight = flight_of(number(FEAR, i));
    mover.wall = NearestWall(3.0e38, vec2<f32>(0.0));
    if constants.walled != 0u {
        mover.wall = nearest_wall(mover.place);
    }
    gather(i, &mover);
#ifdef FROBLINS
    let decision = froblins(mover);
#else
    let decision = throng(mover);
#endif
    scratch_pair(WANT_X, i, decision.velocity);
    set_word(TRAITS, i, with_flag(traits, FREE_WAY, decision.free));
}

/// How far one looks ahead and to the sides, by the people around and the ground that they have.
fn reach_among(around: vec2<f32>) -> vec2<f32> {
    let area = constants.area * around.y / max(around.x, 1.0);
    // First narrower, then shorter: who comes towards one has to be seen in time.
    let aside = clamp(area * constants.per_reach, constants.least_reach, constants.reach);
    return vec2<f32>(clamp(area / aside, constants.least_reach, constants.reach), aside);
}

/// Lists whom an agent sees, and finds the side to keep to among them: -1 left to 1 right. Each
/// neighbour ahead counts by its nearness. Who comes towards one is left on the other side, who goes along
/// is followed.
fn gather(i: u32, mover: ptr<function, Mover>) {
    let p = (*mover).place;
    let g = (*mover).goal;
    let around = people_around(p);
    let reach = reach_among(around);
    (*mover).brisk = is_dense_among(around);
    var behind = reach.y;
#ifndef FROBLINS
    if (*mover).frustration <= IMPATIENT {
        behind = min(CLOSE_BEHIND, reach.y);
    }
#endif
    // The box around the half ellipse.
    let wide = reach.y * abs(g.yx);
    let front = reach.x * g;
    let back = -behind * g;
    let from_corner = p + min(front, back) - wide;
    let to_corner = p + max(front, back) + wide;
    let first = column_of(from_corner.x);
    let last = column_of(to_corner.x);
    let high = row_of(to_corner.y);
    // f² / ahead² + s² / aside² < 1, without dividing.
    let reach2 = reach * reach;
    let edge = reach2.x * reach2.y;
    let per_reach = 1.0 / reach.x;
    var count = 0u;
    var ahead = FAR_AHEAD;
    var lead = 0.0;
    var leaders = 0.0;
    var shun = 0.0;
    var against = 0.0;
    for (var row = row_of(from_corner.y); row <= high; row++) {
        let range = window(range_of(row, first, last), i);
        var j = range.x;
        loop {
            // The next who is near: by a loop of its own, so that the others of a subgroup do not go
            // through all that follows for each who is not.
            var other = vec4<f32>(0.0);
            var forward = 0.0;
            var side = 0.0;
            while j < range.y {
                other = body_of(j);
                let d = other.xy - p;
                forward = d.x * g.x + d.y * g.y;
                side = d.x * g.y - d.y * g.x;
                let far = forward * forward * reach2.y + side * side * reach2.x;
                if far < edge && -behind < forward && j != i {
                    break;
                }
                j += 1u;
            }
            if j >= range.y || count >= MOST_NEIGHBOURS {
                break;
            }
            seen[count] = j;
            count += 1u;
            let near = max(1.0 - forward * per_reach, 0.0);
            let beside = max(1.0 - abs(side) * constants.per_side_band, 0.0);
            let w = select(0.0, near * beside, 0.0 < forward);
            let build = build_of(j);
            // As `headway` in the direction of the goal, in a lane as wide as the two of them.
            let touch = build.x + (*mover).radius;
            if 0.0 < forward && side * side < touch * touch {
                ahead = min(ahead, max(forward - sqrt(max(touch * touch - side * side, 0.0)), 0.0));
            }
            let heading = build.yz;
            let along = heading.x * g.x + heading.y * g.y;
            let nears = clamp(-(other.z * g.x + other.w * g.y) * PER_APPROACH, 0.0, 1.0);
            let comes = max((-along - constants.oncoming) * constants.per_oncoming, 0.0);
            let opposed = w * (nears * comes);
            let followed = w * max(along, 0.0);
            // Straight ahead counts as a little to the left: both step to the right.
            let s = clamp((side - HEAD_ON) * SIDE_SHARPNESS, -1.0, 1.0);
            lead += followed * s;
            leaders += followed;
            shun += opposed * s;
            against += opposed;
            j += 1u;
        }
    }
    (*mover).seen = count;
    (*mover).ahead = ahead;
    // Where nobody comes towards one there is nobody to hide from, and who is slow is overtaken.
    let follow = constants.follow * min(against * WARINESS, 1.0);
    (*mover).drift = (lead * follow - shun) / (leaders * follow + against + 0.5);
    (*mover).against = against;
}

/// Of a row with more people than fit into it, those next in line to an agent.
fn window(row: vec2<u32>, i: u32) -> vec2<u32> {
    if row.y - row.x <= MOST_CANDIDATES {
        return row;
    }
    let before = max(i, MOST_CANDIDATES / 2u) - MOST_CANDIDATES / 2u;
    let first = clamp(before, row.x, row.y - MOST_CANDIDATES);
    return vec2<u32>(first, first + MOST_CANDIDATES);
}

/// Times (at most the horizon) until first touch for eight velocities at once (swept circles; "March of
/// the Froblins", section 3.2.2): t = c / (b + √(b² − a c)). The greatest 1/t is looked for.
fn times(mover: Mover, ex: Eight, ey: Eight) -> Eight {
    let zero = vec4<f32>(0.0);
    var soonest = Eight(vec4<f32>(1.0 / constants.horizon), vec4<f32>(1.0 / constants.horizon));
    for (var n = 0u; n < mover.seen; n++) {
        let j = seen[n];
        let body = body_of(j);
        let d = body.xy - mover.place;
        let v = body.zw;
        let touch = build_of(j).x + mover.radius;
        let apart = d.x * d.x + d.y * d.y - touch * touch;
        let per_apart = 1.0 / max(apart, TOUCHING);
        soonest.low = max(soon(ex.low, ey.low, mover.pace, d, v, apart, per_apart), soonest.low);
        soonest.high = max(soon(ex.high, ey.high, mover.pace, d, v, apart, per_apart), soonest.high);
    }
    return Eight(1.0 / soonest.low, 1.0 / soonest.high);
}

fn soon(
    ex: vec4<f32>,
    ey: vec4<f32>,
    pace: f32,
    d: vec2<f32>,
    v: vec2<f32>,
    apart: f32,
    per_apart: f32,
) -> vec4<f32> {
    let zero = vec4<f32>(0.0);
    let rx = ex * pace - v.x;
    let ry = ey * pace - v.y;
    let a = rx * rx + ry * ry;
    let b = d.x * rx + d.y * ry;
    let disc = b * b - a * apart;
    let found = (b + sqrt(max(disc, zero))) * per_apart;
    return select(zero, found, (b > zero) & (disc > zero));
}

/// Distance one can walk in a direction before touching somebody who stands still (metres). Who walks off
/// at more than `speed` counts as if it had done so for `anticipation` seconds already.
fn headway(mover: Mover, e: vec2<f32>, lane: f32, speed: f32, anticipation: f32) -> f32 {
    var least = FAR_AHEAD;
    for (var n = 0u; n < mover.seen; n++) {
        let j = seen[n];
        let body = body_of(j);
        let d = body.xy - mover.place;
        let touch = build_of(j).x + mover.radius;
        let along = d.x * e.x + d.y * e.y;
        let aside = d.x * e.y - d.y * e.x;
        if 0.0 < along && aside * aside < touch * touch * (lane * lane) {
            let gap = along - sqrt(max(touch * touch - aside * aside, 0.0));
            let off = body.z * e.x + body.w * e.y - speed;
            least = min(least, max(gap + max(off, 0.0) * anticipation, 0.0));
        }
    }
    return least;
}

#ifndef FROBLINS
fn throng(mover: Mover) -> Decision {
    let brisk = mover.brisk;
    let speed_now = length(mover.velocity);
    let roams = !brisk && speed_now < STEP_OFF && mover.ahead < FREE_AHEAD;
    let chosen = choose(mover, roams);
    var direction = chosen;
    // Who stands steps off in any direction; who walks bends its way.
    if speed_now > STEP_OFF && dot(mover.heading, chosen) > SHARP_TURN {
        let turn = select(constants.turn, constants.brisk_turn, brisk);
        let between = mover.heading * (1.0 - turn) + chosen * turn;
        direction = between * (1.0 / length(between));
    }
    let room = max(mover.wall.distance - mover.slim, 0.0);
    var into = -dot(direction, mover.wall.away);
    if into > 0.0 && room < ALONG_WALL * mover.slim {
        // At a wall already: along it.
        direction = normal_or(direction + mover.wall.away * into, mover.wall.away);
        into = 0.0;
    }
    let hurry = constants.haste * mover.flight;
    let gap = headway(mover, direction, constants.lane * (1.0 - hurry), speed_now, constants.anticipation);
    let closes_up = constants.standing_gap * mover.standing_gap * (1.0 - CLOSING * mover.frustration);
    let given_up = max(urge(mover, speed_now), hurry);
    let per_gap = constants.per_time_gap * mover.ease * mover.keenness / (1.0 - given_up);
    var speed = min(mover.pace, max(gap - closes_up, 0.0) * per_gap);
    if into > INTO && clearance(mover, direction * (0.5 * CORNER)) < mover.slim {
        speed = min(speed, room / into * constants.per_wall_gap);
    }
    // Who has to get through pushes on, and contact sorts out who gives way.
    var creep = clamp(constants.creep * (mover.push - 1.0), 0.0, constants.most_creep);
    if creep > 0.0 {
        creep *= pushing_on(mover);
    }
    speed = max(speed, min(creep, mover.pace));
    if speed > speed_now {
        speed = speed_now + (speed - speed_now) * select(constants.gain, constants.brisk_gain, brisk);
    }
    if speed_now > STEP_OFF {
        speed = min(speed, mover.pace * in_bend(dot(mover.heading, chosen), waited(mover)));
    }
    let free = speed < SLOW_WALK && mover.ahead > FREE_AHEAD;
    return Decision(direction * speed, free);
}

/// How much more or less somebody pushes on, by how far ahead those are whom it touches, or nearly: who is right behind
/// somebody holds back, who touches somebody who faces another way has to get past.
fn pushing_on(mover: Mover) -> f32 {
    var most = -1.0;
    for (var n = 0u; n < mover.seen; n++) {
        let j = seen[n];
        let d = body_of(j).xy - mover.place;
        let build = build_of(j);
        let near = build.x + mover.radius + NEARLY_TOUCHING;
        let d2 = d.x * d.x + d.y * d.y;
        if d2 < near * near {
            if build.y * mover.goal.x + build.z * mover.goal.y < 0.0 {
                return constants.squeeze;
            }
            let along = d.x * mover.goal.x + d.y * mover.goal.y;
            most = max(most, along / sqrt(max(d2, TOUCHING)));
        }
    }
    if mover.wall.distance < NEAR_DOOR {
        return 1.0 - constants.hold_back * clamp((most - BESIDE) * PER_BEHIND, 0.0, 1.0);
    }
    return 1.0;
}

/// The share of the time gap that somebody gives up: who has had to wait in a jam, and gets on again, follows
/// more closely, unless others come against it.
fn urge(mover: Mover, speed: f32) -> f32 {
    let lively = clamp((speed / mover.pace - constants.urge_from) * constants.per_urge, 0.0, 1.0);
    return constants.urge * waited(mover) * lively * (1.0 - against(mover));
}

/// Share of its pace that somebody keeps who turns by an angle of this cosine: who turns aside or back slows down, aside not
/// if it had to wait.
fn in_bend(cosine: f32, waited: f32) -> f32 {
    return clamp(BEND + (1.0 - BEND) * waited + cosine, TURNING_BACK, 1.0);
}

/// How much somebody has had to wait, 0 to 1.
fn waited(mover: Mover) -> f32 {
    return min(mover.frustration * URGENT, 1.0);
}

/// How much is against somebody, 0 to 1.
fn against(mover: Mover) -> f32 {
    return min(mover.against * 2.0, 1.0);
}

#endif

/// A unit vector, or another one where there is none.
fn normal_or(v: vec2<f32>, other: vec2<f32>) -> vec2<f32> {
    let long = length(v);
    if long > 1e-37 {
        return v * (1.0 / long);
    }
    return other;
}

#ifndef FROBLINS
/// The preferred direction, turned towards the lane that suits it.
fn lane_of(mover: Mover) -> vec2<f32> {
    // Against others one keeps to the right, and somebody who gets nowhere gives way to the right.
    let way = against(mover) * (constants.keep_right + mover.frustration * constants.give_way);
    let right = vec2<f32>(mover.goal.y, -mover.goal.x);
    let turned = mover.goal + right * (mover.drift * constants.keep_side + way);
    return turned * (1.0 / length(turned));
}

/// The best direction. Who stands before somebody, with room all round (`roams`), goes round it, as far aside as
/// it takes.
fn choose(mover: Mover, roams: bool) -> vec2<f32> {
    let w = mover.wall;
    let near_wall = w.distance < mover.slim + mover.pace * constants.horizon;
    if mover.seen == 0u && !near_wall {
        return mover.goal;
    }
    let fan = constants.table_fans + select(0u, FAN_WORDS, mover.frustration > IMPATIENT || roams);
    let h = mover.heading;
    let g = lane_of(mover);
    var sin = eight_of(fan);
    var cos = eight_of(fan + FAN + 1u);
    // The last is the present heading, as an angle to the goal.
    sin.high.w = g.x * h.y - g.y * h.x;
    cos.high.w = g.x * h.x + g.y * h.y;
    let ex = Eight(g.x * cos.low - g.y * sin.low, g.x * cos.high - g.y * sin.high);
    let ey = Eight(g.x * sin.low + g.y * cos.low, g.x * sin.high + g.y * cos.high);
    var time = times(mover, ex, ey);
    if near_wall {
        let room = max(w.distance - mover.slim, 0.0) / mover.pace;
        time.low = before_wall(mover, time.low, ex.low, ey.low, room);
        time.high = before_wall(mover, time.high, ex.high, ey.high, room);
    }
    let bend = DETOUR * select(against(mover) * mover.frustration, 1.0, roams);
    // The less one gets on, the less there is to keep; who faces away from its goal in a jam turns to it.
    let keep = KEEP * clamp(1.0 + FACING * dot(g, h), 0.0, 1.0);
    let low = cost_of(mover, time.low, ex.low, ey.low, sin.low, cos.low, bend, keep);
    let high = cost_of(mover, time.high, ex.high, ey.high, sin.high, cos.high, bend, keep);
    var cost = array<f32, 8>(low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w);
    var best = 0u;
    for (var k = 1u; k <= FAN; k++) {
        if cost[k] < cost[best] {
            best = k;
        }
    }
    if best == FAN {
        return h;
    }
    // Its parabola in six numbers, its sine and its cosine.
    let row = fan + 2u * (FAN + 1u) + 8u * best;
    let parabola = bitcast<vec4<f32>>(table_four(row));
    let rest = bitcast<vec4<f32>>(table_four(row + 4u));
    let e = vec2<f32>(g.x * rest.w - g.y * rest.z, g.x * rest.z + g.y * rest.w);
    if best == 0u || best == FAN - 1u {
        return e;
    }
    let a = cost[best - 1u] - cost[best];
    let b = cost[best + 1u] - cost[best];
    return turned_by(e, vertex(parabola, rest.xy, a, b));
}

fn eight_of(at: u32) -> Eight {
    return Eight(bitcast<vec4<f32>>(table_four(at)), bitcast<vec4<f32>>(table_four(at + 4u)));
}

/// A wall ends only ways that lead into it, however close one stands. So close that it may end beside the
/// way, as the post of a door does, it is looked for ahead; and of two walls either ends ways.
fn before_wall(mover: Mover, time: vec4<f32>, ex: vec4<f32>, ey: vec4<f32>, room: f32) -> vec4<f32> {
    let away = mover.wall.away;
    var leads = -(ex * away.x + ey * away.y);
    var ends = leads > vec4<f32>(INTO);
    if mover.wall.distance < mover.slim + CORNER {
        let clear = vec4<f32>(
            clear_ahead(mover, vec2<f32>(ex.x, ey.x) * CORNER),
            clear_ahead(mover, vec2<f32>(ex.y, ey.y) * CORNER),
            clear_ahead(mover, vec2<f32>(ex.z, ey.z) * CORNER),
            clear_ahead(mover, vec2<f32>(ex.w, ey.w) * CORNER),
        );
        leads = (mover.wall.distance - clear) * (1.0 / CORNER);
        ends = (leads > vec4<f32>(NEARS)) & (clear < vec4<f32>(mover.slim));
    }
    let hit = room / max(leads, vec4<f32>(INTO));
    return select(time, min(hit, time), ends);
}

/// The least distance to a wall some way ahead and half way there, so that nobody looks through a thin wall.
fn clear_ahead(mover: Mover, ahead: vec2<f32>) -> f32 {
    return min(clearance(mover, ahead), clearance(mover, ahead * 0.5));
}

/// Distance to the nearest wall from somewhere beside the agent.
fn clearance(mover: Mover, beside: vec2<f32>) -> f32 {
    return wall_distance(mover.place + beside);
}

/// Moussaïd et al. 2011, eq. 1: the squared distance from where one would get to where one wants to be, in
/// units of the horizon; out of patience a detour costs less and less, and all go round the same way.
fn cost_of(
    mover: Mover,
    time: vec4<f32>,
    ex: vec4<f32>,
    ey: vec4<f32>,
    sin: vec4<f32>,
    cos: vec4<f32>,
    bend: f32,
    keep: f32,
) -> vec4<f32> {
    let q = time * constants.per_horizon;
    let opposed = against(mover) * mover.frustration;
    let near = bend + cos * (1.0 - bend);
    let along = ex * mover.heading.x + ey * mover.heading.y;
    let side = constants.side + ROUNDABOUT * opposed;
    // Who queues faces where it wants to, and leaves its place for a real gap only.
    let queues = constants.queue * waited(mover) * (1.0 - against(mover));
    let kept = along * (q + keep) + cos * (KEEP - keep);
    return q * q - 2.0 * (q * near) - cos * queues - kept * constants.hysteresis
        + max(sin, vec4<f32>(0.0)) * side;
}

/// How far the lowest point of the parabola is from a direction (radians).
fn vertex(parabola: vec4<f32>, half: vec2<f32>, a: f32, b: f32) -> f32 {
    let p = a * parabola.x + b * parabola.y;
    let q = a * parabola.z + b * parabola.w;
    if p > 1e-6 {
        return clamp(-q / (2.0 * p), half.x, half.y);
    }
    return 0.0;
}

/// A unit vector turned by a small angle (series).
fn turned_by(e: vec2<f32>, angle: f32) -> vec2<f32> {
    let a2 = angle * angle;
    let s = angle * (1.0 - a2 * (1.0 / 6.0) * (1.0 - a2 * 0.05));
    let c = 1.0 - a2 * 0.5 * (1.0 - a2 * (1.0 / 12.0));
    return vec2<f32>(e.x * c - e.y * s, e.x * s + e.y * c);
}

#else
/// The model of "March of the Froblins" (section 3.2.2), as written: the preferred direction and four to
/// its right.
fn froblins(mover: Mover) -> Decision {
    let g = mover.goal;
    let one = right_of(g);
    let two = right_of(one);
    let three = right_of(two);
    let four = right_of(three);
    let ex = Eight(vec4<f32>(g.x, one.x, two.x, three.x), vec4<f32>(four.x, g.x, g.x, g.x));
    let ey = Eight(vec4<f32>(g.y, one.y, two.y, three.y), vec4<f32>(four.y, g.y, g.y, g.y));
    let time = times(mover, ex, ey);
    var fittest = fitness(time.low.x, g, g);
    var best = g;
    var until = time.low.x;
    var way = array<vec3<f32>, 4>(
        vec3<f32>(one, time.low.y),
        vec3<f32>(two, time.low.z),
        vec3<f32>(three, time.low.w),
        vec3<f32>(four, time.high.x),
    );
    for (var k = 0u; k < 4u; k++) {
        let fit = fitness(way[k].z, g, way[k].xy);
        if fit > fittest {
            fittest = fit;
            best = way[k].xy;
            until = way[k].z;
        }
    }
    let direction = turn_towards(mover.heading, best);
    let speed = min(mover.pace, mover.pace * until / constants.dt);
    let free = speed < SLOW_WALK && mover.ahead > FREE_AHEAD;
    return Decision(direction * speed, free);
}

fn fitness(time: f32, g: vec2<f32>, e: vec2<f32>) -> f32 {
    return constants.froblins_weight * time + 0.5 * dot(g, e) + 0.5;
}

fn right_of(e: vec2<f32>) -> vec2<f32> {
    let s = constants.froblins_sin;
    let c = constants.froblins_cos;
    return vec2<f32>(c * e.x - s * e.y, s * e.x + c * e.y);
}

/// A heading turned towards a direction by the largest turn at most.
fn turn_towards(h: vec2<f32>, to: vec2<f32>) -> vec2<f32> {
    let between = dot(h, to) / sqrt(dot(h, h) * dot(to, to));
    if between >= constants.turn_cos {
        return to;
    }
    // By the sign bit: straight behind, a zero has a sign too.
    let aside = bitcast<u32>(h.x * to.y - h.y * to.x);
    let s = select(constants.turn_sin, -constants.turn_sin, (aside >> 31u) != 0u);
    let c = constants.turn_cos;
    return normal_or(vec2<f32>(c * h.x - s * h.y, s * h.x + c * h.y), to);
}
#endif
