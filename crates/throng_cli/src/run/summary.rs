//! What came of a run, for people and for programs.

use super::gauge::{AreaFigures, LineFigures};
use super::watch::Watch;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use throng::Crowd;
use throng::command::Progress;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ending {
    /// Its time was up.
    Time,
    /// Everybody had left and nobody was to come.
    Over,
    /// By Ctrl-C.
    Interrupted,
    /// No file that was asked for could be written any more.
    NoFileLeft,
    /// The crowd could not go on.
    Failed,
}

/// What was repeated from a log of commands.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Repeated {
    done: usize,
    /// Hashes of the log that the run came to as well.
    hashes_equal: usize,
    /// Commands and hashes that the run did not come to.
    left: usize,
}

impl Repeated {
    pub(super) fn of(progress: &Progress) -> Self {
        Self { done: progress.commands, hashes_equal: progress.checkpoints, left: progress.left }
    }

    fn text(&self) -> String {
        let (done, hashes) = (plural(self.done as u64, "command"), self.hashes_equal);
        let equal = match hashes {
            0 => String::new(),
            1 => ", and the hash is that of the log".into(),
            n => format!(", and {n} hashes are those of the log"),
        };
        let left = match self.left {
            0 => String::new(),
            n => format!("; {n} lines of the log are later"),
        };
        format!("{done} done again{equal}{left}")
    }
}

/// What came of a run.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Summary {
    scene: String,
    #[serde(skip)]
    title: String,
    pub(crate) model: String,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Where the crowd lived at the end: cpu or gpu, and on which adapter.
    pub(super) backend: &'static str,
    pub(super) adapter: Option<String>,
    /// Everybody who was there at some time.
    pub(crate) agents: u64,
    #[serde(rename = "agents_at_start")]
    pub(crate) started_with: usize,
    agents_at_end: usize,
    pub(crate) steps: u64,
    dt: f32,
    pub(crate) sim_seconds: f64,
    /// Time of the steps alone.
    pub(crate) wall_seconds: f64,
    pub(crate) steps_per_s: f64,
    pub(crate) arrived: u64,
    left: u64,
    mean_travel_seconds: Option<f64>,
    stuck: u64,
    mean_speed: f64,
    overlap_mean: f64,
    overlap_max: f32,
    in_wall: usize,
    worst_density: f32,
    /// Of the areas and lines that were asked for.
    pub(super) areas: Vec<AreaFigures>,
    pub(super) lines: Vec<LineFigures>,
    /// What was repeated from a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commands: Option<Repeated>,
    squeezed: u64,
    refused: u64,
    hash: String,
    pub(crate) ended: Ending,
    stage_ms: BTreeMap<&'static str, f64>,
    pub(super) bytes_per_agent: u64,
    pub(crate) written: Vec<String>,
}

impl Summary {
    pub(super) fn of(crowd: &Crowd, watch: &Watch, stepping: Duration, dt: f32) -> Self {
        let totals = crowd.totals();
        let steps = crowd.steps();
        let wall_seconds = stepping.as_secs_f64();
        let per_step = |time: Duration| time.as_secs_f64() * 1e3 / steps.max(1) as f64;
        let stages = crowd.times().named();
        let travels = totals.travels;
        Self {
            scene: crowd.world().name.clone(),
            title: crowd.world().title.clone(),
            model: String::new(),
            seed: 0,
            threads: 0,
            backend: "cpu",
            adapter: None,
            agents: totals.spawned,
            started_with: 0,
            agents_at_end: crowd.len(),
            steps,
            dt,
            sim_seconds: crowd.time(),
            wall_seconds,
            steps_per_s: if wall_seconds > 0.0 { steps as f64 / wall_seconds } else { 0.0 },
            arrived: totals.arrived,
            left: totals.removed,
            mean_travel_seconds: (travels > 0).then(|| totals.travel_seconds / travels as f64),
            stuck: totals.stuck,
            mean_speed: watch.mean_speed(),
            overlap_mean: watch.overlap_mean(),
            overlap_max: watch.overlap_max,
            in_wall: watch.in_wall,
            worst_density: watch.densest,
            areas: Vec::new(),
            lines: Vec::new(),
            commands: None,
            squeezed: totals.squeezed,
            refused: totals.refused,
            hash: format!("{:016x}", crowd.hash()),
            ended: Ending::Time,
            stage_ms: stages
                .iter()
                .filter(|_| crowd.times().total() > Duration::ZERO)
                .map(|(name, time)| (*name, per_step(*time)))
                .collect(),
            bytes_per_agent: (crowd.bytes() / crowd.len().max(1)) as u64,
            written: Vec::new(),
        }
    }

