//! RiMEA guideline for microscopic evacuation analysis 4.1.1 (2025), annexes 2 to 4.
//!
//! Labels as three implementers give them. Where the guideline has no bound, checks are told in the report and
//! decide nothing; `throng` has tests of ours that hold them to a bound.

use super::Work::Run;
use super::{
    Suite, Test, bottleneck, choice, corner, corridor, demographics, diagram, hall, premovement,
};
use super::{routes, single_file, stairs, study};
use crate::Label;
use crate::Label::{Direction, PassFail, Report};

const fn test(
    id: &'static str,
    title: &'static str,
    label: Label,
    criterion: &'static str,
    seeds: u32,
    work: super::Work,
) -> Test {
    super::test(Suite::Rimea, id, title, label, criterion, seeds, work)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "rimea-1",
        "Walking speed in a corridor",
        PassFail,
        "40 m at 1.33 m/s in 26 to 34 s",
        10,
        Run(corridor::rimea_1),
    ),
    test(
        "rimea-2",
        "Walking speed up a stair",
        PassFail,
        "10 m up at 0.50 m/s: 20 s within 5 %",
        10,
        Run(corridor::rimea_2),
    ),
    test(
        "rimea-3",
        "Walking speed down a stair",
        PassFail,
        "10 m down at 0.65 m/s: 15.4 s within 5 %",
        10,
        Run(corridor::rimea_3),
    ),
    test(
        "rimea-4",
        "Fundamental diagram, in a column of 165 m by 4 m",
        Report,
        "speed in three squares from 10 to 70 s at 0.5 to 6 people per m², against Weidmann",
        2,
        Run(diagram::rimea_4),
    ),
    Test {
        by_name_only: true,
        ..test(
            "rimea-4-literal",
            "Fundamental diagram, 1000 m by 10 m, up to 60,000 people",
            Report,
            "as RiMEA 4, at its full size; faster than real time",
            1,
            Run(diagram::rimea_4_literal),
        )
    },
    test(
        "rimea-5",
        "Premovement time",
        PassFail,
        "ten people who start after 10, 20, ... 100 s start within 0.2 s of it",
        10,
        Run(premovement::rimea_5),
    ),
    test(
        "rimea-6",
        "Round a corner",
        PassFail,
        "twenty people get round; nobody through a wall",
        10,
        Run(corner::rimea_6),
    ),
    test(
        "rimea-7",
        "Walking speeds by age",
        PassFail,
        "speeds of 50 people of each age within 20 % of Weidmann's mean, falling with age",
        2,
        Run(demographics::rimea_7),
    ),
    test(
        "rimea-8",
        "Parameter study in a building of three floors",
        Direction,
        "time falls as the free speed rises",
        2,
        Run(study::rimea_8),
    ),
    test(
        "rimea-9",
        "A crowd leaves a large public room",
        Direction,
        "by two of four doors it takes about twice as long (1.6 to 2.4)",
        5,
        Run(hall::rimea_9),
    ),
    test(
        "rimea-10",
        "Allocation of escape routes",
        PassFail,
        "15 people by the main exit, 8 by the secondary one, each by its own",
        10,
        Run(routes::rimea_10),
    ),
    test(
        "rimea-11",
        "Choice of exit",
        PassFail,
        "more by the nearer exit 1 than by exit 2, but some by exit 2",
        10,
        Run(hall::rimea_11),
    ),
    test(
        "rimea-12a",
        "Bottleneck: distance of the goal",
        Report,
        "time until room 1 is empty, by the distance of the goal; the nearest not slower",
        10,
        Run(bottleneck::rimea_12a),
    ),
    test(
        "rimea-12b",
        "Bottleneck: length",
        PassFail,
        "room 1 is empty later before an opening 5 m long than before one of 0.2 m",
        10,
        Run(bottleneck::rimea_12b),
    ),
    test(
        "rimea-12c",
        "Two bottlenecks",
        Report,
        "flows at two equal openings; no jam before the second",
        10,
        Run(bottleneck::rimea_12c),
    ),
    test(
        "rimea-12d",
        "Bottleneck: width",
        Direction,
        "flow rises with width from 0.8 to 1.2 m",
        10,
        Run(bottleneck::rimea_12d),
    ),
    test(
        "rimea-13",
        "Fundamental diagram on stairs",
        Report,
        "speed against density up and down a stair, against Corbetta's band",
        5,
        Run(stairs::rimea_13),
    ),
    test(
        "rimea-14",
        "Choice of route",
        Report,
        "share of the short way with stairs and of the long way on the floor",
        5,
        Run(choice::rimea_14),
    ),
    test(
        "rimea-15",
        "A large crowd round a corner",
        Direction,
        "t(straight 44 m) <= t(corner) <= t(straight 75.4 m)",
        10,
        Run(corner::rimea_15),
    ),
    test(
        "rimea-16",
        "Fundamental diagram in single file",
        Report,
        "median speeds in the 10-90 % band of the experiments",
        4,
        Run(single_file::rimea_16),
    ),
];
