//! The world's tables as words: actions, rules, groups, sites, hazards, fans.

use throng_world::world::{Distribution, Lift, Place, Shape};

use super::constants::{NOTHING, Named, TICKS};
use crate::crowd::Crowd;
use crate::navigate::gpu::WEIGHT_WORDS;
use crate::navigate::{PlacedHazard, deepest};
use crate::tables::{
    ActionRow, GroupRow, RuleRow, SEEK_AWAY, SEEK_GOAL, SEEK_NOTHING, SEEK_TARGET, seek_code,
};

/// Words of a row.
const ACTION: u32 = 24;
const RULE: u32 = 20;
const GROUP: u32 = 8;
const SITE: u32 = 16;
const HAZARD: u32 = 8;
const DOOR: u32 = 8;
const LIFT: u32 = 8;
/// Words of a fan: sines, cosines, parabolas.
pub(crate) const FAN_WORDS: u32 = 72;
/// From this word of an action on are its gates.
const ACTION_GATES: u32 = 16;
/// Hazards there is always room for.
const LEAST_HAZARDS: usize = 64;

// Distributions.
const FOREVER: u32 = 0;
const FIXED: u32 = 1;
const UNIFORM: u32 = 2;
const NORMAL: u32 = 3;
const LOG_NORMAL: u32 = 4;
const GAMMA: u32 = 5;
const WEIBULL: u32 = 6;

// Shapes.
const POINT: u32 = 0;
const DISC: u32 = 1;
const LINE: u32 = 2;
const POLYGON: u32 = 3;

// Bits of an action.
const COUNTS: u32 = 1;
const EXITS: u32 = 2;

// Bits of a rule: which conditions it has, in the order of its words, and what three of them ask for.
const ASKS: [&str; 11] = [
    "ASKS_ARRIVED",
    "ASKS_FINISHED",
    "ASKS_FULL",
    "ASKS_DISTANCE",
    "ASKS_MANY",
    "ASKS_FEW",
    "ASKS_AFRAID",
    "ASKS_CALM",
    "ASKS_TIRED",
    "ASKS_FRESH",
    "ASKS_AFTER",
];
const RESUMES: u32 = 1 << 8;
/// From this bit on are the values that the first three are to have.
const FACT_BITS: u32 = 16;

// Bits of gates.
const GATE_ALWAYS: u32 = 1;
const GATE_FINISHED: u32 = 2;
const GATE_ARRIVED: u32 = 4;
const GATE_FREE: u32 = 8;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    let mut named: Named = vec![
        ("ACTION_WORDS", ACTION.into()),
        ("RULE_WORDS", RULE.into()),
        ("GROUP_WORDS", GROUP.into()),
        ("SITE_WORDS", SITE.into()),
        ("HAZARD_WORDS", HAZARD.into()),
        ("DOOR_WORDS", DOOR.into()),
        ("LIFT_WORDS", LIFT.into()),
        ("FAN_WORDS", FAN_WORDS.into()),
        ("SEEK_NOTHING", SEEK_NOTHING.into()),
        ("SEEK_GOAL", SEEK_GOAL.into()),
        ("SEEK_TARGET", SEEK_TARGET.into()),
        ("SEEK_AWAY", SEEK_AWAY.into()),
        ("FOREVER", FOREVER.into()),
        ("FIXED", FIXED.into()),
        ("UNIFORM", UNIFORM.into()),
        ("NORMAL", NORMAL.into()),
        ("LOG_NORMAL", LOG_NORMAL.into()),
        ("GAMMA", GAMMA.into()),
        ("WEIBULL", WEIBULL.into()),
        ("POINT", POINT.into()),
        ("DISC", DISC.into()),
        ("LINE", LINE.into()),
        ("POLYGON", POLYGON.into()),
        ("COUNTS", COUNTS.into()),
        ("EXITS", EXITS.into()),
        ("RESUMES", RESUMES.into()),
        ("FACT_BITS", FACT_BITS.into()),
        ("ACTION_GATES", ACTION_GATES.into()),
        ("GATE_ALWAYS", GATE_ALWAYS.into()),
        ("GATE_FINISHED", GATE_FINISHED.into()),
        ("GATE_ARRIVED", GATE_ARRIVED.into()),
        ("GATE_FREE", GATE_FREE.into()),
    ];
    named.extend(ASKS.iter().zip(0..).map(|(name, bit)| (*name, (1u32 << bit).into())));
    named
}

/// All tables in one row of words, and where each begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    pub(crate) words: Vec<u32>,
    pub(crate) actions: u32,
    pub(crate) rules: u32,
    pub(crate) groups: u32,
    pub(crate) sites: u32,
    pub(crate) fields: u32,
    pub(crate) hazards: u32,
    pub(crate) most_hazards: usize,
    pub(crate) weights: u32,
    pub(crate) fans: u32,
    pub(crate) doors: u32,
    pub(crate) lifts: u32,
}

