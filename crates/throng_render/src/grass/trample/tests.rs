//! If one of these fails, trails have gaps, lie where nobody went, or stand up at another pace on another machine.

use glam::Vec2;
use throng_crowd::Instance;
use throng_gpu::testing::gpu;
use throng_gpu::{Buffer, Pool};

use super::cpu::{Map, Rules};
use super::{LEAP, TrampleKernels, TrampleMap};
use crate::grass::hero::{Hero, MOST};
use crate::grass::sow::Draw;
use crate::grass::uniform::GrassUniform;

const RULES: Rules = Rules { foot: 0.3, edge: 0.1, recovery: 4.0, wear: 0.1, regrowth: 240.0 };
const EXTENT: Vec2 = Vec2::new(24.0, 18.0);

/// A map on the GPU with people on it.
struct Field {
    map: TrampleMap,
    uniform: Buffer,
    people: Buffer,
    count: Buffer,
    heroes: Buffer,
    crowded: super::Crowded,
    before: u32,
}

impl Field {
    fn new(pool: &Pool, most: u32) -> Self {
        let kernels = TrampleKernels::new(gpu(), &crate::library().unwrap()).unwrap();
        let map = TrampleMap::new(pool, Vec2::ZERO, EXTENT).unwrap();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = pool.buffer("grass", size_of::<GrassUniform>() as u64, usage).unwrap();
        let people = pool.array::<Instance>("people", most as usize).unwrap();
        let count = pool.array_of("count", &[0_u32]).unwrap();
        let heroes = pool.buffer("heroes", size_of::<[Hero; MOST]>() as u64, usage).unwrap();
        let agents = (&*people, &*count, most);
        let crowded = kernels.bind(pool, &uniform, (&map, &heroes), agents).unwrap();
        Self { map, uniform, people, count, heroes, crowded, before: 0 }
    }

    fn step(&mut self, people: &[Instance], now: u32) {
        self.step_with(people, &[], now);
    }

    fn step_with(&mut self, people: &[Instance], heroes: &[Hero], now: u32) {
        gpu().write(&self.heroes, 0, heroes);
        let told = GrassUniform {
            now,
            before: self.before,
            recovery: RULES.recovery,
            regrowth: RULES.regrowth,
            foot: RULES.foot,
            edge: RULES.edge,
            wear: RULES.wear,
            leap: LEAP,
            map_cell: self.map.cell,
            map_columns: self.map.size.x,
            map_rows: self.map.size.y,
            block_columns: self.map.blocks.x,
            blocks: self.map.blocks.x * self.map.blocks.y,
            mask: self.crowded.mask,
            at_most: people.len() as u32,
            heroes: heroes.len() as u32,
            dt: (now - self.before) as f32 * 0.001,
            ..bytemuck::Zeroable::zeroed()
        };
        gpu().write(&self.uniform, 0, &[told]);
        gpu().write(&self.people, 0, people);
        gpu().write(&self.count, 0, &[people.len() as u32]);
        let mut encoder = gpu().encoder("trample");
        self.crowded.record(&mut gpu().pass(&mut encoder, "trample"));
        gpu().submit(encoder);
        self.before = now;
    }
}

fn person(number: u32, p: Vec2, heading: Vec2) -> Instance {
    Instance {
        position: [p.x, p.y, 0.0],
        group: number << 8,
        direction: heading.to_array(),
        ..Instance::default()
    }
}

/// Walkers with a speed each, at a time.
fn walkers(n: u32, seconds: f32) -> Vec<Instance> {
    (0..n)
        .map(|i| {
            let mut draw = Draw::new([i, 5, 5]);
            let from = Vec2::new(draw.unit(), draw.unit()) * EXTENT;
            let heading = Vec2::from_angle(draw.unit() * std::f32::consts::TAU);
            let speed = draw.between(0.8, 2.0);
            person(i, from + heading * speed * seconds, heading)
        })
        .collect()
}

fn at(person: &Instance) -> Vec2 {
    Vec2::new(person.position[0], person.position[1])
}

/// The map against brute force, step by step, while people walk and after they have gone.
#[test]
fn the_map_is_that_of_brute_force() {
    let pool = Pool::new(gpu());
    let mut field = Field::new(&pool, 40);
    let mut twin = Map::new(Vec2::ZERO, field.map.cell, field.map.size);
    let mut last: Vec<Instance> = Vec::new();
    let mut worst: f32 = 0.0;
    for i in 0..40_u32 {
        let now = i * 50;
        let people = if i < 25 { walkers(40, now as f32 * 0.001) } else { Vec::new() };
        let prints: Vec<_> = people
            .iter()
            .enumerate()
            .map(|(k, b)| (at(last.get(k).unwrap_or(b)), at(b), Vec2::from(b.direction)))
            .collect();
        field.step(&people, now);
        twin.step(&RULES, &prints, [now.saturating_sub(50), now]);
        last = people;
        if i % 13 != 12 {
            continue;
        }
        let found = field.map.read(gpu()).unwrap();
        let wanted = twin.read(&RULES, now);
        let mut off = 0;
        for (own, (strength, way, wear)) in found.iter().zip(&wanted) {
            worst = worst.max((own[2] - strength).abs());
            let strong = (own[2] - strength).abs() < 2e-3;
            // Two prints of one strength may be told apart by either.
            let along = (Vec2::new(own[0], own[1]) - *way * *strength).length() < 0.06;
            off += u32::from(!strong || !along || (own[3] - wear).abs() > 0.01);
        }
        let share = off as f32 / found.len() as f32;
        assert!(share < 0.01, "step {i}: {off} of {} texels differ", found.len());
    }
    assert!(worst < 0.02, "{worst}");
    assert_eq!(gpu().take_errors(), []);
}

