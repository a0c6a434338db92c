//! Every operation on lanes against the same operation on one number at a time, on numbers that are
//! hard: NaN, infinities, both zeros, subnormals, ties. Exact to the bit, on both sets of lanes.

use super::{Isa, Kernel, Lanes, WIDTH, dispatch};
use crate::dice::Dice;

/// One input, and what every operation made of it.
#[derive(Default)]
struct Outcome {
    numbers: Vec<(&'static str, [f32; WIDTH])>,
    masks: Vec<(&'static str, u32)>,
    packed: Vec<f32>,
    least: f32,
    first_least: usize,
}

struct All<'a> {
    a: [f32; WIDTH],
    b: [f32; WIDTH],
    bits: u32,
    padded: &'a [f32],
    at: usize,
    out: &'a mut Outcome,
}

impl Kernel for All<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let (a, b) = (l.lanes_of(self.a), l.lanes_of(self.b));
        let mask = l.lt(a, b);
        let other = l.lt(b, l.splat(1.0));
        self.out.numbers = vec![
            ("splat", l.array_of(l.splat(self.a[3]))),
            ("lanes_of", l.array_of(a)),
            ("add", l.array_of(l.add(a, b))),
            ("sub", l.array_of(l.sub(a, b))),
            ("mul", l.array_of(l.mul(a, b))),
            ("div", l.array_of(l.div(a, b))),
            ("sqrt", l.array_of(l.sqrt(a))),
            ("min", l.array_of(l.min(a, b))),
            ("max", l.array_of(l.max(a, b))),
            ("select", l.array_of(l.select(mask, a, b))),
            ("load", l.array_of(l.load(self.padded, self.at))),
        ];
        self.out.masks = vec![("lt", l.bits(mask)), ("both", l.bits(l.both(mask, other)))];
        let mut out = vec![-7.0; 3 + WIDTH];
        l.compress(a, self.bits, &mut out, 3);
        assert_eq!(out[..3], [-7.0; 3], "wrote before its place");
        self.out.packed = out[3..3 + self.bits.count_ones() as usize].to_vec();
        (self.out.least, self.out.first_least) = (l.least(a), l.first_least(a));
    }
}

/// What the operations are meant to be, a number at a time.
fn reference(a: [f32; WIDTH], b: [f32; WIDTH], bits: u32, loaded: &[f32]) -> Outcome {
    let each = |f: &dyn Fn(f32, f32) -> f32| std::array::from_fn(|i| f(a[i], b[i]));
    let mask =
        |f: &dyn Fn(f32, f32) -> bool| (0..WIDTH).map(|i| u32::from(f(a[i], b[i])) << i).sum();
    let least = a.iter().copied().fold(f32::INFINITY, f32::min);
    Outcome {
        numbers: vec![
            ("splat", [a[3]; WIDTH]),
            ("lanes_of", a),
            ("add", each(&|a, b| a + b)),
            ("sub", each(&|a, b| a - b)),
            ("mul", each(&|a, b| a * b)),
            ("div", each(&|a, b| a / b)),
            ("sqrt", each(&|a, _| a.sqrt())),
            ("min", each(&|a, b| if a < b { a } else { b })),
            ("max", each(&|a, b| if a > b { a } else { b })),
            ("select", each(&|a, b| if a < b { a } else { b })),
            ("load", std::array::from_fn(|i| loaded[i])),
        ],
        masks: vec![("lt", mask(&|a, b| a < b)), ("both", mask(&|a, b| a < b && b < 1.0))],
        packed: (0..WIDTH).filter(|i| bits >> i & 1 == 1).map(|i| a[i]).collect(),
        least,
        first_least: a.iter().position(|v| *v == least).unwrap_or(0),
    }
}

/// The same number: bits, but for NaN, whose sign and payload no processor promises.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn hard_number(dice: &mut Dice, with_nan: bool) -> f32 {
    const HARD: [f32; 12] = [
        f32::NAN,
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-42,
        1e9,
    ];
    match dice.below(3) {
        0 if with_nan => HARD[dice.below(12)],
        0 => HARD[1 + dice.below(11)],
        1 => dice.below(4) as f32 - 1.0,
        _ => dice.between(-10.0, 10.0),
    }
}

fn compare(isa: Isa, dice: &mut Dice, with_nan: bool) {
    let a: [f32; WIDTH] = std::array::from_fn(|_| hard_number(dice, with_nan));
    let b: [f32; WIDTH] = std::array::from_fn(|_| hard_number(dice, with_nan));
    let bits = dice.below(256) as u32;
    let padded: Vec<f32> = (0..20).map(|_| hard_number(dice, with_nan)).collect();
    let at = dice.below(13);
    let want = reference(a, b, bits, &padded[at..at + WIDTH]);
    let mut got = Outcome::default();
    dispatch(isa, All { a, b, bits, padded: &padded, at, out: &mut got });
    for ((name, got), (_, want)) in got.numbers.iter().zip(&want.numbers) {
        let equal = got.iter().zip(want).all(|(g, w)| same(*g, *w));
        assert!(equal, "{isa:?} {name}\n{a:?}\n{b:?}\ngave {got:?}\nnot  {want:?}");
    }
    assert_eq!(got.masks, want.masks, "{isa:?} {a:?} {b:?}");
    let packed = got.packed.len() == want.packed.len()
        && got.packed.iter().zip(&want.packed).all(|(g, w)| same(*g, *w));
    assert!(packed, "{isa:?} compress {bits:08b} of {a:?} gave {:?}", got.packed);
    // The least is looked for among numbers only, and the two zeros are the same.
    if !with_nan {
        assert_eq!(got.least, want.least, "{isa:?} least of {a:?}");
        assert_eq!(got.first_least, want.first_least, "{isa:?} first least of {a:?}");
    }
}

/// If this fails, a kernel computes something else than what is written in it, on some processor.
#[test]
fn lanes_do_what_single_numbers_do() {
    let mut dice = Dice::new(1);
    for k in 0..4000 {
        for isa in [Isa::Best, Isa::Portable] {
            compare(isa, &mut dice, k % 2 == 0);
        }
    }
}

/// If this fails, neighbours get lost or mixed up on the way into the list.
#[test]
fn every_mask_packs_its_lanes() {
    let a: [f32; WIDTH] = std::array::from_fn(|i| i as f32 + 0.5);
    for bits in 0..256 {
        let want = reference(a, a, bits, &a).packed;
        for isa in [Isa::Best, Isa::Portable] {
            let mut got = Outcome::default();
            dispatch(isa, All { a, b: a, bits, padded: &a, at: 0, out: &mut got });
            assert_eq!(got.packed, want, "{isa:?} {bits:08b}");
        }
    }
}
