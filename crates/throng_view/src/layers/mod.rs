//! Overlays: what is laid over the picture to explain it, made from the crowd as it is.
//!
//! `ground` makes numbers on the ground, `tints` colours of bodies, `marks` lines: arrows, outlines, the way of
//! the one who is selected, the view that was frozen.

mod ground;
mod legend;
mod marks;
mod tints;

pub(crate) use ground::{grass, ground};
pub(crate) use legend::{Legend, legend};
pub(crate) use marks::marks;
pub(crate) use tints::{CLASS_COLOURS, CULLED_COLOURS, by_speed, covering, culled};

use throng_render::RAMP;

/// What is laid over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing.
    #[default]
    None,
    /// Cost of walking.
    Cost,
    /// Cost of the way to a goal, with contours.
    Potential,
    /// Where the field leads.
    Directions,
    /// People per square metre.
    Density,
    /// Bins, by who is in them.
    Bins,
    /// Bodies by their speed.
    Speed,
    /// Bodies by their class of detail.
    Detail,
    /// Bodies by why they were not drawn, as seen from a frozen camera.
    Culled,
    /// How strongly grass is trodden down.
    Trample,
    /// How worn the ground is.
    Wear,
    /// Tiles of grass: touched by bodies, and recovering from it.
    GrassTiles,
    /// Grass by the form it is drawn in.
    GrassForms,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::None,
        Self::Cost,
        Self::Potential,
        Self::Directions,
        Self::Density,
        Self::Bins,
        Self::Speed,
        Self::Detail,
        Self::Culled,
        Self::Trample,
        Self::Wear,
        Self::GrassTiles,
        Self::GrassForms,
    ];

    /// Those that show grass.
    pub const GRASS: [Self; 4] = [Self::Trample, Self::Wear, Self::GrassTiles, Self::GrassForms];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Cost => "cost",
            Self::Potential => "potential",
            Self::Directions => "directions",
            Self::Density => "density",
            Self::Bins => "bins",
            Self::Speed => "speed",
            Self::Detail => "detail",
            Self::Culled => "culled",
            Self::Trample => "trample",
            Self::Wear => "wear",
            Self::GrassTiles => "grass-tiles",
            Self::GrassForms => "grass-forms",
        }
    }

    /// Whether it shows the field of a group and a goal.
    #[must_use]
    pub fn has_field(self) -> bool {
        matches!(self, Self::Cost | Self::Potential | Self::Directions)
    }
}

/// Blue over green to yellow (after viridis): for amounts that are neither good nor bad.
pub(crate) const COOL: [[u8; 3]; RAMP] =
    [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
/// Dark over red to pale yellow (after inferno): for crowding and cost.
pub(crate) const WARM: [[u8; 3]; RAMP] =
    [[20, 11, 52], [132, 32, 107], [229, 92, 48], [246, 180, 20], [252, 255, 164]];
/// Blue over grey to red: standing to running.
pub(crate) const PACE: [[u8; 3]; RAMP] =
    [[40, 70, 190], [70, 160, 215], [190, 205, 190], [245, 150, 60], [215, 40, 35]];

/// A colour of a ramp, `t` from 0 to 1.
pub(crate) fn colour_at(ramp: &[[u8; 3]; RAMP], t: f32) -> [u8; 3] {
    let t = t.clamp(0.0, 1.0) * (RAMP - 1) as f32;
    let first = (t as usize).min(RAMP - 2);
    let share = t - first as f32;
    std::array::from_fn(|k| {
        let (a, b) = (f32::from(ramp[first][k]), f32::from(ramp[first + 1][k]));
        (a + (b - a) * share).round() as u8
    })
}

/// A step of 1, 2 or 5 times a power of ten, so that about `count` of them fill a range.
pub(crate) fn round_step(range: f32, count: f32) -> f32 {
    let raw = (range / count.max(1.0)).max(1e-6);
    let power = raw.log10().floor() as i32;
    let round = |factor: f32| {
        // By a division, as 0.1 is no power of ten among floats.
        if power < 0 { factor / 10_f32.powi(-power) } else { factor * 10_f32.powi(power) }
    };
    [1.0, 2.0, 5.0].map(round).into_iter().find(|step| *step >= raw * 0.999).unwrap_or(round(10.0))
}

#[cfg(test)]
mod tests {
    use super::{COOL, Layer, colour_at, round_step};

    /// If this fails, contours are at odd numbers or colours jump.
    #[test]
    fn steps_are_round_and_colours_smooth() {
        assert_eq!(
            [round_step(100.0, 10.0), round_step(37.0, 10.0), round_step(0.9, 10.0)],
            [10.0, 5.0, 0.1]
        );
        assert_eq!(colour_at(&COOL, -1.0), COOL[0]);
        assert_eq!(colour_at(&COOL, 2.0), COOL[4]);
        for i in 0..1000 {
            let (a, b) = (colour_at(&COOL, i as f32 / 1e3), colour_at(&COOL, (i + 1) as f32 / 1e3));
            assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 4));
        }
        let names: std::collections::HashSet<_> = Layer::ALL.iter().map(|l| l.name()).collect();
        assert_eq!(names.len(), Layer::ALL.len());
    }
}
