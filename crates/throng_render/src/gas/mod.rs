//! Gas: clouds near the ground, as soft volumes.
//!
//! Takes hazards and the depth of the picture; draws over the resolved light. A ray goes through an
//! ellipsoid in steps, to where something solid is.

use glam::Vec3;
use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Buffer, Gpu, GpuError, Library, Pool, Shader};

use crate::crowd::linear;
use crate::targets::{COLOUR, Targets};
use crate::{Hazard, HazardLook};

pub(crate) const SHADER: Shader =
    Shader { name: "gas", source: include_str!("gas.wgsl"), variants: &[&[]] };

/// The most clouds in a picture; farther ones are left out.
pub(crate) const MOST: usize = 64;

/// `Cloud` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Cloud {
    centre: Vec3,
    radius: f32,
    colour: Vec3,
    height: f32,
}

/// Draws clouds.
#[derive(Debug)]
pub(crate) struct GasPass {
    slots: Slots,
    pipeline: wgpu::RenderPipeline,
    clouds: Buffer,
}

impl GasPass {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let slots = Slots::new(gpu, "gas", &[Slot::Storage, Slot::DepthSamples])?;
        let pipeline = library.program(gpu, &SHADER, &[])?.raster(&Raster {
            vertex: "gas",
            fragment: Some("gas_colour"),
            groups: &[view, &slots, light],
            buffers: &[],
            targets: &[(COLOUR, Blend::Over)],
            depth: None,
            samples: 1,
            // Far sides: they are there also when the eye is in the cloud.
            cull: Some(wgpu::Face::Front),
            unclipped: false,
        })?;
        let clouds = pool.array::<Cloud>("clouds", MOST)?;
        Ok(Self { slots, pipeline, clouds })
    }

    pub(crate) fn bind(&self, targets: &Targets) -> Result<wgpu::BindGroup, GpuError> {
        self.slots.bind(&[
            self.clouds.as_entire_binding(),
            wgpu::BindingResource::TextureView(&targets.depth.view),
        ])
    }

    /// Brings the clouds up, farthest first; gives their number.
    pub(crate) fn write(
        &self,
        gpu: &Gpu,
        hazards: &[Hazard],
        eye: Vec3,
        ground: impl Fn(glam::Vec2) -> f32,
    ) -> u32 {
        let mut clouds: Vec<Cloud> = hazards
            .iter()
            .filter(|hazard| hazard.look == HazardLook::Gas)
            .map(|hazard| Cloud {
                centre: hazard.place(ground(hazard.position)),
                radius: hazard.radius,
                colour: linear(hazard.colour),
                height: 1.2 + hazard.radius * 0.28,
            })
            .collect();
        clouds.sort_by(|a, b| {
            eye.distance_squared(b.centre).total_cmp(&eye.distance_squared(a.centre))
        });
        let nearest = clouds.len().saturating_sub(MOST);
        gpu.write(&self.clouds, 0, &clouds[nearest..]);
        (clouds.len() - nearest) as u32
    }

    /// Groups 0 and 2 are set already.
    pub(crate) fn draw(
        &self,
        group: &wgpu::BindGroup,
        count: u32,
        render: &mut wgpu::RenderPass<'_>,
    ) {
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(1, group, &[]);
        render.draw(0..36, 0..count);
    }
}
