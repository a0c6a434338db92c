//! How the panel looks: dark, calm, one accent.

use egui::{Color32, CornerRadius, FontId, Margin, RichText, Shadow, Stroke, TextStyle, Ui};

/// Width of the left panel (points).
pub(super) const WIDTH: f32 = 232.0;
/// What is chosen, and bars.
pub(super) const ACCENT: Color32 = Color32::from_rgb(74, 144, 217);
/// Text that is read second.
pub(super) const DIM: Color32 = Color32::from_rgb(150, 160, 172);
const TEXT: Color32 = Color32::from_rgb(222, 228, 235);
const BACK: Color32 = Color32::from_rgb(22, 26, 32);
const FIELD: Color32 = Color32::from_rgb(42, 49, 58);
const HOVERED: Color32 = Color32::from_rgb(56, 66, 79);

fn back(alpha: u8) -> Color32 {
    let [r, g, b, _] = BACK.to_array();
    Color32::from_rgba_unmultiplied(r, g, b, alpha)
}

/// Gives a context its looks.
pub(crate) fn dress(context: &egui::Context) {
    context.set_theme(egui::Theme::Dark);
    // Where a frame takes seconds, a click takes as long.
    context.options_mut(|options| options.input_options.max_click_duration = 60.0);
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Heading, FontId::proportional(16.0)),
            (TextStyle::Body, FontId::proportional(13.0)),
            (TextStyle::Button, FontId::proportional(11.5)),
            (TextStyle::Small, FontId::proportional(11.0)),
            (TextStyle::Monospace, FontId::monospace(11.5)),
        ]
        .into();
        style.spacing.item_spacing = egui::vec2(5.0, 4.0);
        style.spacing.button_padding = egui::vec2(4.0, 3.0);
        style.spacing.slider_width = 110.0;
        style.animation_time = 0.0;
        // A name that does not fit shows that it does not, instead of growing a second line.
        style.wrap_mode = Some(egui::TextWrapMode::Extend);
        let v = &mut style.visuals;
        v.override_text_color = Some(TEXT);
        v.panel_fill = back(236);
        v.window_fill = back(236);
        v.window_stroke = Stroke::new(1.0, Color32::from_rgb(52, 60, 70));
        v.window_shadow = Shadow::NONE;
        v.popup_shadow = Shadow::NONE;
        v.extreme_bg_color = Color32::from_rgb(14, 17, 21);
        v.selection.bg_fill = ACCENT;
        v.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        v.slider_trailing_fill = true;
        let round = CornerRadius::same(4);
        for (widget, fill) in [
            (&mut v.widgets.inactive, FIELD),
            (&mut v.widgets.hovered, HOVERED),
            (&mut v.widgets.active, ACCENT),
            (&mut v.widgets.open, HOVERED),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::NONE;
            widget.corner_radius = round;
            widget.expansion = 0.0;
        }
        v.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(46, 53, 62));
    });
}

pub(super) fn side() -> egui::Frame {
    egui::Frame::new().fill(back(236)).inner_margin(Margin::symmetric(12, 10))
}

pub(super) fn bar() -> egui::Frame {
    egui::Frame::new().fill(back(246)).inner_margin(Margin::symmetric(12, 7))
}

pub(super) fn card() -> egui::Frame {
    egui::Frame::new()
        .fill(back(232))
        .stroke(Stroke::new(1.0, Color32::from_rgb(52, 60, 70)))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(10))
}

/// The name of a group of things.
pub(super) fn section(ui: &mut Ui, name: &str) {
    ui.add_space(9.0);
    ui.label(RichText::new(name.to_uppercase()).size(10.5).color(DIM).strong());
    ui.add_space(1.0);
}

/// A name on the left, a value on the right.
pub(super) fn row(ui: &mut Ui, name: &str, value: impl Into<String>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).small().color(DIM));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(value.into()).small());
        });
    });
}

/// A name, a bar as long as the share says, and a value.
pub(super) fn bar_row(ui: &mut Ui, name: &str, share: f32, value: &str) {
    let (rect, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 15.0), egui::Sense::hover());
    let painter = ui.painter();
    let small = FontId::proportional(11.0);
    let (left, right) = (rect.left() + 86.0, rect.right() - 44.0);
    painter.text(rect.left_center(), egui::Align2::LEFT_CENTER, name, small.clone(), DIM);
    painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, value, small, TEXT);
    let track = egui::Rect::from_min_max(
        egui::pos2(left, rect.center().y - 2.5),
        egui::pos2(right, rect.center().y + 2.5),
    );
    painter.rect_filled(track, 2.5, FIELD);
    let mut filled = track;
    filled.set_width(track.width() * share.clamp(0.0, 1.0));
    painter.rect_filled(filled, 2.5, ACCENT);
}

/// Thousands set apart: 65,536.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
