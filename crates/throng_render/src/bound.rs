//! Lists and groups for one source of agents: made when it changes, used frame by frame.

use throng_gpu::{Buffer, Count, GpuError};

use crate::character::{CloseUps, MotionBuffers, MotionSource, Skins, places, slots};
use crate::common::view_binding;
use crate::cull::{AgentSource, CrowdLists, Homes, PACKED, PropList, PropPart};
use crate::frame::Agents;
use crate::frame_passes::caster;
use crate::grass::{Drawn, GrassLists};
use crate::renderer::{Place, Renderer, Sized, VIEWS};
use crate::shadow::SPLITS;
use crate::{Frame, RenderError};

/// Lists and groups for one source of agents.
#[derive(Debug)]
pub(crate) struct Bound {
    instances: wgpu::Buffer,
    count: wgpu::Buffer,
    pub(crate) word: u32,
    pub(crate) at_most: u32,
    /// Of the splits, then of the picture: those who are in the cast.
    pub(crate) crowd: Vec<Vec<MemberLists>>,
    pub(crate) props: Vec<PropList>,
    pub(crate) prop_groups: Vec<Vec<wgpu::BindGroup>>,
    /// Classes and slots, and skinned vertices of characters; one for each of the cast.
    pub(crate) homes: Vec<(Homes, Option<Skins>)>,
    /// Sum of who is near, over the cast.
    near: Buffer,
    skin_once: bool,
    /// Grass of the picture.
    pub(crate) grass: Option<(GrassLists, Drawn)>,
}

/// What one view draws of one of the cast.
#[derive(Debug)]
pub(crate) struct MemberLists {
    /// Which character; none: stand-ins.
    pub(crate) actor: Option<usize>,
    pub(crate) lists: CrowdLists,
    /// Per class of detail.
    pub(crate) groups: Vec<wgpu::BindGroup>,
    /// Of characters in the picture.
    pub(crate) close: Option<CloseUps>,
}

