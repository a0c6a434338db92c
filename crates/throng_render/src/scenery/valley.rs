//! A valley: what stands at its goals, on its obstacles, on the slopes around it and between the feet.

use glam::{Vec2, Vec3};

use super::chance::{Chance, fractal, smoothstep};
use super::mushroom::{self, Cap};
use super::site::{Breed, Site, Stock, reach, tint};
use super::tree::{self, Leafy};
use super::{bush, fence, haunt, rock};

/// Trees and rocks of the slopes, at most.
const FOREST: f32 = 11_000.0;
/// Small things underfoot, at most.
const MEADOW: f32 = 7_500.0;
/// The forest reaches so far beyond the scene (metres).
const BEYOND: f32 = 110.0;
/// Lines of fence.
const FENCES: usize = 36;

/// Everything of a valley that is no goal.
pub(super) fn furnish(site: &mut Site<'_>, stock: &mut Stock) {
    obstacles(site, stock);
    super::goals::furnish(site, stock);
    haunt(site, stock);
    fences(site, stock);
    forest(site, stock);
    meadow(site, stock);
}

/// Big rocks, and trees with great roots, that fill the obstacles.
fn obstacles(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x0B5);
    let pebbles = stock.breed((0..3).map(|i| rock::boulder("foot stone", site.seed + i, 1, 0.7)));
    for (i, polygon) in site.world.walls.iter().enumerate() {
        let centre = polygon.bounds().centre();
        let radius = (polygon.area() / std::f32::consts::PI).sqrt();
        if radius < 0.1 {
            continue;
        }
        let seed = site.seed ^ (i as u64 + 1) << 8;
        let edge = |out: Vec2| reach(polygon, centre, out);
        let mesh = if radius < 3.0 && chance.happens(0.5) {
            tree::giant("old tree", seed, edge, radius)
        } else {
            rock::filling("great rock", seed, edge, radius * chance.between(0.75, 1.25))
        };
        let own = stock.breed([mesh]);
        let instance = site.stand(centre, radius * 0.8, 1.0, 0.0);
        stock.put(&own, PropToned(instance, tint(&mut chance, 0.08, 0.04)).done(), &mut chance);
        site.take(centre, radius);
        // Stones that came off it, within its outline.
        for _ in 0..3 {
            let out = Vec2::from_angle(chance.angle());
            let p = centre + out * (edge(out) - 0.25);
            let instance = site.stand(p, 0.2, chance.between(0.25, 0.45), chance.angle());
            stock.put(&pebbles, instance, &mut chance);
        }
    }
}

/// An instance with a tint.
pub(super) struct PropToned(pub(super) crate::PropInstance, pub(super) Vec3);

impl PropToned {
    pub(super) fn done(self) -> crate::PropInstance {
        crate::PropInstance { tint: self.1, ..self.0 }
    }
}

/// Points on a grid, each moved at random within its cell.
fn strewn(low: Vec2, high: Vec2, step: f32, chance: &mut Chance) -> Vec<Vec2> {
    let n = ((high - low) / step).ceil().max(Vec2::ZERO).as_uvec2();
    let mut points = Vec::with_capacity((n.x * n.y) as usize);
    for y in 0..n.y {
        for x in 0..n.x {
            let jitter = Vec2::new(chance.unit(), chance.unit());
            points.push(low + (Vec2::new(x as f32, y as f32) + jitter) * step);
        }
    }
    points
}

/// Breeds of the forest.
struct Wood {
    spruces: [Breed; 2],
    pines: [Breed; 2],
    oaks: [Breed; 2],
    birches: Breed,
    maples: Breed,
    dead: Breed,
    bushes: Breed,
    rocks: Breed,
    spires: Breed,
}

