// Behave: what people do, and do next: those to whom something may happen. Who would like to be busy at a
// place with a capacity asks; `admit` answers, in the order of the agents as the CPU does.
//
// In two turns. The first finds that nothing happens after all, or that somebody asks, and lists the others.
// The second (CHANGES) carries out what happens to those: they are few, and what it costs to draw durations
// is spared all others of their subgroups.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, X, Y, VX, RADIUS, LEFT, CLIP, TIRED, FEAR, FRUSTRATION, SLOW, TARGET_X, TRAITS, ID, SITE,
    NOTHING, WAITING, DEAD, ARRIVED, TARGETED, MOVING, FREE_WAY, STUCK, SEEK_NOTHING, SEEK_GOAL,
    SEEK_TARGET, SEEK_AWAY, RULE_WORDS, COUNTS, EXITS, RESUMES, ASKS_ARRIVED, ASKS_FINISHED, ASKS_FULL,
    ASKS_DISTANCE, ASKS_MANY, ASKS_FEW, ASKS_AFRAID, ASKS_CALM, ASKS_TIRED, ASKS_FRESH, ASKS_AFTER,
    FOR_CHANCE, FOR_CONTENTMENT, DOSE, EXTENDED, FAR_OFF, AT_TARGET,
    INSIDERS, FACT_BITS, MOST_COUNTED, REMOVALS, ARRIVALS,
    BORN, STUCK_ONES, GOT_STUCK, GOT_THERE, DOES_ELSE, IS_GONE
}
#import throng_crowd::state::{
    state, word, number, row_of_four, group_of, action_of, has, with_flag, with_action
}
#import throng_crowd::mirror::{four_of, old_word, old_number, old_pair, body_of}
#import throng_crowd::bins::{column_of, row_of, range_of}
#ifdef CHANGES
#import throng_crowd::list::{length_of_list, item}
#else
#import throng_crowd::list::{append, length_of_list, item}
#endif
#import throng_crowd::tables::{
    table, table_number, action_row, ACTION_SEEK, ACTION_GOAL, ACTION_FIRST_RULE, ACTION_LAST_RULE,
    ACTION_BITS, ACTION_TIRES
}
#import throng_crowd::ground::site_near
#import throng_crowd::shape::{
    site_row, nearest_point, SITE_FUZZ, SITE_CAPACITY, SITE_LIMITED, SITE_DEEPEST
}
#import throng_crowd::random::random_unit
#import throng_crowd::duration::{INFINITE, duration, seed, moment}
#import throng_crowd::events::{count_up, count_travel, note}

// People busy at each site; then those who left it in this step.
@group(0) @binding(7) var<storage, read_write> busy: array<atomic<u32>>;
// A bit for each agent: whether it asks; and of those the site, and what it would do there.
@group(0) @binding(9) var<storage, read_write> asks: array<atomic<u32>>;
@group(0) @binding(10) var<storage, read_write> asked: array<vec2<u32>>;

// Words of a rule; its conditions follow in the order of their bits.
const RULE_ASKS: u32 = 0u;
const RULE_TO: u32 = 1u;
const RULE_GROUPS: u32 = 2u;
const RULE_CHANCE: u32 = 4u;
const RULE_DISTANCE: u32 = 8u;
const RULE_MANY: u32 = 9u;
const RULE_FEW: u32 = 10u;
const RULE_AFRAID: u32 = 11u;
const RULE_CALM: u32 = 12u;
const RULE_TIRED: u32 = 13u;
const RULE_FRESH: u32 = 14u;
const RULE_AFTER: u32 = 15u;
const RULE_INFLUENCE: u32 = 16u;
const RULE_SHARE: u32 = 17u;

/// Where an agent is with respect to what it seeks.
struct Near {
    distance: f32,
    arrived: bool,
    site: u32,
    limited: bool,
    full: bool,
}

