// The page as somebody sees it who watches: a crowd that moves, time, views, files, a phone, both themes.

import os from "node:os";
import { check, download, open, picture, serve, step, until } from "./kit.mjs";

/** Pixels around everybody's place that differ between two moments, and how many colours there are. */
async function movement(page) {
  const look = (places) => page.evaluate(async (places) => {
    const { throng } = window;
    const { canvas, camera, crowd } = throng;
    await throng.picture.settled?.();
    throng.stage.draw();
    await throng.picture.settled?.();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const project = camera.projector();
    const ratio = canvas.width / camera.size[0];
    for (let i = 0; !places.done && i < Math.min(crowd.now.frame.count, 60); i++) {
      const p = project(crowd.now.x[i], crowd.now.y[i], crowd.heightAt(crowd.now.x[i], crowd.now.y[i]) + 0.5);
      if (!p || p[0] < 100 || p[0] > camera.size[0] - 380 || p[1] < 60 || p[1] > camera.size[1] - 130) continue;
      places.spots.push([p[0] / camera.size[0], p[1] / camera.size[1]]);
    }
    const wide = Math.round(10 * ratio);
    const at = ([u, v]) => Array.from(pen.getImageData(u * copy.width - wide / 2, v * copy.height - wide / 2, wide, wide).data);
    const whole = pen.getImageData(0, 0, copy.width, copy.height).data;
    const colors = new Set();
    for (let i = 0; i < whole.length; i += 4 * 97) colors.add((whole[i] >> 3 << 10) | (whole[i + 1] >> 3 << 5) | whole[i + 2] >> 3);
    return { spots: places.spots.map(at), places: places.spots, colors: colors.size, step: crowd.now.frame.step };
  }, places);
  const before = await look({ spots: [], done: false });
  await until(page, (s) => window.throng.crowd.now.frame.step > s + 8, before.step);
  // Where people were something else is now.
  const after = await look({ spots: before.places, done: true });
  const n = before.spots.length;
  const differs = (a, b) => a.length !== b.length || a.some((v, k) => Math.abs(v - b[k]) > 24);
  const changed = before.spots.filter((spot, i) => differs(spot, after.spots[i])).length;
  return { changed, of: n, colors: after.colors };
}

async function clock(page, name) {
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  const stopped = await step(page);
  await page.waitForTimeout(1000);
  check(`${name}: pause stops the step counter`, (await step(page)) === stopped, [stopped, await step(page)]);
  await page.click("#step");
  await until(page, (s) => window.throng.status.step === s + 1, stopped);
  await page.focus("#picture");
  await page.keyboard.press("Space");
  await until(page, (s) => window.throng.status.step > s + 3, stopped);
}

async function views(page, name) {
  await page.click("#view-map");
  await page.selectOption("#heat", "density");
  await until(page, () => !document.getElementById("legend").hidden);
  await picture(page, `${name}-map-1440-dark`);
  const kept = await page.evaluate(() => { window.throng.camera.zoom(0.5); window.throng.moved(); return window.throng.camera.state(); });
  await page.waitForTimeout(500);
  await page.reload();
  await until(page, () => window.throng?.shown > 0);
  const again = await page.evaluate(() => ({ ...window.throng.camera.state(), heat: window.throng.view.heat }));
  check(`${name}: a reload keeps the view`, again.mode === "map" && again.distance === kept.distance && again.heat === "density", again);
  await page.selectOption("#heat", "");
}

async function past(page, name) {
  await until(page, () => window.throng.status.remembered[1] - window.throng.status.remembered[0] > 20);
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  const box = await page.locator("#scrub").boundingBox();
  await page.mouse.click(box.x + box.width * 0.2, box.y + box.height / 2);
  await until(page, () => window.throng.crowd.now.frame.past);
  const seen = await page.evaluate(() => [window.throng.crowd.now.frame.step, window.throng.status.step]);
  check(`${name}: the past can be looked at`, seen[0] < seen[1], seen);
  await page.click("#now");
  await until(page, () => document.getElementById("now").hidden);
  await page.click("#play");
}

