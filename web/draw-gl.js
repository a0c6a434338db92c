// The picture by WebGL2, where there is no WebGPU. The same in everything as draw-gpu.js.

import { STRIDE } from "./crowd.js";
import { GLSL } from "./glsl.js";
import { grainLevels } from "./light.js";

const UNIFORM_BYTES = 192;
const TEXTURES = ["field", "baked", "grain"];

/** Begins to make a program; whether it can be used is asked later, so that all are made at once. */
function begin(gl, [vertex, fragment]) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  return made;
}

function finish(gl, made) {
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
    const log = gl.getAttachedShaders(made).map((s) => gl.getShaderInfoLog(s)).join("\n");
    throw new Error(`a shader does not compile: ${log || gl.getProgramInfoLog(made)}`);
  }
  gl.uniformBlockBinding(made, gl.getUniformBlockIndex(made, "Scene"), 0);
  gl.useProgram(made);
  TEXTURES.forEach((name, unit) => gl.uniform1i(gl.getUniformLocation(made, name), unit));
}

export class GlPicture {
  static name = "WebGL2";

  static async create(canvas) {
    const options = { antialias: true, powerPreference: "high-performance" };
    const gl = canvas.getContext("webgl2", options);
    return gl ? new GlPicture(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    Object.assign(this, { canvas, gl, meshes: new Map(), instances: new Map() });
    this.programs = Object.fromEntries(Object.entries(GLSL).map(([name, texts]) => [name, begin(gl, texts)]));
    this.uniforms = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.uniforms);
    gl.bufferData(gl.UNIFORM_BUFFER, UNIFORM_BYTES, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.uniforms);
    this.textures = TEXTURES.map((_, unit) => {
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      return texture;
    });
    this.#grain();
    this.setField(1, 1, new Uint8Array(4));
    this.setLight(1, 1, new Uint8Array([255, 255, 255, 255]));
    Object.values(this.programs).forEach((made) => finish(gl, made));
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  #grain() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE2);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    grainLevels().forEach(({ size, bytes }, level) => gl.texImage2D(gl.TEXTURE_2D, level, gl.R8, size, size, 0, gl.RED, gl.UNSIGNED_BYTE, bytes));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
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

  #texture(unit, width, height, rgba) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    for (const [key, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, key, value);
  }

  /** Colours of the heat map, rows from the least y. */
  setField(width, height, rgba) {
    this.#texture(0, width, height, rgba);
  }

  /** Baked light, see light.js. */
  setLight(width, height, rgba) {
    this.#texture(1, width, height, rgba);
  }

  /** A vertex array that draws a mesh for the instances of a buffer. */
  #instanced(mesh, name) {
    const { gl } = this;
    const key = `${mesh}:${name}`;
    const kept = this.instances.get(key);
    const base = this.meshes.get(mesh);
    if (kept?.base === base) return kept.array;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, base.vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, base.indices);
    [[0, 3, 0], [1, 3, 12], [2, 2, 24]].forEach(([at, size, offset]) => {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 32, offset);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(name));
    [[3, 4, gl.FLOAT, false, 0], [4, 3, gl.FLOAT, false, 16], [5, 4, gl.UNSIGNED_BYTE, true, 28]].forEach(
      ([at, size, kind, normalised, offset]) => {
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, size, kind, normalised, STRIDE * 4, offset);
        gl.vertexAttribDivisor(at, 1);
      },
    );
    this.instances.set(key, { array, base });
    return array;
  }

  #buffer(name) {
    this.buffers ??= new Map();
    if (!this.buffers.has(name)) this.buffers.set(name, this.gl.createBuffer());
    return this.buffers.get(name);
  }

  #bodies(mesh, name, count) {
    const { gl } = this;
    gl.bindVertexArray(this.#instanced(mesh, name));
    gl.drawElementsInstanced(gl.TRIANGLES, this.meshes.get(mesh).count, gl.UNSIGNED_INT, 0, count);
  }

  /** Draws meshes by name, then bodies `{mesh, data, count, shadow}` with their shadows. */
  draw(uniforms, meshes, bodies, sky) {
    const { gl, canvas, programs } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.uniforms);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, uniforms);
    gl.useProgram(programs.mesh);
    for (const name of meshes) {
      const mesh = this.meshes.get(name);
      if (!mesh || mesh.count === 0) continue;
      gl.bindVertexArray(mesh.array);
      gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    }
    const there = bodies.filter(({ count }) => count > 0);
    for (const { mesh, data, count } of there) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(mesh));
      gl.bufferData(gl.ARRAY_BUFFER, data.floats.subarray(0, count * STRIDE), gl.STREAM_DRAW);
    }
    gl.useProgram(programs.shadow);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const { mesh, count } of there.filter(({ shadow }) => shadow)) this.#bodies("shadow", mesh, count);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
    gl.useProgram(programs.body);
    for (const { mesh, count } of there) this.#bodies(mesh, mesh, count);
    gl.bindVertexArray(null);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.began = performance.now();
    gl.flush();
  }

  /** Whether the last picture is still being drawn: another one would only wait, and the page with it. */
  get busy() {
    const { gl, fence } = this;
    if (!fence) return false;
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED && !gl.isContextLost()) return true;
    gl.deleteSync(fence);
    this.fence = null;
    this.cost = performance.now() - this.began;
    return false;
  }
}
