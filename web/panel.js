// The panel: what can be chosen, measured, set and saved, in tabs. It shows the app's state and asks the app.

import { drawChart, short } from "./charts.js";
import { record, recordingUrl, saveCsv, saveLog, savePicture } from "./save.js";

const HEATS = [["", "nothing"], ["density", "density"], ["speed", "speed"], ["waiting", "waiting"], ["potential", "way to a goal"]];
const CHARTS = [
  { id: "inside", title: "People inside", unit: "", series: () => [{ name: "people", color: "#f2a33a" }] },
  { id: "speed", title: "Mean speed (m/s)", unit: "", series: () => [{ name: "mean_speed", color: "#58c27d" }] },
  { id: "flow", title: "Over lines (people per second)", unit: "", series: (app) => app.status.lines.map((l, i) => ({ name: `flow_${l.gauge}`, color: hue(i, "#ff5fa2") })) },
  { id: "density", title: "In areas (people per m²)", unit: "", series: (app) => app.status.areas.map((a, i) => ({ name: `density_${a.gauge}`, color: hue(i, "#4aa8ff") })) },
];

function hue(i, first) {
  return i === 0 ? first : `hsl(${(i * 67 + 200) % 360} 75% 60%)`;
}

/** An element: `h("button", {id: "x", on: {click}}, "text", other)`. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

export class Panel {
  constructor(app) {
    this.app = app;
    this.tabs = document.getElementById("tabs");
    this.pages = document.getElementById("pages");
    this.built = new Map();
    const pages = [
      ["view", "View", () => this.#view()],
      ["measure", "Measure", () => this.#measure()],
      ["steer", "Steer", () => this.#steer()],
      ["parameters", "Parameters", () => this.#parameters()],
      ["save", "Save", () => this.#save()],
    ];
    for (const [id, label, build] of pages) {
      const on = { click: () => this.show(id), keydown: (e) => this.#arrows(e) };
      const tab = h("button", { role: "tab", id: `tab-${id}`, "aria-controls": `page-${id}`, on }, label);
      const page = h("section", { role: "tabpanel", id: `page-${id}`, "aria-labelledby": `tab-${id}`, hidden: true });
      this.tabs.append(tab);
      this.pages.append(page);
      this.built.set(id, { tab, page, build });
    }
  }

  /** Builds all pages for a scene. */
  rebuild() {
    for (const { page, build } of this.built.values()) page.replaceChildren(...build());
    this.lists = "";
    this.show(this.app.view.tab ?? "view");
  }

  show(id) {
    const chosen = this.built.has(id) ? id : "view";
    for (const [name, { tab, page }] of this.built) {
      tab.setAttribute("aria-selected", String(name === chosen));
      tab.tabIndex = name === chosen ? 0 : -1;
      page.hidden = name !== chosen;
    }
    this.app.view.tab = chosen;
    this.app.saveView();
    if (chosen === "parameters") this.#fillParameters();
    if (chosen === "measure" && this.app.status) this.#charts();
  }

  #arrows(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const ids = [...this.built.keys()];
    const next = ids[(ids.indexOf(this.app.view.tab) + by + ids.length) % ids.length];
    this.show(next);
    this.built.get(next).tab.focus();
    event.preventDefault();
  }

  #select(id, label, options, value, change) {
    const select = h("select", { id, on: { change: (e) => change(e.target.value) } });
    for (const [key, text] of options) select.append(h("option", { value: key, selected: String(key) === String(value) }, text));
    return h("div", { class: "row" }, h("label", { for: id }, label), select);
  }

  #button(label, act, attributes = {}) {
    return h("button", { ...attributes, on: { click: () => this.app.attempt(act) } }, label);
  }

  #view() {
    const { app } = this;
    const { scene } = app;
    const goals = scene.goals.map((goal, i) => [i, goal.name]);
    const groups = scene.groups.map((g) => h("li", {}, swatch(g.color), h("span", {}, g.name)));
    const live = scene.live;
    return [
      this.#select("heat", "Heat map", HEATS.filter(([k]) => live || k !== "potential"), app.view.heat ?? "", (v) => app.heat.set(v)),
      live && goals.length > 1 ? this.#select("heat-goal", "Goal", goals, app.view.goal ?? 0, (v) => app.heat.set(app.view.heat, Number(v))) : null,
      this.#select("color", "Colours say", [["group", "group"], ["action", "what people do"]], app.crowd.colorBy, (v) => app.setColor(v)),
      this.#select("theme", "Theme", [["auto", "as the system"], ["dark", "dark"], ["light", "light"]], app.view.theme ?? "auto", (v) => app.setTheme(v)),
      h("div", { class: "row" }, this.#button("See all", () => app.home()), this.#button("Keys", () => app.help())),
      h("h2", {}, "Somebody"),
      h("div", { id: "somebody" }, h("p", {}, "Click somebody to see what they do.")),
      h("h2", {}, "Kinds of people"),
      h("ul", { class: "list", id: "kinds" }, ...groups),
    ].filter(Boolean);
  }

  #measure() {
    const { app } = this;
    const charts = CHARTS.flatMap(({ id, title }) => [
      h("h2", { id: `chart-${id}-title` }, title),
      h("canvas", { class: "chart", id: `chart-${id}`, role: "img", "aria-labelledby": `chart-${id}-title chart-${id}-text` }),
      h("span", { class: "visually-hidden", id: `chart-${id}-text` }),
    ]);
    return [
      h("div", { class: "row" }, this.#button("Draw a line", () => app.setTool("line")), this.#button("Draw an area", () => app.setTool("area"))),
      h("ul", { class: "list", id: "gauges" }),
      ...charts,
      h("div", { class: "row" }, this.#button("Save charts as CSV", () => saveCsv(app), { id: "save-csv" })),
    ];
  }

  #steer() {
    const { app } = this;
    if (!app.scene.live) return [h("p", {}, "This is a recording: it can be watched and measured, not changed.")];
    const { groups, goals } = app.scene;
    const number = (id, label, key, low, high) =>
      h("div", { class: "row" }, h("label", { for: id }, label),
        h("input", { id, type: "number", min: low, max: high, step: "0.5", value: app.gas[key], on: { change: (e) => { app.gas[key] = Math.min(high, Math.max(low, Number(e.target.value) || low)); } } }));
    return [
      h("h2", {}, "New people and goals"),
      this.#select("spawn-group", "People", groups.map((g, i) => [i, g.name]), app.chosen.group, (v) => { app.chosen.group = Number(v); }),
      goals.length ? this.#select("move-goal", "Goal", goals.map((g, i) => [i, g.name]), app.chosen.goal, (v) => { app.chosen.goal = Number(v); }) : null,
      h("h2", {}, "Gas"),
      number("gas-radius", "Radius (m)", "radius", 1, 50),
      number("gas-fear", "Fear within (m)", "fear_radius", 1, 80),
      h("h2", {}, "Clouds"),
      h("ul", { class: "list", id: "hazards" }),
      h("h2", {}, "States to go back to"),
      h("div", { class: "row" }, this.#button("Keep this state", () => app.client.call("capture.snapshot"), { id: "keep" })),
      h("ul", { class: "list", id: "states" }),
    ].filter(Boolean);
  }

  #parameters() {
    if (!this.app.scene.live) return [h("p", {}, "A recording has no parameters.")];
    return [h("p", {}, "What holds from the next step on. Each change is a command of the log."), h("div", { id: "parameter-list" }, "…")];
  }

  /** One control for every parameter of the schema. */
  async #fillParameters() {
    const place = document.getElementById("parameter-list");
    if (!place || this.app.client.state !== "open") return;
    const { parameters } = await this.app.client.call("inspect.parameters");
    const sections = Map.groupBy ? Map.groupBy(parameters, (p) => p.name.split(".")[0]) : grouped(parameters);
    const open = new Set([...place.querySelectorAll("details[open]")].map((d) => d.dataset.section));
    if (open.size === 0) open.add("avoid");
    place.replaceChildren(...[...sections].map(([name, list]) =>
      h("details", { class: "group", "data-section": name, open: open.has(name) }, h("summary", {}, name), ...list.map((p) => this.#parameter(p)))));
  }

  #parameter(p) {
    const id = `param-${p.name.replace(".", "-")}`;
    const output = h("output", { for: id }, short(p.value));
    const most = Math.min(p.most, Math.max(p.default, p.value) * 3 || 1);
    const input = h("input", {
      id, type: "range", min: p.least, max: most, step: p.whole ? 1 : "any", value: p.value,
      on: {
        input: (e) => { output.textContent = short(Number(e.target.value)); },
        change: (e) => this.app.attempt(async () => {
          const value = p.whole ? Math.round(Number(e.target.value)) : Number(Number(e.target.value).toPrecision(4));
          await this.app.client.call("world.set-parameter", { name: p.name, value }).catch((error) => {
            e.target.value = p.value;
            output.textContent = short(p.value);
            throw error;
          });
          p.value = value;
        }),
      },
    });
    return h("div", { class: "param" }, h("label", { for: id }, p.name.split(".")[1].replaceAll("_", " "), output), input, h("small", {}, p.about));
  }

  #save() {
    const { app } = this;
    const live = app.scene.live;
    const formats = [["sqlite", "JuPedSim (.sqlite)"], ["txt", "PedPy (.txt)"], ["parquet", "Parquet"], ["csv", "CSV"]];
    return [
      h("h2", {}, "Picture"),
      h("div", { class: "row" }, this.#button("Save picture as PNG", () => savePicture(app), { id: "save-png" })),
      h("h2", {}, "Charts"),
      h("div", { class: "row" }, this.#button("Save charts as CSV", () => saveCsv(app))),
      ...(live ? [
        h("h2", {}, "Trajectories"),
        h("p", {}, "Where everybody is, ten times a simulated second, from now on."),
        this.#select("format", "Format", formats, app.format, (v) => { app.format = v; }),
        h("div", { class: "row" }, this.#button("Record", () => record(app), { id: "record" })),
        h("ul", { class: "list", id: "recordings" }),
        h("h2", {}, "Commands"),
        h("p", { id: "log-text" }, ""),
        h("div", { class: "row" }, this.#button("Save log", () => saveLog(app), { id: "save-log" })),
      ] : []),
      h("h2", {}, "About"),
      h("dl", { class: "facts", id: "about" }),
    ];
  }

  /** Shows the counters. */
  update() {
    const { app } = this;
    const { status } = app;
    const item = (text, ...buttons) => h("li", {}, h("span", {}, text), ...buttons);
    const small = (label, name, call, args) => this.#button(label, () => app.client.call(call, args), { "aria-label": `${label}: ${name}` });
    const gauges = [
      ...status.lines.map((l) => [`Line ${l.gauge}: ${l.count} crossed (${l.to_right} →, ${l.count - l.to_right} ←)${l.flow ? `, ${l.flow.toFixed(2)}/s` : ""}`, l.gauge]),
      ...status.areas.map((a) => [`Area ${a.gauge}: ${a.people} in ${short(a.size)} m², ${a.density.toFixed(2)} per m²${a.speed === null ? "" : `, ${a.speed.toFixed(2)} m/s`}`, a.gauge]),
    ];
    const state = JSON.stringify([gauges, status.hazards.map((x) => [x.hazard, x.name]), status.states, status.recordings, status.recording]);
    if (state !== this.lists) {
      this.lists = state;
      fill("gauges", gauges.map(([text, gauge]) => item(text, small("Erase", text.split(":")[0], "measure.erase", { gauge }))));
      fill("hazards", status.hazards.map((z) => item(`${z.name} at ${z.at.map((v) => v.toFixed(1)).join(", ")}`, this.#button("Move", () => app.moveCloud(z.hazard, z.name), { "aria-label": `Move: ${z.name} ${z.hazard}` }), small("Remove", `${z.name} ${z.hazard}`, "world.remove-hazard", { hazard: z.hazard }))));
      fill("states", status.states.map((s) => item(`State ${s.state}, at ${s.time.toFixed(1)} s`, small("Go back", `state ${s.state}`, "capture.restore", { state: s.state }), small("Forget", `state ${s.state}`, "capture.forget", { state: s.state }))));
      fill("recordings", status.recordings.map((r) => item(`Steps ${r.from} to ${r.to}`, h("a", { href: recordingUrl(app, r.recording), download: `${app.scene.name}-${r.recording}.${r.format}` }, `.${r.format}`))));
    }
    const record = document.getElementById("record");
    if (record) record.textContent = status.recording ? `Stop (${status.recording.to - status.recording.from} steps)` : "Record";
    text("log-text", `${status.commands} command${status.commands === 1 ? "" : "s"}. “throng run --commands” repeats them to the same hash.`);
    facts("about", [["Scene", app.scene.name], ["Step", short(status.step_ms) + " ms"], ["Crowd on", status.backend], ["Picture by", app.picture?.constructor.name ?? "–"], ["Clients", status.clients], ["Frame", app.frameBytes ? `${app.frameBytes.toFixed(1)} bytes per person` : "–"], ["Notices", status.notices.join("; ") || "none"]]);
    this.#charts();
  }

  #charts() {
    const { app } = this;
    for (const { id, unit, series } of CHARTS) {
      const canvas = document.getElementById(`chart-${id}`);
      if (!canvas || canvas.offsetParent === null) continue;
      const all = series(app);
      drawChart(canvas, app.records, all, unit);
      const last = all.map((s) => app.records.columns.get(s.name)?.at(-1)).filter(Number.isFinite);
      text(`chart-${id}-text`, last.length ? `now ${last.map(short).join(", ")}` : "nothing yet");
    }
  }

  /** Shows whoever is selected. */
  somebody(told) {
    const place = document.getElementById("somebody");
    if (!place) return;
    const { app } = this;
    if (app.selected === null) return place.replaceChildren(h("p", {}, "Click somebody to see what they do."));
    const { somebody } = app;
    const following = somebody.following === app.selected;
    const buttons = h("div", { class: "row" }, this.#button(following ? "Let go" : "Follow", () => somebody.follow(following ? null : app.selected), { id: "follow" }),
      app.scene.live ? this.#button("Remove", () => somebody.remove()) : null);
    if (place.firstElementChild?.dataset.agent !== String(app.selected) || place.dataset.following !== String(following)) {
      place.dataset.following = String(following);
      place.replaceChildren(h("dl", { class: "facts", id: "facts", "data-agent": app.selected }), buttons);
    }
    const rows = told
      ? [["Number", told.agent], ["Group", told.group], ["Does", told.action], ["Goes to", told.goal], ["Speed", `${told.speed.toFixed(2)} m/s`], ["Fear", `${Math.round(told.fear * 100)} %`]]
      : [["Number", app.selected]];
    facts("facts", rows);
  }
}

/** What keys and hands do. */
export function showKeys(dialog) {
  const keys = [["Space", "play or pause"], [".", "one step"], ["1 … 8", "tools"], ["M", "map or 3D"], ["H", "heat maps"], ["F", "follow whoever is selected"], ["Arrows", "shift the view"], ["Q E", "turn"], ["+ −", "nearer, farther"], ["Home", "see all"], ["Enter", "end what is drawn"], ["Escape", "take back"], ["Delete", "remove whoever is selected"], ["P", "panel"]];
  const rows = keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
  const close = h("button", { class: "main", on: { click: () => dialog.close() } }, "Close");
  const hands = "Drag to turn (on a map: to shift), drag with the right button or two fingers to shift, wheel or pinch to zoom.";
  dialog.replaceChildren(h("h2", {}, "Keys and hands"), h("p", {}, hands), h("dl", { class: "facts" }, ...rows), close);
  dialog.showModal();
}

function swatch([r, g, b]) {
  const element = h("span", { class: "swatch" });
  element.style.background = `rgb(${r} ${g} ${b})`;
  return element;
}

function grouped(parameters) {
  const out = new Map();
  for (const p of parameters) {
    const key = p.name.split(".")[0];
    out.set(key, [...(out.get(key) ?? []), p]);
  }
  return out;
}

function fill(id, items) {
  document.getElementById(id)?.replaceChildren(...items);
}

function text(id, value) {
  const element = document.getElementById(id);
  if (element && element.textContent !== value) element.textContent = value;
}

function facts(id, rows) {
  const list = document.getElementById(id);
  const key = JSON.stringify(rows);
  if (!list || list.dataset.rows === key) return;
  list.dataset.rows = key;
  list.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}
