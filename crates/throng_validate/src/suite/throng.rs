//! Tests of our own: bounds where the standards have none.

use super::Work::{Run, SameAs};
use super::{Suite, Test, bottleneck, diagram};
use crate::Label;
use crate::Label::PassFail;

const fn test(
    id: &'static str,
    title: &'static str,
    label: Label,
    criterion: &'static str,
    seeds: u32,
    work: super::Work,
) -> Test {
    super::test(Suite::Throng, id, title, label, criterion, seeds, work)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "fundamental-diagram",
        "Speed and flow against Weidmann",
        PassFail,
        "within 0.12 m/s of Weidmann up to 4 people per m²; peak 1.1 to 1.4 /m/s at 1.4 to 2.2 /m²",
        2,
        SameAs("rimea-4"),
    ),
    Test {
        by_name_only: true,
        ..test(
            "fundamental-diagram-short",
            "Speed against Weidmann at three densities",
            PassFail,
            "within 0.12 m/s of Weidmann at 1, 2 and 4 people per m²",
            1,
            Run(diagram::rimea_4_short),
        )
    },
    test(
        "single-file",
        "Single file against the experiments",
        PassFail,
        "median speeds in the 10-90 % band in at least 75 % of the bins",
        4,
        SameAs("rimea-16"),
    ),
    test(
        "bottleneck-width",
        "Flow against width",
        PassFail,
        "slope 1.9 ± 0.25 /m/s from 0.8 to 2.5 m, each point within the spread of three series",
        15,
        Run(bottleneck::width_series),
    ),
];
