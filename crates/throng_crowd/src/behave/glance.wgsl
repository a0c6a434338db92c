// A glance at everybody: time goes by, and whoever something may happen to is listed. For most nothing can,
// and that is seen without asking how far places really are or what chance says. Whoever is listed has its
// turn by `behave`, which asks all that; here it is enough never to leave out somebody by mistake.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, LEFT, FEAR, SLOW, TARGET_X, TRAITS, ID, WAITING, TARGETED, MOVING, FREE_WAY,
    DOSE, EXTENDED, FALLEN, IS_DOWN, STUCK, SEEK_GOAL, SEEK_TARGET, EXITS, FAR_OFF, AT_TARGET, ACTION_GATES,
    GATE_ALWAYS, GATE_FINISHED, GATE_ARRIVED, GATE_FREE
}
#import throng_crowd::state::{state, word, number, set_number, row_of_four, action_of, has}
#import throng_crowd::mirror::{four_of, old_pair, body_of, build_of}
#import throng_crowd::bins::agents
#import throng_crowd::tables::{table_four, action_row}
#import throng_crowd::ground::{site_near, dose_at}
#import throng_crowd::events::{count_up, note}
#import throng_crowd::shape::{site_row, SITE_CENTRE}
#import throng_crowd::duration::INFINITE
#import throng_crowd::list::append

// People busy at each site.
@group(0) @binding(7) var<storage, read> busy: array<u32>;

/// Distances are found in another way than later: so much may lie between the two (metres).
const MARGIN: f32 = 0.01;

/// What is known of where somebody is with respect to what it seeks.
struct Guess {
    // Not more than this far away.
    distance: f32,
    may_have_arrived: bool,
    full: bool,
}

@compute @workgroup_size(GROUP)
fn glance(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let times = four_of(LEFT / 4u, i);
    let self_ = four_of(TRAITS / 4u, i);
    let body = body_of(i);
    // These two are not what they were when the step began.
    let traits = word(TRAITS, i);
    let fear = number(FEAR, i);
    let left = bitcast<f32>(times.x) - constants.dt;
    let endless = times.x == INFINITE;
    let finished = !endless && left <= 0.0;
    let clip = bitcast<f32>(times.y) + constants.dt;
    let crawls = dot(body.zw, body.zw) < constants.stuck_speed * constants.stuck_speed;
    let hindered = crawls && has(traits, MOVING) && has(traits, FREE_WAY);
    let slow = select(0.0, bitcast<f32>(self_[SLOW % 4u]) + constants.dt, hindered);
    let stuck = slow > constants.stuck_seconds;
    // Seek, goal, speed, first rule; last rule, bits, what tires.
    let action = table_four(action_row(action_of(traits)));
    let more = table_four(action_row(action_of(traits)) + 4u);
    var down = false;
    if EXTENDED {
        down = breathe(i, body.xy, self_[ID % 4u]);
    }
    // Who can no more does nothing, as one who waits.
    let waits = has(traits, WAITING) || down;
    let tires = select(bitcast<f32>(more.z) * constants.dt, 0.0, waits);
    let rested = bitcast<f32>(times.z);
    let tired = select(clamp(rested + tires, 0.0, 1.0), rested, waits);
    var happens = stuck != has(traits, STUCK) || waits && finished && !down;
    if !waits && (action.w != more.x || has(more.y, EXITS) || action.x == SEEK_TARGET) {
        let reach = max(build_of(i).x, AT_TARGET);
        let guess = guess_of(i, body.xy, reach, traits, action.x, action.y);
        happens |= guess.may_have_arrived && (has(more.y, EXITS) || action.x == SEEK_TARGET);
        // Bits, fear, distance, tiredness; time, fear and tiredness at most, distance to what is full.
        let first = table_four(action_row(action_of(traits)) + ACTION_GATES);
        let second = table_four(action_row(action_of(traits)) + ACTION_GATES + 4u);
        let least = bitcast<vec4<f32>>(first);
        let most = bitcast<vec4<f32>>(second);
        happens |= has(first.x, GATE_ALWAYS) || has(first.x, GATE_FINISHED) && finished;
        happens |= has(first.x, GATE_ARRIVED) && guess.may_have_arrived;
        happens |= has(first.x, GATE_FREE) && !guess.full || guess.full && guess.distance < most.w;
        happens |= fear >= least.y || guess.distance < least.z || tired >= least.w;
        happens |= clip >= most.x || fear <= most.y || tired <= most.z;
    }
    if happens {
        append(i);
        return;
    }
    let bits = select(bitcast<u32>(left), INFINITE, endless);
    let clocks = vec4<u32>(bits, bitcast<u32>(clip), bitcast<u32>(tired), bitcast<u32>(fear));
    state[row_of_four(LEFT, i)] = clocks;
    // The flags stay as they are; hardly anybody is or was slow.
    if bitcast<u32>(slow) != self_[SLOW % 4u] {
        set_number(SLOW, i, slow);
    }
}

/// Adds to the dose of poison, and says whether it was too much before.
fn breathe(i: u32, p: vec2<f32>, id: u32) -> bool {
    var four = four_of(DOSE / 4u, i);
    let before = bitcast<f32>(four.x);
    let after = before + dose_at(p) * constants.dt;
    four.x = bitcast<u32>(after);
    state[row_of_four(DOSE, i)] = four;
    if before < 1.0 && after >= 1.0 {
        count_up(FALLEN);
        note(id, IS_DOWN, 0u);
    }
    return before >= 1.0;
}

fn guess_of(i: u32, p: vec2<f32>, reach: f32, traits: u32, seek: u32, goal: u32) -> Guess {
    var guess = Guess(bitcast<f32>(0x7f7fffffu), false, false);
    if seek == SEEK_TARGET && has(traits, TARGETED) {
        guess.distance = distance(p, old_pair(TARGET_X, i)) - MARGIN;
        guess.may_have_arrived = guess.distance <= reach;
    }
    if seek != SEEK_GOAL {
        return guess;
    }
    let site = site_near(goal, p);
    if site == FAR_OFF {
        return guess;
    }
    // Kind, fuzz, capacity, whether it is limited; centre and radius of a circle around it.
    let first = table_four(site_row(site));
    let circle = bitcast<vec4<f32>>(table_four(site_row(site) + SITE_CENTRE));
    guess.distance = distance(p, circle.xy) - circle.z - MARGIN;
    guess.may_have_arrived = guess.distance <= bitcast<f32>(first.y) + reach;
    guess.full = first.w != 0u && busy[site] >= first.z;
    return guess;
}
