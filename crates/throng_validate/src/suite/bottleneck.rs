//! Bottlenecks: RiMEA 12a to d, and flow against width as in the experiments.

use crate::measure::{
    Area, Line, count_over_time, crossings, density_series, mean, mean_of, slope_of,
    slope_through_origin, steady_flow,
};
use crate::reference::{BOTTLENECK_SERIES, bottleneck_spread};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Run, Settings, Trial, ValidateError, scene_file};

const ROOMS: SceneFile = scene_file!("rimea-12");
const THREE_ROOMS: SceneFile = scene_file!("rimea-12c");
const WIDTHS: SceneFile = scene_file!("bottleneck-width");

/// Shares of all passages between which a flow is steady.
const STEADY: (f64, f64) = (0.1, 0.9);

/// Two rooms of 10 m with an opening of some length and width; the goal begins `goal` metres behind it.
fn rooms(settings: &Settings, length: f64, width: f64, goal: f64) -> Trial<'_> {
    let behind = 10.0 + length;
    settings
        .trial(ROOMS)
        .set("low", 5.0 - width / 2.0)
        .set("high", 5.0 + width / 2.0)
        .set("opening", behind + 0.1)
        .set("room2", behind)
        .set("near", behind + goal)
        .set("end", behind + goal + 1.0)
        .set("far", behind + 12.0)
        .seconds(600.0)
}

/// The line at which people leave room 1.
const MOUTH: Line = Line::new(10.0, 0.0, 10.0, 10.0);

/// When room 1 is empty; not a number if it never is. Where the goal lies in the opening people vanish
/// before they have passed it, so it is asked who is still in the room.
fn emptied(run: &Run) -> f64 {
    let within = |track: &crate::trajectory::Track| {
        track.places.iter().rposition(|p| p.x < 10.0).map_or(0, |i| track.first + i + 1)
    };
    let last = run.ways.tracks.iter().map(within).max().unwrap_or(0);
    if run.over { run.ways.time(last) } else { f64::NAN }
}

/// RiMEA 12a: how far the goal is behind the opening.
pub(super) fn rimea_12a(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const GOALS: [f64; 5] = [0.0, 0.5, 2.0, 5.0, 10.0];
    let runs = settings.sweep(&GOALS, seeds, |goal, seed, pool| {
        let run = rooms(settings, 0.2, 1.0, *goal).seed(seed).run(pool)?;
        Ok((emptied(&run), Picture::of(&run, format!("goal {goal} m behind the opening"))))
    })?;
    let times: Vec<f64> = runs.iter().map(|r| mean_of(r, |r| r.0)).collect();
    let mut outcome = Outcome::default();
    for (goal, time) in GOALS.iter().zip(&times) {
        outcome.figure(format!("time, goal at {goal} m"), *time, "s");
    }
    // 5 % is what two sets of seeds differ by.
    let nearest = times.first().copied().unwrap_or(f64::NAN);
    outcome.check(
        "the nearest goal is not slower than any other (5 % allowed)",
        times.iter().all(|t| nearest <= t * 1.05),
    );
    outcome.pictures.extend(runs[2].first().map(|r| r.1.clone()));
    outcome.plots.push(
        Plot::new("Room 1 is empty", "goal behind the opening (m)", "time (s)").ours(
            "ours",
            Style::Points,
            GOALS.iter().copied().zip(times.iter().copied()),
        ),
    );
    let told: Vec<String> =
        GOALS.iter().zip(&times).map(|(g, t)| format!("{t:.1} s at {g} m")).collect();
    Ok(outcome.value(told.join(", ")))
}

