//! Scripts: input from a file instead of hands, through the same doors. For tests and demonstrations.
//!
//! A line is a command; `#` begins a comment.
//!
//! | command | what it does |
//! |---|---|
//! | `frames N`, `steps N` | waits for so many frames, or until the crowd is at this step |
//! | `move SPOT`, `click SPOT`, `drag SPOT to SPOT` | the pointer, and its left button |
//! | `wheel N`, `key NAME` | the wheel, a key |
//! | `resize W H`, `minimise`, `restore` | the window |
//! | `lose-device` | takes the GPU away |
//! | `until playing`, `until paused`, `until selected` | waits for hands |
//! | `shot FILE`, `state FILE` | writes the picture with the panel, or what there is to tell as JSON |
//! | `quit` | closes the window |
//!
//! A SPOT is `X Y` in pixels, `@NAME` of something on the panel, `ground X Y` in metres, `agent N` or `agent`.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use glam::Vec2;

use crate::{Button, Input, Key, ViewError, Viewer};

/// A script waits at most so long.
const PATIENCE: Duration = Duration::from_secs(240);

/// A script that was read.
#[derive(Clone, Debug)]
pub struct Script {
    acts: Vec<(usize, Act)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Act {
    Frames(u32),
    Steps(u64),
    Until(Wish),
    Move(Spot),
    Button(bool),
    /// Down and up again within a frame, however long that is.
    Click,
    Wheel(f32),
    Key(Key, bool),
    Resize([u32; 2]),
    Minimise(bool),
    LoseDevice,
    Shot(PathBuf),
    State(PathBuf),
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wish {
    Playing,
    Paused,
    Selected,
}

#[derive(Clone, Debug, PartialEq)]
enum Spot {
    Pixel(Vec2),
    Panel(String),
    Ground(Vec2),
    Agent(Option<u32>),
}

/// Where a script is played.
pub(crate) trait Stage {
    fn viewer(&mut self) -> &mut Viewer;
    fn resize(&mut self, size: [u32; 2]) -> Result<(), ViewError>;
    fn minimise(&mut self, hidden: bool) -> Result<(), ViewError>;
    fn lose_device(&mut self);
    fn shot(&mut self, path: &Path) -> Result<(), ViewError>;
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// A line that is none.
    pub fn parse(text: &str) -> Result<Self, ViewError> {
        let mut acts = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let bad = || ViewError::Script { line: i + 1, what: format!("{line:?} is not known") };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let parsed = parse(word, rest.trim()).ok_or_else(bad)?;
            acts.extend(parsed.into_iter().map(|act| (i + 1, act)));
        }
        Ok(Self { acts })
    }

    /// Reads a script from a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is none.
    pub fn read(path: &Path) -> Result<Self, ViewError> {
        let text = std::fs::read_to_string(path).map_err(|e| ViewError::file(path, e))?;
        Self::parse(&text)
    }
}

/// The acts of a command: hands take a frame for each.
fn parse(word: &str, rest: &str) -> Option<Vec<Act>> {
    let numbers = |count: usize| -> Option<Vec<u32>> {
        let all: Vec<u32> =
            rest.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        (all.len() == count).then_some(all)
    };
    let file = || (!rest.is_empty()).then(|| PathBuf::from(rest));
    let drag = |from: Spot, to: Spot| {
        vec![Act::Move(from), Act::Button(true), Act::Move(to), Act::Button(false), Act::Frames(1)]
    };
    Some(match word {
        "frames" => vec![Act::Frames(rest.parse().ok()?)],
        "steps" => vec![Act::Steps(rest.parse().ok()?)],
        "until" => vec![Act::Until(match rest {
            "playing" => Wish::Playing,
            "paused" => Wish::Paused,
            "selected" => Wish::Selected,
            _ => return None,
        })],
        "move" => vec![Act::Move(spot(rest)?)],
        "click" => vec![Act::Move(spot(rest)?), Act::Click, Act::Frames(1)],
        "drag" => {
            let (from, to) = rest.split_once(" to ")?;
            drag(spot(from)?, spot(to)?)
        }
        "wheel" => vec![Act::Wheel(rest.parse().ok()?)],
        "key" => {
            let key = Key::named(rest)?;
            vec![Act::Key(key, true), Act::Key(key, false)]
        }
        "resize" => vec![Act::Resize(numbers(2)?.try_into().ok()?)],
        "minimise" => vec![Act::Minimise(true)],
        "restore" => vec![Act::Minimise(false)],
        "lose-device" => vec![Act::LoseDevice],
        "shot" => vec![Act::Shot(file()?)],
        "state" => vec![Act::State(file()?)],
        "quit" => vec![Act::Quit],
        _ => return None,
    })
}

fn spot(text: &str) -> Option<Spot> {
    let point = |text: &str| -> Option<Vec2> {
        let (x, y) = text.trim().split_once(char::is_whitespace)?;
        Some(Vec2::new(x.parse().ok()?, y.trim().parse().ok()?))
    };
    let text = text.trim();
    if let Some(name) = text.strip_prefix('@') {
        return Some(Spot::Panel(name.to_owned()));
    }
    if let Some(rest) = text.strip_prefix("ground") {
        return point(rest).map(Spot::Ground);
    }
    if let Some(rest) = text.strip_prefix("agent") {
        let rest = rest.trim();
        let number = if rest.is_empty() { None } else { Some(rest.parse().ok()?) };
        return Some(Spot::Agent(number));
    }
    point(text).map(Spot::Pixel)
}

/// A script under way.
#[derive(Debug)]
pub(crate) struct Player {
    acts: VecDeque<(usize, Act)>,
    /// Frames since the last command, and when that was.
    waited: u32,
    since: Instant,
}

impl Player {
    pub(crate) fn new(script: Script) -> Self {
        Self { acts: script.acts.into(), waited: 0, since: Instant::now() }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.acts.is_empty()
    }

