//! The passes of a frame, one by one.

use throng_gpu::GpuError;

use crate::RenderError;
use crate::bound::Bound;
use crate::cull::{CLASSES, DRAW};
use crate::renderer::{Renderer, Sized, VIEWS};
use crate::shadow::{Casters, SPLITS};
use crate::targets::{colour, depth, kept_depth};
use crate::terrain::PatchList;

/// What an encoder of its own records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Lists of props and casters.
    Cull,
    /// A map of the sun's shadows.
    Shadow(usize),
    /// Ground, crowd, sky and water.
    Solid,
    /// What is done to the picture after that.
    Image,
}

/// The parts of a frame, in the order in which they are done.
pub(crate) const PARTS: [Part; SPLITS + 3] = {
    let mut parts = [Part::Cull; SPLITS + 3];
    let mut i = 0;
    while i < SPLITS {
        parts[i + 1] = Part::Shadow(i);
        i += 1;
    }
    parts[SPLITS + 1] = Part::Solid;
    parts[SPLITS + 2] = Part::Image;
    parts
};

impl Part {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Cull => "cull",
            Self::Shadow(_) => "shadow",
            Self::Solid => "solid",
            Self::Image => "image",
        }
    }
}

/// The passes of one frame in the making.
pub(crate) struct Draws<'a> {
    pub(crate) encoder: &'a mut wgpu::CommandEncoder,
    pub(crate) renderer: &'a Renderer,
    pub(crate) bound: &'a Bound,
    pub(crate) count: u32,
    pub(crate) ranges: &'a [PatchList],
    pub(crate) casters: &'a Casters,
    pub(crate) gases: u32,
    pub(crate) ghosts: u32,
}

