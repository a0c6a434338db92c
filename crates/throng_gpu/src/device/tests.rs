//! If one of these fails, a user without our GPU sees a panic instead of a message, or a step waits.

use super::{Adapters, Choice, Gpu, Options};
use crate::reduce::{Fold, Reduce};
use crate::scan::{Scan, Sums};
use crate::testing::{self, gpu};
use crate::{GpuError, Pool, Timer};

#[test]
fn adapters_are_chosen_by_name_or_told() {
    let adapters = pollster::block_on(Adapters::find());
    let info = adapters.info().next().expect("an adapter; see `cargo xtask test`");
    let part = info.name[..4].to_uppercase();
    let chosen = adapters.choose(&Choice::Named(part)).unwrap().get_info();
    assert_eq!(chosen.name, info.name);
    assert!(adapters.choose(&Choice::Frugal).is_ok() && adapters.choose(&Choice::Fast).is_ok());
    let error = adapters.choose(&Choice::Named("no such thing".into())).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("no such thing") && text.contains(&info.name), "{text}");
}

#[test]
fn a_plain_device_has_no_more_than_a_browser() {
    let plain = Gpu::open(&Options { plain: true, ..Options::default() }).unwrap();
    assert_eq!(plain.device().features(), wgpu::Features::empty());
    assert_eq!(plain.device().limits(), wgpu::Limits::default());
    let caps = plain.capabilities();
    assert!(!caps.subgroups && !caps.timestamps && !caps.pipeline_cache);
    let pool = Pool::new(&plain);
    let mut timer = Timer::new(&pool, 8).unwrap();
    let mut encoder = plain.encoder("untimed");
    timer.pass(&mut encoder, "untimed").mark("nothing");
    timer.resolve(&mut encoder);
    plain.submit(encoder);
    plain.wait().unwrap();
    assert_eq!(timer.latest(), []);
}

#[test]
fn errors_are_kept_or_given_and_never_panic() {
    let own = testing::open();
    let unusable = wgpu::BufferDescriptor {
        label: Some("unusable"),
        size: 16,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    };
    let error = own.scoped("a buffer", || own.device().create_buffer(&unusable)).unwrap_err();
    assert!(matches!(&error, GpuError::Validation { what, .. } if what == "a buffer"), "{error}");
    assert_eq!(own.take_errors(), []);
    let _buffer = own.device().create_buffer(&unusable);
    let kept = own.take_errors();
    assert!(matches!(&kept[..], [GpuError::Validation { .. }]), "{kept:?}");
    assert_eq!(own.take_errors(), []);
}

#[test]
fn a_lost_device_is_told_and_survived() {
    let own = testing::open();
    let pool = Pool::new(&own);
    let buffer = pool.array_of("numbers", &[1_u32, 2]).unwrap();
    assert_eq!(own.lost(), None);
    own.destroy();
    let reason = own.lost().expect("the loss is known");
    assert!(pool.storage("more", 64).is_err());
    assert_eq!(own.wait(), Err(GpuError::Lost { reason }));
    assert!(own.read::<u32>(&buffer, 2).is_err());
    // Work that is recorded all the same goes nowhere and hurts nobody.
    let mut encoder = own.encoder("late");
    drop(own.pass(&mut encoder, "late"));
    own.submit(encoder);
    // Another device is not touched.
    assert_eq!(gpu().lost(), None);
}

/// A crowd stage: bound once, recorded a thousand times.
#[test]
fn a_thousand_steps_map_nothing_and_create_nothing() {
    let own = testing::open();
    let pool = Pool::new(&own);
    let (a, b) =
        (pool.array_of("a", &[1_u32; 1000]).unwrap(), pool.array::<u32>("b", 1001).unwrap());
    let total = pool.array::<u32>("total", 1).unwrap();
    let scan = Scan::new(&own).unwrap();
    let mut work = scan.bind(&pool, Sums::Starts, &a, &b, 1000.into()).unwrap();
    let sum = Reduce::new(&own, Fold::Sum).unwrap();
    work.append(sum.bind(&pool, &b, &total, 0, 1001.into()).unwrap());
    let before = own.counts();
    for _ in 0..1000 {
        let mut encoder = own.encoder("step");
        work.record(&mut own.pass(&mut encoder, "step"));
        own.submit(encoder);
        own.poll();
    }
    let spent = own.counts().since(&before);
    assert_eq!((spent.maps, spent.buffers, spent.bind_groups, spent.uploaded), (0, 0, 0, 0));
    assert_eq!((spent.dispatches, spent.submissions), (2000, 1000));
    assert_eq!(own.read::<u32>(&total, 1).unwrap(), [1000 * 1001 / 2]);
    assert_eq!(own.counts().since(&before).maps, 1);
    assert_eq!(own.take_errors(), []);
}

#[test]
fn compiled_pipelines_can_be_kept() {
    if !gpu().capabilities().pipeline_cache {
        return;
    }
    let first = testing::open();
    Scan::new(&first).unwrap();
    let kept = first.pipeline_cache();
    assert!(kept.is_some());
    let second = Gpu::open(&Options { pipeline_cache: kept, ..Options::default() }).unwrap();
    Scan::new(&second).unwrap();
    let junk = Some(vec![1; 100]);
    let third = Gpu::open(&Options { pipeline_cache: junk, ..Options::default() }).unwrap();
    Scan::new(&third).unwrap();
    assert_eq!(third.take_errors(), []);
}

#[test]
fn times_come_by_label_and_later() {
    let own = testing::open();
    if !own.capabilities().timestamps {
        return;
    }
    let pool = Pool::new(&own);
    let (a, b) =
        (pool.array::<u32>("a", 1 << 20).unwrap(), pool.array::<u32>("b", 1 << 20).unwrap());
    let work = Scan::new(&own).unwrap();
    let work = work.bind(&pool, Sums::Inclusive, &a, &b, (1 << 20).into()).unwrap();
    let mut timer = Timer::new(&pool, 16).unwrap();
    // More frames than the ring has slots, none of them waited for.
    for _ in 0..6 {
        let mut encoder = own.encoder("timed");
        let mut pass = timer.pass(&mut encoder, "frame");
        work.record(&mut pass);
        pass.mark("scan");
        drop(pass);
        timer.resolve(&mut encoder);
        own.submit(encoder);
    }
    own.wait().unwrap();
    let times = timer.latest().to_vec();
    assert_eq!(times[0].label, "frame");
    assert!(times[0].duration.as_nanos() > 0);
    if own.capabilities().timestamps_in_passes {
        assert_eq!((times.len(), times[1].label), (2, "scan"));
        assert!(times[1].duration <= times[0].duration);
    }
}
