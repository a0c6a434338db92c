// The picture by WebGL2, where there is no WebGPU. The same in everything as draw-gpu.js.

import { STRIDE } from "./crowd.js";

const COMMON = `#version 300 es
precision highp float;
layout(std140) uniform Scene {
  mat4 matrix;
  vec4 eye;      // w: 1 on a map
  vec4 sun;      // w: how far one sees
  vec4 sky;      // w: whether there is heat
  vec4 heat;     // corner and size of the heat
  vec4 grid;     // width of the squares, strength of their lines, 0, 0
};
vec3 unpack(float c) {
  float r = floor(c / 65536.0);
  float g = floor((c - r * 65536.0) / 256.0);
  return vec3(r, g, c - r * 65536.0 - g * 256.0) / 255.0;
}
vec3 light(vec3 albedo, vec3 n) {
  float direct = max(dot(n, sun.xyz), 0.0);
  vec3 around = mix(vec3(0.42, 0.40, 0.40), vec3(0.62, 0.66, 0.74), n.z * 0.5 + 0.5);
  return albedo * (around + vec3(0.62, 0.57, 0.48) * direct);
}
vec3 haze(vec3 color, vec3 at) {
  float away = distance(at, eye.xyz) / sun.w;
  return mix(color, sky.xyz, eye.w > 0.5 ? 0.0 : clamp(away * away, 0.0, 1.0));
}
`;

const MESH_VS = `${COMMON}
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 extra;
out vec3 at; out vec3 n; out vec3 color; out float ground;
void main() {
  at = place; n = normal; color = unpack(extra.x); ground = extra.y;
  gl_Position = matrix * vec4(place, 1.0);
  gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
}`;

const MESH_FS = `${COMMON}
uniform sampler2D field;
in vec3 at; in vec3 n; in vec3 color; in float ground;
out vec4 pixel;
void main() {
  vec3 albedo = color;
  if (ground > 0.5) {
    vec2 cell = at.xy / grid.x;
    vec2 width = max(fwidth(cell), vec2(1e-5));
    vec2 line = clamp(1.0 - abs(fract(cell - 0.5) - 0.5) / width, 0.0, 1.0);
    float strength = grid.y * max(line.x, line.y) * clamp(0.35 / max(width.x, width.y), 0.0, 1.0);
    albedo = mix(albedo, albedo * 0.72, strength);
    vec2 uv = (at.xy - heat.xy) / heat.zw;
    if (sky.w > 0.5 && uv.x >= 0.0 && uv.y >= 0.0 && uv.x <= 1.0 && uv.y <= 1.0) {
      vec4 h = texture(field, uv);
      albedo = mix(albedo, h.rgb, h.a);
    }
  }
  pixel = vec4(haze(light(albedo, normalize(n)), at), 1.0);
}`;

const BODY_VS = `${COMMON}
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 extra;
layout(location=3) in vec4 where;
layout(location=4) in vec3 gait;
layout(location=5) in vec4 tint;
out vec3 at; out vec3 n; out vec3 color;
void main() {
  float part = extra.x;
  float swing = 0.0;
  float pivot = 0.9;
  if (part > 0.5) {
    float side = (part > 0.5 && part < 1.5) || part > 3.5 ? 1.0 : -1.0;
    swing = sin(gait.x) * side * gait.y * (part > 2.5 ? 0.5 : 0.6);
    pivot = part > 2.5 ? 1.42 : 0.9;
  }
  vec3 p = place;
  float c = cos(swing), s = sin(swing);
  p.x = place.x * c + (place.z - pivot) * s;
  p.z = pivot + (place.z - pivot) * c - place.x * s;
  p.z += part > 2.5 || part < 0.5 ? abs(sin(gait.x)) * 0.03 * gait.y : 0.0;
  float hc = cos(where.w), hs = sin(where.w);
  p = p * gait.z;
  at = where.xyz + vec3(p.x * hc - p.y * hs, p.x * hs + p.y * hc, p.z);
  n = vec3(normal.x * hc - normal.y * hs, normal.x * hs + normal.y * hc, normal.z);
  color = extra.y < 0.0 ? vec3(0.80, 0.62, 0.50) : mix(vec3(0.16, 0.17, 0.20), tint.rgb, extra.y);
  gl_Position = matrix * vec4(at, 1.0);
  gl_Position.z = gl_Position.z * 2.0 - gl_Position.w;
}`;

