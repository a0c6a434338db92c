// Hands: what a pointer, two fingers and keys do. A drag turns or shifts the view; a click looks, or uses the
// tool that is chosen.

const CLICK = 6; // pixels that a hand may tremble
const GAS = { name: "gas", color: [176, 214, 62], speed: 0, radius: 6, strength: 12, fear_radius: 8 };

/** Tools: what a click on the ground does. Those with `corners` take several. */
export const TOOLS = [
  { name: "look", label: "Look", hint: "", key: "1" },
  { name: "gas", label: "Gas", hint: "Click where a cloud of gas is to be", key: "2", live: true },
  { name: "wall", label: "Wall", hint: "Click corners of a wall; Enter or a click on the first ends it", key: "3", live: true, corners: 3 },
  { name: "goal", label: "Goal", hint: "Click where the chosen goal is to be", key: "4", live: true },
  { name: "people", label: "People", hint: "Click where somebody is to appear", key: "5", live: true },
  { name: "erase", label: "Erase", hint: "Click a cloud, a wall, a line, or somebody", key: "6" },
  { name: "line", label: "Line", hint: "Click two ends: who crosses is counted", key: "7", corners: 2, ends: 2 },
  { name: "area", label: "Area", hint: "Click corners of an area; Enter or a click on the first ends it", key: "8", corners: 3 },
];

export class Hands {
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", (e) => this.#down(e));
    canvas.addEventListener("pointermove", (e) => this.#move(e));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (e) => this.#up(e));
    canvas.addEventListener("pointerleave", () => { app.hover = null; });
    canvas.addEventListener("wheel", (e) => this.#wheel(e), { passive: false });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("dblclick", () => app.finishSketch());
    this.keys = (e) => this.#key(e);
    window.addEventListener("keydown", this.keys);
  }

  /** Lets go of the keys; the canvas goes by itself. */
  release() {
    window.removeEventListener("keydown", this.keys);
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    const p = { x: event.offsetX, y: event.offsetY, from: [event.offsetX, event.offsetY], button: event.button };
    this.pointers.set(event.pointerId, p);
    if (this.pointers.size > 1) for (const other of this.pointers.values()) other.dragged = true;
  }

  #move(event) {
    const { app } = this;
    const p = this.pointers.get(event.pointerId);
    app.hover = app.sketch.length > 0 ? app.camera.pick(event.offsetX, event.offsetY) : null;
    if (app.hover) app.touch();
    if (!p) return;
    const [dx, dy] = [event.offsetX - p.x, event.offsetY - p.y];
    if (Math.hypot(event.offsetX - p.from[0], event.offsetY - p.from[1]) > CLICK) p.dragged = true;
    if (this.pointers.size === 2) this.#pinch(p, dx, dy);
    else if (p.dragged) {
      if (p.button === 2 || event.shiftKey || app.camera.mode === "map") app.camera.pan(dx, dy);
      else app.camera.orbit(dx, dy);
      if (app.camera.mode === "map" || p.button === 2) app.somebody.follow(null);
      app.moved();
    }
    [p.x, p.y] = [event.offsetX, event.offsetY];
  }

