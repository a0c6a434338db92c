// Cameras: an orbit around a point of the ground, and a map from straight above. Both look at `target`.
// World: x to the right, y to the back, z up. Matrices are columns, for depths from 0 to 1.

export const MAP = "map";
export const ORBIT = "3d";

export class Camera {
  constructor() {
    this.mode = ORBIT;
    this.target = [0, 0, 0];
    this.yaw = -Math.PI / 2 + 0.5;
    this.pitch = 0.6;
    this.distance = 60;
    this.size = [1, 1];
    this.far = 4000;
    this.ground = () => 0;
    /** Pixels at the left, top, right and bottom that something else covers. */
    this.covered = [0, 0, 0, 0];
    /** Nobody has moved it since it last saw everything. */
    this.isHome = false;
  }

  /** Sees all of some bounds, from the side from which they fill the free part of the window best. */
  frame(bounds) {
    const [x0, y0, x1, y1] = bounds;
    const [w, h] = [x1 - x0, y1 - y0];
    this.far = Math.max(500, Math.hypot(w, h) * 4);
    this.isHome = true;
    const middle = [(x0 + x1) / 2, (y0 + y1) / 2, 0];
    if (this.mode === MAP) {
      this.target = middle;
      return this.#fit(bounds);
    }
    const tries = [-Math.PI / 2 + 0.42, -0.42].map((yaw) => {
      this.target = [...middle];
      Object.assign(this, { yaw, pitch: this.size[1] > this.size[0] ? 0.8 : 0.62 });
      this.#fit(bounds);
      return { yaw, target: this.target, distance: this.distance };
    });
    // The usual side, unless another one shows it much larger.
    Object.assign(this, tries[1].distance < 0.8 * tries[0].distance ? tries[1] : tries[0]);
  }

