//! If one of these fails, boxes around groups of agents are too small or too large.

use super::cpu::segmented;
use super::{Extreme, Segmented};
use crate::Pool;
use crate::testing::{SIZES, gpu, run, words};

fn compare(kernel: &Segmented, pool: &Pool, input: &[u32], starts: &[u32], extreme: Extreme) {
    let segments = starts.len() - 1;
    let given = pool.array_of("input", input).unwrap();
    let begins = pool.array_of("starts", starts).unwrap();
    let output = pool.array_of("output", &vec![7_u32; segments + 1]).unwrap();
    let count = (input.len() as u32).into();
    run(&kernel.bind(pool, &given, &begins, segments as u32, &output, count).unwrap());
    let got = gpu().read::<u32>(&output, segments + 1).unwrap();
    assert!(got[..segments] == segmented(input, starts, extreme), "{extreme:?}, {}", input.len());
    assert_eq!(got[segments], 7);
}

/// Segments of lengths from nothing to a few thousand.
fn split(n: usize) -> Vec<u32> {
    let mut starts = vec![(n / 7) as u32];
    for word in words(n / 8 + 3, 41) {
        let length = match word % 8 {
            0..=2 => 0,
            7 => word >> 20,
            short => short,
        };
        let last = starts[starts.len() - 1];
        starts.push((last + length).min(n as u32));
    }
    starts
}

#[test]
fn extremes_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    for extreme in Extreme::ALL {
        let kernel = Segmented::new(gpu(), extreme).unwrap();
        for n in SIZES {
            let input = words(n, 42);
            if n < 1 << 20 || extreme == Extreme::MinF32 {
                compare(&kernel, &pool, &input, &split(n), extreme);
                compare(&kernel, &pool, &input, &[0, n as u32], extreme);
            }
        }
        compare(&kernel, &pool, &words(100, 43), &[0], extreme);
        compare(&kernel, &pool, &words(100, 43), &[5, 5, 5, 90, 90], extreme);
        let mut gap = vec![0; 100_000];
        gap.extend([vec![50; 100_000], vec![100; 100_000]].concat());
        compare(&kernel, &pool, &words(100, 44), &gap, extreme);
    }
}
