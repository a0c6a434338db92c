//! Which tests are meant.

use super::{Suite, Test, experiments, imo, iso, nist, rimea, throng};
use crate::ValidateError;

/// All tests, suite by suite, in the order of the standards.
pub fn all() -> impl Iterator<Item = &'static Test> {
    [rimea::TESTS, nist::TESTS, iso::TESTS, imo::TESTS, throng::TESTS, experiments::TESTS]
        .into_iter()
        .flatten()
}

/// The tests of names: of a suite, of a test, or the beginning of a test's name (`rimea-12`). None: all that
/// do not take too long.
///
/// # Errors
/// When a name is neither a suite nor a test.
pub fn select(names: &[impl AsRef<str>]) -> Result<Vec<&'static Test>, ValidateError> {
    if names.is_empty() {
        return Ok(all().filter(|t| !t.by_name_only).collect());
    }
    let mut chosen: Vec<&'static Test> = Vec::new();
    for name in names {
        let name = name.as_ref();
        let suite = Suite::ALL.into_iter().find(|s| s.name() == name);
        // Experiments are by name only, and their suite is a name.
        let of_suite =
            |t: &Test| suite == Some(t.suite) && (!t.by_name_only || t.suite == Suite::Experiments);
        let mut found: Vec<_> = all().filter(|t| t.id == name || of_suite(t)).collect();
        if found.is_empty() {
            // `rimea-12` means 12a to 12d, not what begins with other digits.
            let part = |t: &&Test| {
                let rest = t.id.strip_prefix(name);
                rest.is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_digit()))
            };
            found = all().filter(part).collect();
        }
        if found.is_empty() {
            let near = all().map(|t| t.id).min_by_key(|id| distance(id, name));
            return Err(ValidateError::Unknown { name: name.to_string(), near });
        }
        chosen.extend(found);
    }
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|t| seen.insert(t.id));
    Ok(chosen)
}

/// How many letters differ, for what may have been meant.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let swap = corner + usize::from(c != b[j]);
            corner = row[j + 1];
            row[j + 1] = swap.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Work;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        select(names).expect("known").iter().map(|t| t.id).collect()
    }

    #[test]
    fn names_mean_suites_tests_and_their_beginnings() {
        assert_eq!(ids(&["rimea-1"]), ["rimea-1"]);
        assert_eq!(ids(&["rimea-12"]), ["rimea-12a", "rimea-12b", "rimea-12c", "rimea-12d"]);
        assert!(ids(&["imo"]).iter().all(|id| id.starts_with("imo-")));
        assert_eq!(ids(&["rimea-1", "rimea-1"]).len(), 1);
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_nearest() {
        let error = select(&["rimea-12x"]).expect_err("there is none");
        assert!(error.to_string().contains("rimea-12"), "{error}");
    }

    #[test]
    fn names_are_given_once_and_references_lead_to_a_test() {
        let mut seen = std::collections::HashSet::new();
        for test in all() {
            assert!(seen.insert(test.id), "{} is there twice", test.id);
            assert!(matches!(super::super::origin(test).work, Work::Run(_)), "{}", test.id);
        }
    }
}
