// Somebody who was clicked: what they do is asked for again and again, and the camera may follow them.

export class Somebody {
  constructor(app) {
    Object.assign(this, { app, selected: null, following: null, told: null, asked: false });
  }

  select(agent) {
    const { app } = this;
    this.selected = agent;
    this.told = null;
    if (agent === null) this.follow(null);
    else app.panel.show("view");
    app.panel.somebody(null);
    this.ask();
    app.touch();
  }

  /** Asks what they do now. */
  async ask() {
    const { app } = this;
    if (this.selected === null || this.asked || app.client.state !== "open") return;
    this.asked = true;
    try {
      const told = await app.client.call("inspect.agent", { agent: this.selected });
      if (told.agent === this.selected) {
        this.told = told;
        app.panel.somebody(told);
      }
    } catch (error) {
      if (error.code === "refused") this.select(null);
    } finally {
      this.asked = false;
    }
  }

  follow(agent) {
    const { app } = this;
    if (this.following === agent) return;
    this.following = agent;
    app.client.wish("view.follow", agent === null ? {} : { agent });
    if (agent !== null && app.camera.mode === "3d") {
      app.camera.distance = Math.min(app.camera.distance, 12);
      app.camera.pitch = Math.min(app.camera.pitch, 0.35);
    }
    app.panel.somebody(this.told);
    app.touch();
  }

  /** Brings the camera to whoever is followed; whether that changes the view. */
  track() {
    const { app } = this;
    const found = this.following === null ? null : app.crowd.find(this.following);
    if (found) Object.assign(app.camera, { target: [found.x, found.y, 0], isHome: false });
    return found !== null;
  }

  remove() {
    const { app, selected: agent } = this;
    if (agent === null || !app.scene.live) return false;
    this.select(null);
    return app.attempt(() => app.client.call("world.remove", { agent }));
  }
}
