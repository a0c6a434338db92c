//! Events: what happened comes back some steps later, without anybody waiting for it.

use throng_gpu::{Buffer, GpuError, Pool, ReadRing};

use super::buffers::TALLY;
use super::constants::Named;
use crate::event::{AgentId, Event, EventKind};

/// Events of a step that are kept. Beyond, they are counted as lost.
pub(crate) const MOST_EVENTS: u32 = 16_384;

/// Words of an event: to whom, what, and its detail.
const WORDS: usize = 3;

/// Where their number is kept.
const HAPPENED: usize = TALLY.len();

/// Words of the buffer for sums and events.
pub(crate) const TALLY_WORDS: usize = HAPPENED + 1 + WORDS * MOST_EVENTS as usize;

/// Steps whose events may be on their way.
const SLOTS: usize = 8;

// In the order in which they happen to an agent.
const GOT_STUCK: u32 = 0;
const GOT_THERE: u32 = 1;
const DOES_ELSE: u32 = 2;
const IS_GONE: u32 = 3;
const IS_DOWN: u32 = 4;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("MOST_EVENTS", MOST_EVENTS.into()),
        ("EVENT_WORDS", (WORDS as u32).into()),
        ("HAPPENED", (HAPPENED as u32).into()),
        ("GOT_STUCK", GOT_STUCK.into()),
        ("GOT_THERE", GOT_THERE.into()),
        ("DOES_ELSE", DOES_ELSE.into()),
        ("IS_GONE", IS_GONE.into()),
        ("IS_DOWN", IS_DOWN.into()),
    ]
}

/// Events on their way back.
#[derive(Debug)]
pub(crate) struct EventRing {
    ring: ReadRing,
    /// Events of all steps that were too many to keep.
    pub(crate) lost: u64,
}

impl EventRing {
    pub(crate) fn new(pool: &Pool) -> Result<Self, GpuError> {
        let bytes = 4 * TALLY_WORDS as u64;
        Ok(Self { ring: ReadRing::new(pool, "events", bytes, SLOTS)?, lost: 0 })
    }

    /// Whether another step finds room; otherwise somebody has to wait.
    pub(crate) fn is_full(&self) -> bool {
        self.ring.under_way() >= SLOTS
    }

    /// Nothing has happened yet.
    pub(crate) fn clear(pool: &Pool, tally: &Buffer) {
        pool.gpu().write(tally, 4 * HAPPENED as u64, &[0u32]);
    }

    /// Records the way back of the events of a step.
    pub(crate) fn send(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        tally: &Buffer,
        step: u64,
    ) -> Result<(), GpuError> {
        self.ring.copy(encoder, tally, 0, 4 * TALLY_WORDS as u64, step).map(|_| ())
    }

    /// Hands out what has come back, in the order of steps, agents and kinds.
    pub(crate) fn take(&mut self, mut tell: impl FnMut(&Event)) {
        let lost = &mut self.lost;
        self.ring.take(|back| {
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(back.bytes);
            let happened = words[HAPPENED] as usize;
            let kept = happened.min(MOST_EVENTS as usize);
            *lost += (happened - kept) as u64;
            let records = words[HAPPENED + 1..].chunks_exact(WORDS).take(kept);
            let mut records: Vec<[u32; WORDS]> = records.map(|r| [r[0], r[1], r[2]]).collect();
            records.sort_unstable();
            for [id, kind, detail] in records {
                let kind = match kind {
                    GOT_STUCK => EventKind::Stuck,
                    GOT_THERE => EventKind::Arrived,
                    DOES_ELSE => {
                        EventKind::ActionChanged { from: detail as u8, to: (detail >> 8) as u8 }
                    }
                    IS_DOWN => EventKind::Incapacitated,
                    _ => EventKind::Removed,
                };
                tell(&Event { step: back.tag, agent: AgentId(id), kind });
            }
        });
    }
}