impl Wood {
    fn new(stock: &mut Stock, seed: u64) -> Self {
        let sizes = [8.0, 6.6, 7.4];
        let spruce = |fine: bool| {
            (0..3).map(move |i| tree::spruce("spruce", seed + i, sizes[i as usize], fine))
        };
        let pine = |fine: bool| (0..2).map(move |i| tree::pine("pine", seed + i, fine));
        let oak = |fine: bool| (0..3).map(move |i| tree::leafy("oak", Leafy::Oak, seed + i, fine));
        Self {
            spruces: [stock.breed(spruce(true)), stock.breed(spruce(false))],
            pines: [stock.breed(pine(true)), stock.breed(pine(false))],
            oaks: [stock.breed(oak(true)), stock.breed(oak(false))],
            birches: stock
                .breed((0..2).map(|i| tree::leafy("birch", Leafy::Birch, seed + i, true))),
            maples: stock.breed([tree::leafy("maple", Leafy::Maple, seed, true)]),
            dead: stock.breed([tree::dead("dead tree", seed)]),
            bushes: stock.breed([
                bush::bush("bush", seed, None, true),
                bush::bush("bush", seed + 1, None, true),
                bush::bush("berry bush", seed + 2, Some(0xB0_2838), true),
            ]),
            rocks: stock.breed(
                (0..4)
                    .map(|i| rock::boulder("rock", seed + i, 2, 0.6 + 0.1 * i as f32))
                    .chain([rock::pile("rock pile", seed)]),
            ),
            spires: stock.breed((0..2).map(|i| rock::spire("spire", seed + i))),
        }
    }

    /// What grows or lies at a point, and how large.
    fn pick(
        &self,
        site: &Site<'_>,
        p: Vec2,
        depth: f32,
        near: bool,
        floor: f32,
        chance: &mut Chance,
    ) -> Option<(&Breed, f32)> {
        let seed = site.seed as u32;
        let far = usize::from(!near);
        let slope = site.slope(p, 1.5);
        let draw = chance.unit();
        if slope > 1.25 || (slope > 0.7 && draw < 0.10) {
            // Cliffs: what clings to them.
            return match draw {
                d if d < 0.03 => Some((&self.spires, chance.between(0.8, 2.0))),
                d if d < 0.16 => Some((&self.rocks, chance.between(0.8, 2.2))),
                d if d < 0.21 => Some((&self.pines[far], chance.between(0.5, 0.8))),
                _ => None,
            };
        }
        let dense = fractal(p.extend(0.0) / 38.0, 3, seed);
        if draw > 0.30 + 0.75 * smoothstep(-0.25, 0.3, dense) {
            // Clearings.
            return match chance.unit() {
                d if near && d < 0.12 => Some((&self.rocks, chance.between(0.7, 1.4))),
                d if near && d < 0.40 => Some((&self.bushes, chance.between(0.8, 1.7))),
                _ => None,
            };
        }
        if depth < 2.0 {
            return Some((&self.bushes, chance.between(1.0, 2.2)));
        }
        let side = site.world.bounds().size().max_element();
        let high = smoothstep(0.03, 0.09, (site.height(p) - floor) / side);
        let kind = fractal(p.extend(50.0) / 60.0, 2, seed ^ 9);
        let breed = match kind + 0.38 * high - 0.14 + 0.22 * chance.either() {
            k if k > 0.12 => &self.spruces[far],
            k if k > 0.02 => &self.pines[far],
            _ if near && chance.happens(0.22) => &self.birches,
            _ if near && chance.happens(0.14) => &self.maples,
            _ if near && chance.happens(0.03) => &self.dead,
            _ => &self.oaks[far],
        };
        Some((breed, chance.between(0.75, 1.35)))
    }
}

