//! An experiment repeated: everybody comes in where and when it did.

use super::{FreeSpeed, Kind, Recording};
use crate::measure::{Area, Region, deviation, mean, times_between};
use crate::scene::SceneFile;
use crate::trajectory::Trajectories;
use crate::trial::{Recorder, Run};
use crate::{FRAME_SECONDS, Settings, ValidateError, scene_file};
use glam::DVec2;
use rayon::ThreadPool;
use std::fmt::Write;
use std::sync::Arc;
use throng::Simulation;

const SCENE: SceneFile = scene_file!("experiment");

/// Somebody comes in when nobody is nearer than this to where it comes in (metres).
const ROOM: f64 = 0.35;

/// The run, and how long people had to wait on average before there was room to come in (seconds).
pub(super) struct Replay {
    pub(super) run: Run,
    pub(super) delay: f64,
}

/// Which way somebody takes, by where it started.
pub(super) fn way_of(recording: &Recording, start: DVec2) -> usize {
    recording.ways.iter().position(|way| way.starts.contains(start)).unwrap_or(0)
}

/// Runs the experiment; `sign` is when people who stand begin to walk (seconds).
pub(super) fn replay(
    recording: &Recording,
    recorded: &super::read::Recorded,
    sign: f64,
    settings: &Settings,
    seed: u64,
    pool: &Arc<ThreadPool>,
) -> Result<Replay, ValidateError> {
    let trial = settings
        .trial(SCENE)
        .set("wkt", &recorded.wkt)
        .set("bounds", bounds(&recorded.wkt))
        .set("parts", parts(recording, free_speeds(recording, &recorded.ways), sign))
        .seed(seed);
    let scene = trial.scene()?;
    let placement = trial.placement(&scene);
    let mut simulation = trial.open(&scene, pool)?;
    let dt = simulation.crowd()?.world().dt;
    let tracks = recorded.ways.tracks.iter().enumerate();
    let mut queue: Vec<(f64, DVec2, usize)> = tracks
        .map(|(i, track)| {
            let start = track.start();
            let group = group_of(recording, start, seed, i);
            (recorded.ways.time(track.first), start, group)
        })
        .collect();
    queue.sort_by(|a, b| a.0.total_cmp(&b.0));
    let people = recorded.ways.tracks.len();
    let mut recorder = Recorder::new(FRAME_SECONDS);
    let frame = (FRAME_SECONDS / f64::from(dt)).round().max(1.0) as u64;
    let limit = 3.0 * recorded.ways.time(recorded.ways.frames) + 60.0;
    let mut waited = 0.0;
    loop {
        let now = simulation.time();
        let mut left = Vec::new();
        for (time, place, group) in queue.drain(..) {
            let due = time <= now + 1e-6;
            // Those of the first frame stand where they stood, however close.
            if due && (time == 0.0 || has_room(&mut simulation, placement.place(place))?) {
                let at = placement.place(place).as_vec2();
                simulation.spawn(group, at, None)?;
                waited += now - time;
            } else {
                left.push((time, place, group));
            }
        }
        queue = left;
        if simulation.steps().is_multiple_of(frame) {
            recorder.observe(simulation.crowd()?);
        }
        simulation.step(dt)?;
        let empty = simulation.crowd()?.is_empty();
        if (empty && queue.is_empty()) || simulation.time() > limit {
            break;
        }
    }
    let (over, seconds) = (simulation.crowd()?.is_empty() && queue.is_empty(), simulation.time());
    let ways = recorder.ways.moved(|p| placement.back(p));
    let run = Run { ways, people, over, seconds, scene };
    Ok(Replay { run, delay: waited / people as f64 })
}

