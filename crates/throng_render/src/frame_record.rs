//! A frame, pass by pass.

use rayon::prelude::*;
use throng_gpu::{Count, GpuError};

use crate::common::view_binding;
use crate::crowd::CrowdPass;
use crate::cull::{CLASSES, CrowdLists, Filter, PropList};
use crate::frame::Agents;
use crate::renderer::{Place, Renderer, Sized, VIEW_STRIDE, VIEWS};
use crate::shadow::{SPLITS, ShadowUniform, splits};
use crate::targets::{colour, depth};
use crate::terrain::{Patch, PatchList, focus_height, patches};
use crate::{Frame, RenderError, View};

/// Which body a split draws: the simplest farther away.
const CASTERS: [usize; SPLITS] = [1, 1, 2, 2];

/// What was asked of the device for the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Draw calls, indirect ones included.
    pub draws: u32,
    /// Patches of terrain in the picture.
    pub patches: u32,
    /// Triangles of all props, before culling.
    pub prop_triangles: u64,
}

/// Lists and groups for one source of agents.
#[derive(Debug)]
pub(crate) struct Bound {
    instances: wgpu::Buffer,
    count: wgpu::Buffer,
    word: u32,
    at_most: u32,
    /// Of the splits, then of the picture.
    crowd: Vec<CrowdLists>,
    props: Vec<PropList>,
    prop_groups: Vec<wgpu::BindGroup>,
    split_groups: Vec<wgpu::BindGroup>,
    picture_groups: Vec<wgpu::BindGroup>,
}

impl Renderer {
    /// Records a frame and hands it to the device.
    pub(crate) fn record(
        &mut self,
        frame: &Frame<'_>,
        target: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        self.bind(frame)?;
        let views = self.views(frame);
        let ranges = self.write_patches(&views)?;
        let (gases, ghosts) = self.write(frame, &views);
        self.census = Census::default();
        let (Some(sized), Some(bound)) = (&self.targets, &self.bound) else { return Ok(()) };
        let record = |part: &Part| {
            let mut encoder = self.gpu.encoder(part.label());
            let mut draws = Draws {
                encoder: &mut encoder,
                renderer: self,
                bound,
                count: 0,
                ranges: &ranges,
                gases,
                ghosts,
            };
            draws.part(*part, sized, target)?;
            let count = draws.count;
            Ok((encoder.finish(), count))
        };
        // On worker threads; the order is that of the list, whoever is ready first.
        let recorded: Result<Vec<_>, RenderError> = PARTS.par_iter().map(record).collect();
        let (buffers, counts): (Vec<_>, Vec<u32>) = recorded?.into_iter().unzip();
        self.census.draws = counts.iter().sum();
        self.census.patches = ranges[SPLITS].count();
        self.census.prop_triangles = self.place.as_ref().map_or(0, |place| place.props.triangles);
        self.gpu.submit_all(buffers);
        Ok(())
    }

    /// What the last frame took.
    #[must_use]
    pub fn census(&self) -> Census {
        self.census
    }

