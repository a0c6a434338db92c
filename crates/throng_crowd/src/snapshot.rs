//! Snapshots: the whole state of a crowd in bytes, to go back to or to go on elsewhere.
//!
//! A file is magic, version, length, checksum, then sections in a fixed order; numbers are little-endian.
//! It holds the agents, the clocks, what was edited (walls, places of goals, hazards) and the fields as
//! they were, so that a restored crowd goes on bit by bit as the first one did. It belongs to the scene
//! it was made in: tables of groups, actions and rules are not in it.

use glam::Vec2;
use throng_world::world::{MovingHazard, Place, Polygon, Shape};

use crate::agents::Traits;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::navigate::Sites;
use crate::random::mix;

const MAGIC: u32 = 0x474e_5254; // "TRNG"
const VERSION: u32 = 3;
/// Magic, version, length of the rest, checksum of the rest.
const HEAD: usize = 4 + 4 + 8 + 8;

/// Bytes being written.
#[derive(Default)]
struct Writer(Vec<u8>);

/// Bytes being read.
struct Reader<'a>(&'a [u8]);

/// Something that is written to a snapshot and read back.
trait Part: Sized {
    fn write(&self, to: &mut Writer);
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError>;
}

fn damaged(what: &str) -> CrowdError {
    CrowdError::Snapshot(format!("{what}; take a snapshot again"))
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Part for $ty {
            fn write(&self, to: &mut Writer) {
                to.0.extend_from_slice(&self.to_le_bytes());
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                let (head, rest) = from
                    .0
                    .split_first_chunk::<{ size_of::<$ty>() }>()
                    .ok_or_else(|| damaged("it ends too soon"))?;
                from.0 = rest;
                Ok(Self::from_le_bytes(*head))
            }
        }
    )*};
}

numbers!(u8, i16, u32, u64, f32, f64);

impl Part for Vec2 {
    fn write(&self, to: &mut Writer) {
        self.x.write(to);
        self.y.write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(Self::new(f32::read(from)?, f32::read(from)?))
    }
}

