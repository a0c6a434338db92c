//! Ghost: a pale draped figure that floats and glows; and boulders that roll, in the same draw.
//!
//! Takes hazards; draws into the picture over what is there. Shapes are made in the shader.

use glam::{Vec2, Vec3};
use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Buffer, Def, Defs, Gpu, GpuError, Library, Pool, Shader};

use crate::crowd::linear;
use crate::light::{GLOWS, Glow};
use crate::targets::{COLOUR, SAMPLES, in_front};
use crate::{Hazard, HazardLook};

/// Sides of the figure, and rings from hem to crown.
const SIDES: u32 = 40;
const RINGS: u32 = 28;
/// Figures in one picture, at most: those that glow, and as many boulders.
const MOST: usize = 2 * GLOWS;
/// Height of a ghost (metres).
const HEIGHT: f32 = 3.4;

const DEFS: Defs = &[("SIDES", Def::Number(SIDES)), ("RINGS", Def::Number(RINGS))];

pub(crate) const SHADER: Shader =
    Shader { name: "ghost", source: include_str!("ghost.wgsl"), variants: &[DEFS] };

/// `Figure` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Figure {
    position: Vec3,
    height: f32,
    colour: Vec3,
    yaw: f32,
    /// 0: a ghost; 1: a boulder.
    boulder: u32,
    /// How far it has rolled (radians).
    rolled: f32,
    unused: [u32; 2],
}

/// Draws ghosts.
#[derive(Debug)]
pub(crate) struct GhostPass {
    pipeline: wgpu::RenderPipeline,
    figures: Buffer,
    group: wgpu::BindGroup,
}

impl GhostPass {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let slots = Slots::new(gpu, "ghost", &[Slot::Storage])?;
        let pipeline = library.program(gpu, &SHADER, DEFS)?.raster(&Raster {
            vertex: "ghost",
            fragment: Some("ghost_colour"),
            groups: &[view, &slots, light],
            buffers: &[],
            targets: &[(COLOUR, Blend::Over)],
            depth: Some(in_front(true)),
            samples: SAMPLES,
            cull: Some(wgpu::Face::Back),
            unclipped: false,
        })?;
        let figures = pool.array::<Figure>("ghosts", MOST)?;
        let group = slots.bind(&[figures.as_entire_binding()])?;
        Ok(Self { pipeline, figures, group })
    }

    /// Brings the figures up, the nearest ones; gives what they shine, and how many there are.
    pub(crate) fn write(
        &self,
        gpu: &Gpu,
        hazards: &[Hazard],
        eye: Vec3,
        exposure: f32,
        ground: impl Fn(Vec2) -> f32,
    ) -> (Vec<Glow>, u32) {
        let nearest = |look: HazardLook| {
            let mut all: Vec<_> = hazards.iter().filter(|hazard| hazard.look == look).collect();
            all.sort_by(|a, b| {
                let away = |h: &Hazard| h.position.distance_squared(eye.truncate());
                away(a).total_cmp(&away(b))
            });
            all.truncate(GLOWS);
            all
        };
        let ghosts = nearest(HazardLook::Ghost);
        let place = |h: &Hazard| h.place(ground(h.position));
        let ghost = |h: &&Hazard| Figure {
            position: place(h),
            height: HEIGHT,
            colour: linear(h.colour),
            yaw: h.heading.y.atan2(h.heading.x),
            ..Figure::default()
        };
        let boulder = |h: &&Hazard| Figure {
            height: h.boulder_radius(),
            boulder: 1,
            // By its place on its way: it comes back as it went.
            rolled: h.position.dot(h.heading.normalize_or(Vec2::X)) / h.boulder_radius(),
            ..ghost(h)
        };
        let boulders = nearest(HazardLook::Boulder);
        let figures: Vec<_> =
            ghosts.iter().map(ghost).chain(boulders.iter().map(boulder)).collect();
        gpu.write(&self.figures, 0, &figures);
        // As bright as a lamp seen by day.
        let glow = |h: &&Hazard| Glow {
            position: place(h) + Vec3::Z * HEIGHT * 0.55,
            radius: h.radius.min(14.0),
            colour: linear(h.colour) * Vec3::new(0.55, 0.8, 1.0) * 4.0 / exposure.max(1e-9),
            unused: 0.0,
        };
        (ghosts.iter().map(glow).collect(), figures.len() as u32)
    }

    /// Groups 0 and 2 are set already.
    pub(crate) fn draw(&self, count: u32, render: &mut wgpu::RenderPass<'_>) {
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(1, &self.group, &[]);
        render.draw(0..SIDES * RINGS * 6, 0..count);
    }
}
