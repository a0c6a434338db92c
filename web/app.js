// The page: puts client, crowd, camera, stage, marks, hands and panel together. The crowd is changed by calls
// only; camera, tools and what is shown are the page's own and are kept in the browser.

import { Camera } from "./camera.js";
import { Records, clock } from "./charts.js";
import { Crowd } from "./crowd.js";
import { Heat } from "./heat.js";
import { icon } from "./icons.js";
import { Overlay } from "./overlay.js";
import { Panel, h, showKeys } from "./panel.js";
import { Somebody } from "./somebody.js";
import { Stage } from "./stage.js";
import { ThrongClient } from "./throng.js";
import { Timeline } from "./timeline.js";
import { Hands, TOOLS, use } from "./tools.js";

const $ = (id) => document.getElementById(id);
const MANY = 20_000; // people beyond which only those in sight are asked for
const SPEAK_MS = 8000;
const PATIENT_MS = 1500;
const LINKS = { open: "live", connecting: "connecting", reconnecting: "no connection", closed: "closed" };

class App {
  constructor() {
    this.client = new ThrongClient(location.href);
    this.crowd = new Crowd();
    this.camera = new Camera();
    this.camera.ground = (x, y) => this.crowd.heightAt(x, y);
    this.records = new Records();
    this.overlay = new Overlay($("marks"));
    this.panel = new Panel(this);
    this.stage = new Stage(this, $("picture"));
    this.heat = new Heat(this);
    this.time = new Timeline(this);
    this.somebody = new Somebody(this);
    this.scene = this.status = this.hover = null;
    this.sketch = [];
    /** A cloud that the next click moves. */
    this.moving = null;
    this.tool = TOOLS[0];
    this.chosen = { group: 0, goal: 0 };
    this.gas = { radius: 6, fear_radius: 8 };
    this.format = "sqlite";
    this.view = {};
    this.dirty = true;
    this.theme = "dark";
    this.spoken = 0;
  }

  get canvas() {
    return this.stage.canvas;
  }

  get picture() {
    return this.stage.picture;
  }

  get shown() {
    return this.stage.shown;
  }

  get selected() {
    return this.somebody.selected;
  }

