//! Contacts and the step of both backends.

use glam::Vec2;
use throng_world::world::{Door, Lift, Polygon, Rect, Shape};

use super::{SCENES, Share, agents_of, crowd_in, read_velocities, scene, stages, write_velocities};
use crate::agents::WAITING;
use crate::dice::{self, Dice, Layout};

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
        stages.run(|work, pass| work.contact[0].record(pass));
        let mut encoder = stages.gpu.encoder("predicted");
        stages.buffers.predict(&mut encoder, stages.buffers.capacity);
        stages.gpu.submit(encoder);
        stages.run(|work, pass| work.contact[1].record(pass));
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

/// If this fails, a door lets others through on one backend than on the other, or a lift takes others along.
#[test]
fn doors_and_lifts_are_alike() {
    let mut dice = Dice::new(74);
    let (mut place, mut clocks) = (Share::default(), Share::default());
    let (mut held, mut carried) = (0, 0);
    for k in 0..SCENES {
        let mut world = dice::world(&mut dice, k.is_multiple_of(2));
        let bounds = world.bounds();
        if k.is_multiple_of(3) {
            world.dose = Some(world.terrain.map(|_| 0.0));
        }
        for _ in 0..1 + dice.below(4) {
            let a = dice.point(bounds.min, bounds.max);
            let ends = [a, a + dice.direction() * dice.between(0.5, 9.0)];
            world.doors.push(Door { ends, flow: dice.between(0.1, 3.0) });
        }
        for _ in 0..dice.below(3) {
            let centre = dice.point(bounds.min + 2.0, bounds.max - 2.0);
            let other = dice.point(bounds.min + 2.0, bounds.max - 2.0);
            let radius = dice.between(0.3, 2.0);
            let disc = |centre| Shape::Disc { centre, radius };
            let square =
                |c: Vec2| Shape::Polygon(Polygon::rect(Rect { min: c - radius, max: c + radius }));
            let round = dice.chance(0.5);
            let cabin = |c| if round { disc(c) } else { square(c) };
            world.lifts.push(Lift {
                cabins: [cabin(centre), cabin(other)],
                seconds: dice.between(1.0, 30.0),
                capacity: 1 + dice.below(8) as u32,
                dwell: dice.between(0.0, 2.0),
            });
        }
        let layout = [Layout::Scattered, Layout::Dense, Layout::Heaps][k % 3];
        let people = dice::people(&mut dice, &world, layout, 400);
        let mut crowd = crowd_in(world, people);
        for traits in &mut crowd.agents.traits {
            traits.set(WAITING, dice.chance(0.1));
        }
        crowd.time = 50.0;
        let now = crate::movement::ticks(crowd.time);
        let first = crowd.sites.sites.len();
        for clock in &mut crowd.busy[first..] {
            *clock = now.wrapping_add(dice.below(300) as u32).wrapping_sub(200);
        }
        let (len, dt) = (crowd.len(), [0.05, 0.2][k % 2]);
        let velocities = random_velocities(&mut dice, len);
        let stages = stages(&crowd, dt);
        write_velocities(&stages, &velocities);
        crowd.scratch.velocity[..len].copy_from_slice(&velocities);
        let before = crowd.agents.clone();
        crowd.movement(dt);
        let (want, busy) = (crowd.agents.clone(), crowd.busy.clone());
        stages.run(|work, pass| {
            work.movement.record(pass);
            work.passages.record(pass);
        });
        let got = agents_of(&stages, &mut crowd, 0);
        for i in 0..len {
            place.add((got.position(i) - want.position(i)).length(), 1e-4);
            place.add((got.left[i] - want.left[i]).abs(), 0.0);
            place.add(f32::from(u8::from(got.traits[i] != want.traits[i])), 0.0);
            carried += usize::from(want.traits[i] != before.traits[i]);
            held += usize::from(want.vx[i] == 0.0 && want.position(i) != before.position(i));
        }
        for (got, want) in crowd.busy.iter().zip(&busy) {
            clocks.add(f32::from(u8::from(got != want)), 0.0);
        }
    }
    assert!(held > 500 && carried > 50, "{held} held, {carried} carried");
    place.expect("places behind doors and in lifts", 0.999);
    let right = clocks.good as f64 / clocks.all as f64;
    assert!(clocks.all > 200 && right >= 0.995, "clocks: {clocks:?}");
}
