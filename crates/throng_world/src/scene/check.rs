//! Checks the values of a scene against the schema of the format, and finds every deviation: unknown
//! and missing keys, wrong types, numbers out of range, words that are not among the known.

use super::problem::{Findings, nearest, quoted, suggest};
use super::source::Source;
use serde_json::{Map, Value};

/// The largest number that any key takes, unless its own range is narrower.
const LARGEST: f64 = 1e9;

/// Checks values against the schema.
pub(crate) struct Checker<'a> {
    schema: &'a Value,
    source: &'a Source,
    pub(crate) findings: Findings,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(schema: &'a Value, source: &'a Source) -> Self {
        Self { schema, source, findings: Findings::default() }
    }

    /// Checks the whole file.
    pub(crate) fn check(mut self, value: &Value) -> Findings {
        self.value(self.schema, value, "");
        self.findings
    }

    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let name = schema.get("$ref").and_then(Value::as_str);
        let found = name.and_then(|n| self.schema.pointer(n.trim_start_matches('#')));
        found.unwrap_or(schema)
    }

    fn value(&mut self, schema: &'a Value, value: &Value, path: &str) {
        if value.is_null() {
            return; // Refused before, and reported then.
        }
        let schema = self.resolve(schema);
        let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
        if let Some(branches) = branches.and_then(Value::as_array) {
            let branches = branches.iter().map(|b| self.resolve(b));
            let branches: Vec<&Value> =
                branches.filter(|b| b.get("type") != Some(&"null".into())).collect();
            return match branches[..] {
                [only] => self.value(only, value, path),
                _ => self.union(&branches, schema.get("description"), value, path),
            };
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return self.word(words.iter().filter_map(Value::as_str), value, path);
        }
        if let Some(word) = schema.get("const").and_then(Value::as_str) {
            return self.word([word], value, path);
        }
        if !accepts(schema, value) {
            let what = format!("{} is given", kind_of(value));
            return self.findings.add(path, what, format!("give {}", wanted(schema)));
        }
        match value {
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::INFINITY);
                self.number(schema, number, path);
            }
            Value::String(text) => self.length(schema, text.chars().count(), "characters", path),
            Value::Array(items) => {
                self.length(schema, items.len(), "values", path);
                if let Some(inner) = schema.get("items") {
                    for (i, item) in items.iter().enumerate() {
                        self.value(inner, item, &format!("{path}[{i}]"));
                    }
                }
            }
            Value::Object(table) => self.table(schema, table, path),
            _ => {}
        }
    }

    fn number(&mut self, schema: &Value, number: f64, path: &str) {
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
        let low = bound("minimum").unwrap_or(-LARGEST);
        let high = bound("maximum").unwrap_or(LARGEST).min(9.1e15);
        let above = bound("exclusiveMinimum").is_none_or(|low| number > low);
        if number < low || number > high || !above {
            let what = format!("{number} is out of range");
            self.findings.add(path, what, format!("give {}", wanted(schema)));
        }
    }

    fn length(&mut self, schema: &Value, length: usize, of: &str, path: &str) {
        let bound = |keys: [&str; 2]| keys.iter().find_map(|k| schema.get(k)?.as_u64());
        let low = bound(["minItems", "minLength"]).unwrap_or(0);
        let high = bound(["maxItems", "maxLength"]).unwrap_or(u64::MAX);
        let length = length as u64;
        if length < low || length > high {
            let right = match (low, high) {
                (low, high) if low == high => format!("exactly {low}"),
                (low, u64::MAX) => format!("at least {low}"),
                (low, high) => format!("{low} to {high}"),
            };
            self.findings.add(path, format!("it has {length} {of}"), format!("give {right} {of}"));
        }
    }

    fn word<'w>(&mut self, known: impl IntoIterator<Item = &'w str>, value: &Value, path: &str) {
        let known: Vec<&str> = known.into_iter().collect();
        match value.as_str() {
            Some(word) if known.contains(&word) => {}
            Some(word) => {
                let what = format!("{} is not known here", quoted(word));
                self.findings.add(path, what, suggest(word, known));
            }
            None => {
                let cure = format!("give one of {}", known.join(", "));
                self.findings.add(path, format!("{} is given", kind_of(value)), cure);
            }
        }
    }

    fn table(&mut self, schema: &'a Value, table: &Map<String, Value>, path: &str) {
        let none = Map::new();
        let known = schema.get("properties").and_then(Value::as_object);
        let join = |key: &str| {
            if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
        };
        for (key, value) in table {
            match known.and_then(|known| known.get(key)) {
                Some(inner) => self.value(inner, value, &join(key)),
                None => {
                    let known = known.unwrap_or(&none);
                    let (left, given): (Vec<&str>, Vec<&str>) =
                        known.keys().map(String::as_str).partition(|k| !table.contains_key(*k));
                    let cure = nearest(key, left.iter().chain(&given).copied())
                        .unwrap_or_else(|| suggest(key, left));
                    let what = format!("unknown key {}", quoted(key));
                    let at = self.source.place_of_name(&join(key)).unwrap_or(0);
                    self.findings.add_at(at, join(key), what, cure);
                }
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        for key in required.into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(key) {
                let property = known.and_then(|known| known.get(key));
                let means = property.and_then(|p| p.get("description")).and_then(Value::as_str);
                let means = means.map_or(String::new(), |text| format!(" ({})", first_line(text)));
                let what = format!("`{key}` is missing");
                self.findings.add(path, what, format!("add `{key} = …`{means}"));
            }
        }
    }

    /// A value that may take several forms: checked against the form it seems to be meant as.
    fn union(
        &mut self,
        branches: &[&'a Value],
        description: Option<&Value>,
        value: &Value,
        path: &str,
    ) {
        let words: Vec<&str> =
            branches.iter().filter_map(|b| b.get("const").and_then(Value::as_str)).collect();
        if !words.is_empty() {
            return self.word(words, value, path);
        }
        if let (Some(tag), Some(table)) = (tag_of(branches), value.as_object()) {
            return self.tagged(branches, tag, table, path);
        }
        let fits = branches.iter().filter(|b| accepts(b, value));
        let best = fits.max_by_key(|b| {
            let known = b.get("properties").and_then(Value::as_object);
            let keys = value.as_object().into_iter().flat_map(Map::keys);
            keys.filter(|k| known.is_some_and(|known| known.contains_key(*k))).count()
        });
        match best {
            Some(branch) => self.value(branch, value, path),
            None => {
                let forms = description.and_then(Value::as_str).map(str::to_string);
                let listed =
                    || branches.iter().map(|b| wanted(b)).collect::<Vec<_>>().join(", or ");
                let cure = forms.map_or_else(listed, |text| text.replace('\n', " "));
                let cure = format!("give {}", lower_first(&cure));
                self.findings.add(path, format!("{} is given", kind_of(value)), cure);
            }
        }
    }

    fn tagged(
        &mut self,
        branches: &[&'a Value],
        tag: &str,
        table: &Map<String, Value>,
        path: &str,
    ) {
        let word_of = |b: &Value| tag_word(b, tag).map(str::to_string);
        let words: Vec<String> = branches.iter().filter_map(|b| word_of(b)).collect();
        let key = if path.is_empty() { tag.to_string() } else { format!("{path}.{tag}") };
        match table.get(tag) {
            None => {
                let cure = format!("add `{tag} = …` with one of {}", words.join(", "));
                self.findings.add(path, format!("`{tag}` is missing"), cure);
            }
            Some(word) => {
                let branch = branches.iter().find(|b| tag_word(b, tag) == word.as_str());
                match branch {
                    Some(branch) => self.table(branch, table, path),
                    None => self.word(words.iter().map(String::as_str), word, &key),
                }
            }
        }
    }
}

/// The key whose word tells the forms of a table apart.
fn tag_of<'a>(branches: &[&'a Value]) -> Option<&'a str> {
    let first = branches.first()?.get("properties")?.as_object()?;
    let (tag, _) = first.iter().find(|(_, schema)| schema.get("const").is_some())?;
    Some(tag)
}

