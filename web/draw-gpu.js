// The picture by WebGPU. The same in everything as draw-gl.js.

import { STRIDE } from "./crowd.js";

const SHADER = `
struct Scene {
  matrix: mat4x4f,
  eye: vec4f,    // w: 1 on a map
  sun: vec4f,    // w: how far one sees
  sky: vec4f,    // w: whether there is heat
  heat: vec4f,   // corner and size of the heat
  grid: vec4f,   // width of the squares, strength of their lines, 0, 0
}
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var field: texture_2d<f32>;
@group(0) @binding(2) var smooth_field: sampler;

fn unpack(c: f32) -> vec3f {
  let r = floor(c / 65536.0);
  let g = floor((c - r * 65536.0) / 256.0);
  return vec3f(r, g, c - r * 65536.0 - g * 256.0) / 255.0;
}
fn light(albedo: vec3f, n: vec3f) -> vec3f {
  let direct = max(dot(n, scene.sun.xyz), 0.0);
  let around = mix(vec3f(0.42, 0.40, 0.40), vec3f(0.62, 0.66, 0.74), n.z * 0.5 + 0.5);
  return albedo * (around + vec3f(0.62, 0.57, 0.48) * direct);
}
fn haze(color: vec3f, at: vec3f) -> vec3f {
  let away = distance(at, scene.eye.xyz) / scene.sun.w;
  return mix(color, scene.sky.xyz, select(clamp(away * away, 0.0, 1.0), 0.0, scene.eye.w > 0.5));
}

struct Solid {
  @builtin(position) position: vec4f,
  @location(0) at: vec3f,
  @location(1) n: vec3f,
  @location(2) color: vec3f,
  @location(3) ground: f32,
}
@vertex fn mesh_vertex(
  @location(0) place: vec3f, @location(1) normal: vec3f, @location(2) extra: vec2f,
) -> Solid {
  return Solid(scene.matrix * vec4f(place, 1.0), place, normal, unpack(extra.x), extra.y);
}
@fragment fn mesh_fragment(in: Solid) -> @location(0) vec4f {
  var albedo = in.color;
  let cell = in.at.xy / scene.grid.x;
  let width = max(fwidth(cell), vec2f(1e-5));
  let line = clamp(1.0 - abs(fract(cell - 0.5) - 0.5) / width, vec2f(0.0), vec2f(1.0));
  let strength = scene.grid.y * max(line.x, line.y) * clamp(0.35 / max(width.x, width.y), 0.0, 1.0);
  let uv = (in.at.xy - scene.heat.xy) / scene.heat.zw;
  let h = textureSampleLevel(field, smooth_field, clamp(uv, vec2f(0.0), vec2f(1.0)), 0.0);
  if (in.ground > 0.5) {
    albedo = mix(albedo, albedo * 0.72, strength);
    if (scene.sky.w > 0.5 && all(uv >= vec2f(0.0)) && all(uv <= vec2f(1.0))) {
      albedo = mix(albedo, h.rgb, h.a);
    }
  }
  return vec4f(haze(light(albedo, normalize(in.n)), in.at), 1.0);
}

struct Body {
  @builtin(position) position: vec4f,
  @location(0) at: vec3f,
  @location(1) n: vec3f,
  @location(2) color: vec3f,
}
@vertex fn body_vertex(
  @location(0) place: vec3f, @location(1) normal: vec3f, @location(2) extra: vec2f,
  @location(3) spot: vec4f, @location(4) gait: vec3f, @location(5) tint: vec4f,
) -> Body {
  let part = extra.x;
  var swing = 0.0;
  var pivot = 0.9;
  if (part > 0.5) {
    let side = select(-1.0, 1.0, part < 1.5 || part > 3.5);
    swing = sin(gait.x) * side * gait.y * select(0.6, 0.5, part > 2.5);
    pivot = select(0.9, 1.42, part > 2.5);
  }
  let c = cos(swing);
  let s = sin(swing);
  var p = vec3f(place.x * c + (place.z - pivot) * s, place.y, pivot + (place.z - pivot) * c - place.x * s);
  p.z += select(0.0, abs(sin(gait.x)) * 0.03 * gait.y, part > 2.5 || part < 0.5);
  let hc = cos(spot.w);
  let hs = sin(spot.w);
  p = p * gait.z;
  let at = spot.xyz + vec3f(p.x * hc - p.y * hs, p.x * hs + p.y * hc, p.z);
  let n = vec3f(normal.x * hc - normal.y * hs, normal.x * hs + normal.y * hc, normal.z);
  let cloth = mix(vec3f(0.16, 0.17, 0.20), tint.rgb, max(extra.y, 0.0));
  return Body(scene.matrix * vec4f(at, 1.0), at, n, select(cloth, vec3f(0.80, 0.62, 0.50), extra.y < 0.0));
}
@fragment fn body_fragment(in: Body) -> @location(0) vec4f {
  let lit = select(light(in.color, normalize(in.n)), in.color, scene.eye.w > 0.5);
  return vec4f(haze(lit, in.at), 1.0);
}`;

