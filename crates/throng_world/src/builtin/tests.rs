//! Tests of the made maps: connected, repeatable, and the same bits on every machine.

use super::connect::parts;
use super::*;

type Recipe = fn(u64) -> Result<Grid<f32>, MapError>;

const RECIPES: [(&str, Recipe); 3] = [
    ("street", |seed| street(260, 210, seed)),
    ("maze", |seed| maze(80, 61, 3, seed)),
    ("cave", |seed| cave(150, 120, seed)),
];

/// Free cells, and in how many connected parts.
fn free_and_parts(map: &Grid<f32>) -> (usize, usize) {
    let (_, sizes) = parts(map, f32::is_finite);
    (sizes.iter().sum(), sizes.len() - 1)
}

/// FNV-1a over the bits of all costs.
fn fingerprint(map: &Grid<f32>) -> u64 {
    let bytes = map.as_slice().iter().flat_map(|c| c.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// An agent placed on any free cell must be able to reach any other.
#[test]
fn all_free_cells_are_connected() {
    for name in builtin_names() {
        let map = builtin(name).unwrap();
        let (free, parts) = free_and_parts(&map);
        assert_eq!(parts, 1, "{name}");
        assert!(free * 3 > map.cells(), "{name} has only {free} free cells");
    }
    for (name, make) in RECIPES {
        for seed in 0..12 {
            let map = make(seed).unwrap();
            let (free, parts) = free_and_parts(&map);
            assert_eq!(parts, 1, "{name} of seed {seed}");
            assert!(free * 6 > map.cells(), "{name} of seed {seed} has {free} free cells");
        }
    }
}

#[test]
fn the_seed_decides_every_cell() {
    for (name, make) in RECIPES {
        assert_eq!(make(5).unwrap(), make(5).unwrap(), "{name}");
        assert_ne!(make(5).unwrap(), make(6).unwrap(), "{name}");
    }
}

/// Costs are open ground or blocked, and the named maps keep their sizes.
#[test]
fn named_maps_have_their_sizes() {
    let sizes = [("street", 512), ("maze", 257), ("cave", 384), ("uniform", 256)];
    assert_eq!(sizes.map(|(name, _)| name), builtin_names());
    for (name, side) in sizes {
        let map = builtin(name).unwrap();
        assert_eq!((map.width(), map.height()), (side, side), "{name}");
        assert!(map.as_slice().iter().all(|&c| c == FREE || c == crate::BLOCKED));
    }
    assert!(builtin("nowhere").is_none());
}

/// A change here means that recorded runs on these maps no longer repeat.
#[test]
fn named_maps_are_the_same_on_every_machine() {
    let known = [
        ("street", 0xebaf_c7d9_6de6_7a25),
        ("maze", 0xc244_ffef_c70e_3918),
        ("cave", 0x1999_3bb8_207f_bda5),
    ];
    for (name, expected) in known {
        let found = fingerprint(&builtin(name).unwrap());
        assert_eq!(found, expected, "{name}: 0x{found:016x}");
    }
}

/// A maze without openings has one way; the openings give some places two.
#[test]
fn mazes_have_all_rooms_and_a_few_rounds() {
    let map = maze(257, 257, 7, 9).unwrap();
    let rooms = 32 * 32;
    let (free, _) = free_and_parts(&map);
    let perfect = rooms * 49 + (rooms - 1) * 7;
    assert!(free > perfect && free < perfect + rooms, "{free} against {perfect}");
    let thin = maze(3, 90, 1, 1).unwrap();
    assert_eq!(free_and_parts(&thin), (87, 1), "a maze one room wide is a straight corridor");
}

#[test]
fn impossible_requests_say_what_would_do() {
    let message = |made: Result<Grid<f32>, MapError>| made.unwrap_err().to_string();
    assert_eq!(
        message(street(63, 100, 1)),
        "map `street`: 63 x 100 cells are too few; ask for at least 64 x 64"
    );
    assert!(message(cave(0, 0, 1)).contains("at least 32 x 32"));
    assert!(message(maze(9, 9, 0, 1)).contains("at least 1 cell wide"));
    assert!(message(maze(9, 9, 8, 1)).contains("at least 10 x 10"));
    assert!(message(maze(9, 9, usize::MAX, 1)).contains("too few"));
    assert!(message(uniform(0, 1)).contains("has no cells"));
    assert!(message(uniform(1 << 20, 1 << 20)).contains("too large"));
}

/// The smallest sizes must work as well as the usual ones.
#[test]
fn small_and_odd_sizes_work() {
    for seed in 0..8 {
        for (width, height) in [(64, 64), (65, 300), (300, 64), (199, 201)] {
            assert_eq!(free_and_parts(&street(width, height, seed).unwrap()).1, 1);
        }
        for (width, height) in [(32, 32), (33, 150), (150, 32)] {
            assert_eq!(free_and_parts(&cave(width, height, seed).unwrap()).1, 1);
        }
    }
}
