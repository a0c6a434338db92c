//! Flow through a door: NIST 5.2, ISO 11, IMO 4.

use crate::measure::{Line, count_over_time, crossings, mean, steady_flow};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const ROOM: SceneFile = scene_file!("nist-5-2");

/// The cap that the standards allow (people per metre and second).
const CAP: f64 = 1.33;

/// NIST 5.2: a door of 1 m with a cap of 1.33 people per metre and second; and without one, for the record.
pub(super) fn nist_5_2(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let capped = format!("[[door]]\nline = [[8.1, 2], [8.1, 3]]\nflow = {CAP}");
    let door = Line::new(8.1, 1.9, 8.1, 3.1);
    let runs = settings.sweep(&[capped, String::new()], seeds, |text, seed, pool| {
        let run = settings.trial(ROOM).set("door", text).seed(seed).seconds(300.0).run(pool)?;
        let passed = crossings(&run.ways, &door);
        let flow = steady_flow(&passed, 0.0, 1.0).unwrap_or(f64::NAN);
        let picture = Picture::of(&run, "A door of 1 m").line(&door);
        Ok((flow, run.over, count_over_time(&passed), picture))
    })?;
    let flows = |case: usize| -> Vec<f64> { runs[case].iter().map(|r| r.0).collect() };
    let (with, without) = (flows(0), flows(1));
    let mut outcome = Outcome::default().value(format!(
        "{:.3} /m/s with a cap of {CAP}, {:.2} /m/s without",
        mean(&with),
        mean(&without)
    ));
    outcome.figure("flow with the cap", mean(&with), "/m/s");
    outcome.figure("flow without a cap", mean(&without), "/m/s");
    outcome.check_seeds("at most 1.33 /m/s", with.iter().map(|f| *f <= CAP + 1e-3));
    outcome
        .check_seeds("at least 0.9 of the cap gets through", with.iter().map(|f| *f >= 0.9 * CAP));
    outcome.check_seeds("all get out", (0..with.len()).map(|s| runs.iter().all(|r| r[s].1)));
    outcome.pictures.extend(runs[0].first().map(|r| r.3.clone()));
    let first = |case: usize| runs[case].first().map_or(Vec::new(), |r| r.2.clone());
    outcome.plots.push(
        Plot::new("People who have left", "time (s)", "people")
            .ours("with a cap of 1.33 /m/s", Style::Line, first(0))
            .ours("without a cap", Style::Line, first(1)),
    );
    Ok(outcome)
}
