//! Agent frames: everybody at one moment, in seven bytes each and about one bit for their numbers.
//!
//! A frame is encoded once for all clients, in the order of the agents' numbers; [`Frame::window`] cuts out
//! what a view needs.

use rayon::prelude::*;

use super::bytes::{Reader, checksum};
use super::numbers::{numbers, read_numbers};
use super::tag;

/// Bytes before the agents' numbers.
pub const HEAD_BYTES: usize = 52;
/// Bytes of an agent, without its number.
pub const RECORD_BYTES: usize = 7;
/// Groups times actions that a record has room for.
pub(crate) const KINDS: usize = 1 << 12;
/// Agents that one thread encodes at a time.
const CHUNK: usize = 4096;
/// Headings and moments of a clip that a record tells apart.
const TURN: f32 = 64.0;
/// Length of a clip time before it begins anew (seconds).
const CLIP_SECONDS: f32 = 4.0;
/// Numbers as gaps from one to the next, rather than as a bit for each number that might be.
const GAPS: u16 = 1;
/// Only a part of the crowd.
const PART: u16 = 2;
/// From the past.
const PAST: u16 = 4;

/// Where on the ground the 65,536 steps of a coordinate lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum {
    /// The corner of least x and y (metres).
    pub origin: [f32; 2],
    /// Width and height (metres).
    pub size: [f32; 2],
}

impl Quantum {
    fn code(value: f32, origin: f32, size: f32) -> u16 {
        // Saturates, and takes what is no number to 0.
        ((value - origin) / size * 65_535.0 + 0.5) as u16
    }

    fn point(&self, x: f32, y: f32) -> [u16; 2] {
        let Self { origin, size } = self;
        [Self::code(x, origin[0], size[0]), Self::code(y, origin[1], size[1])]
    }

    /// The place of a code.
    #[must_use]
    pub fn place(&self, [x, y]: [u16; 2]) -> [f32; 2] {
        let at = |code: u16, i: usize| self.origin[i] + f32::from(code) / 65_535.0 * self.size[i];
        [at(x, 0), at(y, 1)]
    }
}

/// What a frame says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FrameHead {
    /// Counts frames; a client answers with it.
    pub sequence: u32,
    /// The crowd's step.
    pub step: u64,
    /// Simulated time (seconds).
    pub time: f64,
    /// Counts jumps in time: between frames of different jumps nobody walked.
    pub jump: u32,
    /// People there at all.
    pub people: u32,
    /// Agents in this frame.
    pub count: u32,
    /// Whether some were left out.
    pub part: bool,
    /// Whether it is of the past.
    pub past: bool,
}

/// Slices of a crowd to be encoded, all of one length, in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameBody<'a> {
    /// Numbers.
    pub ids: &'a [u32],
    /// Places (metres).
    pub x: &'a [f32],
    /// Places (metres).
    pub y: &'a [f32],
    /// Headings, or velocities, of which only the direction counts.
    pub heading_x: &'a [f32],
    /// See `heading_x`.
    pub heading_y: &'a [f32],
    /// Groups.
    pub group: &'a [u8],
    /// Actions.
    pub action: &'a [u8],
    /// Time in the clip of the action (seconds); empty: 0 for all.
    pub clip: &'a [f32],
    /// How many actions there are.
    pub actions: usize,
}

/// A part of the ground that a view needs, and how many it can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Least x and y, greatest x and y (metres).
    pub rect: [f32; 4],
    /// At most about so many; the same ones from frame to frame.
    pub most: u32,
    /// Somebody who is sent wherever they are.
    pub always: Option<u32>,
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// They end too early, or go on.
    #[error("the frame is cut off or too long")]
    Length,
    /// They are something else.
    #[error("this is no frame of this version")]
    Kind,
    /// They are not what was sent.
    #[error("the frame's checksum is wrong")]
    Checksum,
}

/// An encoded frame with its parts at hand.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Frame {
    /// What it says of itself.
    pub head: FrameHead,
    /// Numbers of the agents, ascending.
    pub ids: Vec<u32>,
    /// Seven bytes each.
    pub records: Vec<u8>,
}

