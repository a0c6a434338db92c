// Charts of what was counted, as it happens: kept thin over long times, drawn small, saved as CSV.

const MOST = 1200;

/** Columns of numbers over time. */
export class Records {
  constructor() {
    this.clear();
  }

  clear() {
    this.times = [];
    this.columns = new Map();
  }

  /** Takes a row; a time before the last one begins anew from there. */
  add(time, values) {
    while (this.times.length > 0 && this.times.at(-1) >= time) {
      this.times.pop();
      for (const column of this.columns.values()) column.length = Math.min(column.length, this.times.length);
    }
    const at = this.times.length;
    this.times.push(time);
    for (const [name, value] of Object.entries(values)) {
      if (!this.columns.has(name)) this.columns.set(name, []);
      this.columns.get(name)[at] = value;
    }
    if (this.times.length > MOST) this.#thin();
  }

  /** Takes the counters of a moment, once. */
  take({ time, people, mean_speed, lines, areas }) {
    if (this.times.at(-1) === time) return;
    const values = { people, mean_speed: Number(mean_speed.toFixed(4)) };
    for (const line of lines) {
      values[`crossed_${line.gauge}`] = line.count;
      values[`flow_${line.gauge}`] = this.#flow(line, time);
    }
    for (const area of areas) {
      values[`density_${area.gauge}`] = Number(area.density.toFixed(4));
      if (area.speed !== null) values[`speed_${area.gauge}`] = Number(area.speed.toFixed(4));
    }
    this.add(time, values);
  }

  /** People per second over the last ten seconds. */
  #flow(line, time) {
    const { times, columns } = this;
    const counts = columns.get(`crossed_${line.gauge}`) ?? [];
    let i = times.length - 1;
    while (i > 0 && time - times[i] < 10 && Number.isFinite(counts[i - 1])) i--;
    if (i < 0 || !Number.isFinite(counts[i]) || time - times[i] < 0.5) return 0;
    return Number(((line.count - counts[i]) / (time - times[i])).toFixed(4));
  }

  /** Every other row of the older half goes. */
  #thin() {
    const keep = this.times.map((_, i) => i > MOST / 2 || i % 2 === 0);
    this.times = this.times.filter((_, i) => keep[i]);
    for (const [name, column] of this.columns) {
      const full = Array.from(keep, (_, i) => column[i]);
      this.columns.set(name, full.filter((_, i) => keep[i]));
    }
  }

  csv() {
    const names = [...this.columns.keys()];
    const rows = this.times.map((time, i) => [time.toFixed(3), ...names.map((n) => this.columns.get(n)[i] ?? "")]);
    return [["time_s", ...names], ...rows].map((row) => row.join(",")).join("\n") + "\n";
  }
}

/** Draws some columns into a canvas: `{name, color, from?}`; `from(i)` instead of a column. */
export function drawChart(canvas, records, series, unit) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (width === 0) return;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const [left, right, top, bottom] = [38, 6, 6, 16];
  const { times } = records;
  const [t0, t1] = [times[0] ?? 0, Math.max(times.at(-1) ?? 1, (times[0] ?? 0) + 1)];
  const columns = series.map((s) => records.columns.get(s.name) ?? []);
  const most = Math.max(1e-9, ...columns.flatMap((c) => c.filter((v) => Number.isFinite(v))));
  const high = nice(most);
  const x = (t) => left + ((t - t0) / (t1 - t0)) * (width - left - right);
  const y = (v) => height - bottom - (v / high) * (height - top - bottom);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = style.getPropertyValue("--quiet");
  pen.strokeStyle = style.getPropertyValue("--edge");
  pen.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const line = Math.round(y(high * part)) + 0.5;
    pen.beginPath();
    pen.moveTo(left, line);
    pen.lineTo(width - right, line);
    pen.stroke();
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(short(high * part), left - 5, line);
  }
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillText(`${clock(t0)}`, left, height - 3);
  pen.textAlign = "right";
  pen.fillText(`${clock(t1)} ${unit}`, width - right, height - 3);
  columns.forEach((column, k) => {
    pen.beginPath();
    let down = false;
    times.forEach((time, i) => {
      const value = column[i];
      if (!Number.isFinite(value)) { down = false; return; }
      if (down) pen.lineTo(x(time), y(value));
      else pen.moveTo(x(time), y(value));
      down = true;
    });
    pen.strokeStyle = series[k].color;
    pen.lineWidth = 1.8;
    pen.stroke();
  });
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value) ?? value;
}

export function short(value) {
  if (value >= 10000) return `${Math.round(value / 1000)}k`;
  return Number(value.toPrecision(3)).toString();
}

export function clock(seconds) {
  const s = Math.max(0, seconds);
  const whole = Math.floor(s);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
