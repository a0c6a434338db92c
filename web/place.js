// A place as meshes and baked light, in the colours of a theme.

import { bake } from "./light.js";
import { IS, apronMesh, groundMesh, join, shade, skyMesh, wallsMesh } from "./mesh.js";

const LOOKS = {
  dark: {
    haze: [36, 44, 57], zenith: [17, 22, 31], flat: [106, 113, 124], apron: [52, 59, 69], wall: [176, 172, 168],
    map: [50, 55, 62], mapApron: [34, 38, 43], mapWall: [150, 158, 168], dim: 0.88,
  },
  light: {
    haze: [206, 220, 232], zenith: [128, 172, 214], flat: [196, 194, 188], apron: [168, 174, 160], wall: [214, 206, 194],
    map: [250, 250, 248], mapApron: [226, 228, 228], mapWall: [112, 118, 126], dim: 1,
  },
};

/** What of a theme the picture itself needs, as parts of 1. */
export function skyOf(theme, map) {
  const look = LOOKS[theme];
  return (map ? look.mapApron : look.haze).map((v) => v / 255);
}

/** Walls of a small place are low, so that one sees over them. */
export function wallHeight([x0, y0, x1, y1]) {
  return Math.min(4.5, Math.max(1.1, Math.max(x1 - x0, y1 - y0) * 0.02));
}

function terrain({ low, high }, dim) {
  return (z, up) => {
    const part = (z - low) / Math.max(1, high - low);
    const grass = [88 + 62 * part, 118 + 22 * part, 62 + 30 * part];
    const rock = [134, 124, 112];
    const steep = Math.min(1, Math.max(0, (0.93 - up) * 6));
    return shade(grass.map((v, i) => v + (rock[i] - v) * steep), dim);
  };
}

/** What stands in the way: walls, and what is cut out of the ground that can be walked on. */
function solid({ walls, walkable }) {
  return [...walls, ...walkable.flatMap(({ holes = [] }) => holes.map((outer) => ({ outer })))];
}

/** Hands all meshes of a scene to a picture. */
export function buildPlace(picture, scene, relief, theme, map) {
  const { bounds, walkable } = scene;
  const look = LOOKS[theme];
  const at = relief ? relief.at : () => 0;
  const flat = map ? look.map : look.flat;
  const colors = {
    rock: shade([128, 116, 102], look.dim),
    flat: walkable.length > 0 ? shade(flat, 0.7) : flat,
    terrain: relief && terrain(relief, map ? 0.75 * look.dim : look.dim),
  };
  const ground = groundMesh(bounds, relief, colors);
  picture.setMesh("ground", join([ground, wallsMesh(walkable, 0.02, flat, at, IS.GROUND)]));
  const below = relief ? relief.low - 0.5 : -0.06;
  const plain = relief && !map ? shade([104, 122, 84], look.dim) : map ? look.mapApron : look.apron;
  picture.setMesh("apron", apronMesh(bounds, below, plain));
  picture.setMesh("sky", skyMesh(bounds, look.haze, look.zenith));
  picture.setMesh("walls", wallsMesh(solid(scene), map ? 0.1 : wallHeight(bounds), map ? look.mapWall : shade(look.wall, look.dim), at));
}

/** Hands the light of a scene to a picture; the ground it lies on. */
export function lightPlace(picture, scene, relief) {
  const { width, height, rgba, rect } = bake(scene.bounds, solid(scene), wallHeight(scene.bounds), relief);
  picture.setLight(width, height, rgba);
  return rect;
}
