//! Decimal numbers, fast: two million lines a second of simulated time leave no room for the
//! general formatter.

/// Appends a whole number.
pub(super) fn push_whole(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = value;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a finite number with four decimals: a tenth of a millimetre.
pub(super) fn push_fixed(out: &mut Vec<u8>, value: f64) {
    const SCALE: f64 = 10_000.0;
    const WIDEST: f64 = 9e18;
    let scaled = (value * SCALE).round();
    if scaled.abs() > WIDEST {
        out.extend_from_slice(format!("{value:.4}").as_bytes());
        return;
    }
    let scaled = scaled as i64;
    if scaled < 0 {
        out.push(b'-');
    }
    let magnitude = scaled.unsigned_abs();
    push_whole(out, magnitude / SCALE as u64);
    let part = (magnitude % SCALE as u64) as u16;
    let digit = |by: u16| b'0' + (part / by % 10) as u8;
    out.extend_from_slice(&[b'.', digit(1000), digit(100), digit(10), digit(1)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fixed(value: f64) -> String {
        let mut out = Vec::new();
        push_fixed(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_read_as_written() {
        assert_eq!(fixed(0.0), "0.0000");
        assert_eq!(fixed(-0.000_01), "0.0000");
        assert_eq!(fixed(-12.5), "-12.5000");
        assert_eq!(fixed(0.99996), "1.0000");
        assert_eq!(fixed(3e30).parse::<f64>().unwrap(), 3e30);
    }

    proptest! {
        #[test]
        fn nothing_is_off_by_more_than_the_last_digit(value in -1e5f64..1e5, whole: u64) {
            let read: f64 = fixed(value).parse().unwrap();
            prop_assert!((read - value).abs() <= 0.500_001e-4);
            let mut out = Vec::new();
            push_whole(&mut out, whole);
            prop_assert_eq!(String::from_utf8(out).unwrap(), whole.to_string());
        }
    }
}
