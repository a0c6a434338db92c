// Meshes of the place, made by code: ground, sky, walls. A vertex is eight floats: place, normal, a packed colour,
// and what it is (`IS`). Bodies (body.js) have other meanings for the last two.

export const VERTEX = 8;
export const IS = { WALL: 0, GROUND: 1, SKY: 2, PLAIN: 3 };

export class Mesh {
  constructor() {
    this.vertices = [];
    this.indices = [];
  }

  /** How many vertices there are. */
  get size() {
    return this.vertices.length / VERTEX;
  }

  vertex(p, n, a, b) {
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    this.vertices.push(p[0], p[1], p[2], n[0] / length, n[1] / length, n[2] / length, a, b);
    return this.size - 1;
  }

  triangle(a, b, c) {
    this.indices.push(a, b, c);
  }

  done() {
    return { vertices: new Float32Array(this.vertices), indices: new Uint32Array(this.indices) };
  }
}

/** Bounds of a scene as ground; with a relief (see crowd.js) its corners are the relief's. */
export function groundMesh([x0, y0, x1, y1], relief, color) {
  const mesh = new Mesh();
  const cells = relief ? relief.cells : 1;
  const at = relief ? relief.at : () => 0;
  const [dx, dy] = [(x1 - x0) / cells, (y1 - y0) / cells];
  const flat = packed(color.flat);
  for (let j = 0; j <= cells; j++) {
    for (let i = 0; i <= cells; i++) {
      const [x, y] = [x0 + i * dx, y0 + j * dy];
      const z = at(x, y);
      if (!relief) {
        mesh.vertex([x, y, z], [0, 0, 1], flat, IS.GROUND);
        continue;
      }
      const [sx, sy] = [(at(x - dx, y) - at(x + dx, y)) / (2 * dx), (at(x, y - dy) - at(x, y + dy)) / (2 * dy)];
      mesh.vertex([x, y, z], [sx, sy, 1], packed(color.terrain(z, 1 / Math.hypot(sx, sy, 1))), IS.GROUND);
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
  if (relief) skirt(mesh, cells, relief.low - 0.5, packed(color.rock));
  return mesh.done();
}

/** The rim of a relief goes straight down to the plain. */
function skirt(mesh, cells, low, color) {
  const row = cells + 1;
  const rims = [[0, 1, [0, -1, 0]], [cells, row, [1, 0, 0]], [row * row - 1, -1, [0, 1, 0]], [cells * row, -row, [-1, 0, 0]]];
  for (const [from, by, n] of rims) {
    for (let i = 0; i <= cells; i++) {
      const at = (from + i * by) * VERTEX;
      const [x, y, z] = mesh.vertices.slice(at, at + 3);
      const top = mesh.vertex([x, y, z], n, color, IS.WALL);
      mesh.vertex([x, y, low], n, color, IS.WALL);
      if (i === 0) continue;
      mesh.triangle(top - 2, top - 1, top);
      mesh.triangle(top - 1, top + 1, top);
    }
  }
}

/** A wide plain around the bounds, so that the world does not end in the sky. */
export function apronMesh([x0, y0, x1, y1], z, color) {
  const mesh = new Mesh();
  const far = Math.hypot(x1 - x0, y1 - y0) * 3;
  const corners = [[x0 - far, y0 - far], [x1 + far, y0 - far], [x1 + far, y1 + far], [x0 - far, y1 + far]];
  const [a, b, c, d] = corners.map(([x, y]) => mesh.vertex([x, y, z], [0, 0, 1], packed(color), IS.PLAIN));
  mesh.triangle(a, b, c);
  mesh.triangle(a, c, d);
  return mesh.done();
}

/** A dome of colours around the bounds: `low` at the horizon, `high` above. */
export function skyMesh([x0, y0, x1, y1], low, high) {
  const mesh = new Mesh();
  const sides = 24;
  const [x, y, r] = [(x0 + x1) / 2, (y0 + y1) / 2, Math.hypot(x1 - x0, y1 - y0) * 3.4 + 100];
  const rings = [[-0.2, 0], [0, 0], [0.12, 0.45], [0.35, 0.85], [0.8, 1]];
  rings.forEach(([up, part], k) => {
    const color = packed(low.map((v, i) => v + (high[i] - v) * part));
    for (let i = 0; i < sides; i++) {
      const turn = (i / sides) * 2 * Math.PI;
      const out = Math.sqrt(Math.max(0, 1 - Math.max(0, up) ** 2)) * r;
      mesh.vertex([x + out * Math.cos(turn), y + out * Math.sin(turn), up * r], [0, 0, 1], color, IS.SKY);
      if (k === 0) continue;
      const [a, b] = [k * sides + i, k * sides + ((i + 1) % sides)];
      mesh.triangle(a - sides, b - sides, a);
      mesh.triangle(b - sides, b, a);
    }
  });
  const top = mesh.vertex([x, y, r], [0, 0, 1], packed(high), IS.SKY);
  for (let i = 0; i < sides; i++) mesh.triangle((rings.length - 1) * sides + i, (rings.length - 1) * sides + ((i + 1) % sides), top);
  return mesh.done();
}

/** Walls that stand `tall` metres above the ground, and flat things (`is` ground) that lie on it. */
export function wallsMesh(outlines, tall, color, at = () => 0, is = IS.WALL) {
  const mesh = new Mesh();
  const c = packed(color);
  const foot = packed(shade(color, 0.62));
  for (const { outer, holes = [] } of outlines) {
    if (outer.length < 3) continue;
    const low = Math.min(...outer.map(([x, y]) => at(x, y)));
    const top = Math.max(...outer.map(([x, y]) => at(x, y))) + tall;
    if (tall > 0.2) {
      for (const ring of [outer, ...holes]) sides(mesh, ring, low - 0.2, top, [foot, c], ring === outer);
    }
    const { points, triangles } = triangulate(outer, holes);
    const first = points.map(([x, y]) => mesh.vertex([x, y, top], [0, 0, 1], c, is));
    for (const [i, j, k] of triangles) mesh.triangle(first[i], first[j], first[k]);
  }
  return mesh.done();
}

function sides(mesh, ring, low, top, [foot, color], outside) {
  const turn = area(ring) > 0 === outside ? 1 : -1;
  ring.forEach(([x0, y0], i) => {
    const [x1, y1] = ring[(i + 1) % ring.length];
    const n = [(y1 - y0) * turn, (x0 - x1) * turn, 0];
    const corners = [[x0, y0, low], [x1, y1, low], [x1, y1, top], [x0, y0, top]];
    const [a, b, c, d] = corners.map((p, k) => mesh.vertex(p, n, k < 2 ? foot : color, IS.WALL));
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
