//! The clock: play, pause, one step, speed; what time it is.

use egui::{RichText, Ui};

use super::style::{self, DIM};
use super::{Ask, Desk};

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let shown = desk.shown;
    ui.horizontal(|ui| {
        let (label, hint) = if shown.playing {
            ("Pause", "Stop the clock (space)")
        } else {
            ("Play", "Let the clock run (space)")
        };
        let button = egui::Button::new(RichText::new(label).strong());
        let response = ui.add(button.min_size(egui::vec2(78.0, 24.0))).on_hover_text(hint);
        if desk.spot("play", response).clicked() {
            desk.asks.push(Ask::Play(!shown.playing));
        }
        let button = egui::Button::new("Step").min_size(egui::vec2(64.0, 24.0));
        let response = ui.add(button).on_hover_text("One step, then stand still (.)");
        if desk.spot("step", response).clicked() {
            desk.asks.push(Ask::Step);
        }
        ui.add_space(6.0);
        ui.label(RichText::new("Speed").color(DIM).small());
        let mut speed = shown.speed;
        let slider = egui::Slider::new(&mut speed, 0.1..=16.0).logarithmic(true).suffix("×");
        let response = ui.add(slider.max_decimals(1));
        if desk.spot("speed", response).changed() {
            desk.asks.push(Ask::Speed(speed));
        }
        if shown.behind {
            ui.label(RichText::new("slower: steps take their time").color(DIM).small());
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let model = shown.model;
            let minutes = (model.time / 60.0).floor();
            let time = format!("{minutes:.0}:{:04.1}", model.time - 60.0 * minutes);
            ui.label(RichText::new(time).monospace().size(14.0));
            let step = format!("step {}", style::count(model.step));
            ui.label(RichText::new(step).small().color(DIM));
            let people = format!("{} people", style::count(model.people as u64));
            ui.label(RichText::new(people).small().color(DIM));
        });
    });
}
