//! What can be chosen: camera, tool, overlay, recordings.

use egui::{Color32, RichText, Ui};

use super::style::{self, DIM};
use super::{Ask, Desk};
use crate::layers::{Legend, colour_at};
use crate::{Layer, RigMode, Tool};

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let model = desk.shown.model;
    ui.add(egui::Label::new(RichText::new(&model.title).heading()).wrap());
    camera(ui, desk);
    tools(ui, desk);
    overlays(ui, desk);
    recordings(ui, desk);
    grass(ui, desk);
}

fn camera(ui: &mut Ui, desk: &mut Desk<'_>) {
    style::section(ui, "Camera");
    let mode = desk.state.rig.mode();
    let modes = [
        (
            RigMode::Orbit,
            "Orbit",
            "orbit",
            "Drag turns around a point, right drag shifts, wheel zooms",
        ),
        (RigMode::Fly, "Fly", "fly", "W A S D, Q and E fly (shift: fast), drag looks around"),
        (RigMode::Follow, "Follow", "follow", "Walks with whoever is selected"),
    ];
    ui.columns(3, |columns| {
        for (ui, (own, label, name, hint)) in columns.iter_mut().zip(modes) {
            if desk.choice(ui, mode == own, label, name, hint) {
                desk.asks.push(Ask::Mode(own));
            }
        }
    });
    let shots =
        [("Bird", "birds-eye"), ("Valley", "valley"), ("Close", "close-up"), ("Map", "map")];
    ui.columns(4, |columns| {
        for (ui, (label, name)) in columns.iter_mut().zip(shots) {
            if desk.choice(ui, false, label, name, "Puts the camera there") {
                desk.asks.push(Ask::Shot(name));
            }
        }
    });
}

fn tools(ui: &mut Ui, desk: &mut Desk<'_>) {
    style::section(ui, "A click");
    let (group, goal) = match desk.state.tool {
        Tool::Person(group) => (group, 0),
        Tool::Goal(goal) => (0, goal),
        _ => (0, 0),
    };
    let tools = [
        (Tool::Look, "Look", "Tells of whoever is clicked"),
        (Tool::Gas, "Gas", "Drops a cloud of gas"),
        (Tool::Ghost, "Ghost", "Drops a ghost"),
        (Tool::Goal(goal), "Goal", "Moves the nearest place of a goal; with shift adds one"),
        (Tool::Wall, "Wall", "Drag along where the wall shall stand"),
        (Tool::Person(group), "Person", "Puts somebody there"),
        (Tool::Move, "Move", "Drags gas or a ghost"),
        (Tool::Erase, "Erase", "Takes away gas, a ghost or a wall"),
    ];
    for four in tools.chunks(4) {
        ui.columns(4, |columns| {
            for (ui, (tool, label, hint)) in columns.iter_mut().zip(four) {
                let name = format!("tool-{}", tool.name());
                if desk.choice(ui, desk.state.tool == *tool, label, &name, hint) {
                    desk.state.tool = *tool;
                }
            }
        });
    }
    let model = desk.shown.model;
    match &mut desk.state.tool {
        Tool::Goal(goal) => {
            combo(ui, "goal", &model.goals, usize::from(*goal), |i| *goal = i as u16);
        }
        Tool::Person(group) => {
            combo(ui, "group", &model.groups, usize::from(*group), |i| *group = i as u8);
        }
        _ => {}
    }
}

/// One of several names.
fn combo(
    ui: &mut Ui,
    id: &str,
    names: &[(String, [u8; 3])],
    chosen: usize,
    mut choose: impl FnMut(usize),
) {
    if names.len() < 2 {
        return;
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new(id).small().color(DIM));
        let shown = names.get(chosen).map_or("", |(name, _)| name.as_str());
        egui::ComboBox::from_id_salt(id).selected_text(shown).width(140.0).show_ui(ui, |ui| {
            for (i, (name, [r, g, b])) in names.iter().enumerate() {
                let text = RichText::new(name).color(Color32::from_rgb(*r, *g, *b));
                if ui.selectable_label(i == chosen, text).clicked() {
                    choose(i);
                }
            }
        });
    });
}

/// Grass, where any grows.
fn grass(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(usual) = desk.shown.model.grass else { return };
    style::section(ui, "Grass");
    layers(ui, desk, &Layer::GRASS, 2);
    let mut tuned = desk.state.grass.unwrap_or(usual);
    for (value, range, name, unit) in [
        (&mut tuned.strength, 0.0..=1.2, "wind", "rad"),
        (&mut tuned.speed, 0.0..=12.0, "gusts", "m/s"),
        (&mut tuned.recovery, 0.5..=60.0, "recovery", "s"),
    ] {
        let text = format!("{name}, {unit}");
        let slider = egui::Slider::new(value, range).text(RichText::new(text).small().color(DIM));
        let response = ui.add(slider.max_decimals(2));
        desk.spot(format!("grass-{name}"), response);
    }
    if tuned != desk.state.grass.unwrap_or(usual) {
        desk.state.grass = Some(tuned);
    }
}

