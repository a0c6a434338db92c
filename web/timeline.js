// Time: the clock's buttons and the timeline. The past of a living crowd is for this page alone; a recording is
// sought in for everybody.

import { clock } from "./charts.js";
import { icon } from "./icons.js";

const $ = (id) => document.getElementById(id);

export class Timeline {
  constructor(app) {
    this.app = app;
    /** The step of the past that is looked at, or nothing. */
    this.looking = null;
    this.moving = false;
    const { client } = app;
    $("play").onclick = () => this.toggle();
    $("step").onclick = () => this.step();
    $("reset").onclick = () => app.attempt(() => client.call("control.reset"));
    $("speed").onchange = (e) => app.attempt(() => client.call("control.speed", { value: Number(e.target.value) }));
    $("scrub").oninput = (e) => this.scrub(Number(e.target.value));
    $("now").onclick = () => this.present();
    $("step").prepend(icon("step"));
    $("reset").prepend(icon("reset"));
  }

  /** Shows the counters. */
  update(status) {
    const play = $("play");
    const word = status.playing ? "Pause" : "Play";
    if (play.dataset.word !== word) {
      play.dataset.word = word;
      play.replaceChildren(icon(word.toLowerCase()), word);
    }
    play.setAttribute("aria-pressed", String(status.playing));
    const speed = $("speed");
    const pace = String(status.speed);
    if (![...speed.options].some((option) => option.value === pace)) speed.append(new Option(`${pace}×`, pace));
    if (document.activeElement !== speed) speed.value = pace;
    const scrub = $("scrub");
    const { scene } = this.app;
    const [first, last] = scene?.steps ?? status.remembered;
    scrub.min = first;
    scrub.max = Math.max(last, first + 1);
    const { looking } = this;
    if (!this.moving) scrub.value = looking ?? status.step;
    const shown = looking === null ? status.time : looking * scene.dt;
    const whole = scene?.steps ? ` / ${clock((last - first) * scene.dt)}` : "";
    $("clock").textContent = looking === null ? `${clock(status.time)}${whole}` : `${clock(shown)}  −${clock(status.time - shown)}`;
    $("now").hidden = looking === null;
    scrub.setAttribute("aria-valuetext", clock(shown));
  }

  scrub(step) {
    const { app } = this;
    if (!app.scene) return;
    this.next = step;
    if (this.moving) return;
    this.moving = true;
    app.attempt(async () => {
      try {
        while (this.next !== null) {
          const to = this.next;
          this.next = null;
          if (app.scene.live) {
            this.looking = to;
            const { step: found } = await app.client.call("view.look", { step: to });
            this.looking = found;
          } else {
            await app.client.call("control.seek", { step: to });
          }
        }
      } finally {
        this.moving = false;
      }
    }).then(() => app.status && this.update(app.status));
  }

  present() {
    const { app } = this;
    this.looking = null;
    app.attempt(() => app.client.call("view.look", {}));
    if (app.status) this.update(app.status);
  }

  toggle() {
    const { app } = this;
    const call = app.status?.playing ? "control.pause" : "control.play";
    if (this.looking !== null) this.present();
    return app.attempt(() => app.client.call(call));
  }

  step() {
    return this.app.attempt(() => this.app.client.call("control.step", { count: 1 }));
  }
}
