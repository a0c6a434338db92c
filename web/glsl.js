// Shaders of the picture for WebGL2. wgsl.js has the same for WebGPU, with what is to be said about it.

const COMMON = `#version 300 es
precision highp float;
layout(std140) uniform Scene {
  mat4 matrix;
  vec4 eye; vec4 sun; vec4 haze; vec4 heat; vec4 grid; vec4 place_rect; vec4 right; vec4 over;
};
uniform sampler2D field;
uniform sampler2D baked;
uniform sampler2D grain;
vec3 unpack(float c) {
  float r = floor(c / 65536.0);
  float g = floor((c - r * 65536.0) / 256.0);
  return vec3(r, g, c - r * 65536.0 - g * 256.0) / 255.0;
}
vec2 open(vec2 at) {
  vec2 uv = (at - place_rect.xy) / place_rect.zw;
  bool inside = all(greaterThan(uv, vec2(0.0))) && all(lessThan(uv, vec2(1.0)));
  return mix(vec2(1.0), textureLod(baked, clamp(uv, vec2(0.0), vec2(1.0)), 0.0).rg, inside ? grid.z : 0.0);
}
vec3 light(vec3 albedo, vec3 n, vec2 seen) {
  float direct = max(dot(n, sun.xyz), 0.0) * seen.x;
  vec3 around = mix(vec3(0.34, 0.32, 0.32), vec3(0.50, 0.54, 0.61), n.z * 0.5 + 0.5) * seen.y;
  return albedo * (around + vec3(0.76, 0.70, 0.60) * direct);
}
vec3 hazed(vec3 color, vec3 at) {
  float away = distance(at, eye.xyz) / sun.w;
  return mix(color, haze.xyz, eye.w > 0.5 ? 0.0 : clamp(away * away, 0.0, 1.0));
}
`;

const MESH_VERTEX = `${COMMON}
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 extra;
out vec3 at; out vec3 n; out vec3 color; flat out float what;
void main() {
  at = place; n = normal; color = unpack(extra.x); what = extra.y;
  gl_Position = matrix * vec4(place, 1.0);
  gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
}`;

const MESH_FRAGMENT = `${COMMON}
in vec3 at; in vec3 n; in vec3 color; flat in float what;
out vec4 pixel;
void main() {
  vec2 cell = at.xy / grid.x;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 line = clamp(1.0 - abs(fract(cell - 0.5) - 0.5) / width, 0.0, 1.0);
  float strength = grid.y * max(line.x, line.y) * clamp(0.35 / max(width.x, width.y), 0.0, 1.0);
  float fine = texture(grain, at.xy * 0.19).r;
  float coarse = texture(grain, at.xy * 0.017).r;
  vec2 uv = (at.xy - heat.xy) / heat.zw;
  vec4 h = textureLod(field, clamp(uv, vec2(0.0), vec2(1.0)), 0.0);
  if (what < 0.5 && dot(n, eye.xyz - at) < 0.0) discard;
  if (what > 1.5 && what < 2.5) { pixel = vec4(color, 1.0); return; }
  vec3 albedo = color;
  vec2 seen = vec2(1.0);
  if (what > 0.5) {
    albedo *= 1.0 + grid.w * (what > 2.5 ? 0.4 : 1.0) * (0.3 * (fine - 0.5) + 0.3 * (coarse - 0.5));
    seen = open(at.xy);
  }
  if (what > 0.5 && what < 1.5) {
    albedo = mix(albedo, albedo * 0.72, strength);
    if (haze.w > 0.5 && all(greaterThanEqual(uv, vec2(0.0))) && all(lessThanEqual(uv, vec2(1.0)))) albedo = mix(albedo, h.rgb, h.a);
  }
  pixel = vec4(hazed(light(albedo, normalize(n), seen), at), 1.0);
}`;

const INSTANCE = `
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 extra;
layout(location=3) in vec4 spot;
layout(location=4) in vec3 gait;
layout(location=5) in vec4 tint;
vec2 turned(vec2 p, float by) { return vec2(p.x * cos(by) - p.y * sin(by), p.x * sin(by) + p.y * cos(by)); }
`;

