//! A host with its own wgpu device draws a crowd into its own texture:
//! `cargo run --release -p throng_render --example host -- crowd.png`.

use throng_crowd::{Crowd, CrowdOptions};
use throng_render::{Frame, Renderer, Shot, write_png};
use throng_world::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "crowd.png".into());
    // What the host has anyway: a device, a queue, a texture.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("the host's picture"),
        size: wgpu::Extent3d { width: 960, height: 540, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    // A crowd, and its picture.
    let world = Scene::builtin("square").ok_or("no such scene")?.build(&Default::default())?;
    let mut crowd = Crowd::new(world, CrowdOptions::default())?;
    for _ in 0..400 {
        crowd.step(0.05)?;
    }
    let mut people = Vec::new();
    crowd.instances(&mut people);
    let mut renderer = Renderer::on(device, queue, texture.format())?;
    renderer.set_world(crowd.world(), Vec::new())?;
    let camera = Shot::named("birds-eye").and_then(|shot| shot.camera(crowd.world(), &people));
    let frame = Frame::new(camera.ok_or("nobody is there")?, &people);
    renderer.render(&frame, &texture.create_view(&Default::default()), [960, 540])?;
    Ok(write_png(out.as_ref(), &renderer.gpu().read_texture(&texture)?)?)
}
