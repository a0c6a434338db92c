//! Bodies and walls: nobody overlaps much, nobody is in a wall, nobody is lost, limits hold.

mod common;

use std::collections::HashMap;

use common::{crowd, shipped};
use throng_crowd::{Crowd, CrowdOptions, Model};

/// Everything that must hold after every step.
#[derive(Default)]
struct Watch {
    velocity: HashMap<u32, (f32, f32, f32, f32)>,
}

impl Watch {
    fn check(&mut self, crowd: &Crowd, dt: f32) {
        let params = &crowd.world().params.movement;
        let mut now = HashMap::with_capacity(crowd.len());
        for i in 0..crowd.len() {
            let p = glam::Vec2::new(crowd.x()[i], crowd.y()[i]);
            let v = glam::Vec2::new(crowd.vx()[i], crowd.vy()[i]);
            let h = glam::Vec2::new(crowd.heading_x()[i], crowd.heading_y()[i]);
            let id = crowd.ids()[i];
            assert!(p.is_finite() && v.is_finite() && h.is_finite(), "agent {id}: {p} {v} {h}");
            assert!((h.length() - 1.0).abs() < 1e-3, "agent {id}: heading {h}");
            let clear = crowd.world().clearance_at(p);
            assert!(clear >= 0.0, "agent {id} in a wall at {p}: {clear}");
            let most = crowd.free_speed()[i] * crowd.fastest();
            assert!(v.length() <= most * 1.0001, "agent {id}: {} above {most}", v.length());
            if let Some((vx, vy, hx, hy)) = self.velocity.get(&id) {
                let old = glam::Vec2::new(*vx, *vy);
                let change = (v - old).length() / dt;
                // A wall may stop somebody at once.
                let free = clear > crowd.radius()[i] * 1.05 + most * dt;
                assert!(
                    !free || change <= params.acceleration * 1.001 + 1e-3,
                    "agent {id}: acceleration {change}"
                );
                let turn = glam::Vec2::new(*hx, *hy).angle_to(h).abs();
                assert!(turn <= params.turn_rate * dt * 1.001 + 1e-3, "agent {id}: turn {turn}");
            }
            assert!(now.insert(id, (v.x, v.y, h.x, h.y)).is_none(), "agent {id} twice");
        }
        self.velocity = now;
        let totals = crowd.totals();
        assert_eq!(totals.spawned - totals.removed, crowd.len() as u64, "agents lost or doubled");
    }
}

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
