//! How long the GPU took, known some frames later and without waiting.

use std::time::Duration;

use super::Pass;
use crate::memory::{Buffer, Pool, ReadRing};
use crate::{Gpu, GpuError};

/// Frames that may be under way.
const FRAMES: usize = 4;

/// Times passes, and places within them where the device can. Where it cannot, passes go untimed and
/// there are no results.
#[derive(Debug)]
pub struct Timer {
    gpu: Gpu,
    clock: Option<Clock>,
    latest: Vec<Timing>,
}

/// What one label took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Label of the pass, or of a mark within it.
    pub label: &'static str,
    /// The time on the GPU.
    pub duration: Duration,
}

#[derive(Debug)]
struct Clock {
    queries: wgpu::QuerySet,
    capacity: u32,
    used: u32,
    inside_passes: bool,
    /// The last mark of the frame.
    marked: Option<u32>,
    spans: Vec<Span>,
    /// Spans of frames under way, oldest first; spent ones are kept for their memory.
    frames: [Vec<Span>; FRAMES],
    next: u64,
    resolved: Buffer,
    ring: ReadRing,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    label: &'static str,
    from: u32,
    to: u32,
}

/// The part of a timer that a pass holds.
#[derive(Debug)]
pub(super) struct Marks<'e> {
    clock: &'e mut Clock,
    last: u32,
}

impl Timer {
    /// A timer for so many timestamps a frame: two for each pass and one for each mark. What goes
    /// beyond is not timed.
    ///
    /// # Errors
    /// Out of memory, or more than a query set can have.
    pub fn new(pool: &Pool, capacity: u32) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let capacity = capacity.clamp(2, wgpu::QUERY_SET_MAX_QUERIES);
        let clock = match gpu.capabilities().timestamps {
            true => Some(Clock::new(pool, capacity)?),
            false => None,
        };
        Ok(Self { gpu: gpu.clone(), clock, latest: Vec::with_capacity(capacity as usize) })
    }

    /// Begins a compute pass that is timed under this label.
    #[must_use]
    pub fn pass<'e>(
        &'e mut self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
    ) -> Pass<'e> {
        let Some((clock, from)) = self.clock.as_mut().and_then(|c| c.take(2).map(|from| (c, from)))
        else {
            return self.gpu.pass(encoder, label);
        };
        clock.spans.push(Span { label, from, to: from + 1 });
        let raw = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &clock.queries,
                beginning_of_pass_write_index: Some(from),
                end_of_pass_write_index: Some(from + 1),
            }),
        });
        let marks = clock.inside_passes.then_some(Marks { clock, last: from });
        Pass::new(raw, &self.gpu, marks)
    }

    /// Begins a further compute pass, whose first mark tells the time since the last mark before it: also
    /// that of copies between the two.
    #[must_use]
    pub fn resume<'e>(
        &'e mut self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
    ) -> Pass<'e> {
        let descriptor = wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None };
        let raw = encoder.begin_compute_pass(&descriptor);
        let marks = self.clock.as_mut().filter(|clock| clock.inside_passes);
        let marks = marks.and_then(|clock| clock.marked.map(|last| Marks { clock, last }));
        Pass::new(raw, &self.gpu, marks)
    }

    /// Ends the frame: its times are on their way once the encoder is submitted.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(clock) = &mut self.clock {
            clock.resolve(encoder);
        }
    }

    /// The times of the latest frame that has arrived, in the order of passes and marks. Does not
    /// wait; empty until the first has.
    pub fn latest(&mut self) -> &[Timing] {
        if let Some(clock) = &mut self.clock {
            clock.collect(f64::from(self.gpu.queue().get_timestamp_period()), &mut self.latest);
        }
        &self.latest
    }
}

impl Clock {
    fn new(pool: &Pool, capacity: u32) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let queries = gpu.scoped("timestamps", || {
            gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: capacity,
            })
        })?;
        let bytes = u64::from(capacity) * 8;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let spans = || Vec::with_capacity(capacity as usize);
        Ok(Self {
            queries,
            capacity,
            used: 0,
            inside_passes: gpu.capabilities().timestamps_in_passes,
            marked: None,
            spans: spans(),
            frames: std::array::from_fn(|_| spans()),
            next: 0,
            resolved: pool.buffer("timestamps", bytes, usage)?,
            ring: ReadRing::new(pool, "timestamps", bytes, FRAMES)?,
        })
    }

    fn take(&mut self, queries: u32) -> Option<u32> {
        let first = self.used;
        if first + queries > self.capacity {
            return None;
        }
        self.used += queries;
        Some(first)
    }

    fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.used > 0 {
            encoder.resolve_query_set(&self.queries, 0..self.used, &self.resolved, 0);
            let bytes = u64::from(self.used) * 8;
            // A frame that finds the ring full is not timed.
            if let Ok(true) = self.ring.copy(encoder, &self.resolved, 0, bytes, self.next) {
                std::mem::swap(&mut self.frames[self.next as usize % FRAMES], &mut self.spans);
                self.next += 1;
            }
        }
        self.spans.clear();
        self.marked = None;
        self.used = 0;
    }

    fn collect(&mut self, period: f64, latest: &mut Vec<Timing>) {
        let frames = &self.frames;
        self.ring.take(|back| {
            let tick = |i: u32| {
                let at = i as usize * 8;
                bytemuck::pod_read_unaligned::<u64>(&back.bytes[at..at + 8])
            };
            latest.clear();
            latest.extend(frames[back.tag as usize % FRAMES].iter().map(|span| Timing {
                label: span.label,
                duration: Duration::from_nanos(
                    (tick(span.to).saturating_sub(tick(span.from)) as f64 * period) as u64,
                ),
            }));
        });
    }
}

impl Marks<'_> {
    pub(super) fn mark(&mut self, pass: &mut wgpu::ComputePass<'_>, label: &'static str) {
        let Some(query) = self.clock.take(1) else { return };
        pass.write_timestamp(&self.clock.queries, query);
        self.clock.spans.push(Span { label, from: self.last, to: query });
        self.last = query;
        self.clock.marked = Some(query);
    }
}
