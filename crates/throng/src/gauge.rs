//! Measurement areas and lines, as engineers draw them: classic density and mean speed in an area, the flow over
//! a line, as PedPy defines them. To be shown the crowd at the start and after every step, or every frame of a
//! recording.

use glam::Vec2;
use throng_record::AgentFrame;
use throng_world::world::Polygon;

/// Nobody was there before.
const NOBODY: Vec2 = Vec2::NAN;

/// Where everybody was before: shared by all lines.
#[derive(Clone, Debug, Default)]
pub struct Gauges {
    areas: Vec<(u64, AreaGauge)>,
    lines: Vec<(u64, LineGauge)>,
    before: Vec<Vec2>,
    next: u64,
}

/// Density and speed in an area.
#[derive(Clone, Debug)]
pub struct AreaGauge {
    outline: Polygon,
    least: Vec2,
    most: Vec2,
    looks: u64,
    people: u64,
    speed: f64,
    /// People there now, and the sum of their speeds.
    now: (u32, f64),
}

/// The flow over a line.
#[derive(Clone, Debug)]
pub struct LineGauge {
    ends: [Vec2; 2],
    /// Who has crossed: each counts once.
    crossed: Vec<bool>,
    count: u64,
    /// Of those, how many went from its left to its right, seen from the first end.
    to_right: u64,
    /// Time of the first and the last (seconds).
    first: f64,
    last: f64,
}

impl Gauges {
    /// Draws an area; gives its number.
    pub fn add_area(&mut self, outline: Polygon) -> u64 {
        self.next += 1;
        self.areas.push((self.next, AreaGauge::new(outline)));
        self.next
    }

    /// Draws a line; gives its number.
    pub fn add_line(&mut self, ends: [Vec2; 2]) -> u64 {
        self.next += 1;
        self.lines.push((self.next, LineGauge::new(ends)));
        self.next
    }

    /// Takes an area or a line away; whether it was there.
    pub fn remove(&mut self, number: u64) -> bool {
        let before = self.areas.len() + self.lines.len();
        self.areas.retain(|(n, _)| *n != number);
        self.lines.retain(|(n, _)| *n != number);
        self.areas.len() + self.lines.len() < before
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.areas.len() + self.lines.len()
    }

    /// Whether nothing is measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All areas, with their numbers.
    #[must_use]
    pub fn areas(&self) -> &[(u64, AreaGauge)] {
        &self.areas
    }

    /// All lines, with their numbers.
    #[must_use]
    pub fn lines(&self) -> &[(u64, LineGauge)] {
        &self.lines
    }

    /// Begins to count anew: time went back, or on without being looked at.
    pub fn start_over(&mut self) {
        self.before.clear();
        self.areas.iter_mut().for_each(|(_, area)| *area = AreaGauge::new(area.outline.clone()));
        self.lines.iter_mut().for_each(|(_, line)| *line = LineGauge::new(line.ends));
    }

    /// Where everybody stands when something new is drawn: where they come from. To be shown once, after a
    /// line or an area was added.
    pub fn prime(&mut self, frame: &AgentFrame<'_>) {
        for i in 0..frame.len() {
            let (at, id) = (frame.position(i), frame.ids[i] as usize);
            if id >= self.before.len() {
                self.before.resize(id + 1, NOBODY);
            }
            self.before[id] = at;
            for (_, area) in self.areas.iter_mut().filter(|(_, area)| area.looks == 0) {
                area.see(at, frame.velocity(i));
            }
        }
        self.areas.iter_mut().filter(|(_, area)| area.looks == 0).for_each(|(_, a)| a.looks = 1);
    }

    /// Looks at the crowd as it is.
    pub fn look(&mut self, frame: &AgentFrame<'_>) {
        if self.is_empty() {
            // Whoever draws a line later begins there and then.
            self.before.clear();
            return;
        }
        for (_, area) in &mut self.areas {
            area.looks += 1;
            area.now = (0, 0.0);
        }
        for i in 0..frame.len() {
            let at = frame.position(i);
            for (_, area) in &mut self.areas {
                area.see(at, frame.velocity(i));
            }
            let id = frame.ids[i] as usize;
            if id >= self.before.len() {
                self.before.resize(id + 1, NOBODY);
            }
            let before = std::mem::replace(&mut self.before[id], at);
            for (_, line) in &mut self.lines {
                line.pass(id, before, at, frame.time);
            }
        }
    }
}

impl AreaGauge {
    fn new(outline: Polygon) -> Self {
        let least = outline.outer.iter().copied().fold(Vec2::INFINITY, Vec2::min);
        let most = outline.outer.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
        Self { outline, least, most, looks: 0, people: 0, speed: 0.0, now: (0, 0.0) }
    }

