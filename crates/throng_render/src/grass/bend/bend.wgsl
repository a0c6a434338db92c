// How far wind and feet bend a blade, and where its points are. The twin is `cpu` in `mod.rs`.

/// `Wind` in Rust.
struct Wind {
    direction: vec2<f32>,
    speed: f32,
    strength: f32,
    waves: vec4<f32>,
    gusts: f32,
    apart: f32,
    unused: vec2<f32>,
}

fn smooth_triangle(f: f32, x: f32) -> f32 {
    let y = abs(2.0 * fract(f * x + 0.5) - 1.0);
    return y * y * (3.0 - 2.0 * y);
}

/// The mean of the four waves.
fn wave(waves: vec4<f32>, x: f32) -> f32 {
    let y = abs(2.0 * fract(waves * x + 0.5) - 1.0);
    return dot(y * y * (3.0 - 2.0 * y), vec4<f32>(0.25));
}

fn gust(wind: Wind, p: vec2<f32>, time: f32) -> f32 {
    let along = (time * wind.speed - dot(wind.direction, p)) / wind.apart;
    let across = (wind.direction.x * p.y - wind.direction.y * p.x) / wind.apart;
    let front = along + 0.45 * smooth_triangle(0.61, across) + 0.2 * smooth_triangle(1.7, across);
    return 1.0 - wind.gusts + wind.gusts * smooth_triangle(1.0, front);
}

/// The angle that wind adds, as a vector along the ground.
fn wind_angle(wind: Wind, p: vec2<f32>, time: f32, phase: f32) -> vec2<f32> {
    let x = time * wind.speed - dot(wind.direction, p) + phase;
    return wind.direction * (wind.strength * gust(wind, p, time) * wave(wind.waves, x));
}

/// Where the point at share `q` of a blade of length `h` is that is bent by `angle`: away from the foot, above it.
fn arc(h: f32, angle: f32, q: f32) -> vec2<f32> {
    if angle < 0.01 {
        return vec2<f32>(h * q * q * angle * 0.5, h * q);
    }
    let a = angle * q;
    return vec2<f32>(1.0 - cos(a), sin(a)) * (h / angle);
}

/// Wind and feet together; `farthest` is the greatest angle.
fn bent(wind: vec2<f32>, trodden: vec2<f32>, farthest: f32) -> vec2<f32> {
    let sum = wind + trodden;
    return sum * min(1.0, farthest / max(length(sum), 1e-6));
}