impl Packed {
    pub(crate) fn new(crowd: &Crowd) -> Self {
        let mut p = Self::default();
        // First, since they are written anew in every step.
        p.most_hazards = crowd.hazards.len().max(LEAST_HAZARDS);
        p.hazards = p.here();
        p.row(HAZARD * p.most_hazards as u32, &[]);
        p.actions = p.here();
        for (row, action) in crowd.tables.actions.iter().zip(&crowd.world.actions) {
            let mut words = action_words(row, action.carries);
            words.resize(ACTION_GATES as usize, 0);
            let rules = row.rules.0 as usize..row.rules.1 as usize;
            words.extend(gates(&crowd.tables.rules[rules]));
            p.row(ACTION, &words);
        }
        p.rules = p.here();
        crowd.tables.rules.iter().for_each(|rule| p.row(RULE, &rule_words(rule)));
        p.groups = p.here();
        for group in &crowd.tables.groups {
            let GroupRow { aggression, fear, climb, descend, keenness, standing_gap } = *group;
            let words = [aggression, fear, climb, descend, keenness, standing_gap];
            p.row(GROUP, &words.map(f32::to_bits));
        }
        p.fields = p.here();
        for group in 0..crowd.world.groups.len() {
            for goal in 0..crowd.world.goals.len() {
                p.words.push(crowd.fields.index(group as u8, goal as u16) as u32);
            }
        }
        p.weights = p.here();
        for field in crowd.fields.each() {
            p.row(WEIGHT_WORDS, &field.weights().map(f32::to_bits));
        }
        p.fans = p.here();
        for fan in crate::avoid::gpu::fans(&crowd.params.avoid) {
            p.row(FAN_WORDS, &fan);
        }
        p.add_passages(crowd);
        p.add_sites(crowd);
        p.here();
        p
    }

    /// Where the next table begins: with a whole four.
    fn here(&mut self) -> u32 {
        self.words.resize(self.words.len().next_multiple_of(4), 0);
        self.words.len() as u32
    }

    fn row(&mut self, stride: u32, words: &[u32]) {
        self.words.extend(words);
        let end = self.words.len() + stride as usize - words.len();
        self.words.resize(end, 0);
    }

    fn add_passages(&mut self, crowd: &Crowd) {
        self.doors = self.here();
        for leaf in &crowd.passages.leaves {
            let [a, b] = leaf.ends;
            let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(f32::to_bits);
            self.row(DOOR, &[ax, ay, bx, by, leaf.interval]);
        }
        self.lifts = self.here();
        for lift in &crowd.passages.lifts {
            let way = lift.way();
            let ticks = |seconds: f32| (seconds * TICKS) as u32;
            let [seconds, x, y] = [lift.seconds, way.x, way.y].map(f32::to_bits);
            let (turn, dwell) = (ticks(2.0 * lift.seconds), ticks(lift.dwell));
            self.row(LIFT, &[lift.capacity, turn, dwell, seconds, x, y]);
        }
    }

    /// The places of goals, and behind them the cabins where people get into lifts.
    fn add_sites(&mut self, crowd: &Crowd) {
        self.sites = self.here();
        let cabin =
            |lift: &Lift| Place { shape: lift.cabins[0].clone(), fuzz: 0.0, capacity: None };
        let sites = crowd.sites.sites.iter().map(|site| site.place.clone());
        let sites: Vec<Place> = sites.chain(crowd.passages.lifts.iter().map(cabin)).collect();
        self.row(SITE * sites.len() as u32, &[]);
        for (i, place) in sites.iter().enumerate() {
            let (mut a, mut b, mut radius) = (glam::Vec2::ZERO, glam::Vec2::ZERO, 0.0);
            let (first, kind) = (
                self.here(),
                match &place.shape {
                    Shape::Point(at) => {
                        a = *at;
                        POINT
                    }
                    Shape::Disc { centre, radius: r } => {
                        (a, radius) = (*centre, *r);
                        DISC
                    }
                    Shape::Line(from, to) => {
                        (a, b) = (*from, *to);
                        LINE
                    }
                    Shape::Polygon(polygon) => {
                        for (from, to) in polygon.edges() {
                            self.words.extend([from.x, from.y, to.x, to.y].map(f32::to_bits));
                        }
                        POLYGON
                    }
                },
            );
            let centre = place.shape.bounds().centre();
            let row = [
                kind,
                place.fuzz.to_bits(),
                place.capacity.unwrap_or(NOTHING),
                u32::from(place.capacity.is_some()),
                deepest(&place.shape).to_bits(),
                a.x.to_bits(),
                a.y.to_bits(),
                b.x.to_bits(),
                b.y.to_bits(),
                radius.to_bits(),
                first,
                self.here(),
                centre.x.to_bits(),
                centre.y.to_bits(),
                (place.shape.bounds().size().length() * 0.5).max(radius).to_bits(),
            ];
            let at = self.sites as usize + i * SITE as usize;
            self.words[at..at + row.len()].copy_from_slice(&row);
        }
    }
}

