// Meshes made by code: bodies, ground, walls. A vertex is eight floats: place, normal, and two more: of a body
// the part it moves with and how much of its colour it takes; of the rest a packed colour and nothing.

export const VERTEX = 8;

/** Parts of a body that move by themselves. */
const PART = { TRUNK: 0, LEFT_LEG: 1, RIGHT_LEG: 2, LEFT_ARM: 3, RIGHT_ARM: 4 };

class Mesh {
  constructor() {
    this.vertices = [];
    this.indices = [];
  }

  vertex(p, n, a, b) {
    this.vertices.push(...p, ...n, a, b);
    return this.vertices.length / VERTEX - 1;
  }

  triangle(a, b, c) {
    this.indices.push(a, b, c);
  }

  done() {
    return { vertices: new Float32Array(this.vertices), indices: new Uint32Array(this.indices) };
  }
}

/** A tapered column with `sides` sides from z0 to z1, round about (x, y), with a lid at the top. */
function column(mesh, [x, y], [z0, z1], [rx0, ry0], [rx1, ry1], sides, part, tint) {
  const ring = (z, rx, ry, up) => {
    const first = mesh.vertices.length / VERTEX;
    for (let i = 0; i < sides; i++) {
      const turn = ((i + 0.5) / sides) * 2 * Math.PI;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      mesh.vertex([x + rx * c, y + ry * s, z], normal([c / Math.max(rx, 0.02), s / Math.max(ry, 0.02), up]), part, tint);
    }
    return first;
  };
  const low = ring(z0, rx0, ry0, 0);
  const high = ring(z1, rx1, ry1, 2);
  for (let i = 0; i < sides; i++) {
    const j = (i + 1) % sides;
    mesh.triangle(low + i, low + j, high + i);
    mesh.triangle(low + j, high + j, high + i);
  }
  const lid = mesh.vertex([x, y, z1], [0, 0, 1], part, tint);
  for (let i = 0; i < sides; i++) mesh.triangle(high + i, high + ((i + 1) % sides), lid);
}

/** Somebody of 1.75 m who looks along x, with legs and arms to swing. */
export function nearBody() {
  const mesh = new Mesh();
  const skin = -1;
  column(mesh, [0, 0], [0.86, 1.46], [0.1, 0.17], [0.13, 0.22], 8, PART.TRUNK, 1);
  column(mesh, [0.01, 0], [1.46, 1.55], [0.06, 0.06], [0.06, 0.06], 6, PART.TRUNK, skin);
  column(mesh, [0.02, 0], [1.52, 1.66], [0.07, 0.07], [0.11, 0.09], 8, PART.TRUNK, skin);
  column(mesh, [0.01, 0], [1.66, 1.78], [0.11, 0.095], [0.05, 0.05], 8, PART.TRUNK, 0.35);
  for (const [part, y] of [[PART.LEFT_LEG, 0.09], [PART.RIGHT_LEG, -0.09]]) {
    column(mesh, [0, y], [0.06, 0.9], [0.055, 0.055], [0.09, 0.085], 6, part, 0.45);
    column(mesh, [0.05, y], [0, 0.08], [0.13, 0.055], [0.1, 0.05], 6, part, 0.2);
  }
  for (const [part, y] of [[PART.LEFT_ARM, 0.255], [PART.RIGHT_ARM, -0.255]]) {
    column(mesh, [0, y], [0.82, 1.42], [0.04, 0.04], [0.055, 0.05], 5, part, 0.85);
    column(mesh, [0, y], [0.74, 0.83], [0.04, 0.035], [0.045, 0.04], 5, part, skin);
  }
  return mesh.done();
}

/** The same as a speck: 21 triangles. */
export function farBody() {
  const mesh = new Mesh();
  column(mesh, [0, 0], [0, 0.9], [0.1, 0.13], [0.11, 0.16], 3, PART.TRUNK, 0.5);
  column(mesh, [0, 0], [0.9, 1.45], [0.12, 0.2], [0.12, 0.2], 3, PART.TRUNK, 1);
  column(mesh, [0.02, 0], [1.48, 1.75], [0.1, 0.1], [0.09, 0.09], 3, PART.TRUNK, -1);
  return mesh.done();
}

