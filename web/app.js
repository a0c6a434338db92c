// The page: puts client, crowd, camera, picture, marks, hands and panel together. The crowd is changed by calls
// only; camera, tools and what is shown are the page's own and are kept in the browser.

import { Camera } from "./camera.js";
import { Records, clock } from "./charts.js";
import { Crowd, STRIDE } from "./crowd.js";
import { GlPicture } from "./draw-gl.js";
import { GpuPicture } from "./draw-gpu.js";
import { apronMesh, farBody, groundMesh, join, mapBody, nearBody, shade, wallsMesh } from "./mesh.js";
import { Overlay } from "./overlay.js";
import { Panel, h } from "./panel.js";
import { Hands, TOOLS, use } from "./tools.js";
import { ThrongClient } from "./throng.js";

const $ = (id) => document.getElementById(id);
const NEAR = 45; // metres within which bodies have arms and legs
const MANY = 20_000; // people beyond which only those in sight are asked for
const SPEAK_MS = 8000;
const LOOKS = {
  dark: { sky: [0.09, 0.11, 0.14], haze: [0.16, 0.19, 0.24], flat: [92, 98, 106], apron: [44, 48, 54], wall: [148, 152, 160], map: [52, 57, 64], mapWall: [158, 166, 176] },
  light: { sky: [0.8, 0.86, 0.92], haze: [0.8, 0.86, 0.92], flat: [222, 224, 222], apron: [196, 200, 198], wall: [150, 150, 152], map: [250, 250, 249], mapWall: [120, 126, 134] },
};
const RAMPS = {
  density: [[20, 60, 110, 0], [44, 160, 200, 150], [250, 210, 80, 205], [230, 80, 40, 230], [150, 10, 60, 240]],
  speed: [[190, 30, 60, 215], [240, 170, 60, 205], [120, 200, 110, 190], [40, 150, 200, 190]],
  waiting: [[90, 60, 140, 30], [170, 70, 160, 170], [250, 130, 80, 215], [255, 230, 120, 235]],
  potential: [[30, 120, 90, 170], [60, 160, 170, 150], [90, 110, 190, 150], [150, 70, 160, 160]],
};
const UNITS = { density: "people per m²", speed: "m/s", waiting: "seconds waited", potential: "seconds to the goal" };

class App {
  constructor() {
    this.client = new ThrongClient(location.href);
    this.crowd = new Crowd();
    this.camera = new Camera();
    this.camera.ground = (x, y) => this.crowd.heightAt(x, y);
    this.records = new Records();
    this.overlay = new Overlay($("marks"));
    this.panel = new Panel(this);
    this.canvas = $("picture");
    this.scene = this.status = this.told = this.selected = this.following = this.hover = null;
    this.sketch = [];
    this.tool = TOOLS[0];
    this.chosen = { group: 0, goal: 0 };
    this.gas = { radius: 6, fear_radius: 8 };
    this.format = "sqlite";
    this.view = {};
    this.dirty = true;
    this.scrubbing = false;
    this.near = room(0);
    this.far = room(0);
    this.theme = "dark";
    this.drawn = 0;
    this.spoken = 0;
  }

