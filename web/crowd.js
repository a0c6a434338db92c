// The crowd between two frames: where everybody is at the moment that is drawn, with gait and colour.

import { shade } from "./mesh.js";

/** Floats of an instance: x, y, z, heading; phase, swing, scale, colour (four bytes). */
export const STRIDE = 8;
const STRIDE_LENGTH = 0.75; // metres walked per half turn of the legs
const OFF = 6; // metres: who moved farther in one frame did not walk there

export class Crowd {
  constructor() {
    this.scene = null;
    this.heights = null;
    this.colorBy = "group";
    this.now = null;
    this.before = null;
    this.arrived = 0;
    this.gap = 100;
    this.count = 0;
    this.ids = new Uint32Array(0);
    this.phase = new Map();
  }

  setScene(scene) {
    this.scene = scene;
    const [x0, y0, x1, y1] = scene.bounds;
    this.origin = [x0, y0];
    this.scale = [(x1 - x0) / 65535, (y1 - y0) / 65535];
    this.palette = null;
  }

  /** A colour for every kind: group times actions plus action. */
  colors() {
    const key = this.colorBy;
    if (this.palette?.key === key) return this.palette.colors;
    const { groups, actions } = this.scene;
    const colors = new Uint32Array(4096).fill(0xff888888);
    groups.forEach((group, g) =>
      actions.forEach((action, a) => {
        const rgb = key === "action" ? action.color : shade(group.color, a === 0 ? 1 : 0.92);
        colors[g * actions.length + a] = pack(rgb);
      }),
    );
    this.palette = { key, colors };
    return colors;
  }

  /** Takes a frame; between frames of different jumps nobody walks. */
  take(frame, now = performance.now()) {
    const n = frame.count;
    const next = {
      frame,
      x: new Float32Array(n),
      y: new Float32Array(n),
      x0: new Float32Array(n),
      y0: new Float32Array(n),
      h0: new Float32Array(n),
      h1: new Float32Array(n),
      phase0: new Float32Array(n),
      phase1: new Float32Array(n),
      speed: new Float32Array(n),
    };
    const last = this.now;
    const walks = last && last.frame.jump === frame.jump && frame.step >= last.frame.step && !frame.past;
    const seconds = walks ? Math.max(frame.time - last.frame.time, 1e-3) : 1;
    let j = 0;
    for (let i = 0; i < n; i++) {
      const x = this.origin[0] + frame.x[i] * this.scale[0];
      const y = this.origin[1] + frame.y[i] * this.scale[1];
      const heading = (frame.heading[i] / 64) * 2 * Math.PI;
      [next.x[i], next.y[i], next.x0[i], next.y0[i]] = [x, y, x, y];
      next.h0[i] = next.h1[i] = heading;
      // Somebody new is out of step with the others, always in the same way.
      next.phase0[i] = next.phase1[i] = (frame.ids[i] * 2.399) % (2 * Math.PI);
      if (!walks) continue;
      // Both lists ascend.
      while (j < last.frame.count && last.frame.ids[j] < frame.ids[i]) j++;
      if (j >= last.frame.count || last.frame.ids[j] !== frame.ids[i]) continue;
      const way = Math.hypot(x - last.x[j], y - last.y[j]);
      if (way > OFF * Math.max(1, seconds)) continue;
      [next.x0[i], next.y0[i]] = [last.x[j], last.y[j]];
      next.h0[i] = nearTurn(last.h1[j], heading);
      next.speed[i] = way / seconds;
      next.phase0[i] = last.phase1[j];
      next.phase1[i] = last.phase1[j] + (way / STRIDE_LENGTH) * Math.PI;
    }
    this.before = last;
    this.now = next;
    this.walks = Boolean(walks);
    this.gap = Math.min(500, Math.max(20, this.gap * 0.7 + (now - this.arrived) * 0.3));
    this.arrived = now;
  }

