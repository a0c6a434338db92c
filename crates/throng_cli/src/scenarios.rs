//! `throng path --scenarios`: all scenarios of a MovingAI file against the lengths it gives.

use crate::failure::Failure;
use crate::map::Map;
use crate::progress::Progress;
use crate::{say, say_json};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;
use throng_field::Grid;
use throng_field::solve::Order;
use throng_field::trace::{self, paths_to_goals, segment_is_free, tighten};
use throng_world::{Scenario, read_scenarios};

/// What `--json` says.
#[derive(Debug, serde::Serialize)]
struct Answer {
    map: String,
    scenarios: usize,
    arrived: usize,
    /// Our length through the given optimum.
    ratio_mean: f64,
    ratio_median: f64,
    ratio_p99: f64,
    ratio_max: f64,
    /// Ways with a point in, or a segment through, a blocked cell.
    blocked_points: usize,
    /// Different goals: fields that were solved.
    fields: usize,
    /// Whole time through scenarios.
    ms_per_query: f64,
}

/// What became of one scenario.
struct Outcome {
    /// None where start and goal are the same cell.
    ratio: Option<f64>,
    clean: bool,
}

pub(crate) fn run(map: &Path, file: &Path, order: Order, json: bool) -> Result<(), Failure> {
    let map = Map::load(map)?;
    let scenarios = read_scenarios(file)?;
    for scenario in &scenarios {
        scenario
            .fits(&map.cost)
            .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
    }
    let answer = measure(&map, &scenarios, order)?;
    if json {
        return say_json(&answer);
    }
    say(&format!("{} ({}), {}", map.name, map.size(), file.display()))?;
    let rows = [
        ("scenarios", answer.scenarios.to_string()),
        ("arrived", answer.arrived.to_string()),
        ("ways through a wall", answer.blocked_points.to_string()),
        ("our length : given optimum, mean", format!("{:.4}", answer.ratio_mean)),
        ("  median", format!("{:.4}", answer.ratio_median)),
        ("  99 % at most", format!("{:.4}", answer.ratio_p99)),
        ("  worst", format!("{:.4}", answer.ratio_max)),
        ("fields solved (different goals)", answer.fields.to_string()),
        ("time per query", format!("{:.3} ms", answer.ms_per_query)),
    ];
    for (what, value) in rows {
        say(&format!("  {what:<36}{value:>12}"))?;
    }
    Ok(())
}

fn measure(map: &Map, scenarios: &[Scenario], order: Order) -> Result<Answer, Failure> {
    let queries: Vec<_> = scenarios.iter().map(|s| (s.start, s.goal)).collect();
    let outcomes: Mutex<Vec<Option<Outcome>>> =
        Mutex::new(scenarios.iter().map(|_| None).collect());
    let progress = Progress::new("paths", queries.len() as u64);
    let started = Instant::now();
    let each = |i: usize, path: Result<trace::Path, trace::TraceError>| {
        let outcome = path.ok().map(|path| judge(&map.cost, &scenarios[i], &path));
        outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[i] = outcome;
    };
    let report = paths_to_goals(&map.cost, &queries, order, each, |done| {
        progress.at(done as u64);
    })
    .map_err(|error| Failure::Solve { map: map.name.clone(), error })?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    drop(progress);
    let outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let arrived: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    let mut ratios: Vec<f64> = arrived.iter().filter_map(|o| o.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = ratios.len().saturating_sub(1);
        ratios.get((last as f64 * share).ceil() as usize).copied().unwrap_or(f64::NAN)
    };
    Ok(Answer {
        map: map.name.clone(),
        scenarios: scenarios.len(),
        arrived: arrived.len(),
        ratio_mean: ratios.iter().sum::<f64>() / ratios.len() as f64,
        ratio_median: at(0.5),
        ratio_p99: at(0.99),
        ratio_max: at(1.0),
        blocked_points: arrived.iter().filter(|o| !o.clean).count(),
        fields: report.fields,
        ms_per_query: ms / scenarios.len().max(1) as f64,
    })
}

fn judge(cost: &Grid<f32>, scenario: &Scenario, path: &trace::Path) -> Outcome {
    let taut = tighten(path, cost);
    let clean = taut.points.windows(2).all(|s| segment_is_free(cost, s[0], s[1]));
    let ratio = (scenario.optimal > 0.0).then(|| taut.length_m / scenario.optimal);
    Outcome { ratio, clean }
}
