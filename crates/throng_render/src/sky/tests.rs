//! If one of these fails, the sky has a wrong colour, or a seam.

use glam::Vec3;
use hw_skymodel::rgb::{Channel, SkyParams, SkyState};

use super::bird::{Air, daylight};
use super::colour::luminance;
use super::{PI, Sky, direction};

const ELEVATIONS: [f32; 12] = [90.0, 60.0, 30.0, 15.0, 7.0, 3.0, 1.0, 0.2, 0.0, -0.2, -3.0, -6.0];

/// Directions all over the sphere, the horizon and the poles among them.
fn directions() -> impl Iterator<Item = Vec3> {
    (0..24).flat_map(|azimuth| {
        let heights = [-90.0, -60.0, -20.0, -5.0, -1.0, -0.01, 0.0, 0.01, 0.5, 2.0, 5.0, 10.0];
        let above = [15.0, 20.0, 30.0, 45.0, 60.0, 75.0, 85.0, 90.0];
        let all = heights.into_iter().chain(above);
        all.map(move |height| direction(azimuth as f32 * 15.0 + 3.0, height))
    })
}

/// Ours is a formula in vectors; the crate's own, one channel after the other, must agree but for ozone and green.
#[test]
fn the_sky_is_that_of_the_published_model() {
    for elevation in [20.0, 40.0, 60.0, 90.0] {
        for turbidity in [1.8, 2.5, 3.0, 10.0] {
            let sun = direction(20.0, elevation);
            let albedo = Vec3::new(0.1, 0.2, 0.4);
            let sky = Sky::new(sun, turbidity, albedo);
            let params = SkyParams {
                elevation: sun.z.clamp(-1.0, 1.0).asin().max(0.0),
                turbidity,
                albedo: albedo.to_array(),
            };
            let state = SkyState::new(&params).unwrap();
            for d in directions().filter(|d| d.z >= 0.0) {
                let gamma = d.dot(sun).clamp(-1.0, 1.0).acos();
                let of = |channel| 0.683 * state.radiance(d.z.acos(), gamma, channel);
                let wanted = Vec3::new(of(Channel::R), of(Channel::G), of(Channel::B));
                let wanted = wanted * super::twilight::sky(elevation);
                let wanted = wanted.with_y(wanted.y.min(wanted.x.max(wanted.z)));
                let apart = (sky.radiance(d) - wanted.max(Vec3::ZERO)).length();
                assert!(apart < 1e-3 * wanted.length() + 1e-5, "{d}: {wanted}");
            }
        }
    }
}

/// Finite, not negative, and nowhere green: green is never the strongest channel.
#[test]
fn no_sky_is_negative_or_green() {
    for elevation in ELEVATIONS {
        for turbidity in [1.8, 2.5, 4.0, 7.0, 10.0] {
            let sky = Sky::new(direction(180.0, elevation), turbidity, Vec3::splat(0.2));
            for d in directions() {
                let c = sky.radiance(d);
                assert!(c.is_finite() && c.min_element() > 0.0, "{elevation} {turbidity} {d}: {c}");
                if d.z >= 0.0 {
                    let green = c.y / c.x.max(c.z);
                    assert!(green < 1.001, "{elevation} {turbidity} {d}: {c}");
                }
            }
        }
    }
}

/// Light falls with the sun without a jump, through the horizon into dusk: no step over 1 % of noon's in a tenth
/// of a degree, and never up again.
#[test]
fn dusk_comes_without_a_step() {
    let at = |elevation: f32| {
        let sky = Sky::new(direction(180.0, elevation), 2.2, Vec3::splat(0.2));
        (luminance(sky.irradiance(Vec3::Z)), luminance(sky.sun_irradiance()))
    };
    let noon = at(90.0);
    let mut before = at(10.0);
    for tenth in 1..=170 {
        let now = at(10.0 - tenth as f32 / 10.0);
        assert!(before.0 >= now.0 && before.1 >= now.1, "{tenth}: {before:?} {now:?}");
        assert!(before.0 - now.0 < 0.01 * noon.0, "{tenth}: {before:?} {now:?}");
        assert!(before.1 - now.1 < 0.01 * noon.1, "{tenth}: {before:?} {now:?}");
        before = now;
    }
    assert_eq!(at(-0.3).1, 0.0);
    // 500 lx at sunset, 3 at the end of civil twilight.
    assert!(at(0.0).0 < 0.8 && at(0.0).0 > 0.3, "{:?}", at(0.0));
    assert!(at(-6.0).0 < 0.006 && at(-6.0).0 > 0.0015, "{:?}", at(-6.0));
}

