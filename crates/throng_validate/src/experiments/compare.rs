//! Theirs against ours.

use super::read::{Recorded, read};
use super::replay::{free_speeds, region, sign, way_of};
use super::{FreeSpeed, Recording, replay};
use crate::measure::{
    Crossing, Region, count_over_time, crossings, density_series, individual_speeds,
    ks_two_samples, mean, mean_of, nearest_distances, quantile, rank_correlation, steady_flow,
    times_between, voronoi_cells, voronoi_density,
};
use crate::report::{Picture, Plot, Style};
use crate::trajectory::Trajectories;
use crate::trial::Run;
use crate::{Outcome, Settings, ValidateError};
use throng_world::scene::SceneData;

/// Speeds are taken over this time about a frame (seconds, to each side).
const WINDOW: f64 = 0.4;
/// Samples are taken so far apart (seconds).
const EVERY: f64 = 0.5;
/// Nobody's ground reaches farther (metres).
const CUT_OFF: f64 = 1.0;
/// Shares of all passages between which it is measured.
const STEADY: (f64, f64) = (0.1, 0.9);
/// What is allowed between means.
const ALLOWED: f64 = 0.15;

/// What is measured of one crowd.
struct Measures {
    speed: f64,
    density: f64,
    voronoi: f64,
    flow: f64,
    to_pass: f64,
    duration: f64,
    /// How far those leave first who stand nearest.
    order: f64,
    speeds: Vec<f64>,
    distances: Vec<f64>,
    passed: Vec<Crossing>,
}

fn measure(recording: &Recording, ways: &Trajectories, walkable: &Region) -> Measures {
    let passed = crossings(ways, &recording.line);
    let at = |share: f64| {
        let i = (share * passed.len().saturating_sub(1) as f64).round() as usize;
        ways.frame_at(passed.get(i).map_or(0.0, |c| c.time))
    };
    let frames = at(STEADY.0)..at(STEADY.1) + 1;
    let every = (EVERY / ways.frame_seconds).round().max(1.0) as usize;
    let speeds = individual_speeds(ways, frames.clone(), every, WINDOW, &recording.area);
    let voronoi: Vec<f64> = frames
        .clone()
        .step_by(every)
        .map(|frame| {
            let people: Vec<_> = ways.present(frame).map(|(_, p)| p).collect();
            let cells = voronoi_cells(&people, walkable, CUT_OFF);
            voronoi_density(&cells, walkable, &recording.area)
        })
        .collect();
    let (a, b) = &recording.pass;
    // Either way: people come from both sides where they meet.
    let mut times = times_between(ways, a, b);
    if recording.ways.len() > 1 {
        times.extend(times_between(ways, b, a));
    }
    let door = recording.line.a.midpoint(recording.line.b);
    let order = passed.iter().map(|c| (ways.tracks[c.track].start().distance(door), c.time));
    let order = rank_correlation(&order.collect::<Vec<_>>());
    let first = passed.first().map_or(f64::NAN, |c| c.time);
    Measures {
        order,
        speed: mean(&speeds),
        density: mean(&density_series(ways, frames.clone(), &recording.area)),
        voronoi: mean(&voronoi),
        flow: steady_flow(&passed, STEADY.0, STEADY.1).unwrap_or(f64::NAN),
        to_pass: mean(&times),
        duration: passed.last().map_or(f64::NAN, |c| c.time) - first,
        distances: nearest_distances(ways, frames, every, &recording.area),
        speeds,
        passed,
    }
}

/// Name, measure, unit and whether it has to be met.
type Row = (&'static str, fn(&Measures) -> f64, &'static str, bool);

