//! Shaders of this crate, checked as a browser would.

use crate::View;
use crate::shaders::{SHADERS, library};
use throng_gpu::{check, layout};

/// If this fails, some device or browser refuses a shader.
#[test]
fn all_variants_are_valid_for_naga_and_tint() {
    let texts = check::all(&library().unwrap(), SHADERS).unwrap();
    assert!(texts.len() >= SHADERS.len());
    for (name, text) in &texts {
        match check::tint(name, text) {
            Some(said) => said.unwrap(),
            None => println!("no tint on the path; {name} is checked by naga alone"),
        }
    }
}

/// If this fails, shaders read other numbers than Rust writes.
#[test]
fn rust_and_wgsl_mean_the_same_view() {
    let module = library().unwrap().compose(&crate::backdrop::SHADER, &[]).unwrap();
    let rust = layout!(View {
        clip_from_world,
        planes,
        eye,
        near,
        forward,
        time,
        right,
        width,
        up,
        height,
        focus,
        focus_height,
    });
    assert_eq!(check::layout_in(&module, "View"), Some(rust));
}
