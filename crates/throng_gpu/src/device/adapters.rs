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

async fn look(backends: wgpu::Backends) -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
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
