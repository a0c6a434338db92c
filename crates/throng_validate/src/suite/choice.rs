//! Which exit and which route people choose: RiMEA 14, NIST 3.2, 3.3 and 4.1, ISO 17.

use crate::measure::{Line, crossings, mean_of};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const TWO_EXITS: SceneFile = scene_file!("nist-3-2");
const CLOSING: SceneFile = scene_file!("nist-4-1");
const ISLAND: SceneFile = scene_file!("iso-17");
const STOREYS: SceneFile = scene_file!("rimea-14");

const EXIT_1: Line = Line::new(-0.5, 12.0, -0.5, 13.0);
const EXIT_2: Line = Line::new(10.5, 12.0, 10.5, 13.0);

/// Which exits the two free people take.
#[derive(Clone, Copy)]
struct Choice {
    name: &'static str,
    shares: (f64, f64),
    influence: Option<f64>,
    bound: bool,
}

/// What came of a case: how many of the free people left by exit 1 and by exit 2, over all seeds.
struct Chosen {
    by: (usize, usize),
    picture: Option<Picture>,
}

impl Chosen {
    /// The share of exit 2.
    fn share(&self) -> f64 {
        self.by.1 as f64 / (self.by.0 + self.by.1) as f64
    }
}

fn choices(
    settings: &Settings,
    seeds: u32,
    cases: &[Choice],
) -> Result<Vec<Chosen>, ValidateError> {
    let runs = settings.sweep(cases, seeds, |case, seed, pool| {
        let bound = "[[spawn]]\ngroup = \"bound\"\npositions = [[5, 5]]";
        let run = settings
            .trial(TWO_EXITS)
            .set("one", case.shares.0)
            .set("two", case.shares.1)
            .set("influence", case.influence.map_or(String::new(), |i| format!("influence = {i}")))
            .set("bound", if case.bound { bound } else { "" })
            .seed(seed)
            .seconds(120.0)
            .run(pool)?;
        let free = run.ways.only(|t| t.group == 0);
        let by = |exit| crossings(&free, exit).len();
        let picture = (seed == 1).then(|| Picture::of(&run, case.name).line(&EXIT_1).line(&EXIT_2));
        Ok((by(&EXIT_1), by(&EXIT_2), picture))
    })?;
    let chosen = runs.iter().map(|seeds| Chosen {
        by: (seeds.iter().map(|r| r.0).sum(), seeds.iter().map(|r| r.1).sum()),
        picture: seeds.iter().find_map(|r| r.2.clone()),
    });
    Ok(chosen.collect())
}

/// NIST 3.2: two free people, then also one who is bound for exit 2.
pub(super) fn nist_3_2(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let alone = Choice { name: "alone", shares: (0.5, 0.5), influence: Some(3.0), bound: false };
    let cases = [alone, Choice { name: "with one bound for exit 2", bound: true, ..alone }];
    let chosen = choices(settings, seeds, &cases)?;
    let (before, after) = (chosen[0].share(), chosen[1].share());
    let mut outcome = Outcome::default().value(format!(
        "exit 2: {:.0} % alone, {:.0} % with one bound for it",
        before * 100.0,
        after * 100.0
    ));
    outcome.figure("share of exit 2, alone", before, "");
    outcome.figure("share of exit 2, influenced", after, "");
    outcome.check(
        "all get out by an exit",
        chosen.iter().all(|c| c.by.0 + c.by.1 == 2 * seeds as usize),
    );
    outcome.check(format!("the share rises ({before:.2} to {after:.2})"), after > before);
    outcome.pictures = chosen.into_iter().filter_map(|c| c.picture).collect();
    Ok(outcome)
}

