//! The device: opened once, shared by all who compute or draw on it.

mod adapters;
mod cache;
mod counters;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use adapters::{AdapterSummary, Adapters, Choice, describe, is_software};
pub(crate) use counters::Counters;
pub use counters::Counts;

use crate::GpuError;
use crate::record::Program;
use crate::shader::{Def, Library, Shader};

/// How to open a device.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which adapter.
    pub choice: Choice,
    /// Leaves out every optional feature, as the poorest browser would.
    pub plain: bool,
    /// Features to have if the adapter has them, besides those that are always asked for.
    pub wished: wgpu::Features,
    /// Bytes of an earlier [`Gpu::pipeline_cache`]; used if they are whole and from this driver.
    pub pipeline_cache: Option<Vec<u8>>,
}

/// What the device can do beyond the defaults of WebGPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Invocations of a subgroup can add and compare among themselves.
    pub subgroups: bool,
    /// Passes can be timed.
    pub timestamps: bool,
    /// Places within a pass can be timed.
    pub timestamps_in_passes: bool,
    /// Compiled pipelines can be kept from run to run (Vulkan only).
    pub pipeline_cache: bool,
}

/// A device with its queue. Cheap to clone; all clones are one device.
#[derive(Clone, Debug)]
pub struct Gpu {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    capabilities: Capabilities,
    counters: Counters,
    state: Arc<State>,
    cache: Option<wgpu::PipelineCache>,
    library: Library,
}

/// What the callbacks of the device write to.
#[derive(Debug, Default)]
struct State {
    lost: OnceLock<String>,
    errors: Mutex<Vec<GpuError>>,
}

/// Errors beyond this many are dropped: the first ones tell what went wrong.
const ERRORS_KEPT: usize = 64;

