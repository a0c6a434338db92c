//! Measurement areas and lines, as engineers draw them: classic density and mean speed in an area, the
//! flow over a line. Taken at the start and after every step.

use super::summary::round;
use glam::Vec2;
use throng::Crowd;
use throng::world::world::Rect;

/// Nobody was there before.
const NOBODY: Vec2 = Vec2::NAN;

/// What is measured where.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    areas: Vec<Area>,
    lines: Vec<Line>,
    /// Where everybody was at the last look, by number.
    before: Vec<Vec2>,
}

#[derive(Debug)]
struct Area {
    rect: Rect,
    looks: u64,
    /// People seen there, and the sum of their speeds.
    people: u64,
    speed: f64,
}

#[derive(Debug)]
struct Line {
    ends: [Vec2; 2],
    /// Who has crossed, by number: each counts once.
    crossed: Vec<bool>,
    count: u64,
    /// Time of the first and the last (seconds).
    first: f64,
    last: f64,
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
        let areas = areas.iter().map(|&[x0, y0, x1, y1]| {
            let (a, b) = (Vec2::new(x0, y0), Vec2::new(x1, y1));
            Area { rect: Rect { min: a.min(b), max: a.max(b) }, looks: 0, people: 0, speed: 0.0 }
        });
        let lines = lines.iter().map(|&[x0, y0, x1, y1]| Line {
            ends: [Vec2::new(x0, y0), Vec2::new(x1, y1)],
            crossed: Vec::new(),
            count: 0,
            first: 0.0,
            last: 0.0,
        });
        Self { areas: areas.collect(), lines: lines.collect(), before: Vec::new() }
    }

    /// Whether anything is measured.
    pub(super) fn any(&self) -> bool {
        !self.areas.is_empty() || !self.lines.is_empty()
    }

    /// Looks at the crowd as it is.
    pub(super) fn look(&mut self, crowd: &Crowd) {
        self.areas.iter_mut().for_each(|area| area.looks += 1);
        if !self.any() {
            return;
        }
        for i in 0..crowd.len() {
            let at = Vec2::new(crowd.x()[i], crowd.y()[i]);
            for area in self.areas.iter_mut().filter(|area| area.rect.contains(at)) {
                area.people += 1;
                area.speed += f64::from(crowd.vx()[i].hypot(crowd.vy()[i]));
            }
            let id = crowd.ids()[i] as usize;
            if id >= self.before.len() {
                self.before.resize(id + 1, NOBODY);
            }
            let before = std::mem::replace(&mut self.before[id], at);
            for line in &mut self.lines {
                line.pass(id, before, at, crowd.time());
            }
        }
    }

    pub(super) fn areas(&self) -> Vec<AreaFigures> {
        self.areas.iter().map(Area::figures).collect()
    }

    pub(super) fn lines(&self) -> Vec<LineFigures> {
        self.lines.iter().map(Line::figures).collect()
    }
}

impl Area {
    fn figures(&self) -> AreaFigures {
        let Rect { min, max } = self.rect;
        let size = f64::from((max.x - min.x) * (max.y - min.y)).max(1e-9);
        AreaFigures {
            rect: [min.x, min.y, max.x, max.y],
            density: self.people as f64 / self.looks.max(1) as f64 / size,
            speed: (self.people > 0).then(|| self.speed / self.people as f64),
        }
    }
}

impl Line {
    fn pass(&mut self, id: usize, from: Vec2, to: Vec2, time: f64) {
        let [a, b] = self.ends;
        // Also false for who was not there before.
        let apart = |p: Vec2, q: Vec2, r: Vec2, s: Vec2| {
            let side = |point: Vec2| (q - p).perp_dot(point - p) >= 0.0;
            side(r) != side(s)
        };
        if from.is_nan() || !apart(a, b, from, to) || !apart(from, to, a, b) {
            return;
        }
        if id >= self.crossed.len() {
            self.crossed.resize(id + 1, false);
        }
        if std::mem::replace(&mut self.crossed[id], true) {
            return;
        }
        if self.count == 0 {
            self.first = time;
        }
        self.count += 1;
        self.last = time;
    }

    fn figures(&self) -> LineFigures {
        let [a, b] = self.ends;
        let seconds = self.last - self.first;
        LineFigures {
            line: [a.x, a.y, b.x, b.y],
            crossed: self.count,
            flow: (self.count > 1 && seconds > 0.0).then(|| (self.count - 1) as f64 / seconds),
        }
    }
}

impl AreaFigures {
    pub(super) fn text(&self) -> String {
        let [x0, y0, x1, y1] = self.rect;
        let speed = self.speed.map_or_else(String::new, |v| format!(", {v:.2} m/s"));
        format!("{:.2} people per m²{speed} in {x0},{y0} to {x1},{y1}", self.density)
    }
}

impl LineFigures {
    pub(super) fn text(&self) -> String {
        let [x0, y0, x1, y1] = self.line;
        let flow = self.flow.map_or_else(String::new, |f| format!(", {} per second", round(f)));
        format!("{} crossed{flow} from {x0},{y0} to {x1},{y1}", self.crossed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let ends = [Vec2::new(5.0, 0.0), Vec2::new(5.0, 4.0)];
        Line { ends, crossed: Vec::new(), count: 0, first: 0.0, last: 0.0 }
    }

    /// The flow through a door would be wrong.
    #[test]
    fn who_crosses_a_line_counts_once() {
        let mut line = line();
        let at = Vec2::new;
        line.pass(0, NOBODY, at(5.1, 2.0), 0.0);
        line.pass(0, at(5.1, 2.0), at(5.3, 2.0), 0.1);
        assert_eq!(line.count, 0, "was never on the other side");
        line.pass(1, at(4.9, 4.1), at(5.1, 4.2), 0.5);
        assert_eq!(line.count, 0, "went past its end");
        line.pass(2, at(4.9, 2.0), at(5.1, 2.1), 1.0);
        line.pass(2, at(5.1, 2.1), at(4.9, 2.1), 1.1);
        line.pass(3, at(5.2, 3.0), at(4.8, 3.1), 3.0);
        assert_eq!((line.count, line.figures().flow), (2, Some(0.5)));
    }
}
