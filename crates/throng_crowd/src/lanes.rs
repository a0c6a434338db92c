//! Eight `f32` at a time, by whatever the processor has.
//!
//! Kernels are written once over [`Lanes`] and compiled twice: with AVX2, and in plain loops for
//! every other processor. Both do the same operations in the same order without fusing any, so the
//! results are the same bits.

#[cfg(test)]
mod reference;

/// Lanes in a vector.
pub(crate) const WIDTH: usize = 8;

/// Operations on vectors of [`WIDTH`] numbers.
pub(crate) trait Lanes: Copy {
    /// Eight numbers.
    type F: Copy;
    /// Eight yes or no.
    type M: Copy;

    fn splat(self, v: f32) -> Self::F;
    fn lanes_of(self, a: [f32; WIDTH]) -> Self::F;
    fn array_of(self, a: Self::F) -> [f32; WIDTH];
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    /// The lesser; `b` where either is no number.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The greater; `b` where either is no number.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// Whether a < b.
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a` where the mask holds, else `b`.
    fn select(self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// A bit per lane.
    fn bits(self, mask: Self::M) -> u32;
    /// Writes the lanes whose bit is set side by side to `out` from `at` on; what follows them within
    /// a vector's length is overwritten too.
    fn compress(self, a: Self::F, bits: u32, out: &mut [f32], at: usize);
    /// The least of the lanes, none of which may be NaN; either zero where both are least.
    fn least(self, a: Self::F) -> f32;
    /// The first lane that holds the least; no lane may be NaN.
    fn first_least(self, a: Self::F) -> usize;

    /// Numbers from `at`; the slice must be padded so that they exist.
    #[inline(always)]
    fn load(self, from: &[f32], at: usize) -> Self::F {
        let mut a = [0.0; WIDTH];
        a.copy_from_slice(&from[at..at + WIDTH]);
        self.lanes_of(a)
    }
}

/// Plain loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

macro_rules! lanewise {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $zero:expr, |$i:ident| $body:expr;)*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $ty),*) -> $out {
            let mut out = [$zero; WIDTH];
            let mut $i = 0;
            while $i < WIDTH {
                out[$i] = $body;
                $i += 1;
            }
            out
        })*
    };
}

impl Lanes for Portable {
    type F = [f32; WIDTH];
    type M = [bool; WIDTH];

    lanewise! {
        splat(v: f32) -> [f32; WIDTH] = 0.0, |_i| v;
        add(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| a[i] + b[i];
        sub(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| a[i] - b[i];
        mul(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| a[i] * b[i];
        div(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| a[i] / b[i];
        sqrt(a: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| a[i].sqrt();
        min(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| if a[i] < b[i] { a[i] } else { b[i] };
        max(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| if a[i] > b[i] { a[i] } else { b[i] };
        lt(a: [f32; WIDTH], b: [f32; WIDTH]) -> [bool; WIDTH] = false, |i| a[i] < b[i];
        both(a: [bool; WIDTH], b: [bool; WIDTH]) -> [bool; WIDTH] = false, |i| a[i] & b[i];
        select(mask: [bool; WIDTH], a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] = 0.0, |i| if mask[i] { a[i] } else { b[i] };
    }

    #[inline(always)]
    fn lanes_of(self, a: [f32; WIDTH]) -> Self::F {
        a
    }

    #[inline(always)]
    fn array_of(self, a: Self::F) -> [f32; WIDTH] {
        a
    }

    #[inline(always)]
    fn bits(self, mask: Self::M) -> u32 {
        let mut bits = 0;
        let mut i = 0;
        while i < WIDTH {
            bits |= u32::from(mask[i]) << i;
            i += 1;
        }
        bits
    }

    #[inline(always)]
    fn compress(self, a: Self::F, bits: u32, out: &mut [f32], at: usize) {
        let out = &mut out[at..at + WIDTH];
        let mut n = 0;
        let mut i = 0;
        while i < WIDTH {
            out[n & (WIDTH - 1)] = a[i];
            n += (bits >> i & 1) as usize;
            i += 1;
        }
    }

    #[inline(always)]
    fn least(self, a: Self::F) -> f32 {
        a[self.first_least(a)]
    }

    #[inline(always)]
    fn first_least(self, a: Self::F) -> usize {
        let mut least = 0;
        let mut i = 1;
        while i < WIDTH {
            if a[i] < a[least] {
                least = i;
            }
            i += 1;
        }
        least
    }
}

/// A kernel that runs on any lanes.
pub(crate) trait Kernel {
    fn run<L: Lanes>(self, lanes: L);
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Kernel, Lanes, WIDTH};
    use core::arch::x86_64::{__m256, _CMP_EQ_OQ, _CMP_LT_OQ};
    use pulp::x86::V3;

    impl Lanes for V3 {
        type F = __m256;
        type M = __m256;

        #[inline(always)]
        fn splat(self, v: f32) -> __m256 {
            self.avx._mm256_set1_ps(v)
        }
        #[inline(always)]
        fn lanes_of(self, a: [f32; WIDTH]) -> __m256 {
            pulp::cast(a)
        }
        #[inline(always)]
        fn array_of(self, a: __m256) -> [f32; WIDTH] {
            pulp::cast(a)
        }
        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_add_ps(a, b)
        }
        #[inline(always)]
        fn sub(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_sub_ps(a, b)
        }
        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_mul_ps(a, b)
        }
        #[inline(always)]
        fn div(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_div_ps(a, b)
        }
        #[inline(always)]
        fn sqrt(self, a: __m256) -> __m256 {
            self.avx._mm256_sqrt_ps(a)
        }
        #[inline(always)]
        fn min(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_min_ps(a, b)
        }
        #[inline(always)]
        fn max(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_max_ps(a, b)
        }
        #[inline(always)]
        fn lt(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
        }
        #[inline(always)]
        fn both(self, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_and_ps(a, b)
        }
        #[inline(always)]
        fn select(self, mask: __m256, a: __m256, b: __m256) -> __m256 {
            self.avx._mm256_blendv_ps(b, a, mask)
        }
        #[inline(always)]
        fn bits(self, mask: __m256) -> u32 {
            self.avx._mm256_movemask_ps(mask) as u32
        }
        #[inline(always)]
        fn compress(self, a: __m256, bits: u32, out: &mut [f32], at: usize) {
            let lanes = pulp::cast(PACKED[bits as usize & 255]);
            let packed = self.avx2._mm256_permutevar8x32_ps(a, lanes);
            out[at..at + WIDTH].copy_from_slice(&self.array_of(packed));
        }
        #[inline(always)]
        fn least(self, a: __m256) -> f32 {
            self.array_of(spread_least(self, a))[0]
        }
        #[inline(always)]
        fn first_least(self, a: __m256) -> usize {
            let least = spread_least(self, a);
            let here = self.avx._mm256_cmp_ps::<_CMP_EQ_OQ>(a, least);
            self.bits(here).trailing_zeros() as usize & (WIDTH - 1)
        }
    }

    /// For each mask, the lanes that are set, one after the other.
    static PACKED: [[u32; WIDTH]; 256] = packed();

    const fn packed() -> [[u32; WIDTH]; 256] {
        let mut table = [[0; WIDTH]; 256];
        let mut bits = 0;
        while bits < 256 {
            let (mut n, mut i) = (0, 0);
            while i < WIDTH {
                if bits >> i & 1 == 1 {
                    table[bits][n] = i as u32;
                    n += 1;
                }
                i += 1;
            }
            bits += 1;
        }
        table
    }

    /// The least lane in all lanes.
    #[inline(always)]
    fn spread_least(simd: V3, a: __m256) -> __m256 {
        let a = simd.avx._mm256_min_ps(a, simd.avx._mm256_permute2f128_ps::<1>(a, a));
        let a = simd.avx._mm256_min_ps(a, simd.avx._mm256_permute_ps::<0b01_00_11_10>(a));
        simd.avx._mm256_min_ps(a, simd.avx._mm256_permute_ps::<0b10_11_00_01>(a))
    }

    pub(super) struct OnAvx2<K>(pub(super) K, pub(super) V3);

    impl<K: Kernel> pulp::NullaryFnOnce for OnAvx2<K> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            self.0.run(self.1);
        }
    }
}

/// Which lanes a processor offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// AVX2, where the processor has it.
    Best,
    /// Plain loops everywhere.
    #[cfg_attr(not(test), allow(dead_code))]
    Portable,
}

/// Runs a kernel on the lanes asked for.
#[inline]
pub(crate) fn dispatch<K: Kernel>(isa: Isa, kernel: K) {
    #[cfg(target_arch = "x86_64")]
    if isa == Isa::Best
        && let Some(simd) = pulp::x86::V3::try_new()
    {
        return simd.vectorize(avx2::OnAvx2(kernel, simd));
    }
    let _ = isa;
    kernel.run(Portable);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums<'a>(&'a [f32], &'a mut Vec<f32>);

    impl Kernel for Sums<'_> {
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) {
            let (a, b) = (l.load(self.0, 0), l.load(self.0, 3));
            let sum = l.add(l.mul(a, b), l.div(a, l.splat(3.0)));
            let root = l.sqrt(l.max(sum, l.splat(0.0)));
            let mask = l.both(l.lt(a, b), l.lt(l.splat(0.5), b));
            self.1.extend(l.array_of(l.select(mask, root, l.min(a, b))));
            self.1.push(l.bits(mask) as f32);
            self.1.push(l.first_least(sum) as f32);
            self.1.push(l.least(sum));
            let kept = l.bits(mask);
            let mut out = [0.0; WIDTH];
            l.compress(a, kept, &mut out, 0);
            self.1.extend_from_slice(&out[..kept.count_ones() as usize]);
        }
    }

    /// If this fails, results would differ from one processor to the next.
    #[test]
    fn both_widths_give_the_same_bits() {
        for seed in 0..200 {
            let from: Vec<f32> =
                (0..11).map(|i| ((seed * 31 + i * 17) % 23) as f32 * 0.37 - 3.0).collect();
            let (mut best, mut plain) = (Vec::new(), Vec::new());
            dispatch(Isa::Best, Sums(&from, &mut best));
            dispatch(Isa::Portable, Sums(&from, &mut plain));
            let bits = |v: &[f32]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&best), bits(&plain));
        }
    }
}
