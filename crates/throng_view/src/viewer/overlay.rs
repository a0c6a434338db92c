//! What is laid over the picture, kept up to date.

use throng::AgentId;
use throng_render::{Agents, Camera, Filters, Frame, Stroke, Tint};

use super::Viewer;
use crate::layers::{
    CLASS_COLOURS, Layer, Legend, by_speed, covering, culled, grass, ground, legend, marks,
};
use crate::{GrassTuning, Picture, ViewError};

/// What lies over the picture now.
#[derive(Debug, Default)]
pub(super) struct Laid {
    /// What the numbers on the ground were made of: layer, field, step.
    ground: Option<(Layer, (u8, u16), u64)>,
    range: [f32; 2],
    tinted: bool,
    culled: Option<[usize; 3]>,
}

impl Laid {
    /// The numbers on the ground are to be made anew.
    pub(super) fn forget_ground(&mut self) {
        self.ground = None;
    }

    pub(super) fn legend(&self, layer: Layer) -> Option<Legend> {
        legend(layer, self.range, self.culled)
    }
}

/// All that a picture depends on: where it is the same, the picture is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    step: u64,
    commands: usize,
    camera: Camera,
    layer: Layer,
    field: (u8, u16),
    grass: Option<GrassTuning>,
    selected: Option<AgentId>,
    strokes: Vec<Stroke>,
}

impl Viewer {
    /// What there is to see now.
    pub(super) fn seen(&mut self) -> Result<Seen, ViewError> {
        let draft = self.draft()?;
        let aspect = self.size[0] as f32 / self.size[1] as f32;
        let selected = self.model.selected.as_ref().map(|t| (&t.state, t.way.as_slice()));
        Ok(Seen {
            step: self.session.steps(),
            commands: self.session.log().commands(),
            camera: self.state.rig.camera(),
            layer: self.state.layer,
            field: self.state.field,
            grass: self.state.grass,
            selected: self.state.selected,
            strokes: marks(self.session.crowd()?, &self.state, selected, draft, aspect),
        })
    }

    /// Brings all overlays up to date.
    pub(super) fn lay(&mut self, picture: &mut Picture, seen: &Seen) -> Result<(), ViewError> {
        self.tune_grass(picture);
        self.lay_ground(picture)?;
        self.lay_tints(picture)?;
        picture.renderer().set_strokes(&seen.strokes)?;
        Ok(())
    }

    /// Sliders and forms of the grass.
    fn tune_grass(&self, picture: &mut Picture) {
        let renderer = picture.renderer();
        renderer.show_grass_forms(self.state.layer == Layer::GrassForms);
        if let (Some(tuned), Some(params)) = (self.state.grass, renderer.grass_params()) {
            params.wind.strength = tuned.strength;
            params.wind.speed = tuned.speed;
            params.recovery = tuned.recovery;
        }
    }

    fn lay_ground(&mut self, picture: &mut Picture) -> Result<(), ViewError> {
        let key = (self.state.layer, self.state.field, self.session.steps());
        if self.laid.ground == Some(key) {
            return Ok(());
        }
        let mut made = ground(self.session.crowd()?, self.state.layer, self.state.field);
        if Layer::GRASS.contains(&self.state.layer) {
            made = grass(picture.renderer(), self.state.layer)?;
        }
        self.laid.range = made.as_ref().map_or([0.0, 1.0], |ground| ground.range);
        picture.renderer().set_drape(made.as_ref().map(|ground| ground.drape()).as_ref())?;
        self.laid.ground = Some(key);
        Ok(())
    }

    fn lay_tints(&mut self, picture: &mut Picture) -> Result<(), ViewError> {
        let usual = Filters::default();
        picture.renderer().options.filters = usual;
        match self.state.layer {
            Layer::Speed => {
                let tints = by_speed(self.session.crowd()?);
                picture.renderer().set_tint(Tint::Agents(&tints))?;
            }
            Layer::Detail => {
                picture.renderer().set_tint(Tint::Classes(CLASS_COLOURS.map(covering)))?;
            }
            Layer::Culled => {
                let camera = self.state.frozen.unwrap_or_else(|| self.state.rig.camera());
                let (size, time) = (self.size, self.session.time() as f32);
                let agents = self.session.instances()?;
                let frame = Frame { camera, agents: Agents::Slice(agents), hazards: &[], time };
                let drawn = picture.who_is_drawn(&frame)?;
                let (tints, counts) = culled(agents, &drawn, &camera, size);
                self.laid.culled = Some(counts);
                let renderer = picture.renderer();
                renderer.set_tint(Tint::Agents(&tints))?;
                // Everybody is to be seen, above all those who were not drawn.
                renderer.options.filters = Filters { frustum: false, occlusion: false, ..usual };
            }
            _ if self.laid.tinted => picture.renderer().set_tint(Tint::None)?,
            _ => {}
        }
        self.laid.tinted = matches!(self.state.layer, Layer::Speed | Layer::Detail | Layer::Culled);
        Ok(())
    }
}
