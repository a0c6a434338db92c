//! Bytes into buffers, and out of them for those who can wait.

use crate::Gpu;
#[cfg(not(target_arch = "wasm32"))]
use crate::GpuError;

/// How long the answer to a finished mapping may take.
#[cfg(not(target_arch = "wasm32"))]
const ANSWER: std::time::Duration = std::time::Duration::from_secs(10);

impl Gpu {
    /// Writes elements to a buffer, in the order of the queue: before all that is submitted later.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &wgpu::Buffer, offset: u64, content: &[T]) {
        if content.is_empty() {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(content);
        self.counters().uploaded.add(bytes.len() as u64);
        self.queue().write_buffer(buffer, offset, bytes);
    }

    /// Reads the first elements of a buffer and waits for them. For tools and tests; a step that must
    /// not wait uses a [`ReadRing`](crate::ReadRing).
    ///
    /// # Errors
    /// The buffer is smaller than that, the device is lost or out of memory.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read<T: bytemuck::Pod>(
        &self,
        buffer: &wgpu::Buffer,
        len: usize,
    ) -> Result<Vec<T>, GpuError> {
        let bytes = len as u64 * size_of::<T>() as u64;
        if bytes > buffer.size() {
            let what = "the buffer to read".to_owned();
            return Err(GpuError::TooSmall { what, bytes: buffer.size(), needed: bytes });
        }
        if len == 0 {
            return Ok(Vec::new());
        }
        let copied = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        let staging = self.scoped("reading back", || {
            let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("reading back"),
                size: copied,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.encoder("reading back");
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, copied);
            self.submit(encoder);
            staging
        })?;
        self.counters().buffers.add(1);
        self.counters().maps.add(1);
        self.counters().read_back.add(bytes);
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
            let _ = sender.send(mapped);
        });
        self.wait()?;
        let failed = |reason: String| GpuError::ReadBack { what: "a buffer".to_owned(), reason };
        // Another thread that polls may be the one to bring the answer, a moment later.
        match receiver.recv_timeout(ANSWER) {
            Ok(Ok(())) => {}
            Ok(Err(e)) => return Err(failed(e.to_string())),
            Err(e) => return Err(failed(e.to_string())),
        }
        let view = staging.get_mapped_range(..).map_err(|e| failed(e.to_string()))?;
        Ok(bytemuck::pod_collect_to_vec(&view[..bytes as usize]))
    }
}
