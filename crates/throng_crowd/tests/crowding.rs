//! Bodies and walls: nobody overlaps much, nobody is in a wall, nobody is lost, limits hold.

mod common;

use common::{Watch, crowd, shipped};
use throng_crowd::{CrowdOptions, Model};

/// If this fails, people walk through walls, vanish, or jump.
#[test]
fn limits_hold_in_every_scene() {
    for (name, agents, steps) in [
        ("froblins", 3000, 150),
        ("corridor", 200, 300),
        ("two-way", 400, 300),
        ("bottleneck", 400, 300),
        ("crossing", 400, 300),
        ("circle", 300, 300),
        ("square", 400, 300),
        ("stadium", 2000, 150),
        ("city", 3000, 150),
    ] {
        for model in [Model::Throng, Model::Froblins] {
            let options = CrowdOptions { model: Some(model), ..Default::default() };
            let mut crowd = crowd(shipped(name, Some(agents)), options);
            let dt = crowd.world().dt;
            let mut watch = Watch::default();
            for _ in 0..steps {
                crowd.step(dt).unwrap();
                watch.check(&crowd, dt);
            }
            assert!(crowd.totals().spawned > 0, "{name}: nobody came");
        }
    }
}

/// If this fails, discs sink into each other where it is tight.
#[test]
fn bodies_hardly_overlap_in_the_bottleneck() {
    let mut crowd = crowd(shipped("bottleneck", None), CrowdOptions::default());
    let dt = crowd.world().dt;
    let (mut mean, mut worst, mut moments) = (0.0, 0.0f32, 0);
    for step in 0..1200 {
        crowd.step(dt).unwrap();
        if step % 10 == 9 {
            let m = crowd.measures();
            mean += m.overlap_mean;
            worst = worst.max(m.overlap_max);
            moments += 1;
        }
    }
    let mean = mean / moments as f32;
    println!("bottleneck, 4 per m²: mean overlap {mean:.4}, worst {worst:.3} of the radius");
    assert!(mean < 0.01, "mean {mean}");
    assert!(worst < 0.2, "worst {worst}");
}