impl Renderer {
    /// Makes lists and groups, unless they are there for this source of agents.
    pub(crate) fn bind(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
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
            b.instances == instances
                && b.count == count
                && (b.word, b.at_most, b.skin_once) == (word, at_most, self.options.skin_once)
        };
        if self.bound.as_ref().is_some_and(same) {
            return Ok(());
        }
        if let Some(grass) = self.place.as_mut().and_then(|place| place.grass.as_mut()) {
            let of = (instances.clone(), count.clone(), word, at_most);
            grass.follow(&self.pool, &self.passes.grass, &self.common.smooth, of)?;
        }
        let (Some(place), Some(sized)) = (&self.place, &self.targets) else { return Ok(()) };
        // What is known of the agents outlives lists: of a picture of another size, or among other walls.
        let kept = self.motion.take();
        self.motion = kept.filter(|m| m.is_of(&instances, &count, (word, at_most)));
        if self.motion.is_none() && !self.actors.is_empty() {
            let source = MotionSource {
                instances: &instances,
                count: &count,
                word,
                at_most,
                tables: &place.tables.rows,
                casting: self.casting,
            };
            let pass = &self.passes.character;
            self.motion = Some(MotionBuffers::new(&self.pool, pass, &self.actors, &source)?);
        }
        let known = Count::InBuffer { buffer: &count, word, at_most };
        let mut bound = Bound {
            instances,
            count: count.clone(),
            word,
            at_most,
            crowd: Vec::new(),
            props: Vec::new(),
            prop_groups: Vec::new(),
            homes: Vec::new(),
            near: self.pool.array_of("near", &[0_u32; 2])?,
            skin_once: self.options.skin_once,
            grass: None,
        };
        if let Some(grass) = &place.grass {
            let view = view_binding(&self.common.views, SPLITS as u64);
            let (passes, smooth) = (&self.passes.grass, &self.common.smooth);
            bound.grass = Some(grass.lists(&self.pool, passes, smooth, view, &sized.hiz)?);
        }
        self.bind_homes(&mut bound, known)?;
        for i in 0..VIEWS {
            self.bind_view(place, sized, &mut bound, known, i)?;
        }
        self.bound = Some(bound);
        Ok(())
    }

    /// Classes and slots of everybody, the same in all views.
    fn bind_homes(&self, bound: &mut Bound, known: Count<'_>) -> Result<(), GpuError> {
        let picture = || view_binding(&self.common.views, SPLITS as u64);
        for actor in self.seen_members() {
            let source = AgentSource {
                instances: &bound.instances,
                count: known,
                count_buffer: &bound.count,
            };
            let (Some(actor), Some(motion)) = (actor.map(|i| &self.actors[i]), &self.motion) else {
                let homes =
                    self.passes.crowd_cull.homes(&self.pool, picture(), source, [0; PACKED])?;
                bound.homes.push((homes, None));
                continue;
            };
            let slots = if bound.skin_once { slots(actor, bound.at_most) } else { [0; PACKED] };
            actor.settle(&self.gpu, places(actor, slots));
            let homes = self.passes.crowd_cull.homes(&self.pool, picture(), source, slots)?;
            let kernel = &self.passes.character.skin;
            let skins = Skins::new(&self.pool, kernel, actor, (&homes, slots), &motion.played)?;
            bound.homes.push((homes, Some(skins)));
        }
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
        let picture = i == SPLITS;
        let props = self.passes.prop_cull.bind(&self.pool, view(), &place.props, picture)?;
        let group = |part: &PropPart| self.passes.props.bind(&place.props, &part.list);
        bound.prop_groups.push(props.parts.iter().map(group).collect::<Result<_, _>>()?);
        bound.props.push(props);
        let hiz = picture.then_some(&sized.hiz);
        let mut members = Vec::new();
        for (k, actor) in self.seen_members().into_iter().enumerate() {
            let character = actor.map(|i| &self.actors[i]);
            let own = character.map_or(self.bodies.indices, |actor| actor.indices);
            let caster = |class| if picture { class } else { caster(character.is_some(), class) };
            let indices = std::array::from_fn(|class| own[caster(class)]);
            let (homes, skins) = &bound.homes[k];
            let source = AgentSource {
                instances: &bound.instances,
                count: known,
                count_buffer: &bound.count,
            };
            let cull = &self.passes.crowd_cull;
            let lists = cull.bind(&self.pool, &view(), source, homes, hiz, indices)?;
            let mut groups = Vec::new();
            for list in &lists.lists {
                let shared: [&wgpu::Buffer; 4] =
                    [&bound.instances, list, &place.tables.rows, &self.overlay.tint.words];
                let [instances, list, tables, tints] = shared;
                groups.push(match (character, &self.motion, skins) {
                    (Some(actor), Some(motion), Some(skins)) => actor.bind(
                        &self.passes.character,
                        [instances, list, tables, tints],
                        [&motion.played, &homes.home, &skins.vertices],
                    )?,
                    _ => self.passes.crowd.slots.bind(&shared.map(|b| b.as_entire_binding()))?,
                });
            }
            let parts = character.and_then(|actor| Some((actor, actor.close.as_ref()?)));
            let close = match (parts, &self.motion, skins) {
                (Some(parts), Some(motion), Some(skins)) if picture && bound.skin_once => {
                    // Nobody before it in the cast has any.
                    let first = !members.iter().any(|m: &MemberLists| m.close.is_some());
                    Some(CloseUps::new(
                        &self.pool,
                        (&self.passes.close, &self.passes.character),
                        parts,
                        (homes, skins.slots[0], &lists),
                        &bound.near,
                        first,
                        [
                            &bound.instances,
                            &lists.lists[0],
                            &place.tables.rows,
                            &self.overlay.tint.words,
                        ],
                        [&motion.played, &homes.home, &skins.vertices],
                    )?)
                }
                _ => None,
            };
            members.push(MemberLists { actor, lists, groups, close });
        }
        bound.crowd.push(members);
        Ok(())
    }

    /// Who of the cast there is: stand-ins where a group has them or no group is known, and all characters.
    fn seen_members(&self) -> Vec<Option<usize>> {
        let mut members: Vec<_> = (0..self.actors.len()).map(Some).collect();
        if self.stand_ins {
            members.push(None);
        }
        members
    }
}
