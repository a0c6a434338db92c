//! Throws arbitrary and broken files at every parser: none may panic, an error is one line that
//! names the file, and what parses has the size it claims.
//!
//! 2000 cases each; set `THRONG_FUZZ_CASES` for more.
#![allow(clippy::print_stdout)]

mod mutate;

use mutate::{Mutation, mutate, mutations, repair_checksums};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use throng_world::{MapError, RasterRule, parse_map, parse_raster, parse_scenarios};

const NAME: &str = "fuzzed\nname";
const SHOWN: &str = "fuzzed\\nname";

/// What one case starts from and what is done to it.
#[derive(Clone, Debug)]
enum Input {
    Arbitrary(Vec<u8>),
    Mutated { base: usize, changes: Vec<Mutation>, repair: bool },
}

fn input() -> impl Strategy<Value = Input> {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let mutated = (any::<usize>(), mutations(), any::<bool>());
    prop_oneof![
        1 => bytes.prop_map(Input::Arbitrary),
        4 => mutated.prop_map(|(base, changes, repair)| Input::Mutated { base, changes, repair }),
    ]
}

/// Runs `check` on all cases; it tells whether the input parsed.
fn fuzz(what: &str, bases: &[Vec<u8>], check: impl Fn(&[u8], bool) -> bool) {
    let cases = std::env::var("THRONG_FUZZ_CASES").map_or(2000, |n| n.parse().expect("a number"));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let (ran, parsed) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new(config).run(&input(), |input| {
        let (bytes, repair) = match input {
            Input::Arbitrary(bytes) => (bytes, false),
            Input::Mutated { base, changes, repair } => (mutate(bases, base, &changes), repair),
        };
        ran.set(ran.get() + 1);
        if check(&bytes, repair) {
            parsed.set(parsed.get() + 1);
        }
        Ok(())
    });
    println!("{what}: {} cases, of which {} parsed", ran.get(), parsed.get());
    if let Err(failure) = result {
        panic!("{what}: {failure}");
    }
}

/// The value if it parsed; an error must be one line that names the file.
fn checked<T>(result: Result<T, MapError>) -> Option<T> {
    let error = match result {
        Ok(value) => return Some(value),
        Err(error) => error.to_string(),
    };
    assert!(error.starts_with(SHOWN), "{error}");
    assert!(!error.contains('\n') && error.len() < 1000, "{error}");
    None
}

/// The number behind a word of a map's header.
fn claim(text: &[u8], key: &str) -> Option<usize> {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().find(|l| l.trim_start_matches('\u{feff}').starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn maps() {
    let bases = [
        "type octile\nheight 3\nwidth 5\nmap\n..@GS\nTTWW.\n@OO@.\n",
        "type octile\r\nwidth 2\r\nheight 2\r\nmap\r\n..\r\n@@\r\n\r\n",
        "type octile\nheight 1\nwidth 10\nmap\n..........",
    ];
    let large = format!(
        "type octile\nheight 20\nwidth 30\nmap\n{}",
        "..@@GSTWO.....@@@@............\n".repeat(20)
    );
    let bases = bases.map(str::to_string).into_iter().chain([large]);
    let bases: Vec<Vec<u8>> = bases.map(String::into_bytes).collect();
    fuzz("map", &bases, |bytes, _| {
        let Some(grid) = checked(parse_map(bytes, NAME)) else {
            return false;
        };
        assert_eq!(Some(grid.width()), claim(bytes, "width"));
        assert_eq!(Some(grid.height()), claim(bytes, "height"));
        assert_eq!(grid.cells(), grid.width() * grid.height());
        assert!(grid.cells() <= bytes.len());
        assert!(grid.as_slice().iter().all(|&c| c == 1.0 || c == f32::INFINITY));
        true
    });
}

#[test]
fn scenarios() {
    let bases = [
        "version 1\n0\ta b.map\t49\t49\t1\t11\t1\t12\t1\n3\tc.map\t9\t8\t7\t6\t5\t4\t3.25\n",
        "version 1.0\r\n61 maps/a.map 512 512 210 395 87 201 244.95\r\n",
        "version 1",
    ];
    fuzz("scenario", &bases.map(|b| b.as_bytes().to_vec()), |bytes, _| {
        let Some(all) = checked(parse_scenarios(bytes, NAME)) else {
            return false;
        };
        let lines = bytes.split(|&b| b == b'\n').count();
        assert!(all.len() < lines.max(2));
        for s in &all {
            assert!(s.start.x < s.size.0 && s.start.y < s.size.1);
            assert!(s.goal.x < s.size.0 && s.goal.y < s.size.1);
            assert!(s.optimal.is_finite() && s.optimal >= 0.0);
            assert!(s.line > 1 && s.line <= lines);
        }
        true
    });
}

#[test]
fn pictures() {
    let mut bases = mutate::pictures();
    for base in &bases {
        assert!(parse_raster(base, NAME, &RasterRule::default()).is_ok(), "{base:?}");
    }
    bases.push(mutate::animated());
    fuzz("picture", &bases, |bytes, repair| {
        let mut bytes = bytes.to_vec();
        if repair {
            repair_checksums(&mut bytes);
        }
        let Some(grid) = checked(parse_raster(&bytes, NAME, &RasterRule::default())) else {
            return false;
        };
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(grid.width(), number(16) as usize);
        assert_eq!(grid.height(), number(20) as usize);
        assert_eq!(grid.cells(), grid.width() * grid.height());
        assert!(grid.as_slice().iter().all(|&c| c >= 1.0));
        true
    });
}