    /// How many agents of each class the last frame drew. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn drawn(&self) -> Result<[u32; CLASSES], RenderError> {
        let mut drawn = [0; CLASSES];
        if let Some(lists) = self.bound.as_ref().and_then(|bound| bound.crowd.last()) {
            for (n, kept) in drawn.iter_mut().zip(&lists.kept) {
                *n = self.gpu.read::<u32>(kept, 1)?[0];
            }
        }
        Ok(drawn)
    }

    /// Places among the instances of all agents that the last frame drew. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn drawn_agents(&self) -> Result<Vec<u32>, RenderError> {
        Ok(self.drawn_by_class()?.concat())
    }

    /// The same for each class of detail.
    ///
    /// # Errors
    /// The device is lost.
    pub fn drawn_by_class(&self) -> Result<[Vec<u32>; CLASSES], RenderError> {
        let mut all = [const { Vec::new() }; CLASSES];
        if let Some(lists) = self.bound.as_ref().and_then(|bound| bound.crowd.last()) {
            for (i, n) in self.drawn()?.into_iter().enumerate() {
                all[i] = self.gpu.read::<u32>(&lists.lists[i], n as usize)?;
            }
        }
        Ok(all)
    }

    /// Depths of the texels of a split's map within two metres of a place, less the depth of the
    /// place itself, after a frame was drawn. For tests:
    /// what stands still has the same ones whatever the camera does.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    #[doc(hidden)]
    pub fn shadow_texels(
        &mut self,
        frame: &Frame<'_>,
        split: usize,
        place: glam::Vec3,
    ) -> Result<Vec<f32>, RenderError> {
        let canvas = crate::Canvas::new(&self.gpu, [64, 36])?;
        self.render(frame, canvas.view(), canvas.size())?;
        let (views, _) = self.views(frame);
        let side = self.common.shadow_side;
        let bytes =
            self.gpu.read_layer(&self.common.parts.shadow_maps.texture, split as u32)?.bytes;
        let depths: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
        let clip = views[split].clip_from_world.project_point3(place);
        let at = (clip.truncate() * glam::Vec2::new(0.5, -0.5) + 0.5) * side as f32;
        let metres = views[split].right.length() * 2.0 / side as f32;
        let reach = (2.0 / metres) as i32;
        let at = at.floor().as_ivec2();
        let inside = |x: i32| (0..side as i32).contains(&x);
        let mut texels = Vec::new();
        for y in at.y - reach..=at.y + reach {
            for x in at.x - reach..=at.x + reach {
                if inside(x) && inside(y) {
                    texels.push(depths[(y * side as i32 + x) as usize] - clip.z);
                }
            }
        }
        Ok(texels)
    }

    /// The views of a frame: splits, then the picture.
    fn views(&self, frame: &Frame<'_>) -> ([View; VIEWS], ShadowUniform) {
        let size = self.targets.as_ref().map_or([1, 1], |sized| sized.targets.size);
        let mut picture = View::picture(&frame.camera, size, frame.time);
        if let Some(place) = &self.place {
            picture.focus_height = focus_height(&place.terrain.ground, frame.camera.eye);
        }
        let options = &self.options;
        let splits = splits(&frame.camera, &picture, self.lit.casts, &options.shadow);
        let all = std::array::from_fn(|i| splits.get(i).map_or(picture, |split| split.view));
        (all, ShadowUniform::new(&splits, &options.shadow))
    }

    /// Writes all that is new in this frame. Gives the number of clouds and of ghosts.
    fn write(
        &self,
        frame: &Frame<'_>,
        (views, shadow): &([View; VIEWS], ShadowUniform),
    ) -> (u32, u32) {
        let gpu = &self.gpu;
        let eye = frame.camera.eye;
        let ground = |p| self.place.as_ref().map_or(0.0, |place| place.terrain.ground.height(p));
        let gases = self.passes.gas.write(gpu, frame.hazards, eye, ground);
        let glows = self.passes.ghost.write(gpu, frame.hazards, eye, self.lit.exposure, ground);
        for (i, view) in views.iter().enumerate() {
            gpu.write(&self.common.views, i as u64 * VIEW_STRIDE, &[*view]);
        }
        gpu.write(
            &self.common.parts.light,
            0,
            &[self.lit.uniform(self.common.parts.map.uniforms, &glows)],
        );
        gpu.write(&self.common.parts.shadow, 0, &[*shadow]);
        if let (Some(place), Some(bound)) = (&self.place, &self.bound) {
            place.terrain.paint(gpu, &self.passes.terrain, self.flat_ground());
            let filters = &self.options.filters;
            let filter = Filter {
                frustum: filters.frustum.into(),
                occlusion: filters.occlusion.into(),
                detail: filters.detail.into(),
                word: bound.word,
                near_pixels: filters.pixels[0],
                middle_pixels: filters.pixels[1],
                tallest: place.tables.tallest,
                at_most: bound.at_most,
            };
            let picture = &views[SPLITS];
            let pixels = picture.height / (2.0 * picture.up.length());
            let casting = Filter { near_pixels: pixels, ..filter };
            bound.crowd[..SPLITS].iter().for_each(|lists| lists.set(gpu, casting));
            bound.crowd[SPLITS..].iter().for_each(|lists| lists.set(gpu, filter));
            bound.props.iter().for_each(|list| list.set(gpu, filters, pixels));
        }
        if let Agents::Slice(agents) = frame.agents {
            gpu.write(&self.uploads.instances, 0, agents);
            gpu.write(&self.uploads.count, 0, &[agents.len() as u32]);
        }
        (gases, glows.len() as u32)
    }

    fn write_patches(
        &mut self,
        (views, _): &([View; VIEWS], ShadowUniform),
    ) -> Result<Vec<PatchList>, RenderError> {
        let Some(place) = &mut self.place else { return Ok(vec![PatchList::default(); VIEWS]) };
        let mut all: Vec<Patch> = Vec::new();
        let mut ranges = vec![PatchList::default(); VIEWS];
        // All views draw the same ground, lest it shadows itself.
        let picture = &views[SPLITS];
        let pixel = if self.options.filters.detail {
            2.0 * picture.up.length() / picture.height
        } else {
            0.0
        };
        let (ground, plainness) = (&place.terrain.ground, &mut place.terrain.plainness);
        for (i, view) in views.iter().enumerate() {
            if i == SPLITS || self.options.shadow.on {
                ranges[i] = patches(ground, plainness, view, pixel, &mut all);
            }
        }
        place.terrain.write(&self.pool, &all)?;
        Ok(ranges)
    }

    /// Makes lists and groups, unless they are there for this source of agents.
    fn bind(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
        let (instances, count, word, at_most) = match frame.agents {
            Agents::Slice(agents) => {
                let bytes = size_of_val(agents).max(32) as u64;
                self.pool.grow(&mut self.uploads.instances, bytes)?;
                let room = (self.uploads.instances.size() / 32) as u32;
                (self.uploads.instances.raw().clone(), self.uploads.count.raw().clone(), 0, room)
            }
            Agents::Buffer { instances, count, word, at_most } => {
                (instances.clone(), count.clone(), word, at_most)
            }
        };
        let same = |b: &Bound| {
            b.instances == instances && b.count == count && (b.word, b.at_most) == (word, at_most)
        };
        if self.bound.as_ref().is_some_and(same) {
            return Ok(());
        }
        let (Some(place), Some(sized)) = (&self.place, &self.targets) else { return Ok(()) };
        let known = Count::InBuffer { buffer: &count, word, at_most };
        let mut bound = Bound {
            instances,
            count: count.clone(),
            word,
            at_most,
            crowd: Vec::new(),
            props: Vec::new(),
            prop_groups: Vec::new(),
            split_groups: Vec::new(),
            picture_groups: Vec::new(),
        };
        for i in 0..VIEWS {
            self.bind_view(place, sized, &mut bound, known, i)?;
        }
        self.bound = Some(bound);
        Ok(())
    }

    fn bind_view(
        &self,
        place: &Place,
        sized: &Sized,
        bound: &mut Bound,
        known: Count<'_>,
        i: usize,
    ) -> Result<(), GpuError> {
        let view = || view_binding(&self.common.views, i as u64);
        let props = self.passes.prop_cull.bind(&self.pool, view(), &place.props)?;
        bound.prop_groups.push(self.passes.props.bind(&place.props, &props.list)?);
        bound.props.push(props);
        let picture = i == SPLITS;
        let indices = self.bodies.indices;
        let indices = if picture { indices } else { [indices[CASTERS[i]], 0, 0] };
        let hiz = picture.then_some(&sized.hiz);
        let lists = self.passes.crowd_cull.bind(
            &self.pool,
            view(),
            &bound.instances,
            known,
            &bound.count,
            hiz,
            indices,
        )?;
        for list in &lists.lists {
            let tints = &self.overlay.tint.words;
            let group = group(&self.passes.crowd, &bound.instances, list, place, tints)?;
            if picture { bound.picture_groups.push(group) } else { bound.split_groups.push(group) }
        }
        bound.crowd.push(lists);
        Ok(())
    }
}

