//! Round numbers for ticks, contour lines and scale bars: 1, 2 or 5 times a power of ten.

const ROUND: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
/// Tolerance for sums that should be whole.
const SLACK: f64 = 1e-9;
/// Numbers from here on are written with an exponent.
const LARGE: f64 = 1e6;
/// Decimals beyond which numbers are written with an exponent.
const MOST_DECIMALS: i32 = 4;

/// The smallest round number that divides `range` into at most `most` parts. A range that is not
/// positive and finite gives 1.
pub fn round_step(range: f64, most: usize) -> f64 {
    let least = range / most.max(1) as f64;
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    let step = ROUND.iter().find(|&&r| r * power >= least * (1.0 - SLACK));
    step.unwrap_or(&ROUND[3]) * power
}

/// The largest round number that is not above `limit` (positive).
pub fn round_below(limit: f64) -> f64 {
    let power = 10f64.powi(limit.log10().floor() as i32);
    let step = ROUND.iter().rev().find(|&&r| r * power <= limit * (1.0 + SLACK));
    step.unwrap_or(&ROUND[0]) * power
}

/// How many small steps make a large one, so that the large one is round too: 1→5, 2→10, 5→20.
pub fn steps_per_major(step: f64) -> i64 {
    let mantissa = step / 10f64.powi((step.log10() + SLACK).floor() as i32);
    if (mantissa - 5.0).abs() < 0.5 { 4 } else { 5 }
}

/// Multiples of `step` from `low` to `high`, as whole numbers of steps.
pub fn multiples(low: f64, high: f64, step: f64) -> std::ops::RangeInclusive<i64> {
    (low / step - SLACK).ceil() as i64..=(high / step + SLACK).floor() as i64
}

/// A value as text, with the decimals that steps of `step` need.
pub fn format(value: f64, step: f64) -> String {
    let decimals = (-(step.abs().log10() + SLACK).floor()) as i32;
    if value != 0.0 && (value.abs() >= LARGE || decimals > MOST_DECIMALS) {
        return exponent(value);
    }
    let text = format!("{value:.*}", decimals.max(0) as usize);
    // Rounding may leave a minus before nothing.
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        _ => text,
    }
}

/// Three significant digits and an exponent, without trailing zeros: `1.25e7`.
fn exponent(value: f64) -> String {
    let text = format!("{value:.2e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits}e{exponent}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_round(step: f64) -> bool {
        let mantissa = step / 10f64.powi((step.log10() + SLACK).floor() as i32);
        [1.0, 2.0, 5.0].iter().any(|r| (mantissa - r).abs() < 1e-6)
    }

    /// Readers take the numbers in with one look only if they are round.
    #[test]
    fn steps_are_round_and_not_too_many() {
        for exponent in -80..80 {
            let range = 1.37f64.powi(exponent);
            for most in [1, 3, 8, 40] {
                let step = round_step(range, most);
                assert!(is_round(step), "{range} {most} {step}");
                assert!(is_round(step * steps_per_major(step) as f64));
                let count = multiples(0.0, range, step).count() - 1;
                assert!(count <= most && count * 6 >= most - 1, "{range} {most} {count}");
                let below = round_below(range);
                assert!(is_round(below) && below <= range * 1.0001 && below * 2.6 > range);
            }
        }
    }

    #[test]
    fn odd_ranges_give_some_step() {
        for range in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_step(range, 8), 1.0);
        }
        assert!(round_step(f64::from(f32::MAX), 8).is_finite());
        assert!(round_step(1e-45, 8) > 0.0);
    }

    #[test]
    fn numbers_have_the_decimals_they_need() {
        assert_eq!(format(30.0, 10.0), "30");
        assert_eq!(format(0.6000001, 0.2), "0.6");
        assert_eq!(format(1234.5678, 0.01), "1234.57");
        assert_eq!(format(-0.001, 1.0), "0");
        assert_eq!(format(2.5e7, 5e6), "2.5e7");
        assert_eq!(format(0.0, 1e-7), "0.0000000");
        assert_eq!(format(3e-7, 1e-7), "3e-7");
    }
}
