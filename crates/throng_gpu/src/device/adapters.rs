//! Which adapters there are, and which one is meant.

use crate::GpuError;

/// The adapters of this machine.
#[derive(Debug)]
pub struct Adapters {
    list: Vec<wgpu::Adapter>,
}

/// Which adapter to take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The fastest: discrete before integrated, virtual, software.
    #[default]
    Fast,
    /// The most frugal: integrated before discrete, virtual, software.
    Frugal,
    /// The first whose name, driver or backend contains this, whatever the case of letters.
    Named(String),
}

impl Adapters {
    /// Looks for adapters. Does not block; in a browser it asks the browser.
    pub async fn find() -> Self {
        let mut list = look(wgpu::Backends::PRIMARY).await;
        if list.is_empty() {
            // A second door to the same hardware, with fewer limits, that complains on stderr where
            // there is no window system.
            list = look(wgpu::Backends::SECONDARY).await;
        }
        Self { list }
    }

    /// These adapters: those that can show pictures on a given window, say.
    #[must_use]
    pub fn of(list: Vec<wgpu::Adapter>) -> Self {
        Self { list }
    }

    /// Looks for adapters and waits for the answer.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn find_now() -> Self {
        pollster::block_on(Self::find())
    }

    /// Each adapter in words, in the order of [`Adapters::info`].
    #[must_use]
    pub fn summaries(&self) -> Vec<AdapterSummary> {
        self.list.iter().map(AdapterSummary::of).collect()
    }

    /// The place in the list of the adapter that is meant, if there is one.
    #[must_use]
    pub fn place_of(&self, choice: &Choice) -> Option<usize> {
        let chosen = self.choose(choice).ok()?;
        self.list.iter().position(|adapter| std::ptr::eq(adapter, chosen))
    }

    /// What is known of each adapter, in the order of preference among equals.
    pub fn info(&self) -> impl Iterator<Item = wgpu::AdapterInfo> + '_ {
        self.list.iter().map(wgpu::Adapter::get_info)
    }

    /// The adapter that is meant.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], with the names of those there are.
    pub fn choose(&self, choice: &Choice) -> Result<&wgpu::Adapter, GpuError> {
        let found = match choice {
            Choice::Fast => self.list.iter().min_by_key(|a| rank(a, false)),
            Choice::Frugal => self.list.iter().min_by_key(|a| rank(a, true)),
            Choice::Named(name) => {
                let name = name.to_lowercase();
                self.list.iter().find(|a| describe(&a.get_info()).to_lowercase().contains(&name))
            }
        };
        found.ok_or_else(|| GpuError::NoAdapter {
            wanted: match choice {
                Choice::Fast | Choice::Frugal => "at all".to_owned(),
                Choice::Named(name) => format!("called {name:?}"),
            },
            found: match self.list.len() {
                0 => "none".to_owned(),
                _ => self.info().map(|i| describe(&i)).collect::<Vec<_>>().join(", "),
            },
        })
    }
}

/// What one wants to know of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Name of the card.
    pub name: String,
    /// The API it is reached by: vulkan, metal, dx12, gl.
    pub api: String,
    /// Discrete, integrated, virtual, software or other.
    pub kind: &'static str,
    /// Driver, and what it says of itself.
    pub driver: String,
    /// Whether it is a program that runs on the CPU.
    pub software: bool,
    /// Whether it has the default limits of WebGPU, which is all that is needed.
    pub fits: bool,
    /// The largest buffer (bytes), and the largest that a shader can be given whole.
    pub largest_buffer: u64,
    /// The largest binding of a storage buffer (bytes).
    pub largest_binding: u64,
    /// Invocations in a workgroup, at most.
    pub workgroup: u32,
    /// Least and greatest size of a subgroup, if it has subgroups.
    pub subgroups: Option<(u32, u32)>,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Whether places within passes can be timed.
    pub timestamps_in_passes: bool,
}

impl AdapterSummary {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
        let has = |feature| features.contains(feature);
        Self {
            api: format!("{:?}", info.backend).to_lowercase(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete",
                wgpu::DeviceType::IntegratedGpu => "integrated",
                wgpu::DeviceType::VirtualGpu => "virtual",
                wgpu::DeviceType::Cpu => "software",
                wgpu::DeviceType::Other => "other",
            },
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            software: is_software(&info),
            fits: wgpu::Limits::default().check_limits(&limits),
            largest_buffer: limits.max_buffer_size,
            largest_binding: limits.max_storage_buffer_binding_size,
            workgroup: limits.max_compute_invocations_per_workgroup,
            subgroups: has(wgpu::Features::SUBGROUP)
                .then_some((info.subgroup_min_size, info.subgroup_max_size)),
            timestamps: has(wgpu::Features::TIMESTAMP_QUERY),
            timestamps_in_passes: has(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
            name: info.name,
        }
    }
}

/// Whether an adapter is a program that runs on the CPU.
#[must_use]
pub fn is_software(info: &wgpu::AdapterInfo) -> bool {
    info.device_type == wgpu::DeviceType::Cpu
}

async fn look(backends: wgpu::Backends) -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    // The arguments of indirect work come from our own kernels, which keep within limits. To have them checked
    // takes a dispatch and two barriers each, a tenth of a crowd's step on a software device: tests do it,
    // and whoever asks for it by the environment.
    let check = wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL;
    if !cfg!(debug_assertions) && std::env::var_os("WGPU_VALIDATION_INDIRECT_CALL").is_none() {
        descriptor.flags.remove(check);
    }
    descriptor.backends &= backends;
    if descriptor.backends.is_empty() {
        return Vec::new();
    }
    let backends = descriptor.backends;
    wgpu::Instance::new(descriptor).enumerate_adapters(backends).await
}

/// One line on an adapter: name, driver, backend.
#[must_use]
pub fn describe(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({} {}, {:?})", info.name, info.driver, info.driver_info, info.backend)
}

fn rank(adapter: &wgpu::Adapter, frugal: bool) -> u8 {
    match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => u8::from(frugal),
        wgpu::DeviceType::IntegratedGpu => u8::from(!frugal),
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}
