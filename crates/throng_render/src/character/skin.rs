//! Skinning once for all views, into 128-bit vertices.

use throng_gpu::{Buffer, GpuError, Groups, Kernel, Pass, Pool, Prepared};

use super::actor::Actor;
use crate::cull::{CLASSES, Homes, PACKED};

/// Most joints that a workgroup has room for.
pub(crate) const MOST_JOINTS: u32 = 128;
/// Bytes of a skinned vertex.
const VERTEX: u64 = 16;
/// How many of each class are skinned once, at most. The others are skinned where they are drawn.
const SLOTS: [u32; PACKED] = [256, 1024, 4096];
/// Bytes that all of them may take.
const ROOM: u64 = 96 << 20;

/// How many slots each class of a character has, for at most so many people.
pub(crate) fn slots(actor: &Actor, at_most: u32) -> [u32; PACKED] {
    if actor.model.clips.joints > MOST_JOINTS {
        return [0; PACKED];
    }
    let mut left = ROOM;
    std::array::from_fn(|class| {
        let each = (actor.model.levels[class].vertices.len() as u64 * VERTEX).max(VERTEX);
        let slots = SLOTS[class].min(at_most).min((left / each) as u32);
        left -= u64::from(slots) * each;
        slots
    })
}

/// Where the vertices of each class begin, and how many each body has: `Kind::places` in WGSL.
pub(crate) fn places(actor: &Actor, slots: [u32; PACKED]) -> [[u32; 4]; CLASSES] {
    let mut first = 0;
    std::array::from_fn(|class| {
        let each = actor.model.levels[class].vertices.len() as u32;
        let place = [first, each, 0, 0];
        first += slots.get(class).copied().unwrap_or(0) * each;
        place
    })
}

/// The skinned vertices of one of the cast.
#[derive(Debug)]
pub(crate) struct Skins {
    work: Prepared,
    /// 128 bits each: class by class, slot by slot.
    pub(crate) vertices: Buffer,
    /// How many of each class there is room for.
    pub(crate) slots: [u32; PACKED],
}

impl Skins {
    pub(crate) fn new(
        pool: &Pool,
        kernel: &Kernel,
        actor: &Actor,
        (homes, slots): (&Homes, [u32; PACKED]),
        played: &wgpu::Buffer,
    ) -> Result<Self, GpuError> {
        let count = |class: usize| {
            u64::from(slots[class]) * actor.model.levels[class].vertices.len() as u64
        };
        let all: u64 = (0..PACKED).map(count).sum();
        let vertices = pool.storage("skinned", all.max(1) * VERTEX)?;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let mut work = Prepared::new();
        for class in (0..PACKED).filter(|class| slots[*class] > 0) {
            let room = pool.buffer("room", 16, uniform)?;
            pool.gpu().write(&room, 0, &[class as u32, slots[class], 0, 0]);
            let bindings = [
                (0, actor.kind.as_entire_binding()),
                (1, room.as_entire_binding()),
                (2, played.as_entire_binding()),
                (3, actor.rows.as_entire_binding()),
                (4, homes.lists[class].as_entire_binding()),
                (5, actor.meshes[class].0.as_entire_binding()),
                (6, vertices.as_entire_binding()),
            ];
            let groups = Groups::Indirect(homes.skins[class].raw().clone(), 0);
            work.push(kernel.step(&bindings, groups)?);
            work.keep(room);
        }
        Ok(Self { work, vertices, slots })
    }

    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}

/// The cages of all who play something, skinned, for tests.
#[cfg(test)]
pub(super) fn skinned_cages(
    pool: &Pool,
    kernel: &Kernel,
    actor: &Actor,
    played: &wgpu::Buffer,
    people: u32,
) -> Result<Buffer, GpuError> {
    actor.settle(pool.gpu(), places(actor, [people, 0, 0]));
    let each = actor.model.levels[0].vertices.len() as u64;
    let vertices = pool.storage("skinned", each * u64::from(people) * VERTEX)?;
    let list = pool.array_of("list", &(0..people).collect::<Vec<_>>())?;
    let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let room = pool.buffer("room", 16, uniform)?;
    pool.gpu().write(&room, 0, &[0, people, 0, 0]);
    let bindings = [
        (0, actor.kind.as_entire_binding()),
        (1, room.as_entire_binding()),
        (2, played.as_entire_binding()),
        (3, actor.rows.as_entire_binding()),
        (4, list.as_entire_binding()),
        (5, actor.meshes[0].0.as_entire_binding()),
        (6, vertices.as_entire_binding()),
    ];
    let mut work = Prepared::new();
    work.push(kernel.step(&bindings, [people, 1, 1])?);
    throng_gpu::testing::run(&work);
    Ok(vertices)
}
