//! RiMEA 4 to the letter: a corridor of 1000 m by 10 m with up to 60,000 people.

use super::{CORRIDOR, FROM, TO, judge, squares};
use crate::measure::Area;
use crate::scene::Placement;
use crate::{Outcome, Settings, ValidateError, parallel};
use std::time::Instant;
use throng_crowd::Crowd;

const DENSITIES: [f64; 7] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

/// All cores for one crowd, one density after the other; nobody's way is kept, so that 60,000 fit.
pub(in crate::suite) fn rimea_4_literal(
    settings: &Settings,
    seeds: u32,
) -> Result<Outcome, ValidateError> {
    let pool = parallel::pool(0)?;
    let places = squares(500.0, 50.0, 10.0);
    let (mut points, mut factors) = (Vec::new(), Vec::new());
    for density in DENSITIES {
        let (mut there, mut speed, mut moments, mut seconds) = (0.0, 0.0, 0.0, 0.0);
        for seed in 1..=u64::from(seeds) {
            let trial = settings
                .trial(CORRIDOR)
                .set("length", 1010)
                .set("end", 1005)
                .set("width", 10)
                .set("filled", 1000)
                .set("count", (density * 10_000.0).round())
                .seed(seed);
            let scene = trial.scene()?;
            let mut simulation = trial.open(&scene, &pool)?;
            let dt = simulation.crowd()?.world().dt;
            let every = (0.5 / f64::from(dt)).round() as u64;
            let begin = Instant::now();
            while simulation.time() < TO {
                simulation.step(dt)?;
                if simulation.time() >= FROM && simulation.steps().is_multiple_of(every) {
                    let (n, v) = look(simulation.crowd()?, &trial.placement(&scene), &places);
                    (there, speed, moments) = (there + n, speed + v, moments + 1.0);
                }
            }
            seconds += begin.elapsed().as_secs_f64();
        }
        let size: f64 = places.iter().map(Area::size).sum();
        points.push((there / moments / size, speed / there));
        factors.push(TO * f64::from(seeds) / seconds);
    }
    let mut outcome = judge(&DENSITIES, &points);
    let slowest = factors.iter().copied().fold(f64::INFINITY, f64::min);
    for (density, factor) in DENSITIES.iter().zip(&factors) {
        outcome
            .note(format!("{} people: {factor:.1} times real time", (density * 10_000.0).round()));
    }
    outcome.check(format!("{slowest:.2} times real time with 60,000 people"), slowest > 1.0);
    let value = format!("{slowest:.1} x real time at worst; {}", outcome.value);
    Ok(outcome.value(value))
}

/// How many are in the squares, and the sum of their speeds.
fn look(crowd: &Crowd, placement: &Placement, places: &[Area]) -> (f64, f64) {
    let (mut there, mut speed) = (0.0, 0.0);
    for i in 0..crowd.len() {
        let p = glam::DVec2::new(f64::from(crowd.x()[i]), f64::from(crowd.y()[i]));
        let p = placement.back(p);
        if places.iter().any(|place| place.contains(p)) {
            there += 1.0;
            speed += f64::from(crowd.vx()[i]).hypot(f64::from(crowd.vy()[i]));
        }
    }
    (there, speed)
}