/// What an agent's own turn reads and changes.
struct Turn {
    agent: u32,
    id: u32,
    place: vec2<f32>,
    traits: u32,
    // Bits: it may be infinite, which a shader must not compute with.
    left: u32,
    finished: bool,
    clip: f32,
    tired: f32,
    fear: f32,
    site: u32,
}

@compute @workgroup_size(GROUP)
fn behave(place: Place) {
    let at = flat_invocation(place);
    if at >= length_of_list() {
        return;
    }
    let i = item(at);
    let times = four_of(LEFT / 4u, i);
    let self_ = four_of(TRAITS / 4u, i);
    var turn: Turn;
    turn.agent = i;
    turn.id = self_[ID % 4u];
    turn.place = old_pair(X, i);
    // These two are not what they were when the step began.
    turn.traits = word(TRAITS, i);
    turn.fear = number(FEAR, i);
    turn.clip = bitcast<f32>(times.y) + constants.dt;
    turn.tired = bitcast<f32>(times.z);
    turn.site = self_[SITE % 4u];
    turn.left = times.x;
    turn.finished = false;
    if turn.left != INFINITE {
        let left = bitcast<f32>(turn.left) - constants.dt;
        turn.left = bitcast<u32>(left);
        turn.finished = left <= 0.0;
    }
    let slow = notice_stuck(&turn);
#ifdef CHANGES
    act(&turn);
#else
    if slow > constants.stuck_seconds != has(word(TRAITS, i), STUCK) || changes(&turn) {
        append(i);
        return;
    }
#endif
    let spent = vec3<f32>(turn.clip, turn.tired, turn.fear);
    put(LEFT, i, vec4<u32>(turn.left, bitcast<vec3<u32>>(spent)));
    put(TRAITS, i, vec4<u32>(bitcast<u32>(slow), turn.site, turn.id, turn.traits));
}

/// Writes four qualities of an agent, of which this is one.
fn put(field: u32, i: u32, four: vec4<u32>) {
    state[row_of_four(field, i)] = four;
}

/// For how long it has got nowhere.
fn notice_stuck(turn: ptr<function, Turn>) -> f32 {
    let i = (*turn).agent;
    let v = old_pair(VX, i);
    let traits = (*turn).traits;
    let slow = v.x * v.x + v.y * v.y < constants.stuck_speed * constants.stuck_speed;
    let stuck = slow && has(traits, MOVING) && has(traits, FREE_WAY);
    let since = select(0.0, old_number(SLOW, i) + constants.dt, stuck);
    let now = since > constants.stuck_seconds;
#ifdef CHANGES
    if now && !has(traits, STUCK) {
        count_up(STUCK_ONES);
        note((*turn).id, GOT_STUCK, 0u);
    }
#endif
    (*turn).traits = with_flag(traits, STUCK, now);
    return since;
}

#ifdef CHANGES

fn act(turn: ptr<function, Turn>) {
    if is_down((*turn).agent) {
        return;
    }
    if has((*turn).traits, WAITING) {
        if !(*turn).finished {
            return;
        }
        (*turn).traits = with_flag((*turn).traits, WAITING, false);
        (*turn).clip = 0.0;
        begin(turn, action_of((*turn).traits));
    }
    let action = action_row(action_of((*turn).traits));
    tire(turn, action);
    let bits = table(action + ACTION_BITS);
    let seek = table(action + ACTION_SEEK);
    if nothing_to_do(action) {
        return;
    }
    let near = near_what(*turn, seek, table(action + ACTION_GOAL));
    if has(bits, EXITS) && near.arrived {
        (*turn).traits = with_flag((*turn).traits, DEAD, true);
        free_site(turn);
        count_up(REMOVALS);
        count_up(ARRIVALS);
        count_travel(number(BORN, (*turn).agent));
        note((*turn).id, GOT_THERE, 0u);
        note((*turn).id, IS_GONE, 0u);
        return;
    }
    if seek == SEEK_TARGET && near.arrived && !has((*turn).traits, ARRIVED) {
        (*turn).traits = with_flag((*turn).traits, ARRIVED, true);
        count_up(ARRIVALS);
        count_travel(number(BORN, (*turn).agent));
        note((*turn).id, GOT_THERE, 0u);
    }
    let row = first_rule(*turn, action, near);
    if row != NOTHING && !would_ask(*turn, row, near) {
        follow(turn, row, near);
    }
}

