//! Figures: what people do, what steps and frames take.

use egui::{RichText, Ui};

use super::Desk;
use super::style::{self, DIM, bar_row};

/// Actions that are shown; the rest is summed up.
const ACTIONS: usize = 6;

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let model = desk.shown.model;
    style::section(ui, "Crowd");
    let all = model.people.max(1) as f32;
    for (name, count) in model.actions.iter().take(ACTIONS) {
        bar_row(ui, name, *count as f32 / all, &style::count(*count as u64));
    }
    if model.actions.len() > ACTIONS {
        let rest: usize = model.actions[ACTIONS..].iter().map(|(_, count)| count).sum();
        bar_row(ui, "others", rest as f32 / all, &style::count(rest as u64));
    }
    let walks = format!("{:.2} m/s", model.mean_speed);
    style::row(ui, "mean speed", walks);
    style::row(ui, "hazards, walls", format!("{}, {}", model.hazards, model.walls));

    style::section(ui, "Time of a step");
    let total: f32 = model.stages.iter().map(|(_, ms)| ms).sum();
    for (name, ms) in &model.stages {
        bar_row(ui, name, ms / total.max(1e-3), &format!("{ms:.2} ms"));
    }
    style::row(ui, "now", format!("{:.1} ms on the {}", desk.shown.step_ms, model.backend));

    style::section(ui, "Time of a frame");
    let total: f32 = desk.shown.frame.iter().map(|(_, ms)| ms).sum();
    for (name, ms) in desk.shown.frame {
        bar_row(ui, name, ms / total.max(1e-3), &format!("{ms:.1} ms"));
    }
    style::row(ui, "frames per second", format!("{:.1}", 1e3 / total.max(1e-3)));
    ui.add(egui::Label::new(RichText::new(desk.shown.adapter).small().color(DIM)).wrap());
}
