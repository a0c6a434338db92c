// Marks over the picture: hazards, lines and areas that measure, what is being drawn, whoever is selected, scale.

const PUFFS = 22;
const INK = { dark: "#eef1f5", light: "#171b20" };

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  /** Draws everything; `app` has the state. */
  draw(app) {
    const { pen, canvas } = this;
    const ratio = canvas.width / app.camera.size[0];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, app.camera.size[0], app.camera.size[1]);
    pen.lineJoin = "round";
    pen.font = "13px system-ui, sans-serif";
    const project = app.camera.projector();
    this.at = ([x, y], z = 0.05) => project(x, y, app.crowd.heightAt(x, y) + z);
    this.ink = INK[app.theme];
    const { status } = app;
    for (const goal of app.scene?.goals ?? []) this.#goal(goal);
    this.flat = app.camera.mode === "map";
    // Pixels of a metre: on a map everywhere, else one metre away.
    this.scale = this.flat ? 1 / app.camera.metresPerPixel() : app.camera.distance / app.camera.metresPerPixel();
    for (const hazard of status?.hazards ?? []) this.#hazard(hazard, status.time);
    for (const area of status?.areas ?? []) {
      this.#path(area.outline, true, "#4aa8ff", "rgb(74 168 255 / 0.18)");
      this.#label(middle(area.outline), `${area.density.toFixed(2)} per m²`);
    }
    for (const line of status?.lines ?? []) {
      this.#path(line.ends, false, "#ff5fa2");
      this.#label(middle(line.ends), `${line.count}`);
    }
    if (app.sketch.length > 0) this.#sketch(app);
    this.#selected(app);
    if (app.camera.mode === "map") this.#scale(app);
  }

  /** A line over the ground, with enough corners to lie on it. */
  #path(points, closed, stroke, fill) {
    const { pen } = this;
    const ring = closed ? [...points, points[0]] : points;
    pen.beginPath();
    let down = false;
    ring.forEach((point, i) => {
      const from = i === 0 ? point : ring[i - 1];
      const pieces = i === 0 ? 1 : Math.min(24, Math.ceil(Math.hypot(point[0] - from[0], point[1] - from[1]) / 4));
      for (let k = 1; k <= pieces; k++) {
        const p = this.at([from[0] + ((point[0] - from[0]) * k) / pieces, from[1] + ((point[1] - from[1]) * k) / pieces]);
        if (!p) { down = false; continue; }
        if (down) pen.lineTo(p[0], p[1]);
        else pen.moveTo(p[0], p[1]);
        down = true;
      }
    });
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    pen.strokeStyle = "rgb(0 0 0 / 0.55)";
    pen.lineWidth = 5;
    pen.stroke();
    pen.strokeStyle = stroke;
    pen.lineWidth = 2.5;
    pen.stroke();
  }

  #label(point, text) {
    const p = this.at(point, 0.3);
    if (!p) return;
    const { pen } = this;
    const width = pen.measureText(text).width;
    pen.fillStyle = "rgb(10 12 15 / 0.74)";
    pen.beginPath();
    pen.roundRect(p[0] - width / 2 - 8, p[1] - 11, width + 16, 22, 11);
    pen.fill();
    pen.fillStyle = "#ffffff";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, p[0], p[1] + 0.5);
  }

  #goal(goal) {
    const [r, g, b] = goal.color;
    for (const place of goal.places.slice(0, 60)) {
      if (place.outer.length === 1) continue;
      this.pen.globalAlpha = 0.75;
      this.#thin(place.outer, place.outer.length > 2, `rgb(${r} ${g} ${b})`);
      this.pen.globalAlpha = 1;
    }
  }

  #thin(points, closed, stroke) {
    const { pen } = this;
    const on = (closed ? [...points, points[0]] : points).map((p) => this.at(p));
    if (on.some((p) => p === null)) return;
    pen.beginPath();
    on.forEach((p, i) => (i === 0 ? pen.moveTo(p[0], p[1]) : pen.lineTo(p[0], p[1])));
    pen.strokeStyle = stroke;
    pen.lineWidth = 1.6;
    pen.setLineDash([5, 4]);
    pen.stroke();
    pen.setLineDash([]);
  }

  /** A cloud: puffs that drift about its middle, within its radius. */
  #hazard(hazard, time) {
    const [x, y] = hazard.at;
    const { pen } = this;
    const puff = this.#puff(hazard.color);
    const beside = this.at([x + hazard.radius, y]);
    const middle = this.at(hazard.at, 0.3);
    if (!middle || !beside) return;
    const circle = Array.from({ length: 48 }, (_, i) => {
      const turn = (i / 48) * 2 * Math.PI;
      return [x + hazard.fear_radius * Math.cos(turn), y + hazard.fear_radius * Math.sin(turn)];
    });
    for (let i = 0; i < PUFFS; i++) {
      const turn = i * 2.399 + time * 0.12 * (i % 2 ? 1 : -1);
      const out = hazard.radius * 0.8 * Math.sqrt((i + 0.5) / PUFFS);
      const up = hazard.radius * (0.1 + 0.14 * (1 + Math.sin(i * 1.7 + time * 0.5)));
      const p = this.at([x + out * Math.cos(turn), y + out * Math.sin(turn)], this.flat ? 0 : up);
      if (!p) continue;
      // As wide as a part of the cloud is where it is.
      const wide = (hazard.radius * 0.62 * this.scale) / (this.flat ? 1 : p[2]);
      pen.drawImage(puff, p[0] - wide, p[1] - wide * 0.8, 2 * wide, 1.6 * wide);
    }
    const [r, g, b] = hazard.color;
    this.#thin(circle, true, `rgb(${r} ${g} ${b} / 0.7)`);
    if (Math.hypot(beside[0] - middle[0], beside[1] - middle[1]) > 16) this.#label(hazard.at, hazard.name);
  }

  /** A soft ball of a colour, drawn once. */
  #puff([r, g, b]) {
    this.puffs ??= new Map();
    const key = `${r} ${g} ${b}`;
    if (!this.puffs.has(key)) {
      const ball = document.createElement("canvas");
      ball.width = ball.height = 96;
      const pen = ball.getContext("2d");
      const fade = pen.createRadialGradient(48, 48, 2, 48, 48, 48);
      for (const [at, alpha] of [[0, 0.3], [0.45, 0.2], [0.8, 0.05], [1, 0]]) fade.addColorStop(at, `rgb(${key} / ${alpha})`);
      pen.fillStyle = fade;
      pen.fillRect(0, 0, 96, 96);
      this.puffs.set(key, ball);
    }
    return this.puffs.get(key);
  }

  #sketch(app) {
    const points = app.hover ? [...app.sketch, app.hover] : app.sketch;
    this.#path(points, app.tool.name === "area" || app.tool.name === "wall", "#ffd34d");
    for (const point of app.sketch) {
      const p = this.at(point);
      if (!p) continue;
      this.pen.fillStyle = "#ffd34d";
      this.pen.fillRect(p[0] - 4, p[1] - 4, 8, 8);
    }
  }

  #selected(app) {
    const { told } = app.somebody;
    const found = app.selected === null ? null : app.crowd.find(app.selected);
    if (!found) return;
    if (told?.agent === app.selected && told.way.length > 1) {
      this.#path([[found.x, found.y], ...told.way.slice(1)], false, "#ffa726");
    }
    const p = this.at([found.x, found.y], 0.9);
    if (!p) return;
    const { pen } = this;
    pen.beginPath();
    pen.arc(p[0], p[1], 14, 0, 7);
    pen.strokeStyle = "#ffd34d";
    pen.lineWidth = 2.5;
    pen.stroke();
  }

  #scale(app) {
    const metres = app.camera.metresPerPixel();
    const wanted = metres * 110;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = [1, 2, 5, 10].map((n) => n * power).filter((n) => n <= wanted).pop();
    const width = length / metres;
    const narrow = app.camera.size[0] < 760;
    const legend = app.heat.field ? 68 : 0;
    const [x, y] = narrow ? [16, app.camera.size[1] - 134 - legend] : [18, app.camera.size[1] - 130 - legend];
    const { pen } = this;
    pen.strokeStyle = pen.fillStyle = this.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, y - 6);
    pen.lineTo(x, y);
    pen.lineTo(x + width, y);
    pen.lineTo(x + width, y - 6);
    pen.stroke();
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    pen.fillText(`${length} m`, x + 5, y - 3);
  }
}

function middle(points) {
  const n = points.length;
  return [points.reduce((s, p) => s + p[0], 0) / n, points.reduce((s, p) => s + p[1], 0) / n];
}