  /** Two fingers shift, zoom, and tilt when they go the same way up or down. */
  #pinch(p, dx, dy) {
    const { camera } = this.app;
    const [a, b] = [...this.pointers.values()];
    const other = a === p ? b : a;
    const before = Math.hypot(p.x - other.x, p.y - other.y) || 1;
    const after = Math.hypot(p.x + dx - other.x, p.y + dy - other.y) || 1;
    camera.pan(dx / 2, dy / 2);
    camera.zoom(before / after, (p.x + other.x) / 2, (p.y + other.y) / 2);
    this.app.moved();
  }

  #up(event) {
    const p = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!p || p.dragged || event.type === "pointercancel" || p.button !== 0) return;
    this.app.click(event.offsetX, event.offsetY, event.pointerType === "touch" ? 26 : 14);
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    this.app.camera.zoom(Math.exp(Math.max(-200, Math.min(200, lines)) * 0.0015), event.offsetX, event.offsetY);
    this.app.moved();
  }

  #key(event) {
    const { app } = this;
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing && event.key !== "Escape") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = event.target.closest?.("button, summary, a");
    const shift = 60;
    const keys = {
      " ": () => !onButton && app.time.toggle(),
      ".": () => app.time.step(),
      m: () => app.setMode(app.camera.mode === "map" ? "3d" : "map"),
      f: () => app.somebody.follow(app.somebody.following === null ? app.selected : null),
      h: () => app.heat.next(),
      p: () => app.togglePanel(),
      Home: () => app.home(),
      Enter: () => !onButton && app.finishSketch(),
      Escape: () => app.cancel(),
      Delete: () => app.somebody.remove(),
      "+": () => app.camera.zoom(0.8),
      "-": () => app.camera.zoom(1.25),
      ArrowLeft: () => app.camera.pan(shift, 0),
      ArrowRight: () => app.camera.pan(-shift, 0),
      ArrowUp: () => app.camera.pan(0, shift),
      ArrowDown: () => app.camera.pan(0, -shift),
      q: () => app.camera.orbit(-30, 0),
      e: () => app.camera.orbit(30, 0),
      "?": () => app.help(),
    };
    const tool = TOOLS.find((t) => t.key === event.key);
    const act = tool ? () => app.setTool(tool.name) : keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act || (event.key.startsWith("Arrow") && event.target.closest?.("[role=tablist], #tools"))) return;
    if (act() === false) return;
    event.preventDefault();
    app.moved();
  }
}

/** What a click with a tool does at a place. */
export async function use(app, name, at, px, py, within) {
  const { client } = app;
  const point = at?.map((v) => Math.round(v * 1000) / 1000);
  switch (name) {
    case "look":
      return app.somebody.select(app.crowd.pick(px, py, app.camera.projector(), within));
    case "gas": {
      const hazard = app.moving;
      if (hazard !== null) {
        app.moving = null;
        return client.call("world.move-hazard", { hazard, to: point });
      }
      return client.call("world.place-hazard", { hazard: { ...GAS, ...app.gas, path: [point] } });
    }
    case "people":
      return client.call("world.spawn", { group: app.chosen.group, at: point });
    case "goal": {
      const shape = { disc: { centre: point, radius: 1.5 } };
      return client.call("world.set-goal", { goal: app.chosen.goal, places: [{ shape }] });
    }
    case "erase":
      return erase(app, point, px, py, within);
  }
}

async function erase(app, at, px, py, within) {
  const { client, status } = app;
  const project = app.camera.projector();
  const onScreen = (p) => project(p[0], p[1], app.crowd.heightAt(p[0], p[1]));
  const near = (p) => {
    const q = onScreen(p);
    return q && Math.hypot(q[0] - px, q[1] - py) < 2 * within;
  };
  const line = status.lines.find(({ ends: [a, b] }) => toSegment([px, py], onScreen(a), onScreen(b)) < within);
  if (line) return client.call("measure.erase", { gauge: line.gauge });
  const somebody = app.crowd.pick(px, py, project, within);
  const hazard = status.hazards.find((h) => near(h.at) || (at && Math.hypot(h.at[0] - at[0], h.at[1] - at[1]) < h.radius / 2));
  if (hazard) return client.call("world.remove-hazard", { hazard: hazard.hazard });
  if (somebody !== null) return client.call("world.remove", { agent: somebody });
  const wall = at ? app.scene.walls.findIndex((w) => inside(at, w.outer)) : -1;
  if (wall >= 0) return client.call("world.remove-wall", { wall });
  const area = at && status.areas.find((a) => inside(at, a.outline));
  if (area) return client.call("measure.erase", { gauge: area.gauge });
}

function toSegment([x, y], a, b) {
  if (!a || !b) return Infinity;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

export function inside([x, y], ring) {
  let odd = false;
  ring.forEach(([x0, y0], i) => {
    const [x1, y1] = ring[(i + 1) % ring.length];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) odd = !odd;
  });
  return odd;
}
