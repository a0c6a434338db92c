//! Scene files: TOML that says what a place is, who comes there and what they do.
//!
//! [`Scene::parse`] reads a text and finds all its problems at once, each with line, column, key,
//! cause and cure. [`Scene::build`] makes the [`World`] of it. [`SceneData`] is the format.
//!
//! ```
//! use throng_world::scene::{BuildOptions, Scene};
//!
//! let scene = Scene::builtin("bottleneck").expect("it ships");
//! let world = scene.build(&BuildOptions::default())?;
//! assert!(world.goals[0].exit);
//! # Ok::<(), throng_world::scene::SceneErrors>(())
//! ```

mod assets;
mod build;
mod check;
pub mod data;
mod problem;
mod refs;
mod shipped;
mod source;

pub use assets::Assets;
pub use data::SceneData;
pub use problem::{Problem, SceneErrors};
pub use shipped::scene_names;

use crate::World;
use problem::Findings;
use serde_json::Value;
use source::Source;
use std::path::Path;
use std::sync::OnceLock;

/// Most bytes of a scene file.
pub const MAX_SCENE_BYTES: usize = 16 << 20;

/// A scene: its data, and where each key of it stands in its file.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// What the file says.
    pub data: SceneData,
    /// Short name: the file's without its ending.
    pub name: String,
    /// Where the files come from that it names, unless the build options say otherwise.
    pub assets: Assets,
    source: Source,
}

/// What may be set when a world is made of a scene.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Number of people instead of the scene's. All spawns are scaled alike; where the scene
    /// grows, so is the place.
    pub agents: Option<u32>,
    /// Seed instead of the scene's.
    pub seed: Option<u64>,
    /// Where the files come from that the scene names, instead of the scene's own folder.
    pub assets: Option<Assets>,
}

impl Scene {
    /// Reads the text of a scene file; `file` names it in problems.
    ///
    /// # Errors
    /// All problems that can be seen without building the world.
    pub fn parse(text: &str, file: &str) -> Result<Self, SceneErrors> {
        let reading = Reading::new(text, file);
        match reading.scene {
            Some(scene) if reading.findings.0.is_empty() => Ok(scene),
            _ => Err(SceneErrors(reading.source.problems(reading.findings))),
        }
    }

    /// Reads a scene file; files that it names are looked for in its folder.
    ///
    /// # Errors
    /// When the file cannot be read, and all its problems as [`Scene::parse`] finds them.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let mut scene = Self::parse(&read_text(path)?, &path.display().to_string())?;
        scene.assets = Assets::Folder(folder_of(path));
        Ok(scene)
    }

    /// A scene that ships with the library, or `None` if there is none of that name.
    pub fn builtin(name: &str) -> Option<Self> {
        let text = shipped::text(name)?;
        Self::parse(text, &format!("{name}.toml")).ok()
    }

    /// A scene by path, or by name if there is no such file and it ships with the library.
    ///
    /// # Errors
    /// As [`Scene::load`]; a name that is neither gets a list of those that ship.
    pub fn open(name: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = name.as_ref();
        match shipped_text(path) {
            Some((name, text)) => Self::parse(text, &format!("{name}.toml")),
            None => {
                exists(path)?;
                Self::load(path)
            }
        }
    }

    /// How many people the scene means: those at its start, or of its streams if nobody is there
    /// then. Densities count by the area as drawn.
    pub fn agents(&self) -> u64 {
        build::nominal(&self.data).round().max(0.0) as u64
    }

    /// A scene from data made by a program. Problems of it have keys but no lines.
    pub fn from_data(data: SceneData, name: &str) -> Self {
        let (source, ..) = Source::read("", name);
        Self { data, name: name.into(), assets: Assets::None, source }
    }

    /// The text of a scene file with this scene's data (comments are lost).
    pub fn to_toml(&self) -> Option<String> {
        toml::to_string(&self.data).ok()
    }

    /// Makes the world.
    ///
    /// # Errors
    /// All problems of its geometry, its files and its ways, and of its data where they were not
    /// parsed from a file.
    pub fn build(&self, options: &BuildOptions) -> Result<World, SceneErrors> {
        let mut findings = Findings::default();
        refs::check(&self.data, &mut findings);
        let assets = options.assets.as_ref().unwrap_or(&self.assets);
        let sound = findings.0.is_empty();
        let world = build::build(&self.data, &self.name, options, assets, sound, &mut findings);
        match world {
            Some(world) if findings.0.is_empty() => Ok(world),
            _ => Err(SceneErrors(self.source.problems(findings))),
        }
    }

    /// The JSON Schema of the format, as JSON.
    pub fn schema_json() -> String {
        serde_json::to_string_pretty(schema()).unwrap_or_default()
    }
}