/** Somebody on a map: a disc with a nose. */
export function mapBody() {
  const mesh = new Mesh();
  const [z, sides] = [0.4, 10];
  const middle = mesh.vertex([0, 0, z], [0, 0, 1], 0, 1);
  const ring = [];
  for (let i = 0; i < sides; i++) {
    const turn = (i / sides) * 2 * Math.PI;
    const out = i === 0 ? 0.42 : 0.25;
    ring.push(mesh.vertex([out * Math.cos(turn), out * Math.sin(turn), z], [0, 0, 1], 0, 0.55));
  }
  ring.forEach((at, i) => mesh.triangle(middle, at, ring[(i + 1) % sides]));
  return mesh.done();
}

/** Bounds of a scene as ground, with heights if there are some. */
export function groundMesh(bounds, heights, color) {
  const mesh = new Mesh();
  const [x0, y0, x1, y1] = bounds;
  const cells = heights ? 160 : 1;
  const at = heights ? heights.at : () => 0;
  const step = [(x1 - x0) / cells, (y1 - y0) / cells];
  for (let j = 0; j <= cells; j++) {
    for (let i = 0; i <= cells; i++) {
      const [x, y] = [x0 + i * step[0], y0 + j * step[1]];
      const [dx, dy] = [step[0], step[1]];
      const slope = [(at(x - dx, y) - at(x + dx, y)) / (2 * dx), (at(x, y - dy) - at(x, y + dy)) / (2 * dy)];
      const n = normal([slope[0], slope[1], 1]);
      const z = at(x, y);
      mesh.vertex([x, y, z], n, heights ? packed(color.terrain(z, n[2])) : packed(color.flat), 1);
    }
  }
  const row = cells + 1;
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) {
      const a = j * row + i;
      mesh.triangle(a, a + 1, a + row);
      mesh.triangle(a + 1, a + row + 1, a + row);
    }
  }
  return mesh.done();
}

/** A wide plain around the bounds, so that the world does not end in the sky. */
export function apronMesh([x0, y0, x1, y1], z, color) {
  const mesh = new Mesh();
  const far = Math.hypot(x1 - x0, y1 - y0) * 3;
  const corners = [[x0 - far, y0 - far], [x1 + far, y0 - far], [x1 + far, y1 + far], [x0 - far, y1 + far]];
  const [a, b, c, d] = corners.map(([x, y]) => mesh.vertex([x, y, z], [0, 0, 1], packed(color), 0));
  mesh.triangle(a, b, c);
  mesh.triangle(a, c, d);
  return mesh.done();
}

/** Walls that stand `tall` metres above the ground, and flat things that lie on it. */
export function wallsMesh(outlines, tall, color, at = () => 0) {
  const mesh = new Mesh();
  const c = packed(color);
  for (const { outer, holes = [] } of outlines) {
    if (outer.length < 3) continue;
    const low = Math.min(...outer.map(([x, y]) => at(x, y)));
    const top = Math.max(...outer.map(([x, y]) => at(x, y))) + tall;
    if (tall > 0.2) {
      for (const ring of [outer, ...holes]) sides(mesh, ring, low - 0.2, top, c, ring === outer);
    }
    const { points, triangles } = triangulate(outer, holes);
    const first = points.map(([x, y]) => mesh.vertex([x, y, top], [0, 0, 1], c, 0));
    for (const [i, j, k] of triangles) mesh.triangle(first[i], first[j], first[k]);
  }
  return mesh.done();
}

