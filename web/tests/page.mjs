// Drives the page in Chromium as a person would: `node page.mjs PROGRAM [--pictures FOLDER] [--data FOLDER]`.
// PROGRAM is `throng`. Everything runs twice, by WebGPU (on SwiftShader) and without it. Exit code 1 if anything
// fails; what is broken then is said by the name of the check.

import { chromium } from "playwright-core";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const program = process.argv[2];
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : null);
const pictures = option("--pictures");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "throng-page-"));
const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
const SLOW = 60_000;
let failures = 0;

function check(name, holds, detail = "") {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds || detail === "" ? "" : `: ${JSON.stringify(detail)}`}`);
  if (!holds) failures += 1;
}

/** A server of its own; its address, and what ends it. */
async function serve(...args) {
  const child = spawn(program, ["serve", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/http:\S+/);
      if (found) done(found[0]);
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const end = (signal = "SIGTERM") => new Promise((done) => {
    child.removeAllListeners("exit");
    child.on("exit", done);
    child.kill(signal);
  });
  return { url, end, port: new URL(url).port };
}

/** A page without complaints on its console. */
async function open(browser, url, size, complaints) {
  const page = await browser.newPage({ viewport: { width: size[0], height: size[1] }, acceptDownloads: true });
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(e.message));
  const began = Date.now();
  await page.goto(url);
  await page.waitForFunction(() => window.throng?.shown > 0, null, { timeout: SLOW });
  page.setDefaultTimeout(SLOW);
  return { page, ms: Date.now() - began };
}

const step = (page) => page.evaluate(() => window.throng.status.step);
const until = (page, test, arg) => page.waitForFunction(test, arg, { timeout: SLOW });

/** Pixels around everybody's place that differ between two moments, and how many are of no ground's colour. */
async function movement(page) {
  const look = (places) => page.evaluate(async (places) => {
    const { throng } = window;
    throng.touch();
    await new Promise((done) => setTimeout(done, 120));
    await throng.picture.settled?.();
    const { canvas, camera, crowd } = throng;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const project = camera.projector();
    const ratio = canvas.width / camera.size[0];
    for (let i = 0; !places.done && i < Math.min(crowd.now.frame.count, 60); i++) {
      const p = project(crowd.now.x[i], crowd.now.y[i], crowd.heightAt(crowd.now.x[i], crowd.now.y[i]) + 0.5);
      if (!p || p[0] < 100 || p[0] > camera.size[0] - 350 || p[1] < 60 || p[1] > camera.size[1] - 120) continue;
      places.spots.push([p[0] * ratio - 5, p[1] * ratio - 5]);
    }
    const spots = places.spots.map(([x, y]) => Array.from(pen.getImageData(x, y, 10, 10).data));
    const whole = pen.getImageData(0, 0, copy.width, copy.height).data;
    const colors = new Set();
    for (let i = 0; i < whole.length; i += 4 * 97) colors.add((whole[i] >> 3 << 10) | (whole[i + 1] >> 3 << 5) | whole[i + 2] >> 3);
    return { spots, places: places.spots, colors: colors.size, step: throng.crowd.now.frame.step };
  }, places);
  const before = await look({ spots: [], done: false });
  await until(page, (s) => window.throng.crowd.now.frame.step > s + 8, before.step);
  // Where people were something else is now.
  const after = await look({ spots: before.places, done: true });
  const n = Math.min(before.spots.length, after.spots.length);
  let changed = 0;
  for (let i = 0; i < n; i++) if (before.spots[i].some((v, k) => Math.abs(v - after.spots[i][k]) > 24)) changed += 1;
  return { changed, of: n, colors: after.colors };
}

/** A download's text or bytes. */
async function download(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download"), click()]);
  const at = path.join(folder, file.suggestedFilename());
  await file.saveAs(at);
  return { at, bytes: fs.readFileSync(at) };
}

async function watching(browser, name) {
  const complaints = [];
  const server = await serve("square", "--port", "0");
  const { page, ms } = await open(browser, server.url, [1440, 900], complaints);
  const by = await page.evaluate(() => window.throng.picture.constructor.name);
  check(`${name}: the picture is drawn by ${name}`, by === name, by);
  console.log(`     the crowd is seen after ${ms} ms`);
  const moved = await movement(page);
  check(`${name}: the crowd is seen and moves where people are`, moved.of > 5 && moved.changed > moved.of / 2 && moved.colors > 12, moved);
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-3d-1440.png`) });

  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  const stopped = await step(page);
  await page.waitForTimeout(1200);
  check(`${name}: pause stops the step counter`, (await step(page)) === stopped, [stopped, await step(page)]);
  await page.click("#step");
  await until(page, (s) => window.throng.status.step === s + 1, stopped);
  await page.focus("#picture");
  await page.keyboard.press("Space");
  await until(page, (s) => window.throng.status.step > s + 3, stopped);

  await page.click("#view-map");
  await page.selectOption("#heat", "density");
  await until(page, () => !document.getElementById("legend").hidden);
  await page.waitForTimeout(600);
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-map-1440.png`) });
  const kept = await page.evaluate(() => { window.throng.camera.zoom(0.5); window.throng.moved(); return window.throng.camera.state(); });
  await page.waitForTimeout(500);
  await page.reload();
  await until(page, () => window.throng?.shown > 0);
  const again = await page.evaluate(() => ({ ...window.throng.camera.state(), heat: window.throng.view.heat }));
  check(`${name}: a reload keeps the view`, again.mode === "map" && again.distance === kept.distance && again.heat === "density", again);

  await until(page, () => window.throng.status.remembered[1] - window.throng.status.remembered[0] > 20);
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  await page.evaluate(() => window.throng.scrub(window.throng.status.remembered[0] + 4));
  await until(page, () => window.throng.crowd.now.frame.past);
  const past = await page.evaluate(() => [window.throng.crowd.now.frame.step, window.throng.status.step]);
  check(`${name}: the past can be looked at`, past[0] < past[1], past);
  await page.click("#now");
  await until(page, () => document.getElementById("now").hidden);
  await page.click("#play");

  const png = await download(page, async () => { await page.click("#tab-save"); await page.click("#save-png"); });
  check(`${name}: a picture is saved`, png.bytes.length > 5000 && png.bytes.subarray(1, 4).toString() === "PNG", png.bytes.length);
  const csv = await download(page, async () => { await page.click("#tab-measure"); await page.click("#save-csv"); });
  check(`${name}: charts are saved as CSV`, /^time_s,people,mean_speed/.test(csv.bytes.toString()) && csv.bytes.toString().split("\n").length > 5);
  await page.click("#tab-save");
  await page.selectOption("#format", "txt");
  await page.click("#record");
  await until(page, () => window.throng.status.recording && window.throng.status.recording.to > window.throng.status.recording.from + 10);
  await page.click("#record");
  await until(page, () => window.throng.status.recordings.length === 1);
  const trajectory = await download(page, () => page.click("#recordings a"));
  check(`${name}: trajectories are saved`, /^# .*\n/.test(trajectory.bytes.toString()) && trajectory.bytes.toString().split("\n").length > 100);

  await page.click("#tab-parameters");
  await page.waitForSelector("#param-avoid-time_gap");
  await page.locator("#param-avoid-time_gap").fill("2");
  await until(page, () => window.throng.status.commands > 0);
  check(`${name}: a parameter is set from its control`, true);
  check(`${name}: no error on the console`, complaints.length === 0, complaints);
  await page.close();

  const phone = [];
  const small = await open(browser, server.url, [390, 844], phone);
  const wide = await small.page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name}: nothing is wider than a phone`, wide <= 390, wide);
  if (pictures) await small.page.screenshot({ path: path.join(pictures, `${name}-phone.png`) });
  await small.page.click("#panel-toggle");
  await small.page.click("#tab-measure");
  await small.page.waitForTimeout(800);
  if (pictures) await small.page.screenshot({ path: path.join(pictures, `${name}-phone-panel.png`) });
  check(`${name}: no error on a phone`, phone.length === 0, phone);
  await small.page.close();
  await server.end();
}

