//! The same tests at other places and resolutions: what a grid does to people must not show.

use super::{Test, TestResult, run};
use crate::scene::Placement;
use crate::{Seeds, Settings};
use serde::Serialize;
use std::fmt;

/// What is allowed between figures.
const ALLOWED: f64 = 0.05;
/// Two means of a test's usual seeds can differ by more than that by chance alone: so many times as many are run.
const TIMES_SEEDS: u32 = 2;

/// A way to run all tests once more.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What is different.
    pub name: &'static str,
    /// How.
    pub settings: Settings,
}

/// The variants: turned by 17 and by 45 degrees, shifted by half a cell, step and cell halved.
pub fn variants(settings: &Settings) -> Vec<Variant> {
    let base = settings.clone();
    let turned = |turn| Settings { placement: Placement { turn, shift: 0.0 }, ..base.clone() };
    vec![
        Variant { name: "turned by 17 degrees", settings: turned(17.0) },
        Variant { name: "turned by 45 degrees", settings: turned(45.0) },
        Variant {
            name: "shifted by half a cell",
            settings: Settings { shift_cells: 0.5, ..base.clone() },
        },
        Variant {
            name: "half the step",
            settings: Settings { dt_factor: Some(0.5), ..base.clone() },
        },
        Variant {
            name: "half the cell",
            settings: Settings { cell_factor: Some(0.5), ..base.clone() },
        },
    ]
}

/// What a variant changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The test.
    pub test: &'static str,
    /// The variant.
    pub variant: &'static str,
    /// What changed: the verdict, or a figure.
    pub what: String,
    /// As it is.
    pub home: String,
    /// In the variant.
    pub there: String,
    /// Relative change of a figure.
    pub by: Option<f64>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, variant, what, home, there, by } = self;
        write!(f, "{test}, {variant}: {what}: {home} -> {there}")?;
        by.map_or(Ok(()), |by| write!(f, " ({:+.1} %)", by * 100.0))
    }
}

/// Runs tests as they are and in all variants, with more seeds than usual; gives the results as they are, and all changes
/// of verdicts and of figures by more than 5 %. `each` hears of every result when it is there, and of what it changes.
pub fn compare(
    tests: &[&'static Test],
    settings: &Settings,
    mut each: impl FnMut(&str, &TestResult, &[Change]),
) -> (Vec<TestResult>, Vec<Change>) {
    let more = match settings.seeds {
        Seeds::Times(times) => Seeds::Times(times * TIMES_SEEDS),
        exactly => exactly,
    };
    let settings = &Settings { seeds: more, ..settings.clone() };
    let home = run(tests, settings, |result| each("as it is", result, &[]));
    let mut changes = Vec::new();
    for variant in variants(settings) {
        let mut at_home = home.iter();
        run(tests, &variant.settings, |there| {
            let found = at_home.next().map(|home| changes_of(home, there, variant.name));
            let found = found.unwrap_or_default();
            each(variant.name, there, &found);
            changes.extend(found);
        });
    }
    (home, changes)
}

fn changes_of(home: &TestResult, there: &TestResult, variant: &'static str) -> Vec<Change> {
    let test = home.test.id;
    let mut changes = Vec::new();
    if home.verdict() != there.verdict() {
        changes.push(Change {
            test,
            variant,
            what: "verdict".into(),
            home: home.verdict().name().into(),
            there: there.verdict().name().into(),
            by: None,
        });
    }
    for figure in &home.outcome.figures {
        let found = there.outcome.figures.iter().find(|f| f.name == figure.name);
        let value = found.map_or(f64::NAN, |f| f.value);
        let by = (value - figure.value) / figure.value.abs().max(1e-9);
        // What is not a number has changed, unless it was none before.
        let same = by.abs() <= ALLOWED || (value.is_nan() && figure.value.is_nan());
        if !same {
            changes.push(Change {
                test,
                variant,
                what: figure.name.clone(),
                home: format!("{:.3} {}", figure.value, figure.unit).trim_end().into(),
                there: format!("{value:.3} {}", figure.unit).trim_end().into(),
                by: Some(by),
            });
        }
    }
    changes
}
