//! The panel: shows a [`Model`] and answers with wishes. It touches neither the crowd nor the device.
//!
//! On the left what can be chosen, below the clock, on the right whoever was clicked. `style` is how it looks.

mod choices;
mod clock;
mod figures;
mod inspector;
mod style;

use std::collections::BTreeMap;

use egui::{Rect, Response, Ui};

use crate::layers::Legend;
use crate::model::Figures;
use crate::{Layer, Model, RigMode, ViewState};

pub(crate) use style::dress;

/// What somebody wishes by the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Lets the clock run, or stops it.
    Play(bool),
    /// One step.
    Step,
    /// Simulated seconds per second.
    Speed(f32),
    /// Another way to move the camera.
    Mode(RigMode),
    /// A camera by name.
    Shot(&'static str),
    /// Something else over the picture.
    Layer(Layer),
    /// Freezes the camera by which is culled, where it is now.
    Freeze,
    /// Nobody is selected any more.
    Deselect,
    /// Removes whoever is selected.
    RemoveSelected,
    /// Begins or ends a recording.
    Record,
    /// Writes a still.
    Still,
    /// Writes the log of commands.
    SaveLog,
}

/// What the panel shows.
pub(crate) struct Shown<'a> {
    pub(crate) model: &'a Model,
    pub(crate) playing: bool,
    pub(crate) speed: f32,
    pub(crate) behind: bool,
    /// What frames take (milliseconds).
    pub(crate) frame: &'a Figures,
    pub(crate) step_ms: f32,
    pub(crate) legend: Option<Legend>,
    pub(crate) notices: Vec<&'a str>,
    pub(crate) commands: usize,
    /// Frames of the recording under way.
    pub(crate) recorded: Option<u32>,
    pub(crate) adapter: &'a str,
}

/// Where things of the panel are, by name: for scripts, which click them there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots(BTreeMap<String, Rect>);

impl Spots {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn get(&self, name: &str) -> Option<Rect> {
        self.0.get(name).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// One pass of the panel.
struct Desk<'a> {
    shown: &'a Shown<'a>,
    state: &'a mut ViewState,
    asks: &'a mut Vec<Ask>,
    spots: &'a mut Spots,
}

impl Desk<'_> {
    fn spot(&mut self, name: impl Into<String>, response: Response) -> Response {
        self.spots.0.insert(name.into(), response.rect);
        response
    }

    /// A button that is one of several.
    fn choice(&mut self, ui: &mut Ui, chosen: bool, label: &str, name: &str, hint: &str) -> bool {
        let width = ui.available_width();
        let button = egui::Button::selectable(chosen, label)
            .frame_when_inactive(true)
            .min_size(egui::vec2(width, 22.0));
        let response = ui.add(button).on_hover_text(hint);
        self.spot(name, response).clicked()
    }
}

/// Shows everything; what is wished is added to `asks`.
pub(crate) fn show(
    ui: &mut Ui,
    shown: &Shown<'_>,
    state: &mut ViewState,
    asks: &mut Vec<Ask>,
    spots: &mut Spots,
) {
    spots.clear();
    if !state.panel {
        return;
    }
    let mut desk = Desk { shown, state, asks, spots };
    egui::Panel::bottom("clock")
        .frame(style::bar())
        .resizable(false)
        .show_separator_line(false)
        .show(ui, |ui| clock::show(ui, &mut desk));
    egui::Panel::left("choices")
        .frame(style::side())
        .resizable(false)
        .show_separator_line(false)
        .exact_size(style::WIDTH)
        .show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                choices::show(ui, &mut desk);
                figures::show(ui, &mut desk);
            });
        });
    desk.spots.0.insert("picture".into(), ui.available_rect_before_wrap());
    inspector::show(ui, &mut desk);
    notices(ui, desk.shown);
}

/// The last notices, over the picture.
fn notices(ui: &Ui, shown: &Shown<'_>) {
    if shown.notices.is_empty() {
        return;
    }
    let free = ui.available_rect_before_wrap();
    egui::Area::new(egui::Id::unique("notices"))
        .fixed_pos(free.left_top() + egui::vec2(12.0, 10.0))
        .interactable(false)
        .show(ui.ctx(), |ui| {
            style::card().show(ui, |ui| {
                ui.set_max_width(360.0);
                for line in &shown.notices {
                    ui.add(egui::Label::new(egui::RichText::new(*line).small()).wrap());
                }
            });
        });
}
