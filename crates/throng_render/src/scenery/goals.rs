//! What stands at the goals of a valley, by their names: toadstools, seams of gold, pagodas, tents. Tall
//! things stand at the rim, on the side from which fewest come; between people nothing is high, and what
//! is above them stands on slim posts.

use glam::Vec2;

use super::chance::Chance;
use super::mushroom::{self, Cap};
use super::pagoda::{pagoda, treasure};
use super::site::{Breed, Site, Spot, Stock, tint};
use super::valley::PropToned;
use super::{camp, fence, gold};

/// With more places than this, each has fewer small things.
const PLENTY: f32 = 240.0;

/// What is done at a goal, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trade {
    Mushrooms,
    Gold,
    DropOff,
    Camp,
}

impl Trade {
    /// By name; `None` for goals that are nothing to look at.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
        if has(&["mushroom", "toadstool", "food", "eat"]) {
            Some(Self::Mushrooms)
        } else if has(&["drop", "pagoda", "treasury", "temple"]) {
            Some(Self::DropOff)
        } else if has(&["gold", "mine", "seam", "ore"]) {
            Some(Self::Gold)
        } else if has(&["camp", "rest", "tent", "sleep"]) {
            Some(Self::Camp)
        } else {
            None
        }
    }
}

struct Breeds {
    fly: Breed,
    other: Breed,
    families: Breed,
    clumps: Breed,
    seams: Breed,
    ore: Breed,
    carts: Breed,
    tools: Breed,
    ridge: Breed,
    round: Breed,
    fires: Breed,
    logs: Breed,
    stores: Breed,
    banners: Vec<Breed>,
    signs: Vec<Breed>,
    pagodas: Breed,
    treasure: Breed,
    lanterns: Breed,
}

impl Breeds {
    fn new(site: &Site<'_>, stock: &mut Stock) -> Self {
        let s = site.seed;
        let colour = |c: [u8; 3]| u32::from_be_bytes([0, c[0], c[1], c[2]]);
        let goals = &site.world.goals;
        let cloth = [[0xC8_B48A, 0x9A_4A32], [0xB8_AA8C, 0x4E_6E4A], [0xC4_A878, 0x4A_5E84]];
        let kin = [Cap::Fly, Cap::Bun, Cap::Bell];
        Self {
            fly: stock.breed((0..3).map(|i| mushroom::tall("toadstool", s + i, Cap::Fly))),
            other: stock.breed([
                mushroom::tall("bun toadstool", s, Cap::Bun),
                mushroom::tall("bell toadstool", s, Cap::Bell),
            ]),
            families: stock.breed(
                (0..3).map(|i| mushroom::family("young toadstools", s + i, kin[i as usize])),
            ),
            clumps: stock.breed(
                (0..4).map(|i| mushroom::clump("small toadstools", s + i, kin[i as usize % 3])),
            ),
            seams: stock.breed((0..3).map(|i| gold::seam("gold seam", s + i))),
            ore: stock.breed((0..3).map(|i| gold::ore("gold ore", s + i))),
            carts: stock.breed([gold::cart("cart", s)]),
            tools: stock.breed([gold::tools("tools", s)]),
            ridge: stock.breed(
                cloth.iter().enumerate().map(|(i, c)| camp::ridge("tent", s + i as u64, *c)),
            ),
            round: stock.breed(
                cloth.iter().enumerate().map(|(i, c)| camp::round("round tent", s + i as u64, *c)),
            ),
            fires: stock.breed([camp::fire("camp fire", s)]),
            logs: stock.breed([camp::log("log", s)]),
            stores: stock.breed([camp::stores("stores", s)]),
            banners: goals
                .iter()
                .map(|g| stock.breed([camp::banner("banner", s, [colour(g.color), 0xE8_DCB8])]))
                .collect(),
            signs: goals
                .iter()
                .map(|g| stock.breed([fence::signpost("signpost", s, colour(g.color))]))
                .collect(),
            pagodas: stock.breed(
                [[0x3E_6A7A, 0xC8_A848], [0x4A_6E52, 0xC8_A848], [0x7A_4438, 0xD0_B060]]
                    .map(|c| pagoda("pagoda", s, c)),
            ),
            treasure: stock.breed([treasure("treasure", s)]),
            lanterns: stock.breed((0..2).map(|i| fence::lantern("lantern", s + i))),
        }
    }
}

