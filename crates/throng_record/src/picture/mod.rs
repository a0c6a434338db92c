//! `FieldPicture`: a map with, if given, its potential, goals and a path, drawn for people.
//!
//! `terrain` brings the map to the size of the picture, `ground` colours it, `lines` adds contours,
//! `markers` goals and path, `page` puts title, map, legend and scale bar together.

mod ground;
mod lines;
mod markers;
mod page;
mod terrain;
#[cfg(test)]
mod tests;

use crate::draw::{Entry, Legend, ScaleBar, Swatch, theme, ticks};
use crate::{Image, RecordError};
use glam::Vec2;
use page::Page;
use std::path::Path;
use terrain::Terrain;
use throng_field::{Cell, Grid};

/// A picture of a map: walls and ground, and optionally the potential as colours and contour lines,
/// goals, and a path. Any grid can be drawn, from one cell to the largest.
///
/// Small maps are enlarged and large ones reduced by averaging; the longer side of the map takes
/// 800 to 1600 pixels (less if the map has only a few cells).
#[derive(Clone, Copy, Debug)]
pub struct FieldPicture<'a> {
    cost: &'a Grid<f32>,
    potential: Option<&'a Grid<f32>>,
    potential_label: &'a str,
    goals: &'a [Cell],
    path: Option<&'a [Vec2]>,
    title: &'a str,
    subtitle: &'a str,
    length_unit: &'a str,
}

impl<'a> FieldPicture<'a> {
    /// A picture of the map alone. Cells of infinite cost are walls; where free cells differ in
    /// cost, the costlier are darker.
    pub fn new(cost: &'a Grid<f32>) -> Self {
        Self {
            cost,
            potential: None,
            potential_label: "",
            goals: &[],
            path: None,
            title: "",
            subtitle: "",
            length_unit: "m",
        }
    }

    /// Colours the ground by `potential`, of the same size as the cost. `label` says what it is
    /// and in which unit. Free cells that are infinite here are shown as unreachable.
    pub fn potential(mut self, potential: &'a Grid<f32>, label: &'a str) -> Self {
        self.potential = Some(potential);
        self.potential_label = label;
        self
    }

    /// Marks goals. Goals that touch are marked as one area with one star.
    pub fn goals(mut self, goals: &'a [Cell]) -> Self {
        self.goals = goals;
        self
    }

    /// Draws a path, in world coordinates of the cost grid, from its first point to its last.
    pub fn path(mut self, path: &'a [Vec2]) -> Self {
        self.path = Some(path);
        self
    }

    /// The large line on top.
    pub fn title(mut self, title: &'a str) -> Self {
        self.title = title;
        self
    }

    /// The small line below the title.
    pub fn subtitle(mut self, subtitle: &'a str) -> Self {
        self.subtitle = subtitle;
        self
    }

    /// The unit of the grid's cell size, for the scale bar: `"m"` unless told, `"cells"` for maps
    /// whose cells have size 1 and no known length.
    pub fn length_unit(mut self, unit: &'a str) -> Self {
        self.length_unit = unit;
        self
    }

    /// Draws the picture.
    ///
    /// # Errors
    /// If potential and cost differ in size, a goal is outside the map or a point of the path is
    /// not finite.
    pub fn draw(&self) -> Result<Image, RecordError> {
        Ok(self.draw_page()?.0)
    }

    /// Draws the picture and writes it to a PNG file.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and if the file cannot be written.
    pub fn write_png(&self, path: &Path) -> Result<(), RecordError> {
        self.draw()?.write_png(path)
    }

    fn draw_page(&self) -> Result<(Image, Page), RecordError> {
        self.check()?;
        let terrain = Terrain::new(self.cost, self.potential);
        let levels = lines::levels(&terrain);
        let legend = self.legend(&terrain, levels.as_ref());
        let unit_per_pixel =
            f64::from(self.cost.cell_size()) / f64::from(terrain.pixels_per_cell());
        let (map_width, _) = terrain.size();
        let scale_bar = ScaleBar::new(map_width, terrain.scale, unit_per_pixel, self.length_unit);
        let page = Page::new(terrain.size(), &legend, &scale_bar, self.title, self.subtitle);

        let mut image = page.blank();
        ground::draw(&mut image, &terrain, &page);
        let path = self.path.unwrap_or_default();
        let path = markers::to_pixels(path, self.cost, &terrain, &page);
        let goals = markers::group(self.goals, self.cost, &terrain, &page);
        if let Some(levels) = &levels {
            let keep_clear = markers::keep_clear(&path, &goals);
            lines::draw(&mut image, &terrain, &page, levels, &keep_clear);
        }
        page.draw_surroundings(&mut image, &legend, &scale_bar);
        markers::draw(&mut image, &page, &path, &goals);
        Ok((image, page))
    }

    fn check(&self) -> Result<(), RecordError> {
        let (width, height) = (self.cost.width(), self.cost.height());
        if let Some(potential) = self.potential
            && !potential.same_shape(self.cost)
        {
            return Err(RecordError::ShapeMismatch {
                potential: (potential.width(), potential.height()),
                cost: (width, height),
            });
        }
        if let Some(&goal) = self.goals.iter().find(|&&goal| !self.cost.contains(goal)) {
            return Err(RecordError::GoalOutside { goal, width, height });
        }
        let points = self.path.unwrap_or_default();
        match points.iter().position(|point| !point.is_finite()) {
            Some(index) => {
                Err(RecordError::BadPoint { index, x: points[index].x, y: points[index].y })
            }
            None => Ok(()),
        }
    }

    fn legend(&self, terrain: &Terrain, levels: Option<&lines::LineLevels>) -> Legend {
        let bar = terrain.potential_range.map(|(low, high)| crate::draw::ColorBar {
            map: theme::POTENTIAL_MAP,
            low,
            high,
            label: self.potential_label.to_owned(),
            note: levels.map(lines::LineLevels::note).unwrap_or_default(),
        });
        let mut entries = Vec::new();
        let mut add = |shown: bool, swatch, label: String| {
            if shown {
                entries.push(Entry { swatch, label });
            }
        };
        add(!self.goals.is_empty(), Swatch::Star(theme::ACCENT), "goal".into());
        let points = self.path.map_or(0, <[Vec2]>::len);
        add(points > 0, Swatch::Ring(theme::ACCENT), "start".into());
        add(points > 1, Swatch::Line(theme::ACCENT), "path".into());
        add(terrain.has_walls, Swatch::Rimmed(theme::WALL, theme::WALL_EDGE), "wall".into());
        let hatched = Swatch::Hatched(theme::UNREACHABLE, theme::UNREACHABLE_HATCH);
        add(terrain.has_unreachable, hatched, "unreachable".into());
        if let Some((low, high)) = terrain.cost_range {
            let label = format!("cost {} to {}", short(low), short(high));
            let (from, to) = ground::cost_swatch(terrain);
            add(true, Swatch::Ramp(from, to), label);
        }
        Legend { bar, entries }
    }
}

/// A number with about three significant digits.
fn short(value: f32) -> String {
    /// Part of the value that a last digit may stand for.
    const DIGIT: f64 = 0.01;
    let value = f64::from(value);
    if value == value.round() && value.abs() < 1e6 {
        return ticks::format(value, 1.0);
    }
    let text = ticks::format(value, value.abs() * DIGIT);
    match text.contains('.') && !text.contains('e') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
