//! Close-ups: the cage of near characters cut finer and displaced, by a budget.

use std::collections::HashMap;

use throng_character::{Level, Maps};
use throng_gpu::draw::Slots;
use throng_gpu::{Buffer, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared};

use super::actor::Actor;
use super::pass::CharacterPass;
use crate::cull::{CrowdLists, Homes};
use crate::targets::solid;

/// The greatest level there are grids for.
pub(crate) const FINEST: u32 = 17;

/// A triangle of the cage: `Facet` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Facet {
    pub(crate) own: [u32; 3],
    pub(crate) seams: u32,
    pub(crate) place: [u32; 3],
    unused: u32,
    pub(crate) heights: [f32; 3],
    unused_too: f32,
}

/// Triangles of a cage for close-ups; none where there is nothing to displace.
pub(crate) fn facets(cage: &Level, maps: &Maps) -> Vec<Facet> {
    if maps.scale == 0.0 || maps.displacement.len() != (maps.width * maps.height) as usize {
        return Vec::new();
    }
    let corners = cage.mesh.corners();
    let mut first = vec![u32::MAX; corners.len()];
    for (v, corner) in corners.iter().enumerate() {
        let slot = &mut first[*corner as usize];
        *slot = (*slot).min(v as u32);
    }
    let places = |t: [usize; 3]| t.map(|v| first[corners[v] as usize]);
    // An edge is smooth where just two triangles share it, with the same vertices; else displacement runs straight
    // along it, for all who share it.
    let mut edges: HashMap<(u32, u32), (u32, [usize; 2], bool)> = HashMap::new();
    let sorted = |t: [usize; 3], i: usize| {
        let (place, k) = (places(t), (i + 1) % 3);
        let (a, b) = if place[i] < place[k] { (i, k) } else { (k, i) };
        ((place[a], place[b]), [t[a], t[b]])
    };
    for (t, seams) in cage.mesh.triangles().zip(&cage.seams) {
        for (i, seam) in seams.iter().enumerate() {
            let (key, own) = sorted(t, i);
            let edge = edges.entry(key).or_insert((0, own, true));
            *edge = (edge.0 + 1, own, edge.2 && edge.1 == own && !seam);
        }
    }
    let smooth = |t, i| edges.get(&sorted(t, i).0).is_some_and(|edge| edge.0 == 2 && edge.2);
    let triangles = cage.mesh.triangles();
    triangles
        .map(|t| Facet {
            own: t.map(|v| v as u32),
            seams: (0..3).fold(0, |bits, i| bits | u32::from(!smooth(t, i)) << i),
            place: places(t),
            unused: 0,
            heights: places(t).map(|v| cage.heights[v as usize]),
            unused_too: 0.0,
        })
        .collect()
}

