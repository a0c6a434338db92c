//! People who stay together: NIST 2.9, ISO 14.

use crate::measure::mean;
use crate::report::Picture;
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const PARTY: SceneFile = scene_file!("nist-2-9");

/// A party of five behind ten others: between its first and its last at the exit lie at most 10 s.
fn party(
    settings: &Settings,
    seeds: u32,
    (slow, others): (f64, f64),
    cell: f64,
) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings
            .trial(PARTY)
            .set("slow", slow)
            .set("others", others)
            .set("cell", cell)
            .seed(seed)
            .seconds(300.0)
            .run(pool)?;
        let left: Vec<f64> = run
            .ways
            .tracks
            .iter()
            .filter(|t| t.group < 2)
            .map(|t| run.ways.time(t.end()))
            .collect();
        let low = left.iter().copied().fold(f64::INFINITY, f64::min);
        let high = left.iter().copied().fold(0.0, f64::max);
        Ok((
            high - low,
            run.over && left.len() == 5,
            Picture::of(&run, "A party of five and ten others"),
        ))
    })?;
    let runs = &runs[0];
    let spreads: Vec<f64> = runs.iter().map(|r| r.0).collect();
    let most = spreads.iter().copied().fold(0.0, f64::max);
    let mut outcome = Outcome::default()
        .value(format!("the party leaves within {:.1} s, at most {most:.1} s", mean(&spreads)));
    outcome.figure("spread of the party", mean(&spreads), "s");
    outcome.check_seeds("the party leaves within 10 s", spreads.iter().map(|s| *s <= 10.0));
    outcome.check_seeds("all get out", runs.iter().map(|r| r.1));
    outcome.pictures.extend(runs.first().map(|r| r.2.clone()));
    Ok(outcome)
}

/// NIST 2.9: four at 1.25 m/s and one at 0.5 m/s; ten at 0.2 m/s ahead.
pub(super) fn nist_2_9(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    party(settings, seeds, (0.5, 0.2), 0.1)
}

/// ISO 14: five at 1.25 m/s; ten at 0.5 m/s ahead. On coarser cells the spread is less where the door
/// stands at an angle to the grid.
pub(super) fn iso_14(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    party(settings, seeds, (1.25, 0.5), 0.05)
}
