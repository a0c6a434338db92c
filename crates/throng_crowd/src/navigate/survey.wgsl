// Survey: the crowd and the hazards on the navigation cells, and the costs of the fields whose turn it is.
//
// The twins are `throng_field::cost` and `Fields::survey`. Shares of people are whole numbers, so that
// their sum has the same bits in any order. A cell holds up to 65,535 people.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, HAZARD_WORDS, WEIGHT_WORDS, SPLAT_BITS, DENSITY_LEAST, DENSITY_SHARE, LEAST_COST,
    MOST_COST, MOST_CROWDING, OTHERS, SURVEY_DENSITY,
    SURVEY_SETTLED, SURVEY_MEANS, SURVEY_ROOM, FIELD_WORDS, FIELD_ASKED, WORN, WEAR_LEVEL
}
#import throng_crowd::mirror::body_of
#import throng_crowd::bins::agents
#import throng_crowd::tables::{table_four, table_number}
#import throng_crowd::cells::{cells, cell_origin}

// Shares of people on each cell; people per square metre; those that the costs are made with; means along rows; and
// the share of open ground about each cell. The last two only where cells around a cell count for it.
@group(0) @binding(7) var<storage, read_write> shares: array<atomic<u32>>;
// The same, when all are on their cells.
@group(0) @binding(7) var<storage, read_write> survey: array<u32>;
// The costs of the fields one after the other, and that of the bare ground.
@group(0) @binding(8) var<storage, read_write> costs: array<u32>;
// How far the fields are.
@group(0) @binding(9) var<storage, read_write> progress: array<atomic<u32>>;
// How worn the cells are, where that counts.
@group(0) @binding(10) var<storage, read_write> wear: array<u32>;

const SPLAT_STEPS: u32 = 1u << SPLAT_BITS;
const INFINITY_BITS: u32 = 0x7f800000u;

/// Everybody on the four cells whose centres are around it, in proportion to nearness.
@compute @workgroup_size(GROUP)
fn splat(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let size = vec2<u32>(constants.cell_columns, constants.cell_rows);
    let p = (body_of(i).xy - cell_origin()) / constants.cell_size;
    if !(all(p >= vec2<f32>(0.0)) && all(p < vec2<f32>(size))) {
        return;
    }
    let at = vec2<u32>(p * f32(SPLAT_STEPS));
    let from_centre = at + SPLAT_STEPS / 2u;
    let after = from_centre >> vec2<u32>(SPLAT_BITS);
    let far = from_centre & vec2<u32>(SPLAT_STEPS - 1u);
    let near = SPLAT_STEPS - far;
    let low = max(after, vec2<u32>(1u)) - 1u;
    let high = min(after, size - 1u);
    let own = at >> vec2<u32>(SPLAT_BITS);
    let here = own.y * size.x + own.x;
    add_share(low.y * size.x + low.x, near.x * near.y, here);
    add_share(low.y * size.x + high.x, far.x * near.y, here);
    add_share(high.y * size.x + low.x, near.x * far.y, here);
    add_share(high.y * size.x + high.x, far.x * far.y, here);
}

/// A share that would fall into blocked ground goes to the cell in which the agent stands.
fn add_share(cell: u32, share: u32, here: u32) {
    let blocked = costs[constants.fields * cells() + cell] >= INFINITY_BITS;
    atomicAdd(&shares[select(cell, here, blocked)], share);
}

/// Shares become people per square metre, where the cells around a cell count for its crowding.
@compute @workgroup_size(GROUP)
fn measure(place: Place) {
    let cell = flat_invocation(place);
    if cell < cells() {
        measured(cell);
    }
}

fn measured(cell: u32) -> f32 {
    let sum = survey[cell];
    let density = f32(sum) * constants.people_per_share;
    // Most cells are and stay empty.
    if sum != 0u {
        survey[cell] = 0u;
    }
    let at = SURVEY_DENSITY * cells() + cell;
    if survey[at] != bitcast<u32>(density) {
        survey[at] = bitcast<u32>(density);
    }
    return density;
}

/// Weighted sum of the densities, or of those means, before and after a cell, as far as there are any; the twin is in
/// `crowding.rs`.
fn tent(at: u32, step: u32, before: u32, after: u32) -> f32 {
    var sum = constants.crowding_peak * bitcast<f32>(survey[at]);
    for (var off = 1u; off <= constants.crowding_reach; off++) {
        let weight = constants.crowding_peak - f32(off) * constants.crowding_fall;
        if off <= before {
            sum += weight * bitcast<f32>(survey[at - off * step]);
        }
        if off <= after {
            sum += weight * bitcast<f32>(survey[at + off * step]);
        }
    }
    return sum;
}

