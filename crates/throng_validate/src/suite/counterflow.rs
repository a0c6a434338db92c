//! People against each other, and past each other: NIST 2.8 and 2.10, ISO 6 and 7, IMO 8.

use crate::measure::{Line, count_over_time, crossings, mean};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const ROOMS: SceneFile = scene_file!("nist-2-8");
const RAMP: SceneFile = scene_file!("nist-2-10");

/// NIST 2.8: 100 people against 0, 10, 50 and 100.
pub(super) fn nist_2_8(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const AGAINST: [u32; 4] = [0, 10, 50, 100];
    let entry = Line::new(20.0, 3.9, 20.0, 6.1);
    let runs = settings.sweep(&AGAINST, seeds, |&count, seed, pool| {
        let spawn =
            format!("[[spawn]]\ngroup = \"leftbound\"\ncount = {count}\nrect = [26, 0, 30, 10]");
        let run = settings
            .trial(ROOMS)
            .set("against", if count > 0 { spawn } else { String::new() })
            .seed(seed)
            .seconds(900.0)
            .run(pool)?;
        let passed = crossings(&run.ways.only(|t| t.group == 0), &entry);
        let last = passed.last().filter(|_| passed.len() == 100).map_or(f64::NAN, |c| c.time);
        let picture = Picture::of(&run, format!("100 against {count}")).line(&entry);
        Ok((last, run.over, count_over_time(&passed), picture))
    })?;
    let times: Vec<Vec<f64>> = runs.iter().map(|r| r.iter().map(|r| r.0).collect()).collect();
    let mut outcome = Outcome::default();
    let told: Vec<String> = AGAINST
        .iter()
        .zip(&times)
        .map(|(count, times)| {
            outcome.figure(format!("time against {count}"), mean(times), "s");
            format!("{:.1} s against {count}", mean(times))
        })
        .collect();
    outcome.check_seeds(
        "all get through, both ways",
        (0..seeds as usize).map(|s| runs.iter().all(|r| r[s].1 && r[s].0.is_finite())),
    );
    let rises = |s: usize| times.windows(2).all(|pair| pair[0][s] < pair[1][s]);
    outcome.check_seeds("time rises with the counterflow", (0..seeds as usize).map(rises));
    outcome.pictures.extend(runs[3].first().map(|r| r.3.clone()));
    let mut plot = Plot::new("The hundred who have entered room 2", "time (s)", "people");
    for (count, runs) in AGAINST.iter().zip(&runs) {
        let curve = runs.first().map_or(Vec::new(), |r| r.2.clone());
        plot = plot.ours(format!("against {count}"), Style::Line, curve);
    }
    outcome.plots.push(plot);
    Ok(outcome.value(told.join(", ")))
}

/// NIST 2.10: 24 people behind one of 0.8 m/s who is twice as wide, and behind one like themselves.
pub(super) fn nist_2_10(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let cases = [("disabled", 0.8, 0.4), ("like the others", 1.25, 0.2)];
    let runs = settings.sweep(&cases, seeds, |(name, speed, radius), seed, pool| {
        let run = settings
            .trial(RAMP)
            .set("speed", speed)
            .set("radius", radius)
            .seed(seed)
            .seconds(300.0)
            .run(pool)?;
        let passed = crossings(&run.ways.only(|t| t.group == 0), &Line::new(20.0, 1.9, 20.0, 3.1));
        let last = passed.last().filter(|_| passed.len() == 24).map_or(f64::NAN, |c| c.time);
        Ok((last, run.over && run.people == 25, Picture::of(&run, format!("the first: {name}"))))
    })?;
    let times = |case: usize| -> Vec<f64> { runs[case].iter().map(|r| r.0).collect() };
    let (slow, control) = (times(0), times(1));
    let mut outcome = Outcome::default().value(format!(
        "behind one of 0.8 m/s {:.1} s, control {:.1} s",
        mean(&slow),
        mean(&control)
    ));
    outcome.figure("time of the 24, disability", mean(&slow), "s");
    outcome.figure("time of the 24, control", mean(&control), "s");
    outcome
        .check_seeds("longer with the disability", slow.iter().zip(&control).map(|(s, c)| s > c));
    outcome.check_seeds("all 25 get out", (0..slow.len()).map(|s| runs.iter().all(|r| r[s].1)));
    outcome.pictures.extend(runs[0].first().map(|r| r.2.clone()));
    Ok(outcome)
}
