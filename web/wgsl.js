// Shaders of the picture for WebGPU. glsl.js has the same for WebGL2: whoever changes one changes the other.

export const WGSL = `
struct Scene {
  matrix: mat4x4f,
  eye: vec4f,    // w: 1 on a map
  sun: vec4f,    // w: how far one sees
  haze: vec4f,   // w: whether there is heat
  heat: vec4f,   // corner and size of the heat
  grid: vec4f,   // width of the squares, strength of their lines, strength of baked light, of grain
  place: vec4f,  // corner and size of the baked light
  right: vec4f,  // the camera's right
  over: vec4f,   // the camera's up
}
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var field: texture_2d<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var baked: texture_2d<f32>;
@group(0) @binding(4) var grain: texture_2d<f32>;
@group(0) @binding(5) var grain_sampler: sampler;

fn unpack(c: f32) -> vec3f {
  let r = floor(c / 65536.0);
  let g = floor((c - r * 65536.0) / 256.0);
  return vec3f(r, g, c - r * 65536.0 - g * 256.0) / 255.0;
}
// How much sun and how much sky a point of the ground sees.
fn open(at: vec2f) -> vec2f {
  let uv = (at - scene.place.xy) / scene.place.zw;
  let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0));
  let seen = textureSampleLevel(baked, smooth_sampler, clamp(uv, vec2f(0.0), vec2f(1.0)), 0.0).rg;
  return mix(vec2f(1.0), seen, select(0.0, scene.grid.z, inside));
}
fn light(albedo: vec3f, n: vec3f, seen: vec2f) -> vec3f {
  let direct = max(dot(n, scene.sun.xyz), 0.0) * seen.x;
  let around = mix(vec3f(0.34, 0.32, 0.32), vec3f(0.50, 0.54, 0.61), n.z * 0.5 + 0.5) * seen.y;
  return albedo * (around + vec3f(0.76, 0.70, 0.60) * direct);
}
fn hazed(color: vec3f, at: vec3f) -> vec3f {
  let away = distance(at, scene.eye.xyz) / scene.sun.w;
  return mix(color, scene.haze.xyz, select(clamp(away * away, 0.0, 1.0), 0.0, scene.eye.w > 0.5));
}

struct Solid {
  @builtin(position) position: vec4f,
  @location(0) at: vec3f,
  @location(1) n: vec3f,
  @location(2) color: vec3f,
  @location(3) @interpolate(flat) what: f32,
}
@vertex fn mesh_vertex(
  @location(0) place: vec3f, @location(1) normal: vec3f, @location(2) extra: vec2f,
) -> Solid {
  return Solid(scene.matrix * vec4f(place, 1.0), place, normal, unpack(extra.x), extra.y);
}
@fragment fn mesh_fragment(in: Solid) -> @location(0) vec4f {
  let cell = in.at.xy / scene.grid.x;
  let width = max(fwidth(cell), vec2f(1e-5));
  let line = clamp(1.0 - abs(fract(cell - 0.5) - 0.5) / width, vec2f(0.0), vec2f(1.0));
  let strength = scene.grid.y * max(line.x, line.y) * clamp(0.35 / max(width.x, width.y), 0.0, 1.0);
  let fine = textureSample(grain, grain_sampler, in.at.xy * 0.19).r;
  let coarse = textureSample(grain, grain_sampler, in.at.xy * 0.017).r;
  let uv = (in.at.xy - scene.heat.xy) / scene.heat.zw;
  let h = textureSampleLevel(field, smooth_sampler, clamp(uv, vec2f(0.0), vec2f(1.0)), 0.0);
  // The far side of a wall would shine through at its edges.
  if (in.what < 0.5 && dot(in.n, scene.eye.xyz - in.at) < 0.0) { discard; }
  if (in.what > 1.5 && in.what < 2.5) { return vec4f(in.color, 1.0); }
  var albedo = in.color;
  var seen = vec2f(1.0);
  if (in.what > 0.5) {
    albedo *= 1.0 + scene.grid.w * select(1.0, 0.4, in.what > 2.5) * (0.3 * (fine - 0.5) + 0.3 * (coarse - 0.5));
    seen = open(in.at.xy);
  }
  if (in.what > 0.5 && in.what < 1.5) {
    albedo = mix(albedo, albedo * 0.72, strength);
    if (scene.haze.w > 0.5 && all(uv >= vec2f(0.0)) && all(uv <= vec2f(1.0))) {
      albedo = mix(albedo, h.rgb, h.a);
    }
  }
  return vec4f(hazed(light(albedo, normalize(in.n), seen), in.at), 1.0);
}

fn turned(p: vec2f, by: f32) -> vec2f {
  return vec2f(p.x * cos(by) - p.y * sin(by), p.x * sin(by) + p.y * cos(by));
}
fn one_of(a: vec3f, b: vec3f, c: vec3f, d: vec3f, at: f32) -> vec3f {
  return select(select(select(d, c, at < 0.75), b, at < 0.5), a, at < 0.25);
}
// What somebody is made of; everybody has a number from 0 to 1 of their own.
fn stuff(made: f32, cloth: vec3f, own: f32) -> vec3f {
  if (made >= 0.0) { return cloth * made * (0.86 + 0.28 * fract(own * 5.3)); }
  if (made > -1.5) { return one_of(vec3f(0.87, 0.69, 0.57), vec3f(0.78, 0.58, 0.45), vec3f(0.60, 0.42, 0.31), vec3f(0.42, 0.29, 0.21), fract(own * 7.7)); }
  if (made > -2.5) { return one_of(vec3f(0.13, 0.10, 0.09), vec3f(0.30, 0.20, 0.13), vec3f(0.52, 0.40, 0.24), vec3f(0.55, 0.53, 0.50), fract(own * 3.1)); }
  if (made > -3.5) { return one_of(vec3f(0.16, 0.20, 0.30), vec3f(0.20, 0.20, 0.22), vec3f(0.37, 0.32, 0.26), vec3f(0.26, 0.30, 0.32), fract(own * 11.9)); }
  return vec3f(0.11, 0.10, 0.10);
}
// How far a limb is turned: pose 0 walks, 1 works, 2 flees with arms up, 3 rests, 4 carries.
fn swing_of(part: f32, pose: f32, phase: f32, swing: f32) -> f32 {
  let side = select(-1.0, 1.0, part < 1.5 || part > 3.5);
  let leg = part < 2.5;
  if (pose > 2.5 && pose < 3.5) { return select(-0.9, -1.45, leg); }
  if (pose > 0.5 && pose < 1.5 && !leg) { return -1.1 - 0.6 * sin(phase + 0.4 * side); }
  if (pose > 1.5 && pose < 2.5 && !leg) { return -2.75 + 0.3 * sin(phase * 2.0) * side; }
  if (pose > 3.5 && !leg) { return -1.25; }
  return sin(phase) * side * swing * select(0.5, 0.62, leg);
}

struct Body {
  @builtin(position) position: vec4f,
  @location(0) at: vec3f,
  @location(1) n: vec3f,
  @location(2) color: vec3f,
  @location(3) seen: vec2f,
}
@vertex fn body_vertex(
  @location(0) place: vec3f, @location(1) normal: vec3f, @location(2) extra: vec2f,
  @location(3) spot: vec4f, @location(4) gait: vec3f, @location(5) tint: vec4f,
) -> Body {
  let part = extra.x;
  let pose = floor(gait.y);
  let swing = fract(gait.y) / 0.99;
  let limb = part > 0.5 && part < 4.5;
  let pivot = select(0.9, 1.42, part > 2.5);
  let by = select(0.0, swing_of(part, pose, gait.x, swing), limb);
  var p = place;
  var n = normal;
  if (limb) {
    let xz = turned(vec2f(place.x, place.z - pivot), -by);
    p = vec3f(xz.x, place.y, xz.y + pivot);
    let nn = turned(normal.xz, -by);
    n = vec3f(nn.x, normal.y, nn.y);
  }
  p.z += select(0.0, abs(sin(gait.x)) * 0.03 * swing, pose < 0.5 && (part > 2.5 || part < 0.5));
  p.z -= select(0.0, 0.62, pose > 2.5 && pose < 3.5);
  p = p * gait.z;
  var at = spot.xyz + vec3f(turned(p.xy, spot.w), p.z);
  n = vec3f(turned(n.xy, spot.w), n.z);
  if (part > 4.5) {
    let up = normalize(vec3f(0.0, 0.0, 0.7) + 0.45 * scene.over.xyz);
    at = spot.xyz + scene.right.xyz * p.x + up * p.z;
    n = normalize(vec3f(scene.sun.xy, 0.9) - 0.3 * scene.right.xyz);
  }
  let seen = open(spot.xy) * vec2f(1.0, mix(0.72, 1.0, clamp(place.z / 1.1, 0.0, 1.0)));
  return Body(scene.matrix * vec4f(at, 1.0), at, n, stuff(extra.y, tint.rgb, tint.a), seen);
}
@fragment fn body_fragment(in: Body) -> @location(0) vec4f {
  if (scene.eye.w > 0.5) { return vec4f(in.color, 1.0); }
  return vec4f(hazed(light(in.color, normalize(in.n), in.seen), in.at), 1.0);
}

struct Shadow {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
  @location(1) strength: f32,
}
@vertex fn shadow_vertex(
  @location(0) place: vec3f, @location(1) normal: vec3f, @location(2) extra: vec2f,
  @location(3) spot: vec4f, @location(4) gait: vec3f, @location(5) tint: vec4f,
) -> Shadow {
  let away = normalize(-scene.sun.xy);
  let long = 1.75 * gait.z * length(scene.sun.xy) / scene.sun.z;
  let xy = spot.xy + away * place.x * long + vec2f(-away.y, away.x) * place.y * 0.3 * gait.z;
  var at = vec3f(xy, spot.z + 0.02);
  let eye = scene.eye.xyz - at;
  at += normalize(eye) * min(0.4, length(eye) * 0.004);
  return Shadow(scene.matrix * vec4f(at, 1.0), place.xy, open(spot.xy).x);
}
@fragment fn shadow_fragment(in: Shadow) -> @location(0) vec4f {
  let wide = select(0.62, 0.9, in.at.x > 0.42 && in.at.x < 0.86);
  let across = 1.0 - smoothstep(0.35, 1.0, abs(in.at.y) / wide);
  let along = smoothstep(-0.22, 0.0, in.at.x) * (1.0 - smoothstep(0.85, 1.06, in.at.x)) * (1.0 - 0.45 * in.at.x);
  return vec4f(0.01, 0.02, 0.03, 0.58 * across * along * in.strength);
}`;
