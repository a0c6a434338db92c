//! The step of a crowd: its stages in order, and what follows from what happened in them.

use std::time::Instant;

use glam::Vec2;

use crate::agents::{NONE, Traits, WAITING};
use crate::avoid::{AvoidInput, avoid};
use crate::behave::{BehaveInput, Note, behave, draw};
use crate::counters::{StageTimes, StepReport};
use crate::crowd::{Crowd, Scratch};
use crate::error::CrowdError;
use crate::event::{AgentId, Event, EventKind};
use crate::movement::{
    Contact, MoveInput, PassageInput, Prediction, contacts, left_over, move_all, pass, predict,
    surge_at, ticks,
};
use crate::navigate::{NavigateInput, PlacedHazard, hidden_targets, mark_danger, navigate};
use crate::random::{self, Purpose};
use crate::turns::Turns;
use crate::walls::Walls;
use throng_world::params::Model;

impl Crowd {
    pub(crate) fn step_inside(&mut self, dt: f32) -> Result<StepReport, CrowdError> {
        let mut times = StageTimes::default();
        let mut clock = Instant::now();
        let mut lap = |slot: &mut std::time::Duration| {
            let now = Instant::now();
            *slot = now - clock;
            clock = now;
        };
        if self.unsorted {
            self.sort();
        }
        if self.hours_change(dt) {
            self.open_and_close(dt)?;
        }
        self.refresh_fields()?;
        lap(&mut times.fields);
        let turns = self.find_turns(dt);
        self.navigate(turns);
        lap(&mut times.navigate);
        self.avoid(dt, turns);
        lap(&mut times.avoid);
        self.behave(dt);
        lap(&mut times.behave);
        if self.params.avoid.model == Model::Throng {
            self.contact(dt);
        }
        lap(&mut times.contact);
        self.movement(dt);
        lap(&mut times.movement);
        self.step += 1;
        self.time += f64::from(dt);
        self.spawn_due();
        self.sort();
        lap(&mut times.bin);
        self.times.add(&times);
        self.totals.refreshed = self.fields.refreshed;
        Ok(StepReport { step: self.step, agents: self.agents.len(), times })
    }

    /// Brings agents and bins in order, and lets go of the dead.
    pub(crate) fn sort(&mut self) {
        self.scratch.fit(self.agents.len());
        // Until the next step nobody needs the positions that were predicted in this one.
        let Scratch { next_x, next_y, push, .. } = &mut self.scratch;
        self.binning.sort(&mut self.agents, bytemuck::cast_slice_mut(next_x), [next_y, push]);
        self.unsorted = false;
    }

    pub(crate) fn place_hazards(&mut self) {
        let placed = self.hazards.iter().filter_map(|(_, hazard)| {
            hazard.position(self.time).map(|position| PlacedHazard {
                position,
                radius: hazard.radius,
                strength: hazard.strength,
                fear_radius: hazard.fear_radius,
            })
        });
        self.scratch.hazards.clear();
        self.scratch.hazards.extend(placed);
    }

    /// Measures crowd and hazards for the fields.
    pub(crate) fn survey(&mut self) -> Result<(), CrowdError> {
        self.place_hazards();
        let len = self.agents.len();
        let positions = &mut self.scratch.velocity[..len];
        for (i, position) in positions.iter_mut().enumerate() {
            *position = self.agents.position(i);
        }
        let crowd = (&*positions, self.time);
        self.fields.survey(&self.world.terrain, crowd, &self.scratch.hazards)
    }

    /// Measures the hazards for fields that are solved out of their turn.
    pub(crate) fn survey_hazards(&mut self) -> Result<(), CrowdError> {
        self.place_hazards();
        self.fields.survey_hazards(&self.scratch.hazards)
    }

    /// Solves all fields for the crowd as it is now.
    #[cfg(feature = "gpu")]
    pub(crate) fn refresh_all_fields(&mut self) -> Result<(), CrowdError> {
        let pool = self.pool.clone();
        pool.install(|| {
            self.survey()?;
            self.fields.refresh_all(&self.world.terrain)
        })
    }

