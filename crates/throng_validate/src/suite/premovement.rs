//! People who do not start at once: RiMEA 5, NIST 1.1, ISO 1, IMO 5.

use crate::measure::{
    gamma_cdf, ks_one_sample, lognormal_cdf, start_of_motion, uniform_cdf, weibull_cdf,
};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const FIXED: SceneFile = scene_file!("rimea-05");
const DRAWN: SceneFile = scene_file!("nist-1-1");

/// From this speed on, somebody walks (m/s).
const STARTED: f64 = 0.2;
/// Latest start after its time (seconds): that of the port for FlowSIM.
const LATEST: f64 = 0.2;

/// RiMEA 5: ten people who start after 10, 20, ... 100 s.
pub(super) fn rimea_5(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(FIXED).seed(seed).seconds(200.0).run(pool)?;
        let starts: Vec<(f64, f64)> = run
            .ways
            .tracks
            .iter()
            .map(|track| {
                let wanted = 10.0 * (track.group as f64 + 1.0);
                let start = start_of_motion(track, STARTED, run.ways.frame_seconds);
                (wanted, start.unwrap_or(f64::NAN))
            })
            .collect();
        Ok((starts, run.over, Picture::of(&run, "Ten people leave a room of 8 m by 5 m")))
    })?;
    let worst = |starts: &[(f64, f64)]| {
        starts
            .iter()
            .map(|(w, s)| (s - w).abs())
            .fold(0.0, |a: f64, b| if b.is_nan() { f64::INFINITY } else { a.max(b) })
    };
    let errors: Vec<f64> = runs[0].iter().map(|r| worst(&r.0)).collect();
    let most = errors.iter().copied().fold(0.0, f64::max);
    let mut outcome = Outcome::default().value(format!("largest error {most:.2} s"));
    outcome.figure("largest error of a start", most, "s");
    outcome.check_seeds(
        "each starts within 0.2 s of its time",
        errors.iter().map(|e| *e <= LATEST + 1e-6),
    );
    outcome.check_seeds("all ten leave", runs[0].iter().map(|r| r.1 && r.0.len() == 10));
    outcome.pictures.extend(runs[0].first().map(|r| r.2.clone()));
    outcome.plots.push(
        Plot::new("Start of everybody", "premovement time (s)", "start (s)")
            .curve("when they should", 0.0, 110.0, |t| t)
            .ours("ours", Style::Points, runs[0].iter().flat_map(|r| r.0.clone())),
    );
    Ok(outcome)
}

/// A distribution: its name, how the scene writes it, and what it means.
type Drawn = (&'static str, &'static str, fn(f64) -> f64);

const DISTRIBUTIONS: [Drawn; 4] = [
    ("uniform", "[10, 100]", |t| uniform_cdf(t, 10.0, 100.0)),
    ("log-normal", "{ mu = 4.586, sigma = 0.967 }", |t| lognormal_cdf(t, 4.586, 0.967)),
    ("gamma", "{ gamma = 1.291, scale = 103.901 }", |t| gamma_cdf(t, 1.291, 103.901)),
    ("Weibull", "{ weibull = 1.195, scale = 139.285 }", |t| weibull_cdf(t, 139.285, 1.195)),
];

/// NIST 1.1: ten people by each of four distributions; all seeds pooled.
pub(super) fn nist_1_1(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let mut outcome = Outcome::default();
    let mut told = Vec::new();
    let mut missing = Vec::new();
    for (name, text, cdf) in DISTRIBUTIONS {
        let starts = settings.sweep(&[()], seeds, |(), seed, pool| {
            let trial = settings.trial(DRAWN).set("premovement", text).seed(seed).seconds(5000.0);
            // A person who has left has started.
            let run = trial.run(pool)?;
            let start = |track| start_of_motion(track, STARTED, run.ways.frame_seconds);
            Ok(run.ways.tracks.iter().filter_map(start).collect::<Vec<f64>>())
        });
        let pooled: Vec<f64> = match starts {
            Ok(starts) => starts.into_iter().flatten().flatten().collect(),
            Err(ValidateError::Scene { .. }) => {
                missing.push(name);
                continue;
            }
            Err(error) => return Err(error),
        };
        let ks = ks_one_sample(&pooled, cdf);
        told.push(format!("{name} p = {:.2}", ks.p));
        outcome.figure(format!("{name}: distance"), ks.distance, "");
        outcome.check(
            format!("{name}: p = {:.3} > 0.05 for {} starts", ks.p, pooled.len()),
            ks.p > 0.05 && pooled.len() == 10 * seeds as usize,
        );
        let last = pooled.iter().copied().fold(0.0, f64::max);
        let mut sorted = pooled;
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let steps = sorted.into_iter().enumerate().map(|(i, t)| (t, (i as f64 + 1.0) / n));
        outcome.plots.push(
            Plot::new(format!("Premovement: {name}"), "start (s)", "share that has started")
                .curve("prescribed", 0.0, last, cdf)
                .ours("ours", Style::Line, steps),
        );
    }
    if !missing.is_empty() {
        let names = missing.join(" and ");
        told.push(format!("{names}: not built"));
        outcome.missing = Some(format!("premovement by {names} distribution"));
    }
    Ok(outcome.value(told.join(", ")))
}
