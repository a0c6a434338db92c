//! Lines and areas that clients draw, on a living crowd or a recording.

use glam::Vec2;
use throng::Gauges;
use throng::world::world::Polygon;

use crate::protocol::{AreaNote, Fault, FaultCode, LineNote, Shape, Status};

/// Lines and areas, at most.
pub(super) const MOST_GAUGES: usize = 32;
/// Corners of an area or a wall, at most.
pub(super) const MOST_CORNERS: usize = 256;

fn refused(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::Refused, error)
}

/// Draws a line or an area; gives its number.
pub(super) fn draw_gauge(gauges: &mut Gauges, shape: Shape) -> Result<u64, Fault> {
    if gauges.len() >= MOST_GAUGES {
        return Err(refused(format!("{MOST_GAUGES} lines and areas are enough")));
    }
    let finite = |p: &Vec2| p.is_finite() && p.abs().max_element() < 1e6;
    match shape {
        Shape::Line(a, b) => {
            let ends = [Vec2::from(a), Vec2::from(b)];
            if !ends.iter().all(finite) || ends[0] == ends[1] {
                return Err(refused("a line has two ends that are not one"));
            }
            Ok(gauges.add_line(ends))
        }
        Shape::Area(corners) => {
            let outer: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
            let fits = (3..=MOST_CORNERS).contains(&outer.len()) && outer.iter().all(finite);
            let area = Polygon { outer, holes: Vec::new() };
            if !fits || area.area() < 1e-3 {
                return Err(refused("an area has three corners or more, and a size"));
            }
            Ok(gauges.add_area(area))
        }
    }
}

/// What lines and areas say.
pub(super) fn gauge_notes(gauges: &Gauges, status: &mut Status) {
    let lines = gauges.lines().iter().map(|(gauge, line)| LineNote {
        gauge: *gauge,
        ends: line.ends().map(|p| p.to_array()),
        count: line.count(),
        to_right: line.to_right(),
        flow: line.flow(),
    });
    status.lines = lines.collect();
    let areas = gauges.areas().iter().map(|(gauge, area)| AreaNote {
        gauge: *gauge,
        outline: area.outline().outer.iter().map(|p| p.to_array()).collect(),
        size: area.size(),
        people: area.people_now(),
        density: f64::from(area.people_now()) / area.size(),
        speed: area.speed_now(),
        mean_density: area.density(),
    });
    status.areas = areas.collect();
}
