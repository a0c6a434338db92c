//! The world's tables as the stages read them: small, flat, looked up by index.

use throng_world::World;
use throng_world::params::BehaveParams;
use throng_world::world::{Action, Condition, Distribution, Rule, Seek};

use crate::agents::Traits;
use crate::error::CrowdError;

/// How hard somebody at the end of its patience pushes, over somebody content.
pub(crate) const IMPATIENT_PUSH: f32 = 3.0;
/// Nobody pushes less hard than this.
pub(crate) const LEAST_PUSH: f32 = 1e-3;

/// What an action is after, as a number, and which goal.
pub(crate) const SEEK_NOTHING: u32 = 0;
pub(crate) const SEEK_GOAL: u32 = 1;
pub(crate) const SEEK_TARGET: u32 = 2;
pub(crate) const SEEK_AWAY: u32 = 3;

/// What an action is after as two numbers: see [`SEEK_NOTHING`], and which goal.
pub(crate) fn seek_code(seek: Seek) -> (u32, u32) {
    match seek {
        Seek::Nothing => (SEEK_NOTHING, 0),
        Seek::Goal(goal) => (SEEK_GOAL, u32::from(goal)),
        Seek::Target => (SEEK_TARGET, 0),
        Seek::Away => (SEEK_AWAY, 0),
    }
}

/// What a stage needs of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActionRow {
    pub(crate) seek: Seek,
    pub(crate) speed: f32,
    pub(crate) seconds: Option<Distribution>,
    pub(crate) tires: f32,
    pub(crate) aggression: f32,
    /// Rules that can end it: a range of [`Tables::rules`].
    pub(crate) rules: (u32, u32),
    /// Whether any of them counts neighbours.
    pub(crate) counts: bool,
    /// Whether those who arrive are gone.
    pub(crate) exits: bool,
}

/// What a stage needs of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleRow {
    pub(crate) when: Condition,
    /// A bit per group; groups beyond 64 share the bits by their remainder (checked at creation).
    pub(crate) groups: u64,
    pub(crate) chance: f32,
    pub(crate) influence: f32,
    pub(crate) share: f32,
    pub(crate) to: u8,
    pub(crate) resume: bool,
}

/// What a stage needs of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupRow {
    pub(crate) aggression: f32,
    pub(crate) fear: f32,
    /// Factors on the speed up and down stairs.
    pub(crate) climb: f32,
    pub(crate) descend: f32,
    /// One over the factor on the time gap.
    pub(crate) keenness: f32,
    /// Factor on the standing gap.
    pub(crate) standing_gap: f32,
}

/// Actions, rules and groups.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) actions: Vec<ActionRow>,
    pub(crate) rules: Vec<RuleRow>,
    pub(crate) groups: Vec<GroupRow>,
    /// Whether any rule goes by what others do.
    pub(crate) influenced: bool,
    pub(crate) slow_when_tired: f32,
    pub(crate) flee_speed: f32,
    pub(crate) flee_from: f32,
    pub(crate) flee_full: f32,
    pub(crate) sight_margin: f32,
    /// Nobody is faster than this times its own speed.
    pub(crate) fastest: f32,
    /// Largest body radius.
    pub(crate) widest: f32,
}

