//! The page: a summary, then every test with its pictures and plots. One file, nothing loaded from elsewhere.

use super::svg::{self, escape};
use crate::suite::{Suite, TestResult};
use crate::{ValidateError, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const STYLE: &str = include_str!("page.css");

/// Writes `index.html` and `results.json` into a folder, which is made if it is not there.
///
/// # Errors
/// When a file cannot be written.
pub fn write(results: &[TestResult], folder: &Path, how: &str) -> Result<PathBuf, ValidateError> {
    let fail =
        |path: &Path, source| ValidateError::Write { path: path.display().to_string(), source };
    std::fs::create_dir_all(folder).map_err(|e| fail(folder, e))?;
    let json = folder.join("results.json");
    let text = super::json(results).to_string();
    std::fs::write(&json, text).map_err(|e| fail(&json, e))?;
    let page = folder.join("index.html");
    std::fs::write(&page, html(results, how)).map_err(|e| fail(&page, e))?;
    Ok(page)
}

/// The page; `how` says how the tests were run.
pub fn html(results: &[TestResult], how: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = page(&mut out, results, how);
    out
}

fn page(out: &mut String, results: &[TestResult], how: &str) -> std::fmt::Result {
    write!(
        out,
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=viewport content='width=device-width, initial-scale=1'>\
         <title>Throng: validation</title><style>{STYLE}</style><body>\
         <header><h1>Throng: validation</h1><p>{}</p></header><main>",
        escape(how)
    )?;
    counts(out, results)?;
    summary(out, results)?;
    for result in results {
        section(out, result)?;
    }
    write!(out, "</main></body></html>")
}

/// Verdicts by suite.
fn counts(out: &mut String, results: &[TestResult]) -> std::fmt::Result {
    write!(
        out,
        "<h2>Verdicts</h2><table class=counts><tr><th>suite<th>tests<th>pass<th>fail<th>report"
    )?;
    for suite in Suite::ALL {
        let of: Vec<_> = results.iter().filter(|r| r.test.suite == suite).collect();
        if of.is_empty() {
            continue;
        }
        let count = |v| of.iter().filter(|r| r.verdict() == v).count();
        write!(out, "<tr><td>{}<td>{}", suite.full_name(), of.len())?;
        for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Report] {
            let (n, name) = (count(verdict), verdict.name());
            let class = if n > 0 { format!(" class={name}") } else { String::new() };
            write!(out, "<td{class}>{n}")?;
        }
    }
    write!(out, "</table>")
}

/// All tests, each a line.
fn summary(out: &mut String, results: &[TestResult]) -> std::fmt::Result {
    write!(
        out,
        "<h2>Tests</h2><table class=tests><tr><th>test<th>label<th>criterion<th>ours<th>verdict"
    )?;
    for result in results {
        let (id, verdict) = (result.test.id, result.verdict().name());
        write!(
            out,
            "<tr><td><a href='#{id}'>{id}</a><td>{}<td>{}<td>{}<td class=verdict><b class={verdict}>{verdict}</b>",
            result.test.label.name(),
            escape(result.test.criterion),
            escape(&result.outcome.value),
        )?;
    }
    write!(out, "</table>")
}

fn section(out: &mut String, result: &TestResult) -> std::fmt::Result {
    let (test, outcome) = (result.test, &result.outcome);
    let verdict = result.verdict().name();
    write!(
        out,
        "<section id='{}'><h2>{}: {} <b class={verdict}>{verdict}</b></h2>\
         <p class=about>{}, {} seeds, {:.1} s. {}.</p><p>{}</p>",
        test.id,
        test.id,
        escape(test.title),
        test.label.name(),
        result.seeds,
        result.seconds,
        escape(test.criterion),
        escape(&outcome.value),
    )?;
    if !outcome.checks.is_empty() {
        write!(out, "<ul class=checks>")?;
        for check in &outcome.checks {
            let class = if check.holds { "pass" } else { "fail" };
            let sign = if check.holds { '✓' } else { '✗' };
            write!(out, "<li><b class={class}>{sign}</b> {}", escape(&check.what))?;
        }
        write!(out, "</ul>")?;
    }
    for note in &outcome.notes {
        write!(out, "<p class=note>{}</p>", escape(note))?;
    }
    write!(out, "<div class=figures>")?;
    for picture in &outcome.pictures {
        out.push_str(&svg::picture(picture));
    }
    for plot in &outcome.plots {
        out.push_str(&svg::plot(plot));
    }
    write!(out, "</div></section>")
}
