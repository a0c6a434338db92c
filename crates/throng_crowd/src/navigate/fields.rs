//! The fields: one for each goal and set of weights, refreshed in turn.

use glam::Vec2;
use throng_field::cost::{
    ComposeInput, DensitySplat, Falloff, Hazard, MIN_COST, SplatInput, Weight, compose,
};
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{DirectionField, Grid};
use throng_world::World;
use throng_world::world::FieldWeights;

use super::brink::{Brink, brinks};
use super::crowding::Crowding;
use super::flow::Flow;
use super::trails::Trails;
use super::{PlacedHazard, place};
use crate::error::CrowdError;

/// A density in a field's cost follows the measured one only where they differ by this share plus
/// this much: most cells keep their cost from one refresh to the next, and the warm start has little
/// to do.
pub(super) const DENSITY_SHARE: f32 = 0.15;
pub(super) const DENSITY_LEAST: f32 = 0.2;
/// With more than this share of the cells changed a cold solve is faster.
const WARM_SHARE: f32 = 0.25;

/// The way to one goal with one set of weights.
#[derive(Debug)]
pub(crate) struct Field {
    goal: usize,
    weights: FieldWeights,
    cost: Grid<f32>,
    pub(crate) potential: Grid<f32>,
    pub(crate) flow: Flow,
    sources: Vec<Source>,
    solver: FastIterative,
    /// The goal or the ground changed: solve anew.
    stale: bool,
}

/// All fields, and what they are made from.
#[derive(Debug)]
pub(crate) struct Fields {
    fields: Vec<Field>,
    /// Field of each group and goal.
    of: Vec<Vec<u16>>,
    density: Grid<f32>,
    /// Density of others that the costs are made with.
    settled: Grid<f32>,
    crowding: Crowding,
    hazards: Grid<f32>,
    splat: DensitySplat,
    directions: DirectionField,
    changed: Vec<u32>,
    /// Cells at slanted walls, and what they cost before a refresh.
    brinks: Vec<Brink>,
    before: Vec<f32>,
    /// How worn the ground is, where that counts.
    pub(crate) trails: Option<Trails>,
    turn: u64,
    /// Refreshes done, warm and cold.
    pub(crate) refreshed: (u64, u64),
}

