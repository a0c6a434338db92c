// The page as somebody uses it who steers: clouds, lines, a server that dies, recordings.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { check, clickAt, folder, open, picture, program, serve, step, until } from "./kit.mjs";

const stepped = async (page, count) => {
  const from = await step(page);
  await page.evaluate((count) => window.throng.client.call("control.step", { count }), count);
  await until(page, (to) => window.throng.status.step === to && window.throng.status.on_its_way === null, from + count);
  return page.evaluate(async () => (await window.throng.client.call("inspect.status")).lines.map((line) => line.count));
};

async function line(page, a, b) {
  const before = await page.evaluate(() => window.throng.status.lines.length);
  await page.click("#tool-line");
  await clickAt(page, ...a);
  await clickAt(page, ...b);
  await until(page, (n) => window.throng.status.lines.length === n + 1, before);
}

/** A cloud is dropped by a click; fewer people cross where it is than did without it, more beside it. */
export async function gas(browser) {
  const server = await serve("corridor", "--port", "0", "--paused");
  const complaints = [];
  const { page } = await open(browser, server.url, [1440, 900], complaints);
  await page.click("#view-map");
  const [x0, y0, x1, y1] = await page.evaluate(() => window.throng.scene.bounds);
  const [x, y, half] = [x0 + 0.5 * (x1 - x0), (y0 + y1) / 2, (y1 - y0) / 5];
  await line(page, [x, y - half], [x, y + half]);
  await line(page, [x, y0 + 0.05], [x, y - half]);
  await line(page, [x, y + half], [x, y1 - 0.05]);
  const without = await stepped(page, 700);
  await page.click("#reset");
  await until(page, () => window.throng.status.step === 0);
  await page.click("#tool-gas");
  await page.evaluate((radius) => Object.assign(window.throng.gas, { radius, fear_radius: radius }), half * 1.15);
  await clickAt(page, x, y);
  await until(page, () => window.throng.status.hazards.length === 1);
  const at = await page.evaluate(() => window.throng.status.hazards[0].at);
  check("a click drops a cloud where it is", Math.hypot(at[0] - x, at[1] - y) < 0.2, [at, x, y]);
  const halfway = await stepped(page, 350);
  await picture(page, "gas-1440-dark");
  const rest = await stepped(page, 350);
  const [through, beside] = [rest[0], rest[1] + rest[2]];
  const people = without[0] + without[1] + without[2];
  check("the flow goes round the cloud", through < 0.3 * without[0] && beside > without[1] + without[2] && through + beside > 0.7 * people, { without, halfway, rest });
  check("no error with a cloud", complaints.length === 0, complaints);
  await page.close();
  await server.end();
}

/** A line counts what the server and a repeated run count. */
export async function counting(browser) {
  const log = path.join(folder, "log.jsonl");
  const server = await serve("bottleneck", "--port", "0", "--paused", "--commands", log, "--speed", "8");
  const complaints = [];
  const { page } = await open(browser, server.url, [1440, 900], complaints);
  await page.click("#view-map");
  const [x0, y0, x1, y1] = await page.evaluate(() => window.throng.scene.bounds);
  await line(page, [(x0 + x1) / 2, y0 + 0.2], [(x0 + x1) / 2, y1 - 0.2]);
  await page.click("#tool-people");
  await clickAt(page, x0 + 3, y0 + 2);
  await until(page, () => window.throng.status.commands === 1);
  await page.click("#play");
  await until(page, () => window.throng.status.step > 160);
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  const { shown, status } = await page.evaluate(async () => {
    const status = await window.throng.client.call("inspect.status");
    await window.throng.client.call("capture.checkpoint");
    return { shown: Number(document.getElementById("gauges").textContent.match(/: (\d+) crossed/)[1]), status };
  });
  const { count, ends } = status.lines[0];
  check("the page's line shows the server's own count", shown === count && count > 0, [shown, count]);
  check("no error while counting", complaints.length === 0, complaints);
  await page.close();
  await server.end();
  const run = spawnSync(program, ["run", "bottleneck", "--commands", log, "--line", ends.flat().join(","), "--json", "--quiet"]);
  const summary = run.status === 0 ? JSON.parse(run.stdout.toString()) : { stderr: run.stderr.toString() };
  check("throng run repeats it to the same hash", run.status === 0 && summary.commands?.hashes_equal >= 1 && summary.commands.left === 0 && summary.steps === status.step, summary.stderr ?? [summary.steps, status.step]);
  check("and counts the same at the line", summary.lines?.[0].crossed === count, [summary.lines, count]);
}

/** The server dies and comes again: the page says so, and goes on. */
export async function restarting(browser) {
  let server = await serve("bottleneck", "--port", "0");
  const faults = [];
  const { page } = await open(browser, server.url, [1024, 700], []);
  page.on("pageerror", (e) => faults.push(e.message));
  await server.end("SIGKILL");
  await until(page, () => !document.getElementById("banner").hidden);
  check("the page says that the server is gone", /server is gone/.test(await page.textContent("#banner")));
  server = await serve("bottleneck", "--port", server.port);
  await until(page, () => document.getElementById("banner").hidden && window.throng.client.state === "open");
  const now = await step(page);
  await until(page, (s) => window.throng.status.step > 3 && window.throng.status.step !== s && window.throng.crowd.now.frame.step > 3, now);
  check("it connects again and goes on", faults.length === 0, faults);
  await page.click("#play");
  await until(page, () => !window.throng.status.playing);
  check("and can be steered again", true);
  await page.close();
  await server.end();
}

/** A recording is watched and sought in. */
export async function replaying(browser) {
  const file = path.join(folder, "run.sqlite");
  spawnSync(program, ["run", "bottleneck", "--seconds", "8", "--trajectory", file, "--quiet"]);
  const server = await serve(file, "--port", "0", "--paused");
  const complaints = [];
  const { page } = await open(browser, server.url, [1440, 900], complaints, { colorScheme: "light" });
  const [first, last] = await page.evaluate(() => window.throng.scene.steps);
  const box = await page.locator("#scrub").boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await until(page, (s) => window.throng.status.step > s, first + (last - first) / 3);
  const at = await step(page);
  check("a click on the timeline seeks", Math.abs(at - (first + (last - first) * 0.6)) < (last - first) * 0.1, [at, last]);
  await until(page, (s) => window.throng.crowd.now.frame.step === s, at);
  await picture(page, "recording-1440-light");
  check("tools that change are not offered", !(await page.isVisible("#tool-gas")) && (await page.isVisible("#tool-line")));
  check("no error in a recording", complaints.length === 0, complaints);
  await page.close();
  await server.end();
}