    /// The summary as a person reads it.
    pub(crate) fn text(&self) -> String {
        let mut text = self.title.clone();
        let mut line = |name: &str, what: String| {
            let _ = write!(text, "\n  {name:<10}{what}");
        };
        line("time", self.time());
        line("people", self.people());
        for what in self.no_room() {
            line("", what);
        }
        line("arrivals", self.arrivals());
        line("stuck", self.stuck());
        line("walking", format!("{:.2} m/s on average", self.mean_speed));
        line("crowding", format!("at worst {:.1} people per m²", self.worst_density));
        self.areas.iter().for_each(|area| line("area", area.text()));
        self.lines.iter().for_each(|figures| line("line", figures.text()));
        if let Some(commands) = &self.commands {
            line("commands", commands.text());
        }
        line("overlaps", self.overlaps());
        line("speed", self.speed());
        if !self.stage_ms.is_empty() {
            line("stages", self.stages());
        }
        if let Some(adapter) = &self.adapter {
            line("on", adapter.clone());
        }
        if !self.written.is_empty() {
            line("wrote", self.written.join(", "));
        }
        text
    }

    fn time(&self) -> String {
        let why = match self.ended {
            Ending::Time => "",
            Ending::Over => ", then everybody had left",
            Ending::Interrupted => ", then it was interrupted",
            Ending::NoFileLeft => ", then no file could be written any more",
            Ending::Failed => ", then it could not go on",
        };
        let (steps, dt) = (plural(self.steps, "step"), self.dt);
        format!("{} s simulated in {steps} of {dt} s{why}", round(self.sim_seconds))
    }

    fn people(&self) -> String {
        let mut text = count(self.started_with as u64);
        let came = self.agents.saturating_sub(self.started_with as u64);
        if came > 0 {
            let _ = write!(text, " at the start, {} came", count(came));
        }
        if self.left > 0 {
            let _ = write!(
                text,
                ", {} left, {} at the end",
                count(self.left),
                count(self.agents_at_end as u64)
            );
        }
        text
    }

    /// Who found no room when they should have appeared.
    fn no_room(&self) -> impl Iterator<Item = String> {
        let squeezed =
            format!("{} of them found no free room and were squeezed in", count(self.squeezed));
        let refused =
            format!("{} more were refused: no open ground to put them on", count(self.refused));
        let notes = [(self.squeezed, squeezed), (self.refused, refused)];
        notes.into_iter().filter(|(n, _)| *n > 0).map(|(_, note)| note)
    }

    fn arrivals(&self) -> String {
        match self.mean_travel_seconds {
            Some(mean) => format!("{}, after {} s on average", count(self.arrived), round(mean)),
            None => count(self.arrived),
        }
    }

    fn stuck(&self) -> String {
        match self.stuck {
            0 => "nobody".into(),
            1 => "once, for over 30 s with a free way".into(),
            n => format!("{} times, for over 30 s with a free way", count(n)),
        }
    }

    fn overlaps(&self) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let in_wall = match self.in_wall {
            0 => "nobody in a wall".into(),
            n => format!("at worst {} in a wall", count(n as u64)),
        };
        let worst = percent(f64::from(self.overlap_max));
        format!("mean {} of the radius, worst {worst}; {in_wall}", percent(self.overlap_mean))
    }

    fn speed(&self) -> String {
        let s = if self.threads == 1 { "" } else { "s" };
        let who = match self.backend {
            "gpu" => "on the GPU".to_owned(),
            _ => format!("{} thread{s}", self.threads),
        };
        format!(
            "{} steps/s, {} times real time, {} ms per step, {who}",
            round(self.steps_per_s),
            round(self.sim_seconds / self.wall_seconds.max(1e-9)),
            round(1e3 / self.steps_per_s.max(1e-9)),
        )
    }

    fn stages(&self) -> String {
        let order = ["fields", "navigate", "avoid", "behave", "contact", "move", "bin"];
        let part = |name: &str| self.stage_ms.get(name).map(|ms| format!("{name} {}", round(*ms)));
        format!("{} ms", order.iter().filter_map(|name| part(name)).collect::<Vec<_>>().join(", "))
    }
}

/// Three digits or so, as a person would say it.
pub(super) fn round(number: f64) -> String {
    match number.abs() {
        n if n >= 1000.0 => count(number.round() as u64),
        n if n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => trim(format!("{number:.1}")),
        _ => trim(format!("{number:.2}")),
    }
}

fn trim(text: String) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// "1 step", "2 steps".
fn plural(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with thousands set apart: 65,536.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure misread by a digit is a wrong figure.
    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [count(0), count(999), count(65_536), count(1_048_576)],
            ["0", "999", "65,536", "1,048,576"]
        );
        assert_eq!(
            [round(0.05), round(12.0), round(12.34), round(300.0)],
            ["0.05", "12", "12.3", "300"]
        );
        assert_eq!([round(4321.4), round(0.0), round(100.4)], ["4,321", "0", "100"]);
    }
}
