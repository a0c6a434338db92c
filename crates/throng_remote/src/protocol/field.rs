//! Fields: numbers on the ground as a texture of bytes.

use super::bytes::Reader;
use super::tag;
use serde::{Deserialize, Serialize};

/// The byte of a cell that has no number.
pub const NOTHING: u8 = 0;

/// What the numbers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// People per square metre.
    Density,
    /// Mean speed (metres per second).
    Speed,
    /// Cost of the way to a goal.
    Potential,
    /// Seconds for which those who are there have stood, on average.
    Waiting,
}

impl FieldKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Density, Self::Speed, Self::Potential, Self::Waiting];

    fn code(self) -> u8 {
        self as u8
    }
}

/// A field at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What the numbers say.
    pub kind: FieldKind,
    /// The crowd's step.
    pub step: u64,
    /// Cells across and down.
    pub size: [u32; 2],
    /// The corner of least x and y (metres).
    pub origin: [f32; 2],
    /// Side of a cell (metres).
    pub cell: f32,
    /// The number of byte 1, and that of byte 255.
    pub range: [f32; 2],
    /// Cells row by row from the least y; [`NOTHING`] where there is none.
    pub cells: Vec<u8>,
}

impl Field {
    /// Bytes from numbers; what is not finite is nothing.
    #[must_use]
    pub fn quantise(values: impl Iterator<Item = f32>, [low, high]: [f32; 2]) -> Vec<u8> {
        let range = (high - low).max(1e-9);
        let code = |value: f32| 1 + (((value - low) / range).clamp(0.0, 1.0) * 254.0 + 0.5) as u8;
        values.map(|value| if value.is_finite() { code(value) } else { NOTHING }).collect()
    }

    /// The message.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![tag::FIELD, super::VERSION as u8, self.kind.code(), 0];
        out.extend(self.step.to_le_bytes());
        self.size.iter().for_each(|n| out.extend(n.to_le_bytes()));
        for number in [self.origin[0], self.origin[1], self.cell, self.range[0], self.range[1]] {
            out.extend(number.to_le_bytes());
        }
        out.extend_from_slice(&self.cells);
        out
    }

    /// Reads a message; `None` if it is none.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader(bytes);
        let (kind, version) = (r.u8()?, r.u8()?);
        if kind != tag::FIELD || u32::from(version) != super::VERSION {
            return None;
        }
        let code = r.u8()?;
        let kind = FieldKind::ALL.into_iter().find(|kind| kind.code() == code)?;
        r.u8()?;
        let step = r.u64()?;
        let size = [r.u32()?, r.u32()?];
        let origin = [r.f32()?, r.f32()?];
        let (cell, range) = (r.f32()?, [r.f32()?, r.f32()?]);
        let count = (size[0] as usize).checked_mul(size[1] as usize)?;
        (r.0.len() == count).then(|| Self {
            kind,
            step,
            size,
            origin,
            cell,
            range,
            cells: r.0.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_survives_the_way() {
        let values = [0.0, 1.0, 2.0, f32::NAN, f32::INFINITY, 4.0];
        let cells = Field::quantise(values.into_iter(), [0.0, 4.0]);
        assert_eq!(cells, [1, 65, 128, 0, 0, 255]);
        let field = Field {
            kind: FieldKind::Waiting,
            step: 9,
            size: [3, 2],
            origin: [1.0, 2.0],
            cell: 0.5,
            range: [0.0, 4.0],
            cells,
        };
        let bytes = field.bytes();
        assert_eq!(Field::decode(&bytes), Some(field));
        assert_eq!(Field::decode(&bytes[..bytes.len() - 1]), None);
    }
}
