// What all kernels of the fields share: sizes, tiles, and the words that say how far each group is.
//
// Potentials, costs and start values are held as the bits of floats. All of them are positive, so
// their bits compare as they do, and infinity needs no arithmetic on it, which WGSL does not promise.

/// Sizes. Groups come one after the other in every buffer of cells.
struct Frame {
    width: u32,
    height: u32,
    groups: u32,
    tiles_across: u32,
    /// Tiles of one group.
    tiles: u32,
    /// Workgroups in a row of an indirect dispatch.
    row: u32,
    /// Costs in the caller's buffer. A group beyond them has the last one.
    costs: u32,
    cell_size: f32,
    /// A potential that no solution reaches.
    unreached: f32,
    /// Whether only groups that were asked for take over cost and goals.
    asked_only: u32,
    unused_a: u32,
    unused_b: u32,
}

const TILE: u32 = #{TILE}u;
const INFINITY_BITS: u32 = 0x7f800000u;
/// No tile; no threshold.
const NONE: u32 = 0xffffffffu;

/// Words of a group's state.
const WORDS: u32 = #{WORDS}u;
const PENDING: u32 = #{PENDING}u;
const PHASE: u32 = #{PHASE}u;
const THRESHOLD: u32 = #{THRESHOLD}u;
const SOLVING: u32 = #{SOLVING}u;
const PUBLISHED: u32 = #{PUBLISHED}u;
const STEPS: u32 = #{STEPS}u;
const TOOK: u32 = #{TOOK}u;
const VISITS: u32 = #{VISITS}u;
const ASKED: u32 = #{ASKED}u;

/// Values of the phase.
const BUSY: u32 = 0u;
const IDLE: u32 = #{IDLE}u;
const FRESH: u32 = 2u;

/// Words of a list of tiles: three of a dispatch, how many there are, and the tiles.
const LIST_ROWS: u32 = 1u;
const LIST_COUNT: u32 = 3u;
const LIST_HEAD: u32 = #{LIST_HEAD}u;

/// Words of an agenda: a dispatch of workgroups for one group by the number of groups, and the groups.
const AGENDA_GROUPS: u32 = 2u;

/// Where the state says whether a tile is on a list.
fn due_word(frame: Frame, tile: u32) -> u32 {
    return frame.groups * WORDS + tile;
}

/// Where the state says whether a tile has cells whose cost, start value or potential is another now than in the
/// solution that was handed out last.
fn touched_word(frame: Frame, tile: u32) -> u32 {
    return frame.groups * (WORDS + frame.tiles) + tile;
}

/// Column and row of the first cell of a tile, the tile given by its number among all groups.
fn tile_corner(frame: Frame, tile: u32) -> vec2<i32> {
    let own = tile % frame.tiles;
    return vec2<i32>(vec2<u32>(own % frame.tiles_across, own / frame.tiles_across) * TILE);
}

fn is_inside(frame: Frame, cell: vec2<i32>) -> bool {
    return all(cell >= vec2<i32>(0, 0)) && cell.x < i32(frame.width) && cell.y < i32(frame.height);
}

/// Place of a cell in a buffer of all groups. The cell must be inside.
fn cell_word(frame: Frame, group: u32, cell: vec2<i32>) -> u32 {
    return (group * frame.height + u32(cell.y)) * frame.width + u32(cell.x);
}

/// A cost as bits; whatever is no cost is infinite.
fn cost_bits(bits: u32) -> u32 {
    return select(INFINITY_BITS, bits, bits > 0u && bits < INFINITY_BITS);
}

/// The bits of a potential; infinite beyond what a solution reaches.
fn potential_bits(frame: Frame, bits: u32) -> u32 {
    return select(INFINITY_BITS, bits, bits < bitcast<u32>(frame.unreached));
}