fn group(
    pass: &CrowdPass,
    instances: &wgpu::Buffer,
    list: &wgpu::Buffer,
    place: &Place,
    tints: &wgpu::Buffer,
) -> Result<wgpu::BindGroup, GpuError> {
    pass.slots.bind(&[
        instances.as_entire_binding(),
        list.as_entire_binding(),
        place.tables.rows.as_entire_binding(),
        tints.as_entire_binding(),
    ])
}

/// What an encoder of its own records.
#[derive(Clone, Copy, Debug)]
enum Part {
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
const PARTS: [Part; SPLITS + 3] = {
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
    fn label(self) -> &'static str {
        match self {
            Self::Cull => "cull",
            Self::Shadow(_) => "shadow",
            Self::Solid => "solid",
            Self::Image => "image",
        }
    }
}

/// The passes of one frame in the making.
struct Draws<'a> {
    encoder: &'a mut wgpu::CommandEncoder,
    renderer: &'a Renderer,
    bound: &'a Bound,
    count: u32,
    ranges: &'a [PatchList],
    gases: u32,
    ghosts: u32,
}

impl Draws<'_> {
    fn part(
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

    /// Props of all views, and casters.
    fn cull_first(&mut self) {
        let mut pass = self.renderer.gpu.pass(self.encoder, "cull");
        let shadows = self.renderer.options.shadow.on;
        for i in 0..VIEWS {
            if i == SPLITS || shadows {
                self.bound.props[i].record(&mut pass);
            }
            if i < SPLITS && shadows {
                self.bound.crowd[i].record(&mut pass);
            }
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
        self.count += solids(renderer, self.bound, &mut render, i, &self.ranges[i], false);
        render.set_pipeline(&renderer.passes.crowd.depth);
        render.set_bind_group(1, &self.bound.split_groups[i], &[]);
        body(renderer, &mut render, CASTERS[i]);
        render.draw_indexed_indirect(&self.bound.crowd[i].draws, 0);
        self.count += 1;
    }

    /// Terrain and props.
    fn ground(&mut self, sized: &Sized) {
        let renderer = self.renderer;
        let mut render = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground"),
            color_attachments: &[Some(colour(&sized.targets.colour.view, None, true))],
            depth_stencil_attachment: Some(depth(&sized.targets.depth.view, Some(0.0))),
            ..Default::default()
        });
        render.set_bind_group(0, &renderer.common.view_groups[SPLITS], &[]);
        render.set_bind_group(2, &renderer.common.light_group, &[]);
        self.count += solids(renderer, self.bound, &mut render, SPLITS, &self.ranges[SPLITS], true);
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
        self.bound.crowd[SPLITS].record(&mut pass);
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
        render.set_pipeline(&renderer.passes.crowd.colour);
        for class in 0..CLASSES {
            render.set_bind_group(1, &self.bound.picture_groups[class], &[]);
            body(renderer, &mut render, class);
            let at = class as u64 * 20;
            render.draw_indexed_indirect(&self.bound.crowd[SPLITS].draws, at);
            self.count += 1;
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
        self.count += self.renderer.passes.bloom.record(&sized.bloom, self.encoder);
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

/// Terrain and props of a view. Gives the number of draws.
fn solids(
    renderer: &Renderer,
    bound: &Bound,
    render: &mut wgpu::RenderPass<'_>,
    i: usize,
    patches: &PatchList,
    coloured: bool,
) -> u32 {
    let Some(place) = &renderer.place else { return 0 };
    let draws = place.terrain.draw(&renderer.passes.terrain, render, patches, coloured);
    let props = &renderer.passes.props;
    render.set_pipeline(if coloured { &props.colour } else { &props.depth });
    render.set_bind_group(1, &bound.prop_groups[i], &[]);
    render.draw_indirect(&bound.props[i].draw, 0);
    draws + 1
}

fn body(renderer: &Renderer, render: &mut wgpu::RenderPass<'_>, class: usize) {
    let (vertices, indices) = &renderer.bodies.classes[class];
    render.set_vertex_buffer(0, vertices.slice(..));
    render.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
}
