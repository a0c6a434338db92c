//! Avoidance of both backends.

use glam::Vec2;
use throng_world::params::Model;

use super::super::constants::PACE;
use super::{SCENES, Share, agents_of, read_velocities, scene, stages, write_velocities};
use crate::agents::{FREE_WAY, MOVING};
use crate::dice::Dice;
use crate::turns::Turn;

/// Directions that differ by less are the same choice.
const SAME: f32 = 0.02;

fn compare(model: Model, seed: u64) {
    let mut dice = Dice::new(seed);
    let (mut direction, mut velocity, mut free) =
        (Share::default(), Share::default(), Share::default());
    for k in 0..SCENES {
        let mut crowd = scene(&mut dice, k);
        crowd.params.avoid.model = model;
        crowd.step = k as u64;
        let (len, dt) = (crowd.len(), [0.05, 0.2, 0.1][k % 3]);
        let mut pace = vec![0.0; len];
        let want: Vec<Vec2> = (0..len)
            .map(|i| {
                let moving = crowd.agents.traits[i].has(MOVING);
                pace[i] = if moving { dice.between(0.2, 2.0) } else { 0.0 };
                if moving { dice.direction() } else { Vec2::ZERO }
            })
            .collect();
        let stages = stages(&crowd, dt);
        write_velocities(&stages, &want);
        let at = u64::from(PACE * stages.buffers.capacity) * 4;
        let paces: Vec<[f32; 2]> = pace.iter().map(|&pace| [pace, 0.0]).collect();
        stages.gpu.write(&stages.buffers.scratch, at, &paces);
        crowd.scratch.velocity[..len].copy_from_slice(&want);
        crowd.scratch.next_x[..len].copy_from_slice(&pace);
        let turns = crowd.find_turns(dt);
        crowd.avoid(dt, turns);
        let expected = crowd.scratch.velocity[..len].to_vec();
        let traits = crowd.agents.traits.clone();
        stages.run(|work, pass| {
            work.turns.record(pass);
            work.avoid.record(pass);
        });
        let got = read_velocities(&stages, len);
        let agents = agents_of(&stages, &mut crowd, 0);
        for i in 0..len {
            let decides = traits[i].has(MOVING) && crowd.scratch.turns[i] != Turn::No;
            let apart = (got[i] - expected[i]).length();
            if !decides {
                assert_eq!(got[i], expected[i], "scene {k}, {i}");
                continue;
            }
            let turned = got[i].normalize_or_zero() - expected[i].normalize_or_zero();
            direction.add(turned.length(), SAME);
            if turned.length() <= SAME {
                velocity.add(apart, 1e-3);
            }
            let differ = agents.traits[i].has(FREE_WAY) != traits[i].has(FREE_WAY);
            free.add(f32::from(u8::from(differ)), 0.0);
        }
    }
    direction.expect(&format!("{model:?}: same direction"), 0.999);
    velocity.expect(&format!("{model:?}: velocities within 1e-3 m/s"), 0.999);
    free.expect(&format!("{model:?}: same view of the way ahead"), 0.999);
}

/// If this fails, people of the two backends choose different ways.
#[test]
fn the_throng_model_decides_alike() {
    compare(Model::Throng, 74);
}

/// If this fails, the model of 2008 is another one on the GPU.
#[test]
fn the_froblins_model_decides_alike() {
    compare(Model::Froblins, 75);
}