/// However fast somebody goes there is no gap; who was put elsewhere leaves none between.
#[test]
fn fast_people_leave_no_gaps_and_leaps_no_trail() {
    let pool = Pool::new(gpu());
    let mut field = Field::new(&pool, 2);
    // More than a tile in a step, and farther than anybody walks.
    for (i, x) in [2.0, 8.5, 15.0].into_iter().enumerate() {
        let other = if i == 0 { Vec2::new(2.0, 15.0) } else { Vec2::new(22.0, 15.0) };
        let people = [person(0, Vec2::new(x, 5.0), Vec2::X), person(1, other, Vec2::X)];
        field.step(&people, 50 * i as u32);
    }
    let map = field.map.read(gpu()).unwrap();
    let strength = |p: Vec2| {
        let at = (p / field.map.cell).as_uvec2();
        map[(at.y * field.map.size.x + at.x) as usize][2]
    };
    assert!((20..150).all(|i| strength(Vec2::new(i as f32 * 0.1, 5.0)) > 0.99), "a gap");
    assert!(
        (60..180).all(|i| strength(Vec2::new(i as f32 * 0.1, 15.0)) == 0.0),
        "a trail of a leap"
    );
    assert!(strength(Vec2::new(22.0, 15.0)) > 0.99 && strength(Vec2::new(8.0, 6.0)) == 0.0);
}

/// The state after a while is the same at any frame rate, and nothing is looked at once all has recovered.
#[test]
fn any_frame_rate_comes_to_the_same() {
    let pool = Pool::new(gpu());
    let mut maps = Vec::new();
    for rate in [15, 30, 60, 120] {
        let mut field = Field::new(&pool, 12);
        for i in 0..=rate * 3 {
            let now = (i as f32 * 1000.0 / rate as f32).round() as u32;
            let people = if i <= rate { walkers(12, now as f32 * 0.001) } else { Vec::new() };
            field.step(&people, now);
        }
        maps.push(field.map.read(gpu()).unwrap());
        let half: f32 = maps[0].iter().map(|texel| texel[2]).fold(0.0, f32::max);
        assert!((half - 0.5).abs() < 0.02, "half recovered after half the time: {half}");
        let until = 3000 + (RULES.recovery * 1000.0) as u32;
        field.step(&[], until);
        field.step(&[], until + 20);
        field.step(&[], until + 40);
        assert!(field.crowded.active(gpu()).unwrap() <= 1, "idle");
        assert!(field.map.read(gpu()).unwrap().iter().all(|texel| texel[2] == 0.0), "all stands");
        assert!(field.map.read(gpu()).unwrap().iter().any(|texel| texel[3] > 0.05), "worn");
    }
    let bent = maps[0].iter().filter(|texel| texel[2] > 0.1).count();
    assert!(bent > 500, "only {bent} texels bent");
    for map in &maps[1..] {
        let apart = map.iter().zip(&maps[0]).map(|(a, b)| (a[2] - b[2]).abs());
        let worst = apart.fold(0.0, f32::max);
        assert!(worst < 1e-3, "{worst}");
    }
}

/// Twice the same is the same bits.
#[test]
fn the_order_of_agents_changes_nothing() {
    let pool = Pool::new(gpu());
    let read = |turned: bool| {
        let mut field = Field::new(&pool, 60);
        for i in 0..12 {
            let mut people = walkers(60, i as f32 * 0.05);
            if turned {
                people.reverse();
            }
            field.step(&people, i * 50);
        }
        gpu().read_texture(&field.map.texture.texture).unwrap().bytes
    };
    assert_eq!(read(false), read(true));
}

/// A boulder leaves a print as wide as it is, without gaps, that lies along its way; a ghost leaves none.
#[test]
fn what_rolls_leaves_a_print() {
    let pool = Pool::new(gpu());
    let mut field = Field::new(&pool, 4);
    let (velocity, tread) = (Vec2::new(3.0, 0.0), 0.9);
    for i in 0..20 {
        let now = i * 100;
        let centre = (Vec2::new(4.0, 9.0) + velocity * now as f32 * 0.001).extend(0.8);
        let boulder = Hero { centre, velocity, tread, ..Hero::default() };
        let ghost = Hero { tread: 0.0, centre: centre + glam::Vec3::Y * 5.0, ..boulder };
        field.step_with(&[], &[ghost, boulder], now);
    }
    let texels = field.map.read(gpu()).unwrap();
    let texel = |p: Vec2| {
        let at = ((p - field.map.origin) / field.map.cell).as_uvec2();
        texels[(at.y * field.map.size.x + at.x) as usize]
    };
    for i in 0..50 {
        // From where it rolls: where it began it stood.
        let x = 6.0 + 0.06 * i as f32;
        for y in [8.3, 9.0, 9.7] {
            let [along, _, strength, wear] = texel(Vec2::new(x, y));
            assert!(strength > 0.5 && wear > 0.0, "{x} {y}: {strength} {wear}");
            // Along its way in the middle, out of it at its sides.
            let least = if y == 9.0 { 0.9 } else { -0.05 };
            assert!(along > least * strength, "{x} {y}: {along} of {strength}");
        }
        assert_eq!(texel(Vec2::new(x, 10.2))[2], 0.0, "beside it");
        assert_eq!(texel(Vec2::new(x, 14.0))[2], 0.0, "under the ghost");
    }
    assert_eq!(gpu().take_errors(), []);
}
