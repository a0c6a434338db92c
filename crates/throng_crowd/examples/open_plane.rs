//! How long a step takes: an open plane with 65,536 agents and far targets.

use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions};
use throng_world::World;
use throng_world::world::{
    Action, Amount, Distribution, FieldWeights, Group, Layout, Polygon, Rect, Seek, Shape, Spawn,
    Targets,
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(65536);
    let threads: usize = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(2);
    let steps: usize = args.get(3).and_then(|a| a.parse().ok()).unwrap_or(200);
    let density: f32 = args.get(4).and_then(|a| a.parse().ok()).unwrap_or(0.3);
    let side = (n as f32 / density).sqrt();
    let cells = (side / 2.0).ceil() as usize;
    let mut world = World::open((cells, cells), 2.0, Vec2::ZERO).unwrap();
    let area = Shape::Polygon(Polygon::rect(Rect { min: Vec2::ZERO, max: Vec2::splat(side) }));
    world.groups.push(Group {
        name: "walkers".into(),
        color: [0; 3],
        radius: Distribution::Fixed(0.3),
        speed: Distribution::Fixed(1.3),
        premovement: Distribution::Fixed(0.0),
        aggression: 1.0,
        fear: 1.0,
        weights: FieldWeights::default(),
        starts: 0,
    });
    world.actions.push(Action {
        name: "walk".into(),
        clip: "walk".into(),
        seek: Seek::Target,
        speed: 1.0,
        seconds: None,
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    });
    world.spawns.push(Spawn {
        name: "all".into(),
        group: 0,
        amount: Amount::Count(n),
        layout: Layout::Scatter(vec![area.clone()]),
        targets: Targets::Random(vec![area]),
    });
    let options = CrowdOptions { threads: Some(threads), ..Default::default() };
    let mut crowd = Crowd::new(world, options).unwrap();
    println!("{} agents, side {side}, {:?}", crowd.len(), crowd.measures());
    for _ in 0..3 {
        let before = *crowd.times();
        let start = std::time::Instant::now();
        for _ in 0..steps {
            crowd.step(0.05).unwrap();
        }
        let ms = |d: std::time::Duration| d.as_secs_f64() * 1e3 / steps as f64;
        println!(
            "{:.2} ms/step, {:.0} ns/agent",
            ms(start.elapsed()),
            start.elapsed().as_nanos() as f64 / steps as f64 / f64::from(n)
        );
        for ((name, a), (_, b)) in crowd.times().named().iter().zip(before.named()) {
            print!("  {name} {:.2}", ms(*a - b));
        }
        println!("\n  {:?} bytes/agent {}", crowd.measures(), crowd.bytes() / crowd.len());
    }
}
