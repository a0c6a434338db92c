//! What Rust and WGSL both have to know, written once: the uniform of a step, the places of the agents'
//! arrays, flags, and the constants of the stages. The WGSL is generated from what is here.

use std::fmt::Write as _;
use std::sync::OnceLock;

use bytemuck::{Pod, Zeroable};
use throng_world::world::MOST_IN_PARTY;

use crate::agents;
use crate::party::{
    ABREAST, AHEAD, AIM_BITS, ASIDE, BACK, CLOSE, FILE, GOAL_BITS, JAM, NARROW, NARROWEST, ON,
    PER_SPEED, ROWS, SIDE, SURPLUS, TOO_FAR, WIDEST,
};
use crate::random::{self, Purpose};
use crate::tables::{IMPATIENT_PUSH, LEAST_PUSH};

/// A number that a shader gets by name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Float(f32),
    Word(u32),
}

impl From<f32> for Value {
    fn from(v: f32) -> Self {
        Self::Float(v)
    }
}

impl From<u32> for Value {
    fn from(v: u32) -> Self {
        Self::Word(v)
    }
}

/// Constants of a stage, by name.
pub(crate) type Named = Vec<(&'static str, Value)>;

/// A struct that is the same in Rust and in WGSL.
macro_rules! uniform {
    ($name:ident { $($field:ident: $ty:ident,)* }) => {
        /// The uniform of a step.
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
        pub(crate) struct $name {
            $(pub(crate) $field: $ty,)*
        }

        impl $name {
            const WGSL: &'static str = concat!(
                "struct ", stringify!($name), " {\n",
                $("    ", stringify!($field), ": ", stringify!($ty), ",\n",)*
                "}\n@group(0) @binding(0) var<uniform> constants: ", stringify!($name), ";\n"
            );
        }
    };
}

uniform! {
    Constants {
        // Room for agents: the distance from one array to the next, in words.
        capacity: u32,
        // Bins.
        columns: u32,
        rows: u32,
        bins: u32,
        bin_x: f32,
        bin_y: f32,
        bin_size: f32,
        bins_per_metre: f32,
        // Walls.
        walled: u32,
        wall_columns: u32,
        wall_rows: u32,
        wall_x: f32,
        wall_y: f32,
        wall_cell: f32,
        walls_per_metre: f32,
        // Navigation cells.
        cell_columns: u32,
        cell_rows: u32,
        cell_x: f32,
        cell_y: f32,
        cell_size: f32,
        cells_per_metre: f32,
        last_x: f32,
        last_y: f32,
        // The world.
        min_x: f32,
        min_y: f32,
        max_x: f32,
        max_y: f32,
        // Parts of the ground, in words; `NOTHING` where there is none.
        ground_sites: u32,
        ground_speed: u32,
        ground_stairs: u32,
        ground_dose: u32,
        ground_heights: u32,
        // Cells of zones: speeds, stairs, doses.
        zone_columns: u32,
        zone_rows: u32,
        zone_cell: f32,
        height_columns: u32,
        height_rows: u32,
        height_x: f32,
        height_y: f32,
        height_cell: f32,
        // Parts of the tables, in words.
        table_actions: u32,
        table_rules: u32,
        table_groups: u32,
        table_sites: u32,
        table_fields: u32,
        table_hazards: u32,
        table_weights: u32,
        table_fans: u32,
        table_doors: u32,
        table_lifts: u32,
        goals: u32,
        // Sites; what is counted of them, as words, and clocks among that; leaves of doors, lifts, parties.
        sites: u32,
        counts: u32,
        clocks: u32,
        leaves: u32,
        lifts: u32,
        parties: u32,
        hazards: u32,
        // Fields: those of goals, those due from the first on, and room for those to private targets.
        fields: u32,
        field_first: u32,
        fields_due: u32,
        targets: u32,
        people_per_share: f32,
        // The mean over cells that crowding is, and the density of one person alone.
        crowding_reach: u32,
        crowding_peak: f32,
        crowding_fall: f32,
        alone: f32,
        // Wear of the ground: what is kept of it, what people add, and what a level of it saves; 0: nothing.
        wear_keep: f32,
        wear_gain: f32,
        wear_saving: f32,
        // Time.
        dt: f32,
        per_dt: f32,
        step_low: u32,
        ticks: u32,
        moment_low: u32,
        moment_high: u32,
        seed_low: u32,
        seed_high: u32,
        period: u32,
        phase: u32,
        brisk_period: u32,
        brisk_phase: u32,
        looks: u32,
        newcomers: u32,
        streams: u32,
        born: f32,
        watched: u32,
        // Navigate.
        tired_slows: f32,
        flee_from: f32,
        flee_full: f32,
        flee_speed: f32,
        sight_margin: f32,
        // Avoid.
        reach: f32,
        least_reach: f32,
        per_reach: f32,
        area: f32,
        horizon: f32,
        per_horizon: f32,
        per_time_gap: f32,
        per_wall_gap: f32,
        anticipation: f32,
        standing_gap: f32,
        urge: f32,
        urge_from: f32,
        per_urge: f32,
        haste: f32,
        queue: f32,
        oncoming: f32,
        per_oncoming: f32,
        creep: f32,
        most_creep: f32,
        hold_back: f32,
        squeeze: f32,
        lane: f32,
        hysteresis: f32,
        side: f32,
        keep_side: f32,
        keep_right: f32,
        per_side_band: f32,
        follow: f32,
        give_way: f32,
        dense_bin: f32,
        turn: f32,
        gain: f32,
        brisk_turn: f32,
        brisk_gain: f32,
        froblins_weight: f32,
        froblins_sin: f32,
        froblins_cos: f32,
        most_turn: f32,
        // Behave.
        crowd_radius: f32,
        influence_radius: f32,
        stuck_seconds: f32,
        stuck_speed: f32,
        // Contact.
        widest: f32,
        longest: f32,
        stiffness: f32,
        surge: u32,
        comfort: f32,
        left_over: f32,
        // Move.
        jolt: f32,
        turn_sin: f32,
        turn_cos: f32,
        fastest: f32,
        patience: f32,
        calm: f32,
    }
}

