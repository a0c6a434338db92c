//! If one of these fails, a shader does not run on some device, or reads what Rust did not write.

use super::work::{Frame, Turns};
use super::{DEFS, MODULES, PUBLISH, RELAX, SHADERS};
use throng_gpu::{Library, check, layout};

#[test]
fn shaders_are_valid_for_naga_and_tint() {
    let library = Library::new().unwrap().with(MODULES).unwrap();
    for (name, text) in check::all(&library, SHADERS).unwrap() {
        // The definitions would make too long a name for the file that Tint is given.
        let name = name.split(" [").next().unwrap();
        if let Some(said) = check::tint(name, &text) {
            said.unwrap();
        }
    }
}

#[test]
fn structs_are_the_same_in_rust_and_wgsl() {
    let library = Library::new().unwrap().with(MODULES).unwrap();
    let relax = library.compose(&RELAX, DEFS).unwrap();
    let frame = layout!(Frame {
        width,
        height,
        groups,
        tiles_across,
        tiles,
        row,
        costs,
        cell_size,
        unreached,
        asked_only,
        unused_a,
        unused_b
    });
    assert_eq!(check::layout_in(&relax, "Frame"), Some(frame));
    let publish = library.compose(&PUBLISH, DEFS).unwrap();
    let turns = layout!(Turns { passing, beside, unused_a, unused_b });
    assert_eq!(check::layout_in(&publish, "Turns"), Some(turns));
}