  async start() {
    this.#wire();
    this.#themed();
    // The scene may come before the picture is made.
    this.camera.size = [innerWidth, innerHeight];
    this.#cover();
    // The connection is under way while the picture is made.
    this.client.connect();
    const draws = await this.stage.open();
    if (!draws) this.#banner("This browser can draw neither by WebGPU nor by WebGL2. Figures and charts still work.");
    this.restaged();
    new ResizeObserver(() => this.#resize()).observe($("stage"));
    requestAnimationFrame(() => this.#frame());
  }

  /** There is another canvas. */
  restaged() {
    this.hands?.release();
    this.hands = new Hands(this, this.canvas);
    this.#resize();
  }

  #wire() {
    const { client } = this;
    client.on("state", (s) => this.#linked(s)).on("scene", (s) => this.#takeScene(s));
    client.on("heights", (heights) => this.#takeHeights(heights));
    client.on("frame", (frame) => this.#takeFrame(frame)).on("status", (s) => this.#takeStatus(s));
    client.on("field", (field) => this.heat.take(field));
    client.on("complaint", (error) => this.say(error.message));
    client.on("event", (event) => event.kind === "failed" && this.#banner(event.text));
    $("view-3d").onclick = () => this.setMode("3d");
    $("view-map").onclick = () => this.setMode("map");
    $("panel-toggle").onclick = () => this.togglePanel();
    $("panel-toggle").prepend(icon("panel"));
    for (const tool of TOOLS) {
      const on = { click: () => this.setTool(tool.name) };
      const button = h("button", { id: `tool-${tool.name}`, "aria-pressed": "false", title: `${tool.label} (${tool.key})`, on }, icon(tool.name), h("span", {}, tool.label));
      $("tools").append(button);
    }
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => { this.#themed(); this.stage.rebuild(); });
    document.addEventListener("visibilitychange", () => this.#wantFrames());
    window.addEventListener("pagehide", () => this.saveView(true));
  }

  #linked({ state, detail }) {
    $("link").dataset.state = state;
    $("link").textContent = this.scene?.live === false && state === "open" ? "recording" : LINKS[state];
    if (state === "open") {
      $("banner").hidden = true;
      if (this.lost) {
        this.#speak("Connected again");
        // A server that has come again shows the present.
        this.time.looking = null;
      }
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
    if (!scene.heights) this.crowd.heights = null;
    this.crowd.setScene(scene);
    const [name, ...about] = (scene.title || scene.name).split(": ");
    $("title").textContent = name;
    $("about-scene").textContent = about.join(": ");
    document.title = `${scene.name} · Throng`;
    this.#linked({ state: this.client.state });
    document.body.classList.toggle("recording", !scene.live);
    for (const tool of TOOLS) $(`tool-${tool.name}`).hidden = Boolean(tool.live) && !scene.live;
    $("reset").hidden = !scene.live;
    if (first) {
      this.records.clear();
      this.#loadView();
      if (scene.groups.length === 1 && scene.actions.length > 1 && !this.view.color) this.crowd.colorBy = "action";
      this.panel.rebuild();
      this.setTool("look");
      this.heat.set(this.view.heat ?? "", this.view.goal);
      this.#wantFrames();
    }
    // Heights come right after the scene, and the place is built with them.
    if (!scene.heights || this.crowd.heights) this.stage.rebuild();
    this.touch();
  }

  #takeHeights(heights) {
    this.crowd.setHeights(heights);
    if (this.scene && this.camera.isHome) this.camera.frame(this.scene.bounds);
    this.stage.rebuild();
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
    const kept = this.view.camera;
    this.camera.frame(this.scene.bounds);
    this.camera.restore(kept);
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

  #takeFrame(frame) {
    if (frame.past !== (this.time.looking !== null)) return;
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
    this.time.update(status);
    this.records.take(status);
    if (this.scene) this.panel.update();
    this.somebody.ask();
    this.touch();
    const summary = `${status.people} people, ${clock(status.time)}, mean speed ${status.mean_speed.toFixed(1)} metres per second`;
    this.canvas.setAttribute("aria-label", `The crowd ${this.camera.mode === "map" ? "on a map" : "in three dimensions"}: ${summary}`);
    if (performance.now() - this.spoken > SPEAK_MS && document.hasFocus()) {
      this.spoken = performance.now();
      this.#speak(summary);
    }
  }

  setMode(mode) {
    if (this.camera.mode === mode) return;
    this.camera.mode = mode;
    if (this.camera.isHome) this.camera.frame(this.scene.bounds);
    this.#showMode();
    this.stage.rebuild();
    this.moved();
  }

  #showMode() {
    const map = this.camera.mode === "map";
    $("view-3d").setAttribute("aria-pressed", String(!map));
    $("view-map").setAttribute("aria-pressed", String(map));
  }

  home() {
    this.camera.frame(this.scene.bounds);
    this.somebody.follow(null);
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
    this.moving = null;
    for (const tool of TOOLS) $(`tool-${tool.name}`).setAttribute("aria-pressed", String(tool === this.tool));
    this.canvas.dataset.tool = this.tool.name;
    $("hint").textContent = this.tool.hint;
    this.touch();
  }

  /** The next click moves a cloud. */
  moveCloud(hazard, name) {
    this.setTool("gas");
    this.moving = hazard;
    $("hint").textContent = `Click where ${name} is to go`;
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
      this.finishSketch();
      return;
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
    else this.somebody.select(null);
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
    this.stage.rebuild();
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
    if (this.scene && this.camera.isHome) this.camera.frame(this.scene.bounds);
    this.moved();
  }

  help() {
    showKeys($("help"));
  }

  #resize() {
    this.camera.size = this.stage.resize();
    this.#cover();
    if (this.scene && this.camera.isHome) this.camera.frame(this.scene.bounds);
    this.moved();
  }

  /** Bars and panel cover a part of the picture. */
  #cover() {
    const narrow = innerWidth <= 760;
    const open = !document.body.classList.contains("panel-closed");
    const bottom = narrow && open ? innerHeight * 0.46 + 122 : 112;
    this.camera.covered = [narrow ? 0 : 84, narrow ? 116 : 54, !narrow && open ? 368 : 0, bottom];
  }

  #frame() {
    requestAnimationFrame(() => this.#frame());
    if (this.somebody.track()) this.dirty = true;
    // The first picture may take long: it should have people in it.
    const early = !this.crowd.now && performance.now() < PATIENT_MS;
    if (!this.scene || early || !(this.dirty || this.crowd.moves())) return;
    if (this.stage.frame()) this.dirty = false;
  }
}

const app = new App();
// For tests and for the curious.
window.throng = app;
app.start();
