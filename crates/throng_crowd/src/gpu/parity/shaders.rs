//! The shaders themselves.

use throng_gpu::{Library, check};

use super::super::{SHADERS, modules};

/// If this fails, a browser or a driver refuses a shader.
#[test]
fn shaders_are_valid_wgsl() {
    for extended in [false, true] {
        let library = Library::new().unwrap().with(&modules(extended)).unwrap();
        for (name, text) in check::all(&library, SHADERS).unwrap() {
            if let Some(said) = check::tint(&name, &text) {
                said.unwrap();
            }
        }
    }
}
