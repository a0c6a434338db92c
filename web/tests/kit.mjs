// What all tests of the page need: a server, a browser, a page without complaints, checks that are counted.

import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const program = process.argv[2];
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : null);
/** Where pictures go, if they are wanted. */
export const pictures = option("--pictures");
/** Where files go. */
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "throng-page-"));
export const SLOW = 60_000;
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
let failures = 0;

export function check(name, holds, detail = "") {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds || detail === "" ? "" : `: ${JSON.stringify(detail)}`}`);
  if (!holds) failures += 1;
}

/** A test by its name; one that does not come to its end has failed. */
export async function attempt(name, test) {
  const began = Date.now();
  try {
    await test();
  } catch (error) {
    check(`${name} came to its end`, false, error.message.split("\n")[0]);
  }
  console.log(`     ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** Ends with the number of failures. */
export function done() {
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(failures === 0 ? "all checks of the page hold" : `${failures} checks of the page failed`);
  process.exit(failures === 0 ? 0 : 1);
}

export function launch(name) {
  const executablePath = process.env.THRONG_CHROMIUM ?? "/usr/bin/chromium";
  const more = name === "WebGPU" ? WEBGPU : ["--disable-features=WebGPU"];
  return chromium.launch({ executablePath, args: [...FLAGS, ...more] });
}

/** A server of its own; its address, and what ends it. */
export async function serve(...args) {
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

/** A page whose complaints on the console are kept. */
export async function open(browser, url, [width, height], complaints, more = {}) {
  const page = await browser.newPage({ viewport: { width, height }, acceptDownloads: true, colorScheme: "dark", ...more });
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(e.message));
  page.setDefaultTimeout(SLOW);
  const began = Date.now();
  await page.goto(url);
  await until(page, () => window.throng?.shown > 0);
  return { page, ms: Date.now() - began };
}

export const step = (page) => page.evaluate(() => window.throng.status.step);
export const until = (page, test, arg) => page.waitForFunction(test, arg, { timeout: SLOW });

export async function picture(page, name) {
  if (!pictures) return;
  await page.waitForTimeout(400);
  // Two more pictures: of a slow device the one before last is on its way yet. Where nothing changes none come.
  const drawn = await page.evaluate(() => window.throng.stage.drawn);
  await page.waitForFunction((n) => window.throng.stage.drawn > n + 1, drawn, { timeout: 3000 }).catch(() => {});
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

/** A download's bytes. */
export async function download(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download"), click()]);
  const at = path.join(folder, file.suggestedFilename());
  await file.saveAs(at);
  return { at, bytes: fs.readFileSync(at), text: fs.readFileSync(at, "utf8") };
}

/** Clicks a place of the ground, in metres. */
export async function clickAt(page, x, y) {
  const [px, py] = await page.evaluate(([x, y]) => window.throng.camera.projector()(x, y, 0), [x, y]);
  await page.mouse.click(px, py);
}
