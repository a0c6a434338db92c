//! The looks of froblins: who they are by skin, cloth, size, and what they have on.

use glam::Vec3;

use crate::character::Look;
use crate::rig::Zones;
use crate::sculpt::paint::srgb;

/// Name, skin, cloth, size, and what is left off.
type Row = (&'static str, [u32; 3], [u32; 3], f32, &'static [&'static str]);

const PROPS: [&str; 3] = ["pickaxe", "sack", "mushroom"];

#[rustfmt::skip]
const ROWS: [Row; 10] = [
    ("pond",     [0xff, 0xff, 0xff], [0xc0, 0x55, 0x30], 1.00, &["hat"]),
    ("miner",    [0xf0, 0xf4, 0xd8], [0x3e, 0x5c, 0x8c], 1.04, &["crest"]),
    ("moss",     [0xc8, 0xe8, 0xa8], [0x7a, 0x5a, 0x34], 0.95, &["hat", "crest"]),
    ("toad",     [0xff, 0xd0, 0x98], [0x58, 0x6c, 0x3a], 1.08, &["hat"]),
    ("reed",     [0xe0, 0xff, 0xc0], [0xc8, 0xa0, 0x3c], 0.92, &["crest"]),
    ("elder",    [0xd8, 0xdc, 0xd0], [0x6a, 0x3c, 0x6c], 0.90, &["crest", "ear.l"]),
    ("tadpole",  [0xf0, 0xff, 0xb0], [0x4c, 0x8c, 0x86], 0.78, &["hat"]),
    ("brute",    [0xb8, 0xd0, 0xb0], [0x6c, 0x2c, 0x28], 1.14, &["hat", "ear.r"]),
    ("lagoon",   [0xb0, 0xe8, 0xff], [0xb8, 0xb0, 0xa0], 1.00, &["crest"]),
    ("ember",    [0xff, 0xb8, 0x80], [0x34, 0x34, 0x3c], 0.98, &["hat"]),
];

/// All looks of the froblin. Props that clips bring are missing unless the clip has them.
pub(crate) fn froblin(zones: &Zones) -> Vec<Look> {
    let bits = |names: &[&str]| names.iter().fold(0, |bits, name| bits | zones.bit(name));
    let tint = |[r, g, b]: [u32; 3]| srgb(r, g, b);
    ROWS.iter()
        .map(|(name, skin, cloth, size, off)| Look {
            name: (*name).to_owned(),
            skin: tint(*skin),
            cloth: tint(*cloth),
            size: *size,
            missing: bits(off) | bits(&PROPS),
        })
        .collect()
}

/// One look that changes nothing.
pub(crate) fn plain() -> Vec<Look> {
    vec![Look {
        name: "plain".to_owned(),
        skin: Vec3::ONE,
        cloth: Vec3::ONE,
        size: 1.0,
        missing: 0,
    }]
}
