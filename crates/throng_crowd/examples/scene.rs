//! Runs a shipped scene and prints what the stages cost and how the crowd fares.

use throng_crowd::{Crowd, CrowdOptions, Model};
use throng_world::scene::{BuildOptions, Scene};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let name = args.get(1).map_or("froblins", String::as_str);
    let agents = args.get(2).and_then(|a| a.parse().ok()).filter(|n| *n > 0);
    let seconds: f64 = args.get(3).and_then(|a| a.parse().ok()).unwrap_or(30.0);
    let threads: usize = args.get(4).and_then(|a| a.parse().ok()).unwrap_or(2);
    let model =
        if args.get(5).is_some_and(|a| a == "froblins") { Model::Froblins } else { Model::Throng };
    let scene = Scene::builtin(name).unwrap();
    let start = std::time::Instant::now();
    let mut world = scene.build(&BuildOptions { agents, ..Default::default() }).unwrap();
    println!("built in {:.2} s", start.elapsed().as_secs_f64());
    if let Ok(over) = std::env::var("SET") {
        for pair in over.split(',') {
            let (key, value) = pair.split_once('=').unwrap();
            let v: f32 = value.parse().unwrap();
            let p = &mut world.params;
            match key {
                "lane" => p.avoid.lane = v,
                "gap" => p.avoid.time_gap = v,
                "stand" => p.avoid.standing_gap = v,
                "creep" => p.avoid.creep = v,
                "up" => p.avoid.speed_up_time = v,
                "patience" => p.avoid.patience = v,
                "comfort" => p.movement.comfort = v,
                "stiff" => p.movement.stiffness = v,
                "passes" => p.movement.contact_passes = v as u32,
                "horizon" => p.avoid.horizon = v,
                "n" => p.avoid.neighbours = v,
                "spread" => p.avoid.spread = v,
                "acc" => p.movement.acceleration = v,
                "hyst" => p.avoid.hysteresis = v,
                "keep" => p.avoid.keep_side = v,
                "react" => p.avoid.reaction = v,
                "band" => p.avoid.side_band = v,
                "follow" => p.avoid.follow = v,
                "give" => p.avoid.give_way = v,
                "reach" => p.avoid.reach = v,
                "wide" => p.avoid.wide_spread = v,
                "turn" => p.avoid.turn_time = v,
                "most" => p.avoid.most_creep = v,
                _ => panic!("{key}"),
            }
        }
    }
    let dt = world.dt;
    let start = std::time::Instant::now();
    let mut crowd = Crowd::new(
        world,
        CrowdOptions { threads: Some(threads), model: Some(model), ..Default::default() },
    )
    .unwrap();
    println!(
        "crowd in {:.2} s: {} agents, {:?}",
        start.elapsed().as_secs_f64(),
        crowd.len(),
        crowd.measures()
    );
    let report = (seconds / 6.0).max(f64::from(dt));
    let mut next = report;
    let mut before = *crowd.times();
    let mut sums = (0.0, 0.0f32, 0, 0);
    let mut steps = 0;
    while crowd.time() < seconds && !crowd.is_over() {
        crowd.step(dt).unwrap();
        steps += 1;
        if crowd.steps() % 10 == 0 {
            let m = crowd.measures();
            sums.0 += f64::from(m.overlap_mean);
            sums.1 = sums.1.max(m.overlap_max);
            sums.2 += 1;
            if m.overlap_max > 0.2 {
                sums.3 += 1;
            }
        }
        if crowd.time() >= next {
            next += report;
            let m = crowd.measures();
            println!(
                "t {:.0} agents {} arrived {} removed {} stuck {} v {:.2} overlap {:.4} {:.2} in wall {} densest {:.1}",
                crowd.time(),
                crowd.len(),
                crowd.totals().arrived,
                crowd.totals().removed,
                crowd.totals().stuck,
                m.mean_speed,
                m.overlap_mean,
                m.overlap_max,
                m.in_wall,
                m.densest
            );
            let mut counts = vec![0; crowd.world().actions.len()];
            crowd.traits().iter().for_each(|t| counts[usize::from(t.action)] += 1);
            let names: Vec<String> = counts
                .iter()
                .zip(&crowd.world().actions)
                .map(|(n, a)| format!("{} {n}", a.name))
                .collect();
            println!("   {}", names.join(", "));
            let now = *crowd.times();
            for ((name, a), (_, b)) in now.named().iter().zip(before.named()) {
                print!("  {name} {:.2}", (*a - b).as_secs_f64() * 1e3 / f64::from(steps));
            }
            println!(
                "  = {:.2} ms; refreshed {:?} bytes/agent {}",
                (now.total() - before.total()).as_secs_f64() * 1e3 / f64::from(steps),
                crowd.totals().refreshed,
                crowd.bytes() / crowd.len().max(1)
            );
            before = now;
            steps = 0;
        }
    }
    println!(
        "overlap mean {:.4} worst {:.3} ({} of {} moments above 0.2), removed {}",
        sums.0 / f64::from(sums.2.max(1)),
        sums.1,
        sums.3,
        sums.2,
        crowd.totals().removed
    );
}
