//! Colours laid on bodies.

use throng_gpu::{Buffer, GpuError, Pool};

use crate::cull::CLASSES;

/// Colours laid on bodies: sRGB, and how much they cover of the body's own.
#[derive(Clone, Copy, Debug)]
pub enum Tint<'a> {
    /// None: bodies have their own colours.
    None,
    /// One for each agent, in the order of the instances; those beyond the list have their own.
    Agents(&'a [[u8; 4]]),
    /// One for each class of detail.
    Classes([[u8; 4]; CLASSES]),
}

/// Words before the colours of agents: how many there are, then the colours of the classes.
const HEAD: usize = 1 + CLASSES;

/// Tints on the GPU: `tints` in `crowd.wgsl`.
#[derive(Debug)]
pub(crate) struct TintBuffer {
    pub(crate) words: Buffer,
}

impl TintBuffer {
    pub(super) fn new(pool: &Pool) -> Result<Self, GpuError> {
        Ok(Self { words: pool.array_of("tints", &[0_u32; HEAD])? })
    }

    /// Whether the buffer is another one now.
    pub(super) fn write(&mut self, pool: &Pool, tint: Tint<'_>) -> Result<bool, GpuError> {
        let (agents, classes) = match tint {
            Tint::None => (&[][..], [[0; 4]; CLASSES]),
            Tint::Agents(agents) => (agents, [[0; 4]; CLASSES]),
            Tint::Classes(classes) => (&[][..], classes),
        };
        let grown = pool.grow(&mut self.words, 4 * (HEAD + agents.len()) as u64)?;
        let mut head = [agents.len() as u32; HEAD];
        for (word, colour) in head[1..].iter_mut().zip(classes) {
            *word = u32::from_le_bytes(colour);
        }
        pool.gpu().write(&self.words, 0, &head);
        pool.gpu().write(&self.words, 4 * HEAD as u64, agents);
        Ok(grown)
    }
}
