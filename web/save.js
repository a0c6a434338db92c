// What can be taken home: pictures, charts, logs and trajectories.

import { h } from "./panel.js";

/** Hands a file to whoever sits before the browser. */
function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function savePicture(app) {
  save(`${app.scene.name}-${app.status.step}.png`, await app.stage.still());
}

export function saveCsv(app) {
  save(`${app.scene.name}.csv`, new Blob([app.records.csv()], { type: "text/csv" }));
}

export async function saveLog(app) {
  const { log } = await app.client.call("inspect.log");
  save(`${app.scene.name}-commands.jsonl`, new Blob([log], { type: "application/jsonl" }));
}

/** Begins to record, or ends it. */
export async function record(app) {
  if (!app.status.recording) return app.client.call("capture.record", { format: app.format });
  const { recorded } = await app.client.call("capture.stop");
  return app.say(`Recorded steps ${recorded.from} to ${recorded.to}`);
}

export function recordingUrl(app, number) {
  const token = app.client.token ? `?token=${app.client.token}` : "";
  return `/recordings/${number}${token}`;
}
