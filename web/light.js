// Light that stands still: how much of the sun and of the sky each point of the ground sees, baked once for a place
// into a texture, and the grain of the ground.

/** Towards the sun. */
export const SUN = [0.4, -0.53, 0.748];
const TEXELS = 1024; // along the longer side, at most
const FINEST = 0.05; // metres of a texel, at least
const GRAIN = 128;

/**
 * Shadows of walls and hills, and the gloom at the foot of walls.
 * @returns {{width, height, rgba, rect}} Red: sun; green: sky. `rect`: corner and size of the ground it is for.
 */
export function bake([x0, y0, x1, y1], walls, tall, relief) {
  const margin = 0.06 * Math.max(x1 - x0, y1 - y0) + tall;
  const [left, low] = [x0 - margin, y0 - margin];
  const [w, d] = [x1 - x0 + 2 * margin, y1 - y0 + 2 * margin];
  const texel = Math.max(FINEST, Math.max(w, d) / TEXELS);
  const [width, height] = [Math.ceil(w / texel), Math.ceil(d / texel)];
  const reach = tall / SUN[2];
  const shift = [-SUN[0] * reach, -SUN[1] * reach];
  const sun = sheet(width, height, texel, [left, low], (pen) => {
    for (const { outer } of walls) swept(pen, outer, shift);
  }, 0.12);
  const sky = sheet(width, height, texel, [left, low], (pen) => {
    for (const { outer, holes = [] } of walls) ring(pen, [outer, ...holes]);
  }, 0.45 * Math.min(2.5, tall));
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    rgba[4 * i] = sun[4 * i];
    rgba[4 * i + 1] = 110 + (145 * sky[4 * i]) / 255;
    rgba[4 * i + 3] = 255;
  }
  if (relief) hills(rgba, width, height, texel, [left, low], relief, [x0, y0, x1, y1]);
  return { width, height, rgba, rect: [left, low, width * texel, height * texel] };
}

/** Pixels of a white sheet, rows from the least y, on which something black is drawn and blurred (metres). */
function sheet(width, height, texel, [left, low], draw, blur) {
  const make = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    return [canvas, canvas.getContext("2d", { willReadFrequently: true })];
  };
  const [canvas, pen] = make();
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  pen.setTransform(1 / texel, 0, 0, 1 / texel, -left / texel, -low / texel);
  pen.fillStyle = "#000";
  draw(pen);
  const pixels = blur / texel;
  const [, soft] = make();
  soft.fillStyle = "#fff";
  soft.fillRect(0, 0, width, height);
  if (pixels >= 0.5 && "filter" in soft) soft.filter = `blur(${pixels.toFixed(1)}px)`;
  soft.drawImage(canvas, 0, 0);
  return soft.getImageData(0, 0, width, height).data;
}

function ring(pen, rings) {
  pen.beginPath();
  for (const points of rings) {
    points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
  }
  pen.fill("evenodd");
}

/** What an outline covers on its way. */
function swept(pen, outer, [dx, dy]) {
  ring(pen, [outer.map(([x, y]) => [x + dx, y + dy])]);
  outer.forEach(([x, y], i) => {
    const [u, v] = outer[(i + 1) % outer.length];
    ring(pen, [[[x, y], [u, v], [u + dx, v + dy], [x + dx, y + dy]]]);
  });
}

/** Hills before the sun: from every fourth texel a look along it. */
function hills(rgba, width, height, texel, [left, low], relief, [x0, y0, x1, y1]) {
  const heightAt = (x, y) => (x < x0 || y < y0 || x > x1 || y > y1 ? relief.low : relief.at(x, y));
  const coarse = 4;
  const [across, down] = [Math.ceil(width / coarse) + 1, Math.ceil(height / coarse) + 1];
  const flat = Math.hypot(SUN[0], SUN[1]);
  const stride = Math.max(1.5, texel * 2);
  const [dx, dy, dz] = [(SUN[0] / flat) * stride, (SUN[1] / flat) * stride, (SUN[2] / flat) * stride];
  const most = relief.high;
  const lit = new Float32Array(across * down);
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) {
      let [x, y] = [left + i * coarse * texel, low + j * coarse * texel];
      let z = heightAt(x, y) + 0.4;
      let seen = 1;
      for (let k = 0; k < 80 && z < most && seen > 0; k++) {
        [x, y, z] = [x + dx, y + dy, z + dz];
        seen = Math.min(seen, 1 - (heightAt(x, y) - z) / 1.5);
      }
      lit[j * across + i] = Math.min(1, Math.max(0, seen));
    }
  }
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const [u, v] = [i / coarse, j / coarse];
      const at = Math.floor(v) * across + Math.floor(u);
      const [s, t] = [u % 1, v % 1];
      const a = lit[at] + (lit[at + 1] - lit[at]) * s;
      const b = lit[at + across] + (lit[at + across + 1] - lit[at + across]) * s;
      rgba[4 * (j * width + i)] *= a + (b - a) * t;
    }
  }
}

/** Noise that repeats, with all its smaller levels: bytes about 128. */
export function grainLevels() {
  const size = GRAIN;
  const cells = new Float32Array(size * size);
  let state = 12345;
  const roll = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) - 0.5;
  for (const [n, weight] of [[8, 0.8], [16, 0.7], [32, 0.7], [64, 0.6], [128, 0.6]]) {
    const knots = Float32Array.from({ length: n * n }, roll);
    const knot = (i, j) => knots[(j % n) * n + (i % n)];
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const u = (x * n) / size;
        const v = (y * n) / size;
        const i = Math.floor(u);
        const j = Math.floor(v);
        const s = (u - i) ** 2 * (3 - 2 * (u - i));
        const t = (v - j) ** 2 * (3 - 2 * (v - j));
        const a = knot(i, j) + (knot(i + 1, j) - knot(i, j)) * s;
        const b = knot(i, j + 1) + (knot(i + 1, j + 1) - knot(i, j + 1)) * s;
        cells[y * size + x] += weight * (a + (b - a) * t);
      }
    }
  }
  const levels = [{ size, bytes: Uint8Array.from(cells, (v) => Math.min(255, Math.max(0, 128 + 110 * v))) }];
  while (levels.at(-1).size > 1) {
    const { size: full, bytes } = levels.at(-1);
    const half = full / 2;
    const mean = (_, i) => {
      const at = 2 * Math.floor(i / half) * full + 2 * (i % half);
      return (bytes[at] + bytes[at + 1] + bytes[at + full] + bytes[at + full + 1]) / 4;
    };
    levels.push({ size: half, bytes: Uint8Array.from({ length: half * half }, mean) });
  }
  return levels;
}
