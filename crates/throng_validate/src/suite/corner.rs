//! Round a corner: RiMEA 6 and 15, NIST 2.3, ISO 4, IMO 6.

use crate::measure::{Region, mean};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};
use glam::DVec2;

const CORNER: SceneFile = scene_file!("rimea-06");
const STRAIGHT: SceneFile = scene_file!("rimea-15-straight");
const LARGE: SceneFile = scene_file!("rimea-15-corner");

/// RiMEA 6: twenty people, nobody cuts the corner, nobody leaves the corridor by more than a millimetre.
pub(super) fn rimea_6(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const GROWN: f64 = 1e-3;
    let corridor = [(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (10.0, 14.0), (10.0, 2.0), (0.0, 2.0)];
    let inside = Region::of_ring(&corridor.map(DVec2::from));
    let outside = |p: &&DVec2| {
        let near = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y].map(|d| **p + d * GROWN);
        !inside.contains(**p) && !near.iter().any(|q| inside.contains(*q))
    };
    let cut = |p: &&DVec2| p.x > 0.0 && p.x < 10.0 - GROWN && p.y > 2.0 + GROWN && p.y < 12.0;
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(CORNER).seed(seed).seconds(120.0).run(pool)?;
        let places = || run.ways.tracks.iter().flat_map(|t| &t.places);
        Ok((
            run.over && run.people == 20,
            run.seconds,
            places().filter(cut).count(),
            places().filter(outside).count(),
            Picture::of(&run, "Twenty people round a corner"),
        ))
    })?;
    let runs = &runs[0];
    let times: Vec<f64> = runs.iter().map(|r| r.1).collect();
    let (cuts, outs): (usize, usize) =
        (runs.iter().map(|r| r.2).sum(), runs.iter().map(|r| r.3).sum());
    let mut outcome = Outcome::default().value(format!(
        "all out after {:.1} s, {cuts} samples in the corner block, {outs} outside",
        mean(&times)
    ));
    outcome.figure("time until all are out", mean(&times), "s");
    outcome.check_seeds("all twenty get out within 60 s", runs.iter().map(|r| r.0 && r.1 < 60.0));
    outcome.check_seeds("nobody in the block inside the corner", runs.iter().map(|r| r.2 == 0));
    outcome.check_seeds("nobody outside by more than 1 mm", runs.iter().map(|r| r.3 == 0));
    outcome.pictures.extend(runs.first().map(|r| r.4.clone()));
    Ok(outcome)
}

/// RiMEA 15: 500 people, (a) straight 75.4 m, (b) round a corner, (c) straight 44 m.
pub(super) fn rimea_15(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    // A goal begins at the end of the way.
    let cases: [(&str, Option<f64>); 3] = [("a", Some(75.4)), ("b", None), ("c", Some(44.0))];
    let runs = settings.sweep(&cases, seeds, |(name, length), seed, pool| {
        let trial = match length {
            Some(length) => {
                settings.trial(STRAIGHT).set("end", length + 1.0).set("far", (length + 4.0).round())
            }
            None => settings.trial(LARGE),
        };
        let run = trial.seed(seed).seconds(400.0).run(pool)?;
        Ok((run.seconds, run.over, Picture::of(&run, format!("500 people, ({name})"))))
    })?;
    let times = |case: usize| -> Vec<f64> { runs[case].iter().map(|r| r.0).collect() };
    let (a, b, c) = (times(0), times(1), times(2));
    let mut outcome = Outcome::default().value(format!(
        "(c) {:.1} s, (b) {:.1} s, (a) {:.1} s",
        mean(&c),
        mean(&b),
        mean(&a)
    ));
    for (case, times) in [("c", &c), ("b", &b), ("a", &a)] {
        outcome.figure(format!("time ({case})"), mean(times), "s");
    }
    outcome.check_seeds("all arrive", (0..a.len()).map(|s| runs.iter().all(|r| r[s].1)));
    outcome.check_seeds("t(c) <= t(b)", c.iter().zip(&b).map(|(c, b)| c <= b));
    outcome.check_seeds("t(b) <= t(a)", b.iter().zip(&a).map(|(b, a)| b <= a));
    outcome.pictures.extend(runs[1].first().map(|r| r.2.clone()));
    let by_seed = |times: &[f64]| {
        times.iter().enumerate().map(|(s, t)| (s as f64 + 1.0, *t)).collect::<Vec<_>>()
    };
    outcome.plots.push(
        Plot::new("Time until all have arrived", "seed", "time (s)")
            .ours("(a) straight 75.4 m", Style::Points, by_seed(&a))
            .ours("(b) corner", Style::Points, by_seed(&b))
            .ours("(c) straight 44 m", Style::Points, by_seed(&c)),
    );
    Ok(outcome)
}
