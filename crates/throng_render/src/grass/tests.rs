//! The numbers of the specification, on the CPU and on the GPU. If one of these fails, grass stretches, sways out of
//! step, stays in a body, or is lit wrongly.

use glam::{Vec2, Vec3};
use throng_gpu::testing::gpu;
use throng_gpu::{Def, Defs, Pool, Prepared, Shader, check, layout};

use super::bend::{WAVES, Wind, cpu as bend};
use super::hero::Hero;
use super::lattice::cpu::{Lattice, recovered, refine, relax, residual, springs, strain, way_out};
use super::shade::cpu as shade;
use super::sow::{Clump, Draw, Tile};
use super::uniform::GrassUniform;

const CLOSE: f32 = 1e-4;

fn near(found: f32, wanted: f32, what: &str) {
    assert!((found - wanted).abs() <= CLOSE, "{what}: {found}, not {wanted}");
}

fn near3(found: Vec3, wanted: [f32; 3], what: &str) {
    assert!(
        (found - Vec3::from(wanted)).abs().max_element() <= CLOSE,
        "{what}: {found}, not {wanted:?}"
    );
}

/// If this fails, shaders read other numbers than Rust writes.
#[test]
fn rust_and_wgsl_mean_the_same_grass() {
    let library = crate::library().unwrap();
    let module = library.compose(&super::draw::SHADER, super::draw::DEFS).unwrap();
    let rust = layout!(GrassUniform {
        wind,
        time,
        dt,
        now,
        before,
        bend,
        farthest,
        recovery,
        regrowth,
        foot,
        edge,
        wear,
        leap,
        map_origin,
        map_cell,
        map_columns,
        map_rows,
        block_columns,
        blocks,
        mask,
        tile_origin,
        tile_side,
        tile_columns,
        tile_rows,
        tiles,
        clumps,
        fullest,
        eye,
        near,
        stiffness,
        sweeps,
        pool,
        fade,
        thin_from,
        far_from,
        gone,
        widest,
        word,
        at_most,
        frustum,
        occlusion,
        detail,
        cell_columns,
        cell_rows,
        cells,
        body_radius,
        body_height,
        heroes,
        show,
        broad,
        near_tiles,
        volume_high,
        unused,
        volume_origin,
        volume_extent,
    });
    assert_eq!(check::layout_in(&module, "GrassUniform"), Some(rust));
    let rust = layout!(Clump { foot, lean, size, look, turn, slope });
    assert_eq!(check::layout_in(&module, "Clump"), Some(rust));
    let rust = layout!(Hero { centre, turn, half_size, shape, velocity, tread, unused });
    let lattice = library.compose(&super::lattice::SHADER, super::lattice::DEFS).unwrap();
    assert_eq!(check::layout_in(&lattice, "Hero"), Some(rust));
    assert_eq!((size_of::<Clump>(), size_of::<Tile>(), size_of::<Hero>()), (32, 32, 48));
}

const WIND: [(f32, f32); 5] =
    [(0.0, 0.0), (0.25, 0.366_232), (1.0, 0.388_809), (2.0, 0.579_294), (5.0, 0.085_132)];

#[test]
fn wind_has_its_waves() {
    for (x, wanted) in WIND {
        near(bend::wave(WAVES, x), wanted, "wind");
    }
    let waves = [0.999_535, 0.346_967, 0.092_285, 0.026_139];
    for (f, wanted) in WAVES.to_array().into_iter().zip(waves) {
        near(bend::smooth_triangle(f, 0.25), wanted, "wave");
    }
    let all: Vec<f32> = (0..400_000).map(|i| bend::wave(WAVES, i as f32 * 0.0173)).collect();
    assert!(all.iter().all(|w| (0.0..=1.0).contains(w)));
    let mean = all.iter().map(|w| f64::from(*w)).sum::<f64>() / all.len() as f64;
    assert!((mean - 0.5).abs() < 1e-3, "{mean}");
}

fn wind() -> Wind {
    Wind {
        direction: Vec2::from_angle(0.4),
        speed: 2.2,
        strength: 0.4,
        waves: WAVES,
        gusts: 0.6,
        apart: 26.0,
        unused: Vec2::ZERO,
    }
}

