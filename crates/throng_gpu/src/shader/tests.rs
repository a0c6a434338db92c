//! If one of these fails, a shader does not run on some device, or reads what Rust did not write.

use super::{Def, Library, MODULES, Module, SHADERS, Shader, check};
use crate::record::Extent;
use crate::testing::{gpu, run, words};
use crate::{GpuError, Pool, Prepared, layout, wide};

#[test]
fn every_shader_is_valid_for_naga_and_tint() {
    let library = Library::new().unwrap();
    let texts = check::all(&library, SHADERS).unwrap();
    assert!(texts.len() > 25, "{}", texts.len());
    for (name, text) in texts {
        if let Some(said) = check::tint(&name, &text) {
            said.unwrap();
        }
    }
}

/// If this fails, a file was added and nobody checks it.
#[test]
fn every_file_is_listed() {
    let mut files = Vec::new();
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "wgsl" => files.push(std::fs::read_to_string(path).unwrap()),
                _ => {}
            }
        }
    }
    assert_eq!(files.len(), MODULES.len() + SHADERS.len());
    let listed = MODULES.iter().map(|m| m.source).chain(SHADERS.iter().map(|s| s.source));
    listed.for_each(|source| assert!(files.iter().any(|file| file == source)));
}

#[test]
fn structs_are_the_same_in_rust_and_wgsl() {
    use crate::pyramid::Stage;
    let library = Library::new().unwrap();
    let scan = library.compose(&crate::scan::SHADER, crate::scan::SHADER.variants[0]).unwrap();
    let extent = layout!(Extent { at_most, word, first, second });
    assert_eq!(check::layout_in(&scan, "Extent"), Some(extent));
    let pyramid = library.compose(&crate::pyramid::SHADER, &[]).unwrap();
    let stage = layout!(Stage {
        from_width,
        from_height,
        from_at,
        to_width,
        to_height,
        to_at,
        unused_a,
        unused_b
    });
    assert_eq!(check::layout_in(&pyramid, "Stage"), Some(stage));
    assert_eq!(check::layout_in(&pyramid, "Extent"), None);
}

const MIXER: Shader = Shader {
    name: "mixer",
    source: "
#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import other::twice

override offset: u32 = 0u;
@group(0) @binding(0) var<storage, read_write> hashes: array<vec2<u32>>;

@compute @workgroup_size(GROUP)
fn mix_all(place: Place) {
    let at = flat_invocation(place);
    if at < arrayLength(&hashes) {
        hashes[at] = twice(hashes[at]);
        hashes[at].x += offset + #{MORE}u;
    }
}
",
    variants: &[&[("MORE", Def::Number(5))]],
};

const OTHER: Module = Module {
    name: "other",
    source: "
#import throng_gpu::wide::mix_wide

fn twice(value: vec2<u32>) -> vec2<u32> {
    return mix_wide(mix_wide(value));
}
",
};

/// What another crate does: a module and a shader of its own, on top of ours. And the hash is the
/// same on both sides.
#[test]
fn others_bring_their_own_shaders() {
    let library = Library::new().unwrap().with(&[OTHER]).unwrap();
    check::all(&library, &[MIXER]).unwrap();
    let program = library.program(gpu(), &MIXER, MIXER.variants[0]).unwrap();
    let kernel = program.kernel_with("mix_all", &[("offset", 100.0)]).unwrap();
    let pool = Pool::new(gpu());
    let numbers: Vec<u64> = bytemuck::cast_slice(&words(2000, 51)).to_vec();
    let buffer = pool.array_of("numbers", &numbers).unwrap();
    let mut work = Prepared::new();
    work.push(kernel.step(&[(0, buffer.as_entire_binding())], [8, 1, 1]).unwrap());
    run(&work);
    let got = gpu().read::<u64>(&buffer, 1000).unwrap();
    for (number, got) in numbers.into_iter().zip(got) {
        let hash = wide::mix(wide::mix(number));
        let low = (hash as u32).wrapping_add(105);
        assert_eq!(got, hash >> 32 << 32 | u64::from(low));
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let library = Library::new().unwrap();
    let broken =
        Shader { name: "broken.wgsl", source: "fn f() -> u32 {\n  return x;\n}", variants: &[] };
    let error = library.compose(&broken, &[]).unwrap_err().to_string();
    assert!(error.contains("broken.wgsl") && error.contains(":2"), "{error}");
    let lost = Module { name: "lost", source: "#import nowhere::thing\nfn f() { thing(); }" };
    let shader = Shader { name: "user", source: "#import lost::f\nfn g() { f(); }", variants: &[] };
    let error = library.with(&[lost]).and_then(|l| l.compose(&shader, &[]).map(drop)).unwrap_err();
    assert!(matches!(&error, GpuError::Shader { .. }) && error.to_string().contains("nowhere"));
}
