// Admit: lets those be busy who asked for a place with a capacity, as long as there is room, in the order of
// the agents. One workgroup does it all: few ask in a step, and those are found by their bits.

#import throng_gpu::group::{GROUP, Place}
#import throng_gpu::group_scan::group_sums
#import throng_crowd::constants::{constants, LEFT, TRAITS, ID, ARRIVALS, GOT_THERE, DOES_ELSE}
#import throng_crowd::state::{state, row_of_four, action_of, with_action}
#import throng_crowd::bins::agents
#import throng_crowd::tables::table
#import throng_crowd::shape::{site_row, SITE_CAPACITY}
#import throng_crowd::duration::duration
#import throng_crowd::events::{count_up, note}

// People busy at each site; those who left it in this step; those who were admitted.
@group(0) @binding(7) var<storage, read_write> busy: array<u32>;
// A bit for each agent: whether it asks; and of those the site, and what it would do there.
@group(0) @binding(9) var<storage, read_write> asks: array<u32>;
@group(0) @binding(10) var<storage, read> asked: array<vec2<u32>>;
// Those who ask, in their order.
@group(0) @binding(11) var<storage, read_write> asking: array<u32>;

/// The sites that the invocations' people ask for.
var<workgroup> wanted: array<u32, GROUP>;
/// How many ask in all.
var<workgroup> all_asking: u32;

@compute @workgroup_size(GROUP)
fn admit(place: Place) {
    line_up(place);
    let many = workgroupUniformLoad(&all_asking);
    for (var first = 0u; first < many; first += GROUP) {
        let inside = first + place.local < many;
        var agent = 0u;
        var ask = vec2<u32>(constants.sites, 0u);
        if inside {
            agent = asking[first + place.local];
            ask = asked[agent];
        }
        wanted[place.local] = ask.x;
        workgroupBarrier();
        var rank = 0u;
        var last = true;
        for (var other = 0u; other < GROUP; other++) {
            let same = wanted[other] == ask.x;
            rank += select(0u, 1u, same && other < place.local);
            last &= !(same && other > place.local);
        }
        var before = 0u;
        if inside {
            before = busy[2u * constants.counts + ask.x];
            if before + rank < room_at(ask.x) {
                take_in(agent, ask.x, ask.y);
            }
        }
        storageBarrier();
        if inside && last {
            busy[2u * constants.counts + ask.x] = before + rank + 1u;
        }
        storageBarrier();
        workgroupBarrier();
    }
    for (var site = place.local; site < constants.sites; site += GROUP) {
        let admitted = min(busy[2u * constants.counts + site], room_at(site));
        busy[site] = staying(site) + admitted;
        busy[constants.counts + site] = 0u;
        busy[2u * constants.counts + site] = 0u;
    }
}

/// Writes down those who ask, in their order, and forgets their bits.
fn line_up(place: Place) {
    let words = (agents() + 31u) / 32u;
    var many = 0u;
    for (var first = 0u; first < words; first += GROUP) {
        let word = first + place.local;
        var bits = 0u;
        if word < words {
            bits = asks[word];
        }
        let sums = group_sums(countOneBits(bits), place);
        var at = many + sums.before;
        if bits != 0u {
            asks[word] = 0u;
        }
        while bits != 0u {
            asking[at] = word * 32u + firstTrailingBit(bits);
            bits &= bits - 1u;
            at++;
        }
        many += sums.all;
    }
    if place.local == 0u {
        all_asking = many;
    }
    storageBarrier();
}

/// People busy at a site once those who left it are gone.
fn staying(site: u32) -> u32 {
    let all = busy[site];
    return all - min(all, busy[constants.counts + site]);
}

/// How many more a site has room for.
fn room_at(site: u32) -> u32 {
    let capacity = table(site_row(site) + SITE_CAPACITY);
    return max(capacity, staying(site)) - staying(site);
}

fn take_in(i: u32, site: u32, to: u32) {
    let times = state[row_of_four(LEFT, i)];
    let self_ = state[row_of_four(TRAITS, i)];
    let id = self_[ID % 4u];
    let traits = self_[TRAITS % 4u];
    put(LEFT, i, vec4<u32>(duration(id, to), 0u, times.zw));
    put(TRAITS, i, vec4<u32>(self_.x, site, id, with_action(traits, to)));
    count_up(ARRIVALS);
    note(id, GOT_THERE, 0u);
    note(id, DOES_ELSE, action_of(traits) | (to << 8u));
}

/// Writes four qualities of an agent, of which this is one.
fn put(field: u32, i: u32, four: vec4<u32>) {
    state[row_of_four(field, i)] = four;
}