function sides(mesh, ring, low, top, color, outside) {
  const turn = area(ring) > 0 === outside ? 1 : -1;
  ring.forEach(([x0, y0], i) => {
    const [x1, y1] = ring[(i + 1) % ring.length];
    const n = normal([(y1 - y0) * turn, (x0 - x1) * turn, 0]);
    const [a, b, c, d] = [[x0, y0, low], [x1, y1, low], [x1, y1, top], [x0, y0, top]].map((p) => mesh.vertex(p, n, color, 0));
    mesh.triangle(a, b, c);
    mesh.triangle(a, c, d);
  });
}

function area(ring) {
  return ring.reduce((sum, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length];
    return sum + x * v - u * y;
  }, 0) / 2;
}

/** Ears are cut off a polygon until none is left; holes are tied to it by bridges. */
export function triangulate(outer, holes = []) {
  let ring = area(outer) < 0 ? [...outer].reverse() : [...outer];
  const rightmost = (hole) => Math.max(...hole.map((p) => p[0]));
  for (const hole of [...holes].sort((a, b) => rightmost(b) - rightmost(a))) ring = bridge(ring, hole);
  const points = ring;
  const left = points.map((_, i) => i);
  const triangles = [];
  let misses = 0;
  for (let i = 0; left.length > 3 && misses <= left.length; ) {
    const n = left.length;
    const [a, b, c] = [left[(i + n - 1) % n], left[i % n], left[(i + 1) % n]];
    if (isEar(points, left, a, b, c)) {
      triangles.push([a, b, c]);
      left.splice(i % n, 1);
      misses = 0;
    } else {
      i = (i + 1) % n;
      misses += 1;
    }
    if (i >= left.length) i = 0;
  }
  if (left.length === 3) triangles.push(left);
  return { points, triangles };
}

function isEar(points, left, a, b, c) {
  const [p, q, r] = [points[a], points[b], points[c]];
  const turn = (u, v, w) => (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]);
  if (turn(p, q, r) <= 1e-12) return false;
  const same = (u, v) => u[0] === v[0] && u[1] === v[1];
  return !left.some((i) => {
    const s = points[i];
    if (same(s, p) || same(s, q) || same(s, r)) return false;
    return turn(p, q, s) >= 0 && turn(q, r, s) >= 0 && turn(r, p, s) >= 0;
  });
}

function bridge(ring, hole) {
  const h = area(hole) > 0 ? [...hole].reverse() : [...hole];
  const start = h.reduce((best, p, i) => (p[0] > h[best][0] ? i : best), 0);
  const p = h[start];
  const crosses = (a, b) => {
    const side = (u, v, w) => Math.sign((v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]));
    return ring.some((u, i) => {
      const v = ring[(i + 1) % ring.length];
      return side(a, b, u) * side(a, b, v) < 0 && side(u, v, a) * side(u, v, b) < 0;
    });
  };
  let best = 0;
  let nearest = Infinity;
  ring.forEach((q, i) => {
    const away = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (away < nearest && !crosses(p, q)) [best, nearest] = [i, away];
  });
  const turned = [...h.slice(start), ...h.slice(0, start + 1)];
  return [...ring.slice(0, best + 1), ...turned, ...ring.slice(best)];
}

export function shade([r, g, b], by) {
  return [r * by, g * by, b * by].map((v) => Math.round(Math.min(255, v)));
}

/** A colour in a float that every float holds exactly: 24 bits. */
export function packed([r, g, b]) {
  return Math.round(r) * 65536 + Math.round(g) * 256 + Math.round(b);
}

function normal(v) {
  const length = Math.hypot(...v) || 1;
  return v.map((c) => c / length);
}

/** Several meshes in one. */
export function join(meshes) {
  const count = (key) => meshes.reduce((sum, mesh) => sum + mesh[key].length, 0);
  const out = { vertices: new Float32Array(count("vertices")), indices: new Uint32Array(count("indices")) };
  let [v, i] = [0, 0];
  for (const mesh of meshes) {
    out.vertices.set(mesh.vertices, v);
    const base = v / VERTEX;
    mesh.indices.forEach((index, k) => (out.indices[i + k] = index + base));
    v += mesh.vertices.length;
    i += mesh.indices.length;
  }
  return out;
}
