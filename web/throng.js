// A client of `throng serve` for browsers, without dependencies: calls with answers, frames, fields, counters.
// The page uses it and so can others:
//
//     import { ThrongClient } from "./throng.js";
//     const client = new ThrongClient(location.href);
//     client.on("frame", (frame) => console.log(frame.step, frame.count));
//     client.connect();
//     await client.call("control.pause");

/** Version of the protocol. */
export const VERSION = 1;

const TAG = { FRAME: 1, FIELD: 2, HEIGHTS: 3 };
const HEAD = 52;
const RECORD = 7;
const FIELDS = ["density", "speed", "potential", "waiting"];
const PATIENCE_MS = 10_000;
const RETRY_MS = [250, 500, 1000, 2000, 4000];

/** Why a call was not done: `code` is one of the protocol's, `message` a line for people. */
export class CallError extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

function sessionName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** A connection that comes back by itself. */
export class ThrongClient {
  #listeners = new Map();
  #pending = new Map();
  #next = 1;
  #socket = null;
  #tries = 0;
  #timer = 0;
  #closed = false;
  #session = sessionName();

  /** @param {string} page Address of the page, with `#token=…` if the server wants one. */
  constructor(page) {
    const url = new URL(page);
    this.token = new URLSearchParams(url.hash.slice(1)).get("token");
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.pathname = "/live";
    url.hash = "";
    url.search = "";
    url.searchParams.set("session", this.#session);
    if (this.token) url.searchParams.set("token", this.token);
    this.url = url;
    this.scene = null;
    this.state = "closed";
    /** Calls that are made anew whenever the connection comes back: what this client wants to see. */
    this.wishes = new Map();
  }

  /** Calls `listener` for every `frame`, `field`, `heights`, `status`, `scene`, `event`, `complaint` or `state`. */
  on(name, listener) {
    const all = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, [...all, listener]);
    return this;
  }

  #emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  #setState(state, detail = "") {
    this.state = state;
    this.#emit("state", { state, detail });
  }

  /** Connects, and again whenever the connection is lost. */
  connect() {
    this.#closed = false;
    clearTimeout(this.#timer);
    this.#setState(this.#tries === 0 ? "connecting" : "reconnecting");
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = (message) => this.#hear(message.data);
    socket.onclose = (close) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      // Calls that were not answered are made again: the server does none of them twice.
      for (const call of this.#pending.values()) call.sent = false;
      if (this.#closed) return this.#setState("closed");
      const wait = RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)];
      this.#tries += 1;
      this.#setState("reconnecting", close.reason);
      this.#timer = setTimeout(() => this.connect(), wait);
    };
  }

  /** Ends the connection. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /**
   * Makes a call; its answer, or a `CallError`.
   * @param {string} name Procedure, such as `control.pause`.
   * @param {object} args Its arguments by name.
   */
  call(name, args = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const text = JSON.stringify({ id, call: name, with: args });
      const late = setTimeout(() => {
        this.#pending.delete(id);
        reject(new CallError("late", `${name}: no answer`));
      }, PATIENCE_MS);
      this.#pending.set(id, { text, resolve, reject, late, sent: this.#send(text) });
    });
  }

  /** Makes a call of the program `view`, now and whenever the connection comes back. */
  wish(name, args) {
    this.wishes.set(name, args);
    if (this.state !== "open") return Promise.resolve();
    return this.call(name, args).catch((error) => this.#emit("complaint", error));
  }

  #send(text) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(text);
    return true;
  }

  #hear(data) {
    if (typeof data === "string") return this.#hearText(JSON.parse(data));
    const view = new DataView(data);
    const tag = view.getUint8(0);
    if (tag === TAG.FRAME) {
      const frame = decodeFrame(data);
      if (!this.scene) return;
      this.#emit("frame", frame);
      // Only now: a page that cannot keep up gets fewer frames.
      if (!frame.past) this.#send(JSON.stringify({ ack: frame.sequence }));
    } else if (tag === TAG.FIELD) {
      this.#emit("field", decodeField(data));
    } else if (tag === TAG.HEIGHTS) {
      this.#emit("heights", decodeHeights(data));
    }
  }

  #hearText(message) {
    if (message.id !== undefined) {
      const call = this.#pending.get(message.id);
      if (!call) return;
      this.#pending.delete(message.id);
      clearTimeout(call.late);
      if (message.error) call.reject(new CallError(message.error.code, message.error.text));
      else call.resolve(message.ok);
    } else if (message.status) {
      this.#emit("status", message.status);
    } else if (message.scene) {
      this.scene = message.scene;
      this.#emit("scene", message.scene);
    } else if (message.hello) {
      this.#greet(message.hello);
    } else if (message.event) {
      this.#emit("event", message.event);
    } else if (message.error) {
      this.#emit("complaint", new CallError(message.error.code, message.error.text));
    }
  }

  #greet(hello) {
    if (hello.version !== VERSION) {
      this.close();
      return this.#setState("closed", `the server speaks version ${hello.version}; reload the page`);
    }
    this.#tries = 0;
    this.hello = hello;
    this.#setState("open");
    for (const call of this.#pending.values()) if (!call.sent) call.sent = this.#send(call.text);
    for (const [name, args] of this.wishes) this.wish(name, args);
  }
}

