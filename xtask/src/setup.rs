//! What a job needs besides Rust and a C compiler; installed only when missing, and said.

use crate::run::{Failure, root};
use std::process::Command;

fn works(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}

/// rustfmt and clippy come with the usual toolchain; a minimal one lacks them.
pub(crate) fn components() -> Result<(), Failure> {
    for (component, args) in
        [("rustfmt", ["fmt", "--version"]), ("clippy", ["clippy", "--version"])]
    {
        if works("cargo", &args) {
            continue;
        }
        println!("installing {component}: rustup component add {component}");
        if !works("rustup", &["component", "add", component]) {
            return Err(Failure(format!(
                "{component} is missing and `rustup component add {component}` failed"
            )));
        }
    }
    Ok(())
}

/// Where drivers for Vulkan are registered.
const VULKAN_DRIVERS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// A graphics card, or Mesa's software one where there is none.
pub(crate) fn graphics() -> Result<(), Failure> {
    let named =
        ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|v| std::env::var_os(v).is_some());
    let found = VULKAN_DRIVERS
        .iter()
        .any(|dir| std::fs::read_dir(dir).is_ok_and(|mut files| files.next().is_some()));
    let metal_or_direct_x = cfg!(not(target_os = "linux"));
    if named || found || metal_or_direct_x {
        return Ok(());
    }
    println!(
        "no driver for Vulkan: installing Mesa's software one (apt-get install mesa-vulkan-drivers)"
    );
    if apt_install(&["mesa-vulkan-drivers"]) {
        return Ok(());
    }
    Err(Failure(
        "no driver for Vulkan, and `apt-get install mesa-vulkan-drivers` failed: install one by hand".into(),
    ))
}

/// What the tests of the window need: a display without a screen, hands without a mouse, and what windows
/// load when they open.
const DISPLAY: [&str; 7] =
    ["xvfb", "xdotool", "libx11-xcb1", "libxcursor1", "libxi6", "libxrandr2", "libxkbcommon-x11-0"];

/// A display in memory, on which tests open windows.
pub(crate) fn display() -> Result<(), Failure> {
    // Without a display xdotool does not even tell its version.
    let found = |program: &str| works("sh", &["-c", &format!("command -v {program}")]);
    if cfg!(not(target_os = "linux")) || (found("Xvfb") && found("xdotool")) {
        return Ok(());
    }
    let packages = DISPLAY.join(" ");
    println!("no Xvfb or no xdotool: installing them (apt-get install {packages})");
    if apt_install(&DISPLAY) {
        return Ok(());
    }
    Err(Failure(format!("`apt-get install {packages}` failed: install them by hand")))
}

/// What the tests of the page need: a browser, Node, and what drives the one from the other.
pub(crate) fn browser() -> Result<(), Failure> {
    let found = |program: &str| works("sh", &["-c", &format!("command -v {program}")]);
    let missing: Vec<&str> = [("chromium", "chromium"), ("node", "nodejs"), ("npm", "npm")]
        .into_iter()
        .filter(|(program, _)| !found(program))
        .map(|(_, package)| package)
        .collect();
    if !missing.is_empty() {
        let packages = missing.join(" ");
        println!("for the tests of the page: installing {packages} (apt-get install {packages})");
        if !apt_install(&missing) {
            return Err(Failure(format!(
                "`apt-get install {packages}` failed: install them by hand"
            )));
        }
    }
    let folder = root().join("web/tests");
    if folder.join("node_modules/playwright-core").is_dir() {
        return Ok(());
    }
    println!("for the tests of the page: installing playwright-core (npm install in web/tests)");
    let folder = folder.to_string_lossy();
    match works(
        "npm",
        &["install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", &folder],
    ) {
        true => Ok(()),
        false => Err(Failure("`npm install` in web/tests failed: is there a network?".into())),
    }
}

/// Installs packages of Debian, as root or by sudo; whether that went well.
fn apt_install(packages: &[&str]) -> bool {
    let install = [&["apt-get", "install", "--yes", "--quiet"], packages].concat();
    let (program, rest) = (install[0], &install[1..]);
    works(program, rest)
        || (works(program, &["update"]) && works(program, rest))
        || (works("sudo", &["-n", program, "update"])
            && works("sudo", &[&["-n"], &install[..]].concat()))
}

/// Python packages of some peers.
struct Peers {
    names: &'static str,
    /// What must be importable.
    imports: &'static str,
    /// The list for pip, in bench/, and how it is to take it.
    list: &'static str,
    options: &'static [&'static str],
}

const PEERS: [Peers; 2] = [
    Peers {
        names: "scikit-fmm and pyekfmm",
        imports: "import numpy, skfmm, pyekfmm",
        list: "requirements.txt",
        options: &[],
    },
    // With its dependencies come a viewer, Qt and VTK: the list has what the library needs.
    Peers {
        names: "JuPedSim",
        imports: "import jupedsim, shapely",
        list: "requirements-crowd.txt",
        options: &["--no-deps"],
    },
];

/// The virtual environment of the Python peers. Who cannot be installed is left out, and the tables
/// say so.
pub(crate) fn python_peers() {
    let venv = root().join("bench/.venv");
    let python = venv.join("bin/python");
    let python = python.to_string_lossy();
    for peers in &PEERS {
        if works(&python, &["-c", peers.imports]) {
            continue;
        }
        println!("installing {} into bench/.venv (bench/{})", peers.names, peers.list);
        let made = works(&python, &["-m", "pip", "--version"])
            || works("python3", &["-m", "venv", &venv.to_string_lossy()]);
        let list = root().join("bench").join(peers.list);
        let list = list.to_string_lossy();
        let mut install = vec!["-m", "pip", "install", "--quiet"];
        install.extend(peers.options);
        install.extend(["-r", &*list]);
        if !(made && works(&python, &install) && works(&python, &["-c", peers.imports])) {
            println!(
                "could not install {}: left out (needed: python3 with venv and pip, and a network)",
                peers.names
            );
        }
    }
}
