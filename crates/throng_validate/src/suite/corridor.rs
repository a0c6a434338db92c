//! One person along a corridor or a stair: RiMEA 1 to 3, NIST 2.1 and 2.2, ISO 2 and 3, IMO 1 to 3.

use crate::measure::{Line, mean, times_between};
use crate::report::Picture;
use crate::scene::SceneFile;
use crate::{Outcome, Run, Settings, ValidateError, scene_file};
use std::sync::Arc;

pub(super) const CORRIDOR: SceneFile = scene_file!("rimea-01");
const STAIR: SceneFile = scene_file!("rimea-02");

/// Seconds from x = 0 to x = `length`; not a number for somebody who never gets there.
fn seconds_along(run: &Run, length: f64) -> f64 {
    let (from, to) = (Line::new(0.0, -1.0, 0.0, 3.0), Line::new(length, -1.0, length, 3.0));
    times_between(&run.ways, &from, &to).first().copied().unwrap_or(f64::NAN)
}

fn corridor(
    settings: &Settings,
    seeds: u32,
    speed: f64,
    window: (f64, f64),
) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run =
            settings.trial(CORRIDOR).set("speed", speed).seed(seed).seconds(120.0).run(pool)?;
        Ok((seconds_along(&run, 40.0), Picture::of(&run, "One person in a corridor of 40 m")))
    })?;
    let times: Vec<f64> = runs[0].iter().map(|r| r.0).collect();
    let mut outcome = Outcome::default().value(format!(
        "{:.2} s for 40 m at {speed} m/s ({:.3} m/s)",
        mean(&times),
        40.0 / mean(&times)
    ));
    outcome.figure("time", mean(&times), "s");
    let what = format!("{} to {} s", window.0, window.1);
    outcome.check_seeds(&what, times.iter().map(|t| (window.0..=window.1).contains(t)));
    outcome.pictures.extend(runs[0].first().map(|r| r.1.clone()));
    Ok(outcome)
}

/// RiMEA 1: 1.33 m/s, 26 to 34 s.
pub(super) fn rimea_1(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    corridor(settings, seeds, 1.33, (26.0, 34.0))
}

/// NIST 2.1: 1 m/s within 5 %.
pub(super) fn nist_2_1(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    corridor(settings, seeds, 1.0, (40.0 / 1.05, 40.0 / 0.95))
}

/// A person's way over a stair: how long it is, free speed, factor on it and whether it leads up.
#[derive(Clone, Copy)]
struct Flight {
    length: f64,
    speed: f64,
    factor: f64,
    up: bool,
}

fn flights(
    settings: &Settings,
    seeds: u32,
    flights: &[Flight],
    tolerance: f64,
) -> Result<Outcome, ValidateError> {
    let runs = settings.sweep(flights, seeds, |flight, seed, pool: &Arc<_>| {
        let run = settings
            .trial(STAIR)
            .set("length", flight.length)
            .set("end", flight.length + 3.0)
            .set("far", flight.length + 5.0)
            .set("speed", flight.speed)
            .set("climb", if flight.up { flight.factor } else { 1.0 })
            .set("descend", if flight.up { 1.0 } else { flight.factor })
            .set("rise", if flight.up { 1 } else { -1 })
            .seed(seed)
            .seconds(600.0)
            .run(pool)?;
        Ok((seconds_along(&run, flight.length), Picture::of(&run, "One person on a stair")))
    })?;
    let mut outcome = Outcome::default();
    let mut told = Vec::new();
    for (flight, runs) in flights.iter().zip(&runs) {
        let wanted = flight.length / (flight.speed * flight.factor);
        let times: Vec<f64> = runs.iter().map(|r| r.0).collect();
        let way = if flight.up { "up" } else { "down" };
        told.push(format!("{:.2} s {way} ({wanted:.2} s wanted)", mean(&times)));
        outcome.figure(format!("time {way}"), mean(&times), "s");
        let what = format!("{way} within {:.0} % of {wanted:.2} s", tolerance * 100.0);
        outcome.check_seeds(&what, times.iter().map(|t| (t / wanted - 1.0).abs() <= tolerance));
        outcome.pictures.extend(runs.first().map(|r| r.1.clone()));
    }
    outcome.pictures.truncate(1);
    Ok(outcome.value(told.join(", ")))
}

/// RiMEA 2: up at 0.50 m/s.
pub(super) fn rimea_2(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    flights(settings, seeds, &[Flight { length: 10.0, speed: 1.0, factor: 0.5, up: true }], 0.05)
}

/// RiMEA 3: down at 0.65 m/s.
pub(super) fn rimea_3(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    flights(settings, seeds, &[Flight { length: 10.0, speed: 1.0, factor: 0.65, up: false }], 0.05)
}

/// NIST 2.2: 100 m up and down at 1 m/s.
pub(super) fn nist_2_2(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let flight = |up| Flight { length: 100.0, speed: 1.0, factor: 1.0, up };
    flights(settings, seeds, &[flight(true), flight(false)], 0.05)
}

/// ISO 3: a zone of 10 m on which people are half as fast, 0.5 m/s within 0.05 m/s.
pub(super) fn iso_3(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let flight = |up| Flight { length: 10.0, speed: 1.0, factor: 0.5, up };
    flights(settings, seeds, &[flight(true), flight(false)], 0.1)
}

/// IMO 2: 10 m up at 1 m/s.
pub(super) fn imo_2(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    flights(settings, seeds, &[Flight { length: 10.0, speed: 1.0, factor: 1.0, up: true }], 0.05)
}

/// IMO 3: 10 m down at 1 m/s.
pub(super) fn imo_3(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    flights(settings, seeds, &[Flight { length: 10.0, speed: 1.0, factor: 1.0, up: false }], 0.05)
}