  /** Goes as near as possible with all corners in the free part of the window. */
  #fit([x0, y0, x1, y1]) {
    const corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    const [left, top, right, bottom] = this.covered;
    const rim = 12;
    const free = [left + rim, top + rim, this.size[0] - right - rim, this.size[1] - bottom - rim];
    const box = () => {
      const project = this.projector();
      const seen = corners.map(([x, y]) => project(x, y, this.ground(x, y)));
      if (seen.some((p) => p === null)) return null;
      const [xs, ys] = [seen.map((p) => p[0]), seen.map((p) => p[1])];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    };
    for (let round = 0; round < 4; round++) {
      let [near, far] = [2, this.far];
      for (let i = 0; i < 24; i++) {
        this.distance = Math.sqrt(near * far);
        const b = box();
        const fits = b && b[2] - b[0] <= free[2] - free[0] && b[3] - b[1] <= free[3] - free[1];
        if (fits) far = this.distance;
        else near = this.distance;
      }
      this.distance = far;
      const b = box();
      if (b) this.pan((free[0] + free[2] - b[0] - b[2]) / 2, (free[1] + free[3] - b[1] - b[3]) / 2);
    }
    this.isHome = true;
  }

  state() {
    const { mode, target, yaw, pitch, distance, isHome } = this;
    return { mode, target: [...target], yaw, pitch, distance, isHome };
  }

  restore(state) {
    const finite = (n) => typeof n === "number" && Number.isFinite(n);
    const numbers = [...(state?.target ?? []), state?.yaw, state?.pitch, state?.distance];
    if (numbers.length !== 6 || !numbers.every(finite)) return false;
    Object.assign(this, { ...state, mode: state.mode === MAP ? MAP : ORBIT, target: [...state.target], isHome: state.isHome === true });
    return true;
  }

  orbit(dx, dy) {
    if (this.mode === MAP) return;
    this.isHome = false;
    this.yaw -= dx * 0.006;
    this.pitch = Math.min(1.5, Math.max(0.06, this.pitch + dy * 0.006));
  }

  /** Shifts what is looked at by pixels. */
  pan(dx, dy) {
    this.isHome = false;
    const metres = this.metresPerPixel();
    const [x, y] = [-dx * metres, dy * metres];
    const yaw = this.mode === MAP ? 0 : this.yaw + Math.PI / 2;
    const along = this.mode === MAP ? 1 : 1 / Math.max(0.3, Math.sin(this.pitch));
    this.target[0] += x * Math.cos(yaw) - y * along * Math.sin(yaw);
    this.target[1] += x * Math.sin(yaw) + y * along * Math.cos(yaw);
  }

  /** Nearer (factor below 1) or farther; on a map what is at a point of the screen stays there. */
  zoom(factor, px = this.size[0] / 2, py = this.size[1] / 2) {
    this.isHome = false;
    const before = this.mode === MAP ? this.pick(px, py) : null;
    this.distance = Math.min(this.far, Math.max(2, this.distance * factor));
    const after = before && this.pick(px, py);
    if (after) {
      this.target[0] += before[0] - after[0];
      this.target[1] += before[1] - after[1];
    }
  }

  /** Metres of a pixel at the target. */
  metresPerPixel() {
    return (this.distance * Math.tan(FOV / 2) * 2) / this.size[1];
  }

  /** Shifts the picture into the part of the window that is free. */
  #shifted(m) {
    const [left, top, right, bottom] = this.covered;
    const [x, y] = [(left - right) / this.size[0], (bottom - top) / this.size[1]];
    for (let c = 0; c < 4; c++) {
      m[4 * c] += x * m[4 * c + 3];
      m[4 * c + 1] += y * m[4 * c + 3];
    }
    return m;
  }

  /** Eye, and the matrix from the world to the screen. */
  look() {
    const [tx, ty] = this.target;
    const tz = this.ground(tx, ty);
    const aspect = this.size[0] / this.size[1];
    if (this.mode === MAP) {
      const half = this.distance * Math.tan(FOV / 2);
      const eye = [tx, ty, tz + 1000];
      const view = lookAt(eye, [tx, ty, tz], [0, 1, 0]);
      return { eye, matrix: this.#shifted(multiply(orthographic(half * aspect, half, 1, 3000), view)), ...axes(view) };
    }
    const flat = Math.cos(this.pitch) * this.distance;
    const eye = [
      tx + Math.cos(this.yaw) * flat,
      ty + Math.sin(this.yaw) * flat,
      tz + Math.sin(this.pitch) * this.distance,
    ];
    eye[2] = Math.max(eye[2], this.ground(eye[0], eye[1]) + 1.2);
    const view = lookAt(eye, [tx, ty, tz + 0.8], [0, 0, 1]);
    const near = Math.max(0.1, this.distance / 200);
    return { eye, matrix: this.#shifted(multiply(perspective(aspect, near, this.far + this.distance), view)), ...axes(view) };
  }

  /** Where on the screen a point is, in pixels; nothing if it is behind. */
  projector() {
    const m = this.look().matrix;
    const [w, h] = this.size;
    return (x, y, z) => {
      const cw = m[3] * x + m[7] * y + m[11] * z + m[15];
      if (cw <= 1e-6) return null;
      const cx = m[0] * x + m[4] * y + m[8] * z + m[12];
      const cy = m[1] * x + m[5] * y + m[9] * z + m[13];
      return [(cx / cw * 0.5 + 0.5) * w, (0.5 - cy / cw * 0.5) * h, cw];
    };
  }

  /** The point of the ground under a pixel; nothing if that is the sky. */
  pick(px, py) {
    const inverse = invert(this.look().matrix);
    if (!inverse) return null;
    const x = (px / this.size[0]) * 2 - 1;
    const y = 1 - (py / this.size[1]) * 2;
    const a = transform(inverse, [x, y, 0]);
    const b = transform(inverse, [x, y, 1]);
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    if (d[2] >= -1e-9) return null;
    // Some steps of a search: the ground is no plane.
    let t = (this.ground(this.target[0], this.target[1]) - a[2]) / d[2];
    for (let i = 0; i < 8; i++) {
      const z = this.ground(a[0] + d[0] * t, a[1] + d[1] * t);
      t = (z - a[2]) / d[2];
    }
    return t < 0 || t > 1 ? null : [a[0] + d[0] * t, a[1] + d[1] * t];
  }

  /** The part of the ground that can be seen: least and greatest x and y; nothing if that has no end. */
  visible() {
    const [w, h] = this.size;
    const corners = [[0, 0], [w, 0], [0, h], [w, h]].map(([x, y]) => this.pick(x, y));
    if (corners.some((c) => c === null)) return null;
    const xs = corners.map((c) => c[0]);
    const ys = corners.map((c) => c[1]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
}

export const FOV = 0.9;

function perspective(aspect, near, far) {
  const f = 1 / Math.tan(FOV / 2);
  const range = far / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, range, -1, 0, 0, near * range, 0];
}

function orthographic(w, h, near, far) {
  const range = 1 / (near - far);
  return [1 / w, 0, 0, 0, 0, 1 / h, 0, 0, 0, 0, range, 0, 0, 0, near * range, 1];
}

function lookAt(eye, at, up) {
  const back = normalize(sub(eye, at));
  const right = normalize(cross(up, back));
  const over = cross(back, right);
  const dot = (a) => a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2];
  return [
    right[0], over[0], back[0], 0,
    right[1], over[1], back[1], 0,
    right[2], over[2], back[2], 0,
    -dot(right), -dot(over), -dot(back), 1,
  ];
}

/** What is right and what is up for whoever looks. */
function axes(view) {
  return { right: [view[0], view[4], view[8]], over: [view[1], view[5], view[9]] };
}

function multiply(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    }
  }
  return out;
}

function transform(m, [x, y, z]) {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  return [0, 1, 2].map((i) => (m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]) / w);
}

/** By Gauss and Jordan. */
function invert(m) {
  const rows = [0, 1, 2, 3].map((r) => [
    ...[0, 1, 2, 3].map((c) => m[4 * c + r]),
    ...[0, 1, 2, 3].map((c) => (c === r ? 1 : 0)),
  ]);
  for (let c = 0; c < 4; c++) {
    let pivot = c;
    for (let r = c + 1; r < 4; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[pivot][c])) pivot = r;
    if (Math.abs(rows[pivot][c]) < 1e-12) return null;
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    const by = rows[c][c];
    rows[c] = rows[c].map((v) => v / by);
    for (let r = 0; r < 4; r++) {
      if (r === c) continue;
      const times = rows[r][c];
      rows[r] = rows[r].map((v, k) => v - times * rows[c][k]);
    }
  }
  const out = [];
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) out.push(rows[r][4 + c]);
  return out;
}

function sub(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalize(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((v) => v / length);
}
