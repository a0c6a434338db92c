//! The local rule that every solver shares: the first-order upwind (Godunov) update of one cell.

/// A potential no solution reaches: stands for "not reached yet" inside the solvers. It is finite, so
/// that differences of two such values are numbers, and its square is finite in `f32`.
pub(crate) const UNREACHED: f32 = 1e18;

/// Potential of a cell with step cost `f` (cost times cell size) whose smaller horizontal neighbour
/// is `a` and smaller vertical neighbour is `b`.
///
/// The greater root of `(u - a)² + (u - b)² = f²`; where the root would lie below a neighbour
/// (`|a - b| >= f`) the front comes along one axis, and `u = min(a, b) + f`. Rouy and Tourin 1992,
/// eq. 3.5; `froblins` section 1. No fused operations, so that every instruction set gives the same bits.
#[inline(always)]
pub(crate) fn godunov(a: f32, b: f32, f: f32) -> f32 {
    let d = a - b;
    let d2 = d * d;
    let f2 = f * f;
    let both = ((a + b) + (f2 + f2 - d2).sqrt()) * 0.5;
    let one = if a < b { a } else { b } + f;
    if d2 < f2 { both } else { one }
}
