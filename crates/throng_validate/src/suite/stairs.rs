//! Many people and a stair: RiMEA 13, NIST 5.1, ISO 10 and 12, IMO 11.

use crate::measure::{
    Area, Line, Points, bins, crossings, density_series, mean, mean_of, mean_speed_in, slope_of,
    steady_flow,
};
use crate::reference::stair_band;
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
        let peaks =
            [&series[0], &series[1], &series[2]].map(|s| peak(s, 5.0, run.ways.frame_seconds));
        let picture = Picture::of(&run, format!("{count} people and a stair"));
        let picture = areas.iter().fold(picture, |p, (_, area)| p.area(area));
        Ok((peaks, series, run.over, run.ways.frame_seconds, picture))
    })?;
    let runs = &runs[0];
    let of = |i: usize| mean_of(runs, |r| r.0[i]);
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
            first.1[i]
                .chunks(every)
                .enumerate()
                .map(|(s, c)| (s as f64, mean(c)))
                .collect::<Vec<_>>()
        };
        let plot = Plot::new("Density", "time (s)", "density (1/m²)");
        outcome.plots.push(
            areas
                .iter()
                .enumerate()
                .fold(plot, |plot, (i, (name, _))| plot.ours(*name, Style::Line, curve(i))),
        );
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

const FLIGHT: SceneFile = scene_file!("rimea-13");
const FLOW: SceneFile = scene_file!("iso-12");

/// Samples of density and speed on the stair, going up or down: every half second.
fn stair_points(
    settings: &Settings,
    seeds: u32,
    up: bool,
) -> Result<(Points, Option<Picture>), ValidateError> {
    let stair = Area::new(12.0, 4.0, 17.0, 6.0);
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let trial = settings.trial(FLIGHT).set("rise", if up { 1 } else { -1 });
        let run = trial.seed(seed).seconds(600.0).run(pool)?;
        let ways = &run.ways;
        let density = density_series(ways, 0..ways.frames, &stair);
        let points: Vec<(f64, f64)> = (0..ways.frames)
            .step_by(5)
            .map(|f| (density[f], mean_speed_in(ways, f..f + 1, 0.5, &stair)))
            .filter(|p| p.1.is_finite())
            .collect();
        let name = if up { "Up the stair" } else { "Down the stair" };
        Ok((points, Picture::of(&run, name).area(&stair)))
    })?;
    let picture = runs[0].first().map(|r| r.1.clone());
    Ok((runs.into_iter().flatten().flat_map(|r| r.0).collect(), picture))
}

/// RiMEA 13: speed against density on a stair, against Corbetta's band.
pub(super) fn rimea_13(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let mut outcome = Outcome::default();
    let mut told = Vec::new();
    let mut by_bin = Vec::new();
    for up in [true, false] {
        let (points, picture) = stair_points(settings, seeds, up)?;
        let way = if up { "up" } else { "down" };
        let inside = points.iter().filter(|(d, v)| {
            let (low, high) = stair_band(*d, up);
            (low..=high).contains(v)
        });
        let share = inside.count() as f64 / points.len().max(1) as f64;
        let speed = mean_of(&points, |p| p.1);
        told.push(format!("{way} {:.0} % in the band, mean {speed:.2} m/s", share * 100.0));
        outcome.figure(format!("share in the band, {way}"), share, "");
        outcome.figure(format!("mean speed {way}"), speed, "m/s");
        outcome.check(format!("{way}: at least half in the band ({share:.2})"), share >= 0.5);
        let at = |i: usize| 0.2 + 0.1 * i as f64;
        let mut band: Vec<(f64, f64)> =
            (0..=18).map(|i| (at(i), stair_band(at(i), up).0)).collect();
        band.extend((0..=18).rev().map(|i| (at(i), stair_band(at(i), up).1)));
        outcome.plots.push(
            Plot::new(format!("Going {way}"), "density (1/m²)", "speed (m/s)")
                .theirs("Corbetta", Style::Band, band)
                .ours("ours", Style::Points, points.iter().copied()),
        );
        outcome.pictures.extend(picture);
        by_bin.push(bins(&points, 0.15));
    }
    // Down faster than up at equal density, from 0.6 to 1.5 people per m².
    let shared: Vec<(f64, f64)> = by_bin[0]
        .iter()
        .filter(|(d, v)| (0.6..=1.5).contains(d) && v.len() >= 5)
        .filter_map(|(d, up)| {
            let down = by_bin[1].iter().find(|(e, v)| (d - e).abs() < 1e-9 && v.len() >= 5)?;
            Some((mean(up), mean(&down.1)))
        })
        .collect();
    let faster = shared.iter().filter(|(up, down)| down > up).count();
    outcome.check(
        format!("down faster than up in {faster} of {} bins shared, five wanted", shared.len()),
        shared.len() >= 5 && faster == shared.len(),
    );
    Ok(outcome.value(told.join("; ")))
}

/// ISO 12: flow on stairs from 1.0 to 1.8 m.
pub(super) fn iso_12(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const WIDTHS: [f64; 5] = [1.0, 1.2, 1.4, 1.6, 1.8];
    let foot = Line::new(6.0, 0.0, 6.0, 8.0);
    let runs = settings.sweep(&WIDTHS, seeds, |width, seed, pool| {
        let run = settings
            .trial(FLOW)
            .set("low", 4.0 - width / 2.0)
            .set("high", 4.0 + width / 2.0)
            .seed(seed)
            .seconds(600.0)
            .run(pool)?;
        let flow = steady_flow(&crossings(&run.ways, &foot), 0.1, 0.9).unwrap_or(f64::NAN);
        Ok((flow, run.over, Picture::of(&run, format!("a stair of {width} m")).line(&foot)))
    })?;
    let flows: Vec<(f64, f64)> =
        WIDTHS.iter().zip(&runs).map(|(b, r)| (*b, mean_of(r, |r| r.0))).collect();
    let (slope, _) = slope_of(&flows);
    let mut outcome = Outcome::default();
    let told: Vec<String> = flows
        .iter()
        .map(|(b, j)| {
            outcome.figure(format!("flow at {b} m"), *j, "/s");
            format!("{j:.2} /s at {b} m")
        })
        .collect();
    outcome.check(format!("flow rises with width: slope {slope:.2} /m/s"), slope > 0.0);
    let wider = |s: usize| runs[WIDTHS.len() - 1][s].0 > runs[0][s].0;
    outcome.check_seeds("more on the widest than on the narrowest", (0..seeds as usize).map(wider));
    outcome.check("all get up", runs.iter().flatten().all(|r| r.1));
    outcome.pictures.extend(runs[2].first().map(|r| r.2.clone()));
    outcome.plots.push(Plot::new("Flow on stairs", "width (m)", "flow (1/s)").ours(
        "ours",
        Style::Points,
        flows,
    ));
    Ok(outcome.value(told.join(", ")))
}
