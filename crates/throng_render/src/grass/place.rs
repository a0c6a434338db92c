//! The grass of one world on the GPU, from frame to frame.

use glam::Vec2;
use throng_field::Grid;
use throng_gpu::{Buffer, Gpu, GpuError, Pass, Pool};
use throng_world::World;
use throng_world::grass::GrassParams;

use super::ao::{self, Horizon};
use super::bend::{FARTHEST, WAVES, Wind};
use super::cull::{GrassLists, Sown};
use super::draw::{Drawn, Grown};
use super::hero::{Hero, MOST, depth_cube, heroes};
use super::lattice::{AFTER, BODY_HEIGHT, FADE, Lattices, Parted, Standing};
use super::sow::{CROSSED, Field, Footprints, Soil, TILE};
use super::trample::{Crowded, LEAP, TrampleMap};
use super::uniform::GrassUniform;
use super::{GrassCensus, GrassPasses};
use crate::cull::{Filters, Hiz};
use crate::targets::Target;
use crate::{Frame, Mesh, PropInstance, RenderError, View};

/// Pixels of height of half a metre from which on clumps are thinned.
const THIN: f32 = 11.0;
/// Clumps become one billboard so many times farther away, and are gone so many times farther away.
const FAR: f32 = 1.7;
const GONE: f32 = 6.0;
/// A clump stands for no more than the square of this.
const WIDEST: f32 = 3.2;
/// Body that blades part around, as a share of what feet tread down.
const BODY: f32 = 0.8;

/// The grass of a world.
#[derive(Debug)]
pub(crate) struct GrassPlace {
    pub(crate) params: GrassParams,
    /// What is shown instead of its colour; see `GrassUniform::show`.
    pub(crate) show: u32,
    field: Field,
    uniform: Buffer,
    clumps: Buffer,
    tiles: Buffer,
    pub(crate) map: TrampleMap,
    lattices: Lattices,
    heroes: Buffer,
    depth_cube: Target,
    /// Light that reaches the grass.
    surroundings: Target,
    bounds: [Vec2; 2],
    clock: Clock,
    work: Option<Work>,
}

/// The work of a step, and whose it is.
#[derive(Debug)]
struct Work {
    of: (wgpu::Buffer, wgpu::Buffer, u32, u32),
    crowded: Crowded,
    parted: Parted,
}

/// Ticks of a millisecond.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    now: Option<u32>,
    before: u32,
    /// Whether this frame is a step.
    steps: bool,
}

/// What is known of the ground when grass is sown.
pub(crate) struct Grounds<'a> {
    pub(crate) height: &'a (dyn Fn(Vec2) -> f32 + Sync),
    /// How bare a place is, by paths and water, 0 to 1.
    pub(crate) bare: &'a (dyn Fn(Vec2) -> f32 + Sync),
    pub(crate) props: &'a [(Mesh, Vec<PropInstance>)],
}

impl GrassPlace {
    /// Sows the grass of a world; `None` where it has none.
    pub(crate) fn new(
        pool: &Pool,
        world: &World,
        map: TrampleMap,
        grounds: &Grounds<'_>,
    ) -> Result<Option<Self>, RenderError> {
        let Some(grass) = &world.grass else { return Ok(None) };
        let Some(maps) = grass.maps(world) else { return Ok(None) };
        let footprints = Footprints::new(world, grounds.props);
        let soil = Soil {
            world,
            params: &grass.params,
            maps: &maps,
            height: grounds.height,
            bare: grounds.bare,
            footprints: &footprints,
        };
        let field = soil.sow();
        let horizon = Horizon::new(world, grounds.height, grounds.props);
        let (false, Some(horizon)) = (field.clumps.is_empty(), horizon) else { return Ok(None) };
        let gpu = pool.gpu();
        let bounds = world.bounds();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let lattices = Lattices::new(pool, &field, grass.params.pool, grass.params.near)?;
        Ok(Some(Self {
            params: grass.params.clone(),
            show: 0,
            uniform: pool.buffer("grass", size_of::<GrassUniform>() as u64, usage)?,
            clumps: pool.array_of("clumps", &field.clumps)?,
            tiles: pool.array_of("grass tiles", &field.tiles)?,
            map,
            lattices,
            heroes: pool.buffer("heroes", size_of::<[Hero; MOST]>() as u64, usage)?,
            depth_cube: depth_cube(gpu)?,
            surroundings: ao::texture(gpu, &ao::voxels(world, grounds.height, &horizon))?,
            bounds: [bounds.min, bounds.max],
            // The CPU needs the shape of the field alone from here on.
            field: Field { clumps: Vec::new(), ..field.clone() },
            clock: Clock::default(),
            work: None,
        }))
    }

