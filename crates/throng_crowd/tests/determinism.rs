//! The same scene, seed and steps give the same bits, however many threads and whatever happens in
//! between.

mod common;

use common::{crowd, shipped};
use throng_crowd::{Crowd, CrowdOptions};

/// Steps of each run. `throng soak` goes on for 10,000.
const STEPS: usize = 400;

fn hash_after(name: &str, agents: u32, options: CrowdOptions) -> u64 {
    let mut crowd = crowd(shipped(name, Some(agents)), options);
    let dt = crowd.world().dt;
    for _ in 0..STEPS {
        crowd.step(dt).unwrap();
    }
    crowd.hash()
}

/// If this fails, two runs of one scene differ by the machine they ran on.
#[test]
fn threads_make_no_difference() {
    for (name, agents) in [("froblins", 3000), ("two-way", 400), ("bottleneck", 400)] {
        let hashes = [1, 2, 8].map(|threads| {
            hash_after(name, agents, CrowdOptions { threads: Some(threads), ..Default::default() })
        });
        assert_eq!(hashes[0], hashes[1], "{name}, 1 and 2 threads");
        assert_eq!(hashes[0], hashes[2], "{name}, 1 and 8 threads");
        let other = hash_after(name, agents, CrowdOptions { seed: Some(99), ..Default::default() });
        assert_ne!(hashes[0], other, "{name}, another seed");
    }
}

fn step(crowd: &mut Crowd, steps: usize) {
    let dt = crowd.world().dt;
    for _ in 0..steps {
        crowd.step(dt).unwrap();
    }
}

/// If this fails, a restored run goes another way than the one that was saved.
#[test]
fn a_snapshot_in_the_middle_changes_nothing() {
    for (name, agents) in [("froblins", 2000), ("crossing", 300), ("circle", 200), ("city", 500)] {
        let mut straight = crowd(shipped(name, Some(agents)), CrowdOptions::default());
        step(&mut straight, 150);
        let saved = straight.snapshot();
        let at_save = straight.hash();
        step(&mut straight, 150);

        let mut other = crowd(
            shipped(name, Some(agents)),
            CrowdOptions { seed: Some(5), ..Default::default() },
        );
        step(&mut other, 20);
        other.restore(&saved).unwrap();
        assert_eq!(other.hash(), at_save, "{name}: restored as saved");
        step(&mut other, 150);
        assert_eq!(other.hash(), straight.hash(), "{name}: goes on as before");
    }
}

/// If this fails, a damaged file would be taken for a crowd.
#[test]
fn damaged_snapshots_are_refused_and_change_nothing() {
    let mut c = crowd(shipped("crossing", Some(100)), CrowdOptions::default());
    step(&mut c, 50);
    let saved = c.snapshot();
    let before = c.hash();
    for (what, bytes) in [
        ("empty", Vec::new()),
        ("cut", saved[..saved.len() / 2].to_vec()),
        ("foreign", vec![7; 4000]),
        ("flipped", {
            let mut b = saved.clone();
            b[saved.len() / 3] ^= 16;
            b
        }),
    ] {
        assert!(c.restore(&bytes).is_err(), "{what}");
        assert_eq!(c.hash(), before, "{what}");
    }
    let mut other = crowd(shipped("corridor", None), CrowdOptions::default());
    let error = other.restore(&saved).unwrap_err().to_string();
    assert!(error.contains("another scene"), "{error}");
}
