//! tmp
#![allow(clippy::print_stdout)]
fn main() {
    let sk = throng_character::rig::bones::skeleton();
    for clip in throng_character::clip::list::clips() {
        let n = (clip.duration * 960.0) as usize;
        let flat = |i: usize| {
            sk.flatten(&clip.pose(&sk, (i as f32 / n as f32).min(0.999999) * clip.duration))
        };
        let all: Vec<_> = (0..n).map(flat).collect();
        let mut worst = vec![(0.0f32, 0usize); sk.joints.len()];
        for i in 1..n - 1 {
            for j in 0..sk.joints.len() {
                let m = |k: usize| all[k][j].to_cols_array();
                let (a, b, c) = (m(i - 1), m(i), m(i + 1));
                let d: f32 = (0..9).map(|k| (a[k] + c[k] - 2.0 * b[k]).abs()).fold(0.0, f32::max);
                if d > worst[j].0 {
                    worst[j] = (d, i);
                }
            }
        }
        let mut o: Vec<usize> = (0..worst.len()).collect();
        o.sort_by(|a, b| worst[*b].0.total_cmp(&worst[*a].0));
        print!("{:<14}", clip.name);
        for j in o.iter().take(4) {
            print!(
                " {} {:.4}@{:.3}",
                sk.joints[*j].name,
                worst[*j].0,
                worst[*j].1 as f32 / n as f32
            );
        }
        println!();
    }
}
