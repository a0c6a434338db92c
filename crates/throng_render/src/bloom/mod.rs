//! Bloom: light scattered in the lens, modest.
//!
//! Takes the resolved light; gives a soft copy of half its size. Halved with a filter that weighs down single
//! bright texels (Karis 2013), quartered several times, then added up on the way back with a tent
//! (Jimenez, *Next generation post processing in Call of Duty*, 2014).

use throng_gpu::draw::{Blend, Raster, Slot, Slots, Texture2};
use throng_gpu::{Gpu, GpuError, Library, Shader};

use crate::targets::{COLOUR, Target, Targets};

pub(crate) const SHADER: Shader =
    Shader { name: "bloom", source: include_str!("bloom.wgsl"), variants: &[&[]] };

/// Sizes of the soft copies: shifts of the picture's.
const SHIFTS: [usize; LEVELS] = [1, 3, 5];
pub(crate) const LEVELS: usize = 3;

/// Steps down and up.
#[derive(Debug)]
pub(crate) struct BloomPass {
    slots: Slots,
    first: wgpu::RenderPipeline,
    down: wgpu::RenderPipeline,
    up: wgpu::RenderPipeline,
}

/// For one size of picture.
#[derive(Debug)]
pub(crate) struct BloomTargets {
    levels: Vec<Target>,
    /// The picture, then the levels, to read from.
    groups: Vec<wgpu::BindGroup>,
}

impl BloomPass {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let slots = Slots::new(
            gpu,
            "bloom",
            &[Slot::Texture(wgpu::TextureViewDimension::D2), Slot::Sampler],
        )?;
        let program = library.program(gpu, &SHADER, &[])?;
        let step = |fragment, blend| {
            program.raster(&Raster {
                vertex: "whole",
                fragment: Some(fragment),
                groups: &[&slots],
                buffers: &[],
                targets: &[(COLOUR, blend)],
                depth: None,
                samples: 1,
                cull: None,
                unclipped: false,
            })
        };
        let first = step("first", Blend::Replace)?;
        let down = step("down", Blend::Replace)?;
        let up = step("up", Blend::Add)?;
        Ok(Self { slots, first, down, up })
    }

    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        targets: &Targets,
        smooth: &wgpu::Sampler,
    ) -> Result<BloomTargets, GpuError> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let level = |i: usize| {
            let size = targets.size.map(|side| (side >> SHIFTS[i]).max(1));
            Target::new(gpu, &Texture2::new("bloom", size, COLOUR, usage))
        };
        let levels = (0..LEVELS).map(level).collect::<Result<Vec<_>, _>>()?;
        let views = std::iter::once(&targets.resolved.view).chain(levels.iter().map(|l| &l.view));
        let groups = views
            .map(|view| {
                self.slots.bind(&[
                    wgpu::BindingResource::TextureView(view),
                    wgpu::BindingResource::Sampler(smooth),
                ])
            })
            .collect::<Result<_, _>>()?;
        Ok(BloomTargets { levels, groups })
    }

    /// Records all steps; gives the number of draws.
    pub(crate) fn record(&self, targets: &BloomTargets, encoder: &mut wgpu::CommandEncoder) -> u32 {
        let last = LEVELS - 1;
        for i in 0..LEVELS {
            let pipeline = if i == 0 { &self.first } else { &self.down };
            draw(encoder, pipeline, &targets.levels[i], &targets.groups[i], true);
        }
        for i in (0..last).rev() {
            draw(encoder, &self.up, &targets.levels[i], &targets.groups[i + 2], false);
        }
        (LEVELS + last) as u32
    }
}

impl BloomTargets {
    /// The soft picture: the sum of all levels.
    pub(crate) fn soft(&self) -> &wgpu::TextureView {
        &self.levels[0].view
    }
}

fn draw(
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::RenderPipeline,
    to: &Target,
    from: &wgpu::BindGroup,
    clear: bool,
) {
    let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("bloom"),
        color_attachments: &[Some(crate::targets::colour(&to.view, None, clear))],
        ..Default::default()
    });
    render.set_pipeline(pipeline);
    render.set_bind_group(0, from, &[]);
    render.draw(0..3, 0..1);
}
