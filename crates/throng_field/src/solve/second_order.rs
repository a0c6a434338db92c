//! Second order.
use super::{Report, Source};
use crate::grid::Grid;

/// Scratch.
#[derive(Debug, Default)]
pub(crate) struct Refiner {}

impl Refiner {
    pub(crate) fn refine(
        &mut self,
        _cost: &Grid<f32>,
        _sources: &[Source],
        _out: &mut Grid<f32>,
        report: Report,
    ) -> Report {
        report
    }
}