/// Weighted means along rows.
@compute @workgroup_size(GROUP)
fn across(place: Place) {
    let cell = flat_invocation(place);
    if cell >= cells() {
        return;
    }
    let x = cell % constants.cell_columns;
    let mean = tent(SURVEY_DENSITY * cells() + cell, 1u, x, constants.cell_columns - 1u - x);
    survey[SURVEY_MEANS * cells() + cell] = bitcast<u32>(mean);
}

/// Mean density about a cell, over its open ground.
fn crowding(cell: u32) -> f32 {
    let columns = constants.cell_columns;
    let y = cell / columns;
    let mean = tent(SURVEY_MEANS * cells() + cell, columns, y, constants.cell_rows - 1u - y);
    return mean / bitcast<f32>(survey[SURVEY_ROOM * cells() + cell]);
}

/// What others there are at a density: all but oneself, and no more than count.
fn others(density: f32) -> f32 {
    let share = (density / constants.alone - 1.0) / OTHERS;
    return min(density * clamp(share, 0.0, 1.0), MOST_CROWDING);
}

@compute @workgroup_size(GROUP)
fn compose(place: Place) {
    let cell = flat_invocation(place);
    if cell >= cells() {
        return;
    }
    // Where cells are large there were no other passes.
    var density: f32;
    if constants.crowding_reach == 0u {
        density = measured(cell);
    } else {
        density = crowding(cell);
    }
    let settled = settled_density(SURVEY_SETTLED * cells() + cell, others(density));
    let hazard = hazard_at(cell);
    let terrain = costs[constants.fields * cells() + cell];
    let walked = bitcast<f32>(terrain) * (1.0 - constants.wear_saving * worn(cell));
    for (var k = 0u; k < constants.fields_due; k++) {
        let field = (constants.field_first + k) % constants.fields;
        let row = constants.table_weights + field * WEIGHT_WORDS;
        var cost = INFINITY_BITS;
        if terrain < INFINITY_BITS {
            // F = aT + bD + cA ("March of the Froblins", section 3.2.1).
            var sum = table_number(row) * walked;
            sum += table_number(row + 1u) * settled;
            sum += table_number(row + 2u) * hazard;
            cost = bitcast<u32>(clamp(sum, LEAST_COST, MOST_COST));
        }
        costs[field * cells() + cell] = cost;
        if cell == 0u {
            atomicStore(&progress[field * FIELD_WORDS + FIELD_ASKED], 1u);
        }
    }
}

/// Lets people wear a cell, and gives its level; the twin is in `trails.rs`.
fn worn(cell: u32) -> f32 {
    if constants.wear_saving <= 0.0 {
        return 0.0;
    }
    let density = bitcast<f32>(survey[SURVEY_DENSITY * cells() + cell]);
    let left = u32(f32(wear[cell]) * constants.wear_keep);
    let now = min(left + u32(min(density * constants.wear_gain, f32(WORN))), WORN);
    wear[cell] = now;
    return f32(now / WEAR_LEVEL);
}

/// The density for the costs follows the measured one only where they differ enough.
fn settled_density(at: u32, now: f32) -> f32 {
    let before = bitcast<f32>(survey[at]);
    if abs(before - now) > DENSITY_LEAST + DENSITY_SHARE * now {
        survey[at] = bitcast<u32>(now);
        return now;
    }
    return before;
}

/// What the hazards add to a cell: (1 - (d / radius)²)² of their strengths.
fn hazard_at(cell: u32) -> f32 {
    let at = vec2<f32>(vec2<u32>(cell % constants.cell_columns, cell / constants.cell_columns));
    let centre = cell_origin() + (at + 0.5) * constants.cell_size;
    var sum = 0.0;
    for (var k = 0u; k < constants.hazards; k++) {
        let row = constants.table_hazards + k * HAZARD_WORDS;
        // Place, how far it frightens, how far it counts; then how much.
        let hazard = bitcast<vec4<f32>>(table_four(row));
        let radius = hazard.w;
        let d = (centre - hazard.xy) / radius;
        let left = max(1.0 - (d.x * d.x + d.y * d.y), 0.0);
        if radius > 0.0 && left > 0.0 {
            sum += max(table_number(row + 4u), 0.0) * left * left;
        }
    }
    return sum;
}
