//! Single file: RiMEA 16.

use crate::measure::{bins, headways_on_ring, mean_of, median, quantile};
use crate::reference::{SINGLE_FILE, single_file_band};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};
use glam::DVec2;
use std::f64::consts::PI;
use std::fmt::Write;

const OVAL: SceneFile = scene_file!("rimea-16");

/// The oval along its middle: straights of 4 m, half circles of 3 m.
const STRAIGHT: f64 = 4.0;
const RADIUS: f64 = 3.0;
const LENGTH: f64 = 2.0 * STRAIGHT + 2.0 * PI * RADIUS;
/// A bin with fewer samples than this for each seed says nothing.
const SAMPLES_PER_SEED: usize = 25;
/// About one body wide, as RiMEA asks: two people cannot walk side by side, nor squeeze past.
const HALF_WIDTH: f64 = 0.25;

/// Point of the oval at a distance along it, `off` metres to the right of the middle; it goes round
/// anticlockwise from the left end of the lower straight.
fn point(along: f64, off: f64) -> DVec2 {
    let s = along.rem_euclid(LENGTH);
    let r = RADIUS + off;
    let arc = PI * RADIUS;
    if s < STRAIGHT {
        DVec2::new(s, -r)
    } else if s < STRAIGHT + arc {
        DVec2::new(STRAIGHT, 0.0) + DVec2::from_angle((s - STRAIGHT) / RADIUS - PI / 2.0) * r
    } else if s < 2.0 * STRAIGHT + arc {
        DVec2::new(STRAIGHT - (s - STRAIGHT - arc), r)
    } else {
        DVec2::from_angle((s - 2.0 * STRAIGHT - arc) / RADIUS + PI / 2.0) * r
    }
}

/// How far along the oval a place lies.
fn along(p: DVec2) -> f64 {
    let arc = PI * RADIUS;
    if (0.0..=STRAIGHT).contains(&p.x) {
        return if p.y < 0.0 { p.x } else { STRAIGHT + arc + (STRAIGHT - p.x) };
    }
    if p.x > STRAIGHT {
        let angle = (p - DVec2::new(STRAIGHT, 0.0)).to_angle() + PI / 2.0;
        STRAIGHT + angle * RADIUS
    } else {
        let angle = (p.to_angle() - PI / 2.0).rem_euclid(2.0 * PI);
        2.0 * STRAIGHT + arc + angle * RADIUS
    }
}

fn polygon(points: impl Iterator<Item = DVec2>) -> String {
    let each: Vec<String> = points.map(|p| format!("[{:.4}, {:.4}]", p.x, p.y)).collect();
    format!("[{}]", each.join(", "))
}

fn edge(off: f64) -> String {
    const PARTS: usize = 120;
    polygon((0..PARTS).map(|i| point(LENGTH * i as f64 / PARTS as f64, off)))
}

/// Strips across the oval.
const GOALS: usize = 6;

/// Where the middle of a strip is.
fn strip_at(goal: usize) -> f64 {
    LENGTH * (goal as f64 + 0.5) / GOALS as f64
}

/// The strips, to be visited in turn.
fn goals() -> String {
    let mut goals = String::new();
    for i in 0..GOALS {
        let corners = [(-0.3, -1.0), (0.3, -1.0), (0.3, 1.0), (-0.3, 1.0)];
        // Into the walls on both sides, so that who brushes along one is as much inside.
        let strip =
            corners.map(|(ahead, side)| point(strip_at(i) + ahead, side * 2.0 * HALF_WIDTH));
        let polygon = polygon(strip.into_iter());
        // Writing to a string cannot fail.
        let _ = write!(goals, "[[goal]]\nname = \"{i}\"\npolygon = {polygon}\n");
    }
    goals
}

/// So many people along the middle. Everybody begins with the strip ahead of it: to another the way back
/// might be shorter.
fn people(count: u32) -> String {
    let gap = LENGTH / f64::from(count);
    let mut text = String::new();
    for next in 0..GOALS {
        let is_next = |at: f64| {
            let first = (0..GOALS).find(|&goal| strip_at(goal) > at).unwrap_or(0);
            first == next
        };
        let own = (0..count).map(|i| gap * f64::from(i)).filter(|at| is_next(*at));
        let places = polygon(own.map(|at| point(at, 0.0)));
        if places == "[]" {
            continue;
        }
        let visit: Vec<String> =
            (0..GOALS).map(|k| format!("\"{}\"", (next + k) % GOALS)).collect();
        let _ = write!(
            text,
            "[[group]]\nname = \"file {next}\"\nweights = {{ density = 0 }}\nvisit = [{}]\n\
             again = true\n[[spawn]]\ngroup = \"file {next}\"\npositions = {places}\n",
            visit.join(", ")
        );
    }
    text
}