const VERTEX_LAYOUT = {
  arrayStride: 32,
  attributes: [
    { shaderLocation: 0, offset: 0, format: "float32x3" },
    { shaderLocation: 1, offset: 12, format: "float32x3" },
    { shaderLocation: 2, offset: 24, format: "float32x2" },
  ],
};
const INSTANCE_LAYOUT = {
  arrayStride: STRIDE * 4,
  stepMode: "instance",
  attributes: [
    { shaderLocation: 3, offset: 0, format: "float32x4" },
    { shaderLocation: 4, offset: 16, format: "float32x3" },
    { shaderLocation: 5, offset: 28, format: "unorm8x4" },
  ],
};
const SAMPLES = 4;

export class GpuPicture {
  static name = "WebGPU";

  /**
   * On a card the picture goes to the canvas as it is. Software adapters cannot show a canvas in every browser:
   * from those it is read back and painted.
   */
  static async create(canvas, lost, paints = false) {
    if (!navigator.gpu) return null;
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    const device = await adapter?.requestDevice().catch(() => null);
    if (!device) return null;
    const software = adapter.info?.isFallbackAdapter || adapter.isFallbackAdapter || /swiftshader|llvmpipe|software/i.test(`${adapter.info?.architecture} ${adapter.info?.description}`);
    const painted = paints || software;
    const context = canvas.getContext(painted ? "2d" : "webgpu");
    if (!context) return null;
    const format = painted ? "rgba8unorm" : navigator.gpu.getPreferredCanvasFormat();
    if (!painted) context.configure({ device, format, alphaMode: "opaque" });
    device.lost.then((why) => why.reason !== "destroyed" && lost(why.message));
    const picture = new GpuPicture(canvas, device, context, format, painted);
    await picture.ready;
    return picture;
  }

