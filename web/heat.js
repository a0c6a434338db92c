// Heat maps: a field of numbers as colours on the ground, with a legend.

const $ = (id) => document.getElementById(id);
const RAMPS = {
  density: [[20, 60, 110, 0], [44, 160, 200, 150], [250, 210, 80, 205], [230, 80, 40, 230], [150, 10, 60, 240]],
  speed: [[190, 30, 60, 215], [240, 170, 60, 205], [120, 200, 110, 190], [40, 150, 200, 190]],
  waiting: [[90, 60, 140, 30], [170, 70, 160, 170], [250, 130, 80, 215], [255, 230, 120, 235]],
  potential: [[30, 120, 90, 170], [60, 160, 170, 150], [90, 110, 190, 150], [150, 70, 160, 160]],
};
const NAMES = {
  density: "Density, people per m²", speed: "Speed, m/s", waiting: "Waiting, seconds", potential: "Way to the goal, seconds",
};

export class Heat {
  constructor(app) {
    this.app = app;
    this.field = null;
  }

  set(kind, goal = this.app.view.goal ?? 0) {
    const { app } = this;
    Object.assign(app.view, { heat: kind, goal });
    app.client.wish("view.field", kind ? { kind, goal, fps: 2 } : {});
    if (!kind) this.field = null;
    $("legend").hidden = true;
    const select = $("heat");
    if (select) select.value = kind;
    const goals = $("heat-goal")?.closest(".row");
    if (goals) goals.hidden = kind !== "potential";
    app.saveView();
    app.touch();
  }

  /** The next kind. */
  next() {
    const { app } = this;
    const kinds = ["", "density", "speed", "waiting", ...(app.scene.live ? ["potential"] : [])];
    this.set(kinds[(kinds.indexOf(app.view.heat ?? "") + 1) % kinds.length]);
  }

  take(field) {
    const { app } = this;
    if (field.kind !== app.view.heat) return;
    this.field = field;
    const ramp = RAMPS[field.kind];
    const table = new Uint8Array(256 * 4);
    for (let i = 1; i < 256; i++) table.set(along(ramp, (i - 1) / 254), i * 4);
    const rgba = new Uint8Array(field.cells.length * 4);
    field.cells.forEach((cell, i) => rgba.set(table.subarray(cell * 4, cell * 4 + 4), i * 4));
    app.stage.setField(field.width, field.height, rgba);
    const css = ramp.map(([r, g, b, a]) => `rgb(${r} ${g} ${b} / ${Math.max(0.25, a / 255)})`);
    $("legend-bar").style.background = `linear-gradient(90deg, ${css.join(", ")})`;
    $("legend-name").textContent = NAMES[field.kind];
    $("legend-low").textContent = field.low.toFixed(0);
    $("legend-high").textContent = field.high.toFixed(field.high < 10 ? 1 : 0);
    $("legend").hidden = false;
    app.touch();
  }
}

function along(ramp, part) {
  const at = part * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[i].map((v, k) => v + (ramp[i + 1][k] - v) * (at - i));
}
