//! A frame, pass by pass.

use rayon::prelude::*;
use throng_field::Grid;
use throng_world::grass::GrassParams;

use crate::cull::{CLASSES, Filter};
use crate::frame::Agents;
use crate::frame_passes::{Draws, PARTS, Part};
use crate::renderer::{Renderer, VIEW_STRIDE, VIEWS};
use crate::shadow::{Casters, SPLITS, ShadowUniform, splits};
use crate::terrain::{Fineness, Patch, PatchList, focus_height, patches};
use crate::{Frame, GrassCensus, RenderError, View};

/// How far stand-ins get from their middle, in their heights.
const STAND_IN_REACH: f32 = 0.8;

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

impl Renderer {
    /// Records a frame and hands it to the device.
    pub(crate) fn record(
        &mut self,
        frame: &Frame<'_>,
        target: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        self.bind(frame)?;
        self.move_on(frame);
        let views = self.views(frame);
        self.grow(frame, &views.0[SPLITS]);
        let ranges = self.write_patches(&views)?;
        let (gases, ghosts) = self.write(frame, &views);
        self.census = Census::default();
        let (Some(sized), Some(bound)) = (&self.targets, &self.bound) else { return Ok(()) };
        let filters = &self.options.filters;
        let classes = filters.detail.then_some(filters.pixels);
        let (all, shadow) = &views;
        let casters = Casters::new(&all[SPLITS], shadow.ends(), self.lit.casts, classes);
        let record = |part: &Part| {
            let mut encoder = self.gpu.encoder(part.label());
            let mut draws = Draws {
                encoder: &mut encoder,
                renderer: self,
                bound,
                count: 0,
                ranges: &ranges,
                casters: &casters,
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

    /// Looks at a moment without drawing it: characters that are drawn later walk as fast as they do, in step with
    /// their way, and grass is trodden down where they went. A still of a moment nobody looked at before has to guess.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn observe(&mut self, frame: &Frame<'_>, size: [u32; 2]) -> Result<(), RenderError> {
        if self.actors.is_empty() && !self.has_grass() {
            return Ok(());
        }
        self.fit(size)?;
        self.bind(frame)?;
        self.move_on(frame);
        let (views, _) = self.views(frame);
        self.grow(frame, &views[SPLITS]);
        if let Agents::Slice(agents) = frame.agents {
            self.gpu.write(&self.uploads.instances, 0, agents);
            self.gpu.write(&self.uploads.count, 0, &[agents.len() as u32]);
        }
        let mut encoder = self.gpu.encoder("observe");
        let mut pass = self.gpu.pass(&mut encoder, "observe");
        if let Some(motion) = &self.motion {
            motion.record(&mut pass);
        }
        if let Some(grass) = self.place.as_ref().and_then(|place| place.grass.as_ref()) {
            grass.step(&mut pass);
        }
        drop(pass);
        self.gpu.submit(encoder);
        Ok(())
    }

    /// Grass goes to the moment of a frame.
    fn grow(&mut self, frame: &Frame<'_>, picture: &View) {
        let Some(place) = &mut self.place else { return };
        if let Some(grass) = &mut place.grass {
            let ground = |p| place.terrain.ground.height(p);
            grass.move_on(&self.gpu, frame, picture, &self.options.filters, ground);
        }
    }

    /// How the grass of the world grows and moves, to be changed while it does; `None` where there is none. What
    /// it is sown by changes nothing any more.
    pub fn grass_params(&mut self) -> Option<&mut GrassParams> {
        let grass = self.place.as_mut().and_then(|place| place.grass.as_mut());
        grass.map(|grass| &mut grass.params)
    }

    /// Colours grass by the form it is drawn in, or as it is.
    pub fn show_grass_forms(&mut self, forms: bool) {
        if let Some(grass) = self.place.as_mut().and_then(|place| place.grass.as_mut()) {
            grass.show = forms.into();
        }
    }

    /// Tiles of grass: 2 where bodies touch it near the camera, 1 where it recovers from that, else 0; `None` where
    /// there is no grass. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn grass_tiles(&self) -> Result<Option<Grid<f32>>, RenderError> {
        let grass = self.place.as_ref().and_then(|place| place.grass.as_ref());
        let Some(grass) = grass else { return Ok(None) };
        Ok(grass.tile_states(&self.gpu)?)
    }

    /// Whether the world has grass.
    #[must_use]
    pub fn has_grass(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.grass.is_some())
    }