#else

/// Whether more happens than that time goes by or somebody asks, which is seen to here.
fn changes(turn: ptr<function, Turn>) -> bool {
    if is_down((*turn).agent) {
        return false;
    }
    if has((*turn).traits, WAITING) {
        return (*turn).finished;
    }
    let action = action_row(action_of((*turn).traits));
    tire(turn, action);
    if nothing_to_do(action) {
        return false;
    }
    let seek = table(action + ACTION_SEEK);
    let near = near_what(*turn, seek, table(action + ACTION_GOAL));
    let first_there = seek == SEEK_TARGET && !has((*turn).traits, ARRIVED);
    if near.arrived && (has(table(action + ACTION_BITS), EXITS) || first_there) {
        return true;
    }
    let row = first_rule(*turn, action, near);
    return row != NOTHING && !would_ask(*turn, row, near);
}

#endif

/// Whether somebody can no more.
fn is_down(i: u32) -> bool {
    if EXTENDED {
        return old_number(DOSE, i) >= 1.0;
    }
    return false;
}

fn tire(turn: ptr<function, Turn>, action: u32) {
    let tired = (*turn).tired + table_number(action + ACTION_TIRES) * constants.dt;
    (*turn).tired = clamp(tired, 0.0, 1.0);
}

fn nothing_to_do(action: u32) -> bool {
    return table(action + ACTION_FIRST_RULE) == table(action + ACTION_LAST_RULE)
        && !has(table(action + ACTION_BITS), EXITS) && table(action + ACTION_SEEK) != SEEK_TARGET;
}

/// The first rule that applies; `NOTHING` if none does.
fn first_rule(turn: Turn, action: u32, near: Near) -> u32 {
    var around = 0u;
    if has(table(action + ACTION_BITS), COUNTS) {
        around = count_around(turn.place);
    }
    // Those are skipped by a loop of their own that are out of question, so that the others of a subgroup
    // need not look at all that the rest asks for.
    let facts = facts_of(turn, near);
    let end = constants.table_rules + table(action + ACTION_LAST_RULE) * RULE_WORDS;
    var row = constants.table_rules + table(action + ACTION_FIRST_RULE) * RULE_WORDS;
    loop {
        while row < end && !plausible(row, facts, group_of(turn.traits)) {
            row += RULE_WORDS;
        }
        if row >= end || applies(turn, row, end, near, around) {
            break;
        }
        row += RULE_WORDS;
    }
    return select(NOTHING, row, row < end);
}

/// What a rule leads to.
fn led_to(traits: u32, row: u32) -> u32 {
    let rule = table(row + RULE_TO);
    return select(rule, traits >> 16u, has(rule, RESUMES)) & 0xffu;
}

/// Whether somebody would be busy at a place with a capacity by a rule: it asks then, and does nothing else.
fn would_ask(turn: Turn, row: u32, near: Near) -> bool {
    let to = led_to(turn.traits, row);
    if !near.arrived || !near.limited || table(action_row(to) + ACTION_SEEK) != SEEK_NOTHING {
        return false;
    }
    atomicOr(&asks[turn.agent / 32u], 1u << (turn.agent % 32u));
    asked[turn.agent] = vec2<u32>(near.site, to);
    return true;
}

/// What is so, as bits in the order of the conditions that ask for it.
fn facts_of(turn: Turn, near: Near) -> u32 {
    return select(0u, ASKS_ARRIVED, near.arrived) | select(0u, ASKS_FINISHED, turn.finished)
        | select(0u, ASKS_FULL, near.full);
}

