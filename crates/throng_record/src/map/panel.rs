//! The legend: who is who with counts, goals, hazards, and the colour bars.

use super::agents::person;
use super::layout::Layout;
use super::palette::{Palette, visible};
use super::{ColorBy, HazardMark, Settings, labels};
use crate::draw::text::{self, Align, Style};
use crate::draw::{ColorBar, ColorMap, Legend, Placement, Rgb, theme};
use crate::{AgentFrame, Image};
use glam::Vec2;
use throng_world::World;
use throng_world::world::Seek;

/// Width of the legend beside a map.
pub(super) const WIDTH: usize = 240;
const ROW: usize = 23;
const HEADING: usize = 25;
const SECTION_GAP: usize = 16;
/// Sections below a map are this wide.
const COLUMN: usize = 225;
const COLUMN_GAP: usize = 30;
/// Height of a lying colour bar with its label and numbers.
const BAR: usize = 74;
/// More entries than this are not listed.
const MOST_ROWS: usize = 16;
const SWATCH: f32 = 6.0;

/// How an entry looks on the map.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// A person, heading right.
    Person(Rgb),
    /// A patch of ground.
    Patch(Rgb),
    /// A cloud.
    Cloud(Rgb),
}

pub(super) struct Row {
    look: Look,
    label: String,
    count: Option<usize>,
}

pub(super) struct Section {
    heading: &'static str,
    rows: Vec<Row>,
    bar: Option<ColorBar>,
}

