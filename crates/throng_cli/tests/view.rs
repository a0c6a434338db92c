//! The window, on a display in memory: opened, driven and looked at.
#![cfg(all(feature = "view", target_os = "linux"))]

mod display;

use display::{Display, Picture, wait_for};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const SIZE: [usize; 2] = [800, 450];

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_throng"))
}

/// A folder that is gone after the test, unless `THRONG_KEEP` is set.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let mut folder = tempfile::tempdir().expect("a folder");
        folder.disable_cleanup(std::env::var_os("THRONG_KEEP").is_some());
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn state_path(&self, name: &str) -> PathBuf {
        self.path(&format!("{name}.json"))
    }

    fn state(&self, name: &str) -> Value {
        let text =
            std::fs::read_to_string(self.state_path(name)).expect("a state that was written");
        serde_json::from_str(&text).expect("JSON")
    }

    fn shot(&self, name: &str) -> Picture {
        Picture::read(&self.path(&format!("{name}.png")))
    }

    /// Writes a script; files in it are named without their folder.
    fn script(&self, lines: &str) -> PathBuf {
        let path = self.path("script.txt");
        let whole = |line: &str| match line.trim().split_once(' ') {
            Some((word @ "state", name)) => {
                format!("{word} {}\n", self.state_path(name).display())
            }
            Some((word @ "shot", name)) => {
                format!("{word} {}.png\n", self.path(name).display())
            }
            None if line.trim() == "away" => AWAY.to_owned(),
            _ => format!("{line}\n"),
        };
        std::fs::write(&path, lines.lines().map(whole).collect::<String>()).expect("a script");
        path
    }
}