  async start() {
    this.#wire();
    this.#themed();
    // The scene may come before the picture is made.
    this.camera.size = [innerWidth, innerHeight];
    this.#cover();
    // The connection is under way while the picture is made.
    this.client.connect();
    await this.#makePicture();
    this.hands = new Hands(this, this.canvas);
    new ResizeObserver(() => this.#resize()).observe($("stage"));
    this.#resize();
    requestAnimationFrame(() => this.#frame());
  }

  async #makePicture() {
    const wanted = new URLSearchParams(location.search).get("picture");
    const lost = () => this.#again();
    this.losses ??= 0;
    const gpu = wanted !== "webgl2" && this.losses < 2;
    this.picture = gpu ? await GpuPicture.create(this.canvas, lost, this.losses > 0).catch(() => null) : null;
    if (!this.picture) {
      // A canvas that has tried one way cannot go the other.
      const fresh = this.canvas.cloneNode(false);
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
      this.picture = await GlPicture.create(fresh);
    }
    if (!this.picture) return this.#banner("This browser can draw neither by WebGPU nor by WebGL2. Figures and charts still work.");
    for (const [name, mesh] of [["near", nearBody()], ["far", farBody()], ["map", mapBody()]]) this.picture.setMesh(name, mesh);
    this.#meshes();
    this.canvas.addEventListener("webglcontextlost", (e) => { e.preventDefault(); this.#again(); });
  }

  /** The device is gone: another one, with everything anew. */
  async #again() {
    this.picture = null;
    this.losses += 1;
    const fresh = this.canvas.cloneNode(false);
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
    await this.#makePicture();
    this.hands = new Hands(this, this.canvas);
    this.#resize();
  }

  #wire() {
    const { client } = this;
    client.on("state", (s) => this.#linked(s)).on("scene", (s) => this.#takeScene(s));
    client.on("heights", (heights) => { this.crowd.heights = heights; this.#meshes(); this.touch(); });
    client.on("frame", (frame) => this.#takeFrame(frame)).on("status", (s) => this.#takeStatus(s));
    client.on("field", (field) => this.#takeField(field));
    client.on("complaint", (error) => this.say(error.message));
    client.on("event", (event) => event.kind === "failed" && this.#banner(event.text));
    $("play").onclick = () => this.toggle();
    $("step").onclick = () => this.step();
    $("reset").onclick = () => this.attempt(() => client.call("control.reset"));
    $("speed").onchange = (e) => this.attempt(() => client.call("control.speed", { value: Number(e.target.value) }));
    $("view-3d").onclick = () => this.setMode("3d");
    $("view-map").onclick = () => this.setMode("map");
    $("panel-toggle").onclick = () => this.togglePanel();
    $("scrub").oninput = (e) => this.scrub(Number(e.target.value));
    $("now").onclick = () => this.present();
    for (const tool of TOOLS) {
      const on = { click: () => this.setTool(tool.name) };
      $("tools").append(h("button", { id: `tool-${tool.name}`, "aria-pressed": "false", title: `${tool.label} (${tool.key})`, on }, tool.label));
    }
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.#themed());
    document.addEventListener("visibilitychange", () => this.#wantFrames());
    window.addEventListener("pagehide", () => this.saveView(true));
  }

  #linked({ state, detail }) {
    $("link").dataset.state = state;
    $("link").textContent = { open: "connected", connecting: "connecting", reconnecting: "no connection", closed: "closed" }[state];
    if (state === "open") {
      $("banner").hidden = true;
      if (this.lost) this.#speak("Connected again");
      this.lost = false;
    } else if (state !== "connecting") {
      this.lost = true;
      this.#banner(`The server is gone${detail ? ` (${detail})` : ""}. Trying again…`);
    }
  }

  #banner(text) {
    $("banner").textContent = text;
    $("banner").hidden = false;
  }

  #speak(text) {
    $("spoken").textContent = text;
  }

  /** A line for people that goes away. */
  say(text) {
    $("hint").textContent = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => { $("hint").textContent = this.tool.hint; }, 5000);
  }

  /** Does something that may be refused, and says so. */
  async attempt(act) {
    try {
      return await act();
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }

  #takeScene(scene) {
    const first = this.scene?.name !== scene.name;
    this.scene = scene;
    this.crowd.setScene(scene);
    if (!scene.heights) this.crowd.heights = null;
    $("title").textContent = scene.title || scene.name;
    document.title = `${scene.name} · Throng`;
    document.body.classList.toggle("recording", !scene.live);
    for (const tool of TOOLS) $(`tool-${tool.name}`).hidden = Boolean(tool.live) && !scene.live;
    $("reset").hidden = !scene.live;
    if (first) {
      this.records.clear();
      this.#loadView();
      if (scene.groups.length === 1 && scene.actions.length > 1 && !this.view.color) this.crowd.colorBy = "action";
      this.panel.rebuild();
      this.setTool("look");
      if (this.view.heat) this.setHeat(this.view.heat, this.view.goal);
      this.#wantFrames();
    }
    this.#meshes();
    this.touch();
  }

  #viewKey() {
    return `throng:${this.scene.name}`;
  }

  #loadView() {
    try {
      this.view = JSON.parse(localStorage.getItem(this.#viewKey())) ?? {};
    } catch {
      this.view = {};
    }
    this.#themed();
    if (this.view.color) this.crowd.colorBy = this.view.color;
    const narrow = innerWidth <= 760;
    document.body.classList.toggle("panel-closed", this.view.panelClosed ?? narrow);
    $("panel-toggle").setAttribute("aria-expanded", String(!document.body.classList.contains("panel-closed")));
    this.#cover();
    this.camera.far = 4000;
    if (!this.camera.restore(this.view.camera)) {
      this.home();
    } else {
      const kept = this.camera.state();
      this.camera.frame(this.scene.bounds);
      this.camera.restore(kept);
    }
    this.#showMode();
  }

  /** Keeps the view in the browser. */
  saveView(now = false) {
    if (!this.scene) return;
    clearTimeout(this.saving);
    const save = () => {
      this.view.camera = this.camera.state();
      try {
        localStorage.setItem(this.#viewKey(), JSON.stringify(this.view));
      } catch {
        // Private windows may keep nothing.
      }
    };
    if (now) save();
    else this.saving = setTimeout(save, 250);
  }

  #meshes() {
    if (!this.picture || !this.scene) return;
    const look = LOOKS[this.theme];
    const map = this.camera.mode === "map";
    const { bounds, walls, walkable } = this.scene;
    const at = (x, y) => this.crowd.heightAt(x, y);
    const heights = this.crowd.heights && { at };
    const terrain = (z, up) => {
      const { low, high } = this.crowd.heights;
      const part = (z - low) / Math.max(1, high - low);
      const grass = [96 + 60 * part, 128 + 18 * part, 72 + 26 * part];
      const rock = [128, 120, 108];
      const steep = Math.min(1, Math.max(0, (0.93 - up) * 6));
      const color = grass.map((v, i) => v + (rock[i] - v) * steep);
      return this.theme === "dark" && map ? shade(color, 0.6) : color;
    };
    const flat = map ? look.map : look.flat;
    const open = walkable.length > 0;
    const ground = groundMesh(bounds, heights, { flat: open ? shade(flat, 0.7) : flat, terrain });
    const floor = wallsMesh(walkable, 0.02, flat, at);
    for (let i = 7; i < floor.vertices.length; i += 8) floor.vertices[i] = 1;
    this.picture.setMesh("ground", join([ground, floor]));
    const below = this.crowd.heights ? this.crowd.heights.low - 0.5 : -0.06;
    this.picture.setMesh("apron", apronMesh(bounds, below, heights && !map ? [112, 124, 92] : look.apron));
    this.picture.setMesh("walls", wallsMesh(walls, map ? 0.1 : this.#wallHeight(), map ? look.mapWall : look.wall, at));
    this.touch();
  }

  /** Walls of a small place are low, so that one sees over them. */
  #wallHeight() {
    const [x0, y0, x1, y1] = this.scene.bounds;
    return Math.min(5, Math.max(1.1, Math.max(x1 - x0, y1 - y0) * 0.02));
  }

  #takeFrame(frame) {
    if (frame.past !== (this.looking !== null && this.looking !== undefined)) return;
    this.frameBytes = frame.count > 0 ? frame.bytes / frame.count : 0;
    this.crowd.take(frame);
    this.touch();
  }

  #takeStatus(status) {
    this.status = status;
    $("fig-people").textContent = status.people.toLocaleString("en");
    $("fig-speed").textContent = `${status.mean_speed.toFixed(2)} m/s`;
    $("fig-step").textContent = status.step.toLocaleString("en");
    $("fig-pace").textContent = status.on_its_way === null ? `${status.pace.toFixed(2)}×` : `→ ${status.on_its_way}`;
    $("play").textContent = status.playing ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", String(status.playing));
    const speed = $("speed");
    if (document.activeElement !== speed) speed.value = String(status.speed);
    this.#timeline(status);
    const values = { people: status.people, mean_speed: Number(status.mean_speed.toFixed(4)) };
    for (const line of status.lines) {
      values[`crossed_${line.gauge}`] = line.count;
      values[`flow_${line.gauge}`] = this.#flow(line, status.time);
    }
    for (const area of status.areas) {
      values[`density_${area.gauge}`] = Number(area.density.toFixed(4));
      if (area.speed !== null) values[`speed_${area.gauge}`] = Number(area.speed.toFixed(4));
    }
    if (this.records.times.at(-1) !== status.time) this.records.add(status.time, values);
    if (this.scene) this.panel.update();
    this.#tellSelected();
    this.touch();
    const summary = `${status.people} people, ${clock(status.time)}, mean speed ${status.mean_speed.toFixed(1)} metres per second`;
    this.canvas.setAttribute("aria-label", `The crowd ${this.camera.mode === "map" ? "on a map" : "in three dimensions"}: ${summary}`);
    if (performance.now() - this.spoken > SPEAK_MS && document.hasFocus()) {
      this.spoken = performance.now();
      this.#speak(summary);
    }
  }

  /** People per second over the last ten seconds. */
  #flow(line, time) {
    const { times, columns } = this.records;
    const counts = columns.get(`crossed_${line.gauge}`) ?? [];
    let i = times.length - 1;
    while (i > 0 && time - times[i] < 10 && Number.isFinite(counts[i - 1])) i--;
    if (i < 0 || !Number.isFinite(counts[i]) || time - times[i] < 0.5) return 0;
    return Number(((line.count - counts[i]) / (time - times[i])).toFixed(4));
  }

  #timeline(status) {
    const scrub = $("scrub");
    const [first, last] = this.scene?.steps ?? status.remembered;
    scrub.min = first;
    scrub.max = Math.max(last, first + 1);
    const looking = this.looking ?? null;
    if (!this.scrubbing) scrub.value = looking ?? status.step;
    const shown = looking === null ? status.time : looking * this.scene.dt;
    $("clock").textContent = looking === null ? clock(status.time) : `${clock(shown)} ago ${clock(status.time - shown)}`;
    $("now").hidden = looking === null;
    scrub.setAttribute("aria-valuetext", clock(shown));
  }

  /** A moment of the past of a living crowd, for this page alone; of a recording, for all. */
  scrub(step) {
    if (!this.scene) return;
    this.scrubTo = step;
    if (this.scrubbing) return;
    this.scrubbing = true;
    this.attempt(async () => {
      try {
        while (this.scrubTo !== null) {
          const to = this.scrubTo;
          this.scrubTo = null;
          if (this.scene.live) {
            this.looking = to;
            const { step: found } = await this.client.call("view.look", { step: to });
            this.looking = found;
          } else {
            await this.client.call("control.seek", { step: to });
          }
        }
      } finally {
        this.scrubbing = false;
      }
    }).then(() => this.status && this.#timeline(this.status));
  }

  present() {
    this.looking = null;
    this.attempt(() => this.client.call("view.look", {}));
    if (this.status) this.#timeline(this.status);
  }

  toggle() {
    const call = this.status?.playing ? "control.pause" : "control.play";
    if (this.looking !== null && this.looking !== undefined) this.present();
    return this.attempt(() => this.client.call(call));
  }

  step() {
    return this.attempt(() => this.client.call("control.step", { count: 1 }));
  }

  setMode(mode) {
    if (this.camera.mode === mode) return;
    this.camera.mode = mode;
    this.#showMode();
    this.#meshes();
    this.moved();
  }

  #showMode() {
    const map = this.camera.mode === "map";
    $("view-3d").setAttribute("aria-pressed", String(!map));
    $("view-map").setAttribute("aria-pressed", String(map));
  }

  home() {
    this.camera.frame(this.scene.bounds);
    this.follow(null);
    this.moved();
  }

  /** The camera was moved. */
  moved() {
    this.touch();
    this.saveView();
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.#wantFrames(), 300);
  }

  touch() {
    this.dirty = true;
  }

  /** Asks for what can be seen, where there are very many. */
  #wantFrames() {
    if (!this.scene) return;
    const wish = { fps: document.hidden ? 0 : 15 };
    const seen = (this.status?.people ?? 0) > MANY ? this.camera.visible() : null;
    const [x0, y0, x1, y1] = this.scene.bounds;
    const size = seen && ((seen[2] - seen[0]) * (seen[3] - seen[1])) / ((x1 - x0) * (y1 - y0));
    if (seen && size < 0.6) {
      const [w, d] = [(seen[2] - seen[0]) * 0.15 + 5, (seen[3] - seen[1]) * 0.15 + 5];
      wish.rect = [seen[0] - w, seen[1] - d, seen[2] + w, seen[3] + d];
    }
    const key = JSON.stringify(wish);
    if (this.wished === key && this.client.state === "open") return;
    this.wished = key;
    this.client.wish("view.frames", wish);
  }

