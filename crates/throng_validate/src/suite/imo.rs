//! IMO MSC.1/Circ.1533 (2016), "Revised guidelines on evacuation analysis for new and existing passenger
//! ships", annex 3.

use super::Work::{Run, SameAs};
use super::{Suite, Test, corridor, demographics, stairs};
use crate::Label;
use crate::Label::{Direction, PassFail};

const fn test(
    id: &'static str,
    title: &'static str,
    label: Label,
    criterion: &'static str,
    seeds: u32,
    work: super::Work,
) -> Test {
    super::test(Suite::Imo, id, title, label, criterion, seeds, work)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "imo-1",
        "Speed in a corridor",
        PassFail,
        "40 m at 1 m/s in 40 s within 5 %",
        10,
        SameAs("nist-2.1"),
    ),
    test(
        "imo-2",
        "Speed up a staircase",
        PassFail,
        "10 m up at 1 m/s in 10 s within 5 %",
        3,
        Run(corridor::imo_2),
    ),
    test(
        "imo-3",
        "Speed down a staircase",
        PassFail,
        "10 m down at 1 m/s in 10 s within 5 %",
        3,
        Run(corridor::imo_3),
    ),
    test(
        "imo-4",
        "Exit flow rate",
        PassFail,
        "100 people through a door of 1 m: at most 1.33 people per second",
        10,
        SameAs("nist-5.2"),
    ),
    test(
        "imo-5",
        "Response duration",
        PassFail,
        "ten people start between 10 and 100 s, each at its time",
        10,
        SameAs("rimea-5"),
    ),
    test(
        "imo-6",
        "Rounding corners",
        PassFail,
        "twenty people get round without going through a wall",
        10,
        SameAs("rimea-6"),
    ),
    test(
        "imo-7",
        "Assignment of population demographics",
        PassFail,
        "fifty men of 30 to 50 years walk at 0.97 to 1.62 m/s",
        3,
        Run(demographics::imo_7),
    ),
    test(
        "imo-8",
        "Counterflow of two rooms connected by a corridor",
        PassFail,
        "time rises with 0, 10, 50, 100 against 100",
        10,
        SameAs("nist-2.8"),
    ),
    test(
        "imo-9",
        "Crowd dissipation from a large public room",
        Direction,
        "by two of four doors it takes about twice as long",
        5,
        SameAs("rimea-9"),
    ),
    test(
        "imo-10",
        "Exit route allocation",
        PassFail,
        "23 people, each by its own exit",
        10,
        SameAs("rimea-10"),
    ),
    test(
        "imo-11",
        "Staircase",
        PassFail,
        "150 people: congestion at the room's exit and at the stair's foot",
        20,
        Run(stairs::imo_11),
    ),
];