/// The group of somebody: by its way, and by chance of one kind of people, the same for the same seed.
fn group_of(recording: &Recording, start: DVec2, seed: u64, index: usize) -> usize {
    // Steele, Lea and Flood 2014, SplitMix64.
    let mut z = (seed << 32 | index as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let mut left = (z ^ (z >> 31)) as f64 / 2f64.powi(64);
    let mut of = |kind: &Kind| {
        left -= kind.share;
        left < 0.0
    };
    let kinds = recording.people;
    let kind = kinds.iter().position(&mut of).unwrap_or(kinds.len() - 1);
    way_of(recording, start) * kinds.len() + kind
}

fn has_room(simulation: &mut Simulation, at: DVec2) -> Result<bool, ValidateError> {
    let crowd = simulation.crowd()?;
    let near = |(x, y): (&f32, &f32)| {
        DVec2::new(f64::from(*x), f64::from(*y)).distance_squared(at) < ROOM * ROOM
    };
    Ok(!crowd.x().iter().zip(crowd.y()).any(near))
}

fn rect(area: &Area) -> String {
    format!("[{}, {}, {}, {}]", area.min.x, area.min.y, area.max.x, area.max.y)
}

/// Everything of the scene that differs from one experiment to the other.
fn parts(recording: &Recording, speed: Option<(f64, f64)>, sign: f64) -> String {
    let mut text = String::new();
    let speed = speed.map_or(String::new(), |(mean, deviation)| {
        format!("speed = {{ mean = {mean:.3}, deviation = {deviation:.3} }}\n")
    });
    // Writing to a string cannot fail.
    for area in recording.closed {
        let _ = writeln!(text, "[[wall]]\nrect = {}", rect(area));
    }
    for (i, way) in recording.ways.iter().enumerate() {
        let leaves = rect(&way.leaves);
        let _ = writeln!(
            text,
            "[[goal]]\nname = \"out {i}\"\nexit = true\nrect = {leaves}\n\
             [[spawn]]\ngroup = \"people {i}.0\"\nrate = 1\nfrom = 900000\nrect = {leaves}"
        );
        for (k, kind) in recording.people.iter().enumerate() {
            let _ = writeln!(
                text,
                "[[group]]\nname = \"people {i}.{k}\"\n{speed}{}premovement = {sign:.3}\n\
                 goal = \"out {i}\"",
                kind.traits
            );
        }
    }
    text
}

/// The free speeds of the people: mean and deviation, where they are known.
pub(super) fn free_speeds(recording: &Recording, ways: &Trajectories) -> Option<(f64, f64)> {
    match recording.free_speed {
        FreeSpeed::Unknown => None,
        FreeSpeed::Measured(mean, deviation) => Some((mean, deviation)),
        FreeSpeed::AsWalked => {
            let (a, b) = &recording.pass;
            let way = a.a.midpoint(a.b).distance(b.a.midpoint(b.b));
            let speeds: Vec<f64> = times_between(ways, a, b).iter().map(|t| way / t).collect();
            Some((mean(&speeds), deviation(&speeds)))
        }
    }
}

/// All pairs of numbers of a WKT.
fn pairs(wkt: &str) -> Vec<Vec<DVec2>> {
    let rings = wkt.split('(').filter_map(|part| part.split(')').next());
    rings
        .map(|ring| {
            let corner = |pair: &str| {
                let mut words = pair.split_whitespace().map(str::parse::<f64>);
                Some(DVec2::new(words.next()?.ok()?, words.next()?.ok()?))
            };
            ring.split(',').filter_map(corner).collect::<Vec<_>>()
        })
        .filter(|ring| ring.len() >= 3)
        .collect()
}

fn bounds(wkt: &str) -> String {
    let all = pairs(wkt);
    let corners = || all.iter().flatten();
    let low = corners().fold(DVec2::INFINITY, |a, b| a.min(*b)).floor();
    let high = corners().fold(DVec2::NEG_INFINITY, |a, b| a.max(*b)).ceil();
    format!("[{}, {}, {}, {}]", low.x, low.y, high.x, high.y)
}

/// What may be walked on, of a WKT polygon with holes.
pub(super) fn region(wkt: &str) -> Region {
    let open = |mut ring: Vec<DVec2>| {
        if ring.first() == ring.last() {
            ring.pop();
        }
        ring
    };
    let mut rings = pairs(wkt).into_iter().map(open);
    Region { outer: rings.next().into_iter().collect(), holes: rings.collect() }
}

/// When people who stand begin to walk: the moment at which a tenth of them has gone 0.3 m.
pub(super) fn sign(ways: &Trajectories) -> f64 {
    let gone = |track: &crate::trajectory::Track| {
        let home = track.start();
        let frames = track.places.iter().position(|p| p.distance(home) > 0.3)?;
        Some(ways.time(track.first + frames))
    };
    let mut starts: Vec<f64> = ways.tracks.iter().filter_map(gone).collect();
    starts.sort_by(f64::total_cmp);
    starts.get(starts.len() / 10).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_with_a_hole_is_read() {
        let region = region("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))");
        assert_eq!((region.outer[0].len(), region.holes[0].len()), (4, 4));
        assert!(region.contains(DVec2::new(3.0, 3.0)) && !region.contains(DVec2::new(1.5, 1.5)));
        assert_eq!(bounds("POLYGON ((0 0.5, 4.2 0, -1 4, 0 0.5))"), "[-1, 0, 5, 4]");
    }
}