    /// Makes the work of a step for a source of agents, unless it is there.
    pub(crate) fn follow(
        &mut self,
        pool: &Pool,
        passes: &GrassPasses,
        smooth: &wgpu::Sampler,
        of: (wgpu::Buffer, wgpu::Buffer, u32, u32),
    ) -> Result<(), GpuError> {
        if self.work.as_ref().is_some_and(|work| work.of == of) {
            return Ok(());
        }
        let (instances, count, word, at_most) = &of;
        let crowded = passes.trample.bind(
            pool,
            &self.uniform,
            (&self.map, &self.heroes),
            (instances, count, *at_most),
        )?;
        let standing = Standing {
            uniform: &self.uniform,
            tiles: &self.tiles,
            tile_count: self.field.tiles.len() as u32,
            fullest: self.field.fullest,
            clumps: &self.clumps,
            trampled: &self.map.texture.view,
            smooth,
            heroes: &self.heroes,
            depth_cube: &self.depth_cube.view,
        };
        let agents = (instances, count, *word, *at_most);
        let parted = passes.lattice.bind(pool, standing, &self.lattices, agents)?;
        self.work = Some(Work { of, crowded, parted });
        Ok(())
    }

    /// Lists and groups of a picture.
    pub(crate) fn lists(
        &self,
        pool: &Pool,
        passes: &GrassPasses,
        smooth: &wgpu::Sampler,
        view: wgpu::BindingResource<'_>,
        hiz: &Hiz,
    ) -> Result<(GrassLists, Drawn), GpuError> {
        let sown = Sown {
            uniform: &self.uniform,
            tiles: &self.tiles,
            tile_count: self.field.tiles.len() as u32,
            clumps: self.count(),
            live: &self.lattices.live_count,
        };
        let lists = passes.cull.bind(pool, view, hiz, sown)?;
        let grown = Grown {
            uniform: &self.uniform,
            clumps: &self.clumps,
            lattices: &self.lattices,
            trampled: &self.map.texture.view,
            surroundings: &self.surroundings.view,
            smooth,
        };
        let drawn = passes.draw.bind(&lists, grown)?;
        Ok((lists, drawn))
    }

    fn count(&self) -> u32 {
        self.field.tiles.last().map_or(0, |tile| tile.first + tile.count)
    }

    /// Goes to the moment of a frame, and tells shaders of it.
    pub(crate) fn move_on(
        &mut self,
        gpu: &Gpu,
        frame: &Frame<'_>,
        view: &View,
        filters: &Filters,
        ground: impl Fn(Vec2) -> f32,
    ) {
        if self.clock.tick(frame.time) {
            // Another run: what was trodden down in the last one was never.
            self.map.clear(gpu);
            self.lattices.clear(gpu, self.count() as usize);
            if let Some(work) = &self.work {
                work.crowded.forget(gpu);
            }
        }
        let (all, count) = heroes(frame.hazards, frame.camera.eye, ground);
        gpu.write(&self.heroes, 0, &all);
        gpu.write(&self.uniform, 0, &[self.told(frame, view, filters, count)]);
    }