    /// What the last frame had of grass; nothing where there is none. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn grass_census(&self) -> Result<GrassCensus, RenderError> {
        let grass = self.place.as_ref().and_then(|place| place.grass.as_ref());
        let lists = self.bound.as_ref().and_then(|bound| bound.grass.as_ref());
        let (Some(grass), Some((lists, _))) = (grass, lists) else {
            return Ok(GrassCensus::default());
        };
        Ok(grass.census(&self.gpu, lists)?)
    }

    /// How strongly grass is trodden down, and how worn the ground is, over the place; nothing where there is no
    /// grass. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn trample_map(&self) -> Result<Option<[Grid<f32>; 2]>, RenderError> {
        let grass = self.place.as_ref().and_then(|place| place.grass.as_ref());
        let Some(grass) = grass else { return Ok(None) };
        let map = &grass.map;
        let texels = map.read(&self.gpu)?;
        let grid = |channel: usize| {
            let (w, h) = (map.size.x as usize, map.size.y as usize);
            let values = texels.iter().map(|texel| texel[channel]).collect();
            Grid::from_vec(w, h, values).ok()?.placed(map.cell, map.origin).ok()
        };
        Ok(grid(2).zip(grid(3)).map(|(strength, wear)| [strength, wear]))
    }

    /// Time since the last frame, for who moves.
    fn move_on(&mut self, frame: &Frame<'_>) {
        let dt = self.clock.tick(frame.time);
        if let Some(motion) = &self.motion {
            motion.set(&self.gpu, frame.time, dt);
        }
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
        for member in self.bound.iter().flat_map(|bound| bound.crowd.last()).flatten() {
            for (n, kept) in drawn.iter_mut().zip(&member.lists.kept) {
                *n += self.gpu.read::<u32>(kept, 1)?[0];
            }
        }
        Ok(drawn)
    }

    /// Of the last frame's close-ups: the level, how many characters were near, and how many triangles they got
    /// beyond those of their cages. Waits: for tools and tests.
    ///
    /// # Errors
    /// The device is lost.
    pub fn close_ups(&self) -> Result<(f32, u32, u64), RenderError> {
        let mut all = (1.0, 0, 0);
        for member in self.bound.iter().flat_map(|bound| bound.crowd.last()).flatten() {
            if let Some(close) = &member.close {
                let words = self.gpu.read::<u32>(&close.cage, 8)?;
                all.0 = f32::from_bits(words[0]);
                all.1 += words[5];
                all.2 += u64::from(words[6]);
            }
        }
        Ok(all)
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
        for member in self.bound.iter().flat_map(|bound| bound.crowd.last()).flatten() {
            for (i, all) in all.iter_mut().enumerate() {
                let n = self.gpu.read::<u32>(&member.lists.kept[i], 1)?[0];
                all.extend(self.gpu.read::<u32>(&member.lists.lists[i], n as usize)?);
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

    /// Writes all that is new in this frame. Gives the number of clouds, and of ghosts and boulders.
    fn write(
        &self,
        frame: &Frame<'_>,
        (views, shadow): &([View; VIEWS], ShadowUniform),
    ) -> (u32, u32) {
        let gpu = &self.gpu;
        let eye = frame.camera.eye;
        let ground = |p| self.place.as_ref().map_or(0.0, |place| place.terrain.ground.height(p));
        let gases = self.passes.gas.write(gpu, frame.hazards, eye, ground);
        let (glows, figures) =
            self.passes.ghost.write(gpu, frame.hazards, eye, self.lit.exposure, ground);
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
            let filters = &self.options.filters;
            let picture = &views[SPLITS];
            place.terrain.paint(gpu, &self.passes.terrain, self.flat_ground());
            let pixels = picture.height / (2.0 * picture.up.length());
            let filter = Filter {
                frustum: filters.frustum.into(),
                occlusion: filters.occlusion.into(),
                detail: filters.detail.into(),
                word: bound.word,
                classes: filters.pixels,
                pixels,
                tallest: place.tables.tallest,
                reach: STAND_IN_REACH,
                at_most: bound.at_most,
                cast: 0,
                bit: 0,
                first: 0,
                casts: 0,
                unused: 0,
                casting: self.casting,
            };
            let first = if self.options.shadow.on { 0 } else { SPLITS };
            for (view, members) in bound.crowd.iter().enumerate() {
                for (member, (homes, _)) in members.iter().zip(&bound.homes) {
                    let actor = member.actor.map(|i| (i, &self.actors[i]));
                    let own = actor.map_or(filter, |(i, actor)| Filter {
                        cast: i as u32 + 1,
                        tallest: actor.tallest,
                        reach: actor.model.reach + 0.1,
                        ..filter
                    });
                    let own = Filter {
                        bit: view as u32,
                        first: (view == first).into(),
                        casts: (view < SPLITS).into(),
                        ..own
                    };
                    member.lists.set(gpu, own);
                    if view == SPLITS {
                        homes.set(gpu, own);
                    }
                    if let Some(close) = &member.close {
                        close.set(gpu, self.options.close_up);
                    }
                }
            }
            bound.props.iter().for_each(|list| list.set(gpu, filters, pixels));
        }
        if let Agents::Slice(agents) = frame.agents {
            gpu.write(&self.uploads.instances, 0, agents);
            gpu.write(&self.uploads.count, 0, &[agents.len() as u32]);
        }
        (gases, figures)
    }

    fn write_patches(
        &mut self,
        (views, _): &([View; VIEWS], ShadowUniform),
    ) -> Result<Vec<PatchList>, RenderError> {
        let Some(place) = &mut self.place else { return Ok(vec![PatchList::default(); VIEWS]) };
        let mut all: Vec<Patch> = Vec::new();
        let mut ranges = vec![PatchList::default(); VIEWS];
        let fine = Fineness::by(&views[SPLITS], &self.options.filters);
        let (ground, plainness) = (&place.terrain.ground, &mut place.terrain.plainness);
        for (i, view) in views.iter().enumerate() {
            if i == SPLITS || self.options.shadow.on {
                // Without colour small triangles cost little: one draw is better there.
                let fine = if i == SPLITS { fine } else { fine.without_plain() };
                ranges[i] = patches(ground, plainness, view, fine, &mut all);
            }
        }
        place.terrain.write(&self.pool, &all)?;
        Ok(ranges)
    }
}