/// Wind blows one way and no harder than it is; gusts come, and go with it.
#[test]
fn gusts_travel_with_the_wind() {
    let wind = wind();
    let p = Vec2::new(12.0, 7.0);
    for i in 0..400 {
        let time = i as f32 * 0.11;
        let angle = bend::wind_angle(&wind, p, time, 0.3);
        assert!(angle.length() <= wind.strength + 1e-6 && angle.dot(wind.direction) >= 0.0);
        // What is here now is farther along a second later.
        let later = bend::gust(&wind, p + wind.direction * wind.speed, time + 1.0);
        assert!((bend::gust(&wind, p, time) - later).abs() < 2e-3, "{i}");
    }
    let all: Vec<f32> = (0..200).map(|i| bend::gust(&wind, p, i as f32 * 0.1)).collect();
    let (low, high) = all.iter().fold((1.0_f32, 0.0_f32), |(l, h), g| (l.min(*g), h.max(*g)));
    assert!(low < 0.45 && high > 0.95, "{low} {high}");
}

const ARCS: [(f32, f32, [f32; 2]); 4] = [
    (1.0, 1.0 / 3.0, [0.033_03, 0.196_32]),
    (1.0, 2.0 / 3.0, [0.128_47, 0.371_02]),
    (1.0, 1.0, [0.275_82, 0.504_88]),
    (1.4, 1.0, [0.355_73, 0.422_34]),
];

#[test]
fn arcs_keep_their_length() {
    for (angle, q, wanted) in ARCS {
        let at = bend::arc(0.6, angle, q);
        assert!((at - Vec2::from(wanted)).abs().max_element() < CLOSE, "{at} {wanted:?}");
    }
    for angle in [0.0, 0.005, 0.0101, 0.5, 1.4, 2.6] {
        let points: Vec<Vec2> =
            (0..=300).map(|i| bend::arc(0.6, angle, i as f32 / 300.0)).collect();
        let length: f32 = points.windows(2).map(|two| two[0].distance(two[1])).sum();
        assert!((length - 0.6).abs() < 1e-4, "{angle}: {length}");
    }
    let much = bend::bent(Vec2::new(1.0, 0.0), Vec2::new(3.0, 0.0));
    assert_eq!(much.length(), super::bend::FARTHEST);
}

fn flat_lattice() -> Lattice {
    std::array::from_fn(|k| Vec3::new(0.3 * (k % 3) as f32, 0.2 * (k / 3) as f32, 0.0))
}

fn case_a() -> Lattice {
    let mut lattice = flat_lattice();
    lattice[11] += Vec3::new(0.3, 0.0, 0.3);
    lattice
}

fn case_b() -> Lattice {
    let mut lattice = flat_lattice();
    for j in 0..3 {
        lattice[6 + j] += Vec3::new(0.0, -0.05, 0.25);
        lattice[9 + j] += Vec3::new(0.0, -0.15, 0.45);
    }
    lattice
}

fn rest() -> [f32; 3] {
    [0.3, 0.2, 0.3_f32.hypot(0.2)]
}

