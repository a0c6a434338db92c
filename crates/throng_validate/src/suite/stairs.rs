//! Many people and a stair: NIST 5.1, ISO 10, IMO 11.

use crate::measure::{Area, density_series, mean};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const CONGESTION: SceneFile = scene_file!("nist-5-1");

/// Highest density, as the mean over `seconds`, of a series.
fn peak(series: &[f64], seconds: f64, frame_seconds: f64) -> f64 {
    let n = (seconds / frame_seconds).round().max(1.0) as usize;
    series.windows(n.min(series.len().max(1))).map(mean).fold(0.0, f64::max)
}

fn congestion(
    settings: &Settings,
    seeds: u32,
    count: u32,
    corridor: f64,
) -> Result<Outcome, ValidateError> {
    let foot = 5.0 + corridor;
    let areas = [
        ("room exit", Area::new(3.0, 3.0, 5.0, 5.0)),
        ("mid corridor", Area::new(4.0 + corridor / 2.0, 3.0, 6.0 + corridor / 2.0, 5.0)),
        ("stair foot", Area::new(foot - 2.0, 3.0, foot, 5.0)),
    ];
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings
            .trial(CONGESTION)
            .set("count", count)
            .set("stairs", foot)
            .set("top", foot + 6.0)
            .set("far", foot + 8.0)
            .set("zone", "stairs = { up = [1, 0] }")
            .seed(seed)
            .seconds(600.0)
            .run(pool)?;
        let all = 0..run.ways.frames;
        let series = areas.map(|(_, area)| density_series(&run.ways, all.clone(), &area));
        let peaks = [&series[0], &series[1], &series[2]]
            .map(|s| peak(s, 5.0, run.ways.frame_seconds));
        let picture = Picture::of(&run, format!("{count} people and a stair"));
        let picture = areas.iter().fold(picture, |p, (_, area)| p.area(area));
        Ok((peaks, series, run.over, run.ways.frame_seconds, picture))
    })?;
    let runs = &runs[0];
    let of = |i: usize| mean(&runs.iter().map(|r| r.0[i]).collect::<Vec<_>>());
    let mut outcome = Outcome::default().value(format!(
        "peaks over 5 s: room exit {:.2}, mid corridor {:.2}, stair foot {:.2} /m²",
        of(0),
        of(1),
        of(2)
    ));
    for (i, (name, _)) in areas.iter().enumerate() {
        outcome.figure(format!("peak density, {name}"), of(i), "/m²");
    }
    outcome.check_seeds(
        "denser at the room exit than in the corridor",
        runs.iter().map(|r| r.0[0] > r.0[1]),
    );
    outcome.check_seeds(
        "denser at the stair foot than in the corridor",
        runs.iter().map(|r| r.0[2] > r.0[1]),
    );
    outcome.check_seeds("all get up", runs.iter().map(|r| r.2));
    if let Some(first) = runs.first() {
        outcome.pictures.push(first.4.clone());
        let curve = |i: usize| {
            let every = (1.0 / first.3).round() as usize;
            first.1[i].chunks(every).enumerate().map(|(s, c)| (s as f64, mean(c))).collect::<Vec<_>>()
        };
        let plot = Plot::new("Density", "time (s)", "density (1/m²)");
        outcome.plots.push(areas.iter().enumerate().fold(plot, |plot, (i, (name, _))| {
            plot.ours(*name, Style::Line, curve(i))
        }));
    }
    Ok(outcome)
}

/// NIST 5.1: 100 people, a corridor of 15 m.
pub(super) fn nist_5_1(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    congestion(settings, seeds, 100, 15.0)
}

/// IMO 11: 150 people, a corridor of 12 m.
pub(super) fn imo_11(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    congestion(settings, seeds, 150, 12.0)
}
