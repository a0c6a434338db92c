// Numbers of the specification as the GPU has them, one after the other. For tests.

#import throng_render::grass_bend::{Wind, wave, wind_angle, arc}
#import throng_render::grass_shade::reflectance
#import throng_render::grass_recover::{residual, recovered}
#import throng_render::grass_lattice::{refine, relax, way_out}

@group(0) @binding(0) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;

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
    for (var sweep = 0u; sweep <= 4u; sweep++) {
        for (var k = 0u; k < 12u; k++) {
            tell(dot(lattice[k], vec3<f32>(1.0, 2.0, 4.0)));
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
    tell(way_out(chord - v, chord + v, vec3<f32>(chord.x, v.y, v.z) / 0.5));
    let shares = array<f32, 5>(0.1, 0.25, 0.5, 0.75, 0.9);
    for (var i = 0; i < 5; i++) {
        tell(residual(shares[i]));
    }
    var left = 1.0;
    for (var i = 0; i < 120; i++) {
        left *= recovered(f32(i) / 240.0, f32(i + 1) / 240.0);
    }
    tell(left);
    let n = vec3<f32>(0.0, 0.0, 1.0);
    let lit = reflectance(n, n, normalize(vec3<f32>(0.0, 1.0, -1.0)));
    tell(lit.x);
    tell(lit.y);
    tell(lit.z);
}
