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

/// The virtual environment of the Python peers. Without it they are left out, and the table says so.
pub(crate) fn python_peers() {
    let folder = root().join("bench");
    let python = folder.join(".venv/bin/python");
    let python = python.to_string_lossy();
    let imports = ["-c", "import numpy, skfmm, pyekfmm"];
    if works(&python, &imports) {
        return;
    }
    println!("installing the Python peers into bench/.venv");
    let venv = folder.join(".venv");
    let made = works("python3", &["-m", "venv", &venv.to_string_lossy()]);
    let list = folder.join("requirements.txt");
    let install = ["-m", "pip", "install", "--quiet", "-r", &*list.to_string_lossy()];
    if !(made && works(&python, &install) && works(&python, &imports)) {
        println!("could not install them; they are left out (needed: python3 with venv and pip)");
    }
}
