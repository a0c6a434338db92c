//! Scenery.
mod camp;
mod chance;
mod fence;
mod gold;
mod haunt;
mod leaf;
mod mushroom;
mod occlusion;
mod pagoda;
mod rock;
mod shape;
mod tree;

use crate::Mesh;
use mushroom::Cap;
use tree::Leafy;

/// Every kind of mesh.
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
        tree::bush("bush", 1, None),
        tree::bush("berry bush", 2, Some(0xB02838)),
        tree::tuft("grass", 1, None),
        tree::tuft("flowers", 2, Some(0xE8E4F0)),
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
        haunt::menhir("menhir", 3),
    ]
}
