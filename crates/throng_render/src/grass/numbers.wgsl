// Numbers of the specification as the GPU has them, one after the other. For tests.

#import throng_render::grass_form::{packed_offset, unpacked_offset}
#import throng_render::grass_bend::{Wind, wave, wind_angle, arc}
#import throng_render::grass_shade::reflectance
#import throng_render::grass_recover::{residual, recovered}
#import throng_render::grass_lattice::{refine, relax, way_out}

@group(0) @binding(0) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
/// Of the many: points that stay in their box, waves out of range, light that the printed formula lets through; and
/// the sum of waves, in thousandths.
@group(0) @binding(2) var<storage, read_write> tally: array<atomic<u32>>;

var<private> at: u32 = 0u;

fn tell(x: f32) {
    found[at] = x;
    at++;
}

fn tell_lattice(first: u32, stiffness: f32) {
    var lattice: array<vec3<f32>, 12>;
    for (var k = 0u; k < 12u; k++) {
        lattice[k] = given[first + k].xyz;
    }
    for (var sweep = 0u; sweep <= 16u; sweep++) {
        for (var k = 0u; k < 12u; k++) {
            tell(lattice[k].x);
            tell(lattice[k].y);
            tell(lattice[k].z);
        }
        relax(&lattice, vec3<f32>(0.3, 0.2, length(vec2<f32>(0.3, 0.2))), stiffness);
    }
}

@compute @workgroup_size(1)
fn numbers() {
    let first = given[24];
    let waves = given[25];
    let wind = Wind(first.xy, first.z, first.w, waves, given[26].x, given[26].y, vec2<f32>(0.0));
    let places = array<f32, 5>(0.0, 0.25, 1.0, 2.0, 5.0);
    for (var i = 0; i < 5; i++) {
        tell(wave(waves, places[i]));
    }
    for (var i = 27; i < 33; i++) {
        let angle = wind_angle(wind, given[i].xy, given[i].z, given[i].w);
        tell(angle.x);
        tell(angle.y);
    }
    let arcs = array<vec2<f32>, 4>(
        vec2<f32>(1.0, 1.0 / 3.0), vec2<f32>(1.0, 2.0 / 3.0), vec2<f32>(1.0, 1.0), vec2<f32>(1.4, 1.0),
    );
    for (var i = 0; i < 4; i++) {
        let p = arc(0.6, arcs[i].x, arcs[i].y);
        tell(p.x);
        tell(p.y);
    }
    let x = vec3<f32>(1.0, 0.0, 0.0);
    let y = vec3<f32>(0.0, 1.0, 0.0);
    let refined = refine(vec3<f32>(0.0), x, y, x + y, 1u, 1u);
    tell(refined.x);
    tell(refined.y);
    tell(refined.z);
    tell_lattice(0u, 1.0);
    tell_lattice(0u, 0.5);
    tell_lattice(12u, 1.0);
    let v = vec3<f32>(0.2, 0.1, 0.0);
    let chord = sqrt(0.25 - vec3<f32>(dot(v.yz, v.yz), dot(v.xz, v.xz), dot(v.xy, v.xy)));
    let normal = vec3<f32>(chord.x, v.y, v.z) / 0.5;
    let strength = way_out(chord - v, chord + v, normal);
    tell(strength);
    let out = array<vec3<f32>, 5>(chord - v, chord + v, normal, v + normal * strength, v + normal * strength * 0.5);
    for (var i = 0; i < 5; i++) {
        tell(out[i].x);
        tell(out[i].y);
        tell(out[i].z);
    }
    let shares = array<f32, 5>(0.1, 0.25, 0.5, 0.75, 0.9);
    for (var i = 0; i < 5; i++) {
        tell(residual(shares[i]));
    }
    var left = 1.0;
    for (var i = 0; i < 120; i++) {
        left *= recovered(f32(i) / 240.0, f32(i + 1) / 240.0);
    }
    tell(left);
    // Offsets of a lattice as they are kept from frame to frame, halfway through four seconds at each rate.
    for (var rate = 15u; rate <= 120u; rate *= 2u) {
        var kept = packed_offset(vec3<f32>(0.31, -0.22, -0.4));
        for (var i = 0u; i < rate * 2u; i++) {
            let frames = f32(rate) * 4.0;
            kept = packed_offset(unpacked_offset(kept) * recovered(f32(i) / frames, f32(i + 1u) / frames));
        }
        let offset = unpacked_offset(kept);
        tell(offset.x);
        tell(offset.y);
        tell(offset.z);
    }
    let n = vec3<f32>(0.0, 0.0, 1.0);
    let lit = reflectance(n, n, normalize(vec3<f32>(0.0, 1.0, -1.0)));
    tell(lit.x);
    tell(lit.y);
    tell(lit.z);
}

var<private> seed: u32;

fn unit() -> f32 {
    seed = seed * 747796405u + 2891336453u;
    let word = ((seed >> ((seed >> 28u) + 4u)) ^ seed) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) / 16777216.0;
}

fn direction() -> vec3<f32> {
    let p = vec3<f32>(unit(), unit(), unit()) * 2.0 - 1.0;
    return p / max(length(p), 1e-6);
}

/// A hundred thousand boxes, waves and directions.
@compute @workgroup_size(64)
fn many(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= 100000u {
        return;
    }
    seed = id.x * 9781u + 7u;
    let along = vec3<f32>(unit(), unit(), unit()) * 0.99 + 0.01;
    let against = vec3<f32>(unit(), unit(), unit()) * 0.99 + 0.01;
    let n = direction();
    let p = n * way_out(along, against, n);
    if !(any(p >= along - 1e-5) || any(-p >= against - 1e-5)) {
        atomicAdd(&tally[0], 1u);
    }
    let w = wave(given[25], f32(id.x) * 0.0173);
    if !(w >= 0.0 && w <= 1.0) {
        atomicAdd(&tally[1], 1u);
    }
    let v = direction();
    let b = direction();
    if dot(normalize(v + b), -b) > 1e-3 {
        atomicAdd(&tally[2], 1u);
    }
    atomicAdd(&tally[3], u32(round(w * 1000.0)));
}
