//! Actions and rules, written out or expanded from the short form of a group.

use super::Builder;
use super::people::distribution;
use crate::scene::data::{ActionData, GroupData, NamesData, RuleData, VisitData, WhenData};
use crate::scene::refs::{AWAY, TARGET};
use crate::world::{Action, Condition, Distribution, Rule, Seek, World};

/// How long those look around who go by what others do (seconds).
const LOOK_AROUND: f32 = 1.0;

impl Builder<'_> {
    pub(super) fn behaviour(&mut self, world: &mut World) {
        for action in &self.data.action {
            let action = self.action(action, world);
            world.actions.push(action);
        }
        for rule in &self.data.rule {
            if let Some(rule) = self.rule(rule, world) {
                world.rules.push(rule);
            }
        }
        for (i, group) in self.data.group.iter().enumerate() {
            let starts = match &group.starts {
                Some(name) => self.data.action.iter().position(|a| a.name == *name).unwrap_or(0),
                None if !group.choose.is_empty() => self.choices(group, i, world),
                None => self.visits(group, i, world),
            };
            let group = self.group(group, i, starts as u16);
            world.groups.push(group);
        }
        if world.actions.len() > usize::from(u16::MAX) {
            self.findings.add("action", "there are too many actions", "give at most 65535");
        }
    }

    fn seek(&self, name: &str) -> Seek {
        match name {
            TARGET => Seek::Target,
            AWAY => Seek::Away,
            _ => match self.data.goal.iter().position(|g| g.name == name) {
                Some(goal) => Seek::Goal(goal as u16),
                None => Seek::Nothing,
            },
        }
    }

    fn action(&self, action: &ActionData, world: &mut World) -> Action {
        let seek = self.seek(&action.seek);
        let clip = if seek == Seek::Nothing { "stand" } else { "walk" };
        let carries = action.carries.as_ref().map_or(0, |item| {
            let known = world.items.iter().position(|i| i == item).unwrap_or_else(|| {
                world.items.push(item.clone());
                world.items.len() - 1
            });
            u8::try_from(known + 1).unwrap_or(u8::MAX)
        });
        Action {
            name: action.name.clone(),
            clip: action.clip.clone().unwrap_or_else(|| clip.into()),
            seek,
            speed: action.speed,
            seconds: action.seconds.as_ref().map(|s| distribution(s, 0.0)),
            carries,
            tires: action.tires,
            aggression: action.aggression,
        }
    }

    fn rule(&self, rule: &RuleData, world: &World) -> Option<Rule> {
        let action = |name: &String| world.actions.iter().position(|a| a.name == *name);
        let group = |name: &String| self.data.group.iter().position(|g| g.name == *name);
        let names =
            |names: &Option<NamesData>| names.iter().flat_map(|n| n.names().to_vec()).collect();
        let all =
            |list: Vec<String>, find: &dyn Fn(&String) -> Option<usize>| -> Option<Vec<u16>> {
                list.iter().map(|name| find(name).map(|i| i as u16)).collect()
            };
        let to = match &rule.to {
            Some(name) => action(name)? as u16,
            None => 0,
        };
        Some(Rule {
            from: all(names(&rule.from), &action)?,
            groups: all(names(&rule.groups), &group)?,
            when: condition(&rule.when),
            chance: rule.chance,
            influence: 0.0,
            share: 1.0,
            to,
            resume: rule.resume,
        })
    }

    /// An action that ends soon, and rules that lead from it to each of the goals, in proportion to their
    /// shares: of those left by the rules before, each takes its part.
    fn choices(&self, group: &GroupData, index: usize, world: &mut World) -> usize {
        let (groups, mut own) = (vec![index as u16], Vec::new());
        let arrived = Condition { arrived: Some(true), ..Condition::default() };
        let finished = Condition { finished: Some(true), ..Condition::default() };
        // Who goes by others looks around first.
        let seconds = if group.influence > 0.0 { LOOK_AROUND } else { 0.0 };
        let at_once = Action {
            seconds: Some(Distribution::Fixed(seconds)),
            ..plain(format!("choose ({})", group.name), Seek::Nothing)
        };
        let decide = push(world, at_once, &mut own);
        let mut left: f32 = group.choose.iter().map(|choice| choice.share).sum();
        for choice in group.choose.iter().filter(|choice| choice.share > 0.0) {
            let name = format!("walk to {}", choice.goal);
            let walk = Action { clip: "walk".into(), ..plain(name, self.seek(&choice.goal)) };
            let walk = push(world, walk, &mut own);
            let chance = (choice.share / left).min(1.0);
            left -= choice.share;
            // The last takes all that are left, whatever the rounding.
            let chance = if left <= 1e-6 * choice.share { 1.0 } else { chance };
            let (share, influence) = (choice.share, group.influence);
            let chosen = rule(decide, &groups, finished, walk);
            world.rules.push(Rule { chance, share, influence, ..chosen });
            if !self.data.goal.iter().any(|g| g.exit && g.name == choice.goal) {
                let stand = push(world, plain("stand".into(), Seek::Nothing), &mut own);
                world.rules.push(rule(walk, &groups, arrived, stand));
            }
        }
        decide
    }

    /// Expands the goals of a group into actions and rules of its own; gives the first action.
    fn visits(&self, group: &GroupData, index: usize, world: &mut World) -> usize {
        let single = group.goal.iter().map(|g| VisitData::Reach(g.clone()));
        let stops: Vec<VisitData> = single.chain(group.visit.iter().flatten().cloned()).collect();
        let groups = vec![index as u16];
        // Actions that end each stop: (the last action of it, what ends it).
        let mut ends: Vec<(usize, Condition)> = Vec::new();
        let mut firsts = Vec::new();
        let mut own = Vec::new();
        let arrived = Condition { arrived: Some(true), ..Condition::default() };
        let finished = Condition { finished: Some(true), ..Condition::default() };
        for stop in &stops {
            let walk = Action {
                clip: "walk".into(),
                ..plain(format!("walk to {}", stop.goal()), self.seek(stop.goal()))
            };
            let walk = push(world, walk, &mut own);
            firsts.push(walk);
            match stop {
                VisitData::Stay { goal, seconds: Some(seconds) } => {
                    let stay = Action {
                        seconds: Some(distribution(seconds, 0.0)),
                        ..plain(format!("at {goal}"), Seek::Nothing)
                    };
                    let stay = push(world, stay, &mut own);
                    world.rules.push(rule(walk, &groups, arrived, stay));
                    ends.push((stay, finished));
                }
                _ => ends.push((walk, arrived)),
            }
        }
        for (i, (end, when)) in ends.iter().enumerate() {
            let next = firsts.get(i + 1).copied().or(group.again.then(|| firsts[0]));
            let leaves = self.data.goal.iter().any(|g| g.exit && g.name == stops[i].goal());
            match next {
                _ if leaves && *when == arrived => {} // They are gone.
                Some(next) => world.rules.push(rule(*end, &groups, *when, next)),
                None => {
                    let stand = push(world, plain("stand".into(), Seek::Nothing), &mut own);
                    world.rules.push(rule(*end, &groups, *when, stand));
                }
            }
        }
        firsts
            .first()
            .copied()
            .unwrap_or_else(|| push(world, plain("stand".into(), Seek::Nothing), &mut own))
    }
}