/// No part, no site, nobody.
pub(crate) const NOTHING: u32 = agents::NONE;

pub(crate) use crate::movement::TICKS;

/// Places in scratch memory, whose arrays hold pairs.
pub(crate) const WANT_X: u32 = 0;
pub(crate) const PACE: u32 = 2;
/// Words of scratch memory for an agent.
pub(crate) const SCRATCH: u32 = 4;

/// Elements in a row of a sheet: a power of two.
pub(crate) const SHEET_SHIFT: u32 = 12;
pub(crate) const SHEET_MASK: u32 = (1 << SHEET_SHIFT) - 1;

/// Words of an agent, four to an array; the last four only where the world has a use for them.
pub(crate) const FIELDS: u32 = 24;
/// The words that are no floats. Those that most stages ask for together stand in one array.
pub(crate) const SITE: u32 = 13;
pub(crate) const ID: u32 = 14;
pub(crate) const TRAITS: u32 = 15;
pub(crate) const DOSE: u32 = 20;
pub(crate) const PARTY: u32 = 21;

/// Arrays of an agent.
pub(crate) const fn fours(extended: bool) -> u32 {
    FIELDS / 4 - !extended as u32
}

/// The word of one of `agents::Agents::floats`.
pub(crate) fn field_of(float: usize) -> u32 {
    // What moving changes, what behaving changes and what nothing changes are in different fours:
    // frustration stands with the heading, usual speed and birth with the target.
    match float as u32 {
        7 => 18,
        12 => 7,
        13 => 12,
        14 => 19,
        15 => 16,
        16 => 17,
        other => other,
    }
}

/// The module `throng_crowd::constants`, of crowds with or without what is extended.
pub(crate) fn source(extended: bool) -> &'static str {
    static SOURCES: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
    SOURCES[usize::from(extended)].get_or_init(|| generate(extended))
}

