// How what was pressed down comes up again.

/// What is left of a bend after a share `u` of the time of recovery: slow at first, then fast, then soft.
fn residual(u: f32) -> f32 {
    let t = clamp(u, 0.0, 1.0);
    return 1.0 - 3.0 * t * t + 2.0 * t * t * t;
}

/// Factor on an offset between two shares of that time: products of it come to `residual`, in whatever steps.
fn recovered(before: f32, after: f32) -> f32 {
    let left = residual(before);
    return select(0.0, residual(after) / left, left > 1e-6);
}
