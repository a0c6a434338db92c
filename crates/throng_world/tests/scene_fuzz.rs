//! Throws arbitrary and broken texts at the reader of scenes: none may panic, and every problem is
//! one line that names the file and a cure.
//!
//! 600 cases; set `THRONG_FUZZ_CASES` for more.

#[allow(dead_code, reason = "pictures are for the other test")]
mod mutate;

use mutate::{mutate, mutations};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use throng_world::scene::{Assets, BuildOptions, Scene, check};

const SMALL: &str = include_str!("../../throng_cli/src/templates/room.toml");
const BUILDING: &str = include_str!("../../throng_cli/src/templates/building.toml");
const RULES: &str = include_str!("../../throng_cli/src/templates/valley.toml");

/// Lines of scenes put together at random, with hostile values.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let values = prop::sample::select(vec![
        "1",
        "-1",
        "0",
        "nan",
        "inf",
        "1e300",
        "-1e9",
        "\"\"",
        "\"exit\"",
        "[]",
        "[[]]",
        "[1, 2]",
        "[0, 0, 1e8, 1e8]",
        "{}",
        "true",
        "[nan, 1]",
        "999999999",
        "\"POLYGON((\"",
        "[[0, 0], [0, 0], [0, 0]]",
        "{ count = 3 }",
    ]);
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), values).prop_map(
        |(base, line, value)| {
            let base = [SMALL, BUILDING][base.index(2)];
            let keys: Vec<usize> = base
                .lines()
                .enumerate()
                .filter(|(_, l)| l.contains(" = "))
                .map(|(i, _)| i)
                .collect();
            let chosen = keys[line.index(keys.len())];
            let swap = |(i, text): (usize, &str)| match text.split_once(" = ") {
                Some((key, _)) if i == chosen => format!("{key} = {value}\n"),
                _ => format!("{text}\n"),
            };
            base.lines().enumerate().map(swap).collect::<String>().into_bytes()
        },
    )
}

#[test]
fn nothing_panics() {
    let cases = std::env::var("THRONG_FUZZ_CASES").map_or(600, |n| n.parse().expect("a number"));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let bases: Vec<Vec<u8>> = [SMALL, BUILDING, RULES].map(|b| b.as_bytes().to_vec()).to_vec();
    let mutated = (any::<usize>(), mutations())
        .prop_map(move |(base, changes)| mutate(&bases, base, &changes));
    let input = prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..300),
        4 => mutated,
        4 => hostile(),
    ];
    let result = TestRunner::new(config).run(&input, |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Scene::parse(&text, "fuzzed\nname");
        match check(&text, "fuzzed\nname", &BuildOptions::default()) {
            Ok((_, world)) => {
                assert!(world.clearance.as_slice().iter().all(|c| c.is_finite()));
                assert!(world.terrain.as_slice().iter().all(|c| *c > 0.0));
            }
            Err(errors) => {
                assert!(!errors.0.is_empty());
                for problem in errors.0 {
                    let line = problem.to_string();
                    assert!(line.starts_with("fuzzed\\nname") && !line.contains('\n'), "{line}");
                    assert!(!problem.what.is_empty() && !problem.cure.is_empty());
                }
            }
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

/// Files that a scene names are as hostile as the scene.
#[test]
fn no_file_panics() {
    let cases = std::env::var("THRONG_FUZZ_CASES").map_or(600, |n| n.parse().expect("a number"));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let files: [(&str, &str); 4] = [
        (
            "a.wkt",
            "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2)), LINESTRING (1 5, 8 5))",
        ),
        (
            "a.geojson",
            r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": "b"},
            "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}}]}"#,
        ),
        (
            "a.dxf",
            "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nwalls\n90\n3\n70\n1\n10\n0\n20\n0\n10\n9\n20\n0\n10\n9\n20\n9\n0\nCIRCLE\n8\nx\n10\n4\n20\n4\n40\n1\n0\nENDSEC\n0\nEOF\n",
        ),
        (
            "a.asc",
            "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9\n1 2 3 4\n1 2 -9 4\n1 1 1 1\n",
        ),
    ];
    let bases: Vec<Vec<u8>> = files.iter().map(|(_, text)| text.as_bytes().to_vec()).collect();
    let input = (0..files.len(), mutations());
    let result = TestRunner::new(config).run(&input, |(i, changes)| {
        let (name, _) = files[i];
        let bytes = mutate(&bases[i..=i], 0, &changes);
        let place = if name.ends_with("asc") {
            format!("[ground]\nkind = \"heightmap\"\nfile = \"{name}\"\n")
        } else {
            format!("[ground]\nkind = \"flat\"\n[[wall]]\nfile = \"{name}\"\n")
        };
        let text = format!(
            "version = 1\n{place}[[goal]]\nname = \"exit\"\npoint = [5, 3]\n[[group]]\nname = \"all\"\n\
             goal = \"exit\"\n[[spawn]]\ngroup = \"all\"\ncount = 2\nanywhere = true\n"
        );
        let assets = Some(Assets::Memory([(name.to_string(), bytes)].into()));
        let options = BuildOptions { assets, ..BuildOptions::default() };
        if let Err(errors) = check(&text, "fuzzed", &options) {
            let text = errors.to_string();
            assert_eq!(text.lines().count(), errors.0.len(), "{text}");
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