fn generate(extended: bool) -> String {
    let mut text = format!("// Generated from Rust.\nconst EXTENDED: bool = {extended};\n");
    text.push_str(Constants::WGSL);
    for (i, (name, _)) in agents::Agents::default().floats().iter().enumerate() {
        constant(&mut text, &name.to_uppercase(), field_of(i).into());
    }
    let mut named: Named = vec![
        ("ID", ID.into()),
        ("SITE", SITE.into()),
        ("TRAITS", TRAITS.into()),
        ("DOSE", DOSE.into()),
        ("FIELDS", FIELDS.into()),
        ("FOURS", fours(extended).into()),
        ("MOST_IN_PARTY", MOST_IN_PARTY.into()),
        ("GOAL_BITS", GOAL_BITS.into()),
        ("AIM_BITS", AIM_BITS.into()),
        ("AHEAD", AHEAD.into()),
        ("BACK", BACK.into()),
        ("ASIDE", ASIDE.into()),
        ("FILE", FILE.into()),
        ("NARROW", NARROW.into()),
        ("NARROWEST", NARROWEST.into()),
        ("ABREAST", ABREAST.into()),
        ("WIDEST", WIDEST.into()),
        ("ROWS", ROWS.into()),
        ("CLOSE", CLOSE.into()),
        ("SURPLUS", SURPLUS.into()),
        ("SIDE", SIDE.into()),
        ("TOO_FAR", TOO_FAR.into()),
        ("JAM", JAM.into()),
        ("ON", ON.into()),
        ("PER_SPEED", PER_SPEED.into()),
        ("NOTHING", NOTHING.into()),
        ("WANT_X", WANT_X.into()),
        ("PACE", PACE.into()),
        ("SHEET_SHIFT", SHEET_SHIFT.into()),
        ("SHEET_MASK", SHEET_MASK.into()),
        ("FOR_DURATION", (Purpose::Duration as u32).into()),
        ("FOR_CHANCE", (Purpose::Chance as u32).into()),
        ("FOR_CONTENTMENT", (Purpose::Contentment as u32).into()),
        ("FOR_APART", (Purpose::Apart as u32).into()),
        ("IMPATIENT_PUSH", IMPATIENT_PUSH.into()),
        ("LEAST_PUSH", LEAST_PUSH.into()),
        ("TAU", std::f32::consts::TAU.into()),
        ("TICKS", TICKS.into()),
    ];
    let flags = [
        ("DEAD", agents::DEAD),
        ("TARGETED", agents::TARGETED),
        ("FREE_WAY", agents::FREE_WAY),
        ("MOVING", agents::MOVING),
        ("STUCK", agents::STUCK),
        ("ARRIVED", agents::ARRIVED),
        ("HIDDEN", agents::HIDDEN),
        ("WAITING", agents::WAITING),
    ];
    // Flags are the last byte of the traits.
    named.extend(flags.map(|(name, flag)| (name, (u32::from(flag) << 24).into())));
    named.extend(super::buffers::TALLY.iter().zip(0u32..).map(|(name, at)| (*name, at.into())));
    named.extend(wide("STREAM_LOW", "STREAM_HIGH", random::STREAM));
    named.extend(wide("AGENT_LOW", "AGENT_HIGH", random::AGENT));
    named.extend(super::tables::constants());
    named.extend(super::outside::constants());
    named.extend(super::events::constants());
    named.extend(super::gate::constants());
    named.extend(crate::bin::gpu::constants());
    named.extend(crate::movement::gpu::constants());
    named.extend(crate::avoid::gpu::constants());
    named.extend(crate::navigate::gpu::constants());
    named.extend(crate::behave::gpu::constants());
    for (name, value) in named {
        constant(&mut text, name, value);
    }
    text
}

/// A number of 64 bits in two halves.
pub(crate) fn wide(
    low: &'static str,
    high: &'static str,
    value: u64,
) -> [(&'static str, Value); 2] {
    [(low, (value as u32).into()), (high, ((value >> 32) as u32).into())]
}

fn constant(text: &mut String, name: &str, value: Value) {
    // Writing to a string does not fail.
    let _ = match value {
        Value::Float(v) => writeln!(text, "const {name}: f32 = {v:?}f;"),
        Value::Word(v) => writeln!(text, "const {name}: u32 = {v}u;"),
    };
}