/// Reads a text and builds its world, to find every problem of both at once.
///
/// # Errors
/// All problems, in the order of the file.
pub fn check(
    text: &str,
    file: &str,
    options: &BuildOptions,
) -> Result<(Scene, World), SceneErrors> {
    let mut reading = Reading::new(text, file);
    let assets = options.assets.clone().unwrap_or_default();
    let mut world = None;
    if let Some(scene) = &mut reading.scene
        && !reading.unreadable
    {
        scene.assets = assets.clone();
        let mut findings = Findings::default();
        let sound = reading.findings.0.is_empty();
        if !reading.spoiled.iter().any(|key| key.starts_with("ground")) {
            let data = &scene.data;
            world = build::build(data, &scene.name, options, &assets, sound, &mut findings);
        }
        findings.0.retain(|f| !reading.spoiled(&f.key) && !f.unnamed());
        reading.findings.0.extend(findings.0);
    }
    match (reading.scene, world) {
        (Some(scene), Some(world)) if reading.findings.0.is_empty() => Ok((scene, world)),
        _ => Err(SceneErrors(reading.source.problems(reading.findings))),
    }
}

/// Checks a file, or a scene that ships, as [`check()`] does; files that it names are looked for in its
/// folder.
///
/// # Errors
/// As [`check()`], and when the file cannot be read.
pub fn check_file(
    path: impl AsRef<Path>,
    options: &BuildOptions,
) -> Result<(Scene, World), SceneErrors> {
    let path = path.as_ref();
    if let Some((name, text)) = shipped_text(path) {
        return check(text, &format!("{name}.toml"), options);
    }
    exists(path)?;
    let text = read_text(path)?;
    let mut options = options.clone();
    options.assets.get_or_insert_with(|| Assets::Folder(folder_of(path)));
    check(&text, &path.display().to_string(), &options)
}

/// The scene that ships under this name, unless there is a file of that name.
fn shipped_text(path: &Path) -> Option<(&str, &'static str)> {
    let name = path.to_str()?;
    if path.exists() {
        return None;
    }
    shipped::text(name).map(|text| (name, text))
}

/// Names the scenes that ship where there is no such file and it may have been meant as one.
fn exists(path: &Path) -> Result<(), SceneErrors> {
    if path.exists() || path.components().count() != 1 || path.extension().is_some() {
        return Ok(());
    }
    let name = path.display().to_string();
    Err(SceneErrors(vec![Problem {
        file: crate::error::path_name(path),
        line: 0,
        column: 0,
        key: String::new(),
        what: "no such file, and no scene of that name ships".into(),
        cure: problem::suggest(&name, scene_names()),
    }]))
}

fn folder_of(path: &Path) -> std::path::PathBuf {
    path.parent().unwrap_or(Path::new("")).to_path_buf()
}

fn read_text(path: &Path) -> Result<String, SceneErrors> {
    let fail = |what: String, cure: &str| {
        let file = crate::error::path_name(path);
        let (key, cure) = (String::new(), cure.into());
        SceneErrors(vec![Problem { file, line: 0, column: 0, key, what, cure }])
    };
    let bytes = crate::file::read(path).map_err(|error| match error {
        crate::MapError::Read { source, .. } => {
            fail(format!("cannot be read ({source})"), "check the path and its permissions")
        }
        _ => fail("is a directory or too long".into(), "name one scene file"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            + 1;
        fail(format!("line {line} is no UTF-8 text"), "save the file as UTF-8")
    })
}

/// The schema of the format.
fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(SceneData).to_value())
}

/// A text as far as it could be read.
struct Reading {
    scene: Option<Scene>,
    source: Source,
    findings: Findings,
    /// Keys with problems, such as `goal[1].disc`: what is said about them later would only repeat
    /// it.
    spoiled: Vec<String>,
    /// Whether the syntax itself is broken.
    unreadable: bool,
}

