//! What others measured: fundamental diagrams and flows that ours are held against.

/// Weidmann, "Transporttechnik der Fussgänger" (1993): speed (m/s) at a density (people per m²).
pub fn weidmann(density: f64) -> f64 {
    (1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())).max(0.0)
}

/// Flow of people per second through bottlenecks of a width (metres), from three series of experiments.
pub const BOTTLENECK_SERIES: [(&str, &[(f64, f64)]); 3] = [
    (
        "Kretz 2006",
        &[
            (0.8, 1.39),
            (0.8, 1.42),
            (0.8, 1.46),
            (0.9, 1.53),
            (0.9, 1.58),
            (0.9, 1.63),
            (1.0, 1.71),
            (1.0, 1.81),
            (1.0, 1.88),
            (1.0, 2.02),
            (1.2, 2.03),
            (1.2, 2.11),
            (1.2, 2.29),
        ],
    ),
    ("Seyfried 2009", &[(0.8, 1.288), (0.9, 1.674), (1.0, 1.9), (1.1, 2.123), (1.2, 2.364)]),
    (
        "Wide series 2006",
        &[
            (0.9, 1.593),
            (1.0, 1.832),
            (1.1, 1.988),
            (1.2, 2.312),
            (1.4, 2.706),
            (1.6, 2.842),
            (1.8, 3.551),
            (2.0, 3.549),
            (2.2, 4.063),
            (2.5, 5.116),
        ],
    ),
];

/// Lowest and highest flow (people per second) at a width by the three series: their points at that
/// width and their fits (Kretz 1.62 b + 0.17 and 1.82 b, Seyfried 1.88 b, wide series 1.90 b).
pub fn bottleneck_spread(width: f64) -> (f64, f64) {
    let fits = [1.62 * width + 0.17, 1.82 * width, 1.88 * width, 1.9 * width];
    let points = BOTTLENECK_SERIES
        .iter()
        .flat_map(|(_, series)| series.iter())
        .filter(|(b, _)| (b - width).abs() < 1e-6)
        .map(|(_, flow)| *flow);
    let all: Vec<f64> = fits.into_iter().chain(points).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}

/// RiMEA 16: single file, speed (m/s) that 10, 50 and 90 % are below, by density (people per metre).
pub const SINGLE_FILE: [(f64, f64, f64, f64); 15] = [
    (0.1, 0.961, 1.186, 1.483),
    (0.3, 0.840, 1.160, 1.473),
    (0.5, 0.708, 1.091, 1.389),
    (0.7, 0.598, 0.975, 1.305),
    (0.9, 0.448, 0.747, 1.101),
    (1.1, 0.316, 0.520, 0.840),
    (1.3, 0.187, 0.393, 0.608),
    (1.5, 0.112, 0.273, 0.485),
    (1.7, 0.071, 0.199, 0.382),
    (1.9, 0.048, 0.158, 0.314),
    (2.1, 0.035, 0.131, 0.270),
    (2.5, 0.022, 0.102, 0.220),
    (2.9, 0.017, 0.086, 0.196),
    (3.3, 0.014, 0.076, 0.179),
    (3.9, 0.011, 0.064, 0.169),
];

/// The band of RiMEA 16 at a density: speeds that 10 % and 90 % are below, linear between its rows.
pub fn single_file_band(density: f64) -> Option<(f64, f64)> {
    let above = SINGLE_FILE.iter().position(|row| row.0 >= density)?;
    let (b, a) = (SINGLE_FILE[above], SINGLE_FILE[above.saturating_sub(1)]);
    if above == 0 {
        return (density >= b.0 - 0.1).then_some((b.1, b.3));
    }
    let t = (density - a.0) / (b.0 - a.0);
    Some((a.1 + (b.1 - a.1) * t, a.3 + (b.3 - a.3) * t))
}

/// Corbetta's band for stairs (RiMEA 13): lowest and highest usual speed (m/s) at a density (people per
/// m²), going up or down.
pub fn stair_band(density: f64, up: bool) -> (f64, f64) {
    let r = density;
    let (fast, slow, fast_spread, slow_spread) = if up {
        (0.18 * r * r - 0.55 * r + 1.02, 0.01 * r + 0.48, 0.35 - 0.14 * r, 0.10 - 0.02 * r)
    } else {
        (0.33 * r * r - 1.02 * r + 1.39, 0.67 - 0.08 * r, 0.29 - 0.11 * r, 0.14 - 0.06 * r)
    };
    let (fs, ss) = (fast_spread.max(0.0), slow_spread.max(0.0));
    ((fast - fs).min(slow - ss), (fast + fs).max(slow + ss))
}

/// Mean walking speed (m/s) by age (years), Weidmann as RiMEA uses it; the band is 20 % about it.
pub const SPEED_BY_AGE: [(u32, f64); 8] =
    [(10, 1.2), (20, 1.61), (30, 1.54), (40, 1.48), (50, 1.41), (60, 1.27), (70, 1.07), (80, 0.68)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weidmann_has_its_tabulated_values() {
        for (density, speed) in [(0.5, 1.298), (1.0, 1.058), (1.75, 0.700), (4.0, 0.156)] {
            assert!((weidmann(density) - speed).abs() < 6e-4, "{density}");
        }
        assert_eq!(weidmann(6.0), 0.0);
    }

    #[test]
    fn bands_hold_their_own_points() {
        for (_, series) in BOTTLENECK_SERIES {
            for (width, flow) in series {
                let (low, high) = bottleneck_spread(*width);
                assert!((low..=high).contains(flow));
            }
        }
        assert_eq!(single_file_band(0.5), Some((0.708, 1.389)));
        let (low, high) = single_file_band(0.6).expect("between rows");
        assert!((low - 0.653).abs() < 1e-9 && (high - 1.347).abs() < 1e-9);
        assert_eq!(single_file_band(5.0), None);
    }
}