/** A cloud is dropped by a click, and people go round it; a line counts what the server and a repeated run count. */
async function steering(browser) {
  const log = path.join(folder, "log.jsonl");
  const server = await serve("bottleneck", "--port", "0", "--paused", "--commands", log, "--speed", "8");
  const complaints = [];
  const { page } = await open(browser, server.url, [1440, 900], complaints);
  await page.click("#view-map");
  await page.evaluate(() => window.throng.home());
  const bounds = await page.evaluate(() => window.throng.scene.bounds);
  const onScreen = (x, y) => page.evaluate(([x, y]) => window.throng.camera.projector()(x, y, 0), [x, y]);
  const click = async (x, y) => { const [px, py] = await onScreen(x, y); await page.mouse.click(px, py); };
  const middle = (bounds[0] + bounds[2]) / 2;
  await page.click("#tool-line");
  await click(middle, bounds[1] + 0.2);
  await click(middle, bounds[3] - 0.2);
  await until(page, () => window.throng.status.lines.length === 1);
  await page.click("#tool-gas");
  await page.evaluate(() => Object.assign(window.throng.gas, { radius: 2, fear_radius: 2.5 }));
  const cloud = [bounds[0] + (bounds[2] - bounds[0]) * 0.3, (bounds[1] + bounds[3]) / 2];
  await click(...cloud);
  await until(page, () => window.throng.status.hazards.length === 1);
  const at = await page.evaluate(() => window.throng.status.hazards[0].at);
  check("a click drops a cloud where it is", Math.hypot(at[0] - cloud[0], at[1] - cloud[1]) < 0.2, [at, cloud]);
  const near = () => page.evaluate(([x, y]) => {
    const c = window.throng.crowd.now;
    let n = 0;
    for (let i = 0; i < c.frame.count; i++) n += Math.hypot(c.x[i] - x, c.y[i] - y) < 1.2;
    return n;
  }, at);
  const before = await near();
  await page.click("#play");
  await until(page, () => window.throng.status.step > 160);
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  const after = await near();
  check("people go round the cloud", after < Math.max(1, before / 2), [before, after]);
  if (pictures) await page.screenshot({ path: path.join(pictures, "steering.png") });
  const { line, ends, steps } = await page.evaluate(async () => {
    const status = await window.throng.client.call("inspect.status");
    await window.throng.client.call("capture.checkpoint");
    const shown = document.getElementById("gauges").textContent.match(/: (\d+) crossed/);
    return { line: [Number(shown[1]), status.lines[0].count], ends: status.lines[0].ends, steps: status.step };
  });
  check("the page's line shows the server's own count", line[0] === line[1] && line[0] > 0, line);
  check("no error while steering", complaints.length === 0, complaints);
  await page.close();
  await server.end();
  const run = spawnSync(program, ["run", "bottleneck", "--commands", log, "--line", ends.flat().join(","), "--json", "--quiet"]);
  const summary = run.status === 0 ? JSON.parse(run.stdout.toString()) : { stderr: run.stderr.toString() };
  check("throng run repeats it to the same hash", run.status === 0 && summary.commands?.hashes_equal >= 1 && summary.commands.left === 0 && summary.steps === steps, summary.stderr ?? [summary.steps, steps]);
  check("and counts the same at the line", summary.lines?.[0].crossed === line[1], [summary.lines, line]);
}