impl<T: Part> Part for Vec<T> {
    fn write(&self, to: &mut Writer) {
        write_all(self, to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let len = u64::read(from)? as usize;
        // A wrong length must not allocate: every element takes a byte at least.
        if len > from.0.len() {
            return Err(damaged("a list is longer than the file"));
        }
        (0..len).map(|_| T::read(from)).collect()
    }
}

fn write_all<T: Part>(items: &[T], to: &mut Writer) {
    (items.len() as u64).write(to);
    items.iter().for_each(|item| item.write(to));
}

/// Reads a list into a slice of the same length.
fn read_into<T: Part>(out: &mut [T], from: &mut Reader<'_>) -> Result<(), CrowdError> {
    if u64::read(from)? as usize != out.len() {
        return Err(damaged("a list does not have the length of this scene"));
    }
    out.iter_mut().try_for_each(|item| {
        *item = T::read(from)?;
        Ok(())
    })
}

impl Part for [i16; 2] {
    fn write(&self, to: &mut Writer) {
        self[0].write(to);
        self[1].write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok([i16::read(from)?, i16::read(from)?])
    }
}

impl Part for Traits {
    fn write(&self, to: &mut Writer) {
        to.0.extend([self.group, self.action, self.interrupted, self.flags]);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let [group, action, interrupted, flags] = u32::read(from)?.to_le_bytes();
        Ok(Self { group, action, interrupted, flags })
    }
}

impl Part for Polygon {
    fn write(&self, to: &mut Writer) {
        self.outer.write(to);
        self.holes.write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(Self { outer: Vec::read(from)?, holes: Vec::read(from)? })
    }
}

impl Part for Place {
    fn write(&self, to: &mut Writer) {
        match &self.shape {
            Shape::Point(p) => {
                0u8.write(to);
                p.write(to);
            }
            Shape::Disc { centre, radius } => {
                1u8.write(to);
                centre.write(to);
                radius.write(to);
            }
            Shape::Line(a, b) => {
                2u8.write(to);
                a.write(to);
                b.write(to);
            }
            Shape::Polygon(polygon) => {
                3u8.write(to);
                polygon.write(to);
            }
        }
        self.fuzz.write(to);
        self.capacity.map_or(0, |c| u64::from(c) + 1).write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let shape = match u8::read(from)? {
            0 => Shape::Point(Vec2::read(from)?),
            1 => Shape::Disc { centre: Vec2::read(from)?, radius: f32::read(from)? },
            2 => Shape::Line(Vec2::read(from)?, Vec2::read(from)?),
            3 => Shape::Polygon(Polygon::read(from)?),
            _ => return Err(damaged("it has a shape that does not exist")),
        };
        let fuzz = f32::read(from)?;
        let capacity = u64::read(from)?.checked_sub(1).map(|c| c as u32);
        Ok(Self { shape, fuzz, capacity })
    }
}

impl Part for (u64, MovingHazard) {
    fn write(&self, to: &mut Writer) {
        let (id, h) = self;
        id.write(to);
        h.name.as_bytes().to_vec().write(to);
        h.color.to_vec().write(to);
        h.path.write(to);
        [h.speed, h.radius, h.strength, h.fear_radius, h.active.0, h.active.1]
            .iter()
            .for_each(|v| v.write(to));
        u8::from(h.closed).write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let id = u64::read(from)?;
        let name = String::from_utf8(Vec::read(from)?).map_err(|_| damaged("a name is no text"))?;
        let color: Vec<u8> = Vec::read(from)?;
        let color = color.try_into().map_err(|_| damaged("a colour is none"))?;
        let path = Vec::read(from)?;
        let mut v = [0.0; 6];
        for v in &mut v {
            *v = f32::read(from)?;
        }
        let [speed, radius, strength, fear_radius, first, last] = v;
        let closed = u8::read(from)? != 0;
        let active = (first, last);
        Ok((
            id,
            MovingHazard {
                name,
                color,
                path,
                speed,
                closed,
                radius,
                strength,
                fear_radius,
                active,
            },
        ))
    }
}

impl Crowd {
    /// The whole state, as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut to = Writer::default();
        let w = &mut to;
        self.fingerprint().write(w);
        [self.seed, self.step, self.next_hazard, u64::from(self.next_id)]
            .iter()
            .for_each(|v| v.write(w));
        self.time.write(w);
        u8::from(self.unsorted).write(w);
        self.world.walls.write(w);
        self.world.goals.iter().for_each(|goal| goal.places.write(w));
        self.hazards.write(w);
        self.busy.write(w);
        self.spawner.made.write(w);
        self.spawner.party.write(w);
        self.spawner.parties.write(w);
        [self.spawner.widest, self.spawner.fastest_speed, self.tables.fastest]
            .iter()
            .for_each(|v| v.write(w));
        self.write_totals(w);
        self.agents.floats().iter().for_each(|(_, values)| write_all(values, w));
        write_all(self.ids(), w);
        write_all(&self.agents.site[..self.len()], w);
        write_all(self.traits(), w);
        if self.agents.extended {
            write_all(&self.agents.dose[..self.len()], w);
            write_all(&self.agents.party[..self.len()], w);
        }
        self.fields.turn().write(w);
        let (density, settled) = self.fields.densities();
        write_all(density.as_slice(), w);
        write_all(settled.as_slice(), w);
        for field in self.fields.each() {
            let (cost, potential, codes) = field.state();
            write_all(cost.as_slice(), w);
            write_all(potential.as_slice(), w);
            write_all(codes, w);
            field.typical_step().write(w);
        }
        let (cells, used): (Vec<u32>, Vec<u64>) = self.targets.kept().into_iter().unzip();
        cells.write(w);
        used.write(w);
        if let Some(trails) = &self.fields.trails {
            let (wear, worn_at) = trails.state();
            write_all(wear, w);
            worn_at.write(w);
        }
        let body = to.0;
        let mut head = Writer::default();
        MAGIC.write(&mut head);
        VERSION.write(&mut head);
        (body.len() as u64).write(&mut head);
        checksum(&body).write(&mut head);
        head.0.extend_from_slice(&body);
        head.0
    }

    fn write_totals(&self, w: &mut Writer) {
        let t = &self.totals;
        for v in [
            t.spawned,
            t.removed,
            t.arrived,
            t.travels,
            t.stuck,
            t.squeezed,
            t.refused,
            t.impacts,
            self.fields.refreshed.0,
            self.fields.refreshed.1,
            t.displaced,
            t.incapacitated,
        ] {
            v.write(w);
        }
        t.travel_seconds.write(w);
    }

    fn read_totals(&mut self, r: &mut Reader<'_>) -> Result<(), CrowdError> {
        let t = &mut self.totals;
        for v in [
            &mut t.spawned,
            &mut t.removed,
            &mut t.arrived,
            &mut t.travels,
            &mut t.stuck,
            &mut t.squeezed,
            &mut t.refused,
            &mut t.impacts,
            &mut self.fields.refreshed.0,
            &mut self.fields.refreshed.1,
            &mut t.displaced,
            &mut t.incapacitated,
        ] {
            *v = u64::read(r)?;
        }
        t.travel_seconds = f64::read(r)?;
        t.refreshed = self.fields.refreshed;
        Ok(())
    }

    /// What a snapshot must have in common with the crowd it is restored to.
    fn fingerprint(&self) -> u64 {
        let w = &self.world;
        let sizes = [
            w.terrain.width(),
            w.terrain.height(),
            w.groups.len(),
            w.actions.len(),
            w.rules.len(),
            w.goals.len(),
            w.spawns.len(),
            self.fields.len(),
            self.passages.clocks(),
            usize::from(self.agents.extended),
            usize::from(self.fields.trails.is_some()),
        ];
        let name = w.name.bytes().fold(0, |h, b| mix(h ^ u64::from(b)));
        sizes.iter().fold(name, |h, &s| mix(h ^ s as u64))
    }