/// Buttons for layers, so many in a row.
fn layers(ui: &mut Ui, desk: &mut Desk<'_>, all: &[Layer], columns: usize) {
    let label = |layer: Layer| match layer {
        Layer::None => ("None", "Nothing over the picture"),
        Layer::Cost => ("Cost", "What a metre costs, with crowding and danger"),
        Layer::Potential => ("Potential", "What the way to a goal costs, with contours"),
        Layer::Directions => ("Directions", "Where the field leads"),
        Layer::Density => ("Density", "People per square metre"),
        Layer::Bins => ("Bins", "The bins by which neighbours are found"),
        Layer::Speed => ("Speed", "Bodies by their speed"),
        Layer::Detail => ("Detail", "Bodies by their class of detail"),
        Layer::Culled => ("Culled", "Why bodies were not drawn, from a frozen camera"),
        Layer::Trample => ("Trodden", "How strongly grass is trodden down"),
        Layer::Wear => ("Worn", "How worn the ground is by feet"),
        Layer::GrassTiles => ("Tiles", "Tiles of grass that bodies touch, and those that recover"),
        Layer::GrassForms => ("Forms", "Grass by the form it is drawn in"),
    };
    for row in all.chunks(columns) {
        ui.columns(columns, |columns| {
            for (ui, layer) in columns.iter_mut().zip(row) {
                let (text, hint) = label(*layer);
                let name = format!("layer-{}", layer.name());
                if desk.choice(ui, desk.state.layer == *layer, text, &name, hint) {
                    desk.asks.push(Ask::Layer(*layer));
                }
            }
        });
    }
}

fn overlays(ui: &mut Ui, desk: &mut Desk<'_>) {
    style::section(ui, "Overlay");
    layers(ui, desk, &Layer::ALL[..Layer::ALL.len() - Layer::GRASS.len()], 3);
    let model = desk.shown.model;
    if desk.state.layer.has_field() {
        let (mut group, mut goal) = desk.state.field;
        combo(ui, "of", &model.groups, usize::from(group), |i| group = i as u8);
        combo(ui, "to", &model.goals, usize::from(goal), |i| goal = i as u16);
        desk.state.field = (group, goal);
    }
    if desk.state.layer == Layer::Culled
        && desk.choice(ui, false, "Freeze here", "freeze", "Culls by the camera as it is now")
    {
        desk.asks.push(Ask::Freeze);
    }
    match &desk.shown.legend {
        None => {}
        Some(Legend::Ramp { colours, range, unit }) => ramp(ui, colours, *range, unit),
        Some(Legend::Kinds(kinds)) => {
            for (colour, name, number) in kinds {
                kind(ui, *colour, name, *number);
            }
        }
    }
    let response = ui.checkbox(&mut desk.state.goals, RichText::new("outline goals").small());
    desk.spot("goals", response);
}

fn ramp(ui: &mut Ui, colours: &[[u8; 3]; throng_render::RAMP], [low, high]: [f32; 2], unit: &str) {
    ui.add_space(2.0);
    let (rect, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 9.0), egui::Sense::hover());
    let steps = 48;
    for i in 0..steps {
        let [r, g, b] = colour_at(colours, (i as f32 + 0.5) / steps as f32);
        let x = |i: i32| rect.left() + rect.width() * i as f32 / steps as f32;
        let part = egui::Rect::from_x_y_ranges(x(i)..=x(i + 1) + 0.5, rect.y_range());
        ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
    }
    let number = |v: f32| match v.abs() {
        a if a >= 100.0 => format!("{v:.0}"),
        a if a >= 10.0 => format!("{v:.1}"),
        _ => format!("{v:.2}"),
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(number(low)).small().color(DIM));
        ui.label(RichText::new(unit).small().color(DIM));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(number(high)).small().color(DIM));
        });
    });
}

fn kind(ui: &mut Ui, [r, g, b]: [u8; 3], name: &str, number: Option<usize>) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(11.0, 11.0), egui::Sense::hover());
        ui.painter().rect_filled(rect, 3.0, Color32::from_rgb(r, g, b));
        ui.label(RichText::new(name).small());
        if let Some(number) = number {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(style::count(number as u64)).small());
            });
        }
    });
}

fn recordings(ui: &mut Ui, desk: &mut Desk<'_>) {
    style::section(ui, "Record");
    let record = match desk.shown.recorded {
        Some(frames) => format!("Stop ({frames})"),
        None => "Clip".to_owned(),
    };
    let on = desk.shown.recorded.is_some();
    let commands = desk.shown.commands;
    ui.columns(3, |columns| {
        if desk.choice(&mut columns[0], on, &record, "record", "Records the picture (R)") {
            desk.asks.push(Ask::Record);
        }
        if desk.choice(&mut columns[1], false, "Still", "still", "Writes a picture (P)") {
            desk.asks.push(Ask::Still);
        }
        let log = format!("Log ({commands})");
        let hint = "Writes all that was done, for `throng run SCENE --commands LOG`";
        if desk.choice(&mut columns[2], false, &log, "save-log", hint) {
            desk.asks.push(Ask::SaveLog);
        }
    });
}
