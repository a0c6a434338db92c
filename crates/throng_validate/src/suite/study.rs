//! Parameter study: RiMEA 8.

use crate::measure::mean_of;
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const BUILDING: SceneFile = scene_file!("rimea-08");

/// RiMEA 8: the same speed for all, and speeds spread about a mean.
pub(super) fn rimea_8(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const EQUAL: [f64; 4] = [0.5, 0.75, 1.0, 1.25];
    const SPREAD: [(f64, f64); 2] = [(0.5, 1.0), (0.25, 1.25)];
    let mut cases: Vec<String> = EQUAL.iter().map(f64::to_string).collect();
    cases.extend(SPREAD.iter().map(|(low, high)| format!("[{low}, {high}]")));
    let runs = settings.sweep(&cases, seeds, |speed, seed, pool| {
        let run =
            settings.trial(BUILDING).set("speed", speed).seed(seed).seconds(2000.0).run(pool)?;
        Ok((run.seconds, run.over, Picture::of(&run, format!("free speed {speed} m/s"))))
    })?;
    let times: Vec<f64> = runs.iter().map(|r| mean_of(r, |r| r.0)).collect();
    let mut outcome = Outcome::default();
    for (case, time) in cases.iter().zip(&times) {
        outcome.figure(format!("time at {case} m/s"), *time, "s");
    }
    outcome.check("all get out", runs.iter().flatten().all(|r| r.1));
    let falls = |s: usize| runs[..EQUAL.len()].windows(2).all(|p| p[1][s].0 < p[0][s].0);
    outcome.check_seeds("time falls as speed rises", (0..seeds as usize).map(falls));
    outcome.pictures.extend(runs[2].first().map(|r| r.2.clone()));
    outcome.plots.push(
        Plot::new("Time until all are out", "free speed, mean (m/s)", "time (s)")
            .ours("the same for all", Style::Points, EQUAL.into_iter().zip(times.iter().copied()))
            .ours(
                "spread about 0.75 m/s",
                Style::Points,
                times[EQUAL.len()..].iter().map(|t| (0.75, *t)),
            ),
    );
    let told: Vec<String> =
        cases.iter().zip(&times).map(|(c, t)| format!("{t:.0} s at {c}")).collect();
    Ok(outcome.value(format!("{} m/s", told.join(", "))))
}