impl Fields {
    /// Fields for all goals of all groups, not yet solved.
    pub(crate) fn new(world: &World) -> Result<Self, CrowdError> {
        let blank = world.terrain.map(|_| 0.0);
        let mut all = Self {
            fields: Vec::new(),
            of: Vec::new(),
            density: blank.clone(),
            settled: blank.clone(),
            crowding: Crowding::new(&world.terrain),
            hazards: blank.clone(),
            splat: DensitySplat::new(),
            directions: DirectionField::default(),
            changed: Vec::new(),
            brinks: brinks(world),
            before: Vec::new(),
            trails: Trails::new(world),
            turn: 0,
            refreshed: (0, 0),
        };
        for group in &world.groups {
            let mut of = Vec::new();
            for goal in 0..world.goals.len() {
                let same = |f: &Field| f.goal == goal && f.weights == group.weights;
                let found = all.fields.iter().position(same);
                of.push(found.unwrap_or(all.fields.len()) as u16);
                if found.is_none() {
                    all.fields.push(Field {
                        goal,
                        weights: group.weights,
                        cost: blank.clone(),
                        potential: blank.map(|_| f32::INFINITY),
                        flow: Flow::new(&blank),
                        sources: place::sources(world, goal)?,
                        solver: FastIterative::new(),
                        stale: true,
                    });
                }
            }
            all.of.push(of);
        }
        Ok(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    pub(crate) fn turn(&self) -> u64 {
        self.turn
    }

    /// Bytes held by grids (the solvers' scratch is a little more).
    pub(crate) fn bytes(&self) -> usize {
        let grid = 4 * self.density.cells();
        let each: usize = self.fields.iter().map(|f| f.flow.bytes() + 5 * grid / 2).sum();
        // Density, settled, hazards, splat (8 bytes), directions (8 bytes).
        each + 7 * grid + self.crowding.bytes() + self.trails.as_ref().map_or(0, Trails::bytes)
    }

    /// What the density of others is measured by.
    #[cfg(feature = "gpu")]
    pub(crate) fn crowding(&self) -> &Crowding {
        &self.crowding
    }

    /// Cells at slanted walls.
    #[cfg(feature = "gpu")]
    pub(crate) fn brinks(&self) -> &[Brink] {
        &self.brinks
    }

    /// Other cells at slanted walls, for tests; by ascending cells.
    #[cfg(all(test, feature = "gpu"))]
    pub(crate) fn set_brinks(&mut self, brinks: Vec<Brink>) {
        self.brinks = brinks;
    }

    /// Which field is the way of a group to a goal.
    #[cfg(feature = "gpu")]
    pub(crate) fn index(&self, group: u8, goal: u16) -> usize {
        usize::from(self.of[usize::from(group)][usize::from(goal)])
    }

    /// The way of a group to a goal.
    #[inline]
    pub(crate) fn flow(&self, group: u8, goal: u16) -> &Flow {
        &self.fields[usize::from(self.of[usize::from(group)][usize::from(goal)])].flow
    }

    /// The potential of a group's way to a goal.
    pub(crate) fn potential(&self, group: u8, goal: u16) -> Option<&Grid<f32>> {
        self.field(group, goal).map(|f| &f.potential)
    }

    /// The field of a group's way to a goal.
    pub(crate) fn field(&self, group: u8, goal: u16) -> Option<&Field> {
        let field = *self.of.get(usize::from(group))?.get(usize::from(goal))?;
        self.fields.get(usize::from(field))
    }

    /// People per square metre, as of the last refresh.
    pub(crate) fn density(&self) -> &Grid<f32> {
        &self.density
    }

    /// Which fields are due at a time, when all are refreshed once in `period` seconds.
    pub(crate) fn due(&self, time: f64, period: f32) -> usize {
        if self.fields.is_empty() {
            return 0;
        }
        let turns = time * self.fields.len() as f64 / f64::from(period.max(1e-3));
        (turns as u64).saturating_sub(self.turn).min(self.fields.len() as u64) as usize
    }

    /// Takes note that the fields that are due get their turn: the first of them, and how many.
    #[cfg(feature = "gpu")]
    pub(crate) fn take_turns(&mut self, time: f64, period: f32) -> (usize, usize) {
        let due = self.due(time, period);
        let first = (self.turn % self.fields.len().max(1) as u64) as usize;
        self.turn += due as u64;
        if let (Some(trails), true) = (&mut self.trails, due > 0) {
            trails.note(time);
        }
        (first, due)
    }

    /// Measures the crowd and the hazards at a time, for the refreshes of this step.
    pub(crate) fn survey(
        &mut self,
        terrain: &Grid<f32>,
        (positions, time): (&[Vec2], f64),
        hazards: &[PlacedHazard],
    ) -> Result<(), CrowdError> {
        let input = SplatInput { positions, weights: None, terrain: Some(terrain) };
        self.splat.splat(&input, &mut self.density)?;
        if let Some(trails) = &mut self.trails {
            trails.tread(&self.density, time);
        }
        self.crowding.each(&self.density, &mut self.settled, |settled, now| {
            if (*settled - now).abs() > DENSITY_LEAST + DENSITY_SHARE * now {
                *settled = now;
            }
        });
        self.survey_hazards(hazards)
    }

    /// Measures the hazards alone: what they cost is no part of a snapshot, and whoever solves a field out of
    /// its turn must not go by those of another time.
    pub(crate) fn survey_hazards(&mut self, hazards: &[PlacedHazard]) -> Result<(), CrowdError> {
        self.hazards.as_mut_slice().fill(0.0);
        for hazard in hazards.iter().filter(|h| h.strength > 0.0 && h.radius > 0.0) {
            let stamp = Hazard {
                centre: hazard.position,
                radius: hazard.radius,
                strength: hazard.strength,
                falloff: Falloff::Bell,
            };
            stamp.stamp(&mut self.hazards)?;
        }
        Ok(())
    }

    /// Refreshes the next `count` fields.
    pub(crate) fn refresh(&mut self, terrain: &Grid<f32>, count: usize) -> Result<(), CrowdError> {
        for _ in 0..count {
            let next = (self.turn % self.fields.len() as u64) as usize;
            self.turn += 1;
            self.refresh_one(terrain, next)?;
        }
        Ok(())
    }

    /// Solves all fields now, in this order, without touching the turns.
    pub(crate) fn refresh_all(&mut self, terrain: &Grid<f32>) -> Result<(), CrowdError> {
        (0..self.fields.len()).try_for_each(|field| self.refresh_one(terrain, field))
    }

    fn refresh_one(&mut self, terrain: &Grid<f32>, index: usize) -> Result<(), CrowdError> {
        let anew = self.fields[index].stale;
        self.solve_one(terrain, index)?;
        if anew && !self.brinks.is_empty() {
            // Costs at slanted walls go by the ways, and now there are some.
            self.solve_one(terrain, index)?;
        }
        Ok(())
    }

    fn solve_one(&mut self, terrain: &Grid<f32>, index: usize) -> Result<(), CrowdError> {
        let field = &mut self.fields[index];
        self.before.clear();
        self.before.extend(self.brinks.iter().map(|b| field.cost.as_slice()[b.cell as usize]));
        let walked = self.trails.as_mut().map_or(terrain, |trails| trails.ease(terrain));
        let input = ComposeInput {
            density: Some(&self.settled),
            hazards: Some(&self.hazards),
            terrain_weight: Weight::Number(field.weights.terrain),
            density_weight: Weight::Number(field.weights.density),
            hazard_weight: Weight::Number(field.weights.hazard),
            ..ComposeInput::new(walked)
        };
        compose(&input, &mut field.cost, Some(&mut self.changed))?;
        field.ease_brinks(&self.brinks, &self.before, &mut self.changed);
        if self.changed.is_empty() && !field.stale {
            return Ok(());
        }
        let params = SolveParams::default();
        let warm =
            !field.stale && (self.changed.len() as f32) < WARM_SHARE * field.cost.cells() as f32;
        if warm {
            let solver = &mut field.solver;
            solver.update(
                &field.cost,
                &field.sources,
                &self.changed,
                &params,
                &mut field.potential,
            )?;
            self.refreshed.0 += 1;
        } else {
            field.solver.solve(&field.cost, &field.sources, &params, &mut field.potential)?;
            self.refreshed.1 += 1;
        }
        field.stale = false;
        self.directions.compute(&field.potential, &field.cost, &field.sources)?;
        field.flow.pack(&self.directions);
        Ok(())
    }

    /// The goals or the ground changed: every field gets its sources anew and is solved from cold at
    /// its next turn; those of `goal` now.
    pub(crate) fn place_goals(
        &mut self,
        world: &World,
        goal: Option<usize>,
    ) -> Result<(), CrowdError> {
        if goal.is_none() {
            self.brinks = brinks(world);
            self.crowding.measure_room(&world.terrain);
        }
        for index in 0..self.fields.len() {
            let field = &self.fields[index];
            if goal.is_some_and(|goal| goal != field.goal) {
                continue;
            }
            let sources = place::sources(world, field.goal)?;
            let field = &mut self.fields[index];
            field.sources = sources;
            field.stale = true;
            self.refresh_one(&world.terrain, index)?;
        }
        Ok(())
    }

    /// All fields.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter()
    }

    /// Measured density, and the density that the costs are made with.
    pub(crate) fn densities(&self) -> (&Grid<f32>, &Grid<f32>) {
        (&self.density, &self.settled)
    }

    /// Finds the sources anew, without solving. Where one goal has none, all stay as they were.
    pub(crate) fn resettle(&mut self, world: &World) -> Result<(), CrowdError> {
        let sources = self.fields.iter();
        let sources = sources.map(|f| place::sources(world, f.goal));
        let sources: Vec<_> = sources.collect::<Result<_, _>>()?;
        self.brinks = brinks(world);
        self.crowding.measure_room(&world.terrain);
        for (field, sources) in self.fields.iter_mut().zip(sources) {
            field.sources = sources;
        }
        Ok(())
    }

    /// What a snapshot holds of each field.
    pub(crate) fn state_mut(
        &mut self,
    ) -> (&mut u64, [&mut Grid<f32>; 2], impl Iterator<Item = &mut Field>) {
        (&mut self.turn, [&mut self.density, &mut self.settled], self.fields.iter_mut())
    }
}

impl Field {
    /// Lowers the cost at slanted walls by the present ways; `before` has what it was, and `changed` the cells whose
    /// cost is another one now.
    fn ease_brinks(&mut self, brinks: &[Brink], before: &[f32], changed: &mut Vec<u32>) {
        if brinks.is_empty() {
            return;
        }
        changed.retain(|cell| brinks.binary_search_by_key(cell, |b| b.cell).is_err());
        for (brink, before) in brinks.iter().zip(before) {
            let cost = &mut self.cost.as_mut_slice()[brink.cell as usize];
            *cost = (*cost * brink.share(&self.flow)).max(MIN_COST);
            if cost.to_bits() != before.to_bits() {
                changed.push(brink.cell);
            }
        }
        changed.sort_unstable();
    }

    /// Cost, potential and directions.
    pub(crate) fn state_mut(&mut self) -> (&mut Grid<f32>, &mut Grid<f32>, &mut [[i16; 2]]) {
        (&mut self.cost, &mut self.potential, self.flow.codes_mut())
    }

    /// Cost, potential and directions.
    pub(crate) fn state(&self) -> (&Grid<f32>, &Grid<f32>, &[[i16; 2]]) {
        (&self.cost, &self.potential, self.flow.codes())
    }

    /// Its weights of terrain, density and hazards.
    #[cfg(feature = "gpu")]
    pub(crate) fn weights(&self) -> [f32; 3] {
        [self.weights.terrain, self.weights.density, self.weights.hazard]
    }

    /// Where it begins.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What its solver schedules by.
    pub(crate) fn typical_step(&self) -> f32 {
        self.solver.typical_step()
    }

    /// After its state was replaced from outside: what the solver remembers is replaced too.
    pub(crate) fn settle(&mut self, typical_step: f32) {
        self.solver.remember(&self.cost, typical_step);
        self.stale = false;
    }
}
