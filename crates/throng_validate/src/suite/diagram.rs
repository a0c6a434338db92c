//! Speed against density: RiMEA 4, as a column that is short enough for every day and as the guideline
//! writes it; ISO 13.

use crate::measure::{Area, Points, density_series, individual_speeds, mean, mean_of};
use crate::reference::weidmann;
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Run, Settings, ValidateError, scene_file};
use std::sync::Arc;

mod literal;

pub(super) use literal::rimea_4_literal;

const CORRIDOR: SceneFile = scene_file!("rimea-04");
const ISO: SceneFile = scene_file!("iso-13");

/// Densities of the guideline (people per m²), and some more about the peak of the flow.
const DENSITIES: [f64; 11] = [0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0];

/// Speeds are taken over this time about a frame (seconds, to each side).
const WINDOW: f64 = 0.5;

/// After 10 s, for 60 s.
const FROM: f64 = 10.0;
const TO: f64 = 70.0;

/// The column: 4 m wide and 165 m long. Nobody who starts behind it gets to the measuring squares at
/// 1.4 m/s within 70 s, and what its head does comes back by less than 0.7 m/s.
const WIDTH: f64 = 4.0;
const FILLED: f64 = 165.0;
const MIDDLE: f64 = 115.0;

/// The guideline's measuring squares: in the middle, the control just beside it, the control farther back.
/// In a narrow corridor strips across it: people keep off the walls, and squares in the middle of it would
/// see a density that is not the corridor's.
fn squares(middle: f64, back: f64, width: f64) -> [Area; 3] {
    if width < 10.0 {
        let across = |x: f64| Area::new(x - 1.0, 0.0, x + 1.0, width);
        return [across(middle), across(middle - 2.0), across(middle - back)];
    }
    let square = |x: f64, y: f64| Area::new(x - 1.0, y, x + 1.0, y + 2.0);
    let half = width / 2.0;
    [square(middle, half - 1.0), square(middle, half - 3.0), square(middle - back, half - 1.0)]
}

/// Density and mean speed in the squares.
fn point(run: &Run, squares: &[Area]) -> (f64, f64) {
    let ways = &run.ways;
    let frames = ways.frame_at(FROM)..ways.frame_at(TO) + 1;
    let (mut density, mut speeds) = (Vec::new(), Vec::new());
    for square in squares {
        density.extend(density_series(ways, frames.clone(), square));
        speeds.extend(individual_speeds(ways, frames.clone(), 1, WINDOW, square));
    }
    (mean(&density), mean(&speeds))
}

/// A series of points (density, speed), mean over seeds.
fn series(
    settings: &Settings,
    seeds: u32,
    densities: &[f64],
    width: f64,
) -> Result<(Points, Option<Picture>), ValidateError> {
    let places = squares(MIDDLE, 10.0, width);
    let runs = settings.sweep(densities, seeds, |density, seed, pool: &Arc<_>| {
        let run = settings
            .trial(CORRIDOR)
            .set("length", FILLED + 20.0)
            .set("end", FILLED + 18.0)
            .set("width", width)
            .set("filled", FILLED)
            .set("count", (density * FILLED * width).round())
            .seed(seed)
            .seconds(TO)
            .run(pool)?;
        let picture = (*density == 2.0 && seed == 1).then(|| {
            let picture = Picture::of(&run, "A column at 2 people per m²");
            places.iter().fold(picture, Picture::area)
        });
        Ok((point(&run, &places), picture))
    })?;
    let picture = runs.iter().flatten().find_map(|r| r.1.clone());
    let points =
        runs.iter().map(|seeds| (mean_of(seeds, |r| r.0.0), mean_of(seeds, |r| r.0.1))).collect();
    Ok((points, picture))
}

/// RiMEA 4 in a short column; its checks are those of our own test `fundamental-diagram`.
pub(super) fn rimea_4(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let (points, picture) = series(settings, seeds, &DENSITIES, WIDTH)?;
    let mut outcome = judge(&DENSITIES, &points);
    outcome.pictures.extend(picture);
    Ok(outcome)
}

/// At three densities, for tests that must be fast.
pub(super) fn rimea_4_short(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let densities = [1.0, 2.0, 4.0];
    let (points, _) = series(settings, seeds, &densities, WIDTH)?;
    let mut outcome = Outcome::default();
    near_weidmann(&mut outcome, &densities, &points);
    Ok(outcome.value(told(&points)))
}

fn told(points: &[(f64, f64)]) -> String {
    let each: Vec<String> =
        points.iter().map(|(d, v)| format!("{v:.2} ({:.2}) at {d:.2}", weidmann(*d))).collect();
    format!("m/s (Weidmann) at /m²: {}", each.join(", "))
}

/// Speed within 0.12 m/s of Weidmann's at the density measured, up to 4 people per m².
fn near_weidmann(outcome: &mut Outcome, densities: &[f64], points: &[(f64, f64)]) {
    for (wanted, (density, speed)) in densities.iter().zip(points) {
        outcome.figure(format!("speed at {wanted} /m²"), *speed, "m/s");
        if *wanted <= 4.0 {
            let off = speed - weidmann(*density);
            outcome.check(
                format!("{wanted} /m²: {speed:.3} m/s at {density:.2} /m², off by {off:+.3}, at most 0.12"),
                off.abs() <= 0.12,
            );
        }
    }
}

