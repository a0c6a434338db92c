//! One frame of a crowd, borrowed.

use crate::RecordError;
use glam::Vec2;

/// Everybody at one moment: slices of equal length, in any order of ids. People may come and go
/// from one frame to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgentFrame<'a> {
    /// Steps since the start of the run.
    pub step: u64,
    /// Simulated time (seconds).
    pub time: f64,
    /// Who; no id twice in a frame.
    pub ids: &'a [u32],
    /// Where (metres).
    pub x: &'a [f32],
    /// Where (metres).
    pub y: &'a [f32],
    /// Velocity (metres per second).
    pub vx: &'a [f32],
    /// Velocity (metres per second).
    pub vy: &'a [f32],
    /// Index of the group.
    pub group: &'a [u8],
    /// Index of the action.
    pub action: &'a [u8],
    /// Radius (metres).
    pub radius: &'a [f32],
}

impl AgentFrame<'_> {
    /// How many people there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Position of the agent at index `i`.
    pub fn position(&self, i: usize) -> Vec2 {
        Vec2::new(self.x[i], self.y[i])
    }

    /// Velocity of the agent at index `i`.
    pub fn velocity(&self, i: usize) -> Vec2 {
        Vec2::new(self.vx[i], self.vy[i])
    }

    /// Checks that all slices have one length.
    ///
    /// # Errors
    /// Names the slice that does not.
    pub fn check_lengths(&self) -> Result<(), RecordError> {
        let n = self.ids.len();
        let lengths = [
            ("x", self.x.len()),
            ("y", self.y.len()),
            ("vx", self.vx.len()),
            ("vy", self.vy.len()),
            ("group", self.group.len()),
            ("action", self.action.len()),
            ("radius", self.radius.len()),
        ];
        match lengths.into_iter().find(|(_, length)| *length != n) {
            None => Ok(()),
            Some((name, length)) => Err(RecordError::BadFrame {
                step: self.step,
                cause: format!("{n} ids but {length} values of {name}"),
            }),
        }
    }

    /// Checks lengths, and that every number is finite.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        self.check_lengths()?;
        for (name, values) in [("x", self.x), ("y", self.y), ("vx", self.vx), ("vy", self.vy)] {
            // A sum is not finite if any of its parts is not, and takes no branches.
            let all: f32 = values.iter().map(|v| v * 0.0).sum();
            if all != 0.0 {
                let at = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
                let cause = format!("{name} of agent {} is {}", self.ids[at], values[at]);
                return Err(RecordError::BadFrame { step: self.step, cause });
            }
        }
        Ok(())
    }
}
