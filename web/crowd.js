// The crowd between two frames: where everybody is at the moment that is drawn, with gait and colour.

import { shade } from "./mesh.js";

/**
 * Floats of an instance: x, y, z, heading; phase, pose and swing in one, scale, and four bytes: colour and a number
 * that everybody has of their own.
 */
export const STRIDE = 8;
/** Clips that have a pose; all others walk or stand. */
const POSES = { mine: 1, eat: 1, work: 1, dig: 1, flee: 2, panic: 2, sleep: 3, rest: 3, sit: 3, carry: 4 };
const POSE = { WALK: 0, WORK: 1, REST: 3 };
const WORK_RATE = 2 * Math.PI * 1.25; // of a clip of four seconds, whole turns
const RELIEF = 192; // cells of the ground along each side
const STRIDE_LENGTH = 0.75; // metres walked per half turn of the legs
const SELECTED = 0x20d0ff;
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
    const { actions, groups } = scene;
    this.poses = Uint8Array.from({ length: groups.length * actions.length }, (_, k) => POSES[actions[k % actions.length].clip] ?? POSE.WALK);
    this.#layRelief();
  }

  /** Heights of the ground as they came. */
  setHeights(heights) {
    this.heights = heights;
    this.#layRelief();
  }

  /** The ground that is drawn and stood on: heights at the corners of equal cells over the bounds. */
  #layRelief() {
    this.relief = null;
    if (!this.heights || !this.scene) return;
    const [x0, y0, x1, y1] = this.scene.bounds;
    const [dx, dy] = [(x1 - x0) / RELIEF, (y1 - y0) / RELIEF];
    const row = RELIEF + 1;
    const values = new Float32Array(row * row);
    for (let j = 0; j < row; j++) for (let i = 0; i < row; i++) values[j * row + i] = sample(this.heights, x0 + i * dx, y0 + j * dy);
    const at = (x, y) => {
      const u = Math.min(RELIEF - 1e-3, Math.max(0, (x - x0) / dx));
      const v = Math.min(RELIEF - 1e-3, Math.max(0, (y - y0) / dy));
      const [i, j] = [u | 0, v | 0];
      const [s, t, k] = [u - i, v - j, j * row + i];
      // The two triangles of a cell, as they are drawn.
      const [b, c] = [values[k + 1], values[k + row]];
      if (s + t <= 1) return values[k] + (b - values[k]) * s + (c - values[k]) * t;
      const d = values[k + row + 1];
      return d + (c - d) * (1 - s) + (b - d) * (1 - t);
    };
    const { low, high } = this.heights;
    this.relief = { cells: RELIEF, at, low, high };
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
      seconds: 0,
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
    const still = walks && frame.step === last.frame.step;
    next.seconds = walks && !still ? seconds : 0;
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
      // The same moment again: whoever was walking stays in their stride.
      next.speed[i] = still ? last.speed[j] : way / seconds;
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
    return this.relief ? this.relief.at(x, y) : 0;
  }

  /**
   * Fills the instances of those whom `lod` wants: it gives 0 for nobody to be seen, else the number of a room.
   * @returns {number[]} How many there are in each room.
   */
  fill(rooms, lod, { scale, selected }) {
    const counts = rooms.map(() => 0);
    const c = this.now;
    if (!c) return counts;
    const part = this.part();
    const colors = this.colors();
    const { frame } = c;
    const since = c.seconds * part;
    for (let i = 0; i < frame.count; i++) {
      const x = c.x0[i] + (c.x[i] - c.x0[i]) * part;
      const y = c.y0[i] + (c.y[i] - c.y0[i]) * part;
      const z = this.relief ? this.relief.at(x, y) : 0;
      const level = lod(x, y, z);
      if (level === 0) continue;
      const { floats: f, words } = rooms[level];
      const at = counts[level]++ * STRIDE;
      const kind = frame.kind[i];
      const own = (Math.imul(frame.ids[i] + 1, 0x9e3779b1) >>> 24) & 255;
      const swing = Math.min(1, c.speed[i] / 1.4);
      let pose = this.poses[kind] ?? POSE.WALK;
      if (swing > 0.25 && (pose === POSE.WORK || pose === POSE.REST)) pose = POSE.WALK;
      f[at] = x;
      f[at + 1] = y;
      f[at + 2] = z;
      f[at + 3] = c.h0[i] + (c.h1[i] - c.h0[i]) * part;
      f[at + 4] = pose === POSE.WORK ? (frame.clip[i] / 16 + since) * WORK_RATE : c.phase0[i] + (c.phase1[i] - c.phase0[i]) * part;
      f[at + 5] = pose + swing * 0.99;
      f[at + 6] = scale * (0.94 + own * (0.12 / 255));
      words[at + 7] = ((frame.ids[i] === selected ? SELECTED : colors[kind]) & 0xffffff) | (own << 24);
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

/** Height of a point between the middles of cells. */
function sample(h, x, y) {
  const u = Math.min(h.width - 1.001, Math.max(0, (x - h.origin[0]) / h.cell - 0.5));
  const v = Math.min(h.height - 1.001, Math.max(0, (y - h.origin[1]) / h.cell - 0.5));
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [s, t] = [u - i, v - j];
  const at = j * h.width + i;
  const a = h.values[at] + (h.values[at + 1] - h.values[at]) * s;
  const b = h.values[at + h.width] + (h.values[at + h.width + 1] - h.values[at + h.width]) * s;
  return a + (b - a) * t;
}

function pack([r, g, b]) {
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

/** The same turn as `from`, within half a turn of `to`. */
function nearTurn(from, to) {
  const turn = 2 * Math.PI;
  return from + Math.round((to - from) / turn) * turn;
}