/// Repeats an experiment with some seeds and holds it against the recording.
///
/// # Errors
/// When the recording is not there or cannot be read, or the crowd cannot be run.
pub fn compare(
    recording: &Recording,
    settings: &Settings,
    seeds: u32,
) -> Result<Outcome, ValidateError> {
    let recorded = read(recording)?;
    let walkable = region(&recorded.wkt);
    let wait = if recording.stands { sign(&recorded.ways) } else { 0.0 };
    let theirs = measure(recording, &recorded.ways, &walkable);
    let mut runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let replay = replay::replay(recording, &recorded, wait, settings, seed, pool)?;
        let ours = measure(recording, &replay.run.ways, &walkable);
        Ok((ours, replay))
    })?;
    let runs = runs.pop().unwrap_or_default();
    let of = |f: fn(&Measures) -> f64| mean_of(&runs, |r| f(&r.0));
    let pooled = |f: fn(&Measures) -> &Vec<f64>| -> Vec<f64> {
        runs.iter().flat_map(|r| f(&r.0)).copied().collect()
    };
    let mut outcome = Outcome::default();
    let mut told = Vec::new();
    let rows: [Row; 6] = [
        ("speed", |m| m.speed, "m/s", true),
        ("density", |m| m.density, "/m²", true),
        ("Voronoi density", |m| m.voronoi, "/m²", true),
        ("flow", |m| m.flow, "/s", false),
        ("time to pass", |m| m.to_pass, "s", true),
        ("duration", |m| m.duration, "s", false),
    ];
    for (name, f, unit, counts) in rows {
        let (real, ours) = (f(&theirs), of(f));
        let off = ours / real - 1.0;
        told.push(format!("{name} {real:.2} -> {ours:.2} {unit} ({:+.0} %)", off * 100.0));
        outcome.figure(format!("{name}, real"), real, unit);
        outcome.figure(format!("{name}, ours"), ours, unit);
        if counts {
            outcome.check(
                format!("{name} {ours:.3} within 15 % of {real:.3} {unit} ({:+.1} %)", off * 100.0),
                off.abs() <= ALLOWED,
            );
        }
    }
    if recording.stands {
        outcome.note(format!(
            "rank correlation of the distance to the door at first and the order of leaving: {:.2} -> {:.2}",
            theirs.order,
            of(|m| m.order)
        ));
    }
    let speeds = ks_two_samples(&theirs.speeds, &pooled(|m| &m.speeds)).distance;
    let distances = ks_two_samples(&theirs.distances, &pooled(|m| &m.distances)).distance;
    outcome.figure("KS distance of speeds", speeds, "");
    outcome.figure("KS distance of nearest-neighbour distances", distances, "");
    outcome.check(format!("KS distance of speeds {speeds:.3} below 0.25"), speeds < 0.25);
    told.push(format!("KS speed {speeds:.2}, neighbours {distances:.2}"));
    if recording.people.len() > 1 {
        let kinds = recording.people.iter().map(|kind| {
            let traits = kind.traits.trim().replace('\n', ", ");
            format!("{:.0} % {traits}", kind.share * 100.0)
        });
        outcome.note(format!("kinds of people: {}", kinds.collect::<Vec<_>>().join("; ")));
    }
    let all = runs.iter().all(|r| r.1.run.over);
    outcome.check("everybody passes", all);
    let delay = mean_of(&runs, |r| r.1.delay);
    outcome.note(format!("people waited {delay:.2} s on average for room to come in"));
    outcome.note(match recording.free_speed {
        FreeSpeed::Unknown if recording.people.len() > 1 => {
            "free speeds of the participants are not known: as given with their kinds".into()
        }
        FreeSpeed::Unknown => {
            "free speeds of the participants are not known: default population".into()
        }
        FreeSpeed::Measured(v, s) => {
            format!("free speeds N({v}, {s}) m/s, measured of the participants")
        }
        FreeSpeed::AsWalked => {
            let (v, s) = free_speeds(recording, &recorded.ways).unwrap_or_default();
            format!(
                "free speeds N({v:.2}, {s:.2}) m/s, as walked in this recording, which is sparse"
            )
        }
    });
    draw(&mut outcome, recording, &recorded, &theirs, &runs);
    Ok(outcome.value(told.join(", ")))
}

fn draw(
    outcome: &mut Outcome,
    recording: &Recording,
    recorded: &Recorded,
    theirs: &Measures,
    runs: &[(Measures, replay::Replay)],
) {
    let Some((ours, replay)) = runs.first() else { return };
    let mut real = recorded.ways.clone();
    for track in &mut real.tracks {
        track.group = way_of(recording, track.start());
    }
    let recorded_run = Run { ways: real, scene: SceneData::default(), ..replay.run.clone() };
    for (name, run) in [("recorded", &recorded_run), ("ours", &replay.run)] {
        let mut picture = Picture::of(run, name);
        let shape = region(&recorded.wkt);
        (picture.areas, picture.walls) = (shape.outer, shape.holes);
        let (a, b) = &recording.pass;
        outcome.pictures.push(picture.area(&recording.area).line(&recording.line).line(a).line(b));
    }
    outcome.plots.push(
        Plot::new("People who have passed", "time (s)", "people")
            .theirs("recorded", Style::Line, count_over_time(&theirs.passed))
            .ours("ours", Style::Line, count_over_time(&ours.passed)),
    );
    let shares = |values: &[f64]| -> Vec<(f64, f64)> {
        (0..=50).map(|i| f64::from(i) / 50.0).map(|s| (quantile(values, s), s)).collect()
    };
    outcome.plots.push(
        Plot::new("Speeds in the area", "speed (m/s)", "share below")
            .theirs("recorded", Style::Line, shares(&theirs.speeds))
            .ours("ours", Style::Line, shares(&ours.speeds)),
    );
    outcome.plots.push(
        Plot::new("Distance to the nearest", "distance (m)", "share below")
            .theirs("recorded", Style::Line, shares(&theirs.distances))
            .ours("ours", Style::Line, shares(&ours.distances)),
    );
}
