//! The host side of the counting sort.

use super::{CROWD, CROWD_BITS, CROWD_GROUPS, SHADER, defs};
use crate::record::{Extents, Kernel, Prepared, groups_for, holds_words};
use crate::scan::{Scan, Sums};
use crate::sort::Sorted;
use crate::{Count, GROUP, Gpu, GpuError, Pool, Variant};

/// Sorts elements by bin.
#[derive(Debug)]
pub struct CountingSort {
    clear: Kernel,
    rank: Kernel,
    spread: Kernel,
    /// Without and with payload.
    order: [Kernel; 2],
    order_crowds: [Kernel; 2],
    scan: Scan,
}

impl CountingSort {
    /// Compiles the kernels, the better ones for this device.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Self::with(gpu, Variant::best(gpu))
    }

    /// Compiles the kernels of one kind.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn with(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let places = gpu.program(&SHADER, defs(variant, false))?;
        let payload = gpu.program(&SHADER, defs(variant, true))?;
        Ok(Self {
            clear: places.kernel("clear")?,
            rank: places.kernel("rank")?,
            spread: places.kernel("spread")?,
            order: [places.kernel("order")?, payload.kernel("order")?],
            order_crowds: [places.kernel("order_crowds")?, payload.kernel("order_crowds")?],
            scan: Scan::with(gpu, variant)?,
        })
    }

    /// Sorts by bin. Keys are 0 to `bins` - 1, others are left out. `starts` gets `bins` + 1 words:
    /// where each bin begins and where the last one ends, which is how many were kept.
    ///
    /// # Errors
    /// Buffers that are too small, or read and written; out of memory.
    #[expect(clippy::too_many_arguments, reason = "each is a buffer with a role of its own")]
    pub fn bind(
        &self,
        pool: &Pool,
        keys: &wgpu::Buffer,
        payload: Option<&wgpu::Buffer>,
        sorted: Sorted<'_>,
        bins: u32,
        starts: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        sorted.check("counting sort", keys, payload, Some(starts), &count)?;
        holds_words("starts of bins", starts, u64::from(bins) + 1)?;
        let extents = Extents::new(pool, "counting sort", count, &[[bins, passes(most)]])?;
        let (extent, n) = (extents.extent(0), extents.count(&count));
        let crowds = most / CROWD;
        let counts = pool.array::<u32>("bin counts", (bins + 2 + crowds) as usize)?;
        let ranks = pool.array::<u32>("ranks in bins", most as usize)?;
        let places = pool.array::<u32>("places by bin", most as usize)?;
        let whole = wgpu::Buffer::as_entire_binding;
        let mut work = Prepared::new();
        let (per_bin, per_element) = (groups_for(bins + 2, GROUP), groups_for(most, GROUP));
        work.push(self.clear.step(&[(0, extent.clone()), (3, whole(&counts))], per_bin)?);
        let mut bindings = vec![(0, extent.clone()), (1, n), (2, whole(keys)), (4, whole(&ranks))];
        let mut counting = bindings.clone();
        counting.push((3, whole(&counts)));
        work.push(self.rank.step(&counting, per_element)?);
        // The sum before the word behind the last bin is that of all bins.
        let all = Count::Known(bins + 1);
        work.append(self.scan.bind(pool, Sums::Exclusive, &counts, starts, all)?);
        bindings.extend([(5, whole(&places)), (6, whole(starts))]);
        work.push(self.spread.step(&bindings, per_element)?);
        let mut bindings = vec![
            (0, extent),
            (5, whole(&places)),
            (6, whole(starts)),
            (8, whole(sorted.keys)),
            (9, whole(sorted.payload)),
        ];
        bindings.extend(payload.map(|payload| (7, whole(payload))));
        let kind = usize::from(payload.is_some());
        let mut ordering = bindings.clone();
        ordering.push((3, whole(&counts)));
        work.push(self.order[kind].step(&ordering, per_bin)?);
        if crowds > 0 {
            bindings.extend([(4, whole(&ranks)), (10, whole(&counts))]);
            work.push(self.order_crowds[kind].step(&bindings, [crowds.min(CROWD_GROUPS), 1, 1])?);
        }
        [counts, ranks, places].into_iter().for_each(|buffer| work.keep(buffer));
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}

/// Passes over a crowded bin, for places below `most`: an even number, to end where they began.
fn passes(most: u32) -> u32 {
    let bits = u32::BITS - most.leading_zeros();
    bits.div_ceil(CROWD_BITS).next_multiple_of(2)
}
