// Signed distance to the nearest wall, read between cell centres.

#import throng_crowd::constants::{constants, FAINT, OFF_STEPS, OFF_STEP}
#import throng_crowd::sheet::texel

@group(0) @binding(4) var walls: texture_storage_2d<r32uint, read>;

fn wall_at(cell: u32) -> f32 {
    return bitcast<f32>(textureLoad(walls, texel(cell)).x);
}

/// Open ground within one bin of a bin, in bins: it stands behind the distances.
fn room_around(bin: u32) -> f32 {
    return wall_at(constants.wall_columns * constants.wall_rows + bin);
}

struct Corners {
    values: vec4<f32>,
    t: vec2<f32>,
}

/// Distance (metres, negative inside) and a unit vector away; shorter, down to zero, halfway between two walls.
struct NearestWall {
    distance: f32,
    away: vec2<f32>,
}

fn corners(p: vec2<f32>) -> Corners {
    let size = vec2<u32>(constants.wall_columns, constants.wall_rows);
    let high = vec2<f32>(size - 1u);
    let origin = vec2<f32>(constants.wall_x, constants.wall_y);
    let q = clamp((p - origin) * constants.walls_per_metre - 0.5, vec2<f32>(0.0), high);
    // The last square also holds its far edge.
    let low = min(vec2<u32>(q), max(size, vec2<u32>(2u)) - 2u);
    let next = min(low + 1u, size - 1u);
    let first = low.y * size.x;
    let second = next.y * size.x;
    let values = vec4<f32>(
        wall_at(first + low.x), wall_at(first + next.x), wall_at(second + low.x), wall_at(second + next.x)
    );
    return Corners(values, q - vec2<f32>(low));
}

fn wall_distance(p: vec2<f32>) -> f32 {
    let at = corners(p);
    let low = at.values.x + (at.values.y - at.values.x) * at.t.x;
    let high = at.values.z + (at.values.w - at.values.z) * at.t.x;
    return low + (high - low) * at.t.y;
}

fn nearest_wall(p: vec2<f32>) -> NearestWall {
    let at = corners(p);
    let v = at.values;
    let low = v.x + (v.y - v.x) * at.t.x;
    let high = v.z + (v.w - v.z) * at.t.x;
    let slope = vec2<f32>((v.y - v.x) + ((v.w - v.z) - (v.y - v.x)) * at.t.y, high - low);
    let steep = max(sqrt(slope.x * slope.x + slope.y * slope.y), FAINT * constants.wall_cell);
    return NearestWall(low + (high - low) * at.t.y, slope / steep);
}

/// The place so far off the nearest wall, straight away from it; in a passage that is narrower than twice that, its
/// middle.
fn off_wall(p: vec2<f32>, wall: NearestWall, far: f32) -> vec2<f32> {
    var gone = 0.0;
    var clear = wall.distance;
    for (var k = 0u; k < OFF_STEPS; k++) {
        let step = min(max(clear, OFF_STEP), far - clear);
        if step <= 0.0 {
            break;
        }
        let next = wall_distance(p + wall.away * (gone + step));
        if next < clear + 0.5 * step {
            // Beyond the middle: as far from the one wall as from the other.
            gone += 0.5 * max(step + next - clear, 0.0);
            break;
        }
        gone += step;
        clear = next;
    }
    return p + wall.away * gone;
}

/// Whether a straight line stays farther than `margin` from walls (sphere tracing).
fn sees(origin: vec2<f32>, to: vec2<f32>, margin: f32) -> bool {
    let way = to - origin;
    let far = length(way);
    if !(far > 0.0) {
        return true;
    }
    let along = way * (1.0 / far);
    let least = 0.25 * constants.wall_cell;
    var walked = 0.0;
    while walked < far {
        let clear = wall_distance(origin + along * walked);
        if clear < margin {
            return false;
        }
        walked += max(clear - margin, least);
    }
    return true;
}
