//! Preferred velocities of both backends.

use glam::Vec2;

use super::super::constants::PACE;
use super::world::townspeople;
use super::{SCENES, Share, agents_of, read_velocities, stages};
use crate::dice::Dice;
use crate::turns::Turn;

/// If this fails, people of the two backends want to go elsewhere, or fear otherwise.
#[test]
fn preferred_velocities_are_alike() {
    let mut dice = Dice::new(76);
    let (mut direction, mut speed, mut fear, mut flags) =
        (Share::default(), Share::default(), Share::default(), Share::default());
    let mut moving = 0;
    for k in 0..SCENES {
        let mut crowd = townspeople(&mut dice, k);
        let (len, dt) = (crowd.len(), [0.05, 0.2][k % 2]);
        let turns = crowd.find_turns(dt);
        let stages = stages(&crowd, dt);
        crowd.navigate(turns);
        let want = crowd.agents.clone();
        stages.run(|work, pass| {
            work.turns.record(pass);
            work.navigate.record(pass);
        });
        let got = read_velocities(&stages, len);
        let capacity = stages.buffers.capacity as usize;
        let all = stages.gpu.read::<f32>(&stages.buffers.scratch, 4 * capacity).unwrap();
        let paces = &all[PACE as usize * capacity..];
        let pace: Vec<f32> = paces.iter().step_by(2).copied().collect();
        let agents = agents_of(&stages, &mut crowd, 0);
        for i in (0..len).filter(|&i| crowd.scratch.turns[i] != Turn::No) {
            direction.add((got[i] - crowd.scratch.velocity[i]).length(), 1e-3);
            speed.add((pace[i] - crowd.scratch.next_x[i]).abs(), 1e-3);
            fear.add((agents.fear[i] - want.fear[i]).abs(), 1e-5);
            flags.add(f32::from(u8::from(agents.traits[i] != want.traits[i])), 0.0);
            moving += usize::from(got[i] != Vec2::ZERO);
        }
    }
    assert!(2 * moving > direction.all, "{moving} move");
    direction.expect("preferred directions within 1e-3", 0.999);
    speed.expect("preferred speeds within 1e-3 m/s", 0.999);
    fear.expect("fear within 1e-5", 0.999);
    flags.expect("flags of navigation", 0.999);
}
