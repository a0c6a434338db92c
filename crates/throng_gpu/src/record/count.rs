//! How many elements there are: known to the CPU, or only to the GPU.

use crate::{Buffer, GpuError, Pool};

/// Invocations in a workgroup, in Rust and in WGSL. The most that WebGPU allows by default.
pub const GROUP: u32 = 256;

/// Workgroups in one dimension of a dispatch, by WebGPU's default limits.
pub(crate) const MOST_IN_ROW: u32 = 65_535;

/// A number of elements.
#[derive(Clone, Copy, Debug)]
pub enum Count<'a> {
    /// The CPU knows it.
    Known(u32),
    /// It is in a buffer when the work is carried out. The buffer is only read, so the same work must
    /// not write to it.
    InBuffer {
        /// Storage buffer.
        buffer: &'a wgpu::Buffer,
        /// Which word of it.
        word: u32,
        /// More elements than this are not looked at; work is dispatched for so many.
        at_most: u32,
    },
}

impl From<u32> for Count<'_> {
    fn from(known: u32) -> Self {
        Self::Known(known)
    }
}

impl Count<'_> {
    /// The most elements there can be.
    #[must_use]
    pub fn at_most(&self) -> u32 {
        match *self {
            Self::Known(n) => n,
            Self::InBuffer { at_most, .. } => at_most,
        }
    }
}

/// A flat number of workgroups as a dispatch. Kernels find their flat number by `flat_group` of
/// `throng_gpu::group`; the last row may have a few too many, which must do nothing.
#[must_use]
pub fn workgroups(groups: u32) -> [u32; 3] {
    let rows = groups.div_ceil(MOST_IN_ROW).max(1);
    [groups.div_ceil(rows).max(1), rows, 1]
}

/// The dispatch for so many elements, `per_group` to a workgroup. One workgroup at least: with no
/// elements there is still a result to write.
#[must_use]
pub fn groups_for(elements: u32, per_group: u32) -> [u32; 3] {
    workgroups(elements.div_ceil(per_group).max(1))
}

/// The uniform that every primitive has: how many elements, and two words of its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Extent {
    pub(crate) at_most: u32,
    /// Which word of the count buffer holds the count.
    pub(crate) word: u32,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// Extents of all steps of a piece of work in one uniform buffer, and the buffer with the count.
#[derive(Debug)]
pub(crate) struct Extents {
    uniforms: Buffer,
    known: Option<Buffer>,
}

impl Extents {
    /// One uniform per pair of own words.
    pub(crate) fn new(
        pool: &Pool,
        label: &str,
        count: Count<'_>,
        own: &[[u32; 2]],
    ) -> Result<Self, GpuError> {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = pool.buffer(label, STRIDE * own.len() as u64, usage)?;
        let (known, word) = match count {
            Count::Known(n) => (Some(pool.array_of(label, &[n])?), 0),
            Count::InBuffer { word, .. } => (None, word),
        };
        for (i, &[first, second]) in own.iter().enumerate() {
            let extent = Extent { at_most: count.at_most(), word, first, second };
            pool.gpu().write(&uniforms, i as u64 * STRIDE, &[extent]);
        }
        Ok(Self { uniforms, known })
    }

    /// The uniform of a step.
    pub(crate) fn extent(&self, step: usize) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.uniforms,
            offset: step as u64 * STRIDE,
            size: wgpu::BufferSize::new(size_of::<Extent>() as u64),
        })
    }

    /// The buffer with the count.
    pub(crate) fn count<'a>(&'a self, count: &Count<'a>) -> wgpu::BindingResource<'a> {
        match (count, &self.known) {
            (Count::InBuffer { buffer, .. }, _) => buffer.as_entire_binding(),
            (Count::Known(_), Some(known)) => known.as_entire_binding(),
            // `new` makes the buffer for every known count.
            (Count::Known(_), None) => unreachable!("a known count has its buffer"),
        }
    }

    /// The buffers, to be kept as long as the work.
    pub(crate) fn into_buffers(self) -> impl Iterator<Item = Buffer> {
        std::iter::once(self.uniforms).chain(self.known)
    }
}

/// Bytes from one uniform to the next: the alignment of bindings by WebGPU's default limits.
const STRIDE: u64 = 256;

/// That a buffer holds so many elements of four bytes.
pub(crate) fn holds_words(what: &str, buffer: &wgpu::Buffer, words: u64) -> Result<(), GpuError> {
    let needed = 4 * words;
    if buffer.size() < needed {
        return Err(GpuError::TooSmall { what: what.to_owned(), bytes: buffer.size(), needed });
    }
    Ok(())
}

/// That no buffer that is written is also read, nor has the count in it.
pub(crate) fn apart(
    what: &'static str,
    count: Option<&Count<'_>>,
    read: &[(&'static str, &wgpu::Buffer)],
    written: &[(&'static str, &wgpu::Buffer)],
) -> Result<(), GpuError> {
    let count = match count {
        Some(Count::InBuffer { buffer, .. }) => Some(("count", *buffer)),
        Some(Count::Known(_)) | None => None,
    };
    for (i, &(name, buffer)) in written.iter().enumerate() {
        let others = read.iter().chain(&written[..i]).copied();
        for (other, other_buffer) in others.chain(count) {
            if buffer == other_buffer {
                return Err(GpuError::Aliased { what, read: other, written: name });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MOST_IN_ROW, groups_for, workgroups};

    /// If this fails, large crowds are refused by the device or partly left out.
    #[test]
    fn many_workgroups_are_split_in_rows() {
        for groups in [0, 1, 2, 65_534, 65_535, 65_536, 131_070, 131_071, u32::MAX / 256] {
            let [x, y, z] = workgroups(groups);
            assert!(x <= MOST_IN_ROW && y <= MOST_IN_ROW && z == 1);
            let all = u64::from(x) * u64::from(y);
            assert!(all >= u64::from(groups) && all < u64::from(groups) + u64::from(y) + 1);
        }
        assert_eq!(groups_for(0, 256), [1, 1, 1]);
        assert_eq!(groups_for(257, 256), [2, 1, 1]);
    }
}
