// The level of close-ups: T = clamp(2 T_max / N, 1, T_max) for N characters that are near, so that they never add
// more triangles than two of the greatest level.

/// The greatest level, triangles of a character, how many of those near are skinned once at most, 1 if it is the first.
@group(0) @binding(0) var<uniform> most: vec4<f32>;
@group(0) @binding(1) var<storage, read> kept_near: array<u32>;
/// How many are near in any view, of whom the first are skinned once.
@group(0) @binding(2) var<storage, read> skinned_near: array<u32>;
/// How many are near in all; 1 where some of them are not skinned once.
@group(0) @binding(3) var<storage, read_write> total: array<u32>;
/// Its first words are the level of the frame.
@group(0) @binding(4) var<storage, read_write> cage: array<u32>;
@group(0) @binding(5) var<storage, read_write> draws: array<u32>;
@group(0) @binding(6) var<storage, read_write> close_draw: array<u32>;

/// Sums over the cast.
@compute @workgroup_size(1)
fn count_near() {
    let before = select(vec2<u32>(total[0], total[1]), vec2<u32>(0u), most.w > 0.5);
    total[0] = before.x + kept_near[0];
    total[1] = before.y | u32(f32(skinned_near[0]) > most.z);
}

fn level_of(greatest: f32, near: u32) -> f32 {
    return clamp(2.0 * greatest / max(f32(near), 1.0), 1.0, max(greatest, 1.0));
}

/// The draw of the patches, or of the plain cage where the level is 1.
@compute @workgroup_size(1)
fn choose_level() {
    var level = level_of(most.x, total[0]);
    if total[1] > 0u {
        level = 1.0;
    }
    let n = u32(ceil(level));
    let faces = u32(most.y);
    let fine = n > 1u;
    let characters = kept_near[0];
    let grown = select(1.0, level - f32(n - 1u), fine);
    let added = select(0u, characters * faces * (n * n - 1u), fine);
    // `Close` in close.wgsl.
    cage[0] = bitcast<u32>(level);
    cage[1] = n;
    cage[2] = bitcast<u32>(grown);
    cage[3] = bitcast<u32>(clamp(level - 1.0, 0.0, 1.0));
    cage[4] = faces;
    cage[5] = characters;
    cage[6] = added;
    close_draw[0] = 3u * n * n;
    close_draw[1] = select(0u, characters * faces, fine);
    // Indices of all grids with fewer segments come before.
    close_draw[2] = (n - 1u) * n * (2u * n - 1u) / 2u;
    close_draw[3] = 0u;
    close_draw[4] = 0u;
    draws[1] = select(characters, 0u, fine);
}