/// Trees and rocks where nobody walks, and on the land around.
fn forest(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0xF04);
    let wood = Wood::new(stock, site.seed);
    let bounds = site.world.bounds();
    let floor = site.height(bounds.centre());
    let (low, high) = (bounds.min - BEYOND, bounds.max + BEYOND);
    let open = bounds.size().element_product() * 0.75;
    let area = (high - low).element_product() - open;
    // Not every point bears a tree: see the shares below.
    let step = (area * 0.7 / FOREST).sqrt().max(3.3);
    for p in strewn(low, high, step, &mut chance) {
        let depth = site.depth(p);
        if depth < 0.4 || site.wet(p) {
            continue;
        }
        let near = depth < 7.9 && bounds.contains(p);
        let Some((breed, size)) = wood.pick(site, p, depth, near, floor, &mut chance) else {
            continue;
        };
        // Nothing reaches over the edge to where people walk.
        let scale = if near { size.min((depth - 0.1) / breed.girth) } else { size };
        if scale > 0.4 * size && site.vacant(p, 0.9) {
            let instance = site.stand(p, 0.4 * scale, scale, chance.angle());
            stock.put(
                breed,
                PropToned(instance, tint(&mut chance, 0.18, 0.10)).done(),
                &mut chance,
            );
        }
    }
}

/// What grows and lies where people walk: nothing higher than a shin.
fn meadow(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x3EA);
    let seed = site.seed;
    let flowers = [0xF0_ECF4, 0xE8_C040, 0xB0_6AC0, 0xD8_6A6A];
    let grass = stock.breed((0..3).map(|i| bush::tuft("grass", seed + i, None)));
    let blooms =
        flowers.map(|c| stock.breed([bush::tuft("flowers", seed ^ u64::from(c), Some(c))]));
    let stones = stock.breed((0..3).map(|i| rock::pebbles("pebbles", seed + i)));
    let bushes = stock.breed([
        bush::bush("low bush", seed + 5, None, false),
        bush::bush("low bush", seed + 6, Some(0x8A_3A70), false),
    ]);
    let caps = stock.breed([mushroom::clump("small mushrooms", seed, Cap::Bun)]);
    let bounds = site.world.bounds();
    let step = (bounds.size().element_product() * 0.75 / MEADOW).sqrt().max(4.0);
    for p in strewn(bounds.min, bounds.max, step, &mut chance) {
        let depth = site.depth(p);
        if depth > 0.5 || site.wet(p) || !site.off_goals(p, 1.2) || !site.vacant(p, 0.4) {
            continue;
        }
        let lush = fractal(p.extend(9.0) / 22.0, 3, seed as u32);
        let bloom = fractal(p.extend(70.0) / 30.0, 2, seed as u32);
        let at_foot = depth > -2.5;
        let (breed, scale) = match chance.unit() {
            d if d < 0.16 => (&stones, chance.between(0.6, 1.3)),
            d if d < 0.22 + if at_foot { 0.3 } else { 0.0 } => (&bushes, chance.between(0.45, 0.7)),
            d if d < 0.26 => (&caps, chance.between(0.6, 1.0)),
            d if d < 0.62 + 0.6 * lush && bloom > 0.05 => (
                &blooms[((bloom * 37.0 + lush * 11.0).abs() as usize) % 4],
                chance.between(0.8, 1.15),
            ),
            d if d < 0.75 + 0.5 * lush => (&grass, chance.between(0.8, 1.2)),
            _ => continue,
        };
        let instance = site.stand(p, 0.12, scale, chance.angle());
        stock.put(breed, PropToned(instance, tint(&mut chance, 0.12, 0.08)).done(), &mut chance);
    }
}

