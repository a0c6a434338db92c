//! Loading by content: what a file is called does not matter, and what cannot be loaded is named.

use std::path::{Path, PathBuf};
use throng_world::{MapError, load_cost, read_map, read_scenarios};

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn message(path: &Path) -> String {
    let text = load_cost(path).unwrap_err().to_string();
    assert!(text.starts_with(&path.display().to_string()), "{text}");
    text
}

#[test]
fn content_decides_not_the_name() {
    let map = written("named_wrong.png", b"type octile\nheight 1\nwidth 2\nmap\n.@\n");
    assert_eq!(load_cost(&map).unwrap().into_vec(), [1.0, f32::INFINITY]);
    let mut picture = Vec::new();
    let mut writer = png::Encoder::new(&mut picture, 2, 1).write_header().unwrap();
    writer.write_image_data(&[51, 255]).unwrap();
    writer.finish().unwrap();
    let picture = written("named_wrong.map", &picture);
    assert_eq!(load_cost(&picture).unwrap().into_vec(), [5.0, 1.0]);
}

#[test]
fn what_cannot_be_loaded_is_named_with_a_cure() {
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no such file.map");
    assert!(message(&missing).contains("cannot be read"));
    assert!(
        message(Path::new(env!("CARGO_TARGET_TMPDIR"))).contains("name one map file inside it")
    );
    assert!(message(&written("empty.map", b"")).contains("starts with nothing (it is empty)"));
    let found = message(&written("text.map", b"hello\nworld"));
    assert!(
        found.contains("starts with `hello\\nworld`, which is no supported map; give a MovingAI")
    );
    assert!(
        message(&written("bad.map", b"type octile\nheight 1\nwidth 1\nmap\n?")).contains(":5:1:")
    );
    assert!(matches!(read_map(&missing), Err(MapError::Read { .. })));
    assert!(matches!(read_scenarios(&missing), Err(MapError::Read { .. })));
}

/// An endless device must be refused by its first bytes, not read until memory ends.
#[cfg(unix)]
#[test]
fn an_endless_device_is_refused_at_once() {
    assert!(message(Path::new("/dev/zero")).contains("no supported map"));
}
