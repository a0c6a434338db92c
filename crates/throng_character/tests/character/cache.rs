//! If this fails, a kept character is not the one that was built, or a damaged file is trusted.

use throng_character::bake::cache::Source;
use throng_character::{BuildOptions, ghost_with};

#[test]
fn a_kept_character_is_the_same_and_a_damaged_one_is_not_trusted() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = BuildOptions { texels: 64, step: 0.02, faces: [1600, 600, 300] };
    let (built, source) = ghost_with(&options, Some(folder.path()));
    let Source::Built(file) = source else { panic!("{source:?}") };
    let (kept, source) = ghost_with(&options, Some(folder.path()));
    assert_eq!(source, Source::Cache(file.clone()));
    assert_eq!(built.maps, kept.maps);
    assert_eq!(built.levels[2].mesh.positions, kept.levels[2].mesh.positions);
    assert_eq!(built.levels[0].heights, kept.levels[0].heights);
    let mut bytes = std::fs::read(&file).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&file, &bytes).expect("written");
    assert!(matches!(ghost_with(&options, Some(folder.path())).1, Source::Rebuilt(..)));
    std::fs::write(&file, &bytes[..middle]).expect("written");
    assert!(matches!(ghost_with(&options, Some(folder.path())).1, Source::Rebuilt(..)));
    let other = BuildOptions { texels: 32, ..options };
    assert!(matches!(ghost_with(&other, Some(folder.path())).1, Source::Built(_)));
}