/** Everybody at one moment: columns in the order of the agents' numbers. Places are 16 bits of the scene's bounds. */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  const flags = view.getUint16(2, true);
  const count = view.getUint32(32, true);
  const numbers = view.getUint32(40, true);
  const frame = {
    sequence: view.getUint32(4, true),
    step: Number(view.getBigUint64(8, true)),
    time: view.getFloat64(16, true),
    jump: view.getUint32(24, true),
    people: view.getUint32(28, true),
    count,
    part: (flags & 2) !== 0,
    past: (flags & 4) !== 0,
    bytes: buffer.byteLength,
    ids: new Uint32Array(count),
    x: new Uint16Array(count),
    y: new Uint16Array(count),
    kind: new Uint16Array(count),
    heading: new Uint8Array(count),
    clip: new Uint8Array(count),
  };
  readNumbers(new Uint8Array(buffer, HEAD, numbers), view.getUint32(36, true), (flags & 1) !== 0, frame.ids);
  const bytes = new Uint8Array(buffer, HEAD + numbers);
  for (let i = 0, at = 0; i < count; i++, at += RECORD) {
    frame.x[i] = bytes[at] | (bytes[at + 1] << 8);
    frame.y[i] = bytes[at + 2] | (bytes[at + 3] << 8);
    const word = bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16);
    frame.kind[i] = word & 0xfff;
    frame.heading[i] = (word >> 12) & 63;
    frame.clip[i] = (word >> 18) & 63;
  }
  return frame;
}

function readNumbers(bytes, base, gaps, ids) {
  let n = 0;
  if (!gaps) {
    for (let i = 0; i < bytes.length; i++) {
      for (let rest = bytes[i], bit = 0; rest; rest >>= 1, bit++) {
        if (rest & 1) ids[n++] = base + 8 * i + bit;
      }
    }
    return;
  }
  if (ids.length > 0) ids[n++] = base;
  for (let at = 0; at < bytes.length; n++) {
    let gap = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      gap += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    ids[n] = ids[n - 1] + gap + 1;
  }
}

/** A field: `cells` has a byte for each, 0 for none, 1 to 255 from `low` to `high`. */
export function decodeField(buffer) {
  const view = new DataView(buffer);
  const f32 = (at) => view.getFloat32(at, true);
  return {
    kind: FIELDS[view.getUint8(2)],
    step: Number(view.getBigUint64(4, true)),
    width: view.getUint32(12, true),
    height: view.getUint32(16, true),
    origin: [f32(20), f32(24)],
    cell: f32(28),
    low: f32(32),
    high: f32(36),
    cells: new Uint8Array(buffer, 40),
  };
}

/** Heights at the middles of cells (metres). */
export function decodeHeights(buffer) {
  const view = new DataView(buffer);
  const f32 = (at) => view.getFloat32(at, true);
  const [width, height] = [view.getUint32(4, true), view.getUint32(8, true)];
  const [low, high] = [f32(24), f32(28)];
  const values = new Float32Array(width * height);
  for (let i = 0; i < values.length; i++) {
    values[i] = low + (view.getUint16(32 + 2 * i, true) / 65535) * (high - low);
  }
  return { width, height, origin: [f32(12), f32(16)], cell: f32(20), low, high, values };
}
