//! If one of these fails, work is left out, or the device refuses it.

use super::Indirect;
use super::cpu::arguments;
use crate::testing::{counted, gpu, run};
use crate::{Count, Pool};

#[test]
fn arguments_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    let kernel = Indirect::new(gpu()).unwrap();
    let buffer = Indirect::arguments(&pool, 2).unwrap();
    for n in [0, 1, 255, 256, 257, 65_535 * 256, 65_535 * 256 + 1, 1 << 30] {
        let counted = counted(&pool, n as usize).unwrap();
        let count = Count::InBuffer { buffer: &counted, word: 1, at_most: 1 << 29 };
        run(&kernel.bind(&pool, count, 256, &buffer, 3).unwrap());
        let got = gpu().read::<u32>(&buffer, 6).unwrap();
        assert_eq!(got[3..], arguments(n.min(1 << 29), 256), "{n}");
    }
    assert!(kernel.bind(&pool, 1.into(), 0, &buffer, 0).is_err());
}
