//! Drawing plots and pictures as SVG. Colours are classes, which the page fills in for light and dark.

use super::{Picture, Plot, Series, Style};
use glam::DVec2;
use std::fmt::Write;

/// Size of a plot, and room around it for its axes (pixels).
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 42.0;

/// Widest and highest picture (pixels).
const PICTURE_WIDTH: f64 = 480.0;
const PICTURE_HEIGHT: f64 = 360.0;
/// A picture as long as that is drawn over the whole page.
pub(super) const LONG: f64 = 3.0;
const LONG_WIDTH: f64 = 1000.0;

/// Text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts.
fn nice_step(range: f64, most: f64) -> f64 {
    let rough = (range / most).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(power)
}

/// A number with as many digits as a step needs.
fn number(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{value:.digits$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        return "0".into();
    }
    text
}

/// From data to pixels.
struct Axes {
    low: (f64, f64),
    high: (f64, f64),
    step: (f64, f64),
}

impl Axes {
    fn of(plot: &Plot) -> Self {
        let points = plot.series.iter().flat_map(|s| &s.points);
        let finite = points.filter(|p| p.0.is_finite() && p.1.is_finite());
        let (mut low, mut high) = ((f64::INFINITY, 0.0), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (x, y) in finite {
            low = (low.0.min(*x), f64::min(low.1, *y));
            high = (high.0.max(*x), high.1.max(*y));
        }
        if !(low.0.is_finite() && high.0.is_finite()) {
            (low, high) = ((0.0, 0.0), (1.0, 1.0));
        }
        // Near zero, an axis begins there.
        if low.0 > 0.0 && low.0 < 0.5 * high.0 {
            low.0 = 0.0;
        }
        let range = |a: f64, b: f64| if b > a { b - a } else { 1.0 };
        let step = (nice_step(range(low.0, high.0), 7.0), nice_step(range(low.1, high.1), 6.0));
        let down = |v: f64, s: f64| (v / s + 1e-9).floor() * s;
        let up = |v: f64, s: f64| (v / s - 1e-9).ceil() * s;
        let (low, mut high) =
            ((down(low.0, step.0), down(low.1, step.1)), (up(high.0, step.0), up(high.1, step.1)));
        high = (high.0.max(low.0 + step.0), high.1.max(low.1 + step.1));
        Self { low, high, step }
    }

    fn x(&self, x: f64) -> f64 {
        LEFT + (x - self.low.0) / (self.high.0 - self.low.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.low.1) / (self.high.1 - self.low.1) * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, out: &mut String, plot: &Plot) -> std::fmt::Result {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let ticks = |low: f64, high: f64, step: f64| {
            let n = ((high - low) / step).round() as usize;
            (0..=n).map(move |i| low + step * i as f64)
        };
        for x in ticks(self.low.0, self.high.0, self.step.0) {
            let (at, text) = (self.x(x), number(x, self.step.0));
            write!(out, "<line class=grid x1={at:.1} y1={TOP} x2={at:.1} y2={bottom} />")?;
            write!(out, "<text x={at:.1} y={:.1} text-anchor=middle>{text}</text>", bottom + 16.0)?;
        }
        for y in ticks(self.low.1, self.high.1, self.step.1) {
            let (at, text) = (self.y(y), number(y, self.step.1));
            write!(out, "<line class=grid x1={LEFT} y1={at:.1} x2={right} y2={at:.1} />")?;
            write!(
                out,
                "<text x={:.1} y={:.1} text-anchor=end>{text}</text>",
                LEFT - 6.0,
                at + 4.0
            )?;
        }
        write!(out, "<path class=axis d='M{LEFT} {TOP}V{bottom}H{right}'/>")?;
        let middle = (LEFT + right) / 2.0;
        let (x, y) = (escape(&plot.x), escape(&plot.y));
        write!(
            out,
            "<text class=label x={middle:.1} y={:.1} text-anchor=middle>{x}</text>",
            HEIGHT - 6.0
        )?;
        let height = (TOP + bottom) / 2.0;
        write!(
            out,
            "<text class=label transform='translate(13 {height:.1}) rotate(-90)' text-anchor=middle>{y}</text>"
        )
    }
}

/// The class of a series: those of others are grey, ours have colours.
fn class_of(plot: &Plot, index: usize) -> String {
    let series = &plot.series[index];
    let before = plot.series[..index].iter().filter(|s| s.reference == series.reference).count();
    format!("{}{}", if series.reference { 'r' } else { 'c' }, before % 5)
}

fn draw_series(out: &mut String, axes: &Axes, series: &Series, class: &str) -> std::fmt::Result {
    let points: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter(|p| p.0.is_finite() && p.1.is_finite())
        .map(|(x, y)| (axes.x(*x), axes.y(*y)))
        .collect();
    match series.style {
        Style::Line | Style::Band => {
            let kind = if series.style == Style::Line { "line" } else { "band" };
            write!(out, "<path class='{kind} {class}' d='")?;
            for (i, (x, y)) in points.iter().enumerate() {
                write!(out, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' })?;
            }
            write!(out, "'/>")
        }
        Style::Points => {
            let radius = if points.len() > 200 { 1.3 } else { 3.5 };
            write!(out, "<g class='points {class}'>")?;
            for (x, y) in &points {
                write!(out, "<circle cx={x:.1} cy={y:.1} r={radius} />")?;
            }
            write!(out, "</g>")
        }
        Style::Bars => {
            let base = axes.y(axes.low.1.max(0.0));
            write!(out, "<g class='points {class}'>")?;
            for (x, y) in &points {
                let (left, height) = (x - 5.0, (base - y).max(0.0));
                write!(out, "<rect x={left:.1} y={y:.1} width=10 height={height:.1} />")?;
            }
            write!(out, "</g>")
        }
    }
}

/// A plot with its legend.
pub(super) fn plot(plot: &Plot) -> String {
    let mut out = format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role=img>");
    let axes = Axes::of(plot);
    let mut legend = String::new();
    // Writing to a string cannot fail.
    let _ = axes.draw(&mut out, plot);
    for (i, series) in plot.series.iter().enumerate() {
        let class = class_of(plot, i);
        let _ = draw_series(&mut out, &axes, series, &class);
        let kind = match series.style {
            Style::Line => "line",
            Style::Band => "band",
            Style::Points | Style::Bars => "points",
        };
        let key = match series.style {
            Style::Line => "<path d='M1 6H19'/>",
            Style::Band => "<path d='M1 2H19V10H1Z'/>",
            Style::Points | Style::Bars => "<circle cx=10 cy=6 r=4 />",
        };
        let name = escape(&series.name);
        let _ = write!(
            legend,
            "<span><svg class=key viewBox='0 0 20 12'><g class='{kind} {class}'>{key}</g></svg>{name}</span>"
        );
    }
    out += "</svg>";
    let title = escape(&plot.title);
    format!("<figure><figcaption>{title}</figcaption>{out}<p class=legend>{legend}</p></figure>")
}

/// A picture from above.
pub(super) fn picture(picture: &Picture) -> String {
    let outlines = picture.areas.iter().chain(&picture.walls).chain(&picture.goals);
    let ways = picture.ways.iter().map(|(_, way)| way);
    let all = || outlines.clone().chain(ways.clone()).flatten();
    let low = all().fold(DVec2::INFINITY, |a, b| a.min(*b));
    let high = all().fold(DVec2::NEG_INFINITY, |a, b| a.max(*b));
    if !(low.is_finite() && high.is_finite()) {
        return String::new();
    }
    let size = (high - low).max(DVec2::splat(0.1));
    let long = size.x / size.y > LONG;
    let widest = if long { LONG_WIDTH } else { PICTURE_WIDTH };
    let scale = (widest / size.x).min(PICTURE_HEIGHT / size.y);
    let (width, height) = (size.x * scale + 8.0, size.y * scale + 30.0);
    let place = |p: &DVec2| (4.0 + (p.x - low.x) * scale, 4.0 + (high.y - p.y) * scale);
    let path = |corners: &[DVec2], close: bool| {
        let mut d = String::new();
        for (i, p) in corners.iter().enumerate() {
            let (x, y) = place(p);
            let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        if close { d + "Z" } else { d }
    };
    let mut out = format!(
        "<svg viewBox='0 0 {width:.0} {height:.0}' style='max-width:{width:.0}px' role=img>"
    );
    // Edges of areas first, then what is inside: what is left of the edges is that of all together.
    for (class, shapes) in [
        ("edge", &picture.areas),
        ("floor", &picture.areas),
        ("zone", &picture.zones),
        ("goal", &picture.goals),
        ("wall", &picture.walls),
    ] {
        for shape in shapes {
            let _ = write!(out, "<path class={class} d='{}'/>", path(shape, true));
        }
    }
    for (group, way) in &picture.ways {
        let class = group % 5;
        let _ = write!(out, "<path class='way c{class}' d='{}'/>", path(way, false));
    }
    for mark in &picture.marks {
        let _ = write!(out, "<path class=mark d='{}'/>", path(mark, mark.len() > 2));
    }
    let metres = nice_step(size.x, 5.0);
    let (end, line) = (4.0 + metres * scale, height - 8.0);
    let _ = write!(
        out,
        "<path class=axis d='M4 {0:.1}v6h{1:.1}v-6'/><text x={2:.1} y={3:.1}>{4} m</text></svg>",
        line - 6.0,
        metres * scale,
        end + 5.0,
        line,
        number(metres, metres)
    );
    let class = if long { " class=long" } else { "" };
    let title = escape(&picture.title);
    format!("<figure{class}><figcaption>{title}</figcaption>{out}</figure>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_nice() {
        assert_eq!(nice_step(10.0, 7.0), 2.0);
        assert_eq!(nice_step(1.34, 6.0), 0.5);
        assert_eq!(nice_step(660.0, 7.0), 100.0);
        assert_eq!(number(0.5, 0.5), "0.5");
        assert_eq!(number(-0.0, 0.1), "0");
    }

    #[test]
    fn a_plot_holds_its_points_and_escapes_its_names() {
        let drawn = plot(&Plot::new("a < b", "x", "y").curve("law", 0.0, 1.0, |x| x).ours(
            "ours & theirs",
            Style::Points,
            [(0.0, 0.0), (1.0, f64::NAN), (1.0, 1.0)],
        ));
        assert_eq!(drawn.matches("<circle cx").count(), 3, "two points and the key");
        assert!(drawn.contains("a &lt; b") && drawn.contains("ours &amp; theirs"));
        assert!(!drawn.contains("NaN"));
    }
}
