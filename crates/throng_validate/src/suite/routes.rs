//! Which way people take: RiMEA 10, NIST 3.1, ISO 8, IMO 10.

use crate::measure::{Line, crossings, mean_of};
use crate::report::Picture;
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const ROOMS: SceneFile = scene_file!("rimea-10");

/// RiMEA 10: 15 people by the main exit, 8 by the secondary one, each by its own.
pub(super) fn rimea_10(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let exits = [Line::new(6.0, 11.0, 7.2, 11.0), Line::new(18.0, 5.0, 18.0, 6.0)];
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(ROOMS).seed(seed).seconds(300.0).run(pool)?;
        let by = |exit: usize| -> Vec<usize> {
            let passed = crossings(&run.ways, &exits[exit]);
            passed.iter().map(|c| run.ways.tracks[c.track].group).collect()
        };
        let picture = exits.iter().fold(Picture::of(&run, "23 people, two exits"), Picture::line);
        Ok((by(0), by(1), run.seconds, picture))
    })?;
    let runs = &runs[0];
    let main = mean_of(runs, |r| r.0.len() as f64);
    let secondary = mean_of(runs, |r| r.1.len() as f64);
    let time = mean_of(runs, |r| r.2);
    let mut outcome = Outcome::default()
        .value(format!("main exit {main:.1}, secondary exit {secondary:.1} people, {time:.1} s"));
    outcome.figure("people by the main exit", main, "");
    outcome.figure("people by the secondary exit", secondary, "");
    outcome.figure("time until all are out", time, "s");
    let right = |r: &(Vec<usize>, Vec<usize>, f64, Picture)| r.0 == [0; 15] && r.1 == [1; 8];
    outcome.check_seeds(
        "15 by the main exit and 8 by the other, each its own",
        runs.iter().map(right),
    );
    outcome.pictures.extend(runs.first().map(|r| r.3.clone()));
    Ok(outcome)
}