/// RiMEA 16: the curve of median speeds inside the 10-90 % band in at least 75 % of the bins.
pub(super) fn rimea_16(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    // So close to each other that every bin has people of several runs.
    const PEOPLE: [u32; 16] = [5, 10, 14, 17, 20, 22, 25, 28, 31, 34, 37, 40, 44, 48, 52, 56];
    let goals = goals();
    let runs = settings.sweep(&PEOPLE, seeds, |&count, seed, pool| {
        let run = settings
            .trial(OVAL)
            .set("outer", edge(HALF_WIDTH))
            .set("inner", edge(-HALF_WIDTH))
            .set("goals", &goals)
            .set("people", people(count))
            .seed(seed)
            .seconds(120.0)
            .run(pool)?;
        let picture =
            (count == 22 && seed == 1).then(|| Picture::of(&run, "22 people, single file"));
        Ok((points(&run.ways, 40.0), picture))
    })?;
    let all: Vec<(f64, f64)> = runs.iter().flatten().flat_map(|r| r.0.clone()).collect();
    let mut outcome = Outcome::default();
    let (mut inside, mut total, mut curve) = (0, 0, Vec::new());
    let enough = SAMPLES_PER_SEED * seeds as usize;
    for (density, speeds) in bins(&all, 0.2) {
        let Some((low, high)) = single_file_band(density).filter(|_| speeds.len() >= enough) else {
            continue;
        };
        let middle = median(&speeds);
        total += 1;
        let holds = (low..=high).contains(&middle);
        inside += u32::from(holds);
        curve.push((density, middle));
        outcome.figure(format!("median speed at {density:.1} /m"), middle, "m/s");
        if !holds {
            outcome.note(format!("{density:.1} /m: {middle:.3} m/s outside {low:.3} to {high:.3}"));
        }
    }
    let share = f64::from(inside) / f64::from(total.max(1));
    outcome.check(
        format!("{inside} of {total} bins inside the band, at least 75 %"),
        share >= 0.75 && total >= 8,
    );
    outcome.pictures.extend(runs.iter().flatten().find_map(|r| r.1.clone()));
    let mut band: Vec<(f64, f64)> = SINGLE_FILE.iter().map(|r| (r.0, r.1)).collect();
    band.extend(SINGLE_FILE.iter().rev().map(|r| (r.0, r.3)));
    let few = all.iter().step_by(all.len().div_ceil(1500).max(1)).copied();
    outcome.plots.push(
        Plot::new("Single file", "density (1/m)", "speed (m/s)")
            .theirs("10 to 90 %", Style::Band, band)
            .theirs("median measured", Style::Line, SINGLE_FILE.iter().map(|r| (r.0, r.2)))
            .ours("ours, everybody", Style::Points, few)
            .ours("ours, median", Style::Line, curve),
    );
    let free = quantile(&all.iter().map(|p| p.1).collect::<Vec<_>>(), 0.99);
    outcome.note(format!(
        "fastest per cent from {free:.2} m/s, mean speed of all {:.3} m/s",
        mean_of(&all, |p| p.1)
    ));
    Ok(outcome.value(format!("{inside} of {total} bins inside the band ({:.0} %)", share * 100.0)))
}

/// Density from headways and speed along the oval over a second, of everybody, from a time on.
fn points(ways: &crate::trajectory::Trajectories, from: f64) -> Vec<(f64, f64)> {
    let half = (0.5 / ways.frame_seconds).round() as usize;
    let mut points = Vec::new();
    for frame in (ways.frame_at(from)..ways.frames.saturating_sub(half)).step_by(2 * half) {
        let people: Vec<(usize, DVec2)> = ways.present(frame).collect();
        let places: Vec<f64> = people.iter().map(|(_, p)| along(*p)).collect();
        for ((track, _), headway) in people.iter().zip(headways_on_ring(&places, LENGTH)) {
            let at = |f: usize| ways.tracks[*track].at(f).map(along);
            let (Some(before), Some(after)) = (at(frame - half), at(frame + half)) else {
                continue;
            };
            let way = (after - before + LENGTH / 2.0).rem_euclid(LENGTH) - LENGTH / 2.0;
            points.push((1.0 / headway, way / (2 * half) as f64 / ways.frame_seconds));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn along_undoes_point() {
        for i in 0..200 {
            let s = LENGTH * (f64::from(i) + 0.5) / 200.0;
            for off in [-0.2, 0.0, 0.2] {
                assert!((along(point(s, off)) - s).abs() < 1e-9, "{s} {off}");
            }
        }
    }
}