/// One agent of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Its number.
    pub id: u32,
    /// Its place, as codes of a [`Quantum`].
    pub place: [u16; 2],
    /// Group times the number of actions, plus action.
    pub kind: u16,
    /// Heading (radians).
    pub heading: f32,
    /// Time in its clip, up to four seconds.
    pub clip: f32,
}

impl FrameBody<'_> {
    /// Writes the record of one agent.
    fn write(&self, i: usize, quantum: &Quantum, record: &mut [u8]) {
        let [x, y] = quantum.point(self.x[i], self.y[i]);
        let kind = usize::from(self.group[i]) * self.actions + usize::from(self.action[i]);
        let kind = if kind < KINDS { kind as u32 } else { 0 };
        let turn = self.heading_y[i].atan2(self.heading_x[i]) / std::f32::consts::TAU;
        let heading = (turn * TURN).round() as i32 as u32 & 63;
        let clip = self.clip.get(i).map_or(0.0, |clip| clip / CLIP_SECONDS);
        let clip = ((clip - clip.floor()) * TURN) as u32 & 63;
        let word = kind | heading << 12 | clip << 18;
        record[..2].copy_from_slice(&x.to_le_bytes());
        record[2..4].copy_from_slice(&y.to_le_bytes());
        record[4..].copy_from_slice(&word.to_le_bytes()[..3]);
    }
}

/// Numbers in ascending order, with where they stand.
fn ascending(ids: &[u32]) -> Vec<(u32, u32)> {
    let least = ids.iter().copied().min().unwrap_or(0);
    let span = (ids.iter().copied().max().unwrap_or(0) - least) as usize + 1;
    if span > 8 * ids.len() + 1024 {
        let mut order: Vec<(u32, u32)> = ids.iter().copied().zip(0..).collect();
        order.sort_unstable_by_key(|(id, _)| *id);
        return order;
    }
    let mut places = vec![u32::MAX; span];
    for (id, i) in ids.iter().zip(0..) {
        places[(id - least) as usize] = i;
    }
    let there = (least..=u32::MAX).zip(places).filter(|(_, i)| *i != u32::MAX);
    there.collect()
}

impl Frame {
    /// Encodes a crowd.
    #[must_use]
    pub fn encode(head: FrameHead, body: &FrameBody<'_>, quantum: &Quantum) -> Self {
        let order = ascending(body.ids);
        let mut records = vec![0_u8; order.len() * RECORD_BYTES];
        let chunks = records.par_chunks_mut(RECORD_BYTES * CHUNK).zip(order.par_chunks(CHUNK));
        chunks.for_each(|(records, order)| {
            for ((_, i), record) in order.iter().zip(records.chunks_exact_mut(RECORD_BYTES)) {
                body.write(*i as usize, quantum, record);
            }
        });
        let ids: Vec<u32> = order.into_iter().map(|(id, _)| id).collect();
        let count = ids.len() as u32;
        Self { head: FrameHead { count, people: count, ..head }, ids, records }
    }

    /// What a view needs of it.
    #[must_use]
    pub fn window(&self, window: &Window, quantum: &Quantum) -> Self {
        let [x0, y0, x1, y1] = window.rect;
        let (low, high) = (quantum.point(x0, y0), quantum.point(x1, y1));
        let inside = |record: &[u8]| {
            let [x, y] = place(record);
            (low[0]..=high[0]).contains(&x) && (low[1]..=high[1]).contains(&y)
        };
        let records = || self.records.chunks_exact(RECORD_BYTES);
        let there = records().filter(|record| inside(record)).count() as u32;
        // The same people from frame to frame, as long as about as many are there.
        let one_of = there.div_ceil(window.most.max(1)).max(1).next_power_of_two();
        let chosen = |id: u32| id.wrapping_mul(0x9e37_79b1) >> 16 & (one_of - 1) == 0;
        let mut part = Self { head: self.head, ..Self::default() };
        for (&id, record) in self.ids.iter().zip(records()) {
            if window.always == Some(id) || (chosen(id) && inside(record)) {
                part.ids.push(id);
                part.records.extend_from_slice(record);
            }
        }
        part.head.count = part.ids.len() as u32;
        part.head.part = part.head.count < self.head.count;
        part
    }

