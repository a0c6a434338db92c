//! A made-up crowd for tests: people walk through a corridor, in at the left and out at the right.
#![allow(dead_code)]

use throng_record::FrameRows;

/// Agent `i` starts at -i·`gap` metres and walks right at its own speed, seen while in
/// 0 to `length`.
pub(crate) fn walking(step: u64, fps: f64, people: u32, gap: f32, length: f32) -> FrameRows {
    let mut crowd = FrameRows { number: step, time: step as f64 / fps, ..FrameRows::default() };
    // Later ids first: nobody promises an order.
    for i in (0..people).rev() {
        let speed = 1.0 + 0.05 * (i % 7) as f32;
        let x = speed * crowd.time as f32 - i as f32 * gap;
        if !(0.0..=length).contains(&x) {
            continue;
        }
        let sway = 0.3 * (x * 0.9 + i as f32).sin();
        crowd.ids.push(i + 1);
        crowd.x.push(x);
        crowd.y.push(0.5 + (i * 37 % 11) as f32 * 0.3 + sway);
        crowd.vx.push(speed);
        crowd.vy.push(0.3 * 0.9 * speed * (x * 0.9 + i as f32).cos());
        crowd.group.push((i % 3) as u8);
        crowd.action.push(u8::from(x > length / 2.0));
        crowd.radius.push(0.2 + 0.01 * (i % 5) as f32);
    }
    crowd
}