impl Reading {
    fn new(text: &str, file: &str) -> Self {
        if text.len() > MAX_SCENE_BYTES {
            let mut findings = Findings::default();
            let what = format!("the file has {} bytes", text.len());
            findings.add("", what, format!("give at most {MAX_SCENE_BYTES} bytes"));
            let (source, ..) = Source::read("", file);
            return Self { scene: None, source, findings, spoiled: Vec::new(), unreadable: true };
        }
        let (source, mut value, mut findings) = Source::read(text, file);
        let unreadable = !findings.0.is_empty() && findings.0.iter().any(|f| f.at.is_some());
        let broken: Vec<usize> = findings.0.iter().filter_map(|f| f.at).collect();
        let schema_findings = check::Checker::new(schema(), &source).check(&value);
        findings.0.extend(schema_findings.0);
        let spoiled: Vec<String> = findings.0.iter().map(|f| f.key.clone()).collect();
        for finding in &findings.0 {
            prune(&mut value, &finding.key);
        }
        let mut reading = Self { scene: None, source, findings, spoiled, unreadable };
        if unreadable {
            reading.source.drop_echoes(&mut reading.findings, &broken);
        }
        repair(&mut value);
        let data = serde_json::from_value::<SceneData>(value);
        match data {
            Ok(data) if !unreadable => {
                let mut later = Findings::default();
                refs::check(&data, &mut later);
                later.0.retain(|f| !reading.spoiled(&f.key) && !f.unnamed());
                reading.findings.0.extend(later.0);
                let name = Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
                reading.scene = Some(Scene {
                    data,
                    name: name.unwrap_or_default(),
                    assets: Assets::None,
                    source: reading.source.clone(),
                });
            }
            Ok(_) => {}
            Err(error) if reading.findings.0.is_empty() => {
                let what = format!("it cannot be read ({error})");
                reading.findings.add("", what, "compare it with `throng check --schema`");
            }
            Err(_) => {}
        }
        reading
    }

    /// Whether what is said about a key would only repeat a problem: one of the key itself or of
    /// something in it, or for what is said about an entry as a whole, one of the entry.
    fn spoiled(&self, key: &str) -> bool {
        let repeats = |other: &String| {
            other
                .strip_prefix(key)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.spoiled.iter().any(repeats)
    }
}

impl problem::Finding {
    /// Whether it speaks of something whose missing name has been noted.
    fn unnamed(&self) -> bool {
        self.what.contains(UNNAMED) || self.cure.contains(UNNAMED)
    }
}

/// Stands in for names that are missing.
const UNNAMED: &str = "\u{2039}unnamed\u{203a}";

/// Fills in what must be there, so that the rest can be read and checked. What was missing has been
/// noted before.
fn repair(value: &mut Value) {
    let Value::Object(scene) = value else { return };
    scene.insert("version".into(), 1.into());
    if scene.get("ground").and_then(|g| g.get("kind")).is_none() {
        scene.insert("ground".into(), serde_json::json!({ "kind": "flat", "size": [10, 10] }));
    }
    for (list, key) in [
        ("goal", "name"),
        ("group", "name"),
        ("action", "name"),
        ("hazard", "name"),
        ("spawn", "group"),
    ] {
        let entries = scene.get_mut(list).and_then(Value::as_array_mut);
        for (i, entry) in entries.into_iter().flatten().enumerate() {
            if let Value::Object(entry) = entry
                && !entry.contains_key(key)
            {
                let name = if list == "spawn" { UNNAMED.into() } else { format!("{UNNAMED}{i}") };
                entry.insert(key.into(), name.into());
            }
        }
    }
}

/// Removes the value of a key, or the smallest named thing around it, so that the rest can be read.
fn prune(value: &mut Value, key: &str) {
    let mut at = value;
    // Every step but those into lists of numbers and the like.
    let steps: Vec<&str> = key.split(['.', '[']).map(|s| s.trim_end_matches(']')).collect();
    let mut names = steps.len();
    while names > 0 && steps[names - 1].parse::<usize>().is_ok() {
        names -= 1;
    }
    let Some((last, before)) = steps[..names].split_last() else { return };
    for step in before {
        let inner = match at {
            Value::Object(table) => table.get_mut(*step),
            Value::Array(items) => step.parse::<usize>().ok().and_then(|i| items.get_mut(i)),
            _ => None,
        };
        let Some(inner) = inner else { return };
        at = inner;
    }
    if let Value::Object(table) = at {
        if names < steps.len()
            && matches!(table.get(*last), Some(Value::Array(items)) if items.iter().all(|i| i.is_object()))
            && names == 1
        {
            return; // A whole entry such as `goal[1]`: keep it, its siblings count.
        }
        table.remove(*last);
    }
}
