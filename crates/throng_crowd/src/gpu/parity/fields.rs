//! Surveys, costs and fields of both backends.

use std::collections::BTreeSet;

use super::super::stages::Stages;
use super::world::townspeople;
use super::{SCENES, Share, stages};
use crate::crowd::Crowd;
use crate::dice::Dice;
use crate::navigate::brink::Brink;
use crate::navigate::{WORN, hidden_targets};

/// Recordings that no field here needs.
const MOST: usize = 400;

/// Goes on until every field is solved.
fn converge(stages: &Stages) {
    for _ in 0..MOST {
        let nothing = throng_gpu::Prepared::new();
        stages.run(|_, pass| stages.ways.record(pass, &nothing));
        if stages.ways.solver.read_state().unwrap().iter().all(|group| group.is_converged()) {
            return;
        }
    }
    panic!("not converged: {:?}", stages.ways.solver.read_state());
}

/// Difference as a share of the greater; infinite where only one is.
fn apart(a: f32, b: f32) -> f32 {
    if a == b { 0.0 } else { (a - b).abs() / a.abs().max(b.abs()) }
}

/// If this fails, crowds of the two backends see other densities or hazards, or take other ways.
#[test]
fn surveys_and_fields_are_alike() {
    let mut dice = Dice::new(91);
    let mut densities = Share::default();
    let (mut costs, mut potentials) = (Share::default(), Share::default());
    let mut turned = Share::default();
    let (mut worn, mut eased) = (0, 0);
    for k in 0..SCENES {
        let mut crowd = townspeople(&mut dice, k);
        brink_anywhere(&mut dice, &mut crowd);
        let mut stages = stages(&crowd, 0.05);
        let cells = crowd.world.terrain.cells();
        // From the first solution, and from that of other people.
        for _ in 0..2 {
            crowd.time += 7.0;
            let mut constants = stages.constants(&crowd, 0.05);
            (constants.field_first, constants.fields_due) = (1, crowd.fields.len() as u32);
            stages.prepare(&crowd, constants);
            stages.reflect();
            // Costs at slanted walls go by the ways there are: the same for both.
            for (f, field) in crowd.fields.each().enumerate() {
                stages.ways.set_flow(&stages.gpu, f, field.state().2);
            }
            stages.run(|work, pass| work.survey.record(pass));
            converge(&stages);
            crowd.survey().unwrap();
            crowd.fields.refresh_all(&crowd.world.terrain).unwrap();
            let survey = stages.ways.read_survey(&stages.gpu);
            let (density, settled) = crowd.fields.densities();
            for i in 0..cells {
                densities.add(apart(survey[cells + i], density.as_slice()[i]), 1e-6);
                densities.add(apart(survey[2 * cells + i], settled.as_slice()[i]), 1e-6);
            }
            if let Some(trails) = &crowd.fields.trails {
                let wear = stages.gpu.read::<u32>(&stages.ways.wear, cells).unwrap();
                assert_eq!(wear, trails.state().0, "wear of scene {k}");
                worn += wear.iter().filter(|wear| **wear > WORN / 8).count();
            }
            let all = crowd.fields.len() * cells;
            let found = stages.gpu.read::<f32>(stages.ways.solver.potential(), all).unwrap();
            let codes = stages.gpu.read::<[i16; 2]>(stages.ways.solver.directions(), all).unwrap();
            let made = stages.ways.read_costs(&stages.gpu);
            for (f, field) in crowd.fields.each().enumerate() {
                let (cost, potential, flow) = field.state();
                for (i, flow) in flow.iter().enumerate() {
                    let at = f * cells + i;
                    costs.add(apart(made[at], cost.as_slice()[i]), 1e-5);
                    eased += usize::from(cost.as_slice()[i] < 0.9 * field.weights()[0]);
                    potentials.add(apart(found[at], potential.as_slice()[i]), 1e-4);
                    let off = |j: usize| (f32::from(codes[at][j]) - f32::from(flow[j])).abs();
                    turned.add(off(0).max(off(1)) / 32767.0, 1e-3);
                }
            }
            shuffle(&mut dice, &mut crowd);
            stages.buffers.upload(&crowd, 0);
        }
        assert_eq!(stages.gpu.take_errors(), []);
    }
    assert!(worn > 1000, "{worn} cells are worn");
    assert!(eased > 1000, "{eased} cells are cheaper for a slanted wall");
    densities.expect("densities within 1e-6", 1.0);
    costs.expect("costs within 1e-5", 1.0);
    potentials.expect("potentials within 1e-4", 1.0);
    turned.expect("directions within 1e-3", 0.999);
}

/// Lets some open cells be at slanted walls that run anywhere, with any of their neighbours blocked.
fn brink_anywhere(dice: &mut Dice, crowd: &mut Crowd) {
    let terrain = &crowd.world.terrain;
    let (low, high) = (terrain.origin(), terrain.origin() + terrain.extent());
    let mut brinks = Vec::new();
    for cell in 0..terrain.cells() {
        if terrain.as_slice()[cell].is_finite() && dice.chance(0.2) {
            let (blocked, at) = (dice.below(16) as u32, dice.point(low, high));
            brinks.push(Brink { cell: cell as u32, blocked, at, away: dice.direction() });
        }
    }
    crowd.fields.set_brinks(brinks);
}

