//! Walking speeds of a population: RiMEA 7, NIST 2.4, ISO 5, IMO 7.

use crate::measure::{deviation, ks_one_sample, mean, normal_cdf, walked_speed};
use crate::reference::SPEED_BY_AGE;
use crate::report::{Picture, Plot, Style};
use crate::scene::SceneFile;
use crate::{Outcome, Settings, ValidateError, scene_file};

const WALK: SceneFile = scene_file!("rimea-07");

/// Speeds over 30 m of people side by side, a metre apart, pooled over seeds; and a picture.
fn speeds(
    settings: &Settings,
    seeds: u32,
    speed: &str,
    count: u32,
) -> Result<(Vec<f64>, Option<Picture>), ValidateError> {
    let positions: Vec<String> =
        (0..count).map(|i| format!("[1, {:.1}]", f64::from(i) + 0.5)).collect();
    let positions = format!("[{}]", positions.join(", "));
    let runs = settings.sweep(&[()], seeds, |(), seed, pool| {
        let run = settings
            .trial(WALK)
            .set("speed", speed)
            .set("width", count)
            .set("positions", &positions)
            .seed(seed)
            .seconds(200.0)
            .run(pool)?;
        let speed = |track| walked_speed(track, 5.0, 35.0, run.ways.frame_seconds);
        let all: Vec<f64> = run.ways.tracks.iter().filter_map(speed).collect();
        Ok((all, Picture::of(&run, "People side by side, a metre apart")))
    })?;
    let picture = runs[0].first().map(|r| r.1.clone());
    Ok((runs.into_iter().flatten().flat_map(|r| r.0).collect(), picture))
}

/// RiMEA 7: fifty people of each age; speeds in the band of their age, 20 % about its mean.
pub(super) fn rimea_7(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    const BAND: f64 = 0.2;
    const TOLERANCE: f64 = 0.03;
    let mut outcome = Outcome::default();
    let (mut means, mut points) = (Vec::new(), Vec::new());
    for (age, middle) in SPEED_BY_AGE {
        let (low, high) = (middle * (1.0 - BAND), middle * (1.0 + BAND));
        // Half the band is two deviations: few are cut off.
        let spread = middle * BAND / 2.0;
        let drawn =
            format!("{{ mean = {middle}, deviation = {spread}, min = {low}, max = {high} }}");
        let (found, picture) = speeds(settings, seeds, &drawn, 50)?;
        let inside =
            found.iter().filter(|v| (low - TOLERANCE..=high + TOLERANCE).contains(*v)).count();
        outcome.check(
            format!("{age} years: {inside} of {} within {low:.2} to {high:.2} m/s", found.len()),
            inside == found.len() && found.len() == 50 * seeds as usize,
        );
        outcome.figure(format!("mean speed at {age} years"), mean(&found), "m/s");
        points.extend(found.iter().map(|v| (f64::from(age), *v)));
        means.push((age, mean(&found)));
        outcome.pictures = picture.into_iter().collect();
    }
    let falls = means.windows(2).skip(1).all(|pair| pair[1].1 < pair[0].1);
    outcome.check("the mean falls with age from 20 years on", falls);
    let told: Vec<String> = means.iter().map(|(age, v)| format!("{age}: {v:.2}")).collect();
    let band =
        |sign: f64| SPEED_BY_AGE.map(|(age, v)| (f64::from(age), v * (1.0 + sign * BAND))).to_vec();
    let mut outline = band(-1.0);
    outline.extend(band(1.0).into_iter().rev());
    outcome.plots.push(
        Plot::new("Walking speed by age", "age (years)", "speed (m/s)")
            .theirs("Weidmann, 20 % about it", Style::Band, outline)
            .ours("ours", Style::Points, points),
    );
    Ok(outcome.value(format!("means (m/s) by age {}", told.join(", "))))
}

/// NIST 2.4: 100 people, N(1.2, 0.2).
pub(super) fn nist_2_4(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let (found, picture) =
        speeds(settings, seeds, "{ mean = 1.2, deviation = 0.2, min = 0.2, max = 2.2 }", 100)?;
    let ks = ks_one_sample(&found, |v| normal_cdf(v, 1.2, 0.2));
    let (middle, spread) = (mean(&found), deviation(&found));
    let mut outcome = Outcome::default()
        .value(format!("mean {middle:.3}, deviation {spread:.3} m/s, KS p = {:.2}", ks.p));
    outcome.figure("mean", middle, "m/s");
    outcome.figure("deviation", spread, "m/s");
    outcome.check("everybody walks", found.len() == 100 * seeds as usize);
    outcome.check("mean within 0.05 of 1.2 m/s", (middle - 1.2).abs() <= 0.05);
    outcome.check("deviation within 0.05 of 0.2 m/s", (spread - 0.2).abs() <= 0.05);
    outcome.check(format!("KS p = {:.3} > 0.05", ks.p), ks.p > 0.05);
    outcome.pictures.extend(picture);
    let mut sorted = found;
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    outcome.plots.push(
        Plot::new("Speeds", "speed (m/s)", "share below")
            .curve("N(1.2, 0.2)", 0.5, 1.9, |v| normal_cdf(v, 1.2, 0.2))
            .ours(
                "ours",
                Style::Line,
                sorted.into_iter().enumerate().map(|(i, v)| (v, (i as f64 + 1.0) / n)),
            ),
    );
    Ok(outcome)
}

/// IMO 7: fifty men of 30 to 50 years, 0.97 to 1.62 m/s evenly (IMO's table of walking speeds).
pub(super) fn imo_7(settings: &Settings, seeds: u32) -> Result<Outcome, ValidateError> {
    let (found, picture) = speeds(settings, seeds, "[0.97, 1.62]", 50)?;
    let inside = found.iter().filter(|v| (0.94..=1.65).contains(*v)).count();
    let (low, high) =
        found.iter().fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
    let mut outcome = Outcome::default()
        .value(format!("{low:.2} to {high:.2} m/s, mean {:.3} m/s", mean(&found)));
    outcome.figure("mean", mean(&found), "m/s");
    outcome.check(
        format!("{inside} of {} within 0.97 to 1.62 m/s (0.03 allowed)", found.len()),
        inside == found.len() && found.len() == 50 * seeds as usize,
    );
    outcome.check("speeds are spread over the range", high - low > 0.5);
    outcome.pictures.extend(picture);
    Ok(outcome)
}
