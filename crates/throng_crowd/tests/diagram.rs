//! The fundamental diagram: how fast people walk in a crowd of some density.

mod common;

use common::{crowd, run, scene};
use throng_crowd::CrowdOptions;

/// Weidmann, "Transporttechnik der Fussgänger", 1993: speed (metres per second) by density (people per m²).
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

/// A long column in a corridor, all the same way. Gives density and mean speed in its middle, which the head
/// of the column, where it thins out, has not reached yet.
fn measure(density: f64, seed: u64) -> (f64, f64) {
    const LENGTH: f64 = 80.0;
    const WIDTH: f64 = 4.0;
    let (from, to, edge) = (30.0, 45.0, 0.2);
    let people = (density * LENGTH * WIDTH).round();
    let world = scene(&format!(
        r#"
        version = 1
        dt = 0.05
        ground = {{ kind = "flat", size = [120, {WIDTH}], cell = 0.25 }}
        goal   = [{{ name = "exit", exit = true, rect = [119, 0, 120, {WIDTH}] }}]
        group  = [{{ name = "walkers", goal = "exit" }}]
        spawn  = [{{ group = "walkers", count = {people}, rect = [0, {edge}, {LENGTH}, {}] }}]
        "#,
        WIDTH - edge
    ));
    let mut crowd = crowd(world, CrowdOptions { seed: Some(seed), ..Default::default() });
    run(&mut crowd, 4.0);
    let (mut there, mut speed, mut moments) = (0.0, 0.0, 0.0);
    for _ in 0..40 {
        run(&mut crowd, 0.1);
        moments += 1.0;
        for (x, vx) in crowd.x().iter().zip(crowd.vx()) {
            if (from..to).contains(&f64::from(*x)) {
                there += 1.0;
                speed += f64::from(*vx);
            }
        }
    }
    (there / moments / ((to - from) * WIDTH), speed / there)
}

/// If this fails, crowds walk faster or slower than real ones, and times to leave a place are wrong.
#[test]
fn speed_falls_with_density_as_weidmann_found() {
    println!("people/m²  m/s   Weidmann");
    let mut last = f64::INFINITY;
    for wanted in [0.5, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let runs = [1, 2, 3].map(|seed| measure(wanted, seed));
        let mean = |of: fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / 3.0;
        let (density, speed) = (mean(|run| run.0), mean(|run| run.1));
        let real = weidmann(density);
        println!("{density:9.2}  {speed:.2}  {real:.2}");
        // Where it is sparse our people do not overtake enough yet, and bunch up behind slow ones.
        let most = if wanted < 1.0 { 0.25 } else { 0.1 };
        assert!((speed - real).abs() < most, "{speed:.2} m/s at {density:.2}, Weidmann {real:.2}");
        assert!(speed < last, "faster in a denser crowd: {speed} after {last}");
        last = speed;
    }
}
