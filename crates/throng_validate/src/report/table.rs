//! The table in the terminal, and JSON.

use crate::suite::TestResult;
use serde_json::{Value, json as object};

/// Widths of the columns that are broken into lines.
const CRITERION: usize = 46;
const VALUE: usize = 56;

/// A table of all tests: test, label, criterion, our value, verdict.
pub fn table(results: &[TestResult]) -> String {
    let test = results.iter().map(|r| r.test.id.len()).max().unwrap_or(4).max(4);
    let row = |cells: [&str; 5]| {
        let [id, label, criterion, value, verdict] = cells;
        format!("{id:<test$}  {label:<14}  {criterion:<CRITERION$}  {value:<VALUE$}  {verdict}")
            .trim_end()
            .to_string()
    };
    let mut lines = vec![row(["test", "label", "criterion", "ours", "verdict"])];
    for result in results {
        let (criterion, value) =
            (wrap(result.test.criterion, CRITERION), wrap(&result.outcome.value, VALUE));
        for i in 0..criterion.len().max(value.len()).max(1) {
            let cell = |lines: &[String]| lines.get(i).cloned().unwrap_or_default();
            let (c, v) = (cell(&criterion), cell(&value));
            lines.push(match i {
                0 => {
                    row([result.test.id, result.test.label.name(), &c, &v, result.verdict().name()])
                }
                _ => row(["", "", &c, &v, ""]),
            });
        }
        for check in result.outcome.checks.iter().filter(|c| !c.holds) {
            lines.push(format!("{:test$}  does not hold: {}", "", check.what));
        }
    }
    lines.join("\n")
}

/// All tests as JSON: `tests`, each with `test`, `label`, `criterion`, `value`, `verdict` and more.
pub fn json(results: &[TestResult]) -> Value {
    let tests: Vec<Value> = results
        .iter()
        .map(|result| {
            object!({
                "test": result.test.id,
                "suite": result.test.suite.name(),
                "title": result.test.title,
                "label": result.test.label,
                "criterion": result.test.criterion,
                "value": result.outcome.value,
                "verdict": result.verdict(),
                "figures": result.outcome.figures,
                "checks": result.outcome.checks,
                "missing": result.outcome.missing,
                "notes": result.outcome.notes,
                "seeds": result.seeds,
                "seconds": result.seconds,
            })
        })
        .collect();
    object!({ "tests": tests })
}

/// Breaks a text into lines of at most so many characters, between words where it can.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(super::wrap("all get out in time", 8), ["all get", "out in", "time"]);
    }
}
