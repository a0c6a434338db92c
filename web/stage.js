// The stage: the picture of the crowd, by whatever can draw it, at the pace at which that can be done.

import { mapBody, midBody, nearBody, shadowQuad, speck } from "./body.js";
import { STRIDE } from "./crowd.js";
import { GlPicture } from "./draw-gl.js";
import { GpuPicture } from "./draw-gpu.js";
import { SUN } from "./light.js";
import { buildPlace, lightPlace, skyOf } from "./place.js";

const NEAR_PIXELS = 26; // somebody taller than this has arms and hands
const MID_PIXELS = 8; // … than this, legs that walk
const SLOW_MS = 150; // for a picture; beyond, they become coarser
const QUICK_MS = 30;
const REST_MS = 250;
const COARSEST = 0.6;
const BODIES = [["near", nearBody], ["mid", midBody], ["far", speck], ["map", mapBody], ["shadow", shadowQuad]];

export class Stage {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas, picture: null, losses: 0, sharpness: 1, cost: QUICK_MS, ready: 0, shown: 0, drawn: 0 });
    this.rooms = [null, 1, 2, 3].map((level) => level && room(0));
    this.rect = [0, 0, 1, 1];
  }

  /** Finds out who can draw. */
  async open() {
    const wanted = new URLSearchParams(location.search).get("picture");
    const lost = () => this.#again();
    const gpu = wanted !== "webgl2" && this.losses < 2;
    this.picture = gpu ? await GpuPicture.create(this.canvas, lost, this.losses > 0).catch(() => null) : null;
    if (!this.picture) {
      // A canvas that has tried one way cannot go the other.
      this.#freshCanvas();
      this.picture = await GlPicture.create(this.canvas);
    }
    if (!this.picture) return false;
    for (const [name, make] of BODIES) this.picture.setMesh(name, make());
    this.canvas.addEventListener("webglcontextlost", (e) => { e.preventDefault(); this.#again(); });
    this.baked = null;
    this.rebuild();
    return true;
  }

  #freshCanvas() {
    const fresh = this.canvas.cloneNode(false);
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
  }

  /** The device is gone: another one, with everything anew. */
  async #again() {
    this.picture = null;
    this.losses += 1;
    this.#freshCanvas();
    await this.open();
    this.app.restaged();
  }

  /** The place, the theme or the view is another one. */
  rebuild() {
    const { app, picture } = this;
    const { scene, crowd, theme } = app;
    if (!picture || !scene) return;
    const map = app.camera.mode === "map";
    buildPlace(picture, scene, crowd.relief, theme, map);
    const key = `${scene.name} ${scene.revision} ${Boolean(crowd.relief)}`;
    if (this.baked !== key) {
      this.baked = key;
      this.rect = lightPlace(picture, scene, crowd.relief);
    }
    app.touch();
  }

  setField(width, height, rgba) {
    this.picture?.setField(width, height, rgba);
  }

  /** As many pixels as the window has, or fewer where drawing takes long. */
  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const size = (by) => [w, h].map((v) => Math.max(1, Math.round(v * by)));
    const sharp = size(ratio * this.sharpness);
    // What is painted keeps its old picture until there is another.
    if (this.picture?.painted) this.picture.wanted = sharp;
    else [this.canvas.width, this.canvas.height] = sharp;
    const marks = this.app.overlay.canvas;
    const full = size(ratio);
    if (marks.width !== full[0] || marks.height !== full[1]) [marks.width, marks.height] = full;
    return [w, h];
  }

  /** Draws, unless the last picture is still under way. */
  frame() {
    const { picture } = this;
    if (picture?.busy) return false;
    // Where drawing takes long, others need the machine too: half of the time is theirs.
    const now = performance.now();
    if (picture?.cost > SLOW_MS / 3 && now < this.ready) return false;
    this.ready = now + 2 * Math.min(picture?.cost ?? 0, REST_MS);
    this.#sharpen(picture?.cost);
    this.draw();
    return true;
  }

  /** Pictures that take long become coarser, and finer again when there is time. */
  #sharpen(cost) {
    if (cost === undefined || document.hidden) return;
    this.cost += (Math.min(cost, 1000) - this.cost) * 0.15;
    const slow = this.cost > SLOW_MS && this.sharpness > COARSEST;
    const quick = this.cost < QUICK_MS && this.sharpness < 1;
    if (!slow && !quick) return;
    this.sharpness = Math.min(1, Math.max(COARSEST, this.sharpness * (slow ? 0.8 : 1.25)));
    this.cost = (SLOW_MS + QUICK_MS) / 2;
    this.resize();
  }

  draw() {
    if (this.picture) this.#drawPicture();
    this.app.overlay.draw(this.app);
    this.drawn += 1;
  }

  #drawPicture() {
    const { app, rooms } = this;
    const { camera, crowd, theme } = app;
    const look = camera.look();
    const map = camera.mode === "map";
    const count = crowd.now?.frame.count ?? 0;
    if (rooms[1].floats.length < count * STRIDE) for (const level of [1, 2, 3]) rooms[level] = room(count);
    const pixel = camera.metresPerPixel();
    // On a map nobody is smaller than three pixels.
    const scale = map ? Math.max(1, (1.5 * pixel) / 0.25) : 1;
    const counts = crowd.fill(rooms, map ? () => 1 : sight(look, camera), { scale, selected: app.selected });
    const body = (mesh, level, shadow = true) => ({ mesh, data: rooms[level], count: counts[level], shadow });
    const bodies = map ? [body("map", 1, false)] : [body("near", 1), body("mid", 2), body("far", 3, count < 20_000)];
    const sky = skyOf(theme, map);
    const field = app.heat.field;
    const grid = 10 ** Math.max(0, Math.ceil(Math.log10(pixel * 25)));
    const uniforms = new Float32Array(48);
    uniforms.set(look.matrix, 0);
    uniforms.set([...look.eye, map ? 1 : 0], 16);
    uniforms.set([...SUN, camera.far * 0.9 + camera.distance * 1.5], 20);
    uniforms.set([...sky, field ? 1 : 0], 24);
    if (field) uniforms.set([...field.origin, field.width * field.cell, field.height * field.cell], 28);
    uniforms.set([grid, crowd.relief ? 0.2 : map ? 0.8 : 0.55, map ? 0 : 1, map ? 0.2 : crowd.relief ? 1 : 0.6], 32);
    uniforms.set(this.rect, 36);
    uniforms.set([...look.right, 0, ...look.over, 0], 40);
    this.picture.draw(uniforms, map ? ["apron", "ground", "walls"] : ["sky", "apron", "ground", "walls"], bodies, sky);
    const shown = counts.reduce((sum, n) => sum + n, 0);
    const seen = () => { this.shown = shown; };
    // What is read back and painted is seen only then.
    if (this.picture.painted) this.picture.settled().then(seen);
    else seen();
  }

  /** The picture with its marks, as it is now. */
  async still() {
    await this.picture?.settled?.();
    this.draw();
    await this.picture?.settled?.();
    const { canvas, app } = this;
    const marks = app.overlay.canvas;
    const both = document.createElement("canvas");
    [both.width, both.height] = [marks.width, marks.height];
    const pen = both.getContext("2d");
    pen.drawImage(canvas, 0, 0, both.width, both.height);
    pen.drawImage(marks, 0, 0);
    return new Promise((done) => both.toBlob(done, "image/png"));
  }
}

/** Instances for so many. */
function room(count) {
  const floats = new Float32Array(Math.ceil(count * 1.2 + 64) * STRIDE);
  return { floats, words: new Uint32Array(floats.buffer) };
}

/** Who is in sight: 0 nobody, 1 near, 2 farther, 3 far; by how tall they are on the screen. */
function sight({ matrix: m }, camera) {
  const tall = 1.75 / camera.metresPerPixel() * camera.distance;
  const [near, mid] = [tall / NEAR_PIXELS, tall / MID_PIXELS];
  return (x, y, z) => {
    const w = m[3] * x + m[7] * y + m[11] * (z + 0.9) + m[15];
    const cx = m[0] * x + m[4] * y + m[8] * (z + 0.9) + m[12];
    const cy = m[1] * x + m[5] * y + m[9] * (z + 0.9) + m[13];
    const rim = w * 1.05 + 2;
    if (w < -1 || cx < -rim || cx > rim || cy < -rim || cy > rim) return 0;
    return w < near ? 1 : w < mid ? 2 : 3;
  };
}
