//! The stage once more, slowly: one agent and one neighbour at a time, all pairs, in double
//! precision, written after the description of the models and not after the kernels.
//!
//! Choices (who is near enough, which direction is best) can fall either way where two numbers are
//! equal but for rounding. The reference says when a choice was that close ([`Judge`]), and the tests
//! leave such agents out and check that they are few.

mod decision;
mod list;
mod tests;

/// Makes choices, and remembers whether any was too close to call.
#[derive(Debug, Default)]
struct Judge {
    doubt: bool,
}

impl Judge {
    /// Whether a < b, for numbers of about the size of `scale`. Numbers that are equal without any
    /// rounding are no matter of doubt.
    fn below(&mut self, a: f64, b: f64, scale: f64) -> bool {
        self.doubt |= a != b && (a - b).abs() <= 1e-5 * scale;
        a < b
    }
}
