//! What input does: to the panel, to the camera, to the ground.

use glam::{Vec2, Vec3};
use throng::AgentId;

use super::{Drag, Viewer};
use crate::panel::Ask;
use crate::{Button, Input, Key, Ray, Tool, ViewError, pick_agent, pick_ground};

/// Farther than this (pixels) a click is a drag.
const CLICK: f32 = 5.0;

impl Viewer {
    /// Takes input, from wherever it comes.
    ///
    /// # Errors
    /// A log cannot be written; the crowd cannot be looked at.
    pub fn input(&mut self, input: &Input) -> Result<(), ViewError> {
        match input {
            Input::Close => self.closing = true,
            Input::Resized(size) => self.size = *size,
            Input::Scale(scale) if *scale > 0.0 => self.scale = *scale,
            Input::Scale(_) => {}
            Input::Hidden(hidden) => self.hidden = *hidden,
            Input::Focus(focus) => {
                if !focus {
                    // Keys that are let go elsewhere are never heard of.
                    self.keys.clear();
                    self.drag = None;
                }
                self.events.push(egui::Event::WindowFocused(*focus));
            }
            Input::Held { shift, control } => (self.shift, self.control) = (*shift, *control),
            Input::Text(text) => self.events.push(egui::Event::Text(text.clone())),
            Input::Moved(to) => self.moved(*to)?,
            Input::Left => {
                self.pointer = None;
                self.events.push(egui::Event::PointerGone);
            }
            Input::Button { button, down } => self.button(*button, *down)?,
            Input::Wheel(notches) => self.wheel(*notches)?,
            Input::Key { key, down } => self.key(*key, *down),
        }
        Ok(())
    }

    fn modifiers(&self) -> egui::Modifiers {
        egui::Modifiers {
            shift: self.shift,
            ctrl: self.control,
            command: self.control,
            ..Default::default()
        }
    }

    fn in_points(&self, pixel: Vec2) -> egui::Pos2 {
        egui::pos2(pixel.x / self.scale, pixel.y / self.scale)
    }

    /// Whether a pixel shows the panel.
    fn on_panel(&self, pixel: Vec2) -> bool {
        let at = self.in_points(pixel);
        let over_card =
            self.context.layer_id_at(at).is_some_and(|l| l.order != egui::Order::Background);
        // What the panel leaves free; all of it where there is no panel.
        over_card || self.spots.get("picture").is_some_and(|free| !free.contains(at))
    }

    fn moved(&mut self, to: Vec2) -> Result<(), ViewError> {
        let by = self.pointer.map_or(Vec2::ZERO, |from| to - from);
        self.pointer = Some(to);
        self.events.push(egui::Event::PointerMoved(self.in_points(to)));
        let Some(drag) = &mut self.drag else { return Ok(()) };
        drag.far |= drag.from.distance(to) > CLICK;
        let (far, button) = (drag.far, drag.button);
        let draws = self.state.tool.draws_line() && button == Button::Primary;
        if !far || draws {
            return Ok(());
        }
        let height = self.size[1] as f32;
        let world = self.session.world()?;
        match button {
            Button::Primary => self.state.rig.turn(by, world),
            Button::Secondary | Button::Middle => self.state.rig.pan(by, height, world),
        }
        Ok(())
    }

    fn button(&mut self, button: Button, down: bool) -> Result<(), ViewError> {
        let Some(at) = self.pointer else { return Ok(()) };
        let for_panel = match button {
            Button::Primary => egui::PointerButton::Primary,
            Button::Secondary => egui::PointerButton::Secondary,
            Button::Middle => egui::PointerButton::Middle,
        };
        self.events.push(egui::Event::PointerButton {
            pos: self.in_points(at),
            button: for_panel,
            pressed: down,
            modifiers: self.modifiers(),
        });
        if down {
            if !self.on_panel(at) && self.drag.is_none() {
                let ground = self.ground_at(at)?;
                self.drag = Some(Drag { button, from: at, ground, far: false });
            }
            return Ok(());
        }
        let Some(drag) = self.drag.take_if(|drag| drag.button == button) else { return Ok(()) };
        if button == Button::Primary && (!drag.far || self.state.tool.draws_line()) {
            self.click(at, drag.ground)?;
        }
        Ok(())
    }

