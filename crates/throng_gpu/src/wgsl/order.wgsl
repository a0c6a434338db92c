// Floats compared as whole numbers: exact, the same on every device, whatever it does to
// zeros with a sign and to numbers too small to be normal.

/// Bits of a float as a number of the same order: -0 before +0.
fn ordered_bits(bits: u32) -> u32 {
    let mask = select(0x80000000u, 0xffffffffu, (bits & 0x80000000u) != 0u);
    return bits ^ mask;
}

/// Back from `ordered_bits`.
fn float_bits(ordered: u32) -> u32 {
    let mask = select(0xffffffffu, 0x80000000u, (ordered & 0x80000000u) != 0u);
    return ordered ^ mask;
}

/// Whether these are the bits of no number.
fn is_nan_bits(bits: u32) -> bool {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

/// `ordered_bits` of plus and minus infinity.
const ORDERED_INFINITY: u32 = 0xff800000u;
const ORDERED_MINUS_INFINITY: u32 = 0x007fffffu;