  setTool(name) {
    this.tool = TOOLS.find((tool) => tool.name === name) ?? TOOLS[0];
    this.sketch = [];
    for (const tool of TOOLS) $(`tool-${tool.name}`).setAttribute("aria-pressed", String(tool === this.tool));
    this.canvas.dataset.tool = this.tool.name;
    $("hint").textContent = this.tool.hint;
    this.touch();
  }

  click(px, py, within) {
    if (!this.scene || !this.status) return;
    const at = this.camera.pick(px, py);
    const { tool } = this;
    if (!tool.corners) {
      if (at || tool.name === "look") this.attempt(() => use(this, tool.name, at, px, py, within));
      return;
    }
    if (!at) return;
    const first = this.sketch[0];
    const project = this.camera.projector();
    const onFirst = first && project(first[0], first[1], this.crowd.heightAt(...first));
    if (onFirst && this.sketch.length >= tool.corners && Math.hypot(onFirst[0] - px, onFirst[1] - py) < within) {
      return this.finishSketch();
    }
    this.sketch.push(at);
    if (tool.ends === this.sketch.length) this.finishSketch();
    this.touch();
  }

  finishSketch() {
    const { tool, sketch } = this;
    if (!tool.corners || sketch.length < tool.corners) return false;
    const points = sketch.map((p) => p.map((v) => Math.round(v * 1000) / 1000));
    this.sketch = [];
    this.touch();
    if (tool.name === "wall") this.attempt(() => this.client.call("world.add-wall", { outer: points }));
    else this.attempt(() => this.client.call("measure.draw", { shape: { [tool.name]: points } }));
    return true;
  }

