//! The ground as words: which site is nearest, how fast one can walk, heights.

use super::constants::NOTHING;
use crate::crowd::Crowd;

/// All in one row of words, and where each part begins.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) words: Vec<u32>,
    pub(crate) sites: u32,
    pub(crate) speed: u32,
    pub(crate) stairs: u32,
    pub(crate) dose: u32,
    pub(crate) heights: u32,
    /// Those are apart from the others.
    pub(crate) height_words: Vec<u32>,
}

impl Packed {
    pub(crate) fn new(crowd: &Crowd) -> Self {
        let mut words = Vec::new();
        let here = |words: &Vec<u32>| words.len() as u32;
        let sites = here(&words);
        for nearest in crowd.sites.nearest() {
            words.extend(nearest.iter().map(|&site| u32::from(site)));
        }
        let mut speed = NOTHING;
        if let Some(grid) = &crowd.world.speed {
            speed = here(&words);
            words.extend(grid.as_slice().iter().map(|v| v.to_bits()));
        }
        let mut stairs = NOTHING;
        if let Some(grid) = &crowd.world.stairs {
            stairs = here(&words);
            words.extend(grid.as_slice().iter().flat_map(|up| [up.x.to_bits(), up.y.to_bits()]));
        }
        let mut dose = NOTHING;
        if let Some(grid) = &crowd.world.dose {
            dose = here(&words);
            words.extend(grid.as_slice().iter().map(|v| v.to_bits()));
        }
        let (mut heights, mut height_words) = (NOTHING, Vec::new());
        if let Some(grid) = &crowd.world.heights {
            heights = 0;
            height_words.extend(grid.as_slice().iter().map(|v| v.to_bits()));
        }
        Self { words, sites, speed, stairs, dose, heights, height_words }
    }
}

/// A direction as a word.
pub(crate) fn flow_word(code: [i16; 2]) -> u32 {
    u32::from(code[0] as u16) | u32::from(code[1] as u16) << 16
}
