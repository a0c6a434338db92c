//! Contacts and the step of both backends.

use glam::Vec2;

use super::{SCENES, Share, agents_of, read_velocities, scene, stages, write_velocities};
use crate::dice::Dice;

fn random_velocities(dice: &mut Dice, len: usize) -> Vec<Vec2> {
    (0..len).map(|_| dice.direction() * dice.between(0.0, 1.8)).collect()
}

/// If this fails, bodies are pushed otherwise on one backend than on the other.
#[test]
fn contacts_push_alike() {
    let mut dice = Dice::new(72);
    let (mut share, mut pushed) = (Share::default(), 0);
    for k in 0..SCENES {
        let mut crowd = scene(&mut dice, k);
        let (len, dt) = (crowd.len(), [0.05, 0.02][k % 2]);
        let velocities = random_velocities(&mut dice, len);
        let stages = stages(&crowd, dt);
        write_velocities(&stages, &velocities);
        crowd.scratch.velocity[..len].copy_from_slice(&velocities);
        crowd.contact(dt);
        stages.run(|work, pass| work.contact.record(pass));
        let got = read_velocities(&stages, len);
        for (i, got) in got.iter().enumerate() {
            share.add((*got - crowd.scratch.velocity[i]).length(), 1e-3);
            pushed += usize::from(*got != velocities[i]);
        }
    }
    assert!(4 * pushed > share.all, "{pushed} pushed of {}", share.all);
    share.expect("contact velocities within 1e-3 m/s", 0.999);
}

/// If this fails, people walk differently on one backend than on the other, or into walls.
#[test]
fn steps_are_alike_and_nobody_is_in_a_wall() {
    let mut dice = Dice::new(73);
    let (mut velocity, mut place, mut heading) =
        (Share::default(), Share::default(), Share::default());
    for k in 0..SCENES {
        let mut crowd = scene(&mut dice, k);
        let (len, dt) = (crowd.len(), [0.05, 0.02][k % 2]);
        let velocities = random_velocities(&mut dice, len);
        let stages = stages(&crowd, dt);
        write_velocities(&stages, &velocities);
        crowd.scratch.velocity[..len].copy_from_slice(&velocities);
        let before: Vec<f32> =
            (0..len).map(|i| crowd.world.clearance_at(crowd.agents.position(i))).collect();
        crowd.movement(dt);
        let want = crowd.agents.clone();
        stages.run(|work, pass| work.movement.record(pass));
        let got = agents_of(&stages, &mut crowd, 0);
        for i in 0..len {
            let pair = |x: &[f32], y: &[f32]| Vec2::new(x[i], y[i]);
            velocity.add((pair(&got.vx, &got.vy) - pair(&want.vx, &want.vy)).length(), 1e-3);
            place.add((got.position(i) - want.position(i)).length(), 1e-4);
            let turned =
                pair(&got.heading_x, &got.heading_y) - pair(&want.heading_x, &want.heading_y);
            heading.add(turned.length(), 1e-3);
            heading.add((got.frustration[i] - want.frustration[i]).abs(), 1e-4);
            // Who was outside stays outside.
            let clear = crowd.world.clearance_at(got.position(i));
            assert!(before[i] <= 0.0 || clear > 0.0 || !crowd.walled, "{k}: {i} in a wall");
        }
    }
    velocity.expect("velocities within 1e-3 m/s", 0.999);
    place.expect("places within 1e-4 m", 0.999);
    heading.expect("headings and patience within 1e-3", 0.999);
}
