//! Where people went in the last seconds: a layer that fades.

use super::Settings;
use super::layout::Layout;
use super::palette::Palette;
use crate::draw::Rgb;
use crate::{AgentFrame, Image};
use glam::Vec2;
use std::collections::HashMap;

/// How strong a fresh trail is.
const STRENGTH: f32 = 0.5;
/// What is left of a trail after the seconds asked for.
const REST: f32 = 0.08;
/// Faster than this is a jump, not a walk (metres per second).
const JUMP: f32 = 15.0;
/// Strokes are dotted at this distance (pixels).
const SPACING: f32 = 0.7;

/// The fading layer.
pub(super) struct Trails {
    width: usize,
    layer: Vec<(Rgb, f32)>,
    before: HashMap<u32, Vec2>,
    time: f64,
}

impl Trails {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let layer = vec![(Rgb([0; 3]), 0.0); width * height];
        Self { width, layer, before: HashMap::new(), time: f64::NAN }
    }

    /// Fades what is there and adds the way since the last frame.
    pub(super) fn advance(
        &mut self,
        layout: &Layout,
        palette: &Palette,
        settings: &Settings,
        frame: &AgentFrame<'_>,
    ) {
        let passed = (frame.time - self.time) as f32;
        if passed > 0.0 {
            let fade = REST.powf(passed / settings.trail_seconds);
            self.layer.iter_mut().for_each(|(_, alpha)| *alpha *= fade);
        } else if passed < 0.0 {
            self.layer.iter_mut().for_each(|(_, alpha)| *alpha = 0.0);
            self.before.clear();
        }
        let farthest = JUMP * passed.max(0.0);
        for i in 0..frame.len() {
            let now = frame.position(i);
            let before = self.before.insert(frame.ids[i], now);
            if let Some(before) = before.filter(|before| before.distance(now) < farthest) {
                let color = palette.of(settings, frame, i);
                self.stroke(layout.on_map(before), layout.on_map(now), color);
            }
        }
        if self.before.len() > 2 * frame.len() {
            let here: std::collections::HashSet<u32> = frame.ids.iter().copied().collect();
            self.before.retain(|id, _| here.contains(id));
        }
        self.time = frame.time;
    }

    fn stroke(&mut self, from: Vec2, to: Vec2, color: Rgb) {
        let steps = (from.distance(to) / SPACING).ceil().max(1.0) as usize;
        for step in 0..steps {
            let at = from.lerp(to, step as f32 / steps as f32);
            let height = self.layer.len() / self.width;
            if at.x >= 0.0
                && at.y >= 0.0
                && (at.x as usize) < self.width
                && (at.y as usize) < height
            {
                self.layer[at.y as usize * self.width + at.x as usize] = (color, STRENGTH);
            }
        }
    }

    pub(super) fn draw(&self, image: &mut Image, layout: &Layout) {
        let (left, top) = layout.corner;
        for (y, row) in self.layer.chunks_exact(self.width).enumerate() {
            let pixels = &mut image.row_mut(top + y)[left..left + self.width];
            for ((color, alpha), pixel) in row.iter().zip(pixels).filter(|((_, a), _)| *a > 0.01) {
                *pixel = pixel.mix(*color, *alpha);
            }
        }
    }
}
