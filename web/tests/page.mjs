// Drives the page in Chromium as a person would: `node page.mjs PROGRAM [--pictures FOLDER]`. PROGRAM is `throng`.
// Watching runs twice, by WebGPU (on SwiftShader) and without it. Exit code 1 if anything fails; what is broken
// then is said by the name of the check.

import fs from "node:fs";
import { attempt, done, launch, pictures } from "./kit.mjs";
import { counting, gas, replaying, restarting } from "./steering.mjs";
import { watching } from "./watching.mjs";

if (pictures) fs.mkdirSync(pictures, { recursive: true });
const gpu = await launch("WebGPU");
await attempt("watching by WebGPU", () => watching(gpu, "WebGPU"));
await attempt("a cloud", () => gas(gpu));
await attempt("counting", () => counting(gpu));
await gpu.close();
const gl = await launch("WebGL2");
await attempt("watching by WebGL2", () => watching(gl, "WebGL2"));
await attempt("restarting", () => restarting(gl));
await attempt("replaying", () => replaying(gl));
await gl.close();
done();