fn judge(densities: &[f64], points: &[(f64, f64)]) -> Outcome {
    let mut outcome = Outcome::default();
    near_weidmann(&mut outcome, densities, points);
    let flows: Vec<(f64, f64)> = points.iter().map(|(d, v)| (*d, d * v)).collect();
    let peak = flows.iter().copied().fold((0.0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
    outcome.figure("peak of the flow", peak.1, "/m/s");
    outcome.check(
        format!("peak of the flow {:.2} /m/s between 1.1 and 1.4", peak.1),
        (1.1..=1.4).contains(&peak.1),
    );
    outcome.check(
        format!("peak at {:.2} /m², between 1.4 and 2.2", peak.0),
        (1.4..=2.2).contains(&peak.0),
    );
    outcome.plots.push(
        Plot::new("Fundamental diagram", "density (1/m²)", "speed (m/s)")
            .curve("Weidmann 1993", 0.2, 5.4, weidmann)
            .ours("ours", Style::Points, points.iter().copied()),
    );
    outcome.plots.push(
        Plot::new("Flow", "density (1/m²)", "specific flow (1/m/s)")
            .curve("Weidmann 1993", 0.2, 5.4, |d| d * weidmann(d))
            .ours("ours", Style::Points, flows),
    );
    outcome.value(format!("peak {:.2} /m/s at {:.2} /m²; {}", peak.1, peak.0, told(points)))
}

/// ISO 13: 60 to 480 people in a corridor of 60 m by 2 m; zone 2 lies between lines A and B at 20 m and
/// 40 m. Measured from 5 to 15 s: later the column has thinned out.
pub(super) fn iso_13(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const PEOPLE: [u32; 5] = [60, 120, 240, 360, 480];
    let zone = Area::new(20.0, 0.0, 40.0, 2.0);
    let runs = settings.sweep(&PEOPLE, seeds, |count, seed, pool| {
        let run = settings.trial(ISO).set("count", count).seed(seed).seconds(15.0).run(pool)?;
        let ways = &run.ways;
        let frames = ways.frame_at(5.0)..ways.frame_at(15.0) + 1;
        let density = mean(&density_series(ways, frames.clone(), &zone));
        let speed = mean(&individual_speeds(ways, frames.clone(), 1, WINDOW, &zone));
        // Speed between the lines, as a share of one's own free speed.
        let most = ways
            .tracks
            .iter()
            .filter_map(|track| {
                let (from, to) = (frames.start.max(track.first), frames.end.min(track.end()));
                let way = track.at(to.checked_sub(1)?)?.distance(track.at(from)?);
                let seconds = (to - 1 - from) as f64 * ways.frame_seconds;
                (seconds > 1.0).then(|| way / seconds / track.free_speed.unwrap_or(f64::NAN))
            })
            .fold(0.0, f64::max);
        let picture = Picture::of(&run, format!("{count} people")).area(&zone);
        Ok((density, speed, most, picture))
    })?;
    let points: Points = runs.iter().map(|r| (mean_of(r, |r| r.0), mean_of(r, |r| r.1))).collect();
    let flows: Points = points.iter().map(|(d, v)| (*d, d * v)).collect();
    let mut outcome = Outcome::default().value(told(&points));
    for (people, (_, speed)) in PEOPLE.iter().zip(&points) {
        outcome.figure(format!("speed of {people}"), *speed, "m/s");
    }
    let most = runs.iter().flatten().map(|r| r.2).fold(0.0, f64::max);
    outcome.check(
        format!("nobody above its free speed (at most {:.1} % of it, 1 % allowed)", most * 100.0),
        most <= 1.01,
    );
    let falls = |seed: usize| runs.windows(2).all(|pair| pair[1][seed].1 < pair[0][seed].1);
    outcome.check_seeds("speed falls as density rises", (0..seeds as usize).map(falls));
    let hump = |seed: usize| {
        let flow: Vec<f64> = runs.iter().map(|case| case[seed].0 * case[seed].1).collect();
        let peak = (0..flow.len()).max_by(|&a, &b| flow[a].total_cmp(&flow[b])).unwrap_or(0);
        let (rise, fall) = flow.split_at(peak);
        peak > 0
            && peak + 1 < flow.len()
            && rise.is_sorted_by(|a, b| a < b)
            && fall.is_sorted_by(|a, b| a > b)
    };
    outcome.check_seeds("flow rises to a peak and falls", (0..seeds as usize).map(hump));
    outcome.pictures.extend(runs[2].first().map(|r| r.3.clone()));
    outcome.plots.push(
        Plot::new("Speed in zone 2", "density (1/m²)", "speed (m/s)")
            .curve("Weidmann 1993", 0.2, 5.0, weidmann)
            .ours("ours", Style::Points, points),
    );
    outcome.plots.push(
        Plot::new("Flow in zone 2", "density (1/m²)", "specific flow (1/m/s)")
            .curve("Weidmann 1993", 0.2, 5.0, |d| d * weidmann(d))
            .ours("ours", Style::Points, flows),
    );
    Ok(outcome)
}