fn view(display: &Display, files: &Files, script: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command
        .args(["view", "bottleneck", "--size", "800x450", "--no-light-map", "--script"])
        .arg(script)
        .args(more)
        .env("DISPLAY", display.name())
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(files.0.path());
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The pointer goes where it covers nothing.
const AWAY: &str = "move 790 5\nframes 1\n";

/// If this fails, the window does not open, input does nothing or something else, an overlay shows nothing,
/// a lost device or a window of nothing ends it, or what was done cannot be done again.
#[test]
fn a_session_is_driven_and_can_be_repeated() {
    let (display, files) = (Display::start(), Files::new());
    let script = files.script(
        "steps 4
         key space
         frames 2
         away
         shot plain
         state paused
         frames 3
         shot still
         click @tool-gas
         click ground 9 6
         state gas
         away
         shot gas
         click @tool-move
         drag ground 9 6 to ground 10 7
         state moved
         click @tool-look
         click agent
         away
         shot picked
         state picked
         key f
         frames 1
         state follow
         key o
         key escape
         click @tool-erase
         click ground 10 7
         state erased
         away
         shot none
         click @layer-cost
         away
         shot cost
         click @layer-potential
         away
         shot potential
         click @layer-directions
         away
         shot directions
         click @layer-density
         away
         shot density
         click @layer-bins
         away
         shot bins
         click @layer-speed
         away
         shot speed
         click @layer-detail
         away
         shot detail
         click @layer-culled
         away
         shot culled
         state culled
         click @layer-none
         click @tool-wall
         drag ground 7 3 to ground 9.5 3.5
         away
         shot wall
         state walled
         click @step
         click @step
         state stepped
         click @record
         click @play
         steps 8
         click @play
         click @record
         lose-device
         frames 2
         away
         shot after-loss
         state after-loss
         resize 0 0
         frames 3
         resize 640 360
         minimise
         frames 3
         restore
         frames 2
         shot small
         state end
         quit",
    );
    let log = files.path("log.jsonl");
    let log = log.to_str().expect("a name");
    let mut window = view(&display, &files, &script, &["--commands", log, "--record", "clip.gif"]);
    let output = window.output().expect("the program starts");
    assert!(output.status.success(), "{}", told(&output));

    // Pause stops the clock.
    let (paused, gas) = (files.state("paused"), files.state("gas"));
    assert_eq!((&paused["playing"], &paused["step"]), (&false.into(), &gas["step"]));
    let free = [240, 4, SIZE[0] - 4, SIZE[1] - 44];
    let (plain, still) = (files.shot("plain"), files.shot("still"));
    assert_eq!(plain.size(), SIZE);
    assert!(plain.colours(free) > 500, "the picture has {} colours", plain.colours(free));
    assert_eq!(plain.changed(&still, free), 0, "a paused picture stands still");
    // The panel is there, dark and with text on it, and leaves the picture free.
    for part in [[0, 0, 232, SIZE[1]], [0, SIZE[1] - 30, SIZE[0], SIZE[1]]] {
        assert!(plain.dark(part) > 0.6, "{part:?}: {} of it is dark", plain.dark(part));
        assert!(plain.colours(part) > 30, "{part:?} has no text");
    }
    assert!(plain.dark(free) < 0.5, "the panel covers the picture");

    // Gas is where it was dropped, in the crowd and in the picture.
    assert_eq!(gas["commands"], 1);
    let hazard = &gas["hazards"][0];
    assert_eq!(hazard["name"], "gas");
    let off = [(0, 9.0), (1, 6.0)].map(|(i, v)| (hazard["at"][i].as_f64().expect("x") - v).abs());
    assert!(off.iter().all(|off| *off < 0.2), "{hazard}");
    let [x, y] = [0, 1].map(|i| gas["pointer"][i].as_f64().expect("x") as usize);
    let around = [x - 20, y.saturating_sub(20), x + 20, y + 20];
    let changed = plain.changed(&files.shot("gas"), around);
    assert!(changed > 400, "gas changes {changed} of 1600 pixels around where it was dropped");

    // It can be moved, and taken away.
    let at = |state: &Value| [0, 1].map(|i| state["hazards"][0]["at"][i].as_f64().expect("x"));
    let moved = at(&files.state("moved"));
    assert!((moved[0] - 10.0).abs() + (moved[1] - 7.0).abs() < 0.4, "{moved:?}");
    assert_eq!(files.state("erased")["hazards"], serde_json::json!([]));

    // Somebody is told of, and followed.
    let follow = files.state("follow");
    assert_eq!(follow["camera"], "follow");
    assert_ne!(follow["eye"], paused["eye"]);
    let picked = files.state("picked");
    assert!(picked["selected"].is_u64(), "{picked}");
    assert_eq!(picked["goal"], "exit");
    assert!(picked["way_metres"].as_f64().is_some_and(|m| m > 1.0), "{}", picked["way_metres"]);
    let card = [SIZE[0] - 230, 20, SIZE[0] - 30, 180];
    let before = files.shot("gas");
    assert!(before.changed(&files.shot("picked"), card) > 8000, "no card for who was picked");

    // Overlays change the picture, each in its own way.
    let none = files.shot("none");
    let mut shots = Vec::new();
    let layers =
        ["cost", "potential", "directions", "density", "bins", "speed", "detail", "culled"];
    for layer in layers {
        let shot = files.shot(layer);
        let changed = none.changed(&shot, free);
        assert!(changed > 1500, "{layer} changes {changed} pixels");
        for (other, seen) in &shots {
            assert!(shot.changed(seen, free) > 800, "{layer} looks like {other}");
        }
        shots.push((layer, shot));
    }
    assert_eq!(files.state("culled")["layer"], "culled");

    // A wall is built, and steps are made one by one.
    let (walled, stepped) = (files.state("walled"), files.state("stepped"));
    assert_eq!(walled["walls"], 3);
    assert!(none.changed(&files.shot("wall"), free) > 300, "no wall is to be seen");
    assert_eq!(stepped["step"].as_u64(), walled["step"].as_u64().map(|step| step + 2));

    // Another device goes on where the lost one was, and a window of nothing ends nothing.
    let lost = files.state("after-loss");
    assert_eq!(lost["device_losses"], 1);
    assert!(files.shot("after-loss").colours(free) > 500);
    let end = files.state("end");
    assert_eq!(end["device_losses"], 1);
    assert_eq!(files.shot("small").size(), [640, 360]);
    let notices = end["notices"].to_string();
    assert!(!notices.contains("GPU:"), "errors of the device: {notices}");
    let clip = std::fs::metadata(files.path("clip.gif")).expect("a clip");
    assert!(clip.len() > 10_000, "a clip of {} bytes", clip.len());

    // The log repeats the session to the same hash, in another program without a window.
    let run = ["run", "bottleneck", "--quiet", "--json", "--commands", log];
    let again = program().args(run).output().expect("the program starts");
    assert!(again.status.success(), "{}", told(&again));
    let summary: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!((&summary["hash"], &summary["steps"]), (&end["hash"], &end["step"]));
    assert_eq!(summary["commands"]["done"], end["commands"]);
    assert_eq!(summary["commands"]["hashes_equal"], 1);
    // For somebody to watch, too.
    let watch = files.script(&format!("steps {}\nstate watched\nshot watched\nquit", end["step"]));
    let mut window = view(&display, &files, &watch, &["--replay", log, "--speed", "8"]);
    let output = window.output().expect("the program starts");
    assert!(output.status.success(), "{}", told(&output));
    let watched = files.state("watched");
    assert!(watched["step"].as_u64() >= end["step"].as_u64());
    assert_eq!(watched["walls"], walled["walls"]);
    // And it is the commands that do it.
    let steps = end["step"].to_string();
    let plain = ["run", "bottleneck", "--quiet", "--json", "--steps", &steps];
    let other = program().args(plain).output().expect("the program starts");
    let other: Value = serde_json::from_slice(&other.stdout).expect("JSON");
    assert_ne!(other["hash"], end["hash"]);
    // What does not belong together is refused.
    for wrong in
        [&["run", "corridor", "--commands", log][..], &[&run[..], &["--seed", "9"]].concat()]
    {
        assert_eq!(program().args(wrong).output().expect("starts").status.code(), Some(2));
    }
}

/// If this fails, real keys and a real mouse do nothing, or a window that the system hides ends the program.
#[test]
fn the_display_own_events_are_heard() {
    let (display, files) = (Display::start(), Files::new());
    let script = files.script(
        "steps 4
         state ready
         until paused
         frames 2
         state paused
         until selected
         frames 2
         state selected
         until playing
         frames 12
         state end
         quit",
    );
    let mut window = view(&display, &files, &script, &[])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let patience = Duration::from_secs(300);
    wait_for(&files.state_path("ready"), patience, &mut window);
    let id = display.xdotool(&["search", "--name", "^throng: "]);
    let id = id.lines().last().expect("a window").trim().to_owned();
    display.xdotool(&["windowfocus", &id]);
    display.xdotool(&["key", "space"]);
    wait_for(&files.state_path("paused"), patience, &mut window);
    let paused = files.state("paused");
    assert_eq!(paused["playing"], false);
    let at = [0, 1].map(|i| (paused["somebody"][i].as_f64().expect("x") as i64).to_string());
    display.xdotool(&["mousemove", "--window", &id, &at[0], &at[1]]);
    display.xdotool(&["click", "1"]);
    wait_for(&files.state_path("selected"), patience, &mut window);
    assert!(files.state("selected")["selected"].is_u64());
    for command in [
        &["windowunmap", &id][..],
        &["windowmap", &id],
        &["windowsize", &id, "1", "1"],
        &["windowsize", &id, "500", "300"],
        &["windowfocus", &id],
        &["key", "space"],
    ] {
        display.xdotool(command);
        std::thread::sleep(Duration::from_millis(300));
    }
    wait_for(&files.state_path("end"), patience, &mut window);
    let output = window.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", told(&output));
    let end = files.state("end");
    assert_eq!((&end["playing"], &end["size"]), (&true.into(), &serde_json::json!([500, 300])));
    assert!(!end["notices"].to_string().contains("GPU:"), "{}", end["notices"]);
}

/// If this fails, whoever has no display is told riddles.
#[test]
fn no_display_is_said_in_a_line() {
    for (name, value) in [("DISPLAY", ""), ("DISPLAY", ":7777")] {
        let output = program()
            .args(["view", "bottleneck"])
            .env(name, value)
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = told(&output);
        let lines: Vec<_> = said.lines().filter(|line| line.starts_with("throng: ")).collect();
        assert_eq!(lines.len(), 1, "{said}");
        assert!(lines[0].starts_with("throng: no window can be opened: "), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    let wrong = program().args(["view", "no-such-scene"]).output().expect("the program starts");
    assert_eq!(wrong.status.code(), Some(2));
}

/// If this fails, a crowd that lives on the GPU cannot be looked at.
#[test]
fn a_crowd_on_the_gpu_is_seen() {
    let (display, files) = (Display::start(), Files::new());
    let script = files.script(
        "steps 3
         key space
         frames 2
         click agent
         away
         shot seen
         state seen
         quit",
    );
    let mut window = view(&display, &files, &script, &["--backend", "gpu", "--agents", "100"]);
    let output = window.output().expect("the program starts");
    assert!(output.status.success(), "{}", told(&output));
    let state = files.state("seen");
    assert_eq!((&state["backend"], &state["people"]), (&"gpu".into(), &100.into()));
    assert!(state["selected"].is_u64(), "{state}");
    assert!(files.shot("seen").colours([240, 4, SIZE[0] - 4, SIZE[1] - 44]) > 500);
    assert!(!state["notices"].to_string().contains("GPU:"), "{}", state["notices"]);
}