fn tag_word<'a>(branch: &'a Value, tag: &str) -> Option<&'a str> {
    branch.get("properties")?.get(tag)?.get("const")?.as_str()
}

/// Whether the value is of a type the schema takes.
fn accepts(schema: &Value, value: &Value) -> bool {
    let one = |kind: &str| match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(n) => kind == "number" || kind == "integer" && n.is_i64(),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    };
    match schema.get("type") {
        Some(Value::String(kind)) => one(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(one),
        _ => true,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(n) if n.is_i64() => "a whole number",
        Value::Number(_) => "a fraction",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// What a schema asks for, in words.
fn wanted(schema: &Value) -> String {
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).next().unwrap_or(""),
        _ => "",
    };
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let range = match (bound("minimum"), bound("maximum")) {
        (Some(low), Some(high)) if low == high => format!(": {low}"),
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => match bound("exclusiveMinimum") {
            Some(low) => format!(" above {low}"),
            None => format!(" between -{LARGEST:e} and {LARGEST:e}"),
        },
    };
    match kind {
        "number" => format!("a number{range}"),
        "integer" => format!("a whole number{range}"),
        "string" => "text in quotes".into(),
        "boolean" => "true or false".into(),
        "array" => {
            let inner =
                schema.get("items").map_or(String::new(), |i| format!(", each {}", wanted(i)));
            match schema.get("minItems").and_then(Value::as_u64) {
                Some(n) if schema.get("maxItems").and_then(Value::as_u64) == Some(n) => {
                    format!("a list of {n} values{inner}")
                }
                _ => format!("a list{inner}"),
            }
        }
        "object" => {
            let keys = schema.get("properties").and_then(Value::as_object);
            let keys: Vec<&str> =
                keys.into_iter().flat_map(Map::keys).map(String::as_str).collect();
            format!("a table with {}", keys.join(", "))
        }
        _ => "something else".into(),
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    lower_first(line.trim_end_matches('.'))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().chain(chars).collect())
}