/// Whether a rule is for this group and asks for nothing that is not so.
fn plausible(row: u32, facts: u32, group: u32) -> bool {
    let asked_for = table(row + RULE_ASKS);
    let wrong = ((asked_for >> FACT_BITS) ^ facts) & asked_for;
    let bit = group % 64u;
    let mine = (table(row + RULE_GROUPS + bit / 32u) >> (bit % 32u)) & 1u;
    return mine != 0u && (wrong & (ASKS_ARRIVED | ASKS_FINISHED | ASKS_FULL)) == 0u;
}

/// Where it is with respect to what it seeks.
fn near_what(turn: Turn, seek: u32, goal: u32) -> Near {
    var near = Near(bitcast<f32>(0x7f7fffffu), false, NOTHING, false, false);
    let radius = old_number(RADIUS, turn.agent);
    if seek == SEEK_TARGET && has(turn.traits, TARGETED) {
        let d = turn.place - old_pair(TARGET_X, turn.agent);
        near.distance = sqrt(d.x * d.x + d.y * d.y);
        near.arrived = near.distance <= max(AT_TARGET, radius);
    }
    if seek != SEEK_GOAL {
        return near;
    }
    let site = site_near(goal, turn.place);
    if site == FAR_OFF {
        return near;
    }
    let row = site_row(site);
    let nearest = nearest_point(row, turn.place);
    let d = nearest.point - turn.place;
    near.distance = sqrt(d.x * d.x + d.y * d.y);
    near.site = site;
    near.limited = table(row + SITE_LIMITED) != 0u;
    near.full = near.limited && atomicLoad(&busy[site]) >= table(row + SITE_CAPACITY);
    // Some are content at the fuzzy edge, some only further in; nobody insists for long.
    let content = random_unit(seed(), turn.id, vec2<u32>(goal, 0u), FOR_CONTENTMENT);
    let deepest = table_number(row + SITE_DEEPEST);
    if nearest.depth > 0.0 {
        let wanted = (1.0 - content) * deepest - AT_TARGET;
        near.arrived = nearest.depth >= wanted * (1.0 - old_number(FRUSTRATION, turn.agent));
    } else {
        let outside = deepest <= 0.0 || content > INSIDERS;
        near.arrived = outside && near.distance <= table_number(row + SITE_FUZZ) * content + radius;
    }
    return near;
}

/// The chance of a choice that depends on what others do: of it and those after it, each takes its part.
fn swayed(turn: Turn, row: u32, end: u32) -> f32 {
    let bit = group_of(turn.traits) % 64u;
    var all = 0.0;
    for (var at = row; at < end; at += RULE_WORDS) {
        let mine = (table(at + RULE_GROUPS + bit / 32u) >> (bit % 32u)) & 1u;
        if mine != 0u && table_number(at + RULE_INFLUENCE) > 0.0 {
            all += weight_of(turn, at);
        }
    }
    return weight_of(turn, row) / all;
}

fn weight_of(turn: Turn, row: u32) -> f32 {
    let others = f32(count_at(turn, table(row + RULE_TO) & 0xffu));
    return table_number(row + RULE_SHARE) * (1.0 + table_number(row + RULE_INFLUENCE) * others);
}

/// How many in sight are at an action.
fn count_at(turn: Turn, action: u32) -> u32 {
    let p = turn.place;
    let reach = constants.influence_radius;
    let first = column_of(p.x - reach);
    let last = column_of(p.x + reach);
    let high = row_of(p.y + reach);
    var count = 0u;
    for (var row = row_of(p.y - reach); row <= high; row++) {
        let range = range_of(row, first, last);
        for (var j = range.x; j < range.y; j++) {
            let traits = old_word(TRAITS, j);
            // Who has not begun yet shows nobody where it will go.
            if j != turn.agent && action_of(traits) == action && !has(traits, WAITING) {
                let d = body_of(j).xy - p;
                count += select(0u, 1u, d.x * d.x + d.y * d.y <= reach * reach);
            }
        }
    }
    return count;
}

