//! The vector kernel against the obvious loop: the same bits in every vector width.

use super::kernel::{ALL_BLOCKS, Mode, Sweep, Swept};
use super::shear::{
    BANDS, Side, TILE_H, TILE_LEN, TILE_W, flip, read_row, row_steps_mut, write_row,
};
use crate::solve::update::{UNREACHED, godunov};
use pulp::{Simd, WithSimd};

fn hash(x: u64) -> u64 {
    let x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

fn unit(x: u64) -> f32 {
    (hash(x) >> 40) as f32 / (1u64 << 24) as f32
}

/// A tile with its halo in row order: row 0 and column 0 are halo.
const W: usize = TILE_W + 2;
const H: usize = TILE_H + 2;

struct Tile {
    phi: Vec<f32>,
    cost: Vec<f32>,
}

fn random_tile(seed: u64) -> Tile {
    let share = [0.0, 0.1, 0.4][seed as usize % 3];
    let cost = (0..W * H).map(|i| {
        let at = seed * 1_000_003 + i as u64;
        if unit(at) < share { f32::INFINITY } else { 10f32.powf(4.0 * unit(at ^ 0xABCD) - 2.0) }
    });
    let phi = (0..W * H).map(|i| {
        let at = seed * 7_000_003 + i as u64;
        if hash(at).is_multiple_of(9) { unit(at) * 1000.0 } else { UNREACHED }
    });
    Tile { phi: phi.collect(), cost: cost.collect() }
}

/// One sweep in row order, the obvious way.
fn reference(tile: &mut Tile, forward: bool) -> bool {
    let mut changed = false;
    for i in 0..TILE_W * TILE_H {
        let i = if forward { i } else { TILE_W * TILE_H - 1 - i };
        let at = (i / TILE_W + 1) * W + i % TILE_W + 1;
        let a = tile.phi[at - 1].min(tile.phi[at + 1]);
        let b = tile.phi[at - W].min(tile.phi[at + W]);
        let u = godunov(a, b, tile.cost[at]);
        if u < tile.phi[at] {
            tile.phi[at] = u;
            changed = true;
        }
    }
    changed
}

struct Sheared {
    phi: Vec<f32>,
    cost: Vec<f32>,
    above: [f32; W],
    below: [f32; W],
}

fn shear(tile: &Tile) -> Sheared {
    let mut sheared = Sheared {
        phi: vec![UNREACHED; TILE_LEN],
        cost: vec![f32::INFINITY; TILE_LEN],
        above: *tile.phi[..W].as_array().unwrap(),
        below: *tile.phi[(H - 1) * W..].as_array().unwrap(),
    };
    for row in 0..TILE_H {
        let values = &tile.phi[(row + 1) * W..][..W];
        write_row(&mut sheared.phi, row, &values[1..=TILE_W], |v| v);
        write_row(&mut sheared.cost, row, &tile.cost[(row + 1) * W + 1..][..TILE_W], |v| v);
        let (steps, lane) = row_steps_mut(&mut sheared.phi, row);
        steps[0][lane] = values[0];
        steps[TILE_W + 1][lane] = values[TILE_W + 1];
    }
    sheared
}

fn unshear(phi: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; TILE_W * TILE_H];
    for (row, values) in out.chunks_exact_mut(TILE_W).enumerate() {
        read_row(phi, row, values);
    }
    out
}

/// Sweeps to and fro with one vector width until nothing changes, comparing with the reference.
fn compare<S: Simd>(simd: S, name: &str, seed: u64) {
    let mut tile = random_tile(seed);
    let mut sheared = shear(&tile);
    let mut dirty = [ALL_BLOCKS; BANDS];
    for sweep in 0..40 {
        let forward = sweep % 2 == 0;
        let job = Sweep {
            phi: &mut sheared.phi,
            cost: &sheared.cost,
            above: &sheared.above,
            below: &sheared.below,
            forward,
            dirty,
            mode: Mode::Lower,
        };
        let swept: Swept = simd.vectorize(Boxed(job));
        let changed = reference(&mut tile, forward);
        assert_eq!(swept.changed, changed, "{name}, seed {seed}, sweep {sweep}");
        let expected: Vec<f32> = tile
            .phi
            .chunks_exact(W)
            .skip(1)
            .take(TILE_H)
            .flat_map(|row| row[1..=TILE_W].to_vec())
            .collect();
        // Bit for bit, though clean blocks were passed over.
        assert!(unshear(&sheared.phi) == expected, "{name}, seed {seed}, sweep {sweep}");
        dirty = swept.dirty;
        assert_eq!(dirty == [0; BANDS], !changed, "{name}, seed {seed}, sweep {sweep}");
        if !changed {
            return;
        }
    }
}

struct Boxed<'a>(Sweep<'a>);

impl WithSimd for Boxed<'_> {
    type Output = Swept;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Swept {
        self.0.with_simd(simd)
    }
}

/// If one vector width were off, results would depend on the machine.
#[test]
fn every_vector_width_gives_the_reference_bits() {
    for seed in 0..60 {
        compare(pulp::Scalar::new(), "one lane", seed);
        compare(pulp::Scalar128b, "4 portable lanes", seed);
        compare(pulp::Scalar256b, "8 portable lanes", seed);
        compare(pulp::Scalar512b, "16 portable lanes", seed);
    }
    #[cfg(target_arch = "x86_64")]
    {
        match pulp::x86::V3::try_new() {
            Some(simd) => (0..300).for_each(|seed| compare(simd, "AVX2", seed)),
            None => println!("not run: this machine has no AVX2"),
        }
        match pulp::x86::V4::try_new() {
            Some(simd) => (0..300).for_each(|seed| compare(simd, "AVX-512", seed)),
            None => println!("not run: this machine has no AVX-512"),
        }
    }
}

/// A tile that is turned over twice is what it was; turned once, its rows are in reverse.
#[test]
fn turning_over_is_its_own_inverse() {
    let sheared = shear(&random_tile(5));
    let (mut once, mut twice) = (vec![UNREACHED; TILE_LEN], vec![UNREACHED; TILE_LEN]);
    flip(&sheared.phi, &mut once);
    flip(&once, &mut twice);
    assert!(unshear(&twice) == unshear(&sheared.phi));
    let mut row = [0.0; TILE_W];
    let mut other = [0.0; TILE_W];
    for y in 0..TILE_H {
        read_row(&sheared.phi, y, &mut row);
        read_row(&once, Side::Flipped.row(y), &mut other);
        assert_eq!(row, other);
    }
}