    /// Goes back to a snapshot of the same scene.
    ///
    /// # Errors
    /// When the bytes are no snapshot, are damaged or belong to another scene; the crowd is then as it
    /// was.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), CrowdError> {
        let mut head = Reader(snapshot);
        if u32::read(&mut head)? != MAGIC {
            return Err(CrowdError::Snapshot("these bytes are no snapshot".into()));
        }
        let version = u32::read(&mut head)?;
        if version != VERSION {
            return Err(CrowdError::Snapshot(format!(
                "it has version {version}, this program reads {VERSION}"
            )));
        }
        let (length, sum) = (u64::read(&mut head)? as usize, u64::read(&mut head)?);
        let body = &snapshot[HEAD..];
        if body.len() != length || checksum(body) != sum {
            return Err(damaged("it is damaged or cut off"));
        }
        let mut r = Reader(body);
        if u64::read(&mut r)? != self.fingerprint() {
            return Err(CrowdError::Snapshot(format!(
                "it is of another scene than `{}`",
                self.world.name
            )));
        }
        // The checksum held: what follows is what was written, so nothing fails half-way.
        let pool = self.pool.clone();
        pool.install(|| self.read_body(&mut r))
    }

    fn read_body(&mut self, r: &mut Reader<'_>) -> Result<(), CrowdError> {
        self.seed = u64::read(r)?;
        self.step = u64::read(r)?;
        self.next_hazard = u64::read(r)?;
        self.next_id = u64::read(r)? as u32;
        self.time = f64::read(r)?;
        let unsorted = u8::read(r)? != 0;
        let walls = Vec::read(r)?;
        if walls != self.world.walls {
            self.world.walls = walls;
            self.world.rebuild();
            self.walled = crate::crowd::is_walled(&self.world);
            self.binning.survey(&self.world.clearance);
        }
        for goal in &mut self.world.goals {
            goal.places = Vec::read(r)?;
        }
        self.sites = Sites::new(&self.world)?;
        self.hazards = Vec::read(r)?;
        self.busy = Vec::read(r)?;
        self.spawner.made = Vec::read(r)?;
        self.spawner.party = Vec::read(r)?;
        self.spawner.parties = u32::read(r)?;
        self.spawner.widest = f32::read(r)?;
        self.spawner.fastest_speed = f32::read(r)?;
        self.tables.fastest = f32::read(r)?;
        self.read_totals(r)?;
        self.read_agents(r)?;
        self.fields.resettle(&self.world)?;
        let (turn, [density, settled], fields) = self.fields.state_mut();
        *turn = u64::read(r)?;
        read_into(density.as_mut_slice(), r)?;
        read_into(settled.as_mut_slice(), r)?;
        for field in fields {
            let (cost, potential, codes) = field.state_mut();
            read_into(cost.as_mut_slice(), r)?;
            read_into(potential.as_mut_slice(), r)?;
            read_into(codes, r)?;
            field.settle(f32::read(r)?);
        }
        let (cells, used): (Vec<u32>, Vec<u64>) = (Vec::read(r)?, Vec::read(r)?);
        self.targets.clear();
        for (cell, used) in cells.into_iter().zip(used) {
            self.targets.solve(&self.world.terrain, cell, used)?;
        }
        if let Some(trails) = &mut self.fields.trails {
            let (wear, worn_at) = trails.state_mut();
            read_into(wear, r)?;
            *worn_at = f64::read(r)?;
        }
        if !unsorted {
            self.sort();
        }
        self.unsorted = unsorted;
        Ok(())
    }

    fn read_agents(&mut self, r: &mut Reader<'_>) -> Result<(), CrowdError> {
        // Every array is as long as the first.
        let len = u64::read(&mut Reader(r.0))? as usize;
        if len > r.0.len() {
            return Err(damaged("a list is longer than the file"));
        }
        for (_, values) in self.agents.resize_for(len) {
            read_into(values, r)?;
        }
        read_into(&mut self.agents.id[..len], r)?;
        read_into(&mut self.agents.site[..len], r)?;
        read_into(&mut self.agents.traits[..len], r)?;
        if self.agents.extended {
            read_into(&mut self.agents.dose[..len], r)?;
            read_into(&mut self.agents.party[..len], r)?;
        }
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut sum = bytes.len() as u64;
    for word in &mut words {
        let mut w = [0; 8];
        w.copy_from_slice(word);
        sum = mix(sum ^ u64::from_le_bytes(w));
    }
    words.remainder().iter().fold(sum, |sum, &b| mix(sum ^ u64::from(b)))
}
