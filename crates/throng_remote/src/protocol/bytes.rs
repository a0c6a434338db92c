//! Little-endian numbers in and out of byte strings, with every bound checked.

/// Reads numbers off the front of a byte string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    pub(super) fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }
}

/// A number of as few bytes as it needs, seven bits in each, the lowest first.
pub(super) fn write_varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn read_varint(from: &mut Reader<'_>) -> Option<u32> {
    let mut value = 0_u32;
    for shift in [0, 7, 14, 21, 28] {
        let byte = from.u8()?;
        let bits = u32::from(byte & 0x7f);
        if shift == 28 && bits > 0xf {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Two running sums over words of 32 bits: whatever of a message is missing, mixed or moved changes it.
pub(super) fn checksum(parts: &[&[u8]]) -> [u32; 2] {
    let (mut a, mut b) = (1_u32, 0_u32);
    for part in parts {
        let mut words = part.chunks_exact(4);
        for word in &mut words {
            a = a.wrapping_add(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            b = b.wrapping_add(a);
        }
        for &byte in words.remainder() {
            a = a.wrapping_add(u32::from(byte));
            b = b.wrapping_add(a);
        }
    }
    [a, b]
}
