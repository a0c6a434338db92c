//! Running cargo, and what is checked of its answers.

use std::path::PathBuf;
use std::process::Command;

/// Why a job stopped: one line.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or(manifest.clone(), PathBuf::from)
}

/// Says what comes.
pub(crate) fn step(what: &str) {
    println!("== {what}");
}

/// Runs cargo in the project's folder.
pub(crate) fn cargo(args: &[&str]) -> Result<(), Failure> {
    cargo_with(args, &[])
}

/// Runs cargo with environment variables.
pub(crate) fn cargo_with(args: &[&str], env: &[(&str, &str)]) -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| Failure(format!("cannot start cargo: {e}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure(format!("`cargo {}` failed ({status})", args.join(" "))))
}

/// Crates that only a build with graphics may pull.
const GRAPHICS: [&str; 8] =
    ["wgpu", "naga", "ash", "winit", "glow", "metal", "egui", "raw-window-handle"];

/// Checks the dependency tree of the program and its libraries.
pub(crate) fn no_graphics_crates() -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--workspace", "--no-default-features", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(root())
        .output()
        .map_err(|e| Failure(format!("cannot start cargo: {e}")))?;
    if !output.status.success() {
        return Err(Failure(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let tree = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    if !names.contains(&"throng_field") {
        return Err(Failure("the dependency tree does not even name throng_field".into()));
    }
    let graphics =
        |name: &&&str| GRAPHICS.iter().any(|g| *name == g || name.starts_with(&format!("{g}-")));
    match names.iter().find(graphics) {
        None => Ok(()),
        Some(name) => Err(Failure(format!("the CPU-only build pulls the graphics crate {name}"))),
    }
}
