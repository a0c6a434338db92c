//! If one of these fails, densities are wrong.

use super::Histogram;
use super::cpu::histogram;
use crate::Pool;
use crate::testing::{SIZES, gpu, run, words};

fn compare(kernel: &Histogram, pool: &Pool, keys: &[u32], bins: u32) {
    let given = pool.array_of("keys", keys).unwrap();
    let output = pool.array_of("bins", &vec![7_u32; bins as usize + 2]).unwrap();
    run(&kernel.bind(pool, &given, bins, &output, (keys.len() as u32).into()).unwrap());
    let got = gpu().read::<u32>(&output, bins as usize + 2).unwrap();
    let (counts, beyond) = got.split_at(bins as usize + 1);
    assert!(counts == histogram(keys, bins), "{} in {bins}", keys.len());
    assert_eq!(beyond, [7]);
}

#[test]
fn counts_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    let kernel = Histogram::new(gpu()).unwrap();
    for n in SIZES {
        for bins in [1, 200, 2047, 2048, 70_000] {
            // Some are strays.
            let keys: Vec<u32> = words(n, 21).iter().map(|word| word % (bins + 3)).collect();
            if n < 1 << 20 || bins == 200 || bins == 70_000 {
                compare(&kernel, &pool, &keys, bins);
            }
        }
    }
    compare(&kernel, &pool, &vec![u32::MAX; 1000], 16);
    compare(&kernel, &pool, &vec![3; 100_000], 16);
}