/// Triangles of grids of 1, 2, … segments, one after the other.
fn grids() -> Vec<u32> {
    let mut all = Vec::new();
    let at = |row: u32, column: u32| row * (row + 1) / 2 + column;
    for n in 1..=FINEST {
        for row in 0..n {
            for column in 0..=row {
                all.extend([at(row, column), at(row + 1, column), at(row + 1, column + 1)]);
                if column < row {
                    all.extend([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
                }
            }
        }
    }
    all
}

/// Pipeline and kernels.
#[derive(Debug)]
pub(crate) struct ClosePass {
    pub(crate) colour: wgpu::RenderPipeline,
    pub(crate) grids: Buffer,
    /// Rows and columns of vertices.
    pub(crate) vertices: Buffer,
    count: Kernel,
    choose: Kernel,
}

impl ClosePass {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        [view, slots, light]: [&Slots; 3],
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let program = library.program(gpu, &super::CLOSE_UP, crate::cull::defs())?;
        let colour = solid(
            &program,
            ["patch_vertex", "patch_colour"],
            &[view, slots, light],
            &[wgpu::VertexBufferLayout {
                array_stride: 4,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &wgpu::vertex_attr_array![0 => Uint16x2],
            }],
        )?;
        let levels = library.program(gpu, &super::LEVELS, &[])?;
        let indices = grids();
        let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST;
        let grids = pool.buffer("grids", size_of_val(indices.as_slice()) as u64, usage)?;
        gpu.write(&grids, 0, &indices);
        let last = FINEST as u16;
        let places: Vec<[u16; 2]> =
            (0..=last).flat_map(|row| (0..=row).map(move |column| [row, column])).collect();
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let vertices = pool.buffer("grid", size_of_val(places.as_slice()) as u64, usage)?;
        gpu.write(&vertices, 0, &places);
        let (count, choose) = (levels.kernel("count_near")?, levels.kernel("choose_level")?);
        Ok(Self { colour, grids, vertices, count, choose })
    }
}

/// Words before the triangles: those of the level, then width and height of the map, and where it begins.
const HEAD: usize = 12;

/// Of a character: its triangles and its map, as words.
#[derive(Debug)]
pub(crate) struct CloseParts {
    pub(crate) cage: Buffer,
    faces: u32,
}

impl CloseParts {
    /// None for a character without displacement.
    pub(crate) fn new(
        pool: &Pool,
        facets: &[Facet],
        maps: &Maps,
    ) -> Result<Option<Self>, GpuError> {
        if facets.is_empty() {
            return Ok(None);
        }
        let mut words = vec![0_u32; HEAD];
        words.extend(bytemuck::cast_slice::<Facet, u32>(facets));
        (words[8], words[9], words[10]) = (maps.width, maps.height, words.len() as u32);
        let height = |v: &u16| f32::from(*v) / 65_535.0 * maps.scale + maps.bias;
        words.extend(maps.displacement.iter().map(|v| height(v).to_bits()));
        let faces = facets.len() as u32;
        Ok(Some(Self { cage: pool.array_of("cage", &words)?, faces }))
    }
}

/// Close-ups of one of the cast in the picture.
#[derive(Debug)]
pub(crate) struct CloseUps {
    count: Prepared,
    choose: Prepared,
    most: Buffer,
    faces: u32,
    slots: u32,
    first: bool,
    /// What the last frame came to, first of all: `Close` in WGSL.
    pub(crate) cage: wgpu::Buffer,
    /// Arguments of the draw.
    pub(crate) draw: Buffer,
    pub(crate) group: wgpu::BindGroup,
}

impl CloseUps {
    #[expect(clippy::too_many_arguments, reason = "everything it depends on")]
    pub(crate) fn new(
        pool: &Pool,
        (pass, slots_of): (&ClosePass, &CharacterPass),
        (actor, parts): (&Actor, &CloseParts),
        (homes, slots, lists): (&Homes, u32, &CrowdLists),
        total: &wgpu::Buffer,
        first: bool,
        shared: [&wgpu::Buffer; 4],
        own: [&wgpu::Buffer; 3],
    ) -> Result<Self, GpuError> {
        let copy = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let (storage, uniform) = (wgpu::BufferUsages::STORAGE, wgpu::BufferUsages::UNIFORM);
        let most = pool.buffer("greatest level", 16, uniform | copy)?;
        let draw = pool.buffer("close draw", 20, storage | wgpu::BufferUsages::INDIRECT | copy)?;
        let mut count = Prepared::new();
        let bindings = [
            (0, most.as_entire_binding()),
            (1, lists.kept[0].as_entire_binding()),
            (2, homes.near.as_entire_binding()),
            (3, total.as_entire_binding()),
        ];
        count.push(pass.count.step(&bindings, [1, 1, 1])?);
        let mut choose = Prepared::new();
        let bindings = [
            (0, most.as_entire_binding()),
            (1, lists.kept[0].as_entire_binding()),
            (3, total.as_entire_binding()),
            (4, parts.cage.as_entire_binding()),
            (5, lists.draws.as_entire_binding()),
            (6, draw.as_entire_binding()),
        ];
        choose.push(pass.choose.step(&bindings, [1, 1, 1])?);
        let group = actor.bind_with(slots_of, &parts.cage, shared, own)?;
        let cage = parts.cage.raw().clone();
        Ok(Self { count, choose, most, faces: parts.faces, slots, first, cage, draw, group })
    }

    /// The greatest level of this frame; 1 for none.
    pub(crate) fn set(&self, gpu: &Gpu, level: f32) {
        let level = if level.is_finite() { level.clamp(1.0, FINEST as f32) } else { 1.0 };
        let first = f32::from(u8::from(self.first));
        gpu.write(&self.most, 0, &[level, self.faces as f32, self.slots as f32, first]);
    }

    /// Sums up who is near.
    pub(crate) fn count(&self, pass: &mut Pass<'_>) {
        self.count.record(pass);
    }

    /// After all have been summed up.
    pub(crate) fn choose(&self, pass: &mut Pass<'_>) {
        self.choose.record(pass);
    }
}