/// The hazards of a step.
pub(crate) fn hazard_words(hazards: &[PlacedHazard], out: &mut Vec<u32>) {
    out.clear();
    for h in hazards {
        let row = [h.position.x, h.position.y, h.fear_radius, h.radius, h.strength];
        out.extend(row.map(f32::to_bits));
        // A sheet takes whole fours.
        out.resize(out.len().next_multiple_of(HAZARD as usize), 0);
    }
}

fn action_words(row: &ActionRow, carries: u8) -> Vec<u32> {
    let (seek, goal) = seek_code(row.seek);
    let (kind, values) = match row.seconds {
        None => (FOREVER, [0.0; 4]),
        Some(Distribution::Fixed(v)) => (FIXED, [v, 0.0, 0.0, 0.0]),
        Some(Distribution::Uniform(low, high)) => (UNIFORM, [low, high, 0.0, 0.0]),
        Some(Distribution::Normal { mean, deviation, min, max }) => {
            (NORMAL, [mean, deviation, min, max])
        }
        Some(Distribution::LogNormal { mu, sigma, min, max }) => {
            (LOG_NORMAL, [mu, sigma, min, max])
        }
        Some(Distribution::Gamma { shape, scale, min, max }) => {
            (GAMMA, [shape, scale, min.max(0.0), max])
        }
        Some(Distribution::Weibull { shape, scale, min, max }) => {
            (WEIBULL, [shape, scale, min, max])
        }
    };
    let bits = if row.counts { COUNTS } else { 0 } | if row.exits { EXITS } else { 0 };
    let mut words = vec![
        seek,
        goal,
        row.speed.to_bits(),
        row.rules.0,
        row.rules.1,
        bits,
        row.tires.to_bits(),
        row.aggression.to_bits(),
        u32::from(carries),
        kind,
    ];
    words.extend(values.map(f32::to_bits));
    words
}

/// The gates of an action: what must be so before any of its rules can apply. Every rule has one gate, the
/// condition of its own that seldom holds: nobody looks at rules behind closed gates.
fn gates(rules: &[RuleRow]) -> [u32; 8] {
    let mut bits = 0;
    let [mut afraid, mut tired, mut after] = [f32::MAX; 3];
    let [mut near, mut near_full, mut calm, mut fresh] = [f32::MIN; 4];
    for rule in rules {
        let w = &rule.when;
        if w.finished == Some(true) {
            bits |= GATE_FINISHED;
        } else if w.arrived == Some(true) {
            bits |= GATE_ARRIVED;
        } else if let Some(v) = w.fear_at_least {
            afraid = afraid.min(v);
        } else if w.full == Some(true) {
            near_full = near_full.max(w.distance_below.unwrap_or(f32::MAX));
        } else if let Some(v) = w.distance_below {
            near = near.max(v);
        } else if let Some(v) = w.tired_at_least {
            tired = tired.min(v);
        } else if let Some(v) = w.after {
            after = after.min(v);
        } else if let Some(v) = w.tired_at_most {
            fresh = fresh.max(v);
        } else if let Some(v) = w.fear_at_most {
            calm = calm.max(v);
        } else if w.full == Some(false) {
            bits |= GATE_FREE;
        } else {
            bits |= GATE_ALWAYS;
        }
    }
    let [afraid, near, tired] = [afraid, near, tired].map(f32::to_bits);
    let [after, calm, fresh, near_full] = [after, calm, fresh, near_full].map(f32::to_bits);
    [bits, afraid, near, tired, after, calm, fresh, near_full]
}

fn rule_words(rule: &RuleRow) -> Vec<u32> {
    let w = &rule.when;
    let float = |v: Option<f32>| v.map(f32::to_bits);
    let yes = |v: Option<bool>| v.map(u32::from);
    let conditions = [
        yes(w.arrived),
        yes(w.finished),
        yes(w.full),
        float(w.distance_below),
        w.neighbours_at_least,
        w.neighbours_at_most,
        float(w.fear_at_least),
        float(w.fear_at_most),
        float(w.tired_at_least),
        float(w.tired_at_most),
        float(w.after),
    ];
    let asks = conditions.iter().zip(0..).filter(|(c, _)| c.is_some());
    let asks = asks.fold(0, |bits, (_, bit)| bits | 1 << bit);
    let facts = conditions[..3].iter().zip(0..);
    let facts = facts.fold(0, |bits, (c, bit)| bits | c.unwrap_or(0) << (FACT_BITS + bit));
    let to = u32::from(rule.to) | if rule.resume { RESUMES } else { 0 };
    let mut words = vec![
        asks | facts,
        to,
        rule.groups as u32,
        (rule.groups >> 32) as u32,
        rule.chance.to_bits(),
    ];
    words.extend(conditions.map(|c| c.unwrap_or(0)));
    words.extend([rule.influence.to_bits(), rule.share.to_bits()]);
    words
}
