//! What a test says of itself and what came of it.

use crate::report::{Picture, Plot};
use serde::Serialize;

/// How the standard means a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Label {
    /// It is passed or failed.
    #[serde(rename = "pass/fail")]
    PassFail,
    /// Only the direction of an effect counts.
    #[serde(rename = "direction only")]
    Direction,
    /// It is measured and reported.
    #[serde(rename = "report only")]
    Report,
}

impl Label {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::PassFail => "pass/fail",
            Self::Direction => "direction only",
            Self::Report => "report only",
        }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything asked for holds.
    Pass,
    /// Something does not.
    Fail,
    /// There was nothing to hold it to.
    Report,
}

impl Verdict {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Report => "report",
        }
    }
}

/// A number that was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Of what.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// Something that has to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What, with the figure.
    pub what: String,
    /// Whether it does.
    pub holds: bool,
}

/// What came of a test.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outcome {
    /// Our value, in a line.
    pub value: String,
    /// The figures behind it.
    pub figures: Vec<Figure>,
    /// What was asked for.
    pub checks: Vec<Check>,
    /// An ability that the engine has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Plots for the report.
    #[serde(skip)]
    pub plots: Vec<Plot>,
    /// Pictures for the report.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
}

impl Outcome {
    /// Of a test that cannot be carried out because the engine lacks something.
    pub fn not_built(missing: impl Into<String>) -> Self {
        let missing = missing.into();
        Self {
            value: format!("not built: {missing}"),
            missing: Some(missing),
            ..Default::default()
        }
    }

    /// Our value, in a line.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// A number that was measured.
    pub fn figure(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.figures.push(Figure { name: name.into(), value, unit });
    }

    /// Something that has to hold.
    pub fn check(&mut self, what: impl Into<String>, holds: bool) {
        self.checks.push(Check { what: what.into(), holds });
    }

    /// Something that has to hold with every seed: one check, which names the seeds that fail.
    pub fn check_seeds(&mut self, what: &str, holds: impl IntoIterator<Item = bool>) {
        let holds: Vec<bool> = holds.into_iter().collect();
        let good = holds.iter().filter(|h| **h).count();
        let failed: Vec<String> =
            (1..).zip(&holds).filter(|(_, h)| !**h).map(|(seed, _)| seed.to_string()).collect();
        let mut what = format!("{what}: {good} of {} seeds", holds.len());
        if !failed.is_empty() {
            what += &format!(" (not {})", failed.join(", "));
        }
        self.check(what, failed.is_empty());
    }

    /// Something else to say.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The verdict under a label. A report has none, unless the engine could not even run it.
    pub fn verdict(&self, label: Label) -> Verdict {
        let holds = self.checks.iter().all(|c| c.holds);
        match label {
            _ if self.missing.is_some() => Verdict::Fail,
            Label::Report => Verdict::Report,
            _ if holds && !self.checks.is_empty() => Verdict::Pass,
            _ => Verdict::Fail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_label_and_checks() {
        let mut outcome = Outcome::default();
        assert_eq!(outcome.verdict(Label::PassFail), Verdict::Fail, "nothing was checked");
        outcome.check("a", true);
        assert_eq!(outcome.verdict(Label::PassFail), Verdict::Pass);
        outcome.check_seeds("b", [true, false]);
        assert_eq!(outcome.checks[1].what, "b: 1 of 2 seeds (not 2)");
        assert_eq!(outcome.verdict(Label::Direction), Verdict::Fail);
        assert_eq!(outcome.verdict(Label::Report), Verdict::Report);
        assert_eq!(Outcome::not_built("lifts").verdict(Label::Report), Verdict::Fail);
    }
}
