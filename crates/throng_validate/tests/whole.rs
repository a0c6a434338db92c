//! What crosses modules: the same results on any number of threads, scenes that all say what they need, a page
//! with everything in it.

use throng_validate::report;
use throng_validate::scene::Placement;
use throng_validate::suite::{all, run, select};
use throng_validate::{Seeds, Settings, Verdict};

fn settings() -> Settings {
    Settings { seeds: Seeds::Exactly(2), ..Default::default() }
}

/// If this fails, a figure of a report cannot be found again.
#[test]
fn the_same_test_gives_the_same_figures() {
    let tests = select(&["rimea-6"]).expect("there is one");
    let (a, b) = (run(&tests, &settings(), |_| {}), run(&tests, &settings(), |_| {}));
    assert_eq!(a[0].outcome.figures, b[0].outcome.figures);
    assert!(!a[0].outcome.figures.is_empty());
}

/// If this fails, `--turn` measures something else than what it turns.
#[test]
fn a_turned_scene_is_measured_where_it_was() {
    let tests = select(&["rimea-1", "rimea-6"]).expect("there are two");
    let home = run(&tests, &settings(), |_| {});
    for (turn, shift) in [(45.0, 0.0), (17.0, 0.1), (90.0, 0.0)] {
        let settings = Settings { placement: Placement { turn, shift }, ..settings() };
        for (home, there) in home.iter().zip(run(&tests, &settings, |_| {})) {
            assert_eq!(there.verdict(), Verdict::Pass, "{} at {turn}", there.test.id);
            let (a, b) = (home.outcome.figures[0].value, there.outcome.figures[0].value);
            assert!((a / b - 1.0).abs() < 0.15, "{}: {a} against {b} at {turn}", there.test.id);
        }
    }
}

/// If this fails, a test that the engine cannot carry out is passed over in silence.
#[test]
fn what_is_not_built_fails_and_says_so() {
    for result in run(&select(&["nist-2.7"]).expect("there is one"), &settings(), |_| {}) {
        let missing = result.outcome.missing.is_some();
        assert_eq!(missing && result.verdict() == Verdict::Fail, missing);
        assert!(!missing || result.outcome.value.contains("not built"), "{}", result.outcome.value);
    }
}

#[test]
fn table_json_and_page_tell_every_test() {
    let results =
        run(&select(&["rimea-1", "nist-2.1"]).expect("there are two"), &settings(), |_| {});
    let table = report::table(&results);
    let json = report::json(&results);
    let page = report::html(&results, "as it is");
    for result in &results {
        assert!(table.contains(result.test.id) && page.contains(result.test.id));
    }
    let tests = json["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 2);
    for key in ["test", "label", "criterion", "value", "verdict"] {
        assert!(tests[0][key].is_string(), "{key}");
    }
    assert!(page.contains("<svg") && !page.contains("http"), "one file, nothing from elsewhere");
}

/// If this fails, a standard's test is missing from the tables.
#[test]
fn the_standards_are_complete() {
    let has = |id: String| assert!(all().any(|t| t.id == id), "{id} is missing");
    for n in (1..=16).filter(|n| *n != 12) {
        has(format!("rimea-{n}"));
    }
    for part in ["a", "b", "c", "d"] {
        has(format!("rimea-12{part}"));
    }
    for n in 1..=10 {
        has(format!("nist-2.{n}"));
    }
    for id in ["1.1", "3.1", "3.2", "3.3", "4.1", "5.1", "5.2"] {
        has(format!("nist-{id}"));
    }
    for n in [12, 13, 14, 17, 18, 19] {
        has(format!("iso-{n}"));
    }
    for n in 1..=11 {
        has(format!("imo-{n}"));
    }
}
