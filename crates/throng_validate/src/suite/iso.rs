//! ISO 20414:2020, "Fire safety engineering - Verification and validation protocol for building fire
//! evacuation models": those that are not also NIST's.

use super::Work::{Run, SameAs};
use super::{Suite, Test, choice, corridor, diagram, party, stairs};
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
    super::test(Suite::Iso, id, title, label, criterion, seeds, work)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "iso-3",
        "Stairs",
        PassFail,
        "0.5 m/s within 0.05 on 10 m of stairs at half speed, up and down",
        3,
        Run(corridor::iso_3),
    ),
    test(
        "iso-12",
        "Flow on stairs",
        PassFail,
        "flow of 100 people rises with the stair's width from 1.0 to 1.8 m",
        5,
        Run(stairs::iso_12),
    ),
    test(
        "iso-13",
        "Flow, density and walking speed in a corridor",
        PassFail,
        "60 to 480 people on 120 m²: nobody above free speed, speed falls, flow has a peak",
        10,
        Run(diagram::iso_13),
    ),
    test(
        "iso-14",
        "Group behaviour",
        PassFail,
        "a party of five leaves within 10 s, behind ten slower people",
        60,
        Run(party::iso_14),
    ),
    test(
        "iso-17",
        "Shortest route",
        PassFail,
        "more than half take the shorter way",
        5,
        Run(choice::iso_17),
    ),
    test(
        "iso-18",
        "Walking speed in smoke",
        PassFail,
        "time through smoke as by hand, within 0.5 s",
        3,
        SameAs("nist-2.5"),
    ),
    test(
        "iso-19",
        "Incapacitation by toxic gases",
        PassFail,
        "incapacitated when the fractional effective dose is 1, within a step",
        3,
        SameAs("nist-2.6"),
    ),
];
