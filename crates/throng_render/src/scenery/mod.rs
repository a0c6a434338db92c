//! Scenery: what makes a place of a scene, all of it made by rule from a seed.
//!
//! [`scenery`] reads a world and gives meshes with their places: a valley is furnished by what its goals
//! are called (`goals`), where its obstacles are, and where nobody walks (`valley`); a place with a floor
//! by its walls (`town`). Each kind of thing is a file; `shape` has the tools to model with, `occlusion`
//! darkens hollows, `site` knows where things may stand.

mod bush;
mod camp;
mod chance;
mod fence;
mod goals;
mod gold;
mod haunt;
mod leaf;
mod mushroom;
mod occlusion;
mod pagoda;
mod rock;
mod shape;
mod site;
mod street;
#[cfg(test)]
mod tests;
mod town;
mod tree;
mod valley;

use throng_world::World;

use crate::{Mesh, PropInstance};
use mushroom::Cap;
pub(crate) use site::Land;
use site::{Site, Stock};
pub(crate) use town::is_trunk;
use tree::Leafy;

/// Props for a world: meshes with their places. The same world and seed give the same props.
#[must_use]
pub fn scenery(world: &World, seed: u64) -> Vec<(Mesh, Vec<PropInstance>)> {
    let height = |p| world.ground_height(p);
    scenery_on(world, Land { height: &height, wet: &|_| false }, seed)
}

/// Props for a world on the land as it is drawn.
pub(crate) fn scenery_on(
    world: &World,
    land: Land<'_>,
    seed: u64,
) -> Vec<(Mesh, Vec<PropInstance>)> {
    let mut site = Site::new(world, land, seed);
    let mut stock = Stock::default();
    if world.heights.is_some() {
        valley::furnish(&mut site, &mut stock);
    } else {
        town::furnish(&mut site, &mut stock);
    }
    stock.kinds.retain(|(mesh, places)| !places.is_empty() && !mesh.indices.is_empty());
    stock.kinds
}

/// One mesh of every kind, to look at.
#[must_use]
pub fn catalogue() -> Vec<Mesh> {
    let round = |_| 1.9;
    vec![
        rock::boulder("boulder", 1, 3, 0.8),
        rock::boulder("boulder", 2, 2, 0.6),
        rock::pile("rock pile", 3),
        rock::spire("spire", 4),
        rock::pebbles("pebbles", 5),
        rock::filling("great rock", 6, round, 2.4),
        tree::leafy("oak", Leafy::Oak, 1, true),
        tree::leafy("oak", Leafy::Oak, 2, true),
        tree::leafy("birch", Leafy::Birch, 3, true),
        tree::leafy("maple", Leafy::Maple, 4, true),
        tree::leafy("oak far", Leafy::Oak, 1, false),
        tree::spruce("spruce", 1, 7.5, true),
        tree::spruce("spruce", 2, 6.0, true),
        tree::spruce("spruce far", 1, 7.5, false),
        tree::pine("pine", 1, true),
        tree::pine("pine far", 1, false),
        tree::dead("dead tree", 1),
        tree::giant("giant", 1, round, 1.9),
        bush::bush("bush", 1, None, true),
        bush::bush("berry bush", 2, Some(0xB02838), true),
        bush::tuft("grass", 1, None),
        bush::tuft("flowers", 2, Some(0xE8E4F0)),
        mushroom::tall("fly agaric", 1, Cap::Fly),
        mushroom::tall("bun", 2, Cap::Bun),
        mushroom::tall("bell", 3, Cap::Bell),
        mushroom::family("family", 4, Cap::Fly),
        mushroom::clump("clump", 5, Cap::Bun),
        gold::seam("gold seam", 1),
        gold::ore("ore", 2),
        gold::cart("cart", 3),
        gold::tools("tools", 4),
        camp::ridge("tent", 1, [0xC8B48A, 0x9A4A32]),
        camp::round("round tent", 2, [0xB89A70, 0x4A6A78]),
        camp::fire("fire", 3),
        camp::log("log", 4),
        camp::stores("stores", 5),
        camp::banner("banner", 6, [0x5A4A8A, 0xE0C060]),
        pagoda::pagoda("pagoda", 1, [0x3E6A7A, 0xC8A848]),
        pagoda::treasure("treasure", 2),
        fence::fence("fence", 1),
        fence::signpost("signpost", 2, 0xC04848),
        fence::lantern("lantern", 3),
        haunt::grave("grave", 1),
        haunt::arch("arch", 2),
        haunt::menhir("standing stone", 3),
        street::wall_lamp("wall lamp", 1),
        street::bench("bench", 2),
        street::planted("planted tree", Leafy::Oak, 3),
        street::flower_box("flower box", 4, 0xD0_4848),
        street::awning("awning", 5, [0xB8_4A3A, 0xE8_DCC0]),
        street::fountain("fountain", 6),
        street::flag("flag", 7, [0x30_70C0, 0xF0_F0F0]),
    ]
}
