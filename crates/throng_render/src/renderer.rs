//! The renderer: passes made once, a place brought up when it changes, frames drawn as often as wanted.

use glam::{Vec2, Vec4};
use throng_gpu::{Buffer, Gpu, GpuError, Pool};
use throng_world::World;

use crate::bloom::{BloomPass, BloomTargets};
use crate::bound::Bound;
use crate::character::{Actor, Cast, CharacterPass, ClosePass, MotionBuffers, MotionClock};
use crate::common::{Common, CommonSlots};
use crate::crowd::{BodyBuffers, BodyMeshes, CrowdPass, Tables};
use crate::cull::{CrowdCull, Hiz, HizMaker, PropCull};
use crate::frame_record::Census;
use crate::gas::GasPass;
use crate::ghost::GhostPass;
use crate::grass::{GrassPasses, GrassPlace, Grounds, TrampleMap};
use crate::light::{Lit, MapTexture, Relief};
use crate::occlusion::{OcclusionPass, OcclusionTargets};
use crate::overlay::Overlay;
use crate::props::{Mesh, PropBuffers, PropInstance, PropPass};
use crate::scenery::{Land, scenery_on};
use crate::shaders::library;
use crate::shadow::SPLITS;
use crate::targets::Targets;
use crate::terrain::{Ground, TerrainPass, TerrainPlace};
use crate::tone::TonePass;
use crate::water::{Water, WaterBuffers};
use crate::{Frame, RenderError, RenderOptions};

/// Views of a frame: the splits of the shadow, then the picture.
pub(crate) const VIEWS: usize = SPLITS + 1;
/// Bytes from one view to the next in their uniform.
pub(crate) const VIEW_STRIDE: u64 = 256;

/// The finest close-ups that are drawn in software unless somebody asks for more.
const SOFTWARE_CLOSE_UP: f32 = 6.0;

/// Draws a place and its crowd into any texture view.
#[derive(Debug)]
pub struct Renderer {
    pub(crate) gpu: Gpu,
    pub(crate) pool: Pool,
    /// How pictures are made; may be changed at any time.
    pub options: RenderOptions,
    /// What follows from the light of the options.
    pub(crate) lit: Lit,
    pub(crate) slots: CommonSlots,
    pub(crate) passes: Passes,
    pub(crate) bodies: BodyBuffers,
    pub(crate) actors: Vec<Actor>,
    /// Which of the actors plays a group, a byte each: 1 + its place, 0 for stand-ins.
    pub(crate) casting: [[u32; 4]; 16],
    /// Whether anybody is drawn as a stand-in.
    pub(crate) stand_ins: bool,
    pub(crate) clock: MotionClock,
    /// What characters play, where there are any.
    pub(crate) motion: Option<MotionBuffers>,
    pub(crate) common: Common,
    pub(crate) place: Option<Place>,
    pub(crate) targets: Option<Sized>,
    pub(crate) bound: Option<Bound>,
    pub(crate) uploads: Uploads,
    pub(crate) overlay: Overlay,
    pub(crate) census: Census,
}

#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) terrain: TerrainPass,
    pub(crate) props: PropPass,
    pub(crate) crowd: CrowdPass,
    pub(crate) character: CharacterPass,
    pub(crate) close: ClosePass,
    pub(crate) backdrop: wgpu::RenderPipeline,
    pub(crate) water: wgpu::RenderPipeline,
    pub(crate) ghost: GhostPass,
    pub(crate) occlusion: OcclusionPass,
    pub(crate) gas: GasPass,
    pub(crate) grass: GrassPasses,
    pub(crate) bloom: BloomPass,
    pub(crate) tone: TonePass,
    pub(crate) crowd_cull: CrowdCull,
    pub(crate) prop_cull: PropCull,
    pub(crate) hiz: HizMaker,
}

/// A world on the GPU.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) terrain: TerrainPlace,
    pub(crate) props: PropBuffers,
    pub(crate) tables: Tables,
    pub(crate) water: Option<WaterBuffers>,
    pub(crate) grass: Option<GrassPlace>,
    /// What its light is baked from.
    pub(crate) relief: Option<Relief>,
    standing: Standing,
}

/// What stands in a world, kept for when its walls change: walls first.
#[derive(Debug)]
struct Standing {
    walls: usize,
    all: Vec<(Mesh, Vec<PropInstance>)>,
}

/// Textures of the picture's size, and what hangs on them.
#[derive(Debug)]
pub(crate) struct Sized {
    pub(crate) targets: Targets,
    pub(crate) ground: wgpu::BindGroup,
    pub(crate) hiz: Hiz,
    pub(crate) occlusion: OcclusionTargets,
    pub(crate) gas: wgpu::BindGroup,
    pub(crate) bloom: BloomTargets,
    pub(crate) tone: wgpu::BindGroup,
}

/// Agents that come from the CPU.
#[derive(Debug)]
pub(crate) struct Uploads {
    pub(crate) instances: Buffer,
    pub(crate) count: Buffer,
}

