//! The characters that are made by code.

use std::path::Path;

use glam::Vec3;

use crate::bake::cache::{Source, load_or_build};
use crate::build::{BuildOptions, Plan};
use crate::character::Character;
use crate::clip;
use crate::looks;
use crate::rig::{Zones, bones};
use crate::sculpt;

/// The froblin, at full detail and without a cache: takes some seconds.
#[must_use]
pub fn froblin() -> Character {
    froblin_with(&BuildOptions::default(), None).0
}

/// The froblin, from a folder if it has been built with these options before.
#[must_use]
pub fn froblin_with(options: &BuildOptions, folder: Option<&Path>) -> (Character, Source) {
    let pieces = sculpt::froblin::pieces();
    let skeleton = bones::skeleton();
    let plan = Plan {
        pieces: &pieces,
        // Body, pickaxe, sack with gold, mushroom, hat.
        shares: &[0.83, 0.05, 0.055, 0.03, 0.035],
        joints: skeleton.joints.len(),
        care: froblin_care,
        fine: |p| if is_face(p) { 1.55 } else { 1.0 },
    };
    let (levels, maps, source) = load_or_build(folder, "froblin", &plan, options);
    let removable = ["pickaxe", "sack", "mushroom", "hat", "crest", "ear.l", "ear.r"];
    let zones = Zones::new(&skeleton, &removable);
    let looks = looks::froblin(&zones);
    let clips = clip::list::clips();
    let name = "froblin".to_owned();
    (Character { name, levels, skeleton, zones, clips, maps, looks, notices: Vec::new() }, source)
}

fn is_face(p: Vec3) -> bool {
    p.z > 0.64 && p.x > 0.0 && p.y.abs() < 0.24
}

/// Faces and hands are looked at; and thin things vanish first.
fn froblin_care(p: Vec3) -> f32 {
    let hand = p.y.abs() > 0.33 && p.z < 0.42;
    let foot = p.z < 0.06;
    match () {
        () if is_face(p) => 3.0,
        () if hand || foot => 1.8,
        () => 1.0,
    }
}

/// The ghost, without a cache.
#[must_use]
pub fn ghost() -> Character {
    ghost_with(&BuildOptions::default(), None).0
}

/// The ghost, from a folder if it has been built with these options before. It has half the triangles.
#[must_use]
pub fn ghost_with(options: &BuildOptions, folder: Option<&Path>) -> (Character, Source) {
    let pieces = sculpt::ghost::pieces();
    let skeleton = clip::ghost::skeleton();
    let plan = Plan {
        pieces: &pieces,
        shares: &[1.0],
        joints: skeleton.joints.len(),
        care: |p| if p.z > 0.6 { 2.0 } else { 1.0 },
        fine: |_| 1.0,
    };
    let options = BuildOptions { faces: options.faces.map(|faces| faces / 2), ..options.clone() };
    let (levels, maps, source) = load_or_build(folder, "ghost", &plan, &options);
    let zones = Zones::new(&skeleton, &[]);
    let clips = clip::ghost::clips();
    let (name, looks) = ("ghost".to_owned(), looks::plain());
    (Character { name, levels, skeleton, zones, clips, maps, looks, notices: Vec::new() }, source)
}
