//! If one of these fails, pictures are torn, shifted or of the wrong colour.

use super::{Blend, Raster, Slot, Slots, Texture2};
use crate::testing::gpu;
use crate::{GpuError, Library, Pool, Shader};

const RAMP: Shader = Shader {
    name: "ramp",
    source: "
@group(0) @binding(0) var<uniform> step: vec4<f32>;

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn ramp(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return vec4<f32>(floor(at.xy) * step.xy, 0.0, 1.0);
}
",
    variants: &[&[]],
};

/// Widths whose rows do not fill the alignment of copies.
#[test]
fn pixels_come_back_in_their_rows() {
    let pool = Pool::new(gpu());
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let slots = Slots::new(gpu(), "ramp", &[Slot::Uniform]).unwrap();
    let program = Library::new().unwrap().program(gpu(), &RAMP, &[]).unwrap();
    let pipeline = program
        .raster(&Raster {
            vertex: "whole",
            fragment: Some("ramp"),
            groups: &[&slots],
            buffers: &[],
            targets: &[(format, Blend::Replace)],
            depth: None,
            samples: 1,
            cull: None,
            unclipped: false,
        })
        .unwrap();
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let step = pool.buffer("step", 16, usage).unwrap();
    gpu().write(&step, 0, &[1.0_f32 / 255.0, 1.0 / 255.0, 0.0, 0.0]);
    let group = slots.bind(&[step.as_entire_binding()]).unwrap();
    for size in [[1, 1], [5, 3], [64, 2], [67, 9]] {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = gpu().texture(&Texture2::new("ramp", size, format, usage)).unwrap();
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = gpu().encoder("ramp");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        gpu().submit(encoder);
        let pixels = gpu().read_texture(&texture).unwrap();
        assert_eq!([pixels.width, pixels.height], size);
        for (i, texel) in pixels.bytes.chunks_exact(4).enumerate() {
            let (x, y) = (i as u32 % size[0], i as u32 / size[0]);
            assert_eq!(texel, [x as u8, y as u8, 0, 255], "{size:?} at {x}, {y}");
        }
    }
    assert_eq!(gpu().take_errors(), []);
}

#[test]
fn what_goes_in_comes_out() {
    let usage = wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::COPY_SRC;
    let format = wgpu::TextureFormat::R32Float;
    let texture = gpu().texture(&Texture2::new("numbers", [7, 5], format, usage)).unwrap();
    let numbers: Vec<f32> = (0..35).map(|i| i as f32).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&numbers);
    gpu().write_texture(&texture, (0, 0), bytes).unwrap();
    assert_eq!(gpu().read_texture(&texture).unwrap().bytes, bytes);
    assert!(gpu().write_texture(&texture, (0, 0), &bytes[4..]).is_err());
}

#[test]
fn sides_of_nothing_are_refused() {
    let made = Texture2::new(
        "nothing",
        [4, 0],
        wgpu::TextureFormat::R8Unorm,
        wgpu::TextureUsages::COPY_DST,
    );
    assert!(matches!(gpu().texture(&made), Err(GpuError::OutOfRange { value: 0, .. })));
    assert_eq!(gpu().take_errors(), []);
}
