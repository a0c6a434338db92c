//! Read-back without waiting: copies go to a ring of staging buffers and are looked at when they come.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Buffer, Pool};
use crate::{Gpu, GpuError};

/// The copy is recorded, or on its way.
const PENDING: u8 = 0;
/// The bytes can be read.
const READY: u8 = 1;
/// The encoder was dropped, or mapping failed.
const FAILED: u8 = 2;

/// A ring of staging buffers of equal size.
///
/// [`ReadRing::copy`] records a copy, [`ReadRing::take`] hands out those that have arrived, oldest
/// first. If the reader is slow the ring is full and copies are refused, never waited for.
#[derive(Debug)]
pub struct ReadRing {
    gpu: Gpu,
    free: Vec<Buffer>,
    under_way: VecDeque<Copy>,
    bytes: u64,
    refused: u64,
}

#[derive(Debug)]
struct Copy {
    staging: Buffer,
    bytes: u64,
    tag: u64,
    state: Arc<AtomicU8>,
}

/// Bytes that have arrived.
#[derive(Debug)]
pub struct ReadBack<'a> {
    /// What [`ReadRing::copy`] was given: the step, say.
    pub tag: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// Tells the ring what became of a copy, even if the encoder is dropped without being submitted.
struct Messenger(Arc<AtomicU8>);

impl Messenger {
    fn tell(&self, state: u8) {
        // The first word counts.
        let _ = self.0.compare_exchange(PENDING, state, Ordering::Release, Ordering::Relaxed);
    }
}

impl Drop for Messenger {
    fn drop(&mut self) {
        self.tell(FAILED);
    }
}

impl ReadRing {
    /// A ring of `slots` buffers for up to `bytes` each. Three slots keep up with a GPU that is two
    /// frames behind.
    ///
    /// # Errors
    /// Too large, or out of memory.
    pub fn new(pool: &Pool, label: &str, bytes: u64, slots: usize) -> Result<Self, GpuError> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let bytes = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        let free =
            (0..slots).map(|_| pool.buffer(label, bytes, usage)).collect::<Result<_, _>>()?;
        let under_way = VecDeque::with_capacity(slots);
        Ok(Self { gpu: pool.gpu().clone(), free, under_way, bytes, refused: 0 })
    }

    /// Records a copy of `bytes` from `offset` (both multiples of four) to a free slot, which is
    /// mapped once the encoder is submitted and done. Gives false, and records nothing, if no slot
    /// is free.
    ///
    /// # Errors
    /// More bytes than a slot holds.
    pub fn copy(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        offset: u64,
        bytes: u64,
        tag: u64,
    ) -> Result<bool, GpuError> {
        if bytes > self.bytes {
            let what = "a slot of the read-back ring".to_owned();
            return Err(GpuError::TooSmall { what, bytes: self.bytes, needed: bytes });
        }
        let Some(staging) = self.free.pop() else {
            self.refused += 1;
            return Ok(false);
        };
        let state = Arc::new(AtomicU8::new(PENDING));
        if bytes == 0 {
            state.store(READY, Ordering::Relaxed);
        } else {
            encoder.copy_buffer_to_buffer(source, offset, &staging, 0, bytes);
            let messenger = Messenger(state.clone());
            encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, 0..bytes, move |mapped| {
                messenger.tell(if mapped.is_ok() { READY } else { FAILED });
            });
            self.gpu.counters().maps.add(1);
            self.gpu.counters().read_back.add(bytes);
        }
        self.under_way.push_back(Copy { staging, bytes, tag, state });
        Ok(true)
    }

    /// Hands out what has arrived, oldest first, without waiting. Gives how many there were. Copies
    /// that failed are left out; [`Gpu::lost`] tells why.
    pub fn take(&mut self, mut reader: impl FnMut(ReadBack<'_>)) -> usize {
        self.gpu.poll();
        let mut taken = 0;
        while let Some(copy) = self.under_way.front() {
            let state = copy.state.load(Ordering::Acquire);
            if state == PENDING {
                break;
            }
            let Some(copy) = self.under_way.pop_front() else { break };
            if state == READY {
                taken += usize::from(show(&copy, &mut reader));
            }
            self.free.push(copy.staging);
        }
        taken
    }

    /// Copies recorded and not yet taken.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Copies that were refused because the ring was full.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }
}