  cancel() {
    if (this.sketch.length > 0) this.sketch = [];
    else if (this.tool.name !== "look") this.setTool("look");
    else this.select(null);
    this.touch();
  }

  select(agent) {
    this.selected = agent;
    this.told = null;
    if (agent === null) this.follow(null);
    this.panel.somebody(null);
    this.#tellSelected();
    this.touch();
  }

  async #tellSelected() {
    if (this.selected === null || this.asked || this.client.state !== "open") return;
    this.asked = true;
    try {
      const told = await this.client.call("inspect.agent", { agent: this.selected });
      if (told.agent === this.selected) {
        this.told = told;
        this.panel.somebody(told);
      }
    } catch (error) {
      if (error.code === "refused") this.select(null);
    } finally {
      this.asked = false;
    }
  }

  follow(agent) {
    if (this.following === agent) return;
    this.following = agent;
    this.client.wish("view.follow", agent === null ? {} : { agent });
    if (agent !== null && this.camera.mode === "3d") this.camera.distance = Math.min(this.camera.distance, 14);
    this.panel.somebody(this.told);
    this.touch();
  }

  removeSelected() {
    const agent = this.selected;
    if (agent === null) return false;
    this.select(null);
    return this.attempt(() => this.client.call("world.remove", { agent }));
  }

  setHeat(kind, goal = this.view.goal ?? 0) {
    Object.assign(this.view, { heat: kind, goal });
    this.client.wish("view.field", kind ? { kind, goal, fps: 2 } : {});
    if (!kind) this.field = null;
    $("legend").hidden = true;
    const select = $("heat");
    if (select) select.value = kind;
    this.saveView();
    this.touch();
  }

  nextHeat() {
    const kinds = ["", "density", "speed", "waiting", ...(this.scene.live ? ["potential"] : [])];
    this.setHeat(kinds[(kinds.indexOf(this.view.heat ?? "") + 1) % kinds.length]);
  }

  #takeField(field) {
    if (field.kind !== this.view.heat) return;
    this.field = field;
    const ramp = RAMPS[field.kind];
    const table = new Uint8Array(256 * 4);
    for (let i = 1; i < 256; i++) table.set(along(ramp, (i - 1) / 254), i * 4);
    const rgba = new Uint8Array(field.cells.length * 4);
    field.cells.forEach((cell, i) => rgba.set(table.subarray(cell * 4, cell * 4 + 4), i * 4));
    this.picture?.setField(field.width, field.height, rgba);
    const css = ramp.map(([r, g, b, a]) => `rgb(${r} ${g} ${b} / ${Math.max(0.25, a / 255)})`);
    $("legend-bar").style.background = `linear-gradient(90deg, ${css.join(", ")})`;
    $("legend-name").textContent = `${field.kind}, ${UNITS[field.kind]}`;
    $("legend-low").textContent = field.low.toFixed(0);
    $("legend-high").textContent = field.high.toFixed(field.high < 10 ? 1 : 0);
    $("legend").hidden = false;
    this.touch();
  }

  setColor(by) {
    this.crowd.colorBy = this.view.color = by;
    this.saveView();
    this.touch();
  }

  setTheme(theme) {
    this.view.theme = theme;
    this.saveView();
    this.#themed();
    this.#meshes();
  }

  #themed() {
    const wanted = this.view.theme ?? "auto";
    const light = wanted === "light" || (wanted === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
    this.theme = light ? "light" : "dark";
    document.documentElement.dataset.theme = this.theme;
    this.touch();
  }

  togglePanel() {
    const closed = document.body.classList.toggle("panel-closed");
    $("panel-toggle").setAttribute("aria-expanded", String(!closed));
    this.view.panelClosed = closed;
    this.#cover();
    this.moved();
  }

  help() {
    const keys = [["Space", "play or pause"], [".", "one step"], ["1 … 8", "tools"], ["M", "map or 3D"], ["H", "heat maps"], ["F", "follow whoever is selected"], ["Arrows", "shift the view"], ["Q E", "turn"], ["+ −", "nearer, farther"], ["Home", "see all"], ["Enter", "end what is drawn"], ["Escape", "take back"], ["Delete", "remove whoever is selected"], ["P", "panel"]];
    const rows = keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
    const close = h("button", { class: "main", on: { click: () => $("help").close() } }, "Close");
    $("help").replaceChildren(h("p", {}, "Drag to turn (on a map: to shift), drag with the right button or two fingers to shift, wheel or pinch to zoom."), h("dl", { class: "facts" }, ...rows), close);
    $("help").showModal();
  }

  save(name, blob) {
    const url = URL.createObjectURL(blob);
    const link = h("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** The picture with its marks, as it is now. */
  async savePicture() {
    await this.picture?.settled?.();
    this.#draw();
    await this.picture?.settled?.();
    const both = document.createElement("canvas");
    [both.width, both.height] = [this.canvas.width, this.canvas.height];
    const pen = both.getContext("2d");
    pen.drawImage(this.canvas, 0, 0);
    pen.drawImage($("marks"), 0, 0, both.width, both.height);
    const blob = await new Promise((done) => both.toBlob(done, "image/png"));
    this.save(`${this.scene.name}-${this.status.step}.png`, blob);
  }

  saveCsv() {
    this.save(`${this.scene.name}.csv`, new Blob([this.records.csv()], { type: "text/csv" }));
  }

  async saveLog() {
    const { log } = await this.client.call("inspect.log");
    this.save(`${this.scene.name}-commands.jsonl`, new Blob([log], { type: "application/jsonl" }));
  }

  async record() {
    if (!this.status.recording) return this.client.call("capture.record", { format: this.format });
    const { recorded } = await this.client.call("capture.stop");
    this.say(`Recorded steps ${recorded.from} to ${recorded.to}`);
  }

  recordingUrl(number) {
    const token = this.client.token ? `?token=${this.client.token}` : "";
    return `/recordings/${number}${token}`;
  }

  #resize() {
    const { clientWidth: w, clientHeight: h0 } = $("stage");
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    for (const canvas of [this.canvas, $("marks")]) {
      canvas.width = Math.max(1, Math.round(w * ratio));
      canvas.height = Math.max(1, Math.round(h0 * ratio));
    }
    this.camera.size = [w, h0];
    this.#cover();
    if (this.scene && !this.view.camera) this.home();
    this.moved();
  }

  /** Bars and panel cover a part of the picture. */
  #cover() {
    const narrow = innerWidth <= 760;
    const open = !document.body.classList.contains("panel-closed");
    const bottom = narrow && open ? innerHeight * 0.46 + 122 : 112;
    this.camera.covered = [narrow ? 0 : 96, narrow ? 108 : 50, !narrow && open ? 345 : 0, bottom];
  }

  #frame() {
    requestAnimationFrame(() => this.#frame());
    if (this.following !== null) {
      const found = this.crowd.find(this.following);
      if (found) {
        this.camera.target = [found.x, found.y, 0];
        this.dirty = true;
      }
    }
    if (!this.scene || !(this.dirty || this.crowd.moves()) || this.picture?.busy) return;
    this.dirty = false;
    this.#draw();
  }

  #draw() {
    if (this.picture) this.#drawPicture();
    this.overlay.draw(this);
    this.drawn += 1;
  }

  #drawPicture() {
    const { camera, crowd } = this;
    const look = camera.look();
    const map = camera.mode === "map";
    const count = crowd.now?.frame.count ?? 0;
    if (this.near.floats.length < count * STRIDE) [this.near, this.far] = [room(count), room(count)];
    const pixel = camera.metresPerPixel();
    // On a map nobody is smaller than three pixels.
    const scale = map ? Math.max(1, (1.5 * pixel) / 0.25) : 1;
    const counts = crowd.fill(this.near, this.far, map ? () => 2 : sight(look, camera), { scale, selected: this.selected });
    const bodies = map ? [["map", this.far, counts.far]] : [["near", this.near, counts.near], ["far", this.far, counts.far]];
    const colors = LOOKS[this.theme];
    const field = this.field;
    const uniforms = new Float32Array(36);
    uniforms.set(look.matrix, 0);
    uniforms.set([...look.eye, map ? 1 : 0], 16);
    uniforms.set([0.38, -0.52, 0.765, camera.far * 0.9 + camera.distance * 1.5], 20);
    uniforms.set([...colors.haze, field ? 1 : 0], 24);
    if (field) uniforms.set([...field.origin, field.width * field.cell, field.height * field.cell], 28);
    uniforms.set([10 ** Math.max(0, Math.ceil(Math.log10(pixel * 25))), this.crowd.heights ? 0.25 : 0.8, 0, 0], 32);
    this.picture.draw(uniforms, ["apron", "ground", "walls"], bodies, colors.sky);
    this.shown = counts.near + counts.far;
  }
}

/** Instances for so many. */
function room(count) {
  const floats = new Float32Array(Math.ceil(count * 1.2 + 64) * STRIDE);
  return { floats, words: new Uint32Array(floats.buffer) };
}

/** Who is in sight: 0 nobody, 1 near, 2 far. */
function sight({ eye, matrix: m }, camera) {
  const near2 = Math.min(NEAR, 12 + camera.distance) ** 2;
  return (x, y, z) => {
    const w = m[3] * x + m[7] * y + m[11] * (z + 0.9) + m[15];
    const cx = m[0] * x + m[4] * y + m[8] * (z + 0.9) + m[12];
    const cy = m[1] * x + m[5] * y + m[9] * (z + 0.9) + m[13];
    const rim = w * 1.05 + 2;
    if (w < -1 || cx < -rim || cx > rim || cy < -rim || cy > rim) return 0;
    const away = (x - eye[0]) ** 2 + (y - eye[1]) ** 2 + (z - eye[2]) ** 2;
    return away < near2 ? 1 : 2;
  };
}

function along(ramp, part) {
  const at = part * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[i].map((v, k) => v + (ramp[i + 1][k] - v) * (at - i));
}

const app = new App();
// For tests and for the curious.
window.throng = app;
app.start();
