// The picture by WebGPU. The same in everything as draw-gl.js.

import { STRIDE } from "./crowd.js";
import { grainLevels } from "./light.js";
import { WGSL } from "./wgsl.js";

const UNIFORM_BYTES = 192;
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
    const module = device.createShaderModule({ code: WGSL });
    const { VERTEX, FRAGMENT } = GPUShaderStage;
    this.layout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: VERTEX | FRAGMENT, buffer: {} },
        { binding: 1, visibility: FRAGMENT, texture: {} },
        { binding: 2, visibility: VERTEX | FRAGMENT, sampler: {} },
        { binding: 3, visibility: VERTEX | FRAGMENT, texture: {} },
        { binding: 4, visibility: FRAGMENT, texture: {} },
        { binding: 5, visibility: FRAGMENT, sampler: {} },
      ],
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
    const over = { srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha" };
    const pipeline = (name, buffers, blends) =>
      device.createRenderPipelineAsync({
        layout,
        vertex: { module, entryPoint: `${name}_vertex`, buffers },
        fragment: { module, entryPoint: `${name}_fragment`, targets: [{ format, blend: blends ? { color: over, alpha: over } : undefined }] },
        depthStencil: { format: "depth24plus", depthWriteEnabled: !blends, depthCompare: "less" },
        multisample: { count: SAMPLES },
      });
    this.ready = (async () => {
      this.pipelines = {
        mesh: await pipeline("mesh", [VERTEX_LAYOUT]),
        body: await pipeline("body", [VERTEX_LAYOUT, INSTANCE_LAYOUT]),
        shadow: await pipeline("shadow", [VERTEX_LAYOUT, INSTANCE_LAYOUT], true),
      };
    })();
    this.uniforms = device.createBuffer({ size: UNIFORM_BYTES, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    this.sampler = device.createSampler({ minFilter: "linear", magFilter: "linear" });
    const repeat = { addressModeU: "repeat", addressModeV: "repeat" };
    this.grainSampler = device.createSampler({ minFilter: "linear", magFilter: "linear", mipmapFilter: "linear", ...repeat });
    this.#grain();
    this.field = this.#texture(1, 1, new Uint8Array(4));
    this.baked = this.#texture(1, 1, new Uint8Array([255, 255, 255, 255]));
  }

  #grain() {
    const levels = grainLevels();
    const [{ size }] = levels;
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    this.grain = this.device.createTexture({ size: [size, size], format: "r8unorm", usage, mipLevelCount: levels.length });
    levels.forEach(({ size: side, bytes }, mipLevel) => this.device.queue.writeTexture({ texture: this.grain, mipLevel }, bytes, { bytesPerRow: side }, [side, side]));
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

  #texture(width, height, rgba) {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    const texture = this.device.createTexture({ size: [width, height], format: "rgba8unorm", usage });
    this.device.queue.writeTexture({ texture }, rgba, { bytesPerRow: width * 4 }, [width, height]);
    this.group = null;
    return texture;
  }

  setField(width, height, rgba) {
    this.field.destroy();
    this.field = this.#texture(width, height, rgba);
  }

  setLight(width, height, rgba) {
    this.baked.destroy();
    this.baked = this.#texture(width, height, rgba);
  }

  #bindings() {
    this.group ??= this.device.createBindGroup({
      layout: this.layout,
      entries: [
        { buffer: this.uniforms }, this.field.createView(), this.sampler, this.baked.createView(), this.grain.createView(), this.grainSampler,
      ].map((resource, binding) => ({ binding, resource })),
    });
    return this.group;
  }

  #targets() {
    const size = this.painted ? (this.wanted ?? [this.canvas.width, this.canvas.height]) : [this.canvas.width, this.canvas.height];
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
      const { canvas } = this;
      if (canvas.width !== image.width || canvas.height !== image.height) [canvas.width, canvas.height] = [image.width, image.height];
      this.context.putImageData(image, 0, 0);
    } catch {
      // The size has changed meanwhile, or the device is gone: another picture comes.
    }
  }

  /** Whether it cannot take another picture yet. */
  get busy() {
    return this.drawing !== undefined;
  }

  /** When the last picture is to be seen. */
  async settled() {
    await this.drawing;
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
    pass.setBindGroup(0, this.#bindings());
    pass.setPipeline(this.pipelines.mesh);
    for (const name of meshes) {
      const mesh = this.meshes.get(name);
      if (!mesh || mesh.count === 0) continue;
      pass.setVertexBuffer(0, mesh.vertices);
      pass.setIndexBuffer(mesh.indices, "uint32");
      pass.drawIndexed(mesh.count);
    }
    const there = bodies.filter(({ count }) => count > 0);
    const buffers = new Map(there.map(({ mesh, data, count }) => [mesh, this.#instances(mesh, data, count)]));
    const all = (name, mesh, buffer, count) => {
      const { vertices, indices, count: corners } = this.meshes.get(mesh);
      pass.setPipeline(this.pipelines[name]);
      pass.setVertexBuffer(0, vertices);
      pass.setVertexBuffer(1, buffer);
      pass.setIndexBuffer(indices, "uint32");
      pass.drawIndexed(corners, count);
    };
    for (const { mesh, count } of there.filter(({ shadow }) => shadow)) all("shadow", "shadow", buffers.get(mesh), count);
    for (const { mesh, count } of there) all("body", mesh, buffers.get(mesh), count);
    pass.end();
    if (this.painted) encoder.copyTextureToBuffer({ texture: this.target }, { buffer: this.copy, bytesPerRow: this.row }, this.size);
    device.queue.submit([encoder.finish()]);
    const began = performance.now();
    const done = this.painted ? this.#paint() : device.queue.onSubmittedWorkDone();
    this.drawing = done.catch(() => {}).finally(() => {
      this.drawing = undefined;
      this.cost = performance.now() - began;
    });
  }
}