/// RiMEA 12b: a short and a long opening.
pub(super) fn rimea_12b(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(&[0.2, 5.0], seeds, |length, seed, pool| {
        let run = rooms(settings, *length, 1.0, 5.0).seed(seed).run(pool)?;
        let n = count_over_time(&crossings(&run.ways, &MOUTH));
        Ok((emptied(&run), n, Picture::of(&run, format!("opening {length} m long")).line(&MOUTH)))
    })?;
    let times = |case: usize| -> Vec<f64> { runs[case].iter().map(|r| r.0).collect() };
    let (short, long) = (times(0), times(1));
    let mut outcome = Outcome::default().value(format!(
        "0.2 m long: {:.1} s, 5 m long: {:.1} s",
        mean(&short),
        mean(&long)
    ));
    outcome.figure("time, 0.2 m long", mean(&short), "s");
    outcome.figure("time, 5 m long", mean(&long), "s");
    outcome.check_seeds("the long one takes longer", short.iter().zip(&long).map(|(s, l)| s < l));
    outcome.pictures.extend(runs.iter().filter_map(|r| r.first()).map(|r| r.2.clone()));
    let first = |case: usize| runs[case].first().map_or(Vec::new(), |r| r.1.clone());
    outcome.plots.push(
        Plot::new("People who have left room 1", "time (s)", "people")
            .ours("0.2 m long", Style::Line, first(0))
            .ours("5 m long", Style::Line, first(1)),
    );
    Ok(outcome)
}

/// RiMEA 12c: two equal openings one behind the other.
pub(super) fn rimea_12c(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let lines = [Line::new(10.1, 4.4, 10.1, 5.6), Line::new(20.3, 4.4, 20.3, 5.6)];
    // Half circles would do better before an opening, but squares are what a grid of them can show.
    let before = [Area::new(8.0, 4.0, 10.0, 6.0), Area::new(18.2, 4.0, 20.2, 6.0)];
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(THREE_ROOMS).seed(seed).seconds(600.0).run(pool)?;
        let passed = lines.map(|line| crossings(&run.ways, &line));
        let flows = [&passed[0], &passed[1]]
            .map(|p| steady_flow(p, STEADY.0, STEADY.1).unwrap_or(f64::NAN));
        let end = run.ways.frame_at(passed[0].last().map_or(0.0, |c| c.time));
        let density = before.map(|area| mean(&density_series(&run.ways, 0..end, &area)));
        let picture = Picture::of(&run, "Three rooms").line(&lines[0]).line(&lines[1]);
        Ok((flows, density, passed.map(|p| count_over_time(&p)), picture))
    })?;
    let runs = &runs[0];
    let [f1, f2] = [0, 1].map(|i| mean_of(runs, |r| r.0[i]));
    let [d1, d2] = [0, 1].map(|i| mean_of(runs, |r| r.1[i]));
    let mut outcome = Outcome::default().value(format!(
        "flow {f1:.2} and {f2:.2} /s, density before the openings {d1:.2} and {d2:.2} /m²"
    ));
    outcome.figure("flow at opening 1", f1, "/s");
    outcome.figure("flow at opening 2", f2, "/s");
    outcome.figure("density before opening 1", d1, "/m²");
    outcome.figure("density before opening 2", d2, "/m²");
    outcome.check("less than half as dense before the second opening: no jam", d2 < 0.5 * d1);
    if let Some(first) = runs.first() {
        outcome.pictures.push(first.3.clone());
        outcome.plots.push(
            Plot::new("People who have passed", "time (s)", "people")
                .ours("opening 1", Style::Line, first.2[0].clone())
                .ours("opening 2", Style::Line, first.2[1].clone()),
        );
    }
    Ok(outcome)
}

