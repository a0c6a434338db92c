//! Pictures as data: the place from above and the ways people took.

use crate::measure::{Area, Line};
use crate::trial::Run;
use glam::DVec2;
use throng_world::scene::SceneData;
use throng_world::scene::data::ShapeData;

/// Most ways in a picture; of more, every n-th is drawn.
const MOST_WAYS: usize = 120;

/// Time between two points of a way in a picture (seconds).
const WAY_SECONDS: f64 = 0.5;

/// The place from above and the ways people took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// Where people may walk.
    pub areas: Vec<Vec<DVec2>>,
    /// What is solid.
    pub walls: Vec<Vec<DVec2>>,
    /// Where it is slower.
    pub zones: Vec<Vec<DVec2>>,
    /// Where people go.
    pub goals: Vec<Vec<DVec2>>,
    /// Where something was measured.
    pub marks: Vec<Vec<DVec2>>,
    /// Group and way of people.
    pub ways: Vec<(usize, Vec<DVec2>)>,
}

impl Picture {
    /// Of a run.
    pub fn of(run: &Run, title: impl Into<String>) -> Self {
        let mut picture = Self { title: title.into(), ..Self::of_scene(&run.scene) };
        let every = run.ways.tracks.len().div_ceil(MOST_WAYS).max(1);
        let stride = (WAY_SECONDS / run.ways.frame_seconds).round().max(1.0) as usize;
        for track in run.ways.tracks.iter().step_by(every) {
            let mut way: Vec<DVec2> = track.places.iter().step_by(stride).copied().collect();
            way.extend(track.places.last());
            picture.ways.push((track.group, way));
        }
        picture
    }

    fn of_scene(data: &SceneData) -> Self {
        let outlines = |shapes: Vec<&ShapeData>| shapes.into_iter().filter_map(outline).collect();
        let places = data.goal.iter().flat_map(|goal| goal.places.iter().map(|p| &p.shape));
        Self {
            areas: outlines(data.area.iter().map(|a| &a.shape).collect()),
            walls: outlines(data.wall.iter().map(|w| &w.shape).collect()),
            zones: outlines(data.zone.iter().map(|z| &z.shape).collect()),
            goals: outlines(data.goal.iter().map(|g| &g.shape).chain(places).collect()),
            ..Default::default()
        }
    }

    /// With a line that was measured at.
    #[must_use]
    pub fn line(mut self, line: &Line) -> Self {
        self.marks.push(vec![line.a, line.b]);
        self
    }

    /// With an area that was measured in.
    #[must_use]
    pub fn area(mut self, area: &Area) -> Self {
        self.marks.push(area.corners().to_vec());
        self
    }
}

fn outline(shape: &ShapeData) -> Option<Vec<DVec2>> {
    if let Some([left, lower, right, upper]) = shape.rect {
        return Some(Area::new(left, lower, right, upper).corners().to_vec());
    }
    if let Some([x, y, radius]) = shape.disc {
        let turn = std::f64::consts::TAU / 24.0;
        let at = |i: i32| DVec2::new(x, y) + DVec2::from_angle(turn * f64::from(i)) * radius;
        return Some((0..24).map(at).collect());
    }
    let corners = shape.polygon.as_ref().or(shape.line.as_ref())?;
    Some(corners.iter().map(|&p| DVec2::from(p)).collect())
}