const BODY_FS = `${COMMON}
in vec3 at; in vec3 n; in vec3 color;
out vec4 pixel;
void main() {
  vec3 lit = eye.w > 0.5 ? color : light(color, normalize(n));
  pixel = vec4(haze(lit, at), 1.0);
}`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
    const log = gl.getAttachedShaders(made).map((s) => gl.getShaderInfoLog(s)).join("\n");
    throw new Error(`a shader does not compile: ${log || gl.getProgramInfoLog(made)}`);
  }
  gl.uniformBlockBinding(made, gl.getUniformBlockIndex(made, "Scene"), 0);
  return made;
}

export class GlPicture {
  static name = "WebGL2";

  static async create(canvas) {
    const options = { antialias: true, preserveDrawingBuffer: true, powerPreference: "high-performance" };
    const gl = canvas.getContext("webgl2", options);
    return gl ? new GlPicture(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    Object.assign(this, { canvas, gl, meshes: new Map(), instances: new Map() });
    this.meshProgram = program(gl, MESH_VS, MESH_FS);
    this.bodyProgram = program(gl, BODY_VS, BODY_FS);
    this.uniforms = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.uniforms);
    gl.bufferData(gl.UNIFORM_BUFFER, 144, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.uniforms);
    this.field = gl.createTexture();
    this.setField(1, 1, new Uint8Array(4));
    gl.enable(gl.DEPTH_TEST);
  }

  /** Keeps a mesh under a name. */
  setMesh(name, { vertices, indices }) {
    const { gl } = this;
    const old = this.meshes.get(name);
    if (old) {
      gl.deleteBuffer(old.vertices);
      gl.deleteBuffer(old.indices);
      gl.deleteVertexArray(old.array);
    }
    const mesh = { vertices: gl.createBuffer(), indices: gl.createBuffer(), count: indices.length };
    mesh.array = gl.createVertexArray();
    gl.bindVertexArray(mesh.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.vertices);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    [[0, 3, 0], [1, 3, 12], [2, 2, 24]].forEach(([at, size, offset]) => {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 32, offset);
    });
    gl.bindVertexArray(null);
    this.meshes.set(name, mesh);
  }

  /** Colours of the heat map, rows from the least y. */
  setField(width, height, rgba) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.field);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    for (const [key, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, key, value);
  }

  #instances(mesh, data, count) {
    const { gl } = this;
    let buffer = this.instances.get(mesh);
    if (!buffer) {
      buffer = gl.createBuffer();
      this.instances.set(mesh, buffer);
      gl.bindVertexArray(this.meshes.get(mesh).array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      const row = STRIDE * 4;
      [[3, 4, gl.FLOAT, false, 0], [4, 3, gl.FLOAT, false, 16], [5, 4, gl.UNSIGNED_BYTE, true, 28]].forEach(
        ([at, size, kind, normalised, offset]) => {
          gl.enableVertexAttribArray(at);
          gl.vertexAttribPointer(at, size, kind, normalised, row, offset);
          gl.vertexAttribDivisor(at, 1);
        },
      );
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data.floats.subarray(0, count * STRIDE), gl.STREAM_DRAW);
  }

  /** Draws meshes by name, then bodies: `[mesh, data, count]`. */
  draw(uniforms, meshes, bodies, sky) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.uniforms);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, uniforms);
    gl.bindTexture(gl.TEXTURE_2D, this.field);
    gl.useProgram(this.meshProgram);
    for (const name of meshes) {
      const mesh = this.meshes.get(name);
      if (!mesh || mesh.count === 0) continue;
      gl.bindVertexArray(mesh.array);
      gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    }
    gl.useProgram(this.bodyProgram);
    for (const [name, data, count] of bodies) {
      if (count === 0) continue;
      this.#instances(name, data, count);
      const mesh = this.meshes.get(name);
      gl.bindVertexArray(mesh.array);
      gl.drawElementsInstanced(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0, count);
    }
    gl.bindVertexArray(null);
  }
}
