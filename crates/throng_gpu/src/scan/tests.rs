//! If one of these fails, lists overlap or leave gaps: every list on the GPU is placed by a scan.

use super::cpu::scan;
use super::{Scan, Sums};
use crate::testing::{SIZES, counted, gpu, run, variants, words};
use crate::{Count, GpuError, Pool};

const KINDS: [Sums; 3] = [Sums::Inclusive, Sums::Exclusive, Sums::Starts];
/// What no sum is likely to be: shows what was not written, or too much.
const POISON: u32 = 0xdead_beef;

fn compare(kernel: &Scan, pool: &Pool, input: &[u32], kind: Sums) {
    let expected = scan(input, kind);
    let given = pool.array_of("input", input).unwrap();
    let poison = vec![POISON; input.len() + 9];
    let output = pool.array_of("output", &poison).unwrap();
    let count = (input.len() as u32).into();
    run(&kernel.bind(pool, kind, &given, &output, count).unwrap());
    let got = gpu().read::<u32>(&output, poison.len()).unwrap();
    assert!(got[..expected.len()] == expected, "{kind:?} of {} differs", input.len());
    assert!(got[expected.len()..].iter().all(|&word| word == POISON), "written beyond the end");
}

#[test]
fn sums_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        let kernel = Scan::with(gpu(), variant).unwrap();
        for n in SIZES {
            // Large words: sums go round many times.
            let input = words(n, n as u64);
            let kinds = if n > 1 << 20 { &KINDS[1..2] } else { &KINDS[..] };
            kinds.iter().for_each(|&kind| compare(&kernel, &pool, &input, kind));
        }
        for n in [8191, 8192, 8193, 4096 * 256 - 1, 4096 * 256 + 1] {
            compare(&kernel, &pool, &vec![1; n], Sums::Starts);
        }
    }
}

#[test]
fn the_count_may_be_on_the_gpu() {
    let pool = Pool::new(gpu());
    let input = words(100_000, 3);
    let given = pool.array_of("input", &input).unwrap();
    for variant in variants() {
        let kernel = Scan::with(gpu(), variant).unwrap();
        for (n, at_most) in
            [(0, 9000), (1, 9000), (4097, 9000), (70_000, 9000), (70_000, 100_000), (5, 5)]
        {
            let output = pool.array_of("output", &vec![POISON; 100_001]).unwrap();
            let buffer = counted(&pool, n).unwrap();
            let count = Count::InBuffer { buffer: &buffer, word: 1, at_most };
            run(&kernel.bind(&pool, Sums::Starts, &given, &output, count).unwrap());
            let expected = scan(&input[..n.min(at_most as usize)], Sums::Starts);
            let got = gpu().read::<u32>(&output, expected.len() + 1).unwrap();
            assert!(got[..expected.len()] == expected, "{n} of {at_most}");
            assert_eq!(got[expected.len()], POISON);
        }
    }
}

#[test]
fn what_cannot_work_is_refused() {
    let pool = Pool::new(gpu());
    let kernel = Scan::new(gpu()).unwrap();
    let (a, b) = (pool.array::<u32>("a", 64).unwrap(), pool.array::<u32>("b", 64).unwrap());
    let error = kernel.bind(&pool, Sums::Exclusive, &a, &a, 64.into()).unwrap_err();
    assert!(matches!(error, GpuError::Aliased { .. }));
    let error = kernel.bind(&pool, Sums::Starts, &a, &b, 64.into()).unwrap_err();
    assert!(matches!(error, GpuError::TooSmall { bytes: 256, needed: 260, .. }), "{error}");
    let count = Count::InBuffer { buffer: &b, word: 0, at_most: 64 };
    let error = kernel.bind(&pool, Sums::Exclusive, &a, &b, count).unwrap_err();
    assert!(matches!(error, GpuError::Aliased { read: "count", .. }));
}