    fn see(&mut self, at: Vec2, velocity: Vec2) {
        let near = at.cmpge(self.least).all() && at.cmple(self.most).all();
        if near && self.outline.contains(at) {
            let speed = f64::from(velocity.x.hypot(velocity.y));
            self.people += 1;
            self.speed += speed;
            self.now = (self.now.0 + 1, self.now.1 + speed);
        }
    }

    /// Its outline.
    #[must_use]
    pub fn outline(&self) -> &Polygon {
        &self.outline
    }

    /// Its size (square metres).
    #[must_use]
    pub fn size(&self) -> f64 {
        f64::from(self.outline.area()).max(1e-9)
    }

    /// People per square metre, mean over all looks.
    #[must_use]
    pub fn density(&self) -> f64 {
        self.people as f64 / self.looks.max(1) as f64 / self.size()
    }

    /// Metres per second, mean over all who were seen there.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        (self.people > 0).then(|| self.speed / self.people as f64)
    }

    /// People there at the last look.
    #[must_use]
    pub fn people_now(&self) -> u32 {
        self.now.0
    }

    /// Their mean speed (metres per second).
    #[must_use]
    pub fn speed_now(&self) -> Option<f64> {
        (self.now.0 > 0).then(|| self.now.1 / f64::from(self.now.0))
    }
}

impl LineGauge {
    fn new(ends: [Vec2; 2]) -> Self {
        Self { ends, crossed: Vec::new(), count: 0, to_right: 0, first: 0.0, last: 0.0 }
    }

    fn pass(&mut self, id: usize, from: Vec2, to: Vec2, time: f64) {
        let [a, b] = self.ends;
        let left = |p: Vec2, q: Vec2, point: Vec2| (q - p).perp_dot(point - p) >= 0.0;
        let apart = |p: Vec2, q: Vec2, r: Vec2, s: Vec2| left(p, q, r) != left(p, q, s);
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
        self.to_right += u64::from(left(a, b, from));
        self.last = time;
    }

    /// Its ends.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        self.ends
    }

    /// How many crossed it, each counted once, whichever way.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Of those, how many went from its left to its right, for who looks along it.
    #[must_use]
    pub fn to_right(&self) -> u64 {
        self.to_right
    }

    /// People per second, from the first who crossed to the last.
    #[must_use]
    pub fn flow(&self) -> Option<f64> {
        let seconds = self.last - self.first;
        (self.count > 1 && seconds > 0.0).then(|| (self.count - 1) as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_world::world::Rect;

    /// The flow through a door would be wrong.
    #[test]
    fn who_crosses_a_line_counts_once() {
        let at = Vec2::new;
        let mut line = LineGauge::new([at(5.0, 0.0), at(5.0, 4.0)]);
        line.pass(0, NOBODY, at(5.1, 2.0), 0.0);
        line.pass(0, at(5.1, 2.0), at(5.3, 2.0), 0.1);
        assert_eq!(line.count, 0, "was never on the other side");
        line.pass(1, at(4.9, 4.1), at(5.1, 4.2), 0.5);
        assert_eq!(line.count, 0, "went past its end");
        line.pass(2, at(4.9, 2.0), at(5.1, 2.1), 1.0);
        line.pass(2, at(5.1, 2.1), at(4.9, 2.1), 1.1);
        line.pass(3, at(5.2, 3.0), at(4.8, 3.1), 3.0);
        assert_eq!((line.count(), line.to_right(), line.flow()), (2, 1, Some(0.5)));
    }

    /// Density in an area would be wrong, or what was drawn late would count what was before.
    #[test]
    fn an_area_counts_who_is_in_it() {
        let mut gauges = Gauges::default();
        let rect = Rect { min: Vec2::ZERO, max: Vec2::new(2.0, 2.0) };
        let number = gauges.add_area(Polygon::rect(rect));
        let mut look = |x: [f32; 2], time| {
            gauges.look(&AgentFrame {
                time,
                ids: &[4, 9],
                x: &x,
                y: &[1.0, 1.0],
                vx: &[1.0, 3.0],
                vy: &[0.0, 0.0],
                group: &[0, 0],
                action: &[0, 0],
                radius: &[0.2, 0.2],
                ..AgentFrame::default()
            });
        };
        look([1.0, 5.0], 0.0);
        look([1.5, 1.9], 1.0);
        let (_, area) = &gauges.areas()[0];
        assert_eq!((area.people_now(), area.speed_now()), (2, Some(2.0)));
        assert_eq!((area.density(), area.speed()), (3.0 / 2.0 / 4.0, Some(5.0 / 3.0)));
        assert!(gauges.remove(number) && !gauges.remove(number) && gauges.is_empty());
    }
}
