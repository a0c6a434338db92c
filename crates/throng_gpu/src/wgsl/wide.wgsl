// Whole numbers of 64 bits (x the low half, y the high one), and a hash of them.

fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

/// The full product of two halves.
fn mul_halves(a: u32, b: u32) -> vec2<u32> {
    let al = a & 0xffffu;
    let ah = a >> 16u;
    let bl = b & 0xffffu;
    let bh = b >> 16u;
    let low = al * bl;
    let middle = ah * bl + (low >> 16u);
    let other = al * bh + (middle & 0xffffu);
    return vec2<u32>((other << 16u) | (low & 0xffffu), ah * bh + (middle >> 16u) + (other >> 16u));
}

/// The product modulo 2^64.
fn mul_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_halves(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

/// Shifted right by 1 to 31 bits.
fn shift_right_wide(a: vec2<u32>, by: u32) -> vec2<u32> {
    return vec2<u32>((a.x >> by) | (a.y << (32u - by)), a.y >> by);
}

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix_wide(value: vec2<u32>) -> vec2<u32> {
    var z = value;
    z = mul_wide(z ^ shift_right_wide(z, 30u), vec2<u32>(0x1ce4e5b9u, 0xbf58476du));
    z = mul_wide(z ^ shift_right_wide(z, 27u), vec2<u32>(0x133111ebu, 0x94d049bbu));
    return z ^ shift_right_wide(z, 31u);
}

/// The upper 24 bits of a hash, evenly in 0..1.
fn unit_of(hash: vec2<u32>) -> f32 {
    return f32(hash.y >> 8u) * (1.0 / 16777216.0);
}