impl Gpu {
    /// Opens a device and waits for it.
    ///
    /// # Errors
    /// No adapter, or none that fits; or it gives no device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(options: &Options) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(options))
    }

    /// Opens a device on a given adapter and waits for it.
    ///
    /// # Errors
    /// The adapter has less than WebGPU's default limits, or gives no device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_on(adapter: &wgpu::Adapter, options: &Options) -> Result<Self, GpuError> {
        pollster::block_on(Self::on(adapter, options))
    }

    /// Opens a device.
    ///
    /// # Errors
    /// No adapter, or none that fits; or it gives no device.
    pub async fn request(options: &Options) -> Result<Self, GpuError> {
        let adapters = Adapters::find().await;
        Self::on(adapters.choose(&options.choice)?, options).await
    }

    /// Opens a device on a given adapter: one that can show pictures on a given window, say.
    ///
    /// # Errors
    /// The adapter has less than WebGPU's default limits, or gives no device.
    pub async fn on(adapter: &wgpu::Adapter, options: &Options) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let features = if options.plain {
            wgpu::Features::empty()
        } else {
            adapter.features()
                & (wgpu::Features::SUBGROUP
                    | wgpu::Features::TIMESTAMP_QUERY
                    | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES
                    | wgpu::Features::PIPELINE_CACHE
                    | options.wished)
        };
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("throng"),
                required_features: features,
                required_limits: wgpu::Limits::default(),
                ..Default::default()
            })
            .await
            .map_err(|e| GpuError::NoDevice { adapter: describe(&info), reason: e.to_string() })?;
        Self::from_parts(device, queue, info, options.pipeline_cache.as_deref())
    }

    /// Works on a device that a host has opened, with the features and limits it was opened with.
    /// Errors that nobody catches and the loss of the device are from now on told here, and not to a
    /// handler that the host may have set before.
    ///
    /// # Errors
    /// Never, as long as this crate's tests pass.
    pub fn adopt(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let info = device.adapter_info();
        Self::from_parts(device, queue, info, None)
    }

    fn from_parts(
        device: wgpu::Device,
        queue: wgpu::Queue,
        info: wgpu::AdapterInfo,
        pipelines: Option<&[u8]>,
    ) -> Result<Self, GpuError> {
        let features = device.features();
        let state = Arc::new(State::default());
        watch(&device, &state);
        let capabilities = Capabilities {
            // Ranks are computed from a subgroup's place in the workgroup; four is the least size
            // that WebGPU knows.
            subgroups: features.contains(wgpu::Features::SUBGROUP) && info.subgroup_min_size >= 4,
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            timestamps_in_passes: features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
            pipeline_cache: features.contains(wgpu::Features::PIPELINE_CACHE),
        };
        let cache = capabilities.pipeline_cache.then(|| cache::open(&device, &info, pipelines));
        let inner = Inner {
            device,
            queue,
            info,
            capabilities,
            counters: Counters::default(),
            state,
            cache,
            library: Library::new()?,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The device of wgpu.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// The queue of wgpu.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    /// The adapter under the device.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.inner.info
    }

    /// What the device can do beyond the defaults.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.inner.capabilities
    }

    /// What was asked of the device so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.inner.counters.look()
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.inner.counters
    }

    /// Why the device is gone, if it is. Everything on it must then be made anew, from what the CPU
    /// still has.
    #[must_use]
    pub fn lost(&self) -> Option<String> {
        self.inner.state.lost.get().cloned()
    }

    /// Takes the errors that nobody waited for, oldest first. They are kept instead of panicking.
    #[must_use]
    pub fn take_errors(&self) -> Vec<GpuError> {
        std::mem::take(&mut *self.inner.state.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loses the device on purpose, to try what happens then.
    pub fn destroy(&self) {
        self.inner.device.destroy();
        // The callback comes with the next poll.
        let _ = self.inner.device.poll(wgpu::PollType::Poll);
    }

    /// Runs what may fail on the device and gives the error instead of keeping it for later.
    /// In a browser errors come too late for this and are found by [`Gpu::take_errors`].
    ///
    /// # Errors
    /// Out of memory, not valid, internal; or the device was lost before.
    pub fn scoped<T>(&self, what: &str, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        if let Some(reason) = self.lost() {
            return Err(GpuError::Lost { reason });
        }
        let filters = [
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::OutOfMemory,
        ];
        if cfg!(target_arch = "wasm32") {
            return Ok(make());
        }
        let scopes = filters.map(|filter| self.inner.device.push_error_scope(filter));
        let made = make();
        // All are popped before any is asked: the last pushed first.
        let errors = scopes.into_iter().rev().map(|s| pollster::block_on(s.pop()));
        match errors.fold(None, Option::or) {
            None => Ok(made),
            Some(error) => Err(GpuError::from_wgpu(what, &error)),
        }
    }

    /// An encoder to record into.
    #[must_use]
    pub fn encoder(&self, label: &str) -> wgpu::CommandEncoder {
        let label = Some(label);
        self.inner.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
    }

    /// Hands recorded work to the device. Does not wait.
    pub fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.inner.counters.submissions.add(1);
        self.inner.queue.submit([encoder.finish()])
    }

    /// Hands over what several encoders recorded, to be done in this order. Does not wait.
    pub fn submit_all(
        &self,
        recorded: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> wgpu::SubmissionIndex {
        self.inner.counters.submissions.add(1);
        self.inner.queue.submit(recorded)
    }

    /// Gives callbacks of finished work their turn, without waiting.
    pub fn poll(&self) {
        let _ = self.inner.device.poll(wgpu::PollType::Poll);
    }

    /// Waits until all submitted work is done. For tools and tests: a step has no need of it.
    ///
    /// # Errors
    /// The device was lost.
    pub fn wait(&self) -> Result<(), GpuError> {
        let polled = self.inner.device.poll(wgpu::PollType::wait_indefinitely());
        match (self.lost(), polled) {
            (Some(reason), _) => Err(GpuError::Lost { reason }),
            (None, Err(e)) => {
                Err(GpuError::Internal { what: "waiting".to_owned(), reason: e.to_string() })
            }
            (None, Ok(_)) => Ok(()),
        }
    }

    /// The compiled pipelines so far, for [`Options::pipeline_cache`] of a later run.
    #[must_use]
    pub fn pipeline_cache(&self) -> Option<Vec<u8>> {
        let data = self.inner.cache.as_ref()?.get_data()?;
        Some(cache::seal(&self.inner.info, &data))
    }

    /// A shader of this crate, compiled.
    pub(crate) fn program(
        &self,
        shader: &Shader,
        defs: &[(&str, Def)],
    ) -> Result<Program, GpuError> {
        self.inner.library.program(self, shader, defs)
    }

    pub(crate) fn cache(&self) -> Option<&wgpu::PipelineCache> {
        self.inner.cache.as_ref()
    }
}

/// Stores errors and loss where [`Gpu`] finds them. wgpu's own way is to panic.
fn watch(device: &wgpu::Device, state: &Arc<State>) {
    let errors = state.clone();
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        tracing::error!(%error, "uncaptured GPU error");
        let mut kept = errors.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < ERRORS_KEPT {
            kept.push(GpuError::from_wgpu("recorded work", &error));
        }
    }));
    let lost = state.clone();
    device.set_device_lost_callback(move |reason, message| {
        let reason = format!("{reason:?}: {message}");
        tracing::error!(%reason, "GPU device lost");
        let _ = lost.lost.set(reason);
    });
}