    fn told(&self, frame: &Frame<'_>, view: &View, filters: &Filters, heroes: u32) -> GrassUniform {
        let p = &self.params;
        let (map, field) = (&self.map, &self.field);
        let (word, at_most, mask) =
            self.work.as_ref().map_or((0, 0, 0), |work| (work.of.2, work.of.3, work.crowded.mask));
        let pixels = view.height / (2.0 * view.up.length());
        let thin_from = (0.5 * pixels / THIN).clamp(6.0, 90.0);
        let now = self.clock.now.unwrap_or(0);
        GrassUniform {
            wind: Wind {
                direction: Vec2::from_angle(p.wind.heading.to_radians()),
                speed: p.wind.speed,
                strength: p.wind.strength,
                waves: WAVES,
                gusts: p.wind.gusts,
                apart: p.wind.apart,
                unused: Vec2::ZERO,
            },
            time: frame.time,
            dt: (now - self.clock.before) as f32 * 0.001,
            now,
            before: self.clock.before,
            bend: p.bend,
            farthest: FARTHEST,
            recovery: p.recovery,
            regrowth: p.regrowth,
            foot: p.foot,
            edge: p.edge.min(p.foot),
            wear: p.wear,
            leap: LEAP,
            map_origin: map.origin,
            map_cell: map.cell,
            map_columns: map.size.x,
            map_rows: map.size.y,
            block_columns: map.blocks.x,
            blocks: map.blocks.x * map.blocks.y,
            mask,
            tile_origin: field.origin,
            tile_side: TILE,
            tile_columns: field.size.x,
            tile_rows: field.size.y,
            tiles: field.tiles.len() as u32,
            clumps: self.count(),
            fullest: field.fullest.max(1),
            eye: frame.camera.eye,
            near: p.near,
            stiffness: p.stiffness,
            sweeps: p.sweeps,
            pool: self.lattices.pool,
            fade: FADE,
            thin_from,
            far_from: thin_from * FAR,
            gone: thin_from * GONE,
            widest: WIDEST,
            word,
            at_most,
            frustum: filters.frustum.into(),
            occlusion: filters.occlusion.into(),
            detail: filters.detail.into(),
            cell_columns: self.lattices.cells[0],
            cell_rows: self.lattices.cells[1],
            cells: self.lattices.cells[0] * self.lattices.cells[1],
            body_radius: p.foot * BODY,
            body_height: BODY_HEIGHT,
            heroes,
            show: self.show,
            broad: p.width[1],
            near_tiles: self.lattices.near_tiles,
            volume_high: ao::HIGH,
            unused: 0.0,
            volume_origin: self.bounds[0],
            volume_extent: self.bounds[1] - self.bounds[0],
        }
    }

    /// The step of this frame, if time has gone on.
    pub(crate) fn step(&self, pass: &mut Pass<'_>) {
        if let (Some(work), true) = (&self.work, self.clock.steps) {
            work.crowded.record(pass);
            if self.params.near > 0.0 && self.lattices.pool > 0 {
                work.parted.record(pass);
            }
        }
    }

    /// What there is of it. Waits: for tools and tests.
    pub(crate) fn census(&self, gpu: &Gpu, lists: &GrassLists) -> Result<GrassCensus, GpuError> {
        let [lattices, most_lattices, denied] = self.lattices.census(gpu)?;
        let fixed = self.clumps.bytes() + self.tiles.bytes() + self.lattices.bytes();
        let blocks = self.work.as_ref().map_or(Ok(0), |work| work.crowded.active(gpu))?;
        Ok(GrassCensus {
            billboards: self.count() * CROSSED,
            bytes: fixed + lists.bytes(),
            map_bytes: self.map.bytes(),
            drawn: lists.drawn(gpu)?,
            lattices,
            most_lattices,
            denied,
            blocks,
        })
    }

    /// Tiles: 2 where bodies touched them in the last step, 1 where they recover, else 0. Waits.
    pub(crate) fn tile_states(&self, gpu: &Gpu) -> Result<Option<Grid<f32>>, GpuError> {
        let until = self.lattices.until(gpu, self.field.tiles.len())?;
        let now = self.clock.now.unwrap_or(0);
        let touched = now + (self.params.recovery * 1000.0) as u32 + AFTER + 1;
        let state = |until: &u32| match *until {
            until if until >= touched => 2.0,
            until if until > now => 1.0,
            _ => 0.0,
        };
        let (w, h) = (self.field.size.x as usize, self.field.size.y as usize);
        let grid = Grid::from_vec(w, h, until.iter().map(state).collect());
        Ok(grid.ok().and_then(|grid| grid.placed(TILE, self.field.origin).ok()))
    }
}

impl Clock {
    /// Goes to a time. Tells whether it went back.
    fn tick(&mut self, time: f32) -> bool {
        let tick = (f64::from(time.max(0.0)) * 1000.0).round() as u32;
        match self.now {
            None => *self = Self { now: Some(tick), before: tick, steps: true },
            Some(now) if tick == now => {
                self.steps = false;
                self.before = now;
            }
            Some(now) if tick < now => {
                *self = Self { now: Some(tick), before: tick, steps: true };
                return true;
            }
            Some(now) => *self = Self { now: Some(tick), before: now, steps: true },
        }
        false
    }
}
