//! If one of these fails, agents are found in the wrong bin, or replays differ.

use super::CountingSort;
use super::cpu::counting_sort;
use crate::sort::Sorted;
use crate::testing::{SIZES, counted, gpu, run, variants, words};
use crate::{Count, Pool};

fn compare(kernel: &CountingSort, pool: &Pool, keys: &[u32], bins: u32, given: Option<usize>) {
    let n = given.unwrap_or(keys.len()).min(keys.len());
    let payload = words(keys.len(), 61);
    let buffer = counted(pool, given.unwrap_or(0)).unwrap();
    let at_most = keys.len() as u32;
    let count = match given {
        Some(_) => Count::InBuffer { buffer: &buffer, word: 1, at_most },
        None => Count::Known(at_most),
    };
    let from = pool.array_of("keys", keys).unwrap();
    let with = pool.array_of("payload", &payload).unwrap();
    // The payload takes the same way; with millions once is enough.
    let both = [(None, None), (Some(&payload[..n]), Some(with.raw()))];
    for &(carried, with) in &both[usize::from(n > 1 << 20)..] {
        let (want_keys, want_payload, want_starts) = counting_sort(&keys[..n], carried, bins);
        let kept = want_keys.len();
        let to_keys = pool.array_of("sorted keys", &vec![7_u32; keys.len() + 1]).unwrap();
        let to_payload = pool.array_of("sorted payload", &vec![7_u32; keys.len() + 1]).unwrap();
        let starts = pool.array_of("starts", &vec![7_u32; bins as usize + 2]).unwrap();
        let sorted = Sorted { keys: &to_keys, payload: &to_payload };
        run(&kernel.bind(pool, &from, with, sorted, bins, &starts, count).unwrap());
        let got_starts = gpu().read::<u32>(&starts, bins as usize + 2).unwrap();
        assert!(got_starts[..=bins as usize] == want_starts, "starts of {n} in {bins}");
        let got_keys = gpu().read::<u32>(&to_keys, keys.len() + 1).unwrap();
        let got_payload = gpu().read::<u32>(&to_payload, keys.len() + 1).unwrap();
        assert!(got_keys[..kept] == want_keys, "keys of {n} in {bins}");
        assert!(got_payload[..kept] == want_payload, "payload of {n} in {bins}");
        let beyond = got_keys[kept..].iter().chain(&got_payload[kept..]);
        assert!(beyond.chain(&got_starts[bins as usize + 1..]).all(|&word| word == 7));
    }
}

#[test]
fn order_is_that_of_the_cpu() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        let kernel = CountingSort::with(gpu(), variant).unwrap();
        for n in SIZES {
            for bins in [1, 255, 8192, 1_000_000] {
                // Some are strays.
                let keys: Vec<u32> = words(n, 62).iter().map(|key| key % (bins + 2)).collect();
                if n < 1 << 20 || bins == 1_000_000 {
                    compare(&kernel, &pool, &keys, bins, None);
                }
            }
        }
    }
}

#[test]
fn crowded_bins_and_none() {
    let pool = Pool::new(gpu());
    let kernel = CountingSort::new(gpu()).unwrap();
    for n in [1024, 1025, 1026, 300_000] {
        compare(&kernel, &pool, &vec![3; n], 10, None);
    }
    compare(&kernel, &pool, &vec![u32::MAX; 1000], 10, None);
    compare(&kernel, &pool, &words(1000, 63), 0, None);
    // A few bins take most.
    let skewed: Vec<u32> = words(50_000, 64).iter().map(|key| (key & 0xff) * (key >> 31)).collect();
    compare(&kernel, &pool, &skewed, 256, None);
}

#[test]
fn the_count_may_be_on_the_gpu() {
    let pool = Pool::new(gpu());
    let kernel = CountingSort::new(gpu()).unwrap();
    let keys: Vec<u32> = words(20_000, 65).iter().map(|key| key % 999).collect();
    for n in [0, 1, 4096, 12_345, 30_000] {
        compare(&kernel, &pool, &keys, 990, Some(n));
    }
}