/// The sun reddens as it sinks, and is within reason as strong as a clear day's.
#[test]
fn the_sun_reddens() {
    let sun =
        |elevation| Sky::new(direction(0.0, elevation), 2.5, Vec3::splat(0.2)).sun_irradiance();
    assert!((80.0..120.0).contains(&luminance(sun(80.0))), "{}", sun(80.0));
    // Held where blue is gone.
    let warmth = |c: Vec3| c.x / (c.z + 1e-3 * c.x);
    assert!(warmth(sun(80.0)) < 1.5 && warmth(sun(5.0)) > 3.0, "{} {}", sun(80.0), sun(5.0));
    for elevation in 1..90 {
        let (low, high) = (sun(elevation as f32), sun(elevation as f32 + 1.0));
        assert!(warmth(low) >= 0.9999 * warmth(high), "{elevation}: {low} {high}");
    }
}

/// Two models of the same light, made apart: Hosek and Wilkie's sky on level ground against what Bird's model
/// scatters there. If they part, a unit is wrong.
#[test]
fn two_models_agree_on_the_light_of_the_sky() {
    for elevation in [10.0, 30.0, 60.0] {
        for turbidity in [2.2, 3.0, 5.0] {
            let sky = Sky::new(direction(0.0, elevation), turbidity, Vec3::splat(0.0));
            let air = Air { turbidity: f64::from(turbidity), ..Air::default() };
            let bird = daylight(90.0 - f64::from(elevation), &air).scattered.y as f32 / 1000.0;
            let ratio = luminance(sky.irradiance(Vec3::Z)) / bird;
            assert!((0.6..1.7).contains(&ratio), "{elevation} {turbidity}: {ratio}");
        }
    }
}

/// Irradiance by nine coefficients against a sum over the sphere: the sun's aureole costs some percent.
#[test]
fn nine_coefficients_are_enough_for_irradiance() {
    for elevation in [60.0, 25.0, 5.0] {
        let sky = Sky::new(direction(60.0, elevation), 3.0, Vec3::new(0.2, 0.25, 0.1));
        let open = luminance(sky.irradiance(Vec3::Z));
        for normal in [Vec3::Z, Vec3::X, Vec3::new(0.3, 0.2, 0.9), Vec3::new(0.0, -0.6, 0.4)] {
            let normal = normal.normalize();
            let n = 60_000;
            let mut sum = Vec3::ZERO;
            for i in 0..n {
                let z = 1.0 - (2.0 * i as f32 + 1.0) / n as f32;
                let (sin, cos) = (i as f32 * 2.399_963_2).sin_cos();
                let r = (1.0 - z * z).sqrt();
                let d = Vec3::new(r * cos, r * sin, z);
                sum += sky.radiance(d) * (d.dot(normal).max(0.0) * 4.0 * PI / n as f32);
            }
            let apart = (luminance(sky.irradiance(normal)) - luminance(sum)).abs();
            assert!(apart < 0.08 * open, "{elevation} {normal}: {sum}, off by {apart} of {open}");
        }
    }
}

/// Near things keep their colour, far ones become the sky behind them, and in between lies the way.
#[test]
fn distance_turns_things_into_sky() {
    let sky = Sky::new(direction(200.0, 35.0), 3.0, Vec3::splat(0.2));
    let colour = Vec3::new(0.5, 0.4, 0.2);
    for d in directions() {
        assert!((sky.aerial(colour, 0.0, d) - colour).length() < 1e-5);
        let end = sky.aerial(colour, 1e9, d);
        if d.z >= 0.0 {
            let left = end - sky.radiance(d);
            // Straight up little of the colour is lost: there are only some kilometres of air.
            let through = left.dot(colour) / colour.dot(colour);
            assert!((-1e-3..0.9).contains(&through), "{d}: {through}");
        }
        let mut before = 0.0;
        for step in 0..12 {
            let black = luminance(sky.aerial(Vec3::ZERO, 10.0 * 3.0_f32.powi(step), d));
            assert!(
                black >= before
                    && black <= luminance(sky.radiance(d.with_z(d.z.max(0.0)).normalize())) * 1.01
            );
            before = black;
        }
    }
    let level = direction(40.0, 0.0);
    let near = luminance(sky.aerial(Vec3::ZERO, 1000.0, level));
    let hazy = luminance(sky.clone().with_haze(5.0).aerial(Vec3::ZERO, 1000.0, level));
    assert!(hazy > 3.0 * near && near > 0.0);
}

/// Nonsense becomes a plain day.
#[test]
fn bad_numbers_are_held() {
    for sun in [Vec3::ZERO, Vec3::NAN, Vec3::NEG_Z, Vec3::splat(1e30)] {
        for turbidity in [f32::NAN, -1.0, 1e9] {
            let sky = Sky::new(sun, turbidity, Vec3::splat(turbidity));
            directions()
                .for_each(|d| assert!(sky.radiance(d).is_finite(), "{sun} {turbidity} {d}"));
            assert!(sky.sun_irradiance().is_finite() && sky.irradiance(Vec3::Z).is_finite());
        }
    }
}
