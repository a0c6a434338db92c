//! If one of these fails, work is left out, or the device refuses it.

use super::Indirect;
use super::cpu::arguments;
use crate::testing::{counted, gpu, run};
use crate::{Count, GROUP, Groups, Library, Pool, Shader};

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

const MARKER: Shader = Shader {
    name: "marker",
    source: "
#import throng_gpu::group::{GROUP, Place, flat_group}

@group(0) @binding(0) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(GROUP)
fn mark(place: Place) {
    let group = flat_group(place);
    if place.local == 0u && group < arrayLength(&marks) {
        marks[group] += 1u;
    }
}
",
    variants: &[&[]],
};

/// More workgroups than fit in a row, dispatched by a count that only the GPU knows.
#[test]
fn every_workgroup_runs_once() {
    let pool = Pool::new(gpu());
    let kernel = Indirect::new(gpu()).unwrap();
    let program = Library::new().unwrap().program(gpu(), &MARKER, &[]).unwrap();
    let mark = program.kernel("mark").unwrap();
    for groups in [0_usize, 1, 300, 70_001] {
        let marks = pool.array_of("marks", &vec![0_u32; 70_002]).unwrap();
        let arguments = Indirect::arguments(&pool, 1).unwrap();
        let counted = counted(&pool, groups * GROUP as usize).unwrap();
        let count = Count::InBuffer { buffer: &counted, word: 1, at_most: u32::MAX };
        let mut work = kernel.bind(&pool, count, GROUP, &arguments, 0).unwrap();
        let by_count = Groups::Indirect(arguments.raw().clone(), 0);
        work.push(mark.step(&[(0, marks.as_entire_binding())], by_count).unwrap());
        run(&work);
        let got = gpu().read::<u32>(&marks, 70_002).unwrap();
        assert!(got[..groups].iter().all(|&runs| runs == 1), "{groups}");
        // Rows are of equal length: one workgroup too many, at the most, for two rows.
        assert!(got[groups..].iter().sum::<u32>() <= 1, "{groups}");
    }
    assert_eq!(gpu().take_errors(), []);
}
