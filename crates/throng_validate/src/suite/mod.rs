//! The tests, as the standards list them.
//!
//! [`rimea`](self), `nist`, `iso` and `imo` are tables that read like the standards; what a test does
//! lives in a module by its subject, since the standards share most of them. A test of one standard that
//! is the same as one of another names it, and is carried out once.

mod bottleneck;
mod choice;
mod corner;
mod corridor;
mod counterflow;
mod demographics;
mod diagram;
mod door;
mod experiments;
mod fire;
mod hall;
mod imo;
pub mod invariance;
mod iso;
mod nist;
mod party;
mod premovement;
mod rimea;
mod routes;
mod select;
mod single_file;
mod stairs;
mod study;
mod throng;

pub use select::{all, select};

use crate::{Label, Outcome, Settings, ValidateError, Verdict};
use std::collections::HashMap;
use std::time::Instant;

/// Who wrote a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suite {
    /// RiMEA guideline 4.1.1 (2025).
    Rimea,
    /// NIST Technical Note 1822 (2013).
    Nist,
    /// ISO 20414:2020.
    Iso,
    /// IMO MSC.1/Circ.1533 (2016), annex 3.
    Imo,
    /// Our own.
    Throng,
    /// Experiments with people, repeated.
    Experiments,
}

impl Suite {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Rimea, Self::Nist, Self::Iso, Self::Imo, Self::Throng, Self::Experiments];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rimea => "rimea",
            Self::Nist => "nist",
            Self::Iso => "iso",
            Self::Imo => "imo",
            Self::Throng => "throng",
            Self::Experiments => "experiments",
        }
    }

    /// In full.
    pub fn full_name(self) -> &'static str {
        match self {
            Self::Rimea => "RiMEA 4.1.1",
            Self::Nist => "NIST TN 1822",
            Self::Iso => "ISO 20414",
            Self::Imo => "IMO MSC.1/Circ.1533",
            Self::Throng => "Throng",
            Self::Experiments => "Experiments",
        }
    }
}

/// What a test does.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// It runs with so many seeds.
    Run(fn(&Settings, u32) -> Result<Outcome, ValidateError>),
    /// It is the same as another, under its own label.
    SameAs(&'static str),
}

/// A test.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Its name, such as `rimea-12b`.
    pub id: &'static str,
    /// Who wrote it.
    pub suite: Suite,
    /// What it is about.
    pub title: &'static str,
    /// How it is meant.
    pub label: Label,
    /// What has to hold.
    pub criterion: &'static str,
    /// Seeds it runs with unless told otherwise.
    pub seeds: u32,
    /// What it does.
    pub work: Work,
    /// Whether it takes too long to be run unless it is named.
    pub by_name_only: bool,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The test.
    pub test: &'static Test,
    /// What came of it.
    pub outcome: Outcome,
    /// How many seeds it ran with.
    pub seeds: u32,
    /// How long it took (seconds).
    pub seconds: f64,
}

impl TestResult {
    /// Its verdict.
    pub fn verdict(&self) -> Verdict {
        self.outcome.verdict(self.test.label)
    }

    /// Whether a test that is passed or failed was failed.
    pub fn is_failure(&self) -> bool {
        self.test.label == Label::PassFail && self.verdict() == Verdict::Fail
    }
}

/// Carries tests out, in their order; `each` hears of every result when it is there. A test whose scene the
/// engine does not accept is told as not built, one that ends in an error as failed.
pub fn run(
    tests: &[&'static Test],
    settings: &Settings,
    mut each: impl FnMut(&TestResult),
) -> Vec<TestResult> {
    let mut done: HashMap<&'static str, (Outcome, u32)> = HashMap::new();
    let mut results = Vec::new();
    for &test in tests {
        let begin = Instant::now();
        let origin = origin(test);
        let seeds = settings.seeds.of(origin.seeds);
        let (outcome, seeds) = match (done.get(origin.id), origin.work) {
            (Some(known), _) => known.clone(),
            (None, Work::Run(work)) => {
                let outcome = work(settings, seeds).unwrap_or_else(failed);
                done.insert(origin.id, (outcome.clone(), seeds));
                (outcome, seeds)
            }
            (None, Work::SameAs(other)) => {
                (Outcome::not_built(format!("a test `{other}` to be the same as")), seeds)
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        let result = TestResult { test, outcome, seeds, seconds };
        each(&result);
        results.push(result);
    }
    results
}

/// The test that does the work of another.
fn origin(test: &'static Test) -> &'static Test {
    let mut origin = test;
    // Chains are short; a ring would be a mistake in the tables.
    for _ in 0..4 {
        let Work::SameAs(other) = origin.work else { break };
        origin = all().find(|t| t.id == other).unwrap_or(origin);
    }
    origin
}

fn failed(error: ValidateError) -> Outcome {
    match error {
        ValidateError::Scene { scene, errors } => {
            let first =
                errors.0.first().map_or(String::new(), |p| format!("`{}`: {}", p.key, p.what));
            Outcome::not_built(format!("scene {scene} is not accepted, {first}"))
        }
        error => {
            let mut outcome = Outcome::default().value(format!("could not be run: {error}"));
            outcome.missing = Some(error.to_string());
            outcome
        }
    }
}

/// A test of a suite, as its table writes it.
const fn test(
    suite: Suite,
    id: &'static str,
    title: &'static str,
    label: Label,
    criterion: &'static str,
    seeds: u32,
    work: Work,
) -> Test {
    Test { id, suite, title, label, criterion, seeds, work, by_name_only: false }
}