/// RiMEA 12d: an opening of 5 m, 0.8, 1.0 and 1.2 m wide.
pub(super) fn rimea_12d(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const WIDTHS: [f64; 3] = [0.8, 1.0, 1.2];
    let runs = settings.sweep(&WIDTHS, seeds, |width, seed, pool| {
        let run = rooms(settings, 5.0, *width, 5.0).seed(seed).run(pool)?;
        let flow = steady_flow(&crossings(&run.ways, &MOUTH), STEADY.0, STEADY.1);
        Ok((flow.unwrap_or(f64::NAN), Picture::of(&run, format!("{width} m wide"))))
    })?;
    let flows: Vec<f64> = runs.iter().map(|r| mean_of(r, |r| r.0)).collect();
    let mut outcome = Outcome::default();
    let told: Vec<String> = WIDTHS
        .iter()
        .zip(&flows)
        .map(|(b, j)| {
            outcome.figure(format!("flow at {b} m"), *j, "/s");
            format!("{j:.2} /s at {b} m (1.9 b: {:.2})", 1.9 * b)
        })
        .collect();
    let rises = |seed: usize| runs.windows(2).all(|pair| pair[0][seed].0 < pair[1][seed].0);
    outcome.check_seeds("flow rises with width", (0..seeds as usize).map(rises));
    outcome.pictures.extend(runs[1].first().map(|r| r.1.clone()));
    outcome.plots.push(widths_plot(WIDTHS.iter().copied().zip(flows), 0.7, 1.3));
    Ok(outcome.value(told.join(", ")))
}

fn widths_plot(ours: impl IntoIterator<Item = (f64, f64)>, from: f64, to: f64) -> Plot {
    let plot =
        Plot::new("Flow against width", "width (m)", "flow (1/s)")
            .curve("1.9 b", from, to, |b| 1.9 * b);
    let plot = BOTTLENECK_SERIES.iter().fold(plot, |plot, (name, series)| {
        let shown = series.iter().copied().filter(|(b, _)| (from..=to).contains(b));
        plot.theirs(*name, Style::Points, shown)
    });
    plot.ours("ours", Style::Points, ours)
}

/// Flow against width from 0.8 to 2.5 m: slope 1.9 within 0.25, each point within the three series.
pub(super) fn width_series(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const ALL: [f64; 10] = [0.8, 0.9, 1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5];
    let line = Line::new(0.0, 0.0, 0.0, 10.0);
    let runs = settings.sweep(&ALL, seeds, |width, seed, pool| {
        // 3.5 people per m² on 7 m, twenty seconds' and a hundred people's worth.
        let count = (100.0 + 40.0 * width).round();
        let run = settings
            .trial(WIDTHS)
            .set("low", 5.0 - width / 2.0)
            .set("high", 5.0 + width / 2.0)
            .set("count", count)
            .set("depth", format!("{:.2}", 1.0 + count / 3.5 / 7.0))
            .seed(seed)
            .seconds(300.0)
            .run(pool)?;
        let passed = crossings(&run.ways, &line);
        let flow = steady_flow(&passed, STEADY.0, STEADY.1).unwrap_or(f64::NAN);
        let complete = passed.len() == run.people;
        Ok((flow, complete, Picture::of(&run, format!("{width} m wide")).line(&line)))
    })?;
    let flows: Vec<(f64, f64)> =
        ALL.iter().zip(&runs).map(|(b, r)| (*b, mean_of(r, |r| r.0))).collect();
    let (slope, base) = slope_of(&flows);
    let origin = slope_through_origin(&flows);
    let mut outcome = Outcome::default();
    for (b, j) in &flows {
        let (low, high) = bottleneck_spread(*b);
        outcome.figure(format!("flow at {b} m"), *j, "/s");
        outcome.check(
            format!("{b} m: {j:.2} /s within {low:.2} to {high:.2} /s"),
            (low..=high).contains(j),
        );
    }
    outcome.figure("slope", slope, "/m/s");
    outcome.check(format!("slope {slope:.2} within 1.9 ± 0.25 /m/s"), (slope - 1.9).abs() <= 0.25);
    outcome.check("everybody passes", runs.iter().flatten().all(|r| r.1));
    outcome.pictures.extend([2, 8].iter().filter_map(|&i| runs[i].first()).map(|r| r.2.clone()));
    outcome.plots.push(widths_plot(flows.iter().copied(), 0.7, 2.6));
    let told: Vec<String> = flows.iter().map(|(b, j)| format!("{j:.2} at {b}")).collect();
    Ok(outcome.value(format!(
        "slope {slope:.2} /m/s (intercept {base:+.2}; through zero {origin:.2}); /s at m: {}",
        told.join(", ")
    )))
}
