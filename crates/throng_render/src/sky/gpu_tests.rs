//! If one of these fails, the GPU draws another sky than the CPU lights by.

use glam::{Vec3, Vec4};
use throng_gpu::testing::{gpu, run, words};
use throng_gpu::{GROUP, Library, Pool, Prepared, Shader, check, groups_for, layout};

use super::{BRIGHTEST, MODULES, PI, SUN_RADIUS, Sh, Sky, SkyUniforms, direction};

const PROBE: Shader = Shader {
    name: "sky probe",
    source: "
#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::sh::{ShLight, sh_dominant, sh_irradiance}
#import throng_render::sky::{SkyUniforms, sky_radiance, sky_irradiance, sky_disc, aerial}

@group(0) @binding(0) var<uniform> sky: SkyUniforms;
@group(0) @binding(1) var<storage, read> directions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> answers: array<vec4<f32>>;

@compute @workgroup_size(GROUP)
fn probe(place: Place) {
    let at = flat_invocation(place);
    if at >= arrayLength(&directions) {
        return;
    }
    let d = directions[at].xyz;
    answers[8u * at] = vec4<f32>(sky_radiance(sky, d), 0.0);
    answers[8u * at + 1u] = vec4<f32>(sky_irradiance(sky, d), 0.0);
    answers[8u * at + 2u] = vec4<f32>(aerial(sky, vec3<f32>(1.0, 0.5, 0.25), directions[at].w, d), 0.0);
    answers[8u * at + 3u] = vec4<f32>(sky_disc(sky, d, 0.001), 0.0);
    let c = sky.sh;
    let light = ShLight(array<vec3<f32>, 9>(
        c[0].xyz, c[1].xyz, c[2].xyz, c[3].xyz, c[4].xyz, c[5].xyz, c[6].xyz, c[7].xyz, c[8].xyz,
    ));
    let strongest = sh_dominant(light);
    answers[8u * at + 4u] = vec4<f32>(strongest.direction, 0.0);
    answers[8u * at + 5u] = vec4<f32>(strongest.colour, 0.0);
    answers[8u * at + 6u] = vec4<f32>(sh_irradiance(strongest.residual, d), 0.0);
}
",
    variants: &[&[]],
};

#[test]
fn the_shaders_are_valid_for_naga_and_tint() {
    let library = Library::new().unwrap().with(MODULES).unwrap();
    for (name, text) in check::all(&library, &[PROBE]).unwrap() {
        if let Some(said) = check::tint(&name, &text) {
            said.unwrap();
        }
    }
    let composed = library.compose(&PROBE, &[]).unwrap();
    let ours = layout!(SkyUniforms {
        sun,
        sun_irradiance,
        ground,
        rayleigh,
        aerosol,
        scale,
        zenith,
        night,
        parameters,
        sh
    });
    assert_eq!(check::layout_in(&composed, "SkyUniforms"), Some(ours));
}

/// Random directions and distances; among them the poles, the horizon and the sun.
fn questions(sun: Vec3) -> Vec<Vec4> {
    let random = words(3 * 4000, 7);
    let unit = |word: u32| (word >> 8) as f32 / 16_777_216.0;
    let special = [sun, -sun, Vec3::Z, Vec3::NEG_Z, Vec3::X, direction(77.0, -0.01)];
    let random = random.chunks_exact(3).map(|w| {
        let z = 2.0 * unit(w[0]) - 1.0;
        let (sin, cos) = (unit(w[1]) * std::f32::consts::TAU).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(r * cos, r * sin, z).extend(10.0_f32.powf(1.0 + 5.0 * unit(w[2])))
    });
    special.into_iter().map(|d| d.extend(5000.0)).chain(random).collect()
}

#[test]
fn the_gpu_has_the_sky_of_the_cpu() {
    let library = Library::new().unwrap().with(MODULES).unwrap();
    let kernel = library.program(gpu(), &PROBE, &[]).unwrap().kernel("probe").unwrap();
    let pool = Pool::new(gpu());
    for (elevation, turbidity) in [(60.0, 2.2), (20.0, 4.0), (2.0, 2.5), (0.0, 3.0), (-4.0, 2.5)] {
        let sky = Sky::new(direction(130.0, elevation), turbidity, Vec3::new(0.1, 0.3, 0.2));
        let questions = questions(sky.sun_direction());
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = pool.buffer("sky", size_of::<SkyUniforms>() as u64, usage).unwrap();
        gpu().queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&sky.uniforms()));
        let asked = pool.array_of("directions", &questions).unwrap();
        let answers = pool.array_of("answers", &vec![Vec4::ZERO; 8 * questions.len()]).unwrap();
        let bindings = [
            (0, uniform.as_entire_binding()),
            (1, asked.as_entire_binding()),
            (2, answers.as_entire_binding()),
        ];
        let mut work = Prepared::new();
        work.push(kernel.step(&bindings, groups_for(questions.len() as u32, GROUP)).unwrap());
        run(&work);
        let answers = gpu().read::<Vec4>(&answers, 8 * questions.len()).unwrap();
        let strongest = Sh(sky.sh()).dominant();
        let scale = sky.irradiance(Vec3::Z).length();
        for (question, answers) in questions.iter().zip(answers.chunks_exact(8)) {
            let d = question.truncate();
            let same = |what: &str, found: Vec4, wanted: Vec3| {
                let apart = (found.truncate() - wanted).length();
                assert!(
                    apart <= 1e-3 * wanted.length() + 1e-6 * scale,
                    "{what} at {elevation}, {question}: {found}, not {wanted}"
                );
            };
            same("radiance", answers[0], sky.radiance(d));
            same("irradiance", answers[1], sky.irradiance(d));
            let colour = Vec3::new(1.0, 0.5, 0.25);
            same("aerial", answers[2], sky.aerial(colour, question.w, d));
            same("dominant direction", answers[4], strongest.direction);
            same("dominant colour", answers[5], strongest.colour);
            same("residual", answers[6], strongest.residual.irradiance(d));
            let near = d.dot(sky.sun_direction()) > 0.9999;
            let whole = sky.sun_irradiance() / (PI * SUN_RADIUS * SUN_RADIUS);
            let capped = whole * (BRIGHTEST / whole.max_element().max(BRIGHTEST));
            same("disc", answers[3], if near { capped } else { Vec3::ZERO });
        }
    }
    assert_eq!(gpu().take_errors(), []);
}