/// Puts things at one place.
struct Vignette<'s, 'w> {
    site: &'s mut Site<'w>,
    stock: &'s mut Stock,
    spot: Spot,
    quiet: f32,
    /// Share of small things.
    plenty: f32,
    chance: Chance,
}

impl Vignette<'_, '_> {
    /// At the rim, `turn` from the quiet side, facing the middle if `facing`.
    fn rim(
        &mut self,
        breed: &Breed,
        turn: f32,
        gap: f32,
        foot: f32,
        size: (f32, f32),
        facing: bool,
    ) {
        let scale = self.chance.between(size.0, size.1);
        let foot = foot * scale;
        let Some(p) = self.site.rim(&self.spot, self.quiet + turn, gap, foot) else { return };
        if self.site.wet(p) {
            return;
        }
        let yaw = if facing { (self.spot.centre - p).to_angle() } else { self.chance.angle() };
        let instance = self.site.stand(p, foot * 0.7, scale, yaw);
        let tone = tint(&mut self.chance, 0.08, 0.05);
        self.stock.put(breed, PropToned(instance, tone).done(), &mut self.chance);
        self.site.take(p, foot);
    }

    /// Low things between the feet and around.
    fn strew(&mut self, breed: &Breed, count: usize, size: (f32, f32)) {
        for _ in 0..count {
            if !self.chance.happens(self.plenty) {
                continue;
            }
            let away = (self.spot.radius + 1.2) * self.chance.unit().sqrt();
            let p = self.spot.centre + Vec2::from_angle(self.chance.angle()) * away;
            if self.site.vacant(p, 0.3) && !self.site.wet(p) {
                let scale = self.chance.between(size.0, size.1);
                let yaw = self.chance.angle();
                let instance = self.site.stand(p, 0.2, scale, yaw);
                let tone = tint(&mut self.chance, 0.1, 0.05);
                self.stock.put(breed, PropToned(instance, tone).done(), &mut self.chance);
                self.site.take(p, 0.3);
            }
        }
    }

    fn some(&mut self, share: f32) -> bool {
        let plenty = self.plenty;
        self.chance.happens(share * plenty)
    }
}

/// Furnishes every goal whose name says what it is.
pub(super) fn furnish(site: &mut Site<'_>, stock: &mut Stock) {
    let spots: Vec<(usize, Spot, Trade)> = site
        .spots
        .iter()
        .enumerate()
        .filter_map(|(i, spot)| Some((i, *spot, Trade::of(&site.world.goals[spot.goal].name)?)))
        .collect();
    if spots.is_empty() {
        return;
    }
    let breeds = Breeds::new(site, stock);
    let plenty = (PLENTY / spots.len() as f32).min(1.0);
    for (i, spot, trade) in spots {
        let quiet = site.quiet_side(&spot);
        let chance = Chance::new(site.seed ^ i as u64, 0x516E);
        let mut v = Vignette { site: &mut *site, stock: &mut *stock, spot, quiet, plenty, chance };
        match trade {
            Trade::Mushrooms => mushrooms(&mut v, &breeds),
            Trade::Gold => seam(&mut v, &breeds),
            Trade::DropOff => drop_off(&mut v, &breeds),
            Trade::Camp => tents(&mut v, &breeds),
        }
        if v.some(0.5) {
            v.rim(&breeds.signs[spot.goal], 1.9, 0.3, 0.3, (0.85, 1.0), false);
        }
    }
}