  /** How far between the last two frames it is, from 0 to 1. */
  part(now = performance.now()) {
    return this.walks ? Math.min(1, (now - this.arrived) / this.gap) : 1;
  }

  /** Whether anything will look different at another moment. */
  moves(now = performance.now()) {
    return this.now !== null && this.walks && now - this.arrived < this.gap + 50;
  }

  heightAt(x, y) {
    const h = this.heights;
    if (!h) return 0;
    const u = Math.min(h.width - 1.001, Math.max(0, (x - h.origin[0]) / h.cell - 0.5));
    const v = Math.min(h.height - 1.001, Math.max(0, (y - h.origin[1]) / h.cell - 0.5));
    const [i, j] = [Math.floor(u), Math.floor(v)];
    const [s, t] = [u - i, v - j];
    const at = j * h.width + i;
    const a = h.values[at] + (h.values[at + 1] - h.values[at]) * s;
    const b = h.values[at + h.width] + (h.values[at + h.width + 1] - h.values[at + h.width]) * s;
    return a + (b - a) * t;
  }

  /**
   * Fills the instances of those whom `lod` wants: it gives 0 for nobody to be seen, 1 for near, 2 for far.
   * @returns {{near: number, far: number}} How many there are of each.
   */
  fill(near, far, lod, options) {
    const c = this.now;
    if (!c) return { near: 0, far: 0 };
    const part = this.part();
    const colors = this.colors();
    const counts = { near: 0, far: 0 };
    const { frame } = c;
    for (let i = 0; i < frame.count; i++) {
      const x = c.x0[i] + (c.x[i] - c.x0[i]) * part;
      const y = c.y0[i] + (c.y[i] - c.y0[i]) * part;
      const z = this.heights ? this.heightAt(x, y) : 0;
      const level = lod(x, y, z);
      if (level === 0) continue;
      const out = level === 1 ? near : far;
      const at = (level === 1 ? counts.near++ : counts.far++) * STRIDE;
      const f = out.floats;
      f[at] = x;
      f[at + 1] = y;
      f[at + 2] = z;
      f[at + 3] = c.h0[i] + (c.h1[i] - c.h0[i]) * part;
      f[at + 4] = c.phase0[i] + (c.phase1[i] - c.phase0[i]) * part;
      f[at + 5] = Math.min(1, c.speed[i] / 1.4);
      f[at + 6] = options.scale;
      out.words[at + 7] = frame.ids[i] === options.selected ? 0xff20d0ff : colors[frame.kind[i]];
    }
    return counts;
  }

  /** Where somebody is drawn now. */
  find(id) {
    const c = this.now;
    if (!c) return null;
    let [low, high] = [0, c.frame.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (c.frame.ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (low >= c.frame.count || c.frame.ids[low] !== id) return null;
    const part = this.part();
    const x = c.x0[low] + (c.x[low] - c.x0[low]) * part;
    const y = c.y0[low] + (c.y[low] - c.y0[low]) * part;
    return { x, y, z: this.heightAt(x, y), heading: c.h1[low], kind: c.frame.kind[low] };
  }

  /** Who is nearest to a point on the screen, within so many pixels; by `project(x, y, z)`. */
  pick(px, py, project, within) {
    const c = this.now;
    let best = null;
    let nearest = within * within;
    for (let i = 0; c && i < c.frame.count; i++) {
      const p = project(c.x[i], c.y[i], this.heightAt(c.x[i], c.y[i]) + 0.9);
      if (!p) continue;
      const away = (p[0] - px) ** 2 + (p[1] - py) ** 2;
      if (away < nearest) [nearest, best] = [away, c.frame.ids[i]];
    }
    return best;
  }
}

function pack([r, g, b]) {
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

/** The same turn as `from`, within half a turn of `to`. */
function nearTurn(from, to) {
  const turn = 2 * Math.PI;
  return from + Math.round((to - from) / turn) * turn;
}