    /// The message.
    #[must_use]
    pub fn bytes(&self, sequence: u32, past: bool) -> Vec<u8> {
        let (gaps, numbers) = numbers(&self.ids);
        let head = &self.head;
        let flag = |on: bool, bit: u16| if on { bit } else { 0 };
        let flags = flag(gaps, GAPS) | flag(head.part, PART) | flag(past, PAST);
        let mut out = Vec::with_capacity(HEAD_BYTES + numbers.len() + self.records.len());
        out.extend([tag::FRAME, super::VERSION as u8]);
        out.extend(flags.to_le_bytes());
        out.extend(sequence.to_le_bytes());
        out.extend(head.step.to_le_bytes());
        out.extend(head.time.to_le_bytes());
        out.extend(head.jump.to_le_bytes());
        out.extend(head.people.to_le_bytes());
        out.extend(head.count.to_le_bytes());
        out.extend(self.ids.first().copied().unwrap_or(0).to_le_bytes());
        out.extend((numbers.len() as u32).to_le_bytes());
        let sums = checksum(&[&out, &numbers, &self.records]);
        sums.iter().for_each(|sum| out.extend(sum.to_le_bytes()));
        out.extend(numbers);
        out.extend_from_slice(&self.records);
        out
    }

    /// Reads a message.
    ///
    /// # Errors
    /// It is none, or not as it was sent.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut r = Reader(bytes);
        let cut = FrameError::Length;
        let (kind, version) = (r.u8().ok_or(cut)?, r.u8().ok_or(cut)?);
        if kind != tag::FRAME || u32::from(version) != super::VERSION {
            return Err(FrameError::Kind);
        }
        let flags = r.u16().ok_or(cut)?;
        let head = FrameHead {
            sequence: r.u32().ok_or(cut)?,
            step: r.u64().ok_or(cut)?,
            time: r.f64().ok_or(cut)?,
            jump: r.u32().ok_or(cut)?,
            people: r.u32().ok_or(cut)?,
            count: r.u32().ok_or(cut)?,
            part: flags & PART != 0,
            past: flags & PAST != 0,
        };
        let (base, length) = (r.u32().ok_or(cut)?, r.u32().ok_or(cut)?);
        let sums = [r.u32().ok_or(cut)?, r.u32().ok_or(cut)?];
        let numbers = r.take(length as usize).ok_or(cut)?;
        let size = (head.count as usize).checked_mul(RECORD_BYTES).ok_or(cut)?;
        if r.0.len() != size {
            return Err(cut);
        }
        if checksum(&[&bytes[..HEAD_BYTES - 8], numbers, r.0]) != sums {
            return Err(FrameError::Checksum);
        }
        let ids = read_numbers(flags & GAPS != 0, base, numbers, head.count).ok_or(cut)?;
        Ok(Self { head, ids, records: r.0.to_vec() })
    }

    /// Everybody in it.
    pub fn agents(&self) -> impl Iterator<Item = Seen> + '_ {
        let records = self.records.chunks_exact(RECORD_BYTES);
        self.ids.iter().zip(records).map(|(&id, record)| {
            let word = u32::from_le_bytes([record[4], record[5], record[6], 0]);
            Seen {
                id,
                place: place(record),
                kind: (word & 0xfff) as u16,
                heading: (word >> 12 & 63) as f32 / TURN * std::f32::consts::TAU,
                clip: (word >> 18 & 63) as f32 / TURN * CLIP_SECONDS,
            }
        })
    }
}