/** The server dies and comes again: the page says so, and goes on. */
async function restarting(browser) {
  let server = await serve("bottleneck", "--port", "0");
  const complaints = [];
  const { page } = await open(browser, server.url, [1024, 700], []);
  await server.end("SIGKILL");
  await until(page, () => !document.getElementById("banner").hidden);
  check("the page says that the server is gone", /server is gone/.test(await page.textContent("#banner")));
  server = await serve("bottleneck", "--port", server.port);
  await until(page, () => document.getElementById("banner").hidden && window.throng.client.state === "open");
  const now = await step(page);
  await until(page, (s) => window.throng.status.step > 3 && window.throng.status.step !== s, now);
  check("it connects again and goes on", complaints.length === 0);
  await page.close();
  await server.end();
}

/** A recording is watched and sought in. */
async function replaying(browser) {
  const file = path.join(folder, "run.sqlite");
  spawnSync(program, ["run", "bottleneck", "--seconds", "8", "--trajectory", file, "--quiet"]);
  const server = await serve(file, "--port", "0", "--paused");
  const complaints = [];
  const { page } = await open(browser, server.url, [1440, 900], complaints);
  const [first, last] = await page.evaluate(() => window.throng.scene.steps);
  const box = await page.locator("#scrub").boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await until(page, (s) => window.throng.status.step > s, first + (last - first) / 3);
  const at = await step(page);
  check("a click on the timeline seeks", Math.abs(at - (first + (last - first) * 0.6)) < (last - first) * 0.1, [at, last]);
  await until(page, (s) => window.throng.crowd.now.frame.step === s, at);
  if (pictures) await page.screenshot({ path: path.join(pictures, "recording.png") });
  check("tools that change are not offered", !(await page.isVisible("#tool-gas")) && (await page.isVisible("#tool-line")));
  check("no error in a recording", complaints.length === 0, complaints);
  await page.close();
  await server.end();
}

if (pictures) fs.mkdirSync(pictures, { recursive: true });
const executablePath = process.env.THRONG_CHROMIUM ?? "/usr/bin/chromium";
const launch = (more) => chromium.launch({ executablePath, args: [...FLAGS, ...more] });
const attempt = async (name, test) => {
  try {
    await test();
  } catch (error) {
    check(`${name} came to its end`, false, error.message.split("\n")[0]);
  }
};
const gpu = await launch(WEBGPU);
await attempt("watching by WebGPU", () => watching(gpu, "WebGPU"));
await attempt("steering", () => steering(gpu));
await attempt("restarting", () => restarting(gpu));
await gpu.close();
const gl = await launch(["--disable-features=WebGPU"]);
await attempt("watching by WebGL2", () => watching(gl, "WebGL2"));
await attempt("replaying", () => replaying(gl));
await gl.close();
fs.rmSync(folder, { recursive: true, force: true });
console.log(failures === 0 ? "all checks of the page hold" : `${failures} checks of the page failed`);
process.exit(failures === 0 ? 0 : 1);
