//! Smoke and poison: NIST 2.5 and 2.6, ISO 18 and 19; and the lift of NIST 2.7.

use crate::measure::{Line, mean, mean_of, times_between};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{FRAME_SECONDS, Outcome, Settings, ValidateError, scene_file};

const SMOKE: SceneFile = scene_file!("nist-2-5");
const POISON: SceneFile = scene_file!("nist-2-6");
const LIFT: SceneFile = scene_file!("nist-2-7");

/// NIST 2.5: 1.25 m/s and K = 1 per metre. By c(K) = max(0.3 / v, 1 - 0.5 K) half as fast: 160 s.
pub(super) fn nist_2_5(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const EXTINCTION: [f64; 3] = [0.0, 0.5, 1.0];
    let wanted = |k: f64| 100.0 / (1.25 * (1.0 - 0.5 * k).max(0.3 / 1.25));
    let runs = settings.sweep(&EXTINCTION, seeds, |k, seed, pool| {
        let run = settings.trial(SMOKE).set("extinction", k).seed(seed).seconds(500.0).run(pool)?;
        let (from, to) = (Line::new(0.0, 0.0, 0.0, 2.0), Line::new(100.0, 0.0, 100.0, 2.0));
        let time = times_between(&run.ways, &from, &to).first().copied().unwrap_or(f64::NAN);
        Ok((time, Picture::of(&run, "100 m through smoke")))
    })?;
    let times: Vec<f64> = runs.iter().map(|r| mean_of(r, |r| r.0)).collect();
    let mut outcome = Outcome::default();
    let told: Vec<String> = EXTINCTION
        .iter()
        .zip(&times)
        .map(|(k, t)| {
            outcome.figure(format!("time at K = {k}"), *t, "s");
            outcome.check(
                format!("K = {k} /m: {t:.2} s within 0.5 s of {:.2} s", wanted(*k)),
                (t - wanted(*k)).abs() <= 0.5,
            );
            format!("{t:.1} s at K = {k}")
        })
        .collect();
    outcome.pictures.extend(runs[2].first().map(|r| r.1.clone()));
    outcome.plots.push(
        Plot::new("Time for 100 m", "extinction (1/m)", "time (s)")
            .curve("by hand", 0.0, 1.0, wanted)
            .ours("ours", Style::Points, EXTINCTION.into_iter().zip(times)),
    );
    Ok(outcome.value(told.join(", ")))
}

/// Fractional effective dose per second in air with CO (ppm), CO2 and O2 (per cent); Purser, as NIST 2.6 has it.
fn dose_rate(co: f64, co2: f64, o2: f64) -> f64 {
    let carbon_monoxide = 4.607e-7 * co.powf(1.036);
    let faster_breath = (0.193 * co2 + 2.0004).exp() / 7.1;
    let little_oxygen = 1.0 / (60.0 * (8.13 - 0.54 * (20.9 - o2)).exp());
    carbon_monoxide * faster_breath + little_oxygen
}

/// NIST 2.6: somebody walks to and fro until the dose is 1.
pub(super) fn nist_2_6(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let wanted = 1.0 / dose_rate(5000.0, 2.0, 18.0);
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(POISON).seed(seed).seconds(wanted + 30.0).run(pool)?;
        let last = run.ways.tracks.first().and_then(|track| {
            let moves = |pair: &[glam::DVec2]| pair[0].distance(pair[1]) > 1e-3;
            track.places.windows(2).rposition(moves)
        });
        let time = last.map_or(f64::NAN, |frame| run.ways.time(frame + 1));
        Ok((time, Picture::of(&run, "To and fro until it cannot")))
    })?;
    let times: Vec<f64> = runs[0].iter().map(|r| r.0).collect();
    let mut outcome = Outcome::default()
        .value(format!("incapacitated after {:.1} s ({wanted:.1} s by hand)", mean(&times)));
    outcome.figure("time of incapacitation", mean(&times), "s");
    // A step, and what a frame can tell.
    let allowed = 0.05 + FRAME_SECONDS;
    outcome.check_seeds(
        &format!("within a step of {wanted:.1} s (frames of 0.1 s)"),
        times.iter().map(|t| (t - wanted).abs() <= allowed),
    );
    outcome.pictures.extend(runs[0].first().map(|r| r.1.clone()));
    Ok(outcome)
}

/// NIST 2.7: twelve people, four at a time, 20 s each way.
pub(super) fn nist_2_7(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(LIFT).seed(seed).seconds(600.0).run(pool)?;
        // When they leave the cabin on the other floor: there is no other way to it.
        let mut arrivals: Vec<f64> = run
            .ways
            .tracks
            .iter()
            .filter_map(|t| {
                let frame = t.places.iter().position(|p| p.x > 16.0)?;
                Some(run.ways.time(t.first + frame))
            })
            .collect();
        arrivals.sort_by(f64::total_cmp);
        // The most who arrive within a second: no more than fit in.
        let together = |t: &f64| arrivals.iter().filter(|a| (**a - t).abs() <= 0.5).count();
        let most = arrivals.iter().map(together).max().unwrap_or(0);
        let last = arrivals.last().copied().unwrap_or(f64::NAN);
        Ok((arrivals.len(), most, last, run.over, Picture::of(&run, "Two floors and a lift")))
    })?;
    let runs = &runs[0];
    let last = mean_of(runs, |r| r.2);
    let mut outcome = Outcome::default().value(format!(
        "the last of twelve arrives after {last:.1} s, at most {} at once",
        runs.iter().map(|r| r.1).max().unwrap_or(0)
    ));
    outcome.figure("arrival of the last", last, "s");
    outcome.check_seeds("all twelve arrive and leave", runs.iter().map(|r| r.0 == 12 && r.3));
    outcome.check_seeds("at most four at once", runs.iter().map(|r| r.1 <= 4));
    // Three trips with people and two back empty.
    outcome.check_seeds("three trips: not before 100 s", runs.iter().map(|r| r.2 >= 100.0));
    outcome.pictures.extend(runs.first().map(|r| r.4.clone()));
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_dose_is_full_when_the_standard_says() {
        let seconds = 1.0 / super::dose_rate(5000.0, 2.0, 18.0);
        assert!((seconds - 207.6).abs() < 0.1, "{seconds}");
    }
}