    fn wheel(&mut self, notches: f32) -> Result<(), ViewError> {
        self.events.push(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, notches),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: self.modifiers(),
        });
        if self.pointer.is_some_and(|at| !self.on_panel(at)) && notches.is_finite() {
            self.state.rig.zoom(notches.clamp(-10.0, 10.0), self.session.world()?);
        }
        Ok(())
    }

    fn key(&mut self, key: Key, down: bool) {
        if let Some(own) = key.for_panel() {
            self.events.push(egui::Event::Key {
                key: own,
                physical_key: None,
                pressed: down,
                repeat: false,
                modifiers: self.modifiers(),
            });
        }
        let fresh = if down { self.keys.insert(key) } else { !self.keys.remove(&key) };
        if !down || !fresh || self.context.egui_wants_keyboard_input() {
            return;
        }
        match key {
            Key::Space => self.grant(Ask::Play(!self.session.playing())),
            Key::Character('.') => self.grant(Ask::Step),
            Key::Character('r') => self.grant(Ask::Record),
            Key::Character('p') => self.grant(Ask::Still),
            Key::Character('f') => self.grant(Ask::Mode(crate::RigMode::Follow)),
            Key::Character('o') => self.grant(Ask::Mode(crate::RigMode::Orbit)),
            Key::Character('h') => self.state.panel = !self.state.panel,
            Key::Escape if self.state.tool != Tool::Look => self.state.tool = Tool::Look,
            Key::Escape => self.grant(Ask::Deselect),
            Key::Delete => self.grant(Ask::RemoveSelected),
            _ => {}
        }
    }

    /// Where the keys that are held fly to: right, ahead, up.
    pub(super) fn flying(&self) -> Vec3 {
        let held = |keys: [Key; 2]| f32::from(u8::from(keys.iter().any(|k| self.keys.contains(k))));
        let letter = Key::Character;
        Vec3::new(
            held([letter('d'), Key::Right]) - held([letter('a'), Key::Left]),
            held([letter('w'), Key::Up]) - held([letter('s'), Key::Down]),
            held([letter('e'), letter('e')]) - held([letter('q'), letter('q')]),
        )
    }

    /// The place on the ground that a pixel shows.
    pub(super) fn ground_at(&mut self, pixel: Vec2) -> Result<Option<Vec2>, ViewError> {
        let ray = Ray::through(&self.state.rig.camera(), pixel, self.size);
        Ok(pick_ground(self.session.world()?, &ray).map(|p| p.truncate()))
    }

    /// The line that a tool is drawing.
    pub(super) fn draft(&mut self) -> Result<Option<(Vec2, Vec2)>, ViewError> {
        let drag = self.drag.filter(|d| d.far && d.button == Button::Primary);
        match (drag.and_then(|drag| drag.ground), self.pointer, self.state.tool) {
            (Some(from), Some(at), Tool::Wall) => Ok(self.ground_at(at)?.map(|to| (from, to))),
            _ => Ok(None),
        }
    }

    fn click(&mut self, at: Vec2, from: Option<Vec2>) -> Result<(), ViewError> {
        if self.state.tool == Tool::Look {
            return self.look_at(at);
        }
        let (Some(from), Some(to)) = (from, self.ground_at(at)?) else { return Ok(()) };
        let (tool, shift) = (self.state.tool, self.shift);
        match tool.command(self.session.crowd()?, from, to, shift) {
            Ok(command) => {
                self.session.command(&command)?;
            }
            Err(why) => self.session.tell(why.to_owned()),
        }
        Ok(())
    }

    /// Selects whoever a pixel shows.
    fn look_at(&mut self, pixel: Vec2) -> Result<(), ViewError> {
        let ray = Ray::through(&self.state.rig.camera(), pixel, self.size);
        let agents = self.session.instances()?.to_vec();
        let crowd = self.session.crowd()?;
        let found = pick_agent(crowd.world(), &agents, &ray);
        self.state.selected = found.map(|i| AgentId(crowd.ids()[i]));
        Ok(())
    }
}
