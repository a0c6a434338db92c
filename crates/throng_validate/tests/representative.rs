//! The part of the suite that is run with all other tests: if one of these fails, people do not walk as the
//! standards ask. `throng validate` runs all of it, with more seeds.

#![allow(clippy::print_stdout, reason = "tests tell their figures")]

use throng_validate::suite::{run, select};
use throng_validate::{Seeds, Settings, Verdict};

/// Runs a test with some seeds; it has to pass.
fn passes(name: &str, seeds: u32) {
    let tests = select(&[name]).expect("a test of that name");
    let settings = Settings { seeds: Seeds::Exactly(seeds), ..Default::default() };
    for result in run(&tests, &settings, |_| {}) {
        let broken: Vec<&str> = result
            .outcome
            .checks
            .iter()
            .filter(|check| !check.holds)
            .map(|check| check.what.as_str())
            .collect();
        println!("{}: {} ({:.1} s)", result.test.id, result.outcome.value, result.seconds);
        assert_eq!(
            result.verdict(),
            Verdict::Pass,
            "{} ({}): {}; {broken:?}",
            result.test.id,
            result.test.criterion,
            result.outcome.value
        );
    }
}

#[test]
fn rimea_1_walking_speed_in_a_corridor() {
    passes("rimea-1", 3);
}

#[test]
fn rimea_2_walking_speed_up_a_stair() {
    passes("rimea-2", 3);
}

#[test]
fn rimea_3_walking_speed_down_a_stair() {
    passes("rimea-3", 3);
}

#[test]
fn rimea_4_speed_at_three_densities() {
    passes("fundamental-diagram-short", 1);
}

#[test]
fn rimea_5_premovement() {
    passes("rimea-5", 3);
}

#[test]
fn rimea_6_round_a_corner() {
    passes("rimea-6", 3);
}

#[test]
fn rimea_10_route_allocation() {
    passes("rimea-10", 3);
}

#[test]
fn rimea_12b_length_of_a_bottleneck() {
    passes("rimea-12b", 2);
}

#[test]
fn nist_2_8_counterflow() {
    passes("nist-2.8", 2);
}

#[test]
fn nist_5_2_flow_through_a_door() {
    passes("nist-5.2", 2);
}
