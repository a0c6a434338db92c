//! The ground as words: which site is nearest, how fast one can walk, heights.

use super::constants::NOTHING;
use crate::crowd::Crowd;
use throng_field::Grid;

/// The cells of zones, whose first corner is that of the navigation cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Zones {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    pub(crate) cell: f32,
}

impl Zones {
    fn of<T>(grid: &Grid<T>) -> Self {
        let [columns, rows] = [grid.width(), grid.height()].map(|n| n as u32);
        Self { columns, rows, cell: grid.cell_size() }
    }
}

/// All in one row of words, and where each part begins.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) words: Vec<u32>,
    pub(crate) sites: u32,
    pub(crate) speed: u32,
    pub(crate) stairs: u32,
    pub(crate) dose: u32,
    pub(crate) zones: Zones,
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
        let world = &crowd.world;
        let all = [
            world.speed.as_ref().map(Zones::of),
            world.stairs.as_ref().map(Zones::of),
            world.dose.as_ref().map(Zones::of),
        ];
        let zones = all.into_iter().flatten().next().unwrap_or_default();
        debug_assert!(
            all.into_iter().flatten().all(|z| z == zones),
            "zones on other cells: {all:?}"
        );
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
        Self { words, sites, speed, stairs, dose, zones, heights, height_words }
    }
}

/// A direction as a word.
pub(crate) fn flow_word(code: [i16; 2]) -> u32 {
    u32::from(code[0] as u16) | u32::from(code[1] as u16) << 16
}
