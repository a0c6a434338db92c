//! Bloom: light scattered in the lens, modest.
//!
//! Takes the resolved light; gives a soft copy of half its size. Halved with a filter that weighs down single
//! bright texels (Karis 2013), quartered several times, then added up on the way back with a tent
//! (Jimenez, *Next generation post processing in Call of Duty*, 2014). The way down is no drawing: kernels do it.

use throng_gpu::draw::{Blend, Raster, Slot, Slots, Texture2};
use throng_gpu::{Def, Defs, Gpu, GpuError, Kernel, Library, Prepared, Shader};

use crate::targets::{COLOUR, Target, Targets};

pub(crate) const SHADER: Shader =
    Shader { name: "bloom", source: include_str!("bloom.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[("SQUARE", Def::Number(SQUARE))];

/// Texels along a side of what a workgroup makes.
const SQUARE: u32 = 8;

/// Sizes of the soft copies: shifts of the picture's.
const SHIFTS: [usize; LEVELS] = [1, 3, 5];
pub(crate) const LEVELS: usize = 3;

/// Steps down and up.
#[derive(Debug)]
pub(crate) struct BloomPass {
    slots: Slots,
    first: Kernel,
    down: Kernel,
    up: wgpu::RenderPipeline,
}

/// For one size of picture.
#[derive(Debug)]
pub(crate) struct BloomTargets {
    levels: Vec<Target>,
    down: Prepared,
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
        let program = library.program(gpu, &SHADER, DEFS)?;
        let up = program.raster(&Raster {
            vertex: "whole",
            fragment: Some("up"),
            groups: &[&slots],
            buffers: &[],
            targets: &[(COLOUR, Blend::Add)],
            depth: None,
            samples: 1,
            cull: None,
            unclipped: false,
        })?;
        Ok(Self { slots, first: program.kernel("first")?, down: program.kernel("down")?, up })
    }

    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        targets: &Targets,
        smooth: &wgpu::Sampler,
    ) -> Result<BloomTargets, GpuError> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::TEXTURE_BINDING;
        let size = |i: usize| targets.size.map(|side: u32| (side >> SHIFTS[i]).max(1));
        let level = |i: usize| Target::new(gpu, &Texture2::new("bloom", size(i), COLOUR, usage));
        let levels = (0..LEVELS).map(level).collect::<Result<Vec<_>, _>>()?;
        let views: Vec<_> =
            std::iter::once(&targets.resolved.view).chain(levels.iter().map(|l| &l.view)).collect();
        let mut down = Prepared::new();
        for i in 0..LEVELS {
            let kernel = if i == 0 { &self.first } else { &self.down };
            let bindings = [
                (0, wgpu::BindingResource::TextureView(views[i])),
                (1, wgpu::BindingResource::Sampler(smooth)),
                (2, wgpu::BindingResource::TextureView(views[i + 1])),
            ];
            let [w, h] = size(i).map(|side| side.div_ceil(SQUARE));
            down.push(kernel.step(&bindings, [w, h, 1])?);
        }
        let groups = views
            .into_iter()
            .map(|view| {
                self.slots.bind(&[
                    wgpu::BindingResource::TextureView(view),
                    wgpu::BindingResource::Sampler(smooth),
                ])
            })
            .collect::<Result<_, _>>()?;
        Ok(BloomTargets { levels, down, groups })
    }

    /// Records all steps; gives the number of draws.
    pub(crate) fn record(
        &self,
        gpu: &Gpu,
        targets: &BloomTargets,
        encoder: &mut wgpu::CommandEncoder,
    ) -> u32 {
        targets.down.record(&mut gpu.pass(encoder, "bloom"));
        for i in (0..LEVELS - 1).rev() {
            draw(encoder, &self.up, &targets.levels[i], &targets.groups[i + 2]);
        }
        LEVELS as u32 - 1
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
) {
    let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("bloom"),
        color_attachments: &[Some(crate::targets::colour(&to.view, None, false))],
        ..Default::default()
    });
    render.set_pipeline(pipeline);
    render.set_bind_group(0, from, &[]);
    render.draw(0..3, 0..1);
}