fn show(copy: &Copy, reader: &mut impl FnMut(ReadBack<'_>)) -> bool {
    if copy.bytes == 0 {
        reader(ReadBack { tag: copy.tag, bytes: &[] });
        return true;
    }
    let shown = match copy.staging.get_mapped_range(0..copy.bytes) {
        Ok(view) => {
            reader(ReadBack { tag: copy.tag, bytes: &view });
            true
        }
        Err(_) => false,
    };
    copy.staging.unmap();
    shown
}

#[cfg(test)]
mod tests {
    use super::ReadRing;
    use crate::{Pool, testing};

    /// If this fails, results come late, twice, in the wrong order, or someone waits.
    #[test]
    fn copies_arrive_in_order_and_a_full_ring_refuses() {
        // A device of its own: nobody else polls it.
        let gpu = testing::open();
        let pool = Pool::new(&gpu);
        let source = pool.array_of("source", &[10_u32, 11, 12, 13]).unwrap();
        let mut ring = ReadRing::new(&pool, "ring", 8, 3).unwrap();
        let mut accepted = Vec::new();
        for step in 0..5_u64 {
            let mut encoder = gpu.encoder("step");
            if ring.copy(&mut encoder, &source, 4 * (step % 3), 8, step).unwrap() {
                accepted.push(step);
            }
            gpu.submit(encoder);
        }
        assert_eq!((accepted.as_slice(), ring.refused()), ([0, 1, 2].as_slice(), 2));
        gpu.wait().unwrap();
        let mut seen = Vec::new();
        ring.take(|back| {
            seen.push((back.tag, bytemuck::pod_collect_to_vec::<u8, u32>(back.bytes)));
        });
        assert_eq!(seen, [(0, vec![10, 11]), (1, vec![11, 12]), (2, vec![12, 13])]);
        assert_eq!(ring.under_way(), 0);
    }

    /// If this fails, an encoder that is thrown away blocks the ring for good.
    #[test]
    fn a_dropped_encoder_gives_its_slot_back() {
        // A device of its own: nobody else polls it.
        let gpu = testing::open();
        let pool = Pool::new(&gpu);
        let source = pool.array_of("source", &[7_u32]).unwrap();
        let mut ring = ReadRing::new(&pool, "ring", 4, 1).unwrap();
        let mut encoder = gpu.encoder("dropped");
        assert!(ring.copy(&mut encoder, &source, 0, 4, 0).unwrap());
        drop(encoder);
        assert_eq!(ring.take(|_| panic!("nothing was submitted")), 0);
        let mut encoder = gpu.encoder("submitted");
        assert!(ring.copy(&mut encoder, &source, 0, 4, 1).unwrap());
        gpu.submit(encoder);
        gpu.wait().unwrap();
        assert_eq!(ring.take(|back| assert_eq!((back.tag, back.bytes), (1, &[7, 0, 0, 0][..]))), 1);
    }

    /// If this fails, an empty list cannot be read back.
    #[test]
    fn nothing_is_a_result_too() {
        // A device of its own: nobody else polls it.
        let gpu = testing::open();
        let pool = Pool::new(&gpu);
        let source = pool.array_of("source", &[7_u32]).unwrap();
        let mut ring = ReadRing::new(&pool, "ring", 4, 1).unwrap();
        let mut encoder = gpu.encoder("empty");
        assert!(ring.copy(&mut encoder, &source, 0, 0, 9).unwrap());
        gpu.submit(encoder);
        assert_eq!(ring.take(|back| assert!(back.tag == 9 && back.bytes.is_empty())), 1);
        assert!(ring.copy(&mut gpu.encoder("x"), &source, 0, 400, 9).is_err());
    }
}