fn plain(name: String, seek: Seek) -> Action {
    Action {
        name,
        clip: "stand".into(),
        seek,
        speed: 1.0,
        seconds: None,
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    }
}

fn rule(from: usize, groups: &[u16], when: Condition, to: usize) -> Rule {
    Rule {
        from: vec![from as u16],
        groups: groups.to_vec(),
        when,
        chance: 1.0,
        influence: 0.0,
        share: 1.0,
        to: to as u16,
        resume: false,
    }
}

/// Adds an action, or finds the same one of another group: a group's own rules tell them apart,
/// but within a group each stop needs an action of its own.
fn push(world: &mut World, mut action: Action, own: &mut Vec<usize>) -> usize {
    let same = |a: &Action, b: &Action| {
        a.name == b.name && a.seek == b.seek && a.seconds == b.seconds && a.clip == b.clip
    };
    let known = world.actions.iter().position(|a| same(a, &action));
    if let Some(i) = known
        && (!own.contains(&i) || action.name == "stand")
    {
        own.push(i);
        return i;
    }
    let (name, mut n) = (action.name.clone(), 2);
    while world.actions.iter().any(|a| a.name == action.name) {
        action.name = format!("{name} ({n})");
        n += 1;
    }
    world.actions.push(action);
    own.push(world.actions.len() - 1);
    world.actions.len() - 1
}

fn condition(when: &WhenData) -> Condition {
    Condition {
        arrived: when.arrived,
        finished: when.finished,
        full: when.full,
        distance_below: when.distance_below,
        neighbours_at_least: when.neighbours_at_least,
        neighbours_at_most: when.neighbours_at_most,
        fear_at_least: when.fear_at_least,
        fear_at_most: when.fear_at_most,
        tired_at_least: when.tired_at_least,
        tired_at_most: when.tired_at_most,
        after: when.after,
    }
}