    /// Does the next thing, after a frame.
    pub(crate) fn turn(&mut self, stage: &mut dyn Stage) -> Result<(), ViewError> {
        let Some((line, act)) = self.acts.front().cloned() else { return Ok(()) };
        let fail = |what: String| ViewError::Script { line, what };
        let wait_for = match &act {
            Act::Frames(frames) => Some(self.waited >= *frames),
            Act::Steps(step) => Some(stage.viewer().session().steps() >= *step),
            Act::Until(Wish::Playing) => Some(stage.viewer().session().playing()),
            Act::Until(Wish::Paused) => Some(!stage.viewer().session().playing()),
            Act::Until(Wish::Selected) => Some(stage.viewer().state().selected.is_some()),
            _ => None,
        };
        if wait_for == Some(false) {
            self.waited += 1;
            if self.since.elapsed() > PATIENCE {
                return Err(fail("waited in vain".into()));
            }
            return Ok(());
        }
        (self.waited, self.since) = (0, Instant::now());
        self.acts.pop_front();
        match act {
            Act::Frames(_) | Act::Steps(_) | Act::Until(_) => Ok(()),
            Act::Move(spot) => {
                let at = find(stage.viewer(), &spot)?;
                let at = at.ok_or_else(|| fail(format!("{spot:?} is not in the picture")))?;
                stage.viewer().input(&Input::Moved(at))
            }
            Act::Button(down) => {
                stage.viewer().input(&Input::Button { button: Button::Primary, down })
            }
            Act::Click => [true, false].into_iter().try_for_each(|down| {
                stage.viewer().input(&Input::Button { button: Button::Primary, down })
            }),
            Act::Wheel(notches) => stage.viewer().input(&Input::Wheel(notches)),
            Act::Key(key, down) => stage.viewer().input(&Input::Key { key, down }),
            Act::Resize(size) => stage.resize(size),
            Act::Minimise(hidden) => stage.minimise(hidden),
            Act::LoseDevice => {
                stage.lose_device();
                Ok(())
            }
            Act::Shot(path) => stage.shot(&path),
            Act::State(path) => {
                let report = stage.viewer().report()?;
                let text =
                    serde_json::to_string_pretty(&report).map_err(|e| ViewError::file(&path, e))?;
                // Whoever waits for the file finds it whole.
                let part = path.with_extension("part");
                std::fs::write(&part, text)
                    .and_then(|()| std::fs::rename(&part, &path))
                    .map_err(|e| ViewError::file(&path, e))
            }
            Act::Quit => stage.viewer().input(&Input::Close),
        }
    }
}

fn find(viewer: &mut Viewer, spot: &Spot) -> Result<Option<Vec2>, ViewError> {
    match spot {
        Spot::Pixel(at) => Ok(Some(*at)),
        Spot::Panel(name) => Ok(viewer.spot(name)),
        Spot::Ground(at) => viewer.pixel_of_ground(*at),
        Spot::Agent(agent) => viewer.pixel_of_agent(*agent),
    }
}

#[cfg(test)]
mod tests {
    use super::{Act, Script, Spot};
    use crate::ViewError;
    use glam::Vec2;

    /// If this fails, tests of the window do something else than they say.
    #[test]
    fn lines_are_read() {
        let script = Script::parse(
            "frames 3\nclick @play # a comment\n\n click ground 4 -5.5\ndrag 1 2 to 3 4\nkey space",
        )
        .unwrap();
        let acts: Vec<_> = script.acts.iter().map(|(line, act)| (*line, act.clone())).collect();
        assert_eq!(acts[0], (1, Act::Frames(3)));
        assert_eq!(acts[1], (2, Act::Move(Spot::Panel("play".into()))));
        assert!(acts.contains(&(4, Act::Move(Spot::Ground(Vec2::new(4.0, -5.5))))));
        assert!(acts.contains(&(5, Act::Move(Spot::Pixel(Vec2::new(3.0, 4.0))))));
        for bad in ["jump", "click", "click ground 4", "frames x", "until", "resize 4", "shot"] {
            let error = Script::parse(&format!("frames 1\n{bad}")).unwrap_err();
            assert!(matches!(error, ViewError::Script { line: 2, .. }), "{bad}: {error}");
        }
    }
}