/// Thousands apart by a thin space.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// Everything the legend says about a frame.
pub(super) fn sections(
    world: &World,
    settings: &Settings,
    palette: &Palette,
    frame: &AgentFrame<'_>,
    hazards: &[HazardMark<'_>],
) -> Vec<Section> {
    let mut sections = Vec::new();
    if settings.heat.is_none() {
        sections.push(people(world, settings, palette, Some(frame)));
    }
    sections.push(goals(world));
    let mut names: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for hazard in hazards {
        if !names.contains(&hazard.name) {
            names.push(hazard.name);
            let look = Look::Cloud(labels::swatch(hazard.color));
            rows.push(Row { look, label: hazard.name.to_owned(), count: None });
        }
    }
    sections.push(Section { heading: "Hazards", rows, bar: None });
    sections.retain(|section| !section.rows.is_empty() || section.bar.is_some());
    sections
}

fn people(
    world: &World,
    settings: &Settings,
    palette: &Palette,
    frame: Option<&AgentFrame<'_>>,
) -> Section {
    let mut counts = [0usize; 256];
    let mut count = |indices: &[u8]| indices.iter().for_each(|&i| counts[usize::from(i)] += 1);
    match (settings.color_by, frame) {
        (ColorBy::Group, Some(frame)) => count(frame.group),
        (ColorBy::Action, Some(frame)) => count(frame.action),
        _ => {}
    }
    let row = |index: usize, name: &str, color: Rgb| Row {
        look: Look::Person(color),
        label: name.to_owned(),
        count: Some(counts[index.min(255)]),
    };
    match settings.color_by {
        ColorBy::Group => {
            let rows = world.groups.iter().enumerate().take(MOST_ROWS);
            let rows = rows.map(|(i, group)| row(i, &group.name, palette.group(i as u8)));
            Section { heading: "People", rows: rows.collect(), bar: None }
        }
        ColorBy::Action => {
            let rows = world.actions.iter().enumerate().take(MOST_ROWS);
            let rows = rows.map(|(i, action)| {
                let goal = match action.seek {
                    Seek::Goal(goal) => world.goals.get(usize::from(goal)),
                    _ => None,
                };
                let label = match goal {
                    Some(goal) if !action.name.contains(&goal.name) => {
                        format!("{} → {}", action.name, goal.name)
                    }
                    _ => action.name.clone(),
                };
                row(i, &label, palette.action(i as u8))
            });
            Section { heading: "What they do", rows: rows.collect(), bar: None }
        }
        ColorBy::Speed => {
            let bar = ColorBar {
                map: ColorMap::PACE,
                low: 0.0,
                high: f64::from(settings.top_speed),
                label: "speed (m/s)".to_owned(),
                note: String::new(),
            };
            Section { heading: "People", rows: Vec::new(), bar: Some(bar) }
        }
    }
}

fn goals(world: &World) -> Section {
    let row = |goal: &throng_world::world::Goal| Row {
        look: Look::Patch(visible(Rgb(goal.color))),
        label: if goal.exit && !goal.name.contains("exit") {
            format!("{} (exit)", goal.name)
        } else {
            goal.name.clone()
        },
        count: None,
    };
    let rows = world.goals.iter().take(MOST_ROWS).map(row).collect();
    Section { heading: "Goals", rows, bar: None }
}

/// Pixels the legend needs for any frame of a world.
pub(super) fn height(world: &World, settings: &Settings, below: bool, width: usize) -> usize {
    let list = |rows: usize| if rows == 0 { 0 } else { HEADING + rows.min(MOST_ROWS) * ROW };
    let people = match (settings.heat, settings.color_by) {
        (Some(_), _) => BAR,
        (None, ColorBy::Group) => list(world.groups.len()),
        (None, ColorBy::Action) => list(world.actions.len()),
        (None, ColorBy::Speed) => HEADING + BAR,
    };
    let mut hazards: Vec<&str> = world.hazards.iter().map(|h| h.name.as_str()).collect();
    hazards.sort_unstable();
    hazards.dedup();
    let mut heights = vec![people, list(world.goals.len()), list(hazards.len())];
    heights.retain(|height| *height > 0);
    if !below {
        return heights.iter().map(|height| height + SECTION_GAP).sum();
    }
    let columns = ((width + COLUMN_GAP) / (COLUMN + COLUMN_GAP)).max(1);
    let rows = heights.chunks(columns);
    rows.map(|row| row.iter().max().copied().unwrap_or(0) + SECTION_GAP).sum()
}

/// Draws the legend.
pub(super) fn draw(
    image: &mut Image,
    layout: &Layout,
    sections: &[Section],
    heat: Option<&ColorBar>,
) {
    let (left, top, width) = layout.panel;
    let (mut x, mut y, mut bottom) = (left, top, top);
    let column = if layout.panel_below { COLUMN.min(width) } else { width };
    let mut next = |used: usize, x: &mut usize, y: &mut usize| {
        bottom = bottom.max(*y + used + SECTION_GAP);
        if layout.panel_below {
            *x += column + COLUMN_GAP;
            if *x + column > left + width {
                (*x, *y) = (left, bottom);
            }
        } else {
            *y += used + SECTION_GAP;
        }
    };
    if let Some(bar) = heat {
        let used = draw_bar(image, bar, (x, y), column);
        next(used, &mut x, &mut y);
    }
    for section in sections {
        let used = draw_section(image, section, (x, y), column);
        next(used, &mut x, &mut y);
    }
}

fn draw_bar(image: &mut Image, bar: &ColorBar, corner: (usize, usize), width: usize) -> usize {
    let legend = Legend { bar: Some(bar.clone()), entries: Vec::new() };
    legend.draw(image, corner, Placement::Rows(width)).1
}

fn draw_section(
    image: &mut Image,
    section: &Section,
    (x, y): (usize, usize),
    width: usize,
) -> usize {
    let size = theme::SMALL_SIZE;
    let at = Vec2::new(x as f32, y as f32 + text::cap_height(size));
    let heading = section.heading.to_uppercase();
    text::draw(image, &heading, at, Style::new(size, theme::QUIET_INK));
    let line = y + text::cap_height(size) as usize + 5;
    image.fill_rect(x as i64, line as i64, width, 1, Rgb([222, 224, 228]));
    let mut row_y = y + HEADING;
    if let Some(bar) = &section.bar {
        row_y += draw_bar(image, bar, (x, row_y), width);
    }
    for row in &section.rows {
        draw_row(image, row, (x, row_y), width);
        row_y += ROW;
    }
    row_y - y
}

fn draw_row(image: &mut Image, row: &Row, (x, y): (usize, usize), width: usize) {
    let middle = Vec2::new(x as f32 + 10.0, y as f32 + ROW as f32 / 2.0);
    draw_look(image, row.look, middle);
    let size = theme::LABEL_SIZE;
    let count = row.count.map(grouped).unwrap_or_default();
    let room = width as f32 - 28.0 - text::width(&count, size) - 8.0;
    let label = text::wrap(&row.label, size, room, 1);
    let at = Vec2::new(x as f32 + 28.0, middle.y);
    if let Some(label) = label.first() {
        text::draw_middle(image, label, at, Style::new(size, theme::INK));
    }
    let style = Style::new(size, theme::QUIET_INK).align(Align::Right);
    text::draw_middle(image, &count, Vec2::new((x + width) as f32, middle.y), style);
}

fn draw_look(image: &mut Image, look: Look, middle: Vec2) {
    match look {
        Look::Person(color) => person(image, middle, SWATCH, Vec2::X, color),
        Look::Patch(color) => {
            let low = middle - Vec2::new(8.0, 6.0);
            let (x, y) = (low.x as i64, low.y as i64);
            image.fill_rect(x, y, 16, 12, theme::PAGE.mix(color, 0.45));
            image.frame_rect((x + 1, y + 1), (14, 10), 1, color);
        }
        Look::Cloud(color) => {
            let radius = SWATCH + 1.5;
            let range = |at: f32| (at - radius - 1.0) as i64..=(at + radius + 1.0) as i64;
            for y in range(middle.y) {
                for x in range(middle.x) {
                    let away = Vec2::new(x as f32 + 0.5, y as f32 + 0.5).distance(middle);
                    image.blend(x, y, color, (radius + 0.5 - away).clamp(0.0, 1.0));
                }
            }
        }
    }
}