fn mushrooms(v: &mut Vignette<'_, '_>, b: &Breeds) {
    v.rim(&b.fly, 0.0, 0.2, 0.5, (0.95, 1.35), false);
    for (turn, size) in
        [(0.35, (0.6, 0.9)), (-0.4, (0.7, 1.1)), (0.75, (0.5, 0.8)), (-0.85, (0.45, 0.7))]
    {
        if v.some(0.85) {
            let breed = if v.chance.happens(0.65) { &b.fly } else { &b.other };
            v.rim(breed, turn, 0.3, 0.5, size, false);
        }
    }
    for turn in [0.15, -0.2, 0.55, -0.6] {
        if v.some(0.7) {
            v.rim(&b.families, turn, 1.0, 0.55, (0.6, 0.95), false);
        }
    }
    v.strew(&b.clumps, 16, (0.7, 1.1));
}

fn seam(v: &mut Vignette<'_, '_>, b: &Breeds) {
    v.rim(&b.seams, 0.0, 0.2, 1.4, (0.95, 1.3), false);
    if v.some(0.9) {
        v.rim(&b.seams, 0.6, 0.2, 1.4, (0.55, 0.85), false);
    }
    if v.some(0.55) {
        v.rim(&b.carts, -0.7, 0.3, 1.1, (0.9, 1.0), false);
    }
    if v.some(0.6) {
        v.rim(&b.tools, -0.35, 0.3, 0.6, (0.9, 1.05), false);
    }
    v.strew(&b.ore, 11, (0.7, 1.1));
}

fn drop_off(v: &mut Vignette<'_, '_>, b: &Breeds) {
    let (spot, scale) = (v.spot, (v.spot.radius / 5.0).clamp(0.7, 1.3));
    // The roof keeps its height above the highest ground below it.
    let around = (0..8).map(|i| {
        let out = Vec2::from_angle(i as f32 / 8.0 * std::f32::consts::TAU) * 2.6 * scale;
        v.site.height(spot.centre + out)
    });
    let (low, high) =
        around.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), h| (a.min(h), b.max(h)));
    let yaw = v.quiet;
    let mut instance = v.site.stand(spot.centre, 0.0, scale, yaw);
    instance.position.z = (low + (high - low) * 0.5).min(v.site.height(spot.centre) + 0.3);
    v.stock.put(&b.pagodas, instance, &mut v.chance);
    for turn in [0.0, 0.45] {
        if v.some(0.8) {
            v.rim(&b.treasure, turn, 0.2, 0.9, (0.9, 1.1), true);
        }
    }
    v.rim(&b.banners[spot.goal], -0.4, 0.3, 0.25, (0.9, 1.1), false);
    for turn in [-0.9, 0.95] {
        if v.some(0.7) {
            v.rim(&b.lanterns, turn, 0.2, 0.25, (0.9, 1.05), true);
        }
    }
}

fn tents(v: &mut Vignette<'_, '_>, b: &Breeds) {
    let first = if v.chance.happens(0.5) { &b.round } else { &b.ridge };
    v.rim(first, 0.0, 1.0, 1.6, (0.95, 1.1), true);
    for turn in [0.55, -0.6] {
        let breed = if v.chance.happens(0.3) { &b.round } else { &b.ridge };
        if v.some(0.85) {
            v.rim(breed, turn, 0.8, 1.6, (0.85, 1.0), true);
        }
    }
    v.rim(&b.fires, 0.25, 0.0, 0.7, (0.9, 1.1), false);
    for turn in [0.1, 0.45] {
        if v.some(0.8) {
            v.rim(&b.logs, turn, 0.9, 0.5, (0.8, 1.0), false);
        }
    }
    if v.some(0.7) {
        v.rim(&b.stores, -0.95, 0.3, 0.9, (0.8, 1.0), false);
    }
    if v.some(0.6) {
        v.rim(&b.lanterns, 1.1, 0.2, 0.25, (0.9, 1.0), true);
    }
    if v.some(0.4) {
        v.rim(&b.banners[v.spot.goal], -1.2, 0.3, 0.25, (0.8, 1.0), false);
    }
}
