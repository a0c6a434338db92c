//! One palette for a clip: colours that must be there, and those that serve the first frame best.
//!
//! Colours of the frame are counted in boxes of 8 levels a side. Boxes are split where the spread is
//! largest, counting the square root of pixels, so that small bright things are not outvoted by
//! the ground; then every colour moves to the middle of what it serves.

use crate::Image;
use crate::draw::Rgb;

/// The entry that leaves a pixel as it is.
pub(super) const TRANSPARENT: u8 = 255;
/// Colours there is room for.
const MOST: usize = 255;
/// At most so many are taken because they must be.
const MOST_GIVEN: usize = 64;
const BITS: u32 = 5;
const LOOKUP_BITS: u32 = 6;
const ROUNDS: usize = 3;
const UNKNOWN: u16 = u16::MAX;

/// The colours of a clip.
pub(super) struct Palette {
    colors: Vec<Rgb>,
    /// The nearest entry of each box of 4 levels a side, found when first asked.
    lookup: Vec<u16>,
}

#[derive(Clone, Copy)]
struct Bin {
    color: [f32; 3],
    weight: f32,
}

impl Palette {
    pub(super) fn new(first: &Image, given: &[Rgb]) -> Self {
        let mut colors: Vec<Rgb> = Vec::new();
        for &color in given {
            if colors.len() < MOST_GIVEN && !colors.contains(&color) {
                colors.push(color);
            }
        }
        let bins = count(first);
        let mut means = split(&bins, MOST - colors.len());
        for _ in 0..ROUNDS {
            settle(&bins, &mut means);
        }
        colors.extend(means.iter().map(|mean| Rgb(mean.map(|part| part.round() as u8))));
        Self { colors, lookup: vec![UNKNOWN; 1 << (3 * LOOKUP_BITS)] }
    }

    /// 256 entries of red, green and blue.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colors.iter().flat_map(|color| color.0).collect();
        bytes.resize(3 * 256, 0);
        bytes
    }

    pub(super) fn color(&self, index: u8) -> Rgb {
        self.colors[usize::from(index)]
    }

    /// The entry nearest to a colour (to the middle of its box).
    pub(super) fn nearest(&mut self, color: Rgb) -> u8 {
        let part = |i: usize| usize::from(color.0[i] >> (8 - LOOKUP_BITS));
        let key = (part(0) << (2 * LOOKUP_BITS)) | (part(1) << LOOKUP_BITS) | part(2);
        if self.lookup[key] == UNKNOWN {
            let distances = self.colors.iter().map(|entry| entry.distance_squared(color));
            let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            self.lookup[key] = nearest.map_or(0, |(index, _)| index as u16);
        }
        self.lookup[key] as u8
    }
}

fn count(image: &Image) -> Vec<Bin> {
    let mut sums = vec![([0u64; 3], 0u64); 1 << (3 * BITS)];
    for pixel in image.pixels() {
        let part = |i: usize| usize::from(pixel.0[i] >> (8 - BITS));
        let sum = &mut sums[(part(0) << (2 * BITS)) | (part(1) << BITS) | part(2)];
        for (sum, value) in sum.0.iter_mut().zip(pixel.0) {
            *sum += u64::from(value);
        }
        sum.1 += 1;
    }
    let filled = sums.into_iter().filter(|(_, count)| *count > 0);
    let bin = |(sum, count): ([u64; 3], u64)| Bin {
        color: sum.map(|part| part as f32 / count as f32),
        weight: (count as f32).sqrt(),
    };
    filled.map(bin).collect()
}

/// Splits the box of the widest spread until there are `most`; gives their means.
fn split(bins: &[Bin], most: usize) -> Vec<[f32; 3]> {
    let mut boxes: Vec<(Vec<Bin>, f32, usize)> = Vec::new();
    let measured = |bins: Vec<Bin>| {
        let spreads = spread(&bins);
        let axis = (0..3).max_by(|&a, &b| spreads[a].total_cmp(&spreads[b])).unwrap_or(0);
        (bins, spreads[axis], axis)
    };
    boxes.push(measured(bins.to_vec()));
    while boxes.len() < most {
        let widest = (0..boxes.len()).max_by(|&a, &b| boxes[a].1.total_cmp(&boxes[b].1));
        let Some(widest) = widest.filter(|&i| boxes[i].0.len() > 1 && boxes[i].1 > 0.0) else {
            break;
        };
        let (bins, _, axis) = boxes.swap_remove(widest);
        let middle = mean(&bins)[axis];
        let (low, high): (Vec<Bin>, Vec<Bin>) =
            bins.into_iter().partition(|bin| bin.color[axis] <= middle);
        boxes.push(measured(low));
        if !high.is_empty() {
            boxes.push(measured(high));
        }
    }
    boxes.iter().map(|(bins, ..)| mean(bins)).collect()
}

fn mean(bins: &[Bin]) -> [f32; 3] {
    let total: f32 = bins.iter().map(|bin| bin.weight).sum();
    std::array::from_fn(|axis| {
        bins.iter().map(|bin| bin.color[axis] * bin.weight).sum::<f32>() / total.max(1e-9)
    })
}

/// Weighted sum of squares from the mean, per axis.
fn spread(bins: &[Bin]) -> [f32; 3] {
    let mean = mean(bins);
    std::array::from_fn(|axis| {
        bins.iter().map(|bin| (bin.color[axis] - mean[axis]).powi(2) * bin.weight).sum()
    })
}

/// Moves every mean to the middle of the colours it is nearest to.
fn settle(bins: &[Bin], means: &mut [[f32; 3]]) {
    let mut sums = vec![([0.0f32; 3], 0.0f32); means.len()];
    for bin in bins {
        let distance = |mean: &[f32; 3]| -> f32 {
            mean.iter().zip(bin.color).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let nearest =
            (0..means.len()).min_by(|&a, &b| distance(&means[a]).total_cmp(&distance(&means[b])));
        let Some(nearest) = nearest else { return };
        let (sum, weight) = &mut sums[nearest];
        for (sum, value) in sum.iter_mut().zip(bin.color) {
            *sum += value * bin.weight;
        }
        *weight += bin.weight;
    }
    for (mean, (sum, weight)) in means.iter_mut().zip(sums) {
        if weight > 0.0 {
            *mean = sum.map(|part| part / weight);
        }
    }
}
