//! One place for buffers.
//!
//! A buffer goes back to the pool when it is dropped and serves the next who asks for one of its size
//! and usage. This needs no fences: the queue carries out its work in order, so whatever was submitted
//! before has read the buffer before it is written anew (Moore, *A GPU-managed memory pool*, Game
//! Engine Gems 1, ch. 11). Work that is recorded but not yet submitted is not in that order: submit it
//! before dropping its buffers.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Gpu, GpuError};

/// The least size of a buffer; also the alignment of bindings under WebGPU's default limits.
const LEAST: u64 = 256;
/// Up to here sizes are powers of two; beyond, eighths of one.
const COARSE: u64 = 1 << 16;

/// A source of buffers. Cheap to clone; all clones are one pool.
#[derive(Clone, Debug)]
pub struct Pool {
    gpu: Gpu,
    shelf: Arc<Mutex<Shelf>>,
}

/// What a pool holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolBytes {
    /// Bytes in buffers that are in use.
    pub used: u64,
    /// Bytes in buffers that wait for their next use.
    pub free: u64,
    /// The most bytes there ever were, used and free.
    pub peak: u64,
    /// Buffers created.
    pub created: u64,
    /// Buffers given out again.
    pub reused: u64,
}

#[derive(Debug, Default)]
struct Shelf {
    free: HashMap<(u64, wgpu::BufferUsages), Vec<wgpu::Buffer>>,
    bytes: PoolBytes,
}

/// A buffer of a pool. Reads as a `wgpu::Buffer`.
///
/// Content is not cleared: a buffer may hold what its last user left.
#[derive(Debug)]
pub struct Buffer {
    raw: wgpu::Buffer,
    label: String,
    bytes: u64,
    shelf: Arc<Mutex<Shelf>>,
}

impl Pool {
    /// A pool without buffers.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), shelf: Arc::default() }
    }

    /// The device of the pool.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// A buffer of at least so many bytes. A reused one keeps the label it was created with.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] before the device is asked; or it has no memory left.
    pub fn buffer(
        &self,
        label: &str,
        bytes: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<Buffer, GpuError> {
        let limit = limit(&self.gpu, usage);
        if bytes > limit {
            return Err(GpuError::TooLarge { what: label.to_owned(), bytes, limit });
        }
        let size = rounded(bytes).min(limit);
        let reused = self.shelf().take(size, usage);
        let raw = match reused {
            Some(raw) => raw,
            None => self.create(label, size, usage)?,
        };
        self.shelf().bytes.used += size;
        Ok(Buffer { raw, label: label.to_owned(), bytes, shelf: self.shelf.clone() })
    }

    /// A buffer for compute shaders: storage that can be copied from and to.
    ///
    /// # Errors
    /// As [`Pool::buffer`].
    pub fn storage(&self, label: &str, bytes: u64) -> Result<Buffer, GpuError> {
        self.buffer(label, bytes, STORAGE)
    }

    /// A storage buffer for so many elements.
    ///
    /// # Errors
    /// As [`Pool::buffer`].
    pub fn array<T>(&self, label: &str, len: usize) -> Result<Buffer, GpuError> {
        self.storage(label, len as u64 * size_of::<T>() as u64)
    }

    /// A storage buffer with this content.
    ///
    /// # Errors
    /// As [`Pool::buffer`].
    pub fn array_of<T: bytemuck::NoUninit>(
        &self,
        label: &str,
        content: &[T],
    ) -> Result<Buffer, GpuError> {
        let buffer = self.storage(label, size_of_val(content) as u64)?;
        self.gpu.write(&buffer, 0, content);
        Ok(buffer)
    }

    /// Makes a buffer hold at least so many bytes, by half more than before at least. Says whether it
    /// is now another one: then its content is gone and bind groups with it must be made anew.
    ///
    /// # Errors
    /// As [`Pool::buffer`]; the buffer is then as it was.
    pub fn grow(&self, buffer: &mut Buffer, bytes: u64) -> Result<bool, GpuError> {
        if bytes <= buffer.raw.size() {
            buffer.bytes = bytes;
            return Ok(false);
        }
        let ample = (buffer.raw.size() * 3 / 2).min(limit(&self.gpu, buffer.raw.usage()));
        let mut next = self.buffer(&buffer.label, bytes.max(ample), buffer.raw.usage())?;
        next.bytes = bytes;
        *buffer = next;
        Ok(true)
    }

    /// Gives the memory of unused buffers back to the device.
    pub fn trim(&self) {
        let mut shelf = self.shelf();
        shelf.free.clear();
        shelf.bytes.free = 0;
    }

    /// What the pool holds.
    #[must_use]
    pub fn bytes(&self) -> PoolBytes {
        self.shelf().bytes
    }

    fn create(
        &self,
        label: &str,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let raw = self.gpu.scoped(label, || {
            let label = Some(label);
            self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label,
                size,
                usage,
                mapped_at_creation: false,
            })
        })?;
        self.gpu.counters().buffers.add(1);
        let bytes = &mut self.shelf().bytes;
        bytes.created += 1;
        bytes.peak = bytes.peak.max(bytes.used + bytes.free + size);
        Ok(raw)
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Usage of [`Pool::storage`].
const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

