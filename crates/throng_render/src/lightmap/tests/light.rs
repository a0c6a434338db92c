//! Light where it is known what it must be.

use std::f32::consts::PI;
use std::sync::Mutex;

use glam::{Vec2, Vec3};
use throng_field::Grid;

use super::super::{LightMapError, Options, Place, bake};
use super::{afternoon, baked, valley};
use crate::sky::{Sky, direction};

fn near(found: Vec3, wanted: Vec3, share: f32) {
    assert!((found - wanted).length() <= share * wanted.length(), "{found}, not {wanted}");
}

#[test]
fn flat_ground_under_a_uniform_sky_has_pi() {
    let radiance = Vec3::new(2.0, 3.0, 5.0);
    let heights = Grid::filled(20, 30, 7.0).unwrap();
    let sky = Sky::uniform(radiance, Vec3::ZERO, Vec3::ZERO);
    let map = baked(&heights, &sky, &Options::default());
    for (x, y) in [(0, 0), (10, 15), (19, 29)] {
        near(map.texel(x, y).light.irradiance(Vec3::Z), PI * radiance, 0.01);
    }
    // With white ground all around, and light going to and fro, it is as bright from every side.
    let sky = Sky::uniform(radiance, radiance, Vec3::ONE);
    let options = Options { bounces: 24, ..Options::default() };
    let map = baked(&heights, &sky, &options);
    near(map.texel(10, 15).light.irradiance(Vec3::NEG_Z), PI * radiance, 0.01);
    near(map.texel(10, 15).light.irradiance(Vec3::X), PI * radiance, 0.01);
}

/// At the foot of a wall half the sky is gone, and half the light.
#[test]
fn a_wall_takes_half() {
    let heights = Grid::from_fn(101, 101, |c| if c.x < 50 { 3000.0 } else { 0.0 }).unwrap();
    let sky = Sky::uniform(Vec3::ONE, Vec3::ZERO, Vec3::ZERO);
    let options = Options { rays: 1024, above_ground: 0.01, ..Options::default() };
    let map = baked(&heights, &sky, &options);
    let foot = map.texel(50, 50);
    near(foot.light.irradiance(Vec3::Z), Vec3::splat(PI / 2.0), 0.03);
    // It comes from the other side.
    assert!(foot.light.dominant().direction.x > 0.5, "{:?}", foot.light.dominant().direction);
    near(map.texel(100, 50).light.irradiance(Vec3::X), Vec3::splat(PI / 2.0), 0.05);
}

/// A wall 10 m high throws a shadow of 20 m where the sun stands at atan(1 / 2), and no further.
#[test]
fn a_shadow_is_as_long_as_it_must_be() {
    let heights = Grid::from_fn(80, 9, |c| if c.x == 20 { 10.0 } else { 0.0 }).unwrap();
    let elevation = 0.5_f32.atan().to_degrees();
    let sky = Sky::new(direction(270.0, elevation), 2.5, Vec3::splat(0.2));
    let options = Options { above_ground: 0.001, rays: 16, ..Options::default() };
    let map = baked(&heights, &sky, &options);
    // The ridge is at 20.5 m, the shadow's end at 40.5.
    for x in 22..79 {
        let sun = map.texel(x, 4).sun;
        match x {
            ..=39 => assert_eq!(sun, 0.0, "{x}"),
            40 => assert!(sun > 0.2 && sun < 0.8, "{sun}"),
            _ => assert_eq!(sun, 1.0, "{x}"),
        }
    }
    let (shade, open) = (map.texel(30, 4), map.texel(60, 4));
    // A person's shadow takes the sun where there is sun, and nothing where the wall has taken it.
    assert_eq!(shade.irradiance(Vec3::Z, &sky, 0.0), shade.irradiance(Vec3::Z, &sky, 1.0));
    let taken = open.irradiance(Vec3::Z, &sky, 1.0) - open.irradiance(Vec3::Z, &sky, 0.0);
    near(taken, sky.sun_irradiance() * sky.sun_direction().z, 1e-3);
    // The demo's way finds the sun in the open, and something else in the shade.
    let toward = |d: Vec3| d.dot(sky.sun_direction());
    assert!(toward(open.environment(&sky).dominant().direction) > 0.95);
    assert!(toward(shade.environment(&sky).dominant().direction) < 0.9);
}