/// NIST 3.3: familiar alike with both exits, then more with exit 2.
pub(super) fn nist_3_3(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let even = Choice { name: "50 : 50", shares: (0.5, 0.5), influence: None, bound: false };
    let cases = [even, Choice { name: "20 : 80", shares: (0.2, 0.8), ..even }];
    let chosen = choices(settings, seeds, &cases)?;
    let (even, more) = (chosen[0].share(), chosen[1].share());
    let mut outcome = Outcome::default().value(format!(
        "exit 2: {:.0} % at 50 : 50, {:.0} % at 20 : 80",
        even * 100.0,
        more * 100.0
    ));
    outcome.figure("share of exit 2 at 50 : 50", even, "");
    outcome.figure("share of exit 2 at 20 : 80", more, "");
    outcome.check(
        "all get out by an exit",
        chosen.iter().all(|c| c.by.0 + c.by.1 == 2 * seeds as usize),
    );
    outcome.check("50 : 50 within 10 %", (even - 0.5).abs() <= 0.1);
    outcome.check("exit 2 is preferred at 20 : 80", more > 0.5 && more > even);
    outcome.pictures = chosen.into_iter().filter_map(|c| c.picture).collect();
    Ok(outcome)
}

/// NIST 4.1: the nearer exit closes.
pub(super) fn nist_4_1(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let near = Line::new(-0.5, 7.0, -0.5, 8.0);
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(CLOSING).seed(seed).seconds(120.0).run(pool)?;
        let by = |exit| crossings(&run.ways, exit).len();
        let picture =
            Picture::of(&run, "The nearer exit closes after 1 s").line(&near).line(&EXIT_2);
        Ok((by(&near), by(&EXIT_2), run.over, run.seconds, picture))
    })?;
    let runs = &runs[0];
    let time = mean_of(runs, |r| r.3);
    let far = runs.iter().filter(|r| r.1 == 1).count();
    let mut outcome = Outcome::default()
        .value(format!("by exit 2 in {far} of {} runs, after {time:.1} s", runs.len()));
    outcome.figure("time", time, "s");
    outcome.check_seeds("leaves by exit 2", runs.iter().map(|r| r.0 == 0 && r.1 == 1 && r.2));
    outcome.pictures.extend(runs.first().map(|r| r.4.clone()));
    Ok(outcome)
}

/// People by one way and by the other.
fn two_ways(
    settings: &Settings,
    seeds: u32,
    file: SceneFile,
    names: [&str; 2],
    lines: [Line; 2],
) -> Result<(Outcome, f64), ValidateError> {
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(file).seed(seed).seconds(600.0).run(pool)?;
        let by = lines.map(|line| crossings(&run.ways, &line).len());
        let picture = Picture::of(&run, "Two ways").line(&lines[0]).line(&lines[1]);
        Ok((by, run.over, picture))
    })?;
    let runs = &runs[0];
    let sum = |i: usize| runs.iter().map(|r| r.0[i]).sum::<usize>() as f64;
    let share = sum(0) / (sum(0) + sum(1));
    let mut outcome = Outcome::default().value(format!(
        "{:.0} % {}, {:.0} % {}",
        share * 100.0,
        names[0],
        (1.0 - share) * 100.0,
        names[1]
    ));
    outcome.figure(format!("share {}", names[0]), share, "");
    outcome.check_seeds("all arrive", runs.iter().map(|r| r.1));
    outcome.pictures.extend(runs.first().map(|r| r.2.clone()));
    outcome.plots.push(
        Plot::new("People by each way", "seed", "people")
            .ours(
                names[0],
                Style::Bars,
                (1..).map(f64::from).zip(runs.iter().map(|r| r.0[0] as f64)),
            )
            .ours(
                names[1],
                Style::Points,
                (1..).map(f64::from).zip(runs.iter().map(|r| r.0[1] as f64)),
            ),
    );
    Ok((outcome, share))
}

/// ISO 17: above the island it is shorter.
pub(super) fn iso_17(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let lines = [Line::new(15.0, 9.0, 15.0, 11.0), Line::new(15.0, 0.0, 15.0, 2.0)];
    let (mut outcome, share) =
        two_ways(settings, seeds, ISLAND, ["by the short way", "by the long way"], lines)?;
    outcome.check(format!("more than half by the short way ({share:.2})"), share > 0.5);
    Ok(outcome)
}

/// RiMEA 14: down and up two stairs, or round on the floor.
pub(super) fn rimea_14(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let lines = [Line::new(8.0, 13.0, 10.0, 13.0), Line::new(18.0, 13.0, 20.0, 13.0)];
    let names = ["by the short way with stairs", "by the long way on the floor"];
    Ok(two_ways(settings, seeds, STOREYS, names, lines)?.0)
}
