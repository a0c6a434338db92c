//! Where a crowd is to live, and why it cannot.

use throng_crowd::CrowdOptions;

/// Where a crowd lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// All cores, by SIMD. The same scene, seed and steps give the same bits on any machine.
    #[default]
    Cpu,
    /// The GPU; an error where there is none. Software adapters count. The same bits every time on the
    /// same adapter; on another one, or on the CPU, the same crowd but for rounding.
    Gpu,
    /// The GPU where there is a card with room for the crowd, else the CPU, with a notice. A software
    /// adapter (Mesa's llvmpipe, Microsoft's WARP) is taken only if it is asked for by name: it shares
    /// the cores with the CPU backend, which is faster on them.
    Auto,
}

impl Backend {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Auto => "auto",
        }
    }
}

/// How a simulation is run.
#[derive(Clone, Debug)]
pub struct SimulationOptions {
    /// Where the crowd is to live.
    pub backend: Backend,
    /// Part of the name, driver or API of the adapter to take; `None`: the fastest.
    pub adapter: Option<String>,
    /// Simulated seconds from one keepsake of a crowd on the GPU to the next: what it goes on from when
    /// the device is lost. It is copied on the GPU and comes back while steps go on; nobody waits for
    /// it. Rare ones cost less, frequent ones leave less to repeat.
    pub keep_seconds: f64,
    /// How the crowd is run.
    pub crowd: CrowdOptions,
}

impl Default for SimulationOptions {
    /// On the CPU; ten seconds between keepsakes.
    fn default() -> Self {
        Self {
            backend: Backend::Cpu,
            adapter: None,
            keep_seconds: 10.0,
            crowd: CrowdOptions::default(),
        }
    }
}

/// Why a crowd cannot live where it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The library was built without the GPU.
    #[error("this build has no GPU backend: build it with feature `gpu`, or take the CPU")]
    NotBuilt,
    /// There is no adapter, or none of that name; or it gives no device.
    #[error("no GPU to run on: {reason}")]
    NoDevice {
        /// What was found.
        reason: String,
    },
    /// The crowd is too large for the device.
    #[error(
        "out of GPU memory: {agents} agents are too many for {adapter}, which has room for {most}"
    )]
    TooMany {
        /// How many there are to be.
        agents: u64,
        /// How many would fit.
        most: u64,
        /// The adapter.
        adapter: String,
    },
    /// The device has not the memory at present.
    #[error("out of GPU memory at {what}: {agents} agents need {megabytes} MB on {adapter}")]
    NoMemory {
        /// What was being made.
        what: String,
        /// How many agents there are.
        agents: u64,
        /// About what they need.
        megabytes: u64,
        /// The adapter.
        adapter: String,
    },
}
