// Bodies made by code: somebody near, somebody farther away, a speck, a disc for the map, and the shadow that lies
// before them. A vertex is eight floats: place, normal, the part it moves with, and what it is made of.

import { Mesh } from "./mesh.js";

/** Parts that move by themselves. */
const PART = { TRUNK: 0, LEFT_LEG: 1, RIGHT_LEG: 2, LEFT_ARM: 3, RIGHT_ARM: 4, BOARD: 5 };
/** What a vertex is made of; from 0 on it is cloth of that brightness. */
const OF = { SKIN: -1, HAIR: -2, TROUSERS: -3, SHOE: -4 };

/** Rings `[z, rx, ry, shift]` one above the other, with `sides` sides, closed at both ends. */
function lathe(mesh, [x, y], rings, sides, part, of) {
  const first = rings.map(([z, rx, ry, shift = 0], k) => {
    const [below, above] = [rings[Math.max(0, k - 1)], rings[Math.min(rings.length - 1, k + 1)]];
    const up = (below[1] - above[1]) / Math.max(0.02, above[0] - below[0]);
    const start = mesh.size;
    for (let i = 0; i < sides; i++) {
      const turn = ((i + 0.5) / sides) * 2 * Math.PI;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      mesh.vertex([x + shift + rx * c, y + ry * s, z], [c * ry, s * rx, up * Math.min(rx, ry)], part, of);
    }
    return start;
  });
  for (let k = 0; k + 1 < rings.length; k++) {
    for (let i = 0; i < sides; i++) {
      const j = (i + 1) % sides;
      mesh.triangle(first[k] + i, first[k] + j, first[k + 1] + i);
      mesh.triangle(first[k] + j, first[k + 1] + j, first[k + 1] + i);
    }
  }
  const [z, , , shift = 0] = rings.at(-1);
  const lid = mesh.vertex([x + shift, y, z], [0, 0, 1], part, of);
  for (let i = 0; i < sides; i++) mesh.triangle(first.at(-1) + i, first.at(-1) + ((i + 1) % sides), lid);
}

/** Somebody of 1.75 m who looks along x. */
export function nearBody() {
  const mesh = new Mesh();
  lathe(mesh, [0, 0], [[0.84, 0.1, 0.155], [0.95, 0.115, 0.17], [1.1, 0.1, 0.145], [1.3, 0.125, 0.19], [1.42, 0.105, 0.2], [1.48, 0.06, 0.1]], 8, PART.TRUNK, 1);
  lathe(mesh, [0.015, 0], [[1.46, 0.05, 0.055], [1.53, 0.05, 0.05]], 6, PART.TRUNK, OF.SKIN);
  lathe(mesh, [0.025, 0], [[1.51, 0.05, 0.05], [1.57, 0.088, 0.072], [1.65, 0.1, 0.08], [1.7, 0.085, 0.072]], 8, PART.TRUNK, OF.SKIN);
  lathe(mesh, [0, 0], [[1.6, 0.07, 0.084, -0.02], [1.68, 0.105, 0.092], [1.74, 0.085, 0.07], [1.765, 0.04, 0.035]], 7, PART.TRUNK, OF.HAIR);
  for (const [part, y] of [[PART.LEFT_LEG, 0.088], [PART.RIGHT_LEG, -0.088]]) {
    lathe(mesh, [0, y], [[0.07, 0.05, 0.048], [0.45, 0.062, 0.058], [0.9, 0.092, 0.086]], 6, part, OF.TROUSERS);
    lathe(mesh, [0.045, y], [[0, 0.13, 0.05], [0.06, 0.11, 0.048], [0.1, 0.05, 0.045, -0.04]], 6, part, OF.SHOE);
  }
  for (const [part, y] of [[PART.LEFT_ARM, 0.235], [PART.RIGHT_ARM, -0.235]]) {
    lathe(mesh, [0, y], [[0.88, 0.038, 0.036], [1.15, 0.046, 0.042], [1.38, 0.058, 0.048], [1.45, 0.035, 0.026]], 5, part, 0.86);
    lathe(mesh, [0.01, y], [[0.78, 0.028, 0.024], [0.84, 0.042, 0.03], [0.89, 0.034, 0.032]], 5, part, OF.SKIN);
  }
  return mesh.done();
}

/** The same from some way off: legs still walk. */
export function midBody() {
  const mesh = new Mesh();
  lathe(mesh, [0, 0], [[0.84, 0.11, 0.16], [1.34, 0.12, 0.215], [1.48, 0.06, 0.1]], 5, PART.TRUNK, 1);
  lathe(mesh, [0.02, 0], [[1.5, 0.06, 0.06], [1.64, 0.1, 0.085]], 5, PART.TRUNK, OF.SKIN);
  lathe(mesh, [0, 0], [[1.62, 0.105, 0.09], [1.75, 0.06, 0.05]], 5, PART.TRUNK, OF.HAIR);
  for (const [part, y] of [[PART.LEFT_LEG, 0.085], [PART.RIGHT_LEG, -0.085]]) {
    lathe(mesh, [0, y], [[0, 0.075, 0.06], [0.9, 0.09, 0.085]], 3, part, OF.TROUSERS);
  }
  return mesh.done();
}

/** A few pixels that face whoever looks. */
export function speck() {
  const mesh = new Mesh();
  for (const [z0, z1, half, of] of [[0, 0.86, 0.14, OF.TROUSERS], [0.86, 1.48, 0.21, 1], [1.48, 1.76, 0.1, OF.SKIN]]) {
    const n = [0, 0, 1];
    const [a, b, c, d] = [[-half, z0], [half, z0], [half, z1], [-half, z1]].map(([x, z]) => mesh.vertex([x, 0, z], n, PART.BOARD, of));
    mesh.triangle(a, b, c);
    mesh.triangle(a, c, d);
  }
  return mesh.done();
}

/** Somebody on a map: a disc with a nose. */
export function mapBody() {
  const mesh = new Mesh();
  const [z, sides] = [0.4, 12];
  const middle = mesh.vertex([0, 0, z], [0, 0, 1], 0, 1);
  const ring = Array.from({ length: sides }, (_, i) => {
    const turn = (i / sides) * 2 * Math.PI;
    const out = i === 0 ? 0.44 : 0.25;
    return mesh.vertex([out * Math.cos(turn), out * Math.sin(turn), z], [0, 0, 1], 0, 0.8);
  });
  ring.forEach((at, i) => mesh.triangle(middle, at, ring[(i + 1) % sides]));
  return mesh.done();
}

/** A square that becomes a shadow: x along it from the feet to the head, y across. */
export function shadowQuad() {
  const mesh = new Mesh();
  const [a, b, c, d] = [[-0.22, -1], [1.06, -1], [1.06, 1], [-0.22, 1]].map(([x, y]) => mesh.vertex([x, y, 0], [0, 0, 1], 0, 0));
  mesh.triangle(a, b, c);
  mesh.triangle(a, c, d);
  return mesh.done();
}
