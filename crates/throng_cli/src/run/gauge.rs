//! What `--area` and `--line` measure, as the summary tells it.

use super::summary::round;
use glam::Vec2;
use throng::world::world::{Polygon, Rect};
use throng::{AreaGauge, Crowd, FrameColumns, LineGauge};

/// What is measured where.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    gauges: throng::Gauges,
    columns: FrameColumns,
}

/// What was measured in an area.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct AreaFigures {
    /// Least x and y, greatest x and y (metres).
    rect: [f32; 4],
    /// People per square metre, mean over all steps.
    density: f64,
    /// Metres per second, mean over all who were seen there.
    speed: Option<f64>,
}

/// What was measured on a line.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct LineFigures {
    /// Its ends: x and y, x and y (metres).
    line: [f32; 4],
    /// How many crossed it, each counted once, whichever way.
    crossed: u64,
    /// People per second, from the first who crossed to the last.
    flow: Option<f64>,
}

impl Gauges {
    pub(super) fn new(areas: &[[f32; 4]], lines: &[[f32; 4]]) -> Self {
        let mut gauges = throng::Gauges::default();
        for &[x0, y0, x1, y1] in areas {
            let (a, b) = (Vec2::new(x0, y0), Vec2::new(x1, y1));
            gauges.add_area(Polygon::rect(Rect { min: a.min(b), max: a.max(b) }));
        }
        for &[x0, y0, x1, y1] in lines {
            gauges.add_line([Vec2::new(x0, y0), Vec2::new(x1, y1)]);
        }
        Self { gauges, columns: FrameColumns::default() }
    }

    /// Whether anything is measured.
    pub(super) fn any(&self) -> bool {
        !self.gauges.is_empty()
    }

    /// Looks at the crowd as it is.
    pub(super) fn look(&mut self, crowd: &Crowd) {
        if self.any() {
            self.gauges.look(&self.columns.frame(crowd));
        }
    }

    pub(super) fn areas(&self) -> Vec<AreaFigures> {
        self.gauges.areas().iter().map(|(_, area)| AreaFigures::of(area)).collect()
    }

    pub(super) fn lines(&self) -> Vec<LineFigures> {
        self.gauges.lines().iter().map(|(_, line)| LineFigures::of(line)).collect()
    }
}

impl AreaFigures {
    fn of(area: &AreaGauge) -> Self {
        let Rect { min, max } = area.outline().bounds();
        Self { rect: [min.x, min.y, max.x, max.y], density: area.density(), speed: area.speed() }
    }

    pub(super) fn text(&self) -> String {
        let [x0, y0, x1, y1] = self.rect;
        let speed = self.speed.map_or_else(String::new, |v| format!(", {v:.2} m/s"));
        format!("{:.2} people per m²{speed} in {x0},{y0} to {x1},{y1}", self.density)
    }
}

impl LineFigures {
    fn of(line: &LineGauge) -> Self {
        let [a, b] = line.ends();
        Self { line: [a.x, a.y, b.x, b.y], crossed: line.count(), flow: line.flow() }
    }

    pub(super) fn text(&self) -> String {
        let [x0, y0, x1, y1] = self.line;
        let flow = self.flow.map_or_else(String::new, |f| format!(", {} per second", round(f)));
        format!("{} crossed{flow} from {x0},{y0} to {x1},{y1}", self.crossed)
    }
}
