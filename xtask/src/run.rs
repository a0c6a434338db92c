//! Running cargo, and what is checked of its answers.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

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

/// Runs a script with Node in the project's folder.
pub(crate) fn node(script: &str, args: &[&str]) -> Result<(), Failure> {
    let status = Command::new("node")
        .arg(script)
        .args(args)
        .current_dir(root())
        .status()
        .map_err(|e| Failure(format!("cannot start node: {e}")))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure(format!("`node {script}` failed ({status})"))),
    }
}

/// Runs all tests, passes their output on, and closes with the sum.
pub(crate) fn cargo_test(args: &[&str]) -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut child = Command::new(cargo)
        .arg("test")
        .args(args)
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| Failure(format!("cannot start cargo: {e}")))?;
    let (mut passed, mut failed) = (0, 0);
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            if line.starts_with("test result:") {
                passed += number_before(&line, " passed");
                failed += number_before(&line, " failed");
            }
        }
    }
    let status = child.wait().map_err(|e| Failure(format!("cannot wait for cargo: {e}")))?;
    println!("{passed} passed, {failed} failed");
    if status.success() && passed > 0 {
        return Ok(());
    }
    Err(Failure(format!("tests failed ({status}, {passed} passed, {failed} failed)")))
}

/// The number that stands before a word: 12 in "ok. 12 passed; 0 failed".
fn number_before(line: &str, word: &str) -> u64 {
    let before = line.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Crates that only a build with graphics may pull.
const GRAPHICS: [&str; 8] =
    ["wgpu", "naga", "ash", "winit", "glow", "metal", "egui", "raw-window-handle"];

/// Whether a crate is one of those, or a part of one.
fn is_graphics(name: &str) -> bool {
    GRAPHICS.iter().any(|g| name == *g || name.starts_with(&format!("{g}-")))
}

/// Names of all crates that a build pulls.
fn tree(args: &[&str]) -> Result<Vec<String>, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .arg("tree")
        .args(args)
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(root())
        .output()
        .map_err(|e| Failure(format!("cannot start cargo: {e}")))?;
    if !output.status.success() {
        return Err(Failure(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let tree = String::from_utf8_lossy(&output.stdout);
    Ok(tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

/// Checks that no build without feature `gpu` pulls a graphics crate: the program without its default
/// features, each library as it is by default, and all together.
pub(crate) fn no_graphics_crates() -> Result<(), Failure> {
    let libraries = ["throng", "throng_crowd", "throng_field", "throng_record", "throng_world"];
    let mut builds: Vec<Vec<&str>> = libraries.iter().map(|library| vec!["-p", library]).collect();
    builds.push(vec!["-p", "throng_cli", "--no-default-features"]);
    builds.push(vec![
        "--workspace",
        "--exclude",
        "throng_gpu",
        "--exclude",
        "throng_render",
        "--exclude",
        "throng_view",
        "--no-default-features",
    ]);
    for build in &builds {
        let names = tree(build)?;
        if !names.iter().any(|name| name == "throng_field") {
            let build = build.join(" ");
            return Err(Failure(format!("`cargo tree {build}` does not even name throng_field")));
        }
        if let Some(name) = names.iter().find(|name| is_graphics(name)) {
            let build = build.join(" ");
            return Err(Failure(format!(
                "the CPU-only build `{build}` pulls the graphics crate {name}"
            )));
        }
    }
    // The other way round, so that a misspelt name does not make the check say yes for ever.
    match tree(&["-p", "throng_cli"])?.iter().any(|name| is_graphics(name)) {
        true => Ok(()),
        false => Err(Failure("the program as it is by default has no GPU backend".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::number_before;

    /// Counting nothing would let a run without tests look green.
    #[test]
    fn sums_are_read_from_the_result_line() {
        let line = "test result: ok. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!((number_before(line, " passed"), number_before(line, " failed")), (12, 3));
        assert_eq!(number_before("nothing here", " passed"), 0);
    }
}
