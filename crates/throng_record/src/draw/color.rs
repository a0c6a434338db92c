//! Colours and colour maps.
//!
//! Viridis, by Nathaniel Smith and Stéfan van der Walt (released as CC0), has even steps of colour
//! for even steps of value, also to the colour-blind and in grey print. The others are our own.

/// An sRGB colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

impl Rgb {
    /// This colour at `t = 0`, `other` at `t = 1`; `t` is clamped, and NaN counts as 0.
    pub fn mix(self, other: Self, t: f32) -> Self {
        let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
        let channel = |i: usize| {
            let (a, b) = (f32::from(self.0[i]), f32::from(other.0[i]));
            (a + (b - a) * t).round() as u8
        };
        Self([channel(0), channel(1), channel(2)])
    }

    /// Square of the distance of two colours, in levels of 255.
    pub fn distance_squared(self, other: Self) -> f32 {
        let parts = self.0.iter().zip(other.0);
        parts.map(|(&a, b)| (f32::from(a) - f32::from(b)).powi(2)).sum()
    }

    /// How light the colour looks, roughly: 0 is black, 1 is white (Rec. 709 weights on sRGB).
    pub fn lightness(self) -> f32 {
        let [r, g, b] = self.0.map(|c| f32::from(c) / 255.0);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

/// Colours for values from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorMap {
    stops: &'static [[u8; 3]],
    from: f32,
    to: f32,
}

impl ColorMap {
    /// Dark violet over teal to yellow.
    pub const VIRIDIS: Self = Self { stops: &VIRIDIS_STOPS, from: 0.0, to: 1.0 };

    /// From the ground's own paleness over amber and red to deep purple: much of something.
    pub const HEAT: Self = Self { stops: &HEAT_STOPS, from: 0.0, to: 1.0 };

    /// From dark red (standing) over amber to blue-green (fast).
    pub const PACE: Self = Self { stops: &PACE_STOPS, from: 0.0, to: 1.0 };

    /// The part of the map between `from` and `to`; `from > to` turns it round.
    pub const fn part(self, from: f32, to: f32) -> Self {
        let span = self.to - self.from;
        Self { stops: self.stops, from: self.from + span * from, to: self.from + span * to }
    }

    /// The colour of `t`, which is clamped to `[0, 1]`; NaN counts as 0.
    pub fn at(self, t: f32) -> Rgb {
        let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
        let last = self.stops.len() - 1;
        let along = (self.from + (self.to - self.from) * t) * last as f32;
        let index = (along.max(0.0) as usize).min(last - 1);
        Rgb(self.stops[index]).mix(Rgb(self.stops[index + 1]), along - index as f32)
    }
}

const HEAT_STOPS: [[u8; 3]; 7] = [
    [255, 247, 214],
    [254, 220, 130],
    [252, 176, 68],
    [240, 116, 44],
    [209, 54, 58],
    [146, 24, 88],
    [72, 12, 84],
];

const PACE_STOPS: [[u8; 3]; 6] =
    [[150, 20, 52], [222, 62, 46], [245, 148, 42], [242, 206, 74], [92, 184, 140], [18, 118, 152]];

/// Every eighth colour of viridis; mixing between them is within three levels of the original.
const VIRIDIS_STOPS: [[u8; 3]; 33] = [
    [68, 1, 84],
    [71, 13, 96],
    [72, 24, 106],
    [72, 35, 116],
    [71, 45, 123],
    [69, 55, 129],
    [66, 64, 134],
    [62, 73, 137],
    [59, 82, 139],
    [55, 91, 141],
    [51, 99, 141],
    [47, 107, 142],
    [44, 114, 142],
    [41, 122, 142],
    [38, 130, 142],
    [35, 137, 142],
    [33, 145, 140],
    [31, 152, 139],
    [31, 160, 136],
    [34, 167, 133],
    [40, 174, 128],
    [50, 182, 122],
    [63, 188, 115],
    [78, 195, 107],
    [94, 201, 98],
    [112, 207, 87],
    [132, 212, 75],
    [152, 216, 62],
    [173, 220, 48],
    [194, 223, 35],
    [216, 226, 25],
    [236, 229, 27],
    [253, 231, 37],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A map whose lightness is not monotone shows valleys where there are none.
    #[test]
    fn viridis_grows_lighter_all_the_way() {
        let lightness: Vec<f32> =
            (0..=200).map(|i| ColorMap::VIRIDIS.at(i as f32 / 200.0).lightness()).collect();
        let slack = 0.005; // 8-bit rounding
        assert!(lightness.windows(2).all(|pair| pair[1] > pair[0] - slack));
        assert!(lightness[200] - lightness[0] > 0.7);
    }

    #[test]
    fn ends_clamp_and_parts_turn_round() {
        let map = ColorMap::VIRIDIS;
        assert_eq!(map.at(-1.0), Rgb([68, 1, 84]));
        assert_eq!(map.at(f32::NAN), Rgb([68, 1, 84]));
        assert_eq!(map.at(f32::INFINITY), Rgb([253, 231, 37]));
        let turned = map.part(1.0, 0.5);
        assert_eq!(turned.at(0.0), map.at(1.0));
        assert_eq!(turned.at(1.0), map.at(0.5));
    }
}
