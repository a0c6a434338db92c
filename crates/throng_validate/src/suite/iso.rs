//! ISO 20414:2020, "Fire safety engineering - Verification and validation protocol for building fire
//! evacuation models": those that are not also NIST's.

use super::Work::Run;
use super::{Suite, Test, corridor, diagram};
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
        "iso-13",
        "Flow, density and walking speed in a corridor",
        PassFail,
        "60 to 480 people on 120 m²: nobody above free speed, speed falls, flow has a peak",
        10,
        Run(diagram::iso_13),
    ),
];