    fn refresh_fields(&mut self) -> Result<(), CrowdError> {
        self.place_hazards();
        let due = self.fields.due(self.time, self.params.navigate.refresh_seconds);
        if due > 0 {
            self.survey()?;
            self.fields.refresh(&self.world.terrain, due)?;
        }
        if self.walled && self.params.navigate.target_fields > 0 {
            hidden_targets(&self.world.terrain, &self.agents, &mut self.targets.wanted);
            self.targets.serve(&self.world.terrain, self.step)?;
        }
        Ok(())
    }

    /// Finds out who decides in the step.
    pub(crate) fn find_turns(&mut self, dt: f32) -> Turns {
        let turns = Turns::new(&self.params.avoid, dt, self.step);
        turns.find(self.binning.bins(), &self.agents, &mut self.scratch.turns);
        turns
    }

    pub(crate) fn navigate(&mut self, turns: Turns) {
        let hazards = std::mem::take(&mut self.scratch.hazards);
        let mut danger = std::mem::take(&mut self.scratch.danger);
        mark_danger(&self.world.terrain, &hazards, &mut danger);
        if !self.parties.is_empty() {
            self.parties.meet(&self.agents, &self.tables, self.step);
        }
        let Scratch { velocity, next_x, turns: whose, .. } = &mut self.scratch;
        let input = NavigateInput {
            tables: &self.tables,
            fields: &self.fields,
            targets: &self.targets,
            sites: &self.sites,
            terrain: &self.world.terrain,
            ground_speed: self.world.speed.as_ref(),
            stairs: self.world.stairs.as_ref(),
            parties: &self.parties,
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            hazards: &hazards,
            danger: &danger,
            turns: whose,
            brisk_period: turns.periods().1,
            step: self.step,
        };
        // Until positions are predicted, their memory holds the preferred speeds.
        navigate(&input, &mut self.agents, velocity, next_x);
        self.scratch.hazards = hazards;
        self.scratch.danger = danger;
    }

    pub(crate) fn avoid(&mut self, dt: f32, turns: Turns) {
        let Scratch { velocity, next_x, turns: whose, .. } = &mut self.scratch;
        let input = AvoidInput {
            params: &self.params.avoid,
            tables: &self.tables,
            turn_rate: self.params.movement.turn_rate,
            bins: self.binning.bins(),
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            dt,
            turns: whose,
            periods: turns.periods(),
            isa: self.isa,
        };
        avoid(&input, &mut self.agents, velocity, next_x);
    }

    pub(crate) fn behave(&mut self, dt: f32) {
        if self.tables.influenced {
            let actions = &mut self.scratch.actions;
            actions.clear();
            // Who has not begun yet shows nobody where it will go.
            let doing = |t: &Traits| if t.has(WAITING) { u8::MAX } else { t.action };
            actions.extend(self.agents.traits[..self.agents.len()].iter().map(doing));
        }
        let input = BehaveInput {
            params: &self.params.behave,
            tables: &self.tables,
            sites: &self.sites,
            busy: &self.busy,
            dose: self.world.dose.as_ref(),
            doing: &self.scratch.actions,
            bins: self.binning.bins(),
            seed: self.seed,
            time: self.time,
            dt,
        };
        behave(&input, &mut self.agents, &mut self.scratch.notes);
        self.take_notes();
    }

    /// Goes through what happened in a fixed order: admissions, events, sums.
    fn take_notes(&mut self) {
        let notes = std::mem::take(&mut self.scratch.notes);
        for note in notes.iter().flatten() {
            if let Note::Freed { site } = *note {
                self.busy[site as usize] = self.busy[site as usize].saturating_sub(1);
            }
        }
        for note in notes.iter().flatten() {
            match *note {
                Note::Freed { .. } => {}
                Note::Arrived { agent } => {
                    self.totals.arrived += 1;
                    if self.agents.traits[agent as usize].has(crate::agents::ARRIVED) {
                        self.count_travel(agent);
                    }
                    self.tell(agent, EventKind::Arrived);
                }
                Note::Left { agent } => {
                    self.totals.arrived += 1;
                    self.totals.removed += 1;
                    self.count_travel(agent);
                    self.tell(agent, EventKind::Arrived);
                    self.tell(agent, EventKind::Removed);
                }
                Note::Changed { agent, from } => {
                    let to = self.agents.traits[agent as usize].action;
                    self.tell(agent, EventKind::ActionChanged { from, to });
                }
                Note::Asks { agent, site, to } => self.admit(agent, site, to),
                Note::Fell { agent } => {
                    self.totals.incapacitated += 1;
                    self.tell(agent, EventKind::Incapacitated);
                }
                Note::Stuck { agent } => {
                    self.totals.stuck += 1;
                    self.tell(agent, EventKind::Stuck);
                }
            }
        }
        self.scratch.notes = notes;
    }