impl Draws<'_> {
    pub(crate) fn part(
        &mut self,
        part: Part,
        sized: &Sized,
        target: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        match part {
            Part::Cull => self.cull_first(),
            Part::Shadow(i) => self.shadow(i),
            Part::Solid => {
                self.ground(sized);
                self.cull_crowd(sized);
                self.crowd(sized);
            }
            Part::Image => {
                self.occlusion(sized);
                self.gas(sized);
                self.bloom(sized);
                self.tone(sized, target);
                self.strokes(sized, target)?;
            }
        }
        Ok(())
    }

    /// What everybody plays, props of all views, and casters.
    fn cull_first(&mut self) {
        let mut pass = self.renderer.gpu.pass(self.encoder, "cull");
        if let Some(motion) = &self.renderer.motion {
            motion.record(&mut pass);
        }
        if let Some(grass) = self.renderer.place.as_ref().and_then(|place| place.grass.as_ref()) {
            grass.step(&mut pass);
        }
        let shadows = self.renderer.options.shadow.on;
        let views = || (0..VIEWS).filter(|i| *i == SPLITS || shadows);
        for i in views() {
            self.bound.props[i].record(&mut pass);
            self.bound.crowd[i].iter().for_each(|lists| lists.lists.look(&mut pass));
        }
        for (homes, skins) in &self.bound.homes {
            homes.record(&mut pass);
            if let Some(skins) = skins {
                skins.record(&mut pass);
            }
        }
        for i in views().filter(|i| *i < SPLITS) {
            self.bound.crowd[i].iter().for_each(|lists| lists.lists.record(&mut pass));
        }
    }

    /// One map of the sun's shadows.
    fn shadow(&mut self, i: usize) {
        if !self.renderer.options.shadow.on {
            return;
        }
        let renderer = self.renderer;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth(&renderer.common.shadow_layers[i], Some(1.0))),
            ..Default::default()
        });
        render.set_bind_group(0, &renderer.common.view_groups[i], &[]);
        self.count += terrain(renderer, &mut render, &self.ranges[i], false);
        self.count += props(renderer, self.bound, &mut render, i);
        self.count += people(renderer, self.bound, &mut render, i, Some(self.casters));
    }

    /// Terrain and props.
    fn ground(&mut self, sized: &Sized) {
        let renderer = self.renderer;
        let targets = &sized.targets;
        let view = &renderer.common.view_groups[SPLITS];
        let light = &renderer.common.light_group;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground depth"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth(&targets.depth.view, Some(0.0))),
            ..Default::default()
        });
        render.set_bind_group(0, view, &[]);
        self.count += terrain(renderer, &mut render, &self.ranges[SPLITS], true);
        drop(render);
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground"),
            color_attachments: &[Some(colour(&targets.colour.view, None, true))],
            depth_stencil_attachment: Some(kept_depth(&targets.depth.view)),
            ..Default::default()
        });
        if let Some(place) = &renderer.place {
            render.set_bind_group(0, view, &[]);
            render.set_bind_group(2, light, &[]);
            place.terrain.shade(&renderer.passes.terrain, &sized.ground, &mut render);
            self.count += 1;
        }
        drop(render);
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("props"),
            color_attachments: &[Some(colour(&targets.colour.view, None, false))],
            depth_stencil_attachment: Some(depth(&targets.depth.view, None)),
            ..Default::default()
        });
        render.set_bind_group(0, view, &[]);
        render.set_bind_group(2, light, &[]);
        self.count += props(renderer, self.bound, &mut render, SPLITS);
        let drape = renderer.overlay.on_ground();
        if let (Some((pipeline, group)), Some(place)) = (drape, &renderer.place) {
            render.set_bind_group(2, group, &[]);
            let (terrain, patches) = (&renderer.passes.terrain, &self.ranges[SPLITS]);
            self.count += place.terrain.draw_with(pipeline, terrain, &mut render, patches);
        }
    }

    /// Agents of the picture, by what the ground pass has drawn.
    fn cull_crowd(&mut self, sized: &Sized) {
        let mut pass = self.renderer.gpu.pass(self.encoder, "cull crowd");
        if self.renderer.options.filters.occlusion {
            sized.hiz.record(&mut pass);
        }
        let members = &self.bound.crowd[SPLITS];
        members.iter().for_each(|member| member.lists.record(&mut pass));
        let close = || members.iter().filter_map(|member| member.close.as_ref());
        close().for_each(|close| close.count(&mut pass));
        close().for_each(|close| close.choose(&mut pass));
        if let Some((lists, _)) = &self.bound.grass {
            lists.record(&mut pass);
        }
    }

    /// Crowd and sky; several samples become one.
    fn crowd(&mut self, sized: &Sized) {
        let renderer = self.renderer;
        let targets = &sized.targets;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("crowd"),
            color_attachments: &[Some(colour(
                &targets.colour.view,
                Some(&targets.resolved.view),
                false,
            ))],
            depth_stencil_attachment: Some(depth(&targets.depth.view, None)),
            ..Default::default()
        });
        render.set_bind_group(0, &renderer.common.view_groups[SPLITS], &[]);
        render.set_bind_group(2, &renderer.common.light_group, &[]);
        self.count += people(renderer, self.bound, &mut render, SPLITS, None);
        if let Some((lists, drawn)) = &self.bound.grass {
            self.count += renderer.passes.grass.draw.draw(drawn, lists, &mut render);
        }
        render.set_bind_group(1, &renderer.common.nothing, &[]);
        if renderer.options.sky {
            render.set_pipeline(&renderer.passes.backdrop);
            render.draw(0..3, 0..1);
            self.count += 1;
        }
        if let Some(water) = renderer.place.as_ref().and_then(|place| place.water.as_ref()) {
            render.set_pipeline(&renderer.passes.water);
            water.draw(&mut render);
            self.count += 1;
        }
        if self.ghosts > 0 {
            renderer.passes.ghost.draw(self.ghosts, &mut render);
            self.count += 1;
        }
    }

    /// Darkens what sees little of the sky.
    fn occlusion(&mut self, sized: &Sized) {
        let renderer = self.renderer;
        if !renderer.options.occlusion {
            return;
        }
        let pass = &renderer.passes.occlusion;
        let view = &renderer.common.view_groups[SPLITS];
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("occlusion"),
            color_attachments: &[Some(colour(&sized.occlusion.raw.view, None, true))],
            ..Default::default()
        });
        render.set_bind_group(0, view, &[]);
        pass.measure(&sized.occlusion, &mut render);
        drop(render);
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("occlusion applied"),
            color_attachments: &[Some(colour(&sized.targets.resolved.view, None, false))],
            ..Default::default()
        });
        render.set_bind_group(0, view, &[]);
        pass.apply(&sized.occlusion, &mut render);
        self.count += 2;
    }

    fn gas(&mut self, sized: &Sized) {
        if self.gases == 0 {
            return;
        }
        let renderer = self.renderer;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("gas"),
            color_attachments: &[Some(colour(&sized.targets.resolved.view, None, false))],
            ..Default::default()
        });
        render.set_bind_group(0, &renderer.common.view_groups[SPLITS], &[]);
        render.set_bind_group(2, &renderer.common.light_group, &[]);
        renderer.passes.gas.draw(&sized.gas, self.gases, &mut render);
        self.count += 1;
    }

    fn bloom(&mut self, sized: &Sized) {
        self.count +=
            self.renderer.passes.bloom.record(&self.renderer.gpu, &sized.bloom, self.encoder);
    }

    fn tone(&mut self, sized: &Sized, target: &wgpu::TextureView) {
        let renderer = self.renderer;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("tone"),
            color_attachments: &[Some(colour(target, None, true))],
            ..Default::default()
        });
        render.set_pipeline(&renderer.passes.tone.pipeline);
        render.set_bind_group(0, &renderer.common.view_groups[SPLITS], &[]);
        render.set_bind_group(1, &sized.tone, &[]);
        render.set_bind_group(2, &renderer.common.light_group, &[]);
        render.draw(0..3, 0..1);
        self.count += 1;
    }
}

