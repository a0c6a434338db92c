//! Looks of clumps: grasses first, then flowers.

use glam::{Vec2, Vec3};

use super::brush::{Blade, Sheet};
use crate::grass::sow::Draw;

/// What a clump looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) name: &'static str,
    /// Blades, and the least height of them.
    blades: usize,
    least: f32,
    width: f32,
    /// How far blades lean out.
    spread: f32,
    colours: [u32; 2],
    head: Head,
    /// Height of clumps of it, as a share of the scene's.
    pub(crate) tall: f32,
    /// How often, among those of its kind.
    pub(crate) often: f32,
}

/// What is at the end of some stems.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    None,
    Ears { colour: u32, stems: usize },
    Star { petals: u32, eye: u32, colour: u32, size: f32, stems: usize },
    Cup { colour: u32, size: f32, stems: usize },
    Ball { colour: u32, size: f32, stems: usize },
}

const GREEN: [u32; 2] = [0x36_4A20, 0x86_963E];

const PLAIN: Look = Look {
    name: "meadow grass",
    blades: 46,
    least: 0.45,
    width: 0.026,
    spread: 0.16,
    colours: GREEN,
    head: Head::None,
    tall: 1.0,
    often: 1.0,
};

/// All looks.
pub(crate) const LOOKS: [Look; 10] = [
    PLAIN,
    Look {
        name: "fine grass",
        blades: 70,
        width: 0.015,
        spread: 0.2,
        often: 1.0,
        tall: 0.85,
        ..PLAIN
    },
    Look {
        name: "broad blades",
        blades: 24,
        width: 0.045,
        least: 0.4,
        spread: 0.26,
        colours: [0x30_4A1E, 0x74_9440],
        often: 0.45,
        tall: 0.9,
        ..PLAIN
    },
    Look {
        name: "oat",
        blades: 34,
        width: 0.018,
        least: 0.5,
        colours: [0x40_4E22, 0xA0_9C50],
        head: Head::Ears { colour: 0xB8_A468, stems: 9 },
        often: 0.5,
        tall: 1.2,
        ..PLAIN
    },
    Look {
        name: "straw",
        blades: 40,
        width: 0.017,
        colours: [0x50_4E28, 0xB4_A460],
        often: 0.22,
        spread: 0.22,
        ..PLAIN
    },
    Look {
        name: "clover",
        blades: 26,
        least: 0.3,
        width: 0.03,
        spread: 0.3,
        colours: [0x2C_4420, 0x5E_8438],
        head: Head::Ball { colour: 0xC0_7C98, size: 0.034, stems: 8 },
        tall: 0.62,
        ..PLAIN
    },
    Look {
        name: "daisy",
        blades: 34,
        head: Head::Star { petals: 13, eye: 0xE0_B020, colour: 0xF0_EEE8, size: 0.062, stems: 6 },
        tall: 0.8,
        ..PLAIN
    },
    Look {
        name: "buttercup",
        blades: 36,
        head: Head::Cup { colour: 0xEE_C418, size: 0.036, stems: 9 },
        tall: 0.85,
        ..PLAIN
    },
    Look {
        name: "cornflower",
        blades: 34,
        width: 0.018,
        head: Head::Star { petals: 9, eye: 0x38_2C70, colour: 0x4C_62C8, size: 0.052, stems: 6 },
        ..PLAIN
    },
    Look {
        name: "poppy",
        blades: 32,
        head: Head::Cup { colour: 0xC8_2C18, size: 0.055, stems: 4 },
        tall: 0.95,
        often: 0.7,
        ..PLAIN
    },
];

/// Which of them are grasses, and which flowers.
pub(crate) const GRASSES: std::ops::Range<usize> = 0..5;
pub(crate) const FLOWERS: std::ops::Range<usize> = 5..LOOKS.len();

fn rgb(hex: u32) -> Vec3 {
    let byte = |shift: u32| (hex >> shift & 0xff) as u8;
    crate::crowd::linear([byte(16), byte(8), byte(0)])
}

