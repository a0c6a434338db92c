//! The map in WGSL against the map on the CPU.

use glam::{Vec2, Vec3, Vec4};
use throng_gpu::testing::{gpu, run};
use throng_gpu::{GROUP, Library, Pool, Prepared, Shader, check, groups_for, layout};

use super::super::{LightMapUniforms, MODULES, Options};
use super::{Random, afternoon, baked, valley};
use crate::sky;

const PROBE: Shader = Shader {
    name: "light map probe",
    source: "
#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::lightmap::{LightMapUniforms, ground_light, ground_irradiance}
#import throng_render::sky::SkyUniforms

@group(0) @binding(0) var<uniform> sky: SkyUniforms;
@group(0) @binding(1) var<uniform> where_it_lies: LightMapUniforms;
@group(0) @binding(2) var texels: texture_2d_array<f32>;
@group(0) @binding(3) var smooth_edge: sampler;
@group(0) @binding(4) var<storage, read> questions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> answers: array<vec4<f32>>;

@compute @workgroup_size(GROUP)
fn probe(place: Place) {
    let at = flat_invocation(place);
    if 2u * at >= arrayLength(&questions) {
        return;
    }
    let here = ground_light(where_it_lies, texels, smooth_edge, questions[2u * at].xy);
    let normal = questions[2u * at + 1u].xyz;
    let shadow = questions[2u * at + 1u].w;
    let light = ground_irradiance(here, normal, sky.sun.xyz, sky.sun_irradiance.xyz, shadow);
    answers[at] = vec4<f32>(light, here.sun);
}
",
    variants: &[&[]],
};

fn library() -> Library {
    Library::new().unwrap().with(sky::MODULES).unwrap().with(MODULES).unwrap()
}

#[test]
fn the_shader_is_valid_for_naga_and_tint() {
    for (name, text) in check::all(&library(), &[PROBE]).unwrap() {
        if let Some(said) = check::tint(&name, &text) {
            said.unwrap();
        }
    }
    let composed = library().compose(&PROBE, &[]).unwrap();
    let ours = layout!(LightMapUniforms { origin, inverse_extent });
    assert_eq!(check::layout_in(&composed, "LightMapUniforms"), Some(ours));
}

#[test]
fn the_gpu_has_the_light_of_the_cpu() {
    let (heights, sky) = (valley(37, 23, 2.0), afternoon());
    let map = baked(&heights, &sky, &Options { rays: 64, ..Options::default() });
    let kernel = library().program(gpu(), &PROBE, &[]).unwrap().kernel("probe").unwrap();
    let pool = Pool::new(gpu());
    let uniform = |label: &str, bytes: &[u8]| {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = pool.buffer(label, bytes.len() as u64, usage).unwrap();
        gpu().queue().write_buffer(&buffer, 0, bytes);
        buffer
    };
    let mut random = Random(77);
    let mut questions = Vec::new();
    for _ in 0..2000 {
        // Over the edge as well.
        let within = Vec2::new(random.next(), random.next()) * 1.2 - 0.1;
        let at = heights.origin() + within * heights.extent();
        questions.push(at.extend(0.0).extend(0.0));
        questions.push(random.direction().extend(random.next()));
    }
    let (sky_uniform, map_uniform) = (
        uniform("sky", bytemuck::bytes_of(&sky.uniforms())),
        uniform("place", bytemuck::bytes_of(&map.uniforms())),
    );
    let texture = map.texture(gpu().device(), gpu().queue());
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    let sampler = gpu().device().create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let asked = pool.array_of("questions", &questions).unwrap();
    let answers = pool.array_of("answers", &vec![Vec4::ZERO; questions.len() / 2]).unwrap();
    let bindings = [
        (0, sky_uniform.as_entire_binding()),
        (1, map_uniform.as_entire_binding()),
        (2, wgpu::BindingResource::TextureView(&view)),
        (3, wgpu::BindingResource::Sampler(&sampler)),
        (4, asked.as_entire_binding()),
        (5, answers.as_entire_binding()),
    ];
    let mut work = Prepared::new();
    let groups = groups_for(questions.len() as u32 / 2, GROUP);
    work.push(kernel.step(&bindings, groups).unwrap());
    run(&work);
    let answers = gpu().read::<Vec4>(&answers, questions.len() / 2).unwrap();
    let scale = sky.irradiance(Vec3::Z).length();
    for (question, answer) in questions.chunks_exact(2).zip(answers) {
        let at = question[0].truncate().truncate();
        let texel = map.sample(at);
        let wanted = texel.irradiance(question[1].truncate(), &sky, question[1].w);
        let apart = (answer.truncate() - wanted).length();
        // A sampler has eight bits between texels.
        assert!(apart < 0.01 * wanted.length().max(scale), "{at}: {answer}, not {wanted}");
        assert!((answer.w - texel.sun).abs() < 0.01, "{at}: {answer}, not {}", texel.sun);
    }
    assert_eq!(gpu().take_errors(), []);
}
