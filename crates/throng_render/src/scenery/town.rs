//! Towns, stadiums, rooms: what makes streets of the gaps between walls. Everything is on a wall, within
//! one, or beyond the ground where people walk.

use std::f32::consts::PI;

use glam::Vec2;
use throng_field::Edge;
use throng_world::world::Polygon;

use super::chance::Chance;
use super::site::{Breed, Site, Stock, tint};
use super::tree::{self, Leafy};
use super::valley::PropToned;
use super::{rock, street};

/// Things on walls, at most.
const MOUNTED: usize = 5_000;
/// Trees around the place.
const AROUND: usize = 420;

/// How round an outline is: 1 for a disc.
fn roundness(polygon: &Polygon) -> f32 {
    let length: f32 = polygon.edges().map(|(a, b)| a.distance(b)).sum();
    4.0 * PI * polygon.area() / (length * length).max(1e-3)
}

/// Whether an outline is a tree's: small and round.
pub(crate) fn is_trunk(polygon: &Polygon) -> bool {
    roundness(polygon) > 0.85 && polygon.area() < 4.0
}

/// Furnishes a place with a floor.
pub(super) fn furnish(site: &mut Site<'_>, stock: &mut Stock) {
    round_things(site, stock);
    facades(site, stock);
    stalls(site, stock);
    stands(site, stock);
    around(site, stock);
}

/// Trees in planters where the scene has small round walls, fountains in basins.
fn round_things(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x20);
    let walls = &site.world.walls;
    if walls.iter().any(is_trunk) {
        let looks = [Leafy::Oak, Leafy::Maple, Leafy::Oak];
        let planted = stock.breed(
            looks
                .iter()
                .enumerate()
                .map(|(i, l)| street::planted("planted tree", *l, site.seed + i as u64)),
        );
        for polygon in walls.iter().filter(|p| is_trunk(p)) {
            let centre = polygon.bounds().centre();
            let radius = (polygon.area() / PI).sqrt();
            let instance = site.stand(centre, 0.0, radius, chance.angle());
            stock.put(
                &planted,
                PropToned(instance, tint(&mut chance, 0.1, 0.1)).done(),
                &mut chance,
            );
        }
    }
    let basin = |p: &&Polygon| roundness(p) > 0.93 && (4.0..500.0).contains(&p.area());
    if walls.iter().any(|p| basin(&p)) {
        let fountain = stock.breed([street::fountain("fountain", site.seed)]);
        for polygon in walls.iter().filter(basin) {
            let radius = (polygon.area() / PI).sqrt();
            let scale = (radius / 4.0).clamp(0.4, 1.6);
            stock.put(
                &fountain,
                site.stand(polygon.bounds().centre(), 0.0, scale, 0.0),
                &mut chance,
            );
        }
    }
}

/// A stretch of a wall: ends, and the side that is open.
struct Front {
    a: Vec2,
    b: Vec2,
    out: Vec2,
}

fn fronts(polygon: &Polygon) -> impl Iterator<Item = Front> + '_ {
    polygon.edges().filter_map(|(a, b)| {
        let along = (b - a).try_normalize()?;
        let out = Vec2::new(along.y, -along.x);
        let out = if polygon.contains((a + b) * 0.5 + out * 1e-2) { -out } else { out };
        Some(Front { a, b, out })
    })
}

/// Lamps, flower boxes, benches and awnings on the fronts of houses; flags on long thin walls.
fn facades(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x21);
    let seed = site.seed;
    let house = |p: &&Polygon| {
        let length: f32 = p.edges().map(|(a, b)| a.distance(b)).sum();
        roundness(p) < 0.93 && p.area() >= 30.0 && 2.0 * p.area() / length > 1.3
    };
    let houses: Vec<&Polygon> = site.world.walls.iter().filter(house).collect();
    let walls: Vec<&Polygon> =
        site.world.walls.iter().filter(|p| !house(p) && roundness(p) < 0.6).collect();
    if !houses.is_empty() {
        let lamps = stock.breed([street::wall_lamp("wall lamp", seed)]);
        let benches = stock.breed([street::bench("bench", seed)]);
        let boxes = stock.breed(
            [0xD0_4848, 0xE0_B0C8, 0xE8_C040].map(|c| street::flower_box("flower box", seed, c)),
        );
        let stripes = [
            [0xB8_4A3A, 0xE8_DCC0],
            [0x3E_6A5A, 0xE8_DCC0],
            [0x48_6A9A, 0xEC_E4D0],
            [0xC8_9A3A, 0xF0_E8D4],
        ];
        let awnings = stock.breed(stripes.map(|c| street::awning("awning", seed, c)));
        let length: f32 = houses.iter().flat_map(|p| fronts(p)).map(|f| f.a.distance(f.b)).sum();
        let step = (length / MOUNTED as f32).max(3.0);
        for front in houses.iter().flat_map(|p| fronts(p)) {
            let n = (front.a.distance(front.b) / step).floor() as usize;
            for i in 0..n {
                let p = front.a.lerp(front.b, (i as f32 + 0.5) / n as f32);
                if site.depth(p + front.out * 1.0) > -0.2
                    || !site.world.bounds().contains(p + front.out)
                {
                    continue;
                }
                let draw = chance.unit();
                let breed = match i % 5 {
                    2 => &lamps,
                    0 if draw < 0.35 => &benches,
                    _ if draw < 0.4 => &awnings,
                    _ if draw < 0.75 => &boxes,
                    _ => continue,
                };
                if !site.off_goals(p, 1.0) && std::ptr::eq(breed, &benches) {
                    continue;
                }
                let instance = site.stand(p, 0.0, 1.0, front.out.to_angle());
                stock.put(
                    breed,
                    PropToned(instance, tint(&mut chance, 0.06, 0.03)).done(),
                    &mut chance,
                );
            }
        }
    }
    let long = |p: &&&Polygon| p.bounds().size().max_element() > 15.0;
    if walls.iter().any(|p| long(&p)) {
        let flags = [[0x30_70C0, 0xF0_F0F0], [0xC8_4030, 0xF0_E8D0], [0x3A_8A50, 0xF4_E8B0]];
        let flags = stock.breed(flags.map(|c| street::flag("flag", seed, c)));
        for polygon in walls.iter().filter(long) {
            // The middle of the wall's longest edge, moved into the wall.
            let longest =
                fronts(polygon).max_by(|f, g| f.a.distance(f.b).total_cmp(&g.a.distance(g.b)));
            if let Some(front) = longest {
                let p = (front.a + front.b) * 0.5 - front.out * 0.2;
                if polygon.contains(p) {
                    stock.put(
                        &flags,
                        site.stand(p, 0.0, 1.0, 0.6 + 0.1 * chance.either()),
                        &mut chance,
                    );
                }
            }
        }
    }
}