impl Tables {
    pub(crate) fn new(world: &World) -> Result<Self, CrowdError> {
        for (what, count) in [("actions", world.actions.len()), ("groups", world.groups.len())] {
            if count > 255 {
                return Err(CrowdError::TooMany { what, most: 255 });
            }
        }
        if world.groups.len() > 64 && world.rules.iter().any(|r| !r.groups.is_empty()) {
            return Err(CrowdError::TooMany { what: "groups with rules of their own", most: 64 });
        }
        let mut rules = Vec::new();
        let mut actions = Vec::new();
        for (index, action) in world.actions.iter().enumerate() {
            let first = rules.len();
            let mine = world.rules.iter().filter(|rule| applies(rule, index));
            rules.extend(mine.map(row));
            actions.push(action_row(world, action, (first, rules.len()), &rules[first..])?);
        }
        let groups = world.groups.iter();
        let groups = groups.map(|g| GroupRow {
            aggression: g.aggression,
            fear: g.fear,
            climb: g.climb,
            descend: g.descend,
            keenness: 1.0 / g.time_gap,
            standing_gap: g.standing_gap,
        });
        let groups: Vec<GroupRow> = groups.collect();
        let BehaveParams { flee_from, flee_full, flee_speed, tired_slows, .. } =
            world.params.behave;
        let fastest = actions.iter().map(|a: &ActionRow| a.speed).fold(1.0, f32::max);
        let widest = world.groups.iter().map(|g| g.radius.max()).fold(0.0, f32::max);
        let slimmest = world.groups.iter().map(|g| g.radius.min()).fold(1.0, f32::min);
        Ok(Self {
            influenced: rules.iter().any(|r| r.influence > 0.0),
            actions,
            rules,
            groups,
            slow_when_tired: tired_slows,
            flee_speed,
            flee_from,
            flee_full,
            sight_margin: 0.8 * slimmest,
            fastest: if world.hazards.is_empty() { fastest } else { fastest.max(flee_speed) },
            widest,
        })
    }

    /// Hazards may be placed while it runs: people may have to run.
    pub(crate) fn allow_fleeing(&mut self) {
        self.fastest = self.fastest.max(self.flee_speed);
    }

    /// How hard somebody pushes in contact; 1 is usual.
    #[inline(always)]
    pub(crate) fn push(&self, traits: Traits, frustration: f32) -> f32 {
        let group = &self.groups[usize::from(traits.group)];
        let action = &self.actions[usize::from(traits.action)];
        let patience = 1.0 + (IMPATIENT_PUSH - 1.0) * frustration;
        (group.aggression * action.aggression * patience).max(LEAST_PUSH)
    }

    /// The fear at which people begin to flee, and at which they do nothing else.
    #[cfg(feature = "gpu")]
    pub(crate) fn flight(&self) -> (f32, f32) {
        (self.flee_from, self.flee_full)
    }

    /// How much of a fear is flight: 0 none, 1 nothing else.
    #[inline(always)]
    pub(crate) fn fright(&self, fear: f32) -> f32 {
        if fear <= self.flee_from {
            return 0.0;
        }
        ((fear - self.flee_from) / (self.flee_full - self.flee_from).max(1e-3)).min(1.0)
    }
}

fn applies(rule: &Rule, action: usize) -> bool {
    let action = action as u16;
    if rule.from.is_empty() {
        rule.to != action || rule.resume
    } else {
        rule.from.contains(&action)
    }
}

fn row(rule: &Rule) -> RuleRow {
    let groups = if rule.groups.is_empty() {
        u64::MAX
    } else {
        rule.groups.iter().fold(0, |bits, g| bits | 1 << (g % 64))
    };
    RuleRow {
        when: rule.when,
        groups,
        chance: rule.chance,
        influence: rule.influence,
        share: rule.share,
        to: rule.to as u8,
        resume: rule.resume,
    }
}

fn action_row(
    world: &World,
    action: &Action,
    rules: (usize, usize),
    rows: &[RuleRow],
) -> Result<ActionRow, CrowdError> {
    let unknown =
        |what, given: usize, count| CrowdError::Unknown { what, given: given.to_string(), count };
    let exits = match action.seek {
        Seek::Goal(goal) => {
            let goal = usize::from(goal);
            let found = world.goals.get(goal);
            found.ok_or_else(|| unknown("goal", goal, world.goals.len()))?.exit
        }
        _ => false,
    };
    for rule in rows {
        if usize::from(rule.to) >= world.actions.len() {
            return Err(unknown("action", usize::from(rule.to), world.actions.len()));
        }
    }
    let counts = rows
        .iter()
        .any(|r| r.when.neighbours_at_least.is_some() || r.when.neighbours_at_most.is_some());
    Ok(ActionRow {
        seek: action.seek,
        speed: action.speed,
        seconds: action.seconds,
        tires: action.tires,
        aggression: action.aggression,
        rules: (rules.0 as u32, rules.1 as u32),
        counts,
        exits,
    })
}
