// What all stages of the grass share: the uniform, clumps, and where the points of a billboard are.

#import throng_render::grass_bend::{Wind, arc}

/// `GrassUniform` in Rust.
struct GrassUniform {
    wind: Wind,
    time: f32,
    dt: f32,
    now: u32,
    before: u32,
    bend: f32,
    farthest: f32,
    recovery: f32,
    regrowth: f32,
    foot: f32,
    edge: f32,
    wear: f32,
    leap: f32,
    map_origin: vec2<f32>,
    map_cell: f32,
    map_columns: u32,
    map_rows: u32,
    block_columns: u32,
    blocks: u32,
    mask: u32,
    tile_origin: vec2<f32>,
    tile_side: f32,
    tile_columns: u32,
    tile_rows: u32,
    tiles: u32,
    clumps: u32,
    fullest: u32,
    eye: vec3<f32>,
    near: f32,
    stiffness: f32,
    sweeps: u32,
    pool: u32,
    fade: f32,
    thin_from: f32,
    far_from: f32,
    gone: f32,
    widest: f32,
    word: u32,
    at_most: u32,
    frustum: u32,
    occlusion: u32,
    detail: u32,
    cell_columns: u32,
    cell_rows: u32,
    cells: u32,
    body_radius: f32,
    body_height: f32,
    heroes: u32,
    show: u32,
    broad: f32,
    near_tiles: u32,
    volume_high: f32,
    unused: f32,
    volume_origin: vec2<f32>,
    volume_extent: vec2<f32>,
}

/// `Clump` in Rust.
struct Clump {
    foot: vec3<f32>,
    lean: u32,
    size: u32,
    look: u32,
    turn: u32,
    slope: u32,
}

/// `Tile` in Rust.
struct Tile {
    centre: vec3<f32>,
    radius: f32,
    first: u32,
    count: u32,
    unused_a: u32,
    unused_b: u32,
}

/// Something large that rolls or floats through grass: a box with distances to its surface from all sides.
struct Hero {
    /// Middle of its box, and half its sides.
    centre: vec3<f32>,
    turn: f32,
    half_size: vec3<f32>,
    shape: u32,
    /// Metres per second.
    velocity: vec2<f32>,
    /// Radius of its print.
    tread: f32,
    unused: f32,
}

/// No slot, and bits of one.
const NO_SLOT: u32 = 0xffffffffu;

/// One of the crossed billboards of a clump.
struct Billboard {
    foot: vec3<f32>,
    /// Along its width, and the way it grows; of length 1.
    axis: vec3<f32>,
    up: vec3<f32>,
    width: f32,
    height: f32,
}

fn chance_of(clump: Clump) -> f32 {
    return f32((clump.look >> 8u) & 0xffu) / 255.0;
}

fn rank_of(clump: Clump) -> f32 {
    return f32(clump.look >> 16u) / 65535.0;
}

/// Width and height.
fn size_of(clump: Clump) -> vec2<f32> {
    return unpack2x16unorm(clump.size) * #{SIZE_UNIT}.0;
}

/// An offset of a point of a lattice.
fn unpacked_offset(words: vec2<u32>) -> vec3<f32> {
    return vec3<f32>(unpack2x16snorm(words.x), unpack2x16snorm(words.y).x) * #{OFFSET_UNIT}.0;
}

fn packed_offset(offset: vec3<f32>) -> vec2<u32> {
    let share = offset / #{OFFSET_UNIT}.0;
    return vec2<u32>(pack2x16snorm(share.xy), pack2x16snorm(vec2<f32>(share.z, 0.0)));
}

fn slope_of(clump: Clump) -> vec2<f32> {
    return unpack2x16snorm(clump.slope) * 4.0;
}

fn billboard(clump: Clump, k: u32) -> Billboard {
    let size = size_of(clump);
    let yaw = (unpack2x16unorm(clump.turn).x + f32(k) / #{CROSSED}.0) * 3.14159265;
    let flat_axis = vec2<f32>(cos(yaw), sin(yaw));
    let axis = normalize(vec3<f32>(flat_axis, dot(slope_of(clump), flat_axis)));
    let lean = unpack2x16snorm(clump.lean);
    let grow = vec3<f32>(lean, sqrt(max(1.0 - dot(lean, lean), 0.0)));
    let up = normalize(grow - axis * dot(grow, axis));
    return Billboard(clump.foot, axis, up, size.x, size.y);
}

/// A point of a billboard: `side` -1 to 1 along its width, `q` 0 to 1 along its height, bent by an angle along the
/// ground.
fn point_of(it: Billboard, side: f32, q: f32, angle: vec2<f32>) -> vec3<f32> {
    let base = it.foot + it.axis * (it.width * 0.5 * side);
    let th = length(angle);
    let flat_way = vec3<f32>(angle / max(th, 1e-6), 0.0);
    let across = flat_way - it.up * dot(flat_way, it.up);
    let way = across / max(length(across), 1e-6);
    let at = arc(it.height, th, q);
    return base + way * at.x + it.up * at.y;
}

/// Share of the clumps that are drawn at a distance; those of lower rank go last.
fn kept_at(grass: GrassUniform, metres: f32) -> f32 {
    if grass.detail == 0u {
        return 1.0;
    }
    let far = grass.thin_from / max(metres, grass.thin_from);
    return max(far * far, 0.004);
}

/// Clumps of up to this rank are drawn at a distance, the last of them ever smaller.
fn last_rank(kept: f32) -> f32 {
    return kept * 1.2;
}

/// How large a clump is drawn: 0 to 1.
fn shrunk(grass: GrassUniform, rank: f32, metres: f32) -> f32 {
    if grass.detail == 0u {
        return 1.0;
    }
    let kept = kept_at(grass, metres);
    let by_rank = clamp((last_rank(kept) - rank) / (0.2 * kept), 0.0, 1.0);
    return by_rank * (1.0 - smoothstep(grass.gone * 0.7, grass.gone, metres));
}

/// How much wider clumps are that stand for others.
fn widened(grass: GrassUniform, metres: f32) -> f32 {
    return min(inverseSqrt(kept_at(grass, metres)), grass.widest);
}