/// White ground beside a sunlit slope is brighter than beside a black one.
#[test]
fn ground_throws_light_on_ground() {
    let heights = valley(48, 48, 2.0);
    let (sky, options) = (afternoon(), Options { rays: 64, ..Options::default() });
    let with = |albedo: f32| {
        let albedo = heights.map(|_| Vec3::splat(albedo));
        let place = Place { heights: &heights, albedo: Some(&albedo), sky: &sky };
        bake(&place, &options, &|_| {}).unwrap().texel(24, 24).light.irradiance(Vec3::Z).y
    };
    let (black, grey, white) = (with(0.0), with(0.4), with(0.8));
    assert!(grey > 1.02 * black && white - grey > 1.2 * (grey - black), "{black} {grey} {white}");
}

#[test]
fn threads_change_nothing() {
    let (heights, sky) = (valley(33, 41, 2.0), afternoon());
    let options = Options { rays: 64, texels: Some([40, 21]), ..Options::default() };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| baked(&heights, &sky, &options))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let (heights, sky) = (valley(16, 16, 2.0), afternoon());
    let seen = Mutex::new(Vec::new());
    let place = Place { heights: &heights, albedo: None, sky: &sky };
    bake(&place, &Options::default(), &|share| seen.lock().unwrap().push(share)).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() >= 16 && seen.iter().all(|s| (0.0..=1.0).contains(s)));
    assert!(seen.iter().copied().fold(0.0, f32::max) > 0.999);
}

#[test]
fn samples_lie_between_texels() {
    let (heights, sky) = (valley(32, 24, 2.0), afternoon());
    let map = baked(&heights, &sky, &Options { rays: 32, ..Options::default() });
    let (a, b) = (map.texel(4, 6), map.texel(5, 6));
    let middle = map.sample((map.centre(4, 6) + map.centre(5, 6)) / 2.0);
    near(middle.light.0[0], (a.light.0[0] + b.light.0[0]) / 2.0, 1e-4);
    assert_eq!(map.sample(map.centre(31, 23)), map.texel(31, 23));
    assert_eq!(map.sample(Vec2::splat(1e9)), map.texel(31, 23));
    assert_eq!(map.sample(Vec2::NAN), map.texel(0, 0));
}

#[test]
fn what_cannot_be_baked_is_told() {
    let sky = afternoon();
    let heights = Grid::filled(4, 3, 0.0).unwrap();
    let with = |heights: &Grid<f32>, albedo: Option<&Grid<Vec3>>, options: &Options| {
        bake(&Place { heights, albedo, sky: &sky }, options, &|_| {}).unwrap_err()
    };
    let mut holes = heights.clone();
    holes.as_mut_slice()[6] = f32::NAN;
    let told = with(&holes, None, &Options::default()).to_string();
    assert!(told.contains("(2, 1)") && told.contains("NaN"), "{told}");
    let small = Grid::filled(2, 2, Vec3::ONE).unwrap();
    let error = with(&heights, Some(&small), &Options::default());
    assert!(matches!(error, LightMapError::Shape(2, 2, 4, 3)));
    let bright = Grid::filled(4, 3, Vec3::splat(1.5)).unwrap();
    assert!(with(&heights, Some(&bright), &Options::default()).to_string().contains("albedo"));
    let good = Options::default();
    for bad in [
        Options { rays: 0, ..good },
        Options { sun_rays: 0, ..good },
        Options { texels: Some([0, 8]), ..good },
        Options { texels: Some([9000, 8]), ..good },
        Options { above_ground: -1.0, ..good },
        Options { sun_radius: f32::NAN, ..good },
        Options { bounces: 1000, ..good },
    ] {
        let error = with(&heights, None, &bad);
        assert!(matches!(error, LightMapError::BadOption { .. }), "{error}");
    }
}
