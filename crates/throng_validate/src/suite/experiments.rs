//! Experiments with people, repeated.

use super::Work::Run;
use super::{Suite, Test};
use crate::Label::PassFail;
use crate::experiments::{RECORDINGS, Recording, compare};
use crate::{Outcome, Settings, ValidateError};

/// What every experiment is held to.
const CRITERION: &str =
    "mean speed, density and time to pass within 15 %, KS distance of speeds below 0.25";

/// A jam at a narrow door is another one every time: fewer would tell little of the mean.
const SEEDS: u32 = 16;

const fn test(id: &'static str, title: &'static str, work: super::Work) -> Test {
    let test = super::test(Suite::Experiments, id, title, PassFail, CRITERION, SEEDS, work);
    Test { by_name_only: true, ..test }
}

fn of(id: &str, settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let found: Option<&Recording> = RECORDINGS.iter().find(|r| r.id == id);
    let unknown = || ValidateError::Unknown { name: id.to_string(), near: None };
    compare(found.ok_or_else(unknown)?, settings, seeds)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "bottleneck-wuppertal-2018",
        "Bottleneck of 0.5 m, 75 people (doi:10.34735/ped.2018.1)",
        Run(|s, n| of("bottleneck-wuppertal-2018", s, n)),
    ),
    test(
        "bottleneck-school-2014",
        "Bottleneck of 0.8 m, 46 pupils (doi:10.34735/ped.2014.1)",
        Run(|s, n| of("bottleneck-school-2014", s, n)),
    ),
    test(
        "hermes-uo-050",
        "Corridor of 1.8 m, entrance 0.5 m (HERMES 2009)",
        Run(|s, n| of("hermes-uo-050", s, n)),
    ),
    test(
        "hermes-uo-100",
        "Corridor of 1.8 m, entrance 1.0 m (HERMES 2009)",
        Run(|s, n| of("hermes-uo-100", s, n)),
    ),
    test(
        "hermes-uo-180",
        "Corridor of 1.8 m, entrance 1.8 m (HERMES 2009)",
        Run(|s, n| of("hermes-uo-180", s, n)),
    ),
    test(
        "unidirectional-500",
        "Corridor of 5 m, one way",
        Run(|s, n| of("unidirectional-500", s, n)),
    ),
    test(
        "bidirectional-400",
        "Corridor of 4 m, both ways",
        Run(|s, n| of("bidirectional-400", s, n)),
    ),
    test("corner", "Corner of 90 degrees, 3 m wide", Run(|s, n| of("corner", s, n))),
];
