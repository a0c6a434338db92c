//! If one of these fails, bounds of the crowd and figures about it are wrong.

use super::cpu::reduce;
use super::{Fold, Reduce};
use crate::testing::{SIZES, counted, gpu, run, variants, words};
use crate::{Count, Pool};

fn compare(kernel: &Reduce, pool: &Pool, input: &[u32], fold: Fold) {
    let given = pool.array_of("input", input).unwrap();
    let output = pool.array_of("output", &[7_u32; 4]).unwrap();
    run(&kernel.bind(pool, &given, &output, 2, (input.len() as u32).into()).unwrap());
    let got = gpu().read::<u32>(&output, 4).unwrap();
    assert_eq!(got, [7, 7, reduce(input, fold), 7], "{fold:?} of {}", input.len());
}

#[test]
fn folds_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        for fold in Fold::ALL {
            let kernel = Reduce::with(gpu(), fold, variant).unwrap();
            for n in SIZES {
                // As floats these are of all magnitudes, some of them NaN.
                compare(&kernel, &pool, &words(n, 1 + n as u64), fold);
            }
            for n in [16_384, 16_385, 8192 * 300] {
                compare(&kernel, &pool, &words(n, n as u64), fold);
            }
        }
    }
}

#[test]
fn odd_floats_have_an_order() {
    let pool = Pool::new(gpu());
    let rows: [&[f32]; 6] = [
        &[0.0, -0.0],
        &[-0.0, 0.0],
        &[f32::NAN, 3.0, -f32::NAN],
        &[f32::NAN],
        &[f32::INFINITY, f32::MIN_POSITIVE / 8.0, -f32::MIN_POSITIVE / 8.0],
        &[f32::NEG_INFINITY, f32::MAX],
    ];
    for variant in variants() {
        for fold in [Fold::MinF32, Fold::MaxF32] {
            let kernel = Reduce::with(gpu(), fold, variant).unwrap();
            for row in rows {
                compare(&kernel, &pool, bytemuck::cast_slice(row), fold);
            }
        }
    }
}

#[test]
fn the_count_may_be_on_the_gpu() {
    let pool = Pool::new(gpu());
    let input = words(100_000, 5);
    let given = pool.array_of("input", &input).unwrap();
    let output = pool.array::<u32>("output", 1).unwrap();
    let kernel = Reduce::new(gpu(), Fold::Sum).unwrap();
    for (n, at_most) in [(0, 100_000), (99_999, 100_000), (50, 100), (200_000, 100_000)] {
        let buffer = counted(&pool, n).unwrap();
        let count = Count::InBuffer { buffer: &buffer, word: 1, at_most };
        run(&kernel.bind(&pool, &given, &output, 0, count).unwrap());
        let expected = reduce(&input[..n.min(at_most as usize)], Fold::Sum);
        assert_eq!(gpu().read::<u32>(&output, 1).unwrap(), [expected]);
    }
}
