//! Draw: clumps as billboards, bent, lit at their vertices, cut out by coverage.
//!
//! Takes the lists of [`cull`](super::cull); draws flat quads near by, one facing quad far away, and the lattice of
//! those that part around bodies. A clump goes from three quads to one over some metres and from quad to lattice in
//! a fifth of a second, so that nothing pops. Alpha becomes coverage of samples: no order is needed.

mod pass;

pub(crate) use pass::{Drawn, GrassPass, Grown};

use throng_gpu::{Def, Defs, Shader};

use super::lattice::{COLUMNS, FREE, ROWS};
use super::sow::{CROSSED, OFFSET_UNIT, SIZE_UNIT};

/// Indices of a clump in each form.
pub(crate) const FLAT_INDICES: u32 = CROSSED * 6;
pub(crate) const FAR_INDICES: u32 = 6;
pub(crate) const LATTICE_INDICES: u32 = CROSSED * (ROWS - 1) * (COLUMNS - 1) * 6;

pub(crate) const DEFS: Defs = &[
    ("CROSSED", Def::Number(CROSSED)),
    ("SIZE_UNIT", Def::Number(SIZE_UNIT)),
    ("OFFSET_UNIT", Def::Number(OFFSET_UNIT)),
    ("FREE", Def::Number(FREE)),
    ("SIDE", Def::Number(super::atlas::SIDE as u32)),
];

pub(crate) const SHADER: Shader =
    Shader { name: "grass", source: include_str!("grass.wgsl"), variants: &[DEFS] };

/// Indices of the quads of a clump: four corners each, row by row.
pub(crate) fn quads(count: u32) -> Vec<u32> {
    (0..count).flat_map(|k| [0, 1, 2, 2, 1, 3].map(|i| k * 4 + i)).collect()
}

/// Indices of the lattices of a clump.
pub(crate) fn lattices() -> Vec<u32> {
    let mut all = Vec::new();
    for k in 0..CROSSED {
        for i in 0..ROWS - 1 {
            for j in 0..COLUMNS - 1 {
                let at = (k * ROWS + i) * COLUMNS + j;
                all.extend([0, 1, COLUMNS, COLUMNS, 1, COLUMNS + 1].map(|d| at + d));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{FLAT_INDICES, LATTICE_INDICES, lattices, quads};

    /// If this fails, parts of a clump are missing or drawn twice.
    #[test]
    fn indices_cover_all_quads() {
        assert_eq!(quads(3).len() as u32, FLAT_INDICES);
        assert_eq!(lattices().len() as u32, LATTICE_INDICES);
        assert_eq!(LATTICE_INDICES / 6, 18, "six quads to a billboard");
        let all: std::collections::HashSet<_> = lattices().into_iter().collect();
        assert_eq!(all.len(), 36);
    }
}