/// Fences at the foot of the slopes, on the side where nobody walks.
fn fences(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0xFE4);
    let pieces = stock.breed((0..3).map(|i| fence::fence("fence", site.seed + i)));
    let bounds = site.world.bounds();
    let mut starts: Vec<Vec2> = Vec::new();
    for p in strewn(bounds.min, bounds.max, 7.0, &mut chance) {
        let depth = site.depth(p);
        let apart = starts.iter().all(|s| s.distance(p) > 26.0);
        if starts.len() >= FENCES
            || !(0.2..1.6).contains(&depth)
            || !apart
            || site.slope(p, 1.0) > 1.6
        {
            continue;
        }
        starts.push(p);
        let mut at = p;
        for _ in 0..4 + chance.below(6) {
            // Along the edge, half a metre behind it.
            let d = |q: Vec2| site.depth(at + q) - site.depth(at - q);
            let inwards = Vec2::new(d(Vec2::X), d(Vec2::Y)).normalize_or_zero();
            let mut next = at + inwards.perp() * fence::PIECE;
            next += inwards * (0.7 - site.depth(next)).clamp(-1.0, 1.0);
            let along = (next - at).normalize_or_zero();
            next = at + along * fence::PIECE;
            let steep = (site.height(next) - site.height(at)).abs() > 0.45;
            let free = site.depth(next) > 0.15 && site.depth(at) > 0.15 && site.vacant(next, 0.3);
            if inwards == Vec2::ZERO || steep || !free || site.wet(next) {
                break;
            }
            let instance = site.stand(at, 0.1, 1.0, along.to_angle());
            stock.put(
                &pieces,
                PropToned(instance, tint(&mut chance, 0.1, 0.04)).done(),
                &mut chance,
            );
            site.take(at, 0.6);
            at = next;
        }
    }
}

/// Old stones near the way of a ghost.
fn haunt(site: &mut Site<'_>, stock: &mut Stock) {
    let mut chance = Chance::new(site.seed, 0x4A7);
    let seed = site.seed;
    let ghosts = site.world.hazards.iter().filter(|h| h.name.contains("ghost"));
    let ways: Vec<Vec<Vec2>> = ghosts.map(|h| h.path.clone()).collect();
    if ways.is_empty() {
        return;
    }
    let arches = stock.breed([haunt::arch("ruined arch", seed)]);
    let stones = stock.breed((0..3).map(|i| haunt::menhir("standing stone", seed + i)));
    let graves = stock.breed((0..3).map(|i| haunt::grave("grave", seed + i)));
    let dead = stock.breed((0..2).map(|i| tree::dead("dead tree", seed + 20 + i)));
    for way in ways {
        // The nearest knoll that has room.
        let rings = (2..24).map(|i| i as f32 * 3.0);
        let Some(centre) =
            rings.flat_map(|r| way.iter().map(move |c| (*c, r))).find_map(|(c, r)| {
                (0..24)
                    .map(|i| c + Vec2::from_angle(i as f32 / 24.0 * std::f32::consts::TAU) * r)
                    .find(|p| site.depth(*p) > 4.0 && site.slope(*p, 3.0) < 0.7)
            })
        else {
            continue;
        };
        let mut add = |site: &mut Site<'_>,
                       breed: &Breed,
                       p: Vec2,
                       foot: f32,
                       yaw: f32,
                       scale: f32,
                       chance: &mut Chance| {
            if site.depth(p) > foot + 0.3 && site.vacant(p, foot) {
                let instance = site.stand(p, foot * 0.7, scale, yaw);
                stock.put(breed, instance, chance);
                site.take(p, foot);
            }
        };
        add(site, &arches, centre, 1.6, chance.angle(), 1.0, &mut chance);
        for i in 0..7 {
            let out =
                Vec2::from_angle(i as f32 / 7.0 * std::f32::consts::TAU + 0.2 * chance.either());
            add(
                site,
                &stones,
                centre + out * chance.between(4.0, 4.8),
                0.5,
                chance.angle(),
                chance.between(0.7, 1.0),
                &mut chance,
            );
            add(
                site,
                &graves,
                centre + out.rotate(Vec2::from_angle(0.45)) * chance.between(2.4, 3.4),
                0.6,
                out.to_angle() - std::f32::consts::FRAC_PI_2,
                1.0,
                &mut chance,
            );
            if i % 2 == 0 {
                add(
                    site,
                    &dead,
                    centre + out.rotate(Vec2::from_angle(-0.4)) * chance.between(5.5, 7.0),
                    0.7,
                    chance.angle(),
                    chance.between(0.9, 1.4),
                    &mut chance,
                );
            }
        }
    }
}