/// Stiffness, and after how many sweeps which strain.
type Sweeps = (f32, &'static [(usize, f32)]);
const A_STIFF: Sweeps =
    (1.0, &[(0, 1.3452), (1, 0.2280), (2, 0.1141), (4, 0.0689), (8, 0.0426), (16, 0.0220)]);
const A_SOFT: Sweeps = (0.5, &[(1, 0.4448), (4, 0.0818), (16, 0.0399)]);
const B_STIFF: Sweeps = (1.0, &[(0, 0.4577), (1, 0.1782), (4, 0.0369), (8, 0.0060), (16, 0.0004)]);

#[test]
fn springs_come_to_their_lengths() {
    let all = springs();
    assert_eq!(all.len(), 27);
    assert_eq!(all.iter().filter(|(a, b, _)| *a < 3 || *b < 3).count(), 7);
    assert!(all[..7].iter().all(|(a, b, _)| *a < 3 || *b < 3), "those at the ground first");
    for (start, (stiffness, wanted)) in
        [(case_a(), A_STIFF), (case_a(), A_SOFT), (case_b(), B_STIFF)]
    {
        let mut lattice = start;
        for sweep in 0..=16 {
            if let Some((_, strained)) = wanted.iter().find(|(n, _)| *n == sweep) {
                near(strain(&lattice, rest()), *strained, &format!("after {sweep} sweeps"));
            }
            relax(&mut lattice, rest(), stiffness);
            assert_eq!(lattice[..3], start[..3], "the ground stays");
        }
    }
    let mut lattice = case_a();
    relax(&mut lattice, rest(), 1.0);
    near3(lattice[11], [0.660_88, 0.542_75, 0.150_69], "v32");
    let quad = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    near3(refine(quad, 1, 1), [0.5, 1.0 / 3.0, 0.0], "refined");
}

/// Distances of a point in a sphere to its surface, along the axes and against them, and the nearest normal.
fn in_sphere(v: Vec3, radius: f32) -> (Vec3, Vec3, Vec3) {
    let half = |a: f32, b: f32| (radius * radius - a * a - b * b).sqrt();
    let chord = Vec3::new(half(v.y, v.z), half(v.x, v.z), half(v.x, v.y));
    let (along, against) = (chord - v, chord + v);
    let nearest = if along.min_element() <= against.min_element() {
        let k = (0..3).min_by(|a, b| along[*a].total_cmp(&along[*b])).unwrap();
        v + along[k] * Vec3::AXES[k]
    } else {
        let k = (0..3).min_by(|a, b| against[*a].total_cmp(&against[*b])).unwrap();
        v - against[k] * Vec3::AXES[k]
    };
    (along, against, nearest.normalize())
}

#[test]
fn a_point_leaves_what_it_is_in() {
    let v = Vec3::new(0.2, 0.1, 0.0);
    let (along, against, n) = in_sphere(v, 0.5);
    near3(along, [0.2899, 0.3583, 0.4472], "along");
    near3(against, [0.6899, 0.5583, 0.4472], "against");
    near3(n, [0.9798, 0.2, 0.0], "normal");
    let s = way_out(along, against, n);
    near(s, 0.3557, "strength");
    near3(v + n * s, [0.5485, 0.1711, 0.0], "full");
    assert!((v + n * s).length() > 0.5);
    near3(v + n * s * 0.5, [0.3743, 0.1356, 0.0], "half");
    assert!((v + n * s * 0.5).length() < 0.5);
    let mut draw = Draw::new([3, 1, 4]);
    for i in 0..100_000 {
        let mut side =
            || Vec3::new(draw.between(0.01, 1.0), draw.between(0.01, 1.0), draw.between(0.01, 1.0));
        let (along, against) = (side(), side());
        let n = Vec3::new(draw.either(), draw.either(), draw.either()).normalize_or(Vec3::X);
        let p = n * way_out(along, against, n);
        let outside = p.cmpge(along - 1e-5).any() || (-p).cmpge(against - 1e-5).any();
        assert!(outside, "{i}: {p} in {along} {against}");
    }
}

#[test]
fn recovery_is_the_same_at_any_frame_rate() {
    for (u, wanted) in [(0.1, 0.972), (0.25, 0.8438), (0.5, 0.5), (0.75, 0.1562), (0.9, 0.028)] {
        near(residual(u), wanted, "residual");
    }
    for rate in [15, 30, 60, 120] {
        let seconds = 4.0;
        let steps = (rate as f32 * seconds * 0.5) as u32;
        let share = |i: u32| i as f32 / (rate as f32 * seconds);
        let left = (0..steps).fold(1.0_f32, |left, i| left * recovered(share(i), share(i + 1)));
        assert!((left - 0.5).abs() < 2e-6, "{rate}: {left}");
    }
    assert_eq!(recovered(1.0, 1.0), 0.0);
}

fn lit_from_behind() -> (Vec3, Vec3) {
    (Vec3::Z, Vec3::new(0.0, 1.0, -1.0).normalize())
}

#[test]
fn blades_are_lit_from_both_sides_and_through() {
    let (n, b) = lit_from_behind();
    let [through, diffuse, shine] = shade::parts(n, n, b);
    near(through, 0.353_55, "through");
    near(diffuse, 0.794_97, "diffuse");
    near(shine, 0.013_86, "shine");
    near3(shade::reflectance(n, n, b), [1.162_39, 1.127_04, 0.914_90], "all");
    // The printed formula, h·(-b), gives nothing for unit vectors.
    let mut draw = Draw::new([9, 9, 9]);
    for _ in 0..100_000 {
        let mut unit =
            || Vec3::new(draw.either(), draw.either(), draw.either()).normalize_or(Vec3::Z);
        let (v, b) = (unit(), unit());
        let h = (v + b).normalize_or_zero();
        assert!(h.dot(-b) <= 1e-3, "{v} {b}");
    }
}

const DEFS: Defs = &[
    ("CROSSED", Def::Number(super::sow::CROSSED)),
    ("SIZE_UNIT", Def::Number(super::sow::SIZE_UNIT)),
    ("OFFSET_UNIT", Def::Number(super::sow::OFFSET_UNIT)),
];
const NUMBERS: Shader =
    Shader { name: "grass numbers", source: include_str!("numbers.wgsl"), variants: &[DEFS] };

/// Everything again on the GPU: numbers of the table, in the order of the shader.
#[test]
fn the_gpu_has_the_same_numbers() {
    let pool = Pool::new(gpu());
    let program = crate::library().unwrap().program(gpu(), &NUMBERS, DEFS).unwrap();
    let kernel = program.kernel("numbers").unwrap();
    let mut given: Vec<Vec3> = Vec::new();
    given.extend(case_a());
    given.extend(case_b());
    let mut given: Vec<[f32; 4]> = given.iter().map(|p| [p.x, p.y, p.z, 0.0]).collect();
    let wind = wind();
    given.push([wind.direction.x, wind.direction.y, wind.speed, wind.strength]);
    given.push(wind.waves.to_array());
    given.push([wind.gusts, wind.apart, 0.0, 0.0]);
    let mut draw = Draw::new([2, 7, 1]);
    let places: Vec<[f32; 4]> = (0..6)
        .map(|_| {
            [draw.between(0.0, 90.0), draw.between(0.0, 90.0), draw.between(0.0, 60.0), draw.unit()]
        })
        .collect();
    given.extend(&places);
    let given = pool.array_of("given", &given).unwrap();
    let found = pool.array::<f32>("found", 2048).unwrap();
    let tally = pool.array_of("tally", &[0_u32; 4]).unwrap();
    let bindings = [(0, given.as_entire_binding()), (1, found.as_entire_binding())];
    let mut work = Prepared::new();
    work.push(kernel.step(&bindings, [1, 1, 1]).unwrap());
    let bindings = [(0, given.as_entire_binding()), (2, tally.as_entire_binding())];
    let many = program.kernel("many").unwrap();
    work.push(many.step(&bindings, [100_000_u32.div_ceil(64), 1, 1]).unwrap());
    throng_gpu::testing::run(&work);
    let found = gpu().read::<f32>(&found, 2048).unwrap();
    let mut next = found.iter().copied();
    let mut number = move || next.next().unwrap();
    for (x, wanted) in WIND {
        near(number(), wanted, &format!("wind at {x}"));
    }
    for [x, y, time, phase] in places {
        let wanted = bend::wind_angle(&wind, Vec2::new(x, y), time, phase);
        near(number(), wanted.x, "wind angle");
        near(number(), wanted.y, "wind angle");
    }
    for (_, _, wanted) in ARCS {
        wanted.iter().for_each(|w| near(number(), *w, "arc"));
    }
    [0.5, 1.0 / 3.0, 0.0].iter().for_each(|w| near(number(), *w, "refined"));
    for (start, (stiffness, wanted)) in
        [(case_a(), A_STIFF), (case_a(), A_SOFT), (case_b(), B_STIFF)]
    {
        let mut twin = start;
        for sweep in 0..=16 {
            let lattice: Lattice = std::array::from_fn(|_| Vec3::new(number(), number(), number()));
            for (own, other) in lattice.iter().zip(&twin) {
                near3(*own, other.to_array(), &format!("point after {sweep}"));
            }
            assert_eq!(lattice[..3], start[..3], "the ground stays");
            if let Some((_, strained)) = wanted.iter().find(|(n, _)| *n == sweep) {
                near(strain(&lattice, rest()), *strained, &format!("strain after {sweep}"));
            }
            relax(&mut twin, rest(), stiffness);
        }
    }
    let (along, against, n) = in_sphere(Vec3::new(0.2, 0.1, 0.0), 0.5);
    near(number(), way_out(along, against, n), "way out");
    let v = Vec3::new(0.2, 0.1, 0.0);
    let full = [0.5485, 0.1711, 0.0];
    let expected =
        [along.to_array(), against.to_array(), n.to_array(), full, [0.3743, 0.1356, 0.0]];
    for wanted in expected {
        near3(Vec3::new(number(), number(), number()), wanted, "out of the sphere");
    }
    assert!(v.length() < 0.5 && Vec3::from(full).length() > 0.5);
    for wanted in [0.972, 0.8438, 0.5, 0.1562, 0.028] {
        near(number(), wanted, "residual");
    }
    near(number(), 0.5, "recovered at 60");
    for rate in [15, 30, 60, 120] {
        let offset = Vec3::new(number(), number(), number());
        let away = (offset - 0.5 * Vec3::new(0.31, -0.22, -0.4)).abs().max_element();
        assert!(away < 1e-3, "half recovered at {rate}: {offset}, {away} m off");
    }
    [1.162_39, 1.127_04, 0.914_90].iter().for_each(|w| near(number(), *w, "light"));
    let [stay, beyond, through, sum] = gpu().read::<u32>(&tally, 4).unwrap()[..] else { panic!() };
    assert_eq!((stay, beyond, through), (0, 0, 0), "of a hundred thousand");
    let mean = f64::from(sum) / 1e8;
    assert!((mean - 0.5).abs() < 1e-3, "long-run mean of the waves: {mean}");
    assert_eq!(gpu().take_errors(), []);
}