/// Whether the other conditions of a plausible rule hold.
fn applies(turn: Turn, row: u32, end: u32, near: Near, around: u32) -> bool {
    let asked_for = table(row + RULE_ASKS);
    var holds = !has(asked_for, ASKS_DISTANCE) || near.distance < table_number(row + RULE_DISTANCE);
    holds &= !has(asked_for, ASKS_MANY) || around >= table(row + RULE_MANY);
    holds &= !has(asked_for, ASKS_FEW) || around <= table(row + RULE_FEW);
    holds &= !has(asked_for, ASKS_AFRAID) || turn.fear >= table_number(row + RULE_AFRAID);
    holds &= !has(asked_for, ASKS_CALM) || turn.fear <= table_number(row + RULE_CALM);
    holds &= !has(asked_for, ASKS_TIRED) || turn.tired >= table_number(row + RULE_TIRED);
    holds &= !has(asked_for, ASKS_FRESH) || turn.tired <= table_number(row + RULE_FRESH);
    holds &= !has(asked_for, ASKS_AFTER) || turn.clip >= table_number(row + RULE_AFTER);
    var chance = table_number(row + RULE_CHANCE);
    if holds && table_number(row + RULE_INFLUENCE) > 0.0 {
        chance = swayed(turn, row, end);
    }
    if !holds || chance >= 1.0 {
        return holds;
    }
    // Once when an action ends, else once a second.
    var when = moment();
    if !turn.finished {
        when.y |= 0x80000000u;
    }
    when.y ^= (table(row + RULE_TO) & 0xffu) << 16u;
    return random_unit(seed(), turn.id, when, FOR_CHANCE) < chance;
}

#ifdef CHANGES

fn follow(turn: ptr<function, Turn>, row: u32, near: Near) {
    let before = action_of((*turn).traits);
    let to = led_to((*turn).traits, row);
    let seek = table(action_row(to) + ACTION_SEEK);
    if near.arrived && seek != SEEK_AWAY && near.site != NOTHING {
        count_up(ARRIVALS);
        note((*turn).id, GOT_THERE, 0u);
        if has((*turn).traits, ARRIVED) {
            count_travel(number(BORN, (*turn).agent));
        }
    }
    free_site(turn);
    if seek == SEEK_AWAY {
        (*turn).traits = ((*turn).traits & ~0xff0000u) | (before << 16u);
    }
    (*turn).traits = with_action((*turn).traits, to);
    (*turn).clip = 0.0;
    begin(turn, to);
    note((*turn).id, DOES_ELSE, before | (to << 8u));
}

fn free_site(turn: ptr<function, Turn>) {
    if (*turn).site != NOTHING {
        atomicAdd(&busy[constants.counts + (*turn).site], 1u);
        (*turn).site = NOTHING;
    }
}

/// The time that an action takes, from its beginning.
fn begin(turn: ptr<function, Turn>, action: u32) {
    (*turn).left = duration((*turn).id, action);
    (*turn).finished = (*turn).left != INFINITE && bitcast<f32>((*turn).left) <= 0.0;
}

#endif

fn count_around(p: vec2<f32>) -> u32 {
    let reach = constants.crowd_radius;
    let first = column_of(p.x - reach);
    let last = column_of(p.x + reach);
    let high = row_of(p.y + reach);
    var count = 0u;
    for (var row = row_of(p.y - reach); row <= high; row++) {
        let range = range_of(row, first, last);
        for (var j = range.x; j < min(range.y, range.x + MOST_COUNTED); j++) {
            let d = body_of(j).xy - p;
            count += select(0u, 1u, d.x * d.x + d.y * d.y <= reach * reach);
        }
    }
    return max(count, 1u) - 1u;
}