fn place(record: &[u8]) -> [u16; 2] {
    [u16::from_le_bytes([record[0], record[1]]), u16::from_le_bytes([record[2], record[3]])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GROUND: Quantum = Quantum { origin: [-20.0, 0.0], size: [400.0, 200.0] };

    fn frame(ids: &[u32]) -> Frame {
        let n = ids.len();
        let x: Vec<f32> = ids.iter().map(|id| -20.0 + (id % 400) as f32).collect();
        let y: Vec<f32> = ids.iter().map(|id| (id % 200) as f32).collect();
        let turn: Vec<f32> = ids.iter().map(|id| (*id as f32) * 0.01).collect();
        let (cos, sin): (Vec<_>, Vec<_>) = turn.iter().map(|t| (t.cos(), t.sin())).unzip();
        let body = FrameBody {
            ids,
            x: &x,
            y: &y,
            heading_x: &cos,
            heading_y: &sin,
            group: &vec![1; n],
            action: &vec![2; n],
            clip: &vec![1.0; n],
            actions: 5,
        };
        let head = FrameHead { step: 7, time: 0.35, jump: 3, ..FrameHead::default() };
        Frame::encode(head, &body, &GROUND)
    }

    /// If this fails, the page draws people elsewhere, as others, or looking another way.
    #[test]
    fn what_is_encoded_is_decoded() {
        let ids: Vec<u32> = (0..1000).map(|i| (i * 7919) % 1009).collect();
        let sent = frame(&ids);
        let got = Frame::decode(&sent.bytes(41, true)).unwrap();
        assert_eq!((got.head.sequence, got.head.past, got.head.people), (41, true, 1000));
        assert_eq!((&got.ids, &got.records), (&sent.ids, &sent.records));
        for seen in got.agents() {
            let [x, y] = GROUND.place(seen.place);
            assert!((x - (-20.0 + (seen.id % 400) as f32)).abs() < 0.004, "{x}");
            assert!((y - (seen.id % 200) as f32).abs() < 0.002, "{y}");
            let off = (seen.heading - seen.id as f32 * 0.01).rem_euclid(std::f32::consts::TAU);
            assert!(off.min(std::f32::consts::TAU - off) < 0.05);
            assert_eq!((seen.kind, seen.clip), (7, 1.0));
        }
    }

    /// If this fails, frames are larger than the 8 bytes per agent that are promised.
    #[test]
    fn a_frame_has_at_most_eight_bytes_per_agent() {
        let per_agent = |ids: Vec<u32>| frame(&ids).bytes(0, false).len() as f64 / ids.len() as f64;
        assert!(per_agent((0..65_536).collect()) < 7.2);
        assert!(per_agent((0..4096).map(|i| i * 2 + 5).collect()) < 7.5, "every other one left");
        assert!(per_agent((0..4096).map(|i| i * 13).collect()) < 8.1, "few are left");
        assert!(per_agent((0..4096).map(|i| i * 100).collect()) < 8.1, "very few are left");
    }

    /// If this fails, a view gets people it cannot show, loses one it follows, or too many.
    #[test]
    fn a_window_has_what_a_view_needs() {
        let all = frame(&(0..10_000).collect::<Vec<_>>());
        let window = Window { rect: [30.0, 20.0, 130.0, 100.0], most: u32::MAX, always: Some(3) };
        let part = all.window(&window, &GROUND);
        let expected = (0..10_000_u32).filter(|id| {
            let (x, y) = (-20.0 + (id % 400) as f32, (id % 200) as f32);
            (30.0..=130.0).contains(&x) && (20.0..=100.0).contains(&y)
        });
        assert_eq!(part.ids.len(), expected.count() + 1);
        assert!(part.ids.contains(&3) && part.head.part && part.head.people == 10_000);
        let few = all.window(
            &Window { rect: [-20.0, 0.0, 380.0, 200.0], most: 1000, always: None },
            &GROUND,
        );
        assert!((300..=1000).contains(&few.ids.len()), "{}", few.ids.len());
        let again = Frame::decode(&few.bytes(1, false)).unwrap();
        assert_eq!(again.ids, few.ids);
    }

    proptest! {
        /// If this fails, a client can be made to panic, or takes a damaged frame for a whole one.
        #[test]
        fn damaged_frames_are_refused(
            ids in proptest::collection::btree_set(any::<u32>(), 0..60),
            at in any::<prop::sample::Index>(),
            bit in 0_u8..8,
            cut in any::<prop::sample::Index>(),
        ) {
            let ids: Vec<u32> = ids.into_iter().collect();
            // Bits for numbers that are far apart would fill the memory: gaps are shorter.
            let bytes = frame(&ids).bytes(9, false);
            prop_assert_eq!(Frame::decode(&bytes).map(|f| f.ids), Ok(ids));
            let mut damaged = bytes.clone();
            damaged[at.index(bytes.len())] ^= 1 << bit;
            prop_assert!(Frame::decode(&damaged).is_err());
            prop_assert!(Frame::decode(&bytes[..cut.index(bytes.len())]).is_err());
        }

        #[test]
        fn random_bytes_are_no_frame(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(Frame::decode(&bytes).is_err());
        }
    }
}