/// Awnings over the counters of kiosks.
fn stalls(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x22);
    let mut awning: Option<Breed> = None;
    for spot in site.spots.clone() {
        let name = site.world.goals[spot.goal].name.to_lowercase();
        if !["kiosk", "stall", "market", "counter"].iter().any(|w| name.contains(w)) {
            continue;
        }
        let near = |p: &&Polygon| p.area() < 60.0 && p.signed_distance(spot.centre).abs() < 2.5;
        let Some(wall) = site.world.walls.iter().find(near) else { continue };
        let middle = |f: &Front| ((f.a + f.b) * 0.5).distance(spot.centre);
        let Some(front) = fronts(wall).min_by(|f, g| middle(f).total_cmp(&middle(g))) else {
            continue;
        };
        let breed = awning.get_or_insert_with(|| {
            stock.breed([street::awning("stall awning", site.seed, [0xC8_4030, 0xF0_E8D0])])
        });
        let scale = front.a.distance(front.b) / 3.0;
        let mut instance =
            site.stand((front.a + front.b) * 0.5, 0.0, scale.clamp(0.6, 1.3), front.out.to_angle());
        instance.position.z -= 2.5 * (instance.scale - 1.0);
        stock.put(breed, instance, &mut chance);
    }
}

/// Rows of seats on slow ground around a pitch.
fn stands(site: &mut Site<'_>, stock: &mut Stock) {
    const SECTORS: usize = 24;
    const ROW: f32 = 1.1;
    let Some(speed) = &site.world.speed else { return };
    let Some(pitch) = site.world.walls.iter().find(|p| roundness(p) > 0.93 && p.area() > 500.0)
    else {
        return;
    };
    let centre = pitch.bounds().centre();
    let first = (pitch.area() / PI).sqrt() + 3.5;
    let seat =
        |p: Vec2| speed.sample(centre + p, Edge::Clamp) < 0.5 && site.depth(centre + p) < -0.5;
    let mut chance = Chance::new(site.seed, 0x23);
    for sector in 0..SECTORS {
        let turn = std::f32::consts::TAU / SECTORS as f32;
        let mut rows = Vec::new();
        let mut r = first;
        while r < first + 60.0 {
            let parts = ((turn * r / 3.0).round() as usize).clamp(2, 12);
            for k in 0..parts {
                let at = |k: f32| Vec2::from_angle((sector as f32 + k / parts as f32) * turn) * r;
                let (a, b) = (at(k as f32 + 0.04), at(k as f32 + 0.96));
                if seat(a) && seat(b) && seat((a + b) * 0.5) {
                    rows.push([a, b]);
                }
            }
            r += ROW;
        }
        if !rows.is_empty() {
            let own = stock.breed([street::seats("seats", &rows, [0x3A_6EA8, 0xB8_4A40])]);
            stock.put(&own, site.stand(centre, 0.0, 1.0, 0.0), &mut chance);
        }
    }
}

/// Trees and bushes beyond the edge, where nobody comes, at a distance that leaves room to look in.
fn around(site: &mut Site<'_>, stock: &mut Stock) {
    if site.world.open_edge {
        return;
    }
    let mut chance = Chance::new(site.seed, 0x24);
    let seed = site.seed;
    let oaks = stock.breed((0..3).map(|i| tree::leafy("oak", Leafy::Oak, seed + i, true)));
    let pines = stock.breed((0..2).map(|i| tree::spruce("spruce", seed + i, 7.0, true)));
    let rocks = stock.breed([rock::boulder("rock", seed, 2, 0.6)]);
    let bounds = site.world.bounds();
    let side = bounds.size().max_element();
    let (low, high) = (0.25 * side + 8.0, 0.25 * side + 80.0);
    for _ in 0..AROUND {
        let grown = bounds.grown(high);
        let p = grown.min + Vec2::new(chance.unit(), chance.unit()) * grown.size();
        if bounds.grown(low).contains(p) || site.wet(p) {
            continue;
        }
        let grove = super::chance::fractal(p.extend(0.0) / 30.0, 2, seed as u32);
        let breed = match chance.unit() {
            d if d < 0.06 => &rocks,
            d if d < 0.5 + grove && grove > -0.15 => &oaks,
            d if d < 0.8 + grove => &pines,
            _ => continue,
        };
        let instance = site.stand(p, 0.3, chance.between(0.8, 1.5), chance.angle());
        stock.put(breed, PropToned(instance, tint(&mut chance, 0.18, 0.1)).done(), &mut chance);
    }
}
