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
    let install = ["apt-get", "install", "--yes", "--quiet", "mesa-vulkan-drivers"];
    let (program, rest) = (install[0], &install[1..]);
    let installed = works(program, rest)
        || (works(program, &["update"]) && works(program, rest))
        || (works("sudo", &["-n", program, "update"])
            && works("sudo", &[&["-n"], &install[..]].concat()));
    if installed {
        return Ok(());
    }
    Err(Failure(
        "no driver for Vulkan, and `apt-get install mesa-vulkan-drivers` failed: install one by hand".into(),
    ))
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