impl Draws<'_> {
    /// Lines that a host has laid over the picture.
    fn strokes(&mut self, sized: &Sized, target: &wgpu::TextureView) -> Result<(), GpuError> {
        let renderer = self.renderer;
        let Some(strokes) = renderer.overlay.strokes() else { return Ok(()) };
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("strokes"),
            color_attachments: &[Some(colour(target, None, false))],
            ..Default::default()
        });
        render.set_bind_group(0, &renderer.common.view_groups[SPLITS], &[]);
        strokes.draw(&sized.targets.depth.view, &mut render)?;
        self.count += 1;
        Ok(())
    }
}

/// Depth of the terrain in a view. Gives the number of draws.
fn terrain(
    renderer: &Renderer,
    render: &mut wgpu::RenderPass<'_>,
    patches: &PatchList,
    picture: bool,
) -> u32 {
    let Some(place) = &renderer.place else { return 0 };
    place.terrain.draw(&renderer.passes.terrain, render, patches, picture)
}

/// Props of a view. Gives the number of draws.
fn props(
    renderer: &Renderer,
    bound: &Bound,
    render: &mut wgpu::RenderPass<'_>,
    view: usize,
) -> u32 {
    let pass = &renderer.passes.props;
    let parts = &bound.props[view].parts;
    for (i, (part, group)) in parts.iter().zip(&bound.prop_groups[view]).enumerate() {
        render.set_pipeline(if view == SPLITS { &pass.colour[i] } else { &pass.depth });
        render.set_bind_group(1, group, &[]);
        render.draw_indirect(&part.draw, 0);
    }
    parts.len() as u32
}

/// Everybody in a view, by class of detail; in a split those who may cast into it. Gives the number of draws.
fn people(
    renderer: &Renderer,
    bound: &Bound,
    render: &mut wgpu::RenderPass<'_>,
    view: usize,
    casters: Option<&Casters>,
) -> u32 {
    let coloured = view == SPLITS;
    let stand_ins = renderer.place.as_ref().map_or(0.0, |place| place.tables.tallest);
    let mut draws = 0;
    for member in &bound.crowd[view] {
        let actor = member.actor.map(|i| &renderer.actors[i]);
        for (class, group) in member.groups.iter().enumerate() {
            let tallest = actor.map_or(stand_ins, |actor| actor.tallest);
            if casters.is_some_and(|casters| !casters.may_cast(view, class, tallest)) {
                continue;
            }
            let mesh = if coloured { class } else { caster(actor.is_some(), class) };
            let meshes = actor.map_or(&renderer.bodies.classes, |actor| &actor.meshes);
            let (crowd, character) = (&renderer.passes.crowd, &renderer.passes.character);
            let rough = usize::from(mesh + 1 == CLASSES);
            let pipeline = match (actor.is_some(), coloured) {
                // Of stand-ins, which have no maps, vertices show as much as pixels do a class earlier.
                (false, true) => &crowd.colour[usize::from(mesh + 2 >= CLASSES)],
                (false, false) => &crowd.depth,
                (true, true) => &character.colour[rough],
                (true, false) => &character.depth[rough],
            };
            let (vertices, indices) = &meshes[mesh];
            render.set_pipeline(pipeline);
            render.set_bind_group(1, group, &[]);
            render.set_vertex_buffer(0, vertices.slice(..));
            render.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            render.draw_indexed_indirect(&member.lists.draws, class as u64 * DRAW);
            draws += 1;
        }
        if let Some(close) = &member.close {
            let pass = &renderer.passes.close;
            render.set_pipeline(&pass.colour);
            render.set_bind_group(1, &close.group, &[]);
            render.set_vertex_buffer(0, pass.vertices.slice(..));
            render.set_index_buffer(pass.grids.slice(..), wgpu::IndexFormat::Uint32);
            render.draw_indexed_indirect(&close.draw, 0);
            draws += 1;
        }
    }
    draws
}

/// The mesh that casts the shadow of a class: of characters what is seen, which is skinned already; of stand-ins
/// never the finest.
pub(crate) fn caster(character: bool, class: usize) -> usize {
    if character { class } else { class.max(1) }
}
