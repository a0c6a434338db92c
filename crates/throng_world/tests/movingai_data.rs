//! Reads the MovingAI maps and scenarios that lie beside the project and compares them with the
//! table in their README. `THRONG_DATA` names another data folder; without data the tests say so.
#![allow(clippy::print_stdout)]

use std::io::Write;
use std::path::{Path, PathBuf};
use throng_world::{load_cost, read_map, read_scenarios};

/// One row of the README's table.
struct Entry {
    map: PathBuf,
    size: (usize, usize),
    passable: usize,
    scenarios: usize,
    longest: f64,
}

fn data_folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("THRONG_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("movingai");
    if folder.join("README.md").is_file() {
        return Some(folder);
    }
    // Not captured, unlike `println`: what was not tested must be seen.
    let _ = writeln!(std::io::stderr(), "skipped: data not present ({})", folder.display());
    None
}

/// The table: map, set, size, passable cells, scenarios, longest optimal length, ...
fn table(folder: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let column: Vec<&str> = row.split('|').map(str::trim).collect();
        let number = |text: &str| text.split(' ').next().unwrap().parse().unwrap();
        let (width, height) = column[3].split_once(" x ").unwrap();
        Entry {
            map: folder.join(column[1].split('`').nth(1).unwrap()),
            size: (number(width), number(height)),
            passable: number(column[4]),
            scenarios: number(column[5]),
            longest: column[6].parse().unwrap(),
        }
    })
    .collect()
}

/// A misread terrain character or row would change the size or the number of free cells.
#[test]
fn maps_have_the_documented_size_and_free_cells() {
    let Some(folder) = data_folder() else { return };
    let entries = table(&folder);
    assert!(entries.len() >= 18, "the table of maps is not read");
    for entry in entries {
        let grid = read_map(&entry.map).unwrap();
        let free = grid.as_slice().iter().filter(|c| c.is_finite()).count();
        let found = (grid.width(), grid.height(), free);
        assert_eq!(found, (entry.size.0, entry.size.1, entry.passable), "{}", entry.map.display());
        assert_eq!(load_cost(&entry.map).unwrap(), grid);
    }
}

/// Scenarios must be complete, fit their map, and start and end on free cells.
#[test]
fn scenarios_are_complete_and_fit_their_maps() {
    let Some(folder) = data_folder() else { return };
    for entry in table(&folder) {
        let grid = read_map(&entry.map).unwrap();
        let file = entry.map.with_extension("map.scen");
        let all = read_scenarios(&file).unwrap();
        assert_eq!(all.len(), entry.scenarios, "{}", file.display());
        for scenario in &all {
            scenario.fits(&grid).unwrap();
            assert!(grid[scenario.start].is_finite() && grid[scenario.goal].is_finite());
        }
        let longest = all.iter().fold(0.0, |most: f64, s| most.max(s.optimal));
        assert!((longest - entry.longest).abs() < 0.006, "{}: {longest}", file.display());
    }
}
