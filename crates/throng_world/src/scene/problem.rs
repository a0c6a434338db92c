//! What is wrong with a scene: every problem with its place, its cause and its cure.

use std::fmt;

/// One problem of a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Name of the file.
    pub file: String,
    /// Line, from 1; 0 where there is none.
    pub line: usize,
    /// Column in characters, from 1; 0 where there is none.
    pub column: usize,
    /// Path of the key, such as `group[0].speed`; empty for the file as a whole.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub cure: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        f.write_str(": ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}; {}", self.what, self.cure)
    }
}

/// All problems of a scene, in the order of the file. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct SceneErrors(pub Vec<Problem>);

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// Problems while they are found: by key, without a place in the file yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

/// A problem before it is known where its key stands.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) key: String,
    pub(crate) what: String,
    pub(crate) cure: String,
    /// Place in the text, where it is not the key's value.
    pub(crate) at: Option<usize>,
}

impl Findings {
    /// Notes a problem with the value of `key`.
    pub(crate) fn add(
        &mut self,
        key: impl Into<String>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.0.push(Finding { key: key.into(), what: what.into(), cure: cure.into(), at: None });
    }

    /// Notes a problem at a byte of the text.
    pub(crate) fn add_at(
        &mut self,
        at: usize,
        key: impl Into<String>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let at = Some(at);
        self.0.push(Finding { key: key.into(), what: what.into(), cure: cure.into(), at });
    }
}

/// "did you mean `x`?" where a known word is near.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let distance = |k: &str| strsim::damerau_levenshtein(&word.to_lowercase(), &k.to_lowercase());
    let near = known.into_iter().map(|k| (distance(k), k)).filter(|(distance, k)| {
        let longest = k.chars().count().max(word.chars().count());
        *distance < longest && *distance <= 1 + longest / 4
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, k)| format!("did you mean `{k}`?"))
}

/// "did you mean `x`?" where a known word is near, else a list of the known ones.
pub(crate) fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(word, known.iter().copied()) {
        Some(cure) => cure,
        None if known.is_empty() => "there are none here; remove it".into(),
        None if known.len() > 24 => format!("known are {} and others", known[..24].join(", ")),
        None => format!("known are {}", known.join(", ")),
    }
}

/// Foreign text in back quotes, on one line and cut when long.
pub(crate) fn quoted(text: &str) -> String {
    crate::error::quoted(text.as_bytes())
}
