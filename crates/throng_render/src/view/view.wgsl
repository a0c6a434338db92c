// A camera and its target. `View` in Rust.

struct View {
    clip_from_world: mat4x4<f32>,
    planes: array<vec4<f32>, 6>,
    eye: vec3<f32>,
    near: f32,
    forward: vec3<f32>,
    time: f32,
    right: vec3<f32>,
    width: f32,
    up: vec3<f32>,
    height: f32,
    focus: vec3<f32>,
    focus_height: f32,
}

@group(0) @binding(0) var<uniform> view: View;

/// Whether a sphere may be seen.
fn may_see(centre: vec3<f32>, radius: f32) -> bool {
    for (var i = 0u; i < 6u; i++) {
        if dot(view.planes[i].xyz, centre) + view.planes[i].w < -radius {
            return false;
        }
    }
    return true;
}

/// Distance along the axis of the camera.
fn view_depth(p: vec3<f32>) -> f32 {
    return dot(p - view.eye, view.forward);
}

/// The direction through a point of the target, by its pixel.
fn ray(pixel: vec2<f32>) -> vec3<f32> {
    let ndc = pixel / vec2<f32>(view.width, view.height) * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0);
    return view.forward + view.right * ndc.x + view.up * ndc.y;
}
