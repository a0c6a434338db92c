//! How much a picture may cost.

use crate::{RenderOptions, ShadowOptions};

/// How much a picture may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// For devices made of software, and for moving about: shadows of fewer texels that reach less far, and no
    /// darker corners.
    Draft,
    /// Everything.
    #[default]
    Full,
}

impl RenderOptions {
    /// The options of a quality.
    #[must_use]
    pub fn of(quality: Quality) -> Self {
        let full = Self::default();
        match quality {
            Quality::Full => full,
            Quality::Draft => Self {
                shadow: ShadowOptions { side: 1024, reach: 240.0, ..full.shadow },
                occlusion: false,
                ..full
            },
        }
    }
}