    fn count_travel(&mut self, agent: u32) {
        self.totals.travels += 1;
        self.totals.travel_seconds += self.time - f64::from(self.agents.born[agent as usize]);
    }

    /// Lets somebody be busy at a place, if it is not full.
    fn admit(&mut self, agent: u32, site: u32, to: u8) {
        let capacity = self.sites.sites[site as usize].place.capacity.unwrap_or(u32::MAX);
        if self.busy[site as usize] >= capacity {
            return;
        }
        self.busy[site as usize] += 1;
        let i = agent as usize;
        let old = self.agents.site[i];
        if old != NONE {
            self.busy[old as usize] = self.busy[old as usize].saturating_sub(1);
        }
        self.agents.site[i] = site;
        let from = std::mem::replace(&mut self.agents.traits[i].action, to);
        self.agents.clip[i] = 0.0;
        let seconds = &self.tables.actions[usize::from(to)].seconds;
        self.agents.left[i] = seconds.as_ref().map_or(f32::INFINITY, |seconds| {
            let id = self.agents.id[i];
            let when = random::moment(self.time);
            draw(seconds, random::bits(self.seed, id, when, Purpose::Duration))
        });
        self.totals.arrived += 1;
        self.tell(agent, EventKind::Arrived);
        self.tell(agent, EventKind::ActionChanged { from, to });
    }

    pub(crate) fn tell(&mut self, agent: u32, kind: EventKind) {
        if !self.observers.is_empty() {
            let agent = AgentId(self.agents.id[agent as usize]);
            self.observers.tell(&Event { step: self.step, agent, kind });
        }
    }

    pub(crate) fn contact(&mut self, dt: f32) {
        let len = self.agents.len();
        let scratch = &mut self.scratch;
        let fastest = self.spawner.fastest_speed * self.tables.fastest;
        let walls = self.walled.then(|| Walls::new(&self.world.clearance));
        for pass in 0..self.params.movement.contact_passes {
            predict(
                &self.tables,
                walls,
                &self.agents,
                &mut scratch.velocity[..len],
                (dt, surge_at(self.time)),
                Prediction {
                    next_x: &mut scratch.next_x,
                    next_y: &mut scratch.next_y,
                    push: &mut scratch.push,
                    pushed: (pass > 0).then_some(&scratch.pushed),
                },
            );
            let input = Contact {
                bins: self.binning.bins(),
                next_x: &scratch.next_x,
                next_y: &scratch.next_y,
                push: &scratch.push,
                widest: self.spawner.widest,
                longest: 2.0 * fastest * dt,
                stiffness: self.params.movement.stiffness,
                comfort: self.params.movement.comfort,
                left_over: left_over(dt, self.params.movement.settle),
                per_dt: 1.0 / dt,
                isa: self.isa,
            };
            let Scratch { velocity, pushed, .. } = scratch;
            contacts(&input, &self.agents, pass == 0, velocity, pushed);
        }
    }

    pub(crate) fn movement(&mut self, dt: f32) {
        let input = MoveInput {
            params: &self.params.movement,
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            bounds: self.world.bounds(),
            fastest: self.tables.fastest,
            patience: self.params.avoid.patience,
            calm: self.params.avoid.calm,
            dt,
            isa: self.isa,
        };
        let passages = self.passages.clocks() > 0;
        if passages {
            // What was predicted is read no more.
            let (len, scratch) = (self.agents.len(), &mut self.scratch);
            scratch.next_x[..len].copy_from_slice(&self.agents.x[..len]);
            scratch.next_y[..len].copy_from_slice(&self.agents.y[..len]);
        }
        self.totals.impacts += move_all(&input, &mut self.agents, &self.scratch.velocity);
        if passages {
            let input = PassageInput {
                passages: &self.passages,
                bins: self.binning.bins(),
                now: ticks(self.time),
                dt,
            };
            let (x, y) = (&self.scratch.next_x, &self.scratch.next_y);
            let clocks = self.sites.sites.len();
            pass(&input, &mut self.agents, |i| Vec2::new(x[i], y[i]), &mut self.busy[clocks..]);
        }
    }
}
