//! If one of these fails, agents are lost, drawn twice or change their order.

use super::Compact;
use super::cpu::compact;
use crate::testing::{SIZES, counted, gpu, run, variants, words};
use crate::{Count, Pool};

fn compare(kernel: &Compact, pool: &Pool, flags: &[u32], values: Option<&[u32]>) {
    let expected = compact(flags, values);
    let given = pool.array_of("flags", flags).unwrap();
    let with = values.map(|values| pool.array_of("values", values).unwrap());
    let output = pool.array_of("output", &vec![7_u32; flags.len() + 1]).unwrap();
    let kept = pool.array::<u32>("kept", 2).unwrap();
    let values = with.as_ref().map(|buffer| buffer.raw());
    let count = (flags.len() as u32).into();
    run(&kernel.bind(pool, &given, values, &output, &kept, count).unwrap());
    let n = expected.len();
    assert_eq!(gpu().read::<u32>(&kept, 2).unwrap(), [n as u32; 2]);
    let got = gpu().read::<u32>(&output, flags.len() + 1).unwrap();
    assert!(got[..n] == expected && got[n..].iter().all(|&word| word == 7), "{}", flags.len());
}

#[test]
fn what_is_kept_is_what_the_cpu_keeps() {
    let pool = Pool::new(gpu());
    for variant in variants() {
        let kernel = Compact::with(gpu(), variant).unwrap();
        for n in SIZES {
            let values = words(n, 11);
            let flags: Vec<u32> = words(n, 12).iter().map(|word| word & 2).collect();
            compare(&kernel, &pool, &flags, Some(&values));
            if n < 1 << 20 {
                compare(&kernel, &pool, &flags, None);
                compare(&kernel, &pool, &vec![0; n], None);
                compare(&kernel, &pool, &vec![1; n], Some(&values));
            }
        }
        let mut ends = vec![0; 70_000];
        (ends[0], ends[69_999]) = (1, u32::MAX);
        compare(&kernel, &pool, &ends, None);
    }
}

/// If this fails, an output that is too short is written beyond, or nobody hears of it.
#[test]
fn a_short_output_is_filled_and_told() {
    let pool = Pool::new(gpu());
    let kernel = Compact::new(gpu()).unwrap();
    for n in [300, 50_000] {
        let flags = pool.array_of("flags", &vec![1_u32; n]).unwrap();
        let output = pool.array::<u32>("output", 64).unwrap();
        let kept = pool.array::<u32>("kept", 2).unwrap();
        run(&kernel.bind(&pool, &flags, None, &output, &kept, (n as u32).into()).unwrap());
        assert_eq!(gpu().read::<u32>(&kept, 2).unwrap(), [64, n as u32]);
        assert!(gpu().read::<u32>(&output, 64).unwrap().into_iter().eq(0..64));
    }
}

#[test]
fn the_count_may_be_on_the_gpu() {
    let pool = Pool::new(gpu());
    let flags: Vec<u32> = words(50_000, 13).iter().map(|word| word % 3).collect();
    let given = pool.array_of("flags", &flags).unwrap();
    let output = pool.array::<u32>("output", 50_000).unwrap();
    let kept = pool.array::<u32>("kept", 2).unwrap();
    let kernel = Compact::new(gpu()).unwrap();
    for (n, at_most) in [(0, 50_000), (31_234, 50_000), (100, 200), (70_000, 50_000)] {
        let buffer = counted(&pool, n).unwrap();
        let count = Count::InBuffer { buffer: &buffer, word: 1, at_most };
        run(&kernel.bind(&pool, &given, None, &output, &kept, count).unwrap());
        let expected = compact(&flags[..n.min(at_most as usize)], None);
        assert_eq!(gpu().read::<u32>(&kept, 1).unwrap(), [expected.len() as u32]);
        assert!(gpu().read::<u32>(&output, expected.len()).unwrap() == expected);
    }
}
