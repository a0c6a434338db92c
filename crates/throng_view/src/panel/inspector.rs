//! Whoever was clicked: what they do, where they go, what they fear.

use egui::{RichText, Ui};

use super::style::{self, DIM, bar_row, row};
use super::{Ask, Desk};

pub(super) fn show(ui: &Ui, desk: &mut Desk<'_>) {
    let Some(told) = &desk.shown.model.selected else { return };
    let free = ui.available_rect_before_wrap();
    let width = 208.0;
    let corner = free.right_top() + egui::vec2(-width - 34.0, 12.0);
    egui::Area::new(egui::Id::unique("inspector")).fixed_pos(corner).show(ui.ctx(), |ui| {
        let card = style::card().show(ui, |ui| {
            ui.set_width(width);
            let state = &told.state;
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("{} {}", told.group, state.id.0)).strong());
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let response = ui.small_button("×").on_hover_text("Look away (escape)");
                    if desk.spot("deselect", response).clicked() {
                        desk.asks.push(Ask::Deselect);
                    }
                });
            });
            let doing = match (state.waiting, state.at_work, state.stuck) {
                (true, ..) => format!("{}, not begun yet", told.action),
                (_, true, _) => format!("{}, at its place", told.action),
                (_, _, true) => format!("{}, gets nowhere", told.action),
                _ => told.action.clone(),
            };
            row(ui, "does", doing);
            let left = state.seconds_left.map(|s| format!(", {s:.0} s more")).unwrap_or_default();
            row(ui, "for", format!("{:.0} s{left}", state.action_seconds));
            row(ui, "goes to", &told.goal);
            if !told.way.is_empty() {
                row(ui, "way", format!("{:.0} m", told.way_length()));
            }
            let speed = state.velocity.length();
            let name = format!("{speed:.2} m/s");
            bar_row(ui, "speed", speed / state.free_speed.max(0.1), &name);
            bar_row(ui, "fear", state.fear, &format!("{:.2}", state.fear));
            bar_row(ui, "tired", state.tired, &format!("{:.2}", state.tired));
            let fears = match told.fears.as_slice() {
                [] => "nothing near".to_owned(),
                [(name, away), ..] => format!("{name}, {away:.0} m away"),
            };
            row(ui, "fears", fears);
            let at = state.position;
            row(ui, "at", format!("{:.1}, {:.1}", at.x, at.y));
            row(ui, "here for", format!("{:.0} s", state.age));
            let text = RichText::new("Take away").small().color(DIM);
            let response = ui.button(text).on_hover_text("Removes them from the crowd (delete)");
            if desk.spot("remove", response).clicked() {
                desk.asks.push(Ask::RemoveSelected);
            }
        });
        desk.spots.0.insert("inspector".into(), card.response.rect);
    });
}
