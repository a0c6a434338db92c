//! NIST Technical Note 1822, "The process of verification and validation of building fire evacuation
//! models" (2013).

use super::Work::{Run, SameAs};
use super::{Suite, Test, choice, corridor, counterflow, demographics, door, fire, party};
use super::{premovement, stairs};
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
    super::test(Suite::Nist, id, title, label, criterion, seeds, work)
}

pub(super) const TESTS: &[Test] = &[
    test(
        "nist-1.1",
        "Pre-evacuation time distributions",
        PassFail,
        "starts fit uniform, log-normal, gamma and Weibull distributions, KS p > 0.05",
        10,
        Run(premovement::nist_1_1),
    ),
    test(
        "nist-2.1",
        "Speed in a corridor",
        PassFail,
        "1.0 m/s within 0.05 over 40 m",
        10,
        Run(corridor::nist_2_1),
    ),
    test(
        "nist-2.2",
        "Speed on stairs",
        PassFail,
        "1.0 m/s within 0.05 over 100 m up and down",
        3,
        Run(corridor::nist_2_2),
    ),
    test(
        "nist-2.3",
        "Movement around a corner",
        PassFail,
        "all twenty out within 60 s, nobody outside by more than 1 mm",
        10,
        SameAs("rimea-6"),
    ),
    test(
        "nist-2.4",
        "Assigned demographics",
        PassFail,
        "speeds of 100 people fit N(1.2, 0.2): mean and deviation within 0.05 m/s, KS p > 0.05",
        2,
        Run(demographics::nist_2_4),
    ),
    test(
        "nist-2.5",
        "Reduced visibility against walking speed",
        PassFail,
        "100 m at 1.25 m/s in smoke of 1 /m: 160 s within 0.5 s by c(K) = max(0.3/v, 1 - 0.5 K)",
        3,
        Run(fire::nist_2_5),
    ),
    test(
        "nist-2.6",
        "Occupant incapacitation",
        PassFail,
        "in 5000 ppm CO, 2 % CO2, 18 % O2 incapacitated after 207.6 s, within a step",
        3,
        Run(fire::nist_2_6),
    ),
    test(
        "nist-2.7",
        "Elevator usage",
        PassFail,
        "twelve people use a lift for four as it is set up",
        3,
        Run(fire::nist_2_7),
    ),
    test(
        "nist-2.8",
        "Counterflow",
        PassFail,
        "100 people against 0, 10, 50, 100: all get through, time rises",
        10,
        Run(counterflow::nist_2_8),
    ),
    test(
        "nist-2.9",
        "Group behaviours",
        PassFail,
        "four at 1.25 m/s and one at 0.5 m/s leave within 10 s of each other",
        100,
        Run(party::nist_2_9),
    ),
    test(
        "nist-2.10",
        "People with movement disabilities",
        PassFail,
        "24 people take longer behind one who is slow and wide; all 25 get out",
        10,
        Run(counterflow::nist_2_10),
    ),
    test(
        "nist-3.1",
        "Exit route allocation",
        PassFail,
        "everybody by its own exit",
        10,
        SameAs("rimea-10"),
    ),
    test(
        "nist-3.2",
        "Social influence",
        PassFail,
        "exit 2 is chosen more often when somebody is bound for it",
        40,
        Run(choice::nist_3_2),
    ),
    test(
        "nist-3.3",
        "Affiliation",
        PassFail,
        "50 : 50 within 10 %; exit 2 preferred at 20 : 80",
        100,
        Run(choice::nist_3_3),
    ),
    test(
        "nist-4.1",
        "Dynamic availability of exits",
        PassFail,
        "the nearer exit closes after 1 s: leaves by the other",
        10,
        Run(choice::nist_4_1),
    ),
    test(
        "nist-5.1",
        "Congestion",
        PassFail,
        "denser at the room's exit and at the stair's foot than in the corridor between",
        20,
        Run(stairs::nist_5_1),
    ),
    test(
        "nist-5.2",
        "Maximum flow rate",
        PassFail,
        "at most 1.33 people per metre and second through a door with that cap, at least 0.9 of it",
        10,
        Run(door::nist_5_2),
    ),
];
