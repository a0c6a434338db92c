//! What hands do, from whatever window or script it comes.

use glam::Vec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as WinitKey, NamedKey};

/// Something that happened to the window or in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The pointer is here (pixels from the upper left corner).
    Moved(Vec2),
    /// The pointer left the window.
    Left,
    /// A button of the mouse.
    Button {
        /// Which one.
        button: Button,
        /// Pressed, or let go.
        down: bool,
    },
    /// The wheel turned, by so many notches; up is positive.
    Wheel(f32),
    /// A key.
    Key {
        /// Which one.
        key: Key,
        /// Pressed, or let go.
        down: bool,
    },
    /// Text was typed.
    Text(String),
    /// Shift and control are held.
    Held {
        /// Shift.
        shift: bool,
        /// Control.
        control: bool,
    },
    /// The window has so many pixels now.
    Resized([u32; 2]),
    /// So many pixels to a point.
    Scale(f32),
    /// The window has the keyboard.
    Focus(bool),
    /// Nothing of the window can be seen.
    Hidden(bool),
    /// The window is to be closed.
    Close,
}

/// Buttons of a mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// The left one, usually.
    Primary,
    /// The right one, usually.
    Secondary,
    /// The wheel.
    Middle,
}

/// Keys that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A letter or digit, in lower case.
    Character(char),
    /// The space bar.
    Space,
    /// Escape.
    Escape,
    /// Delete.
    Delete,
    /// Return.
    Enter,
    /// Backspace.
    Backspace,
    /// Tab.
    Tab,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
}

impl Key {
    /// The key of a name, as scripts have it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "space" => Self::Space,
            "escape" => Self::Escape,
            "delete" => Self::Delete,
            "enter" => Self::Enter,
            "backspace" => Self::Backspace,
            "tab" => Self::Tab,
            "up" => Self::Up,
            "down" => Self::Down,
            "left" => Self::Left,
            "right" => Self::Right,
            _ => {
                let mut letters = name.chars();
                let first = letters.next()?;
                if letters.next().is_some() {
                    return None;
                }
                Self::Character(first.to_ascii_lowercase())
            }
        })
    }

    fn of_winit(key: &WinitKey) -> Option<Self> {
        Some(match key {
            WinitKey::Named(NamedKey::Space) => Self::Space,
            WinitKey::Named(NamedKey::Escape) => Self::Escape,
            WinitKey::Named(NamedKey::Delete) => Self::Delete,
            WinitKey::Named(NamedKey::Enter) => Self::Enter,
            WinitKey::Named(NamedKey::Backspace) => Self::Backspace,
            WinitKey::Named(NamedKey::Tab) => Self::Tab,
            WinitKey::Named(NamedKey::ArrowUp) => Self::Up,
            WinitKey::Named(NamedKey::ArrowDown) => Self::Down,
            WinitKey::Named(NamedKey::ArrowLeft) => Self::Left,
            WinitKey::Named(NamedKey::ArrowRight) => Self::Right,
            WinitKey::Character(text) if text == " " => Self::Space,
            WinitKey::Character(text) => Self::Character(text.chars().next()?.to_ascii_lowercase()),
            _ => return None,
        })
    }

    /// The panel's word for it.
    pub(crate) fn for_panel(self) -> Option<egui::Key> {
        match self {
            Self::Character(letter) => {
                egui::Key::from_name(letter.to_ascii_uppercase().encode_utf8(&mut [0; 4]))
            }
            Self::Space => Some(egui::Key::Space),
            Self::Escape => Some(egui::Key::Escape),
            Self::Delete => Some(egui::Key::Delete),
            Self::Enter => Some(egui::Key::Enter),
            Self::Backspace => Some(egui::Key::Backspace),
            Self::Tab => Some(egui::Key::Tab),
            Self::Up => Some(egui::Key::ArrowUp),
            Self::Down => Some(egui::Key::ArrowDown),
            Self::Left => Some(egui::Key::ArrowLeft),
            Self::Right => Some(egui::Key::ArrowRight),
        }
    }
}

/// Pixels of a touchpad that are a notch of a wheel.
const NOTCH: f64 = 50.0;

impl Input {
    /// What an event of winit's says; nothing for those that do not matter here.
    #[must_use]
    pub fn of_winit(event: &WindowEvent) -> Vec<Self> {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => vec![Self::Close],
            WindowEvent::Resized(size) => vec![Self::Resized([size.width, size.height])],
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                vec![Self::Scale(*scale_factor as f32)]
            }
            WindowEvent::Focused(focus) => vec![Self::Focus(*focus)],
            WindowEvent::Occluded(hidden) => vec![Self::Hidden(*hidden)],
            WindowEvent::CursorMoved { position, .. } => {
                vec![Self::Moved(Vec2::new(position.x as f32, position.y as f32))]
            }
            WindowEvent::CursorLeft { .. } => vec![Self::Left],
            WindowEvent::MouseWheel { delta, .. } => vec![Self::Wheel(match delta {
                MouseScrollDelta::LineDelta(_, lines) => *lines,
                MouseScrollDelta::PixelDelta(pixels) => (pixels.y / NOTCH) as f32,
            })],
            WindowEvent::MouseInput { state, button, .. } => {
                let button = match button {
                    MouseButton::Left => Button::Primary,
                    MouseButton::Right => Button::Secondary,
                    MouseButton::Middle => Button::Middle,
                    _ => return Vec::new(),
                };
                vec![Self::Button { button, down: *state == ElementState::Pressed }]
            }
            WindowEvent::ModifiersChanged(held) => vec![Self::Held {
                shift: held.state().shift_key(),
                control: held.state().control_key(),
            }],
            WindowEvent::KeyboardInput { event, .. } => {
                let down = event.state == ElementState::Pressed;
                let key = Key::of_winit(&event.logical_key).map(|key| Self::Key { key, down });
                let typed = event.text.as_ref().filter(|_| down);
                let typed = typed.filter(|text| !text.chars().any(char::is_control));
                key.into_iter().chain(typed.map(|text| Self::Text(text.to_string()))).collect()
            }
            _ => Vec::new(),
        }
    }
}
