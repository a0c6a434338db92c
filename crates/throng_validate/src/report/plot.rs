//! Plots as data.

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line.
    Line,
    /// Points.
    Points,
    /// The area between two curves: the lower one from left to right, then the upper one back.
    Band,
    /// Upright bars.
    Bars,
}

/// One series of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub style: Style,
    /// Whether it is what others measured, rather than ours.
    pub reference: bool,
    /// x and y.
    pub points: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// Below the x axis.
    pub x: String,
    /// Beside the y axis.
    pub y: String,
    /// In the order they are drawn.
    pub series: Vec<Series>,
}

impl Plot {
    /// An empty plot.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), series: Vec::new() }
    }

    /// With a series of ours.
    #[must_use]
    pub fn ours(
        mut self,
        name: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let (name, points) = (name.into(), points.into_iter().collect());
        self.series.push(Series { name, style, reference: false, points });
        self
    }

    /// With a series of others.
    #[must_use]
    pub fn theirs(
        mut self,
        name: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let (name, points) = (name.into(), points.into_iter().collect());
        self.series.push(Series { name, style, reference: true, points });
        self
    }

    /// With a curve of others, sampled.
    #[must_use]
    pub fn curve(self, name: &str, from: f64, to: f64, f: impl Fn(f64) -> f64) -> Self {
        let at = |i: usize| from + (to - from) * i as f64 / 60.0;
        self.theirs(name, Style::Line, (0..=60).map(|i| (at(i), f(at(i)))))
    }
}
