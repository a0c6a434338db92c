//! What the rows come to: ours against the peers, two threads against one, many agents against few.

use super::{Row, Who};
use serde::Serialize;

/// One number that says how we stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// What is compared.
    pub name: String,
    /// How many times; from the best turns.
    pub value: f64,
    /// What it should not fall below,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// or rise above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

impl Ratio {
    fn new(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value, at_least: None, at_most: None }
    }

    fn at_least(self, least: f64) -> Self {
        Self { at_least: Some(least), ..self }
    }

    fn at_most(self, most: f64) -> Self {
        Self { at_most: Some(most), ..self }
    }

    /// Whether it is as it should be; nothing where nothing was asked.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        match (self.at_least, self.at_most) {
            (None, None) => None,
            (least, most) => {
                Some(least.is_none_or(|l| self.value >= l) && most.is_none_or(|m| self.value <= m))
            }
        }
    }
}

/// Stages in which dodgy_2d avoids, given a grid: looking up neighbours, and its calls.
const AVOIDANCE: [&str; 2] = ["neighbours", "avoid"];

/// Agents from which on anything is asked of the ratios: few are stepped faster than threads wake.
pub(super) const ASKED_FROM: usize = 65_536;

/// All ratios that the rows have the numbers for; `threads` are those of the main rows.
pub(super) fn ratios(rows: &[Row], threads: usize) -> Vec<Ratio> {
    let mut found = all_ratios(rows, threads);
    if rows.iter().any(|row| row.agents < ASKED_FROM) {
        found.iter_mut().for_each(|ratio| (ratio.at_least, ratio.at_most) = (None, None));
    }
    found
}

fn all_ratios(rows: &[Row], threads: usize) -> Vec<Ratio> {
    let mut found = Vec::new();
    let throng = |scene: &str, threads: usize| {
        let is = |r: &&Row| {
            r.scene == scene && r.who == Who::Model("throng".into()) && r.threads == threads
        };
        rows.iter().find(is)
    };
    if let Some(ours) = throng("open plane", threads) {
        let ms = ours.ms_per_step;
        let peers = rows.iter().filter(|r| matches!(r.who, Who::Peer(_)) && r.scene == ours.scene);
        for peer in peers.filter(|r| r.threads == threads || r.stages.is_empty()) {
            let name = peer.who.name();
            if peer.stages.is_empty() {
                let ratio =
                    Ratio::new(format!("whole step vs {name}, whole step"), peer.ms_per_step / ms);
                found.push(ratio.at_least(25.0));
                continue;
            }
            let of =
                |stages: &[&str]| stages.iter().filter_map(|s| peer.stages.get(*s)).sum::<f64>();
            let avoidance = Ratio::new(
                format!("whole step vs {name}, avoidance with neighbours"),
                of(&AVOIDANCE) / ms,
            );
            found.push(if name == "dodgy_2d" { avoidance.at_least(4.0) } else { avoidance });
            found.push(Ratio::new(
                format!("whole step vs {name}, its calls alone"),
                of(&["avoid"]) / ms,
            ));
            found.push(Ratio::new(
                format!("whole step vs {name}, whole step"),
                peer.ms_per_step / ms,
            ));
        }
    }
    for scene in ["open plane", "froblins"] {
        if let (Some(one), Some(many)) = (throng(scene, 1), throng(scene, threads))
            && threads > 1
        {
            let name = format!("{scene}, {threads} threads vs 1");
            let ratio = Ratio::new(name, one.ms_per_step / many.ms_per_step);
            found.push(if threads == 2 { ratio.at_least(1.7) } else { ratio });
        }
    }
    found.extend(growth(rows, threads));
    found
}

/// Time per agent in the largest valley against the smallest, and in the crowded against the fresh one.
fn growth(rows: &[Row], threads: usize) -> Vec<Ratio> {
    let valleys = || rows.iter().filter(|r| r.scene == "froblins" && r.threads == threads);
    let Some(first) = valleys().next() else { return Vec::new() };
    let mut found = Vec::new();
    let largest = valleys().max_by_key(|r| r.agents).filter(|r| r.agents > first.agents);
    if let Some(largest) = largest {
        let name = format!("froblins, time per agent at {} vs {}", largest.agents, first.agents);
        found.push(Ratio::new(name, largest.ns_per_agent / first.ns_per_agent).at_most(1.5));
    }
    let later = valleys().find(|r| r.agents == first.agents && r.from_seconds > first.from_seconds);
    if let Some(later) = later {
        let name =
            format!("froblins, time per agent from second {:.0} vs fresh", later.from_seconds);
        found.push(Ratio::new(name, later.ns_per_agent / first.ns_per_agent));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(scene: &str, agents: usize, who: Who, threads: usize, ms: f64) -> Row {
        Row::new(scene, agents, who, threads).timed(ms, ms)
    }

    fn value(found: &[Ratio], name: &str) -> f64 {
        found.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("{name}: {found:?}")).value
    }

    #[test]
    fn compares_like_with_like() {
        let throng = || Who::Model("throng".into());
        let mut dodgy = row("open plane", 10, Who::Peer("dodgy_2d".into()), 2, 50.0);
        for (stage, ms) in [("grid", 5.0), ("neighbours", 15.0), ("avoid", 25.0), ("move", 5.0)] {
            dodgy.stages.insert(stage.into(), ms);
        }
        let slow_dodgy = Row { threads: 1, ms_per_step: 1e6, ..dodgy.clone() };
        let crowded = Row { from_seconds: 30.0, ..row("froblins", 10, throng(), 2, 12.0) };
        let rows = [
            row("open plane", 10, throng(), 1, 15.0),
            row("open plane", 10, throng(), 2, 10.0),
            row("open plane", 10, Who::Model("froblins".into()), 2, 1.0),
            slow_dodgy,
            dodgy,
            row("open plane", 10, Who::Peer("JuPedSim 1".into()), 1, 300.0),
            row("froblins", 10, throng(), 1, 18.0),
            row("froblins", 10, throng(), 2, 10.0),
            crowded,
            row("froblins", 160, throng(), 2, 320.0),
        ];
        let found = all_ratios(&rows, 2);
        assert_eq!(value(&found, "whole step vs dodgy_2d, avoidance with neighbours"), 4.0);
        assert_eq!(value(&found, "whole step vs dodgy_2d, its calls alone"), 2.5);
        assert_eq!(value(&found, "whole step vs dodgy_2d, whole step"), 5.0);
        assert_eq!(value(&found, "whole step vs JuPedSim 1, whole step"), 30.0);
        assert_eq!(value(&found, "open plane, 2 threads vs 1"), 1.5);
        assert_eq!(value(&found, "froblins, 2 threads vs 1"), 1.8);
        assert_eq!(value(&found, "froblins, time per agent at 160 vs 10"), 2.0);
        assert_eq!(value(&found, "froblins, time per agent from second 30 vs fresh"), 1.2);
        assert_eq!(found.len(), 8);
        let failing = found.iter().filter(|r| r.holds() == Some(false)).count();
        assert_eq!(failing, 2, "two threads on the plane, and growth");
        let few = ratios(&rows, 2);
        assert_eq!(few.len(), 8);
        assert!(few.iter().all(|r| r.holds().is_none()), "nothing is asked of ten agents");
    }

    #[test]
    fn nothing_measured_nothing_said() {
        assert_eq!(ratios(&[], 2), []);
    }
}