impl Shelf {
    fn take(&mut self, size: u64, usage: wgpu::BufferUsages) -> Option<wgpu::Buffer> {
        let raw = self.free.get_mut(&(size, usage))?.pop()?;
        self.bytes.free -= size;
        self.bytes.reused += 1;
        Some(raw)
    }
}

impl Buffer {
    /// The buffer of wgpu.
    #[must_use]
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// What the buffer is for.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Bytes asked for; the buffer may be larger.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Deref for Buffer {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.raw
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let (size, usage) = (self.raw.size(), self.raw.usage());
        shelf.bytes.used -= size;
        shelf.bytes.free += size;
        shelf.free.entry((size, usage)).or_default().push(self.raw.clone());
    }
}

/// The most bytes a buffer of this usage may have. Buffers of the pool are bound whole, so a binding's
/// limit is theirs.
fn limit(gpu: &Gpu, usage: wgpu::BufferUsages) -> u64 {
    let limits = gpu.device().limits();
    let mut most = limits.max_buffer_size;
    if usage.contains(wgpu::BufferUsages::STORAGE) {
        most = most.min(limits.max_storage_buffer_binding_size);
    }
    if usage.contains(wgpu::BufferUsages::UNIFORM) {
        most = most.min(limits.max_uniform_buffer_binding_size);
    }
    most
}

/// The size of the buffer that serves so many bytes.
fn rounded(bytes: u64) -> u64 {
    if bytes <= COARSE {
        bytes.max(LEAST).next_power_of_two()
    } else {
        let eighth = (1 << (63 - bytes.leading_zeros())) / 8;
        bytes.next_multiple_of(eighth)
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, Pool, rounded};
    use crate::{GpuError, testing};

    /// If this fails, buffers are too small, or wasteful, or sizes never meet again.
    #[test]
    fn sizes_are_few_and_never_smaller() {
        let mut classes = std::collections::BTreeSet::new();
        for bytes in (0..1 << 22).step_by(97) {
            let size = rounded(bytes);
            assert!(size >= bytes && size >= LEAST && size.is_multiple_of(256));
            assert!(bytes < LEAST || size <= bytes * 2);
            assert!(bytes <= super::COARSE || size <= bytes + bytes / 8);
            classes.insert(size);
        }
        assert!(classes.len() < 70, "{}", classes.len());
    }

    /// If this fails, a crowd that grows and shrinks fills the memory of the device.
    #[test]
    fn dropped_buffers_are_used_again() {
        let pool = Pool::new(testing::gpu());
        let first = pool.storage("first", 1000).unwrap();
        let held = pool.bytes();
        assert_eq!((held.used, held.free, held.created), (1024, 0, 1));
        drop(first);
        let second = pool.storage("second", 700).unwrap();
        let held = pool.bytes();
        assert_eq!((held.used, held.free, held.created, held.reused), (1024, 0, 1, 1));
        drop(second);
        pool.trim();
        assert_eq!((pool.bytes().free, pool.bytes().peak), (0, 1024));
    }

    /// If this fails, growth by one element would create a buffer each time.
    #[test]
    fn growth_is_ample_and_rare() {
        let pool = Pool::new(testing::gpu());
        let mut buffer = pool.storage("growing", 4).unwrap();
        let mut moves = 0;
        for elements in 1..100_000 {
            moves += u32::from(pool.grow(&mut buffer, 4 * elements).unwrap());
            assert!(buffer.size() >= 4 * elements && buffer.bytes() == 4 * elements);
        }
        assert!(moves < 20, "{moves}");
    }

    /// If this fails, the driver is asked for what it must refuse.
    #[test]
    fn too_large_is_said_before_the_device_is_asked() {
        let pool = Pool::new(testing::gpu());
        let error = pool.storage("everyone", (128 << 20) + 1).unwrap_err();
        let limit = 128 << 20;
        assert_eq!(error, GpuError::TooLarge { what: "everyone".into(), bytes: limit + 1, limit });
        assert!(error.to_string().contains("everyone"));
        assert_eq!(pool.bytes().created, 0);
        assert_eq!(testing::gpu().take_errors(), []);
    }
}
