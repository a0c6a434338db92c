//! Parameters by name (`avoid.time_gap`), with what their schema says of them: for panels, commands and
//! whoever else does not know them one by one.

use schemars::{JsonSchema, schema_for};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Number, Value};

use crate::params::{AvoidParams, BehaveParams, MoveParams, NavigateParams, Params};

/// A parameter may be set to so many times its default, not more: a reach of kilometres would make a step
/// take minutes.
const MOST_TIMES: f64 = 10.0;

/// A parameter with its bounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tunable {
    /// Its name: section, full stop, field.
    pub name: String,
    /// What it is, with its unit.
    pub about: String,
    /// Its value now.
    pub value: f64,
    /// Its value unless a scene says otherwise.
    pub default: f64,
    /// The least it may be.
    pub least: f64,
    /// The most it may be.
    pub most: f64,
    /// Whether it is a whole number.
    pub whole: bool,
}

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// There is none of this name.
    #[error("there is no parameter {0:?} that can be set")]
    Unknown(String),
    /// It cannot be that much.
    #[error("{name} is {value}, but must be {must}")]
    OutOfBounds {
        /// Its name.
        name: String,
        /// What was given.
        value: f64,
        /// What would be right.
        must: String,
    },
}

impl Params {
    /// All numbers that can be set while a crowd lives, in the order of the stages.
    #[must_use]
    pub fn tunables(&self) -> Vec<Tunable> {
        let mut all = Vec::new();
        let Self { navigate, avoid, behave, movement, .. } = self;
        section("navigate", navigate, &mut all);
        section("avoid", avoid, &mut all);
        section("behave", behave, &mut all);
        section("move", movement, &mut all);
        // The memory of a crowd is laid out by these, and its ground.
        let fixed = ["navigate.target_fields", "navigate.wall_margin", "navigate.door_side"];
        all.retain(|tunable| !fixed.iter().any(|name| tunable.name.starts_with(name)));
        all
    }

    /// The same parameters, but for one.
    ///
    /// # Errors
    /// There is none of this name that can be set, or it cannot be that much.
    pub fn with(&self, name: &str, value: f64) -> Result<Self, TuneError> {
        let unknown = || TuneError::Unknown(name.chars().take(80).collect());
        let tunables = self.tunables();
        let tunable = tunables.iter().find(|t| t.name == name).ok_or_else(unknown)?;
        let (least, most) = (tunable.least, tunable.most);
        if !(least..=most).contains(&value) || (tunable.whole && value.fract() != 0.0) {
            let kind = if tunable.whole { "a whole number " } else { "" };
            let must = format!("{kind}from {least} to {most}");
            return Err(TuneError::OutOfBounds { name: tunable.name.clone(), value, must });
        }
        let (section, field) = name.split_once('.').ok_or_else(unknown)?;
        let mut changed = self.clone();
        match section {
            "navigate" => put(&mut changed.navigate, field, value),
            "avoid" => put(&mut changed.avoid, field, value),
            "behave" => put(&mut changed.behave, field, value),
            _ => put(&mut changed.movement, field, value),
        }
        .ok_or_else(unknown)?;
        Ok(changed)
    }
}

/// A section with a schema, defaults and fields by name.
trait Section: Serialize + DeserializeOwned + JsonSchema + Default {}
impl Section for NavigateParams {}
impl Section for AvoidParams {}
impl Section for BehaveParams {}
impl Section for MoveParams {}

fn put<S: Section>(section: &mut S, field: &str, value: f64) -> Option<()> {
    let mut fields = serde_json::to_value(&*section).ok()?;
    let slot = fields.get_mut(field)?;
    let whole = slot.is_u64();
    let number = if whole { Some(Number::from(value as u64)) } else { Number::from_f64(value) };
    *slot = Value::Number(number?);
    *section = serde_json::from_value(fields).ok()?;
    Some(())
}

fn section<S: Section>(name: &str, now: &S, out: &mut Vec<Tunable>) {
    let schema = schema_for!(S).to_value();
    let fields = schema.get("properties").and_then(Value::as_object);
    let (Ok(now), Ok(usual)) = (serde_json::to_value(now), serde_json::to_value(S::default()))
    else {
        return;
    };
    for (field, about) in fields.into_iter().flatten() {
        let (Some(value), Some(default)) = (number(&now, field), number(&usual, field)) else {
            continue;
        };
        let text = about.get("description").and_then(Value::as_str).unwrap_or_default();
        let bound = |key: &str| about.get(key).and_then(Value::as_f64);
        out.push(Tunable {
            name: format!("{name}.{field}"),
            about: text.replace('\n', " "),
            value,
            default,
            least: bound("minimum").unwrap_or(0.0),
            most: bound("maximum").unwrap_or(f64::INFINITY).min(MOST_TIMES * default.max(value)),
            whole: about.get("type").is_some_and(|t| t == "integer"),
        });
    }
}

/// A number of 32 bits as people write it: 0.2, not 0.20000000298.
fn number(fields: &Value, field: &str) -> Option<f64> {
    let value = fields.get(field)?.as_f64()?;
    (value as f32).to_string().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_by_name_and_keep_their_bounds() {
        let params = Params::default();
        let all = params.tunables();
        assert!(all.len() > 30, "{}", all.len());
        let gap = all.iter().find(|t| t.name == "avoid.time_gap").expect("it is there");
        assert_eq!((gap.value, gap.least, gap.most), (0.95, 0.0, 9.5));
        assert!(gap.about.contains("seconds"), "{}", gap.about);
        let changed = params.with("avoid.time_gap", 2.0).expect("within bounds");
        assert_eq!(changed.avoid.time_gap, 2.0);
        assert_eq!(changed.with("avoid.time_gap", 0.95), Ok(params.clone()));
        assert_eq!(
            params.with("move.contact_passes", 3.0).map(|p| p.movement.contact_passes),
            Ok(3)
        );
        for (name, value) in [
            ("avoid.time_gap", -1.0),
            ("avoid.time_gap", f64::NAN),
            ("avoid.time_gap", 1e9),
            ("move.contact_passes", 2.5),
            ("bin.size", 1.0),
            ("navigate.wall_margin", 0.1),
            ("avoid.model", 1.0),
            ("", 1.0),
        ] {
            assert!(params.with(name, value).is_err(), "{name} = {value}");
        }
    }
}
