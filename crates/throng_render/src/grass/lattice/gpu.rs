//! The host side of lattices.

use throng_gpu::compact::Compact;
use throng_gpu::counting::CountingSort;
use throng_gpu::sort::Sorted;
use throng_gpu::{
    Buffer, Count, GROUP, Gpu, GpuError, Groups, Kernel, Library, Pass, Pool, Prepared, groups_for,
};

use super::{CELL, DEFS, FREE, SHADER};
use crate::grass::sow::{CROSSED, Field, TILE};

/// Kernels of the lattices.
#[derive(Debug)]
pub(crate) struct LatticeKernels {
    cells: Kernel,
    classify: Kernel,
    groups: Kernel,
    clear: Kernel,
    want: Kernel,
    free: Kernel,
    live: Kernel,
    wanting: Kernel,
    account: Kernel,
    gather: Kernel,
    assign: Kernel,
    collide: Kernel,
    recover: Kernel,
    compact: Compact,
    sort: CountingSort,
}

/// The pool of a field, and who has a slot of it.
#[derive(Debug)]
pub(crate) struct Lattices {
    /// Slots of clumps.
    pub(crate) slots: Buffer,
    pub(crate) records: Buffer,
    pub(crate) offsets: Buffer,
    /// When tiles have recovered.
    until: Buffer,
    /// Slots that are taken, and how many.
    pub(crate) live: Buffer,
    pub(crate) live_count: Buffer,
    /// Most at once; how many got none.
    account: Buffer,
    pub(crate) pool: u32,
    pub(crate) near_tiles: u32,
    pub(crate) cells: [u32; 2],
}

/// Bytes of a record.
const RECORD: u64 = 32;
const NO_SLOT: u32 = u32::MAX;

/// What a step works on besides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing<'a> {
    pub(crate) uniform: &'a Buffer,
    pub(crate) tiles: &'a Buffer,
    pub(crate) tile_count: u32,
    pub(crate) fullest: u32,
    pub(crate) clumps: &'a Buffer,
    pub(crate) trampled: &'a wgpu::TextureView,
    pub(crate) smooth: &'a wgpu::Sampler,
    pub(crate) heroes: &'a Buffer,
    pub(crate) depth_cube: &'a wgpu::TextureView,
}

/// The work of a step for one source of agents.
#[derive(Debug)]
pub(crate) struct Parted {
    work: Prepared,
}

impl Lattices {
    /// An empty pool of so many slots for a field that is near within `near` metres.
    pub(crate) fn new(pool: &Pool, field: &Field, slots: u32, near: f32) -> Result<Self, GpuError> {
        let room = slots.max(1);
        let across = (2.0 * near / TILE).ceil() as u32 + 4;
        let near_tiles = (across * across).min(field.tiles.len() as u32).max(1);
        let cells = field.size * (TILE as u32 / CELL);
        let lattices = Self {
            slots: pool.array::<u32>("grass slots", field.clumps.len().max(1))?,
            records: pool.storage("grass records", u64::from(room) * RECORD)?,
            offsets: pool.array::<[u32; 2]>("grass offsets", (room * CROSSED * FREE) as usize)?,
            until: pool.array::<u32>("tile timers", field.tiles.len().max(1))?,
            live: pool.array::<u32>("lattices", room as usize)?,
            live_count: pool.array_of("lattice count", &[0_u32; 2])?,
            account: pool.array_of("lattice account", &[0_u32; 2])?,
            pool: slots,
            near_tiles,
            cells: cells.to_array(),
        };
        lattices.clear(pool.gpu(), field.clumps.len());
        Ok(lattices)
    }

    /// Gives all slots back.
    pub(crate) fn clear(&self, gpu: &Gpu, clumps: usize) {
        let none = vec![NO_SLOT; clumps.max(1)];
        gpu.write(&self.slots, 0, &none);
        let record = [NO_SLOT, 0, 0, 0, 0, 0, 0, 0];
        gpu.write(&self.records, 0, &vec![record; self.pool.max(1) as usize]);
        gpu.write(&self.live_count, 0, &[0_u32; 2]);
        gpu.write(&self.account, 0, &[0_u32; 2]);
        let mut encoder = gpu.encoder("lattices");
        encoder.clear_buffer(self.until.raw(), 0, None);
        gpu.submit(encoder);
    }

