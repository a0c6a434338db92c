//! Outlines: lines with a thickness, discs and parts of rings as polygons.

use glam::DVec2;

/// The outline of a line of some thickness, as one box per leg with square ends, so that legs
/// overlap at corners and leave no gap there.
pub(crate) fn thicken(line: &[DVec2], thickness: f64) -> Vec<Vec<DVec2>> {
    let half = 0.5 * thickness;
    line.windows(2)
        .filter_map(|leg| {
            let along = (leg[1] - leg[0]).try_normalize()? * half;
            let side = along.perp();
            let (a, b) = (leg[0] - along, leg[1] + along);
            Some(vec![a - side, b - side, b + side, a + side])
        })
        .collect()
}

/// Largest distance between a round outline and its polygon, in metres.
const SAG: f64 = 0.01;

fn steps(radius: f64, angle: f64) -> usize {
    let step = 2.0 * (1.0 - (SAG / radius.max(SAG)).min(1.0)).acos();
    ((angle.abs() / step.max(0.02)).ceil() as usize).clamp(3, 512)
}

/// A disc as a polygon around it.
pub(crate) fn disc(centre: DVec2, radius: f64) -> Vec<DVec2> {
    let n = steps(radius, std::f64::consts::TAU).max(12);
    let step = std::f64::consts::TAU / n as f64;
    (0..n).map(|i| centre + DVec2::from_angle(i as f64 * step) * radius).collect()
}

/// A part of a ring, angles in degrees; as rings of a polygon (two for a whole ring).
pub(crate) fn sector(centre: DVec2, radii: [f64; 2], degrees: [f64; 2]) -> Vec<Vec<DVec2>> {
    let [inner, outer] = radii;
    if degrees[1] - degrees[0] >= 360.0 {
        let hole = (inner > 0.0).then(|| disc(centre, inner));
        return std::iter::once(disc(centre, outer)).chain(hole).collect();
    }
    let [from, to] = degrees.map(f64::to_radians);
    let arc = |radius: f64| -> Vec<DVec2> {
        let n = steps(radius, to - from);
        let at = |i: usize| from + (to - from) * i as f64 / n as f64;
        (0..=n).map(|i| centre + DVec2::from_angle(at(i)) * radius).collect()
    };
    let mut ring = arc(outer);
    if inner > 0.0 {
        ring.extend(arc(inner).into_iter().rev());
    } else {
        ring.push(centre);
    }
    vec![ring]
}
