//! A thousand people leave a hall: RiMEA 9 and 11, IMO 9.

use crate::measure::{Line, count_over_time, crossings, mean, mean_of};
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const HALL: SceneFile = scene_file!("rimea-09");
const CHOICE: SceneFile = scene_file!("rimea-11");

/// RiMEA 9: four doors, then two.
pub(super) fn rimea_9(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const UPPER: &str = "{ rect = [2, 21.5, 7, 23] }, { rect = [23, 21.5, 28, 23] }";
    const LOWER: &str = "{ rect = [2, -3, 7, -1.5] }, { rect = [23, -3, 28, -1.5] }";
    let cases = [format!("{UPPER}, {LOWER}"), LOWER.to_string()];
    let doors = [
        Line::new(4.0, 20.1, 5.0, 20.1),
        Line::new(25.0, 20.1, 26.0, 20.1),
        Line::new(4.0, -0.1, 5.0, -0.1),
        Line::new(25.0, -0.1, 26.0, -0.1),
    ];
    let runs = settings.sweep(&cases, seeds, |places, seed, pool| {
        let run = settings.trial(HALL).set("places", places).seed(seed).seconds(900.0).run(pool)?;
        let mut passed: Vec<_> = doors.iter().flat_map(|d| crossings(&run.ways, d)).collect();
        passed.sort_by(|a, b| a.time.total_cmp(&b.time));
        let last = passed.last().map_or(f64::NAN, |c| c.time);
        let picture = Picture::of(&run, format!("{} doors", places.matches("rect").count()));
        Ok((last, run.over, count_over_time(&passed), picture))
    })?;
    let times = |case: usize| -> Vec<f64> { runs[case].iter().map(|r| r.0).collect() };
    let (four, two) = (times(0), times(1));
    let ratios: Vec<f64> = two.iter().zip(&four).map(|(t, f)| t / f).collect();
    let mut outcome = Outcome::default().value(format!(
        "four doors {:.0} s, two doors {:.0} s, ratio {:.2}",
        mean(&four),
        mean(&two),
        mean(&ratios)
    ));
    outcome.figure("time by four doors", mean(&four), "s");
    outcome.figure("time by two doors", mean(&two), "s");
    outcome.figure("ratio", mean(&ratios), "");
    outcome.check_seeds("all get out", (0..four.len()).map(|s| runs.iter().all(|r| r[s].1)));
    outcome
        .check_seeds("ratio between 1.6 and 2.4", ratios.iter().map(|r| (1.6..=2.4).contains(r)));
    outcome.pictures.extend(runs.iter().filter_map(|r| r.first()).map(|r| r.3.clone()));
    let first = |case: usize| runs[case].first().map_or(Vec::new(), |r| r.2.clone());
    outcome.plots.push(
        Plot::new("People who have left", "time (s)", "people")
            .ours("four doors", Style::Line, first(0))
            .ours("two doors", Style::Line, first(1)),
    );
    Ok(outcome)
}

/// RiMEA 11: more take the nearer exit, but not all.
pub(super) fn rimea_11(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let (one, two) = (Line::new(21.0, 20.1, 22.0, 20.1), Line::new(27.0, 20.1, 28.0, 20.1));
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings.trial(CHOICE).seed(seed).seconds(900.0).run(pool)?;
        let (a, b) = (crossings(&run.ways, &one), crossings(&run.ways, &two));
        let picture = Picture::of(&run, "Two exits, one nearer").line(&one).line(&two);
        Ok((a.len(), b.len(), run.over, count_over_time(&a), count_over_time(&b), picture))
    })?;
    let runs = &runs[0];
    let (a, b) = (mean_of(runs, |r| r.0 as f64), mean_of(runs, |r| r.1 as f64));
    let mut outcome =
        Outcome::default().value(format!("exit 1: {a:.0}, exit 2: {b:.0} of 1,000 people"));
    outcome.figure("people by exit 1", a, "");
    outcome.figure("people by exit 2", b, "");
    outcome.check_seeds("more by exit 1 than by exit 2", runs.iter().map(|r| r.0 > r.1));
    outcome.check_seeds("some by exit 2", runs.iter().map(|r| r.1 > 0));
    outcome.check_seeds("all get out", runs.iter().map(|r| r.2 && r.0 + r.1 == 1000));
    if let Some(first) = runs.first() {
        outcome.pictures.push(first.5.clone());
        outcome.plots.push(
            Plot::new("People who have left", "time (s)", "people")
                .ours("exit 1", Style::Line, first.3.clone())
                .ours("exit 2", Style::Line, first.4.clone()),
        );
    }
    Ok(outcome)
}