impl Look {
    /// Draws it.
    pub(super) fn draw(&self, side: usize) -> Sheet {
        let seed = self.name.bytes().fold(7_u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
        let mut draw = Draw::new([seed, 0, 0]);
        let mut sheet = Sheet::new(side);
        let [deep, light] = self.colours.map(rgb);
        for i in 0..self.blades {
            // Those behind first, and darker.
            let depth = i as f32 / self.blades as f32;
            let tone = 0.62 + 0.38 * depth + 0.12 * draw.either();
            let root = 0.5 + 0.36 * draw.either();
            let out = root - 0.5;
            let height = draw.between(self.least, 0.97) * (1.0 - 0.7 * out.abs());
            let tip = root + out * 0.5 + self.spread * draw.either();
            let hue = Vec3::new(1.0 + 0.14 * draw.either(), 1.0, 1.0 + 0.1 * draw.either());
            sheet.blade(&Blade {
                root,
                tip: Vec2::new(tip.clamp(0.03, 0.97), height),
                bow: 0.05 * draw.either() - out * 0.12,
                width: self.width * draw.between(0.7, 1.25),
                widest: draw.between(0.15, 0.4),
                colours: [deep * tone * hue, light * tone * hue],
                through: 0.9,
            });
        }
        self.heads(&mut sheet, &mut draw);
        sheet
    }

    fn heads(&self, sheet: &mut Sheet, draw: &mut Draw) {
        let stems = match self.head {
            Head::None => return,
            Head::Ears { stems, .. }
            | Head::Star { stems, .. }
            | Head::Cup { stems, .. }
            | Head::Ball { stems, .. } => stems,
        };
        let [deep, light] = self.colours.map(rgb);
        for i in 0..stems {
            let share = (i as f32 + 0.5) / stems as f32;
            let x = 0.1 + 0.8 * share + 0.04 * draw.either();
            let height = draw.between(0.62, 0.9);
            let tip = Vec2::new(x, height);
            sheet.blade(&Blade {
                root: 0.5 + (x - 0.5) * 0.5,
                tip,
                bow: 0.03 * draw.either(),
                width: 0.011,
                widest: 0.9,
                colours: [deep * 0.9, light * 0.85],
                through: 0.4,
            });
            let tone = draw.between(0.82, 1.08);
            match self.head {
                Head::None => {}
                Head::Ears { colour, .. } => ear(sheet, tip, rgb(colour) * tone, draw),
                Head::Star { petals, eye, colour, size, .. } => {
                    let size = size * draw.between(0.8, 1.1);
                    // Seen from a little above: heads are wider than high.
                    let squash = draw.between(0.45, 0.95);
                    for k in 0..petals {
                        let a =
                            (k as f32 + draw.unit() * 0.4) / petals as f32 * std::f32::consts::TAU;
                        let out = Vec2::new(a.cos(), a.sin() * squash);
                        let radii = Vec2::new(size * 0.52, size * 0.19);
                        sheet.petal(
                            tip + out * size * 0.5,
                            radii,
                            out.to_angle(),
                            rgb(colour) * tone * draw.between(0.86, 1.0),
                            0.12,
                        );
                    }
                    sheet.petal(
                        tip,
                        Vec2::new(size * 0.3, size * 0.26 * squash.max(0.6)),
                        0.0,
                        rgb(eye),
                        0.3,
                    );
                }
                Head::Cup { colour, size, .. } => {
                    let size = size * draw.between(0.75, 1.15);
                    for k in 0..5 {
                        let a = (k as f32 + 0.2 * draw.unit()) / 5.0 * std::f32::consts::TAU;
                        let out = Vec2::new(a.cos(), a.sin() * 0.6);
                        let tone = tone * draw.between(0.78, 1.06);
                        sheet.petal(
                            tip + out * size * 0.45,
                            Vec2::new(size * 0.62, size * 0.5),
                            out.to_angle(),
                            rgb(colour) * tone,
                            0.25,
                        );
                    }
                    sheet.petal(tip, Vec2::splat(size * 0.22), 0.0, rgb(colour) * 0.35, 0.2);
                }
                Head::Ball { colour, size, .. } => {
                    for _ in 0..14 {
                        let off = Vec2::new(draw.either(), draw.either()) * size * 0.6;
                        let colour = rgb(colour) * tone * draw.between(0.7, 1.15);
                        sheet.petal(
                            tip + off,
                            Vec2::new(size * 0.3, size * 0.5),
                            0.4 * draw.either(),
                            colour,
                            0.2,
                        );
                    }
                }
            }
        }
        if matches!(self.head, Head::Ball { .. }) {
            self.leaves(sheet, draw);
        }
    }

    /// Leaves of three, low among the blades.
    fn leaves(&self, sheet: &mut Sheet, draw: &mut Draw) {
        let [deep, light] = self.colours.map(rgb);
        for _ in 0..26 {
            let at = Vec2::new(0.5 + 0.42 * draw.either(), draw.between(0.12, 0.62));
            let colour = deep.lerp(light, draw.between(0.3, 1.0));
            let turn = draw.unit() * 2.0;
            for k in 0..3 {
                let out = Vec2::from_angle(turn + k as f32 * 2.1) * 0.032;
                sheet.petal(
                    at + out,
                    Vec2::new(0.034, 0.028),
                    turn,
                    colour * draw.between(0.85, 1.1),
                    0.3,
                );
            }
        }
    }
}

/// An ear of oat: grains hanging around the upper part of the stem.
fn ear(sheet: &mut Sheet, tip: Vec2, colour: Vec3, draw: &mut Draw) {
    for k in 0..18 {
        let down = k as f32 / 18.0 * 0.22;
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let at = tip + Vec2::new(side * draw.between(0.008, 0.028) * (0.4 + down * 5.0), -down);
        let tone = draw.between(0.75, 1.1);
        sheet.petal(at, Vec2::new(0.007, 0.017), side * 0.5, colour * tone, 0.2);
    }
}