/// Puts everybody elsewhere, also off the ground.
fn shuffle(dice: &mut Dice, crowd: &mut Crowd) {
    let bounds = crowd.world.bounds();
    for i in 0..crowd.len() {
        let p = dice.point(bounds.min - 1.0, bounds.max + 1.0);
        (crowd.agents.x[i], crowd.agents.y[i]) = (p.x, p.y);
    }
    crowd.sort();
}

/// If this fails, people whose target is out of sight ask for other fields than on the CPU.
#[test]
fn hidden_targets_are_counted_alike() {
    let mut dice = Dice::new(92);
    let mut asked = 0;
    for k in (0..SCENES).step_by(4) {
        let crowd = townspeople(&mut dice, k);
        let stages = stages(&crowd, 0.05);
        assert!(stages.ways.slots > 0);
        stages.run(|work, pass| work.turns.record(pass));
        let cells = crowd.world.terrain.cells();
        let words = stages.gpu.read::<u32>(&stages.ways.targets, 2 * cells).unwrap();
        let mut wanted = Vec::new();
        hidden_targets(&crowd.world.terrain, &crowd.agents, &mut wanted);
        let mut expected = vec![0; cells];
        wanted.iter().for_each(|&cell| expected[cell as usize] += 1);
        assert_eq!(&words[cells..], &expected, "scene {k}");
        asked += wanted.len();
    }
    assert!(asked > 1000, "{asked}");
}

/// If this fails, private targets get their fields in another order than on the CPU, keep them longer or
/// shorter, or lead elsewhere.
#[test]
fn slots_are_given_alike() {
    let mut dice = Dice::new(93);
    let mut turned = Share::default();
    let mut given = 0;
    for k in (0..SCENES).step_by(10) {
        let mut crowd = townspeople(&mut dice, k);
        crowd.targets.clear();
        crowd.targets.limit(4);
        let mut stages = stages(&crowd, 0.05);
        let cells = crowd.world.terrain.cells();
        let pool: Vec<u32> = (0..7).map(|_| dice.below(cells) as u32).collect();
        let mut before = BTreeSet::new();
        for _ in 0..40 {
            crowd.step += 1;
            let mut wanted = Vec::new();
            for &cell in &pool {
                let many = if dice.chance(0.5) { dice.below(4) } else { 0 };
                wanted.extend(std::iter::repeat_n(cell, many));
            }
            for &cell in &wanted {
                let count = wanted.iter().filter(|c| **c == cell).count() as u32;
                let at = 4 * (cells as u64 + u64::from(cell));
                stages.gpu.write(&stages.ways.targets, at, &[count]);
            }
            crowd.targets.wanted = wanted;
            crowd.targets.serve(&crowd.world.terrain, crowd.step).unwrap();
            let constants = stages.constants(&crowd, 0.05);
            stages.prepare(&crowd, constants);
            stages.run(|work, pass| work.targets.record(pass));
            converge(&stages);
            let expected: BTreeSet<u32> = crowd.targets.kept().iter().map(|k| k.0).collect();
            let slots = stages.ways.read_slots(&stages.gpu);
            let found: BTreeSet<u32> = slots.iter().map(|(_, cell)| *cell).collect();
            assert_eq!(found, expected, "scene {k}, step {}", crowd.step);
            given += usize::from(found != before);
            before = found;
        }
        // Nobody wants anything more: all that was given is there.
        crowd.step += 1;
        let constants = stages.constants(&crowd, 0.05);
        stages.prepare(&crowd, constants);
        stages.run(|work, pass| work.targets.record(pass));
        let all = (stages.ways.fields + stages.ways.slots) as usize * cells;
        let codes = stages.gpu.read::<[i16; 2]>(stages.ways.solver.directions(), all).unwrap();
        for (slot, cell) in stages.ways.read_slots(&stages.gpu) {
            let part = (stages.ways.fields as usize + slot) * cells;
            let flow = crowd.targets.find(cell).unwrap().codes();
            for i in 0..cells {
                let off = |j: usize| f32::from(codes[part + i][j]) - f32::from(flow[i][j]);
                turned.add(off(0).abs().max(off(1).abs()) / 32767.0, 1e-3);
            }
        }
        // Down and up again: the same fields for the same cells.
        let kept = crowd.targets.kept();
        stages.ways.download(&stages.gpu, &mut crowd).unwrap();
        let cells_of = |kept: &[(u32, u64)]| kept.iter().map(|k| k.0).collect::<BTreeSet<_>>();
        assert_eq!(cells_of(&crowd.targets.kept()), cells_of(&kept), "scene {k}");
    }
    assert!(given > 50, "{given} changes");
    turned.expect("directions to private targets within 1e-3", 0.999);
}
