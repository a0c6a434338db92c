// The step itself: limits, walls, integration.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, X, RADIUS, SPEED, TRAITS, MOVING, WANT_X, SQUEEZED,
    PROGRESS, STANDING, IMPACTS, AT_WALL
}
#import throng_crowd::state::{state, word, row_of_four, has}
#import throng_crowd::mirror::{old_number, body_of, build_of}
#import throng_crowd::scratch::scratched_pair
#import throng_crowd::bins::agents
#import throng_crowd::list::{append, length_of_list, item}
#import throng_crowd::walls::{wall_distance, nearest_wall}
#ifdef RANKS
#import throng_crowd::places::take_place
#endif

@group(0) @binding(9) var<storage, read_write> tally: array<atomic<u32>>;

/// An agent on its way.
struct Walker {
    agent: u32,
    place: vec2<f32>,
    velocity: vec2<f32>,
    // Radius, heading, frustration.
    build: vec4<f32>,
    speed: f32,
    most: f32,
}

/// Somebody with its velocity within all limits but those of place.
fn walker(i: u32) -> Walker {
    let body = body_of(i);
    let speed = old_number(SPEED, i);
    let most = speed * constants.fastest;
    let before = body.zw;
    let change = at_most(scratched_pair(WANT_X, i) - before, constants.jolt);
    return Walker(i, body.xy, at_most(before + change, most), build_of(i), speed, most);
}

fn hits_wall(who: Walker) -> bool {
    return constants.walled != 0u
        && wall_distance(who.place + who.velocity * constants.dt) < AT_WALL + who.build.x;
}

/// A place within the world.
fn kept_inside(p: vec2<f32>) -> vec2<f32> {
    let low = vec2<f32>(constants.min_x, constants.min_y);
    let high = vec2<f32>(constants.max_x, constants.max_y);
    return clamp(p, low, high);
}

/// Whoever nothing is in the way of takes its step; the others are listed.
@compute @workgroup_size(GROUP)
fn move_all(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let who = walker(i);
    let p = who.place + who.velocity * constants.dt;
    if hits_wall(who) || any(kept_inside(p) != p) {
        append(i);
        return;
    }
    step_to(who, p);
}

/// The steps of those who would walk into a wall or out of the world.
@compute @workgroup_size(GROUP)
fn move_blocked(place: Place) {
    let at = flat_invocation(place);
    if at >= length_of_list() {
        return;
    }
    var who = walker(item(at));
    if hits_wall(who) {
        who.velocity = slide(who.place, who.velocity, AT_WALL + who.build.x, who.most);
        atomicAdd(&tally[IMPACTS], 1u);
    }
    var p = who.place + who.velocity * constants.dt;
    let inside = kept_inside(p);
    if any(inside != p) {
        who.velocity = no_longer((inside - who.place) / constants.dt, who.most);
        p = kept_inside(who.place + who.velocity * constants.dt);
        atomicAdd(&tally[IMPACTS], 1u);
    }
    step_to(who, p);
}

fn step_to(who: Walker, p: vec2<f32>) {
    let i = who.agent;
    let v = who.velocity;
    let speed = v.x * v.x + v.y * v.y;
    let heading = turned(who.build.yz, v, speed);
    let progress = who.speed * PROGRESS;
    let traits = word(TRAITS, i);
    let slow = speed < progress * progress && has(traits, MOVING);
    let change = select(-constants.dt / constants.calm, constants.dt / constants.patience, slow);
    let frustration = who.build.w + change;
    put(X, i, vec4<f32>(p, v));
    put(RADIUS, i, vec4<f32>(who.build.x, heading, clamp(frustration, 0.0, 1.0)));
#ifdef RANKS
    take_place(i, p, traits);
#endif
}

fn put(field: u32, i: u32, four: vec4<f32>) {
    state[row_of_four(field, i)] = bitcast<vec4<u32>>(four);
}

/// A vector shortened to a length at most.
fn at_most(v: vec2<f32>, most: f32) -> vec2<f32> {
    let long = v.x * v.x + v.y * v.y;
    return v * select(1.0, most / sqrt(long), most * most < long);
}

fn no_longer(v: vec2<f32>, most: f32) -> vec2<f32> {
    let long = v.x * v.x + v.y * v.y;
    return select(v, most * (v / sqrt(long)), long > most * most);
}

/// A heading turned towards a velocity, by no more than the largest turn.
fn turned(h: vec2<f32>, v: vec2<f32>, speed: f32) -> vec2<f32> {
    if !(STANDING < speed) {
        return h;
    }
    let d = v * (1.0 / sqrt(max(speed, STANDING)));
    let along = h.x * d.x + h.y * d.y;
    if !(along < constants.turn_cos) {
        return d;
    }
    let aside = h.x * d.y - h.y * d.x;
    let sin = select(constants.turn_sin, -constants.turn_sin, aside < 0.0);
    let cos = constants.turn_cos;
    let r = vec2<f32>(h.x * cos - h.y * sin, h.x * sin + h.y * cos);
    return r * (1.0 / sqrt(max(r.x * r.x + r.y * r.y, 1e-12)));
}

/// The velocity of a body that would touch a wall: along it, or none.
fn slide(position: vec2<f32>, v: vec2<f32>, radius: f32, most: f32) -> vec2<f32> {
    let dt = constants.dt;
    let wall = nearest_wall(position + v * dt);
    // Back out to where the body just touches, along the wall's normal.
    let out = (radius - wall.distance) / dt;
    let slid = no_longer(v + wall.away * out, most);
    let hard = min(SQUEEZED * radius, wall_distance(position) - 1e-4);
    if wall_distance(position + slid * dt) >= hard {
        return slid;
    }
    if wall_distance(position + slid * 0.5 * dt) >= hard {
        return slid * 0.5;
    }
    return vec2<f32>(0.0);
}