impl Renderer {
    /// Makes all passes, for targets of one format.
    ///
    /// # Errors
    /// The device refuses.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        let pool = Pool::new(gpu);
        let library = library()?;
        let mut options = RenderOptions::default();
        if throng_gpu::is_software(gpu.info()) {
            options.close_up = SOFTWARE_CLOSE_UP;
        }
        let slots = CommonSlots::new(gpu)?;
        let (view, light) = (&slots.view, &slots.light);
        let character = CharacterPass::new(gpu, &library, view, light)?;
        let passes = Passes {
            terrain: TerrainPass::new(&pool, &library, view, light)?,
            props: PropPass::new(gpu, &library, view, light)?,
            crowd: CrowdPass::new(gpu, &library, view, light)?,
            close: ClosePass::new(&pool, &library, [view, &character.slots, light])?,
            character,
            backdrop: crate::backdrop::pipeline(gpu, &library, view, &slots.nothing, light)?,
            water: crate::water::pipeline(gpu, &library, view, &slots.nothing, light)?,
            ghost: GhostPass::new(&pool, &library, view, light)?,
            occlusion: OcclusionPass::new(gpu, &library, view)?,
            gas: GasPass::new(&pool, &library, view, light)?,
            grass: GrassPasses::new(&pool, &library, view, light)?,
            bloom: BloomPass::new(gpu, &library)?,
            tone: TonePass::new(gpu, &library, format, view, light)?,
            crowd_cull: CrowdCull::new(gpu, &library)?,
            prop_cull: PropCull::new(gpu, &library)?,
            hiz: Hiz::maker(gpu, &library)?,
        };
        let lit = Lit::new(options.light);
        let map = MapTexture::open(gpu, &lit.sky);
        let common = Common::new(&pool, &slots, options.shadow.side, map)?;
        let uploads = Uploads {
            instances: pool.storage("instances", 32)?,
            count: pool.array_of("agents", &[0_u32])?,
        };
        let overlay = Overlay::new(&pool, &library, format, &slots.view, &passes.terrain)?;
        let bodies = BodyBuffers::new(&pool, &BodyMeshes::stand_ins())?;
        Ok(Self {
            gpu: gpu.clone(),
            pool,
            options,
            lit,
            slots,
            passes,
            bodies,
            actors: Vec::new(),
            casting: [[0; 4]; 16],
            stand_ins: true,
            clock: MotionClock::default(),
            motion: None,
            common,
            place: None,
            targets: None,
            bound: None,
            uploads,
            overlay,
            census: Census::default(),
        })
    }

    /// Works on the device and queue of a host.
    ///
    /// # Errors
    /// As [`Renderer::new`].
    pub fn on(
        device: wgpu::Device,
        queue: wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RenderError> {
        Self::new(&Gpu::adopt(device, queue)?, format)
    }

    /// The device that is drawn on.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Brings a world up, with what stands in it besides its walls.
    ///
    /// # Errors
    /// A mesh that is none, or the device refuses.
    pub fn set_world(
        &mut self,
        world: &World,
        props: Vec<(Mesh, Vec<PropInstance>)>,
    ) -> Result<(), RenderError> {
        let ground = Ground::new(world);
        let found = Water::find(&ground, world);
        let water = WaterBuffers::new(&self.pool, &found)?;
        let damp = |p: Vec2| found.damp(p, world.ground_height(p));
        let dressed = self.options.scenery;
        let mut all = crate::props::walls(world, dressed);
        let walls = all.len();
        if dressed {
            let height = |p| ground.height(p);
            let wet = |p| found.damp(p, ground.height(p)) > 0.6;
            let land = Land { height: &height, wet: &wet };
            all.extend(scenery_on(world, land, world.seed));
        }
        let relief = Relief::new(world, &ground, &damp);
        let map = match &world.grass {
            Some(_) if self.options.grass => {
                let bounds = world.bounds();
                Some(TrampleMap::new(&self.pool, bounds.min, bounds.max - bounds.min)?)
            }
            _ => None,
        };
        let trampled = map.as_ref().map(|map| (&map.texture.view, map.extent()));
        let terrain = self.passes.terrain.place(&self.pool, world, ground, damp, trampled)?;
        all.extend(props);
        let props = PropBuffers::new(&self.pool, &all)?;
        let grass = self.sow(world, map, &terrain, &found, &all)?;
        let tables = Tables::new(&self.pool, world, &[])?;
        (self.actors, self.casting, self.stand_ins) = (Vec::new(), [[0; 4]; 16], true);
        (self.clock, self.motion) = (MotionClock::default(), None);
        let standing = Standing { walls, all };
        self.place = Some(Place { terrain, props, tables, water, grass, relief, standing });
        self.open_sky()?;
        self.bound = None;
        Ok(())
    }

    /// Sows the grass of a world, if it has any and it is wanted.
    fn sow(
        &self,
        world: &World,
        map: Option<TrampleMap>,
        terrain: &TerrainPlace,
        water: &Water,
        props: &[(Mesh, Vec<PropInstance>)],
    ) -> Result<Option<GrassPlace>, RenderError> {
        let Some(map) = map else { return Ok(None) };
        let height = |p| terrain.ground.height(p);
        // Paths are bare, and so is what lies in the water; banks are lush.
        let bare = |p| {
            let [worn, ..] = terrain.masks.at(p);
            let wet = water.damp(p, terrain.ground.height(p));
            // As steep as the ground is drawn as rock.
            let rise = |d| terrain.ground.height(p + d) - terrain.ground.height(p - d);
            let steep = Vec2::new(rise(Vec2::X * 0.6), rise(Vec2::Y * 0.6)).length() / 1.2;
            let rocky = crate::noise::smoothstep(0.34, 0.58, steep);
            worn.max(rocky).max(crate::noise::smoothstep(0.72, 0.86, wet))
        };
        GrassPlace::new(&self.pool, world, map, &Grounds { height: &height, bare: &bare, props })
    }

    /// Brings the walls of a world up anew, after some were put up or taken down; everything else stays as
    /// [`Renderer::set_world`] made it.
    ///
    /// # Errors
    /// As [`Renderer::set_world`].
    pub fn set_walls(&mut self, world: &World) -> Result<(), RenderError> {
        let Some(place) = &mut self.place else { return Ok(()) };
        let walls = crate::props::walls(world, self.options.scenery);
        let Standing { walls: count, all } = &mut place.standing;
        let built = walls.len();
        all.splice(..*count, walls);
        *count = built;
        place.props = PropBuffers::new(&self.pool, all)?;
        self.bound = None;
        Ok(())
    }

    /// Other bodies than the stand-ins.
    ///
    /// # Errors
    /// Meshes that are none, or the device refuses.
    pub fn set_bodies(&mut self, bodies: &BodyMeshes) -> Result<(), RenderError> {
        bodies.check()?;
        self.bodies = BodyBuffers::new(&self.pool, bodies)?;
        self.bound = None;
        Ok(())
    }

    /// Draws groups with characters. After [`Renderer::set_world`], with the same world.
    ///
    /// # Errors
    /// Clips or meshes larger than the device takes.
    pub fn set_cast(&mut self, world: &World, cast: &Cast) -> Result<(), RenderError> {
        let Some(place) = &mut self.place else { return Ok(()) };
        place.tables = Tables::new(&self.pool, world, &cast.heights)?;
        self.actors = Vec::new();
        for (number, member) in (1_u8..).zip(&cast.members) {
            let of_group = cast.of_group.iter().zip(&cast.heights);
            let own = of_group.filter(|(n, _)| **n == number).filter_map(|(_, height)| *height);
            self.actors.push(Actor::new(&self.pool, member, world, own.fold(0.1, f32::max))?);
        }
        let mut casting = [0_u8; 256];
        for (slot, number) in casting.iter_mut().zip(&cast.of_group) {
            *slot = *number;
        }
        self.casting = bytemuck::cast(casting);
        self.stand_ins = cast.of_group.is_empty() || cast.of_group.contains(&0);
        (self.clock, self.motion) = (MotionClock::default(), None);
        self.bound = None;
        Ok(())
    }

    /// Draws a frame into a view of so many pixels.
    ///
    /// # Errors
    /// A camera that sees nothing, a view of no pixels, more agents than fit, a lost device.
    pub fn render(
        &mut self,
        frame: &Frame<'_>,
        target: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<(), RenderError> {
        frame.camera.check()?;
        if let Some(reason) = self.gpu.lost() {
            return Err(GpuError::Lost { reason }.into());
        }
        self.fit(size)?;
        self.light_up()?;
        self.record(frame, target)
    }

    /// Makes what hangs on the size of the picture.
    pub(crate) fn fit(&mut self, size: [u32; 2]) -> Result<(), RenderError> {
        if self.options.shadow.side != self.common.shadow_side {
            let map = MapTexture::open(&self.gpu, &self.lit.sky);
            let map = std::mem::replace(&mut self.common.parts.map, map);
            self.common = Common::new(&self.pool, &self.slots, self.options.shadow.side, map)?;
            self.bound = None;
        }
        if self.targets.as_ref().is_some_and(|sized| sized.targets.size == size) {
            return Ok(());
        }
        self.bound = None;
        self.targets = None;
        let targets = Targets::new(&self.gpu, size)?;
        let hiz = self.passes.hiz.bind(&self.pool, &targets.depth.view, size)?;
        let bloom = self.passes.bloom.bind(&self.gpu, &targets, &self.common.smooth)?;
        let occlusion = self.passes.occlusion.bind(&self.gpu, &targets, bloom.soft())?;
        let ground = self.passes.terrain.bind(&targets)?;
        let gas = self.passes.gas.bind(&targets)?;
        let tone = self.passes.tone.slots.bind(&[
            wgpu::BindingResource::TextureView(&targets.resolved.view),
            wgpu::BindingResource::TextureView(bloom.soft()),
            wgpu::BindingResource::Sampler(&self.common.smooth),
        ])?;
        self.targets = Some(Sized { targets, ground, hiz, occlusion, gas, bloom, tone });
        Ok(())
    }

    pub(crate) fn flat_ground(&self) -> Vec4 {
        self.options.flat_ground.map_or(Vec4::ZERO, |[r, g, b]| Vec4::new(r, g, b, 1.0))
    }
}
