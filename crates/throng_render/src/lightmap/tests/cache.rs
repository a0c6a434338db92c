//! Maps on disk: used when they are right, made anew when they are not.

use std::path::Path;
use std::time::{Duration, Instant};

use glam::Vec3;
use throng_field::Grid;

use super::super::{LightMap, Options, Place, Source, load_or_bake};
use super::{afternoon, valley};
use crate::sky::{Sky, direction};

const FEW: Options = Options {
    texels: None,
    rays: 16,
    bounces: 1,
    sun_rays: 4,
    sun_radius: 0.004,
    above_ground: 0.9,
};

fn load(folder: &Path, heights: &Grid<f32>, sky: &Sky, options: &Options) -> (LightMap, Source) {
    load_or_bake(folder, &Place { heights, albedo: None, sky }, options, &|_| {}).unwrap()
}

#[test]
fn a_second_start_uses_the_first_ones_map() {
    let folder = tempfile::tempdir().unwrap();
    let (heights, sky) = (valley(128, 128, 2.0), afternoon());
    let options = Options { rays: 128, ..Options::default() };
    let begin = Instant::now();
    let (first, source) = load(folder.path(), &heights, &sky, &options);
    let baking = begin.elapsed();
    let Source::Baked(file) = source else { panic!("{source:?}") };
    let begin = Instant::now();
    let (second, source) = load(folder.path(), &heights, &sky, &options);
    let loading = begin.elapsed();
    assert_eq!(source, Source::Cache(file));
    assert_eq!(first, second);
    assert!(loading < Duration::from_secs(1) && 4 * loading < baking, "{loading:?} {baking:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// A bit turned anywhere, a piece cut off, an empty file, something else altogether.
#[test]
fn a_broken_map_is_baked_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (heights, sky) = (valley(9, 7, 2.0), afternoon());
    let (good, source) = load(folder.path(), &heights, &sky, &FEW);
    let Source::Baked(file) = source else { panic!("{source:?}") };
    let bytes = std::fs::read(&file).unwrap();
    let broken = (0..bytes.len()).step_by(bytes.len() / 41).map(|at| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes
    });
    let cut = [0, 1, 7, 24, 100, bytes.len() - 1].map(|to| bytes[..to].to_vec());
    let other = [vec![0; 5000], b"not a picture at all".to_vec()];
    for bytes in broken.chain(cut).chain(other) {
        std::fs::write(&file, bytes).unwrap();
        let (map, source) = load(folder.path(), &heights, &sky, &FEW);
        assert!(matches!(source, Source::Rebuilt(..)), "{source:?}");
        assert_eq!(map, good);
        assert!(matches!(load(folder.path(), &heights, &sky, &FEW).1, Source::Cache(_)));
    }
    // The last bytes as well: those of the sum.
    for at in (bytes.len() - 24..bytes.len()).step_by(3) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&file, bytes).unwrap();
        assert!(matches!(load(folder.path(), &heights, &sky, &FEW).1, Source::Rebuilt(..)));
    }
}

/// Whatever changes the light changes the file; what does not, does not.
#[test]
fn other_content_has_another_map() {
    let folder = tempfile::tempdir().unwrap();
    let (heights, sky) = (valley(9, 7, 2.0), afternoon());
    let Source::Baked(first) = load(folder.path(), &heights, &sky, &FEW).1 else { panic!() };
    let mut dug = heights.clone();
    dug.as_mut_slice()[20] += 1e-3;
    let moved = heights.clone().placed(2.0, glam::Vec2::ZERO).unwrap();
    let later = Sky::new(direction(246.0, 27.0), 2.5, Vec3::new(0.25, 0.3, 0.15));
    let hazier = Sky::new(sky.sun_direction(), 2.6, Vec3::new(0.25, 0.3, 0.15));
    let greener = Sky::new(sky.sun_direction(), 2.5, Vec3::new(0.2, 0.3, 0.15));
    let more = Options { rays: 17, ..FEW };
    let higher = Options { above_ground: 1.0, ..FEW };
    for (heights, sky, options) in [
        (&dug, &sky, &FEW),
        (&moved, &sky, &FEW),
        (&heights, &later, &FEW),
        (&heights, &hazier, &FEW),
        (&heights, &greener, &FEW),
        (&heights, &sky, &more),
        (&heights, &sky, &higher),
    ] {
        let source = load(folder.path(), heights, sky, options).1;
        assert!(matches!(&source, Source::Baked(file) if *file != first), "{source:?}");
    }
    let thick = sky.clone().with_haze(3.0);
    assert_eq!(load(folder.path(), &heights, &thick, &FEW).1, Source::Cache(first.clone()));
    // A map under another's name is found out.
    let other = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let other = other.into_iter().find(|file| *file != first).unwrap();
    std::fs::copy(other, &first).unwrap();
    let source = load(folder.path(), &heights, &sky, &FEW).1;
    assert!(matches!(&source, Source::Rebuilt(_, why) if why.contains("else")), "{source:?}");
}

/// A folder that cannot be had costs the cache, not the light.
#[test]
fn no_folder_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("occupied");
    std::fs::write(&file, "a file").unwrap();
    let (heights, sky) = (valley(9, 7, 2.0), afternoon());
    let (map, source) = load(&file, &heights, &sky, &FEW);
    assert!(matches!(source, Source::Unkept(_)), "{source:?}");
    assert_eq!(map, load(folder.path(), &heights, &sky, &FEW).0);
}