    /// When tiles have recovered, one more than the tick; 0: nothing to recover from. Waits.
    pub(crate) fn until(&self, gpu: &Gpu, tiles: usize) -> Result<Vec<u32>, GpuError> {
        gpu.read(&self.until, tiles)
    }

    /// Bytes of all of it.
    pub(crate) fn bytes(&self) -> u64 {
        let all = [&self.slots, &self.records, &self.offsets, &self.until, &self.live];
        all.iter().map(|buffer| buffer.bytes()).sum()
    }

    /// How many clumps have a slot; the most at once; how many wanted one and got none. Waits.
    pub(crate) fn census(&self, gpu: &Gpu) -> Result<[u32; 3], GpuError> {
        let live = gpu.read::<u32>(&self.live_count, 1)?[0];
        let account = gpu.read::<u32>(&self.account, 2)?;
        Ok([live, account[0], account[1]])
    }
}

impl LatticeKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        Ok(Self {
            cells: program.kernel("find_cells")?,
            classify: program.kernel("classify")?,
            groups: program.kernel("write_groups")?,
            clear: program.kernel("clear_wanted")?,
            want: program.kernel("want")?,
            free: program.kernel("find_free")?,
            live: program.kernel("find_live")?,
            wanting: program.kernel("find_wanting")?,
            account: program.kernel("keep_account")?,
            gather: program.kernel("gather")?,
            assign: program.kernel("assign")?,
            collide: program.kernel("collide")?,
            recover: program.kernel("recover")?,
            compact: Compact::new(gpu)?,
            sort: CountingSort::new(gpu)?,
        })
    }

    pub(crate) fn bind(
        &self,
        pool: &Pool,
        field: Standing<'_>,
        lattices: &Lattices,
        (instances, count, word, at_most): (&wgpu::Buffer, &wgpu::Buffer, u32, u32),
    ) -> Result<Parted, GpuError> {
        let all = wgpu::Buffer::as_entire_binding;
        let uniform = || (0, field.uniform.as_entire_binding());
        let tiles = || (4, field.tiles.as_entire_binding());
        let people = at_most.max(1) as usize;
        let array = |label: &str, n: usize| pool.array::<u32>(label, n.max(1));
        let (keys, sorted_keys, sorted) = (
            array("body cells", people)?,
            array("sorted cells", people)?,
            array("sorted", people)?,
        );
        let cells = lattices.cells[0] * lattices.cells[1];
        let starts = array("cell starts", cells as usize + 1)?;
        let n = field.tile_count as usize;
        let mut work = Prepared::new();
        // Bodies by cell.
        work.push(self.cells.step(
            &[uniform(), (1, all(instances)), (2, all(count)), (3, all(&keys))],
            groups_for(at_most, GROUP),
        )?);
        let known = Count::InBuffer { buffer: count, word, at_most };
        let into = Sorted { keys: &sorted_keys, payload: &sorted };
        work.append(self.sort.bind(pool, &keys, None, into, cells, &starts, known)?);
        let bodies = pool.storage("bodies by cell", people as u64 * 32)?;
        let bindings = [
            uniform(),
            (1, all(instances)),
            (5, all(&starts)),
            (17, all(&sorted)),
            (28, all(&bodies)),
        ];
        work.push(self.gather.step(&bindings, groups_for(at_most, GROUP))?);
        // Tiles by state.
        let heroes = || (25, field.heroes.as_entire_binding());
        let (hit, easing) = (array("colliding flags", n)?, array("recovering flags", n)?);
        let bindings = [
            uniform(),
            tiles(),
            (5, all(&starts)),
            (6, all(&lattices.until)),
            (7, all(&hit)),
            (8, all(&easing)),
            heroes(),
        ];
        work.push(self.classify.step(&bindings, groups_for(field.tile_count, GROUP))?);
        let colliding =
            self.listed(pool, &mut work, (&hit, field.tile_count), lattices.near_tiles)?;
        let recovering =
            self.listed(pool, &mut work, (&easing, field.tile_count), field.tile_count)?;
        let clumps = || (13, field.clumps.as_entire_binding());
        let slots = || (14, lattices.slots.as_entire_binding());
        let records = || (15, lattices.records.as_entire_binding());
        let offsets = || (16, lattices.offsets.as_entire_binding());
        // Slots for those who are touched.
        let room = lattices.near_tiles * field.fullest.max(1);
        let wanted = array("wanted", room as usize)?;
        work.push(self.clear.step(&[uniform(), (12, all(&wanted))], groups_for(room, GROUP))?);
        let bindings = [
            uniform(),
            tiles(),
            (5, all(&starts)),
            (9, all(&colliding.list)),
            (12, all(&wanted)),
            clumps(),
            slots(),
            heroes(),
            (29, all(&bodies)),
        ];
        work.push(self.want.step(&bindings, colliding.groups())?);
        let wanting = self.listed(pool, &mut work, (&wanted, room), lattices.pool)?;
        let free_flags = array("free flags", lattices.pool as usize)?;
        let per_slot = groups_for(lattices.pool, GROUP);
        work.push(self.free.step(&[uniform(), records(), (18, all(&free_flags))], per_slot)?);
        let free = self.listed(pool, &mut work, (&free_flags, lattices.pool), lattices.pool)?;
        let granted = array("granted", lattices.pool as usize)?;
        let bindings = [
            uniform(),
            tiles(),
            (9, all(&wanting.list)),
            (10, all(&wanting.kept)),
            (21, all(&colliding.list)),
            (27, all(&granted)),
        ];
        work.push(self.wanting.step(&bindings, per_slot)?);
        let kept = || [(10, all(&wanting.kept)), (20, all(&free.kept))];
        let [a, b] = kept();
        let account = (22, lattices.account.as_entire_binding());
        work.push(self.account.step(&[uniform(), a, b, account], [1, 1, 1])?);
        let [a, b] = kept();
        let bindings =
            [(9, all(&granted)), a, b, slots(), records(), offsets(), (19, all(&free.list))];
        work.push(self.assign.step(&bindings, per_slot)?);
        // The step itself.
        let bindings = [
            uniform(),
            tiles(),
            (5, all(&starts)),
            (9, all(&colliding.list)),
            clumps(),
            slots(),
            records(),
            offsets(),
            (23, wgpu::BindingResource::TextureView(field.trampled)),
            (24, wgpu::BindingResource::Sampler(field.smooth)),
            heroes(),
            (26, wgpu::BindingResource::TextureView(field.depth_cube)),
            (29, all(&bodies)),
        ];
        work.push(self.collide.step(&bindings, colliding.groups())?);
        let bindings = [
            uniform(),
            tiles(),
            (6, all(&lattices.until)),
            (9, all(&recovering.list)),
            slots(),
            records(),
            offsets(),
        ];
        work.push(self.recover.step(&bindings, recovering.groups())?);
        // Who is drawn by a lattice.
        let live = array("live flags", lattices.pool as usize)?;
        work.push(self.live.step(&[uniform(), records(), (18, all(&live))], per_slot)?);
        let (list, count) = (&lattices.live, &lattices.live_count);
        work.append(self.compact.bind(pool, &live, None, list, count, lattices.pool.into())?);
        for buffer in [
            keys,
            sorted_keys,
            sorted,
            starts,
            bodies,
            hit,
            easing,
            wanted,
            free_flags,
            granted,
            live,
        ] {
            work.keep(buffer);
        }
        for listed in [colliding, recovering, wanting, free] {
            let Listed { list, kept, groups } = listed;
            [list, kept, groups].into_iter().for_each(|buffer| work.keep(buffer));
        }
        Ok(Parted { work })
    }

    /// The list of what is flagged, and a workgroup for each.
    fn listed(
        &self,
        pool: &Pool,
        work: &mut Prepared,
        (flags, count): (&Buffer, u32),
        room: u32,
    ) -> Result<Listed, GpuError> {
        let list = pool.array::<u32>("listed", room.max(1) as usize)?;
        let kept = pool.array::<u32>("listed kept", 2)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT;
        let groups = pool.buffer("listed groups", 12, usage)?;
        work.append(self.compact.bind(pool, flags, None, &list, &kept, count.into())?);
        let bindings = [(10, kept.as_entire_binding()), (11, groups.as_entire_binding())];
        work.push(self.groups.step(&bindings, [1, 1, 1])?);
        Ok(Listed { list, kept, groups })
    }
}

/// What is left of flags.
struct Listed {
    list: Buffer,
    kept: Buffer,
    groups: Buffer,
}

impl Listed {
    fn groups(&self) -> Groups {
        Groups::Indirect(self.groups.raw().clone(), 0)
    }
}

impl Parted {
    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}
