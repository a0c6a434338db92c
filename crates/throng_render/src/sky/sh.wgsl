// Light from all around as spherical harmonics of order 3; the twin of sh.rs.

struct ShLight {
    coefficients: array<vec3<f32>, 9>,
}

/// One strong light and the rest.
struct Dominant {
    direction: vec3<f32>,
    /// Irradiance on what faces it, over pi.
    colour: vec3<f32>,
    residual: ShLight,
}

const SH_PI: f32 = 3.14159265;
/// 16 pi / 17: a light of irradiance pi, in nine coefficients.
const UNIT_LIGHT: f32 = 2.95679308573;

fn sh_basis(d: vec3<f32>) -> array<f32, 9> {
    return array<f32, 9>(
        0.2820948,
        0.48860252 * d.y,
        0.48860252 * d.z,
        0.48860252 * d.x,
        1.0925484 * d.x * d.y,
        1.0925484 * d.y * d.z,
        0.31539157 * (3.0 * d.z * d.z - 1.0),
        1.0925484 * d.x * d.z,
        0.5462742 * (d.x * d.x - d.y * d.y),
    );
}

/// Irradiance on a surface with this normal.
fn sh_irradiance(sh: ShLight, normal: vec3<f32>) -> vec3<f32> {
    let b = sh_basis(normal);
    let c = sh.coefficients;
    let linear = c[1] * b[1] + c[2] * b[2] + c[3] * b[3];
    let quadratic = c[4] * b[4] + c[5] * b[5] + c[6] * b[6] + c[7] * b[7] + c[8] * b[8];
    let sum = c[0] * b[0] + linear * (2.0 / 3.0) + quadratic * 0.25;
    return max(sum * SH_PI, vec3<f32>(0.0));
}

/// Radiance from a direction, smoothed to what nine coefficients hold.
fn sh_radiance(sh: ShLight, d: vec3<f32>) -> vec3<f32> {
    let b = sh_basis(d);
    let c = sh.coefficients;
    return c[0] * b[0] + c[1] * b[1] + c[2] * b[2] + c[3] * b[3] + c[4] * b[4]
        + c[5] * b[5] + c[6] * b[6] + c[7] * b[7] + c[8] * b[8];
}

/// Takes the strongest light out of a surrounding.
fn sh_dominant(sh: ShLight) -> Dominant {
    let weights = vec3<f32>(0.3, 0.59, 0.11);
    let c = sh.coefficients;
    let toward = vec3<f32>(dot(c[3], weights), dot(c[1], weights), dot(c[2], weights));
    let strength = length(toward);
    let up = vec3<f32>(0.0, 0.0, 1.0);
    let direction = select(up, toward / max(strength, 1e-30), strength > 1e-20);
    let b = sh_basis(direction);
    // The squares of the basis sum to 9 / (4 pi) in every direction.
    let scale = UNIT_LIGHT;
    let denominator = scale * scale * 9.0 / (4.0 * SH_PI);
    let colour = max(sh_radiance(sh, direction) * scale / denominator, vec3<f32>(0.0));
    let light = colour * scale;
    var rest: ShLight;
    rest.coefficients = array<vec3<f32>, 9>(
        c[0] - light * b[0],
        c[1] - light * b[1],
        c[2] - light * b[2],
        c[3] - light * b[3],
        c[4] - light * b[4],
        c[5] - light * b[5],
        c[6] - light * b[6],
        c[7] - light * b[7],
        c[8] - light * b[8],
    );
    return Dominant(direction, colour, rest);
}
