//! The text of a scene file: its values as JSON for the checker, and where each of them stands.

use super::problem::{Finding, Findings, Problem, quoted};
use serde_json::{Map, Number, Value};
use std::collections::HashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where the keys of a text stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub(crate) file: String,
    text: String,
    /// First byte of each key's value, by path.
    places: HashMap<String, usize>,
}

impl Source {
    /// Reads the text. Syntax errors and numbers that are none are noted; what is left is given.
    pub(crate) fn read(text: &str, file: &str) -> (Self, Value, Findings) {
        let mut findings = Findings::default();
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().lines().next().unwrap_or("unreadable").to_string();
            findings.add_at(at, "", message, "correct the TOML syntax here or just before");
        }
        let mut source =
            Self { file: crate::error::file_name(file), text: text.into(), places: HashMap::new() };
        let value = source.table(table.get_ref(), "", &mut findings);
        (source, value, findings)
    }

    fn table(&mut self, table: &DeTable<'_>, path: &str, findings: &mut Findings) -> Value {
        let mut out = Map::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
            self.places.insert(format!("{path}#"), key.span().start);
            if let Some(value) = self.value(value, &path, findings) {
                out.insert(name.into(), value);
            }
        }
        Value::Object(out)
    }

    fn value(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        path: &str,
        findings: &mut Findings,
    ) -> Option<Value> {
        let at = value.span().start;
        self.places.insert(path.into(), at);
        Some(match value.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(on) => Value::Bool(*on),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Value::Number(number.into()),
                    Err(_) => {
                        let what = format!("{} is too large", quoted(number.as_str()));
                        findings.add(path, what, "give a number of at most 15 digits");
                        return None;
                    }
                }
            }
            DeValue::Float(number) => {
                match number.as_str().parse().ok().and_then(Number::from_f64) {
                    Some(number) => Value::Number(number),
                    None => {
                        let what = format!("{} is no usable number", quoted(number.as_str()));
                        findings.add(path, what, "give a finite number");
                        return None;
                    }
                }
            }
            DeValue::Datetime(_) => {
                findings.add(path, "a date is given", "scenes have no dates; write text in quotes");
                return None;
            }
            DeValue::Array(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| {
                        // A value that was refused leaves a hole, so that the others keep their
                        // numbers.
                        self.value(item, &format!("{path}[{i}]"), findings).unwrap_or(Value::Null)
                    })
                    .collect(),
            ),
            DeValue::Table(table) => self.table(table, path, findings),
        })
    }

    /// Where a key stands: its value, or that of the nearest key around it.
    fn place(&self, key: &str) -> Option<usize> {
        let mut key = key;
        loop {
            if let Some(at) = self.places.get(key) {
                return Some(*at);
            }
            let end = key.rfind(['.', '['])?;
            key = &key[..end];
        }
    }

    /// Where the name of a key stands.
    pub(crate) fn place_of_name(&self, key: &str) -> Option<usize> {
        self.places.get(&format!("{key}#")).copied()
    }

    /// Line and column, from 1, of a byte of the text.
    fn line_column(&self, at: usize) -> (usize, usize) {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// After a syntax error most of what follows is its echo: of errors on neighbouring lines the
    /// first is kept, and what the checker says about those lines is dropped.
    pub(crate) fn drop_echoes(&self, findings: &mut Findings, broken: &[usize]) {
        let mut errors: Vec<(usize, usize)> =
            broken.iter().map(|at| (self.line_column(*at).0, *at)).collect();
        errors.sort_unstable();
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (line, at) in errors {
            match runs.last_mut() {
                Some((_, last, _)) if line <= *last + 2 => *last = line,
                _ => runs.push((line, line, at)),
            }
        }
        let mut kept = Vec::new();
        findings.0.retain(|f| {
            if let Some(at) = f.at
                && broken.contains(&at)
                && f.key.is_empty()
            {
                let first = runs.iter().any(|run| run.2 == at) && !kept.contains(&at);
                kept.push(at);
                return first;
            }
            let line = f.at.or_else(|| self.place(&f.key)).map_or(0, |at| self.line_column(at).0);
            let echo = runs.iter().any(|run| line + 2 >= run.0 && line <= run.1);
            !echo && !f.what.ends_with("is missing")
        });
    }

    /// Gives findings their places, in the order of the file and each once.
    pub(crate) fn problems(&self, findings: Findings) -> Vec<Problem> {
        let mut problems: Vec<Problem> = findings.0.into_iter().map(|f| self.problem(f)).collect();
        problems.sort_by_key(|p| (p.line, p.column));
        problems.dedup();
        problems
    }

    fn problem(&self, finding: Finding) -> Problem {
        let Finding { key, what, cure, at } = finding;
        let at = at.or_else(|| self.place(&key));
        let (line, column) = match at {
            Some(at) => self.line_column(at),
            None if self.text.is_empty() => (0, 0),
            None => (1, 1),
        };
        Problem { file: self.file.clone(), line, column, key, what, cure }
    }
}
