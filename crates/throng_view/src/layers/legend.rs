//! What the colours of a layer mean.

use throng_render::RAMP;

use super::tints::FASTEST;
use super::{CLASS_COLOURS, COOL, CULLED_COLOURS, Layer, PACE, WARM};

/// Colours of the forms of grass, as the renderer shows them.
const FORM_COLOURS: [[u8; 3]; 3] = [[110, 200, 130], [120, 150, 230], [250, 150, 80]];

/// What the colours of a layer mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Legend {
    /// Colours over a range of numbers, and their unit.
    Ramp { colours: [[u8; 3]; RAMP], range: [f32; 2], unit: &'static str },
    /// A colour for each kind, and how many there are, if that is known.
    Kinds(Vec<([u8; 3], &'static str, Option<usize>)>),
}

/// The legend of a layer; `range` is that of the numbers on the ground, `counts` that of who was culled.
pub(crate) fn legend(layer: Layer, range: [f32; 2], counts: Option<[usize; 3]>) -> Option<Legend> {
    let ramp = |colours, range, unit| Some(Legend::Ramp { colours, range, unit });
    match layer {
        Layer::None | Layer::Directions => None,
        Layer::Cost => ramp(WARM, range, "cost of a metre"),
        Layer::Potential => ramp(COOL, range, "cost of the way"),
        Layer::Density => ramp(WARM, range, "people per m²"),
        Layer::Bins => ramp(COOL, range, "people in a bin"),
        Layer::Trample => ramp(WARM, [0.0, 1.0], "trodden down"),
        Layer::Wear => ramp(WARM, [0.0, 1.0], "bare soil"),
        Layer::GrassTiles => {
            let kinds = [(COOL[2], "recovering", None), (COOL[4], "touched by bodies", None)];
            Some(Legend::Kinds(kinds.to_vec()))
        }
        Layer::GrassForms => {
            let kinds = [
                (FORM_COLOURS[0], "three billboards", None),
                (FORM_COLOURS[1], "one, far away", None),
                (FORM_COLOURS[2], "lattices that part", None),
            ];
            Some(Legend::Kinds(kinds.to_vec()))
        }
        Layer::Speed => ramp(PACE, [0.0, FASTEST], "m/s"),
        Layer::Detail => {
            let names = ["most detail", "much", "some", "least"];
            let kind = |(colour, name)| (colour, name, None);
            Some(Legend::Kinds(CLASS_COLOURS.into_iter().zip(names).map(kind).collect()))
        }
        Layer::Culled => {
            let names = ["drawn", "outside the view", "hidden by something"];
            let kind = |i: usize| (CULLED_COLOURS[i], names[i], counts.map(|counts| counts[i]));
            Some(Legend::Kinds((0..3).map(kind).collect()))
        }
    }
}