async function files(page, name) {
  await page.click("#tab-save");
  const png = await download(page, () => page.click("#save-png"));
  check(`${name}: a picture is saved`, png.bytes.length > 5000 && png.bytes.subarray(1, 4).toString() === "PNG", png.bytes.length);
  await page.click("#tab-measure");
  const csv = await download(page, () => page.click("#save-csv"));
  check(`${name}: charts are saved as CSV`, /^time_s,people,mean_speed/.test(csv.text) && csv.text.split("\n").length > 5);
  await page.click("#tab-save");
  await page.selectOption("#format", "txt");
  await page.click("#record");
  await until(page, () => window.throng.status.recording && window.throng.status.recording.to > window.throng.status.recording.from + 10);
  await page.click("#record");
  await until(page, () => window.throng.status.recordings.length === 1);
  const trajectory = await download(page, () => page.click("#recordings a"));
  check(`${name}: trajectories are saved`, /^# .*\n/.test(trajectory.text) && trajectory.text.split("\n").length > 100);
}

/** Somebody is clicked in three dimensions, and followed. */
async function following(page, name) {
  await page.click("#view-3d");
  await page.evaluate(() => window.throng.home());
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  await page.waitForTimeout(600);
  const spot = await page.evaluate(() => {
    const { camera, crowd } = window.throng;
    const project = camera.projector();
    const all = [...crowd.now.x.keys()].map((i) => project(crowd.now.x[i], crowd.now.y[i], 0.9));
    return all.find((p) => p && p[0] > 150 && p[0] < 900 && p[1] > 150 && p[1] < 700);
  });
  await page.mouse.click(spot[0], spot[1]);
  await until(page, () => document.querySelector("#facts")?.textContent.includes("Speed"));
  await page.click("#follow");
  await page.click("#play");
  await until(page, (s) => window.throng.status.step > s + 20, await step(page));
  const off = await page.evaluate(() => {
    const { camera, crowd, somebody } = window.throng;
    const found = crowd.find(somebody.following);
    return found ? Math.hypot(found.x - camera.target[0], found.y - camera.target[1]) : 99;
  });
  check(`${name}: somebody is picked and followed`, off < 1, off);
  await picture(page, `${name}-follow-1440-dark`);
  await page.keyboard.press("Escape");
}

async function parameters(page, name) {
  await page.click("#tab-parameters");
  await page.waitForSelector("#param-avoid-time_gap");
  await page.locator("#param-avoid-time_gap").fill("2");
  await until(page, () => window.throng.status.commands > 0);
  const { parameters: all } = await page.evaluate(() => window.throng.client.call("inspect.parameters"));
  const set = all.find((p) => p.name === "avoid.time_gap").value;
  check(`${name}: a parameter is set from its control`, set === 2, set);
}

/** What a screen reader finds: every control has a name, and the picture tells what it shows. */
async function names(page, name) {
  const bare = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
    .filter((e) => e.offsetParent !== null)
    .filter((e) => !(e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.labels?.length))
    .map((e) => e.outerHTML));
  const label = await page.getAttribute("#picture", "aria-label");
  check(`${name}: everything has a name for a screen reader`, bare.length === 0 && /\d+ people/.test(label), [bare, label]);
}

export async function watching(browser, name) {
  const complaints = [];
  const server = await serve("square", "--port", "0");
  let { page, ms } = await open(browser, server.url, [1440, 900], complaints);
  // The first time the browser itself is still starting.
  for (let i = 0; i < 3 && ms >= 2000; i++) {
    await page.close();
    ({ page, ms } = await open(browser, server.url, [1440, 900], complaints));
  }
  // Of a machine that has other work as well a page gets its share.
  const share = Math.max(1, os.loadavg()[0] / os.cpus().length);
  console.log(`     the crowd is seen after ${ms} ms; ${share.toFixed(1)} programs for each core`);
  check(`${name}: the crowd is seen within two seconds of a core's time`, ms < 2000 * share, [ms, share]);
  const by = await page.evaluate(() => window.throng.picture.constructor.name);
  check(`${name}: the picture is drawn by ${name}`, by === name, by);
  const moved = await movement(page);
  check(`${name}: the crowd is seen and moves where people are`, moved.of > 5 && moved.changed > moved.of / 2 && moved.colors > 12, moved);
  await picture(page, `${name}-3d-1440-dark`);
  await clock(page, name);
  await views(page, name);
  await past(page, name);
  await files(page, name);
  await following(page, name);
  await parameters(page, name);
  await names(page, name);
  check(`${name}: no error on the console`, complaints.length === 0, complaints);
  await page.close();
  await phone(browser, server, name);
  await server.end();
}

/** The same on a phone, by day. */
async function phone(browser, server, name) {
  const complaints = [];
  const { page } = await open(browser, server.url, [390, 844], complaints, { colorScheme: "light", hasTouch: true, deviceScaleFactor: 2 });
  const off = await page.evaluate(() => [...document.querySelectorAll("header *, nav *, footer *")]
    .filter((e) => e.offsetParent !== null && e.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.id || e.className));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name}: nothing is wider than a phone`, wide <= 390 && off.length === 0, [wide, off]);
  await picture(page, `${name}-3d-390-light`);
  const before = await page.evaluate(() => window.throng.camera.state());
  await page.touchscreen.tap(195, 420);
  await page.tap("#view-map");
  await until(page, () => window.throng.camera.mode === "map");
  await picture(page, `${name}-map-390-light`);
  await page.tap("#panel-toggle");
  await page.tap("#tab-measure");
  await page.waitForTimeout(800);
  await picture(page, `${name}-panel-390-light`);
  check(`${name}: fingers work`, before.mode === "3d" && (await page.isVisible("#chart-inside")));
  check(`${name}: no error on a phone`, complaints.length === 0, complaints);
  await page.close();
}
