//! If one of these fails, agents are found in the wrong bin, or replays differ.

use super::cpu::{sort, sort_bins};
use super::{Sort, Sorted};
use crate::testing::{SIZES, counted, gpu, run, variants, words};
use crate::{Count, Pool};

fn compare(kernel: &Sort, pool: &Pool, keys: &[u32], payload: Option<&[u32]>, bits: u32) {
    let expected = sort(keys, payload);
    let n = keys.len();
    let given = pool.array_of("keys", keys).unwrap();
    let with = payload.map(|payload| pool.array_of("payload", payload).unwrap());
    let to_keys = pool.array_of("sorted keys", &vec![7_u32; n + 1]).unwrap();
    let to_payload = pool.array_of("sorted payload", &vec![7_u32; n + 1]).unwrap();
    let sorted = Sorted { keys: &to_keys, payload: &to_payload };
    let payload = with.as_ref().map(|buffer| buffer.raw());
    run(&kernel.bind(pool, &given, payload, sorted, bits, (n as u32).into()).unwrap());
    let got_keys = gpu().read::<u32>(&to_keys, n + 1).unwrap();
    let got_payload = gpu().read::<u32>(&to_payload, n + 1).unwrap();
    assert!(got_keys[..n] == expected.0, "keys of {n}, {bits} bits");
    assert!(got_payload[..n] == expected.1, "payload of {n}, {bits} bits");
    assert_eq!((got_keys[n], got_payload[n]), (7, 7));
}

#[test]
fn order_is_that_of_the_cpu() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        let kernel = Sort::with(gpu(), variant).unwrap();
        for n in SIZES {
            let keys = words(n, 31);
            compare(&kernel, &pool, &keys, None, 32);
            if n < 1 << 20 {
                compare(&kernel, &pool, &keys, Some(&words(n, 32)), 32);
                // Few values: what is equal must keep its order.
                let few: Vec<u32> = keys.iter().map(|key| key & 3).collect();
                compare(&kernel, &pool, &few, None, 2);
            }
        }
    }
}

#[test]
fn every_width_and_awkward_input() {
    let pool = Pool::new(gpu());
    let kernel = Sort::new(gpu()).unwrap();
    let n = 5000_u32;
    for bits in 1..=32 {
        let keys: Vec<u32> = words(n as usize, 33).iter().map(|key| key >> (32 - bits)).collect();
        compare(&kernel, &pool, &keys, None, bits);
    }
    let rising: Vec<u32> = (0..n).collect();
    let falling: Vec<u32> = (0..n).rev().collect();
    let ends: Vec<u32> = (0..n).map(|i| if i % 3 == 0 { u32::MAX } else { 0 }).collect();
    let top: Vec<u32> = words(n as usize, 34).iter().map(|key| key & 0xf000_0000).collect();
    for keys in [rising, falling, ends, top, vec![9; n as usize]] {
        compare(&kernel, &pool, &keys, None, 32);
    }
    let pair = pool.array::<u32>("pair", 8).unwrap();
    let sorted = Sorted { keys: &pair, payload: &pair };
    assert!(kernel.bind(&pool, &pair, None, sorted, 32, 8.into()).is_err());
    assert!(kernel.bind(&pool, &pair, None, sorted, 0, 8.into()).is_err());
}

fn compare_bins(kernel: &Sort, pool: &Pool, keys: &[u32], bins: u32, given: Option<usize>) {
    let buffer = counted(pool, given.unwrap_or(keys.len())).unwrap();
    let at_most = keys.len() as u32;
    let count = match given {
        Some(_) => Count::InBuffer { buffer: &buffer, word: 1, at_most },
        None => Count::Known(at_most),
    };
    let n = given.unwrap_or(keys.len()).min(keys.len());
    let (want_keys, want_places, want_starts) = sort_bins(&keys[..n], None, bins);
    let from = pool.array_of("keys", keys).unwrap();
    let to_keys = pool.array::<u32>("sorted keys", keys.len()).unwrap();
    let to_payload = pool.array::<u32>("sorted payload", keys.len()).unwrap();
    let starts = pool.array::<u32>("starts", bins as usize + 1).unwrap();
    let sorted = Sorted { keys: &to_keys, payload: &to_payload };
    run(&kernel.bind_bins(pool, &from, None, sorted, bins, &starts, count).unwrap());
    assert!(gpu().read::<u32>(&to_keys, n).unwrap() == want_keys, "{n} in {bins}");
    assert!(gpu().read::<u32>(&to_payload, n).unwrap() == want_places, "{n} in {bins}");
    assert!(gpu().read::<u32>(&starts, bins as usize + 1).unwrap() == want_starts);
}

#[test]
fn bins_begin_where_the_cpu_says() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        let kernel = Sort::with(gpu(), variant).unwrap();
        for n in SIZES {
            for bins in [1, 255, 256, 40_000] {
                let keys: Vec<u32> = words(n, 35).iter().map(|key| key % (bins + 2)).collect();
                if n < 1 << 20 || bins == 40_000 {
                    compare_bins(&kernel, &pool, &keys, bins, None);
                }
            }
        }
    }
}

#[test]
fn the_count_may_be_on_the_gpu() {
    let pool = Pool::new(gpu());
    let kernel = Sort::new(gpu()).unwrap();
    let keys: Vec<u32> = words(20_000, 36).iter().map(|key| key % 999).collect();
    for n in [0, 1, 4096, 12_345, 30_000] {
        compare_bins(&kernel, &pool, &keys, 999, Some(n));
    }
}