  constructor(canvas, device, context, format, painted) {
    Object.assign(this, { canvas, device, context, meshes: new Map(), instances: new Map(), format, painted });
    const module = device.createShaderModule({ code: SHADER });
    const { VERTEX, FRAGMENT } = GPUShaderStage;
    this.layout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: VERTEX | FRAGMENT, buffer: {} },
        { binding: 1, visibility: FRAGMENT, texture: {} },
        { binding: 2, visibility: FRAGMENT, sampler: {} },
      ],
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
    const pipeline = (name, buffers) =>
      device.createRenderPipelineAsync({
        layout,
        vertex: { module, entryPoint: `${name}_vertex`, buffers },
        fragment: { module, entryPoint: `${name}_fragment`, targets: [{ format }] },
        depthStencil: { format: "depth24plus", depthWriteEnabled: true, depthCompare: "less" },
        multisample: { count: SAMPLES },
      });
    this.ready = (async () => {
      this.meshPipeline = await pipeline("mesh", [VERTEX_LAYOUT]);
      this.bodyPipeline = await pipeline("body", [VERTEX_LAYOUT, INSTANCE_LAYOUT]);
    })();
    this.uniforms = device.createBuffer({ size: 144, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    this.sampler = device.createSampler({ minFilter: "linear", magFilter: "linear" });
    this.setField(1, 1, new Uint8Array(4));
  }

  #buffer(data, usage) {
    const size = Math.max(4, (data.byteLength + 3) & ~3);
    const buffer = this.device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_DST });
    if (data.byteLength > 0) this.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  setMesh(name, { vertices, indices }) {
    const old = this.meshes.get(name);
    old?.vertices.destroy();
    old?.indices.destroy();
    this.meshes.set(name, {
      vertices: this.#buffer(vertices, GPUBufferUsage.VERTEX),
      indices: this.#buffer(indices, GPUBufferUsage.INDEX),
      count: indices.length,
    });
  }

  setField(width, height, rgba) {
    const { device } = this;
    this.texture?.destroy();
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    this.texture = device.createTexture({ size: [width, height], format: "rgba8unorm", usage });
    device.queue.writeTexture({ texture: this.texture }, rgba, { bytesPerRow: width * 4 }, [width, height]);
    this.group = device.createBindGroup({
      layout: this.layout,
      entries: [
        { binding: 0, resource: { buffer: this.uniforms } },
        { binding: 1, resource: this.texture.createView() },
        { binding: 2, resource: this.sampler },
      ],
    });
  }

  #targets() {
    const size = [this.canvas.width, this.canvas.height];
    if (this.size?.[0] !== size[0] || this.size?.[1] !== size[1]) {
      this.size = size;
      this.color?.destroy();
      this.depth?.destroy();
      const usage = GPUTextureUsage.RENDER_ATTACHMENT;
      const make = (format) => this.device.createTexture({ size, format, usage, sampleCount: SAMPLES });
      this.color = make(this.format);
      this.depth = make("depth24plus");
      if (this.painted) this.#paper(size);
    }
  }

  /** What is read back. */
  #paper(size) {
    this.target?.destroy();
    this.copy?.destroy();
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    this.target = this.device.createTexture({ size, format: this.format, usage });
    this.row = (size[0] * 4 + 255) & ~255;
    this.copy = this.device.createBuffer({ size: this.row * size[1], usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    this.image = new ImageData(size[0], size[1]);
  }

  /** Reads the picture back and paints it. */
  async #paint() {
    const { copy, image, row } = this;
    try {
      await copy.mapAsync(GPUMapMode.READ);
      const bytes = new Uint8Array(copy.getMappedRange());
      const width = image.width * 4;
      for (let y = 0; y < image.height; y++) image.data.set(bytes.subarray(y * row, y * row + width), y * width);
      copy.unmap();
      this.context.putImageData(image, 0, 0);
    } catch {
      // The size has changed meanwhile, or the device is gone: another picture comes.
    }
  }

  /** Whether it cannot take another picture yet. */
  get busy() {
    return this.painting !== undefined;
  }

  /** When the last picture is to be seen. */
  async settled() {
    await this.painting;
  }

  #instances(name, data, count) {
    const size = count * STRIDE * 4;
    let buffer = this.instances.get(name);
    if (!buffer || buffer.size < size) {
      buffer?.destroy();
      const usage = GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST;
      buffer = this.device.createBuffer({ size: Math.max(4096, size * 1.25 + 31 & ~31), usage });
      this.instances.set(name, buffer);
    }
    this.device.queue.writeBuffer(buffer, 0, data.floats, 0, count * STRIDE);
    return buffer;
  }

  draw(uniforms, meshes, bodies, sky) {
    const { device } = this;
    this.#targets();
    device.queue.writeBuffer(this.uniforms, 0, uniforms);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: [
        {
          view: this.color.createView(),
          resolveTarget: (this.painted ? this.target : this.context.getCurrentTexture()).createView(),
          clearValue: [...sky, 1],
          loadOp: "clear",
          storeOp: "discard",
        },
      ],
      depthStencilAttachment: {
        view: this.depth.createView(),
        depthClearValue: 1,
        depthLoadOp: "clear",
        depthStoreOp: "discard",
      },
    });
    pass.setBindGroup(0, this.group);
    pass.setPipeline(this.meshPipeline);
    for (const name of meshes) {
      const mesh = this.meshes.get(name);
      if (!mesh || mesh.count === 0) continue;
      pass.setVertexBuffer(0, mesh.vertices);
      pass.setIndexBuffer(mesh.indices, "uint32");
      pass.drawIndexed(mesh.count);
    }
    pass.setPipeline(this.bodyPipeline);
    for (const [name, data, count] of bodies) {
      if (count === 0) continue;
      const mesh = this.meshes.get(name);
      pass.setVertexBuffer(0, mesh.vertices);
      pass.setVertexBuffer(1, this.#instances(name, data, count));
      pass.setIndexBuffer(mesh.indices, "uint32");
      pass.drawIndexed(mesh.count, count);
    }
    pass.end();
    if (this.painted) encoder.copyTextureToBuffer({ texture: this.target }, { buffer: this.copy, bytesPerRow: this.row }, this.size);
    device.queue.submit([encoder.finish()]);
    if (this.painted) this.painting = this.#paint().finally(() => { this.painting = undefined; });
  }
}