const BODY_VERTEX = `${COMMON}${INSTANCE}
out vec3 at; out vec3 n; out vec3 color; out vec2 seen;
vec3 one_of(vec3 a, vec3 b, vec3 c, vec3 d, float i) { return i < 0.25 ? a : i < 0.5 ? b : i < 0.75 ? c : d; }
vec3 stuff(float of, vec3 cloth, float own) {
  if (of >= 0.0) return cloth * of * (0.86 + 0.28 * fract(own * 5.3));
  if (of > -1.5) return one_of(vec3(0.87, 0.69, 0.57), vec3(0.78, 0.58, 0.45), vec3(0.60, 0.42, 0.31), vec3(0.42, 0.29, 0.21), fract(own * 7.7));
  if (of > -2.5) return one_of(vec3(0.13, 0.10, 0.09), vec3(0.30, 0.20, 0.13), vec3(0.52, 0.40, 0.24), vec3(0.55, 0.53, 0.50), fract(own * 3.1));
  if (of > -3.5) return one_of(vec3(0.16, 0.20, 0.30), vec3(0.20, 0.20, 0.22), vec3(0.37, 0.32, 0.26), vec3(0.26, 0.30, 0.32), fract(own * 11.9));
  return vec3(0.11, 0.10, 0.10);
}
float swing_of(float part, float pose, float phase, float swing) {
  float side = part < 1.5 || part > 3.5 ? 1.0 : -1.0;
  bool leg = part < 2.5;
  if (pose > 2.5 && pose < 3.5) return leg ? -1.45 : -0.9;
  if (pose > 0.5 && pose < 1.5 && !leg) return -1.1 - 0.6 * sin(phase + 0.4 * side);
  if (pose > 1.5 && pose < 2.5 && !leg) return -2.75 + 0.3 * sin(phase * 2.0) * side;
  if (pose > 3.5 && !leg) return -1.25;
  return sin(phase) * side * swing * (leg ? 0.62 : 0.5);
}
void main() {
  float part = extra.x;
  float pose = floor(gait.y);
  float swing = fract(gait.y) / 0.99;
  bool limb = part > 0.5 && part < 4.5;
  float pivot = part > 2.5 ? 1.42 : 0.9;
  vec3 p = place;
  n = normal;
  if (limb) {
    float by = swing_of(part, pose, gait.x, swing);
    vec2 xz = turned(vec2(place.x, place.z - pivot), -by);
    p = vec3(xz.x, place.y, xz.y + pivot);
    vec2 nn = turned(normal.xz, -by);
    n = vec3(nn.x, normal.y, nn.y);
  }
  p.z += pose < 0.5 && (part > 2.5 || part < 0.5) ? abs(sin(gait.x)) * 0.03 * swing : 0.0;
  p.z -= pose > 2.5 && pose < 3.5 ? 0.62 : 0.0;
  p = p * gait.z;
  at = spot.xyz + vec3(turned(p.xy, spot.w), p.z);
  n = vec3(turned(n.xy, spot.w), n.z);
  if (part > 4.5) {
    vec3 up = normalize(vec3(0.0, 0.0, 0.7) + 0.45 * over.xyz);
    at = spot.xyz + right.xyz * p.x + up * p.z;
    n = normalize(vec3(sun.xy, 0.9) - 0.3 * right.xyz);
  }
  seen = open(spot.xy) * vec2(1.0, mix(0.72, 1.0, clamp(place.z / 1.1, 0.0, 1.0)));
  color = stuff(extra.y, tint.rgb, tint.a);
  gl_Position = matrix * vec4(at, 1.0);
  gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
}`;

const BODY_FRAGMENT = `${COMMON}
in vec3 at; in vec3 n; in vec3 color; in vec2 seen;
out vec4 pixel;
void main() {
  pixel = vec4(eye.w > 0.5 ? color : hazed(light(color, normalize(n), seen), at), 1.0);
}`;

const SHADOW_VERTEX = `${COMMON}${INSTANCE}
out vec2 on; out float strength;
void main() {
  vec2 away = normalize(-sun.xy);
  float far = 1.75 * gait.z * length(sun.xy) / sun.z;
  vec2 xy = spot.xy + away * place.x * far + vec2(-away.y, away.x) * place.y * 0.3 * gait.z;
  vec3 at = vec3(xy, spot.z + 0.02);
  vec3 to_eye = eye.xyz - at;
  at += normalize(to_eye) * min(0.4, length(to_eye) * 0.004);
  on = place.xy;
  strength = open(spot.xy).x;
  gl_Position = matrix * vec4(at, 1.0);
  gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
}`;

const SHADOW_FRAGMENT = `${COMMON}
in vec2 on; in float strength;
out vec4 pixel;
void main() {
  float wide = on.x > 0.42 && on.x < 0.86 ? 0.9 : 0.62;
  float across = 1.0 - smoothstep(0.35, 1.0, abs(on.y) / wide);
  float along = smoothstep(-0.22, 0.0, on.x) * (1.0 - smoothstep(0.85, 1.06, on.x)) * (1.0 - 0.45 * on.x);
  pixel = vec4(0.01, 0.02, 0.03, 0.58 * across * along * strength);
}`;

export const GLSL = {
  mesh: [MESH_VERTEX, MESH_FRAGMENT],
  body: [BODY_VERTEX, BODY_FRAGMENT],
  shadow: [SHADOW_VERTEX, SHADOW_FRAGMENT],
};
