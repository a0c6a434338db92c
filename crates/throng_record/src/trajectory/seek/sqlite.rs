//! JuPedSim's tables, read where one looks. Rows lie in the order of their frames, as they were written, and are
//! found by halving: no index is needed, and none is made.

use super::{FrameRows, Frames, Opened};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::collections::HashMap;
use std::path::Path;

/// Rows that are looked at to see whether they lie in order.
const PROBES: i64 = 64;

struct Rows {
    connection: Connection,
    /// Rows are numbered from 1 to this.
    count: i64,
    range: (u64, u64),
    /// Group and radius.
    agents: HashMap<u32, (u8, f32)>,
    /// From which frame on somebody does what.
    actions: HashMap<u32, Vec<(u64, u8)>>,
}

/// `None`: the rows are not in order.
pub(super) fn open(path: &Path) -> rusqlite::Result<Option<Opened>> {
    // Not read-only: whoever opens a file after a crash first takes back what was not committed.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    let fps: Option<String> = connection
        .query_row("SELECT value FROM metadata WHERE key = 'fps'", [], |r| r.get(0))
        .optional()?;
    let geometry = connection
        .query_row("SELECT wkt FROM geometry ORDER BY rowid DESC LIMIT 1", [], |r| r.get(0))
        .optional()?;
    // Asked for one by one they are found at the ends; asked for together, by reading the whole table.
    let end = |which: &str| -> rusqlite::Result<Option<i64>> {
        let select = format!("SELECT {which}(rowid) FROM trajectory_data");
        connection.query_row(&select, [], |r| r.get(0))
    };
    let (Some(1), Some(count)) = (end("min")?, end("max")?) else { return Ok(None) };
    let mut rows =
        Rows { connection, count, range: (0, 0), agents: HashMap::new(), actions: HashMap::new() };
    let mut last = 0;
    for probe in 0..=PROBES {
        let frame = rows.frame_of(1 + (count - 1) * probe / PROBES)?;
        if frame < last {
            return Ok(None);
        }
        last = frame;
    }
    rows.range = (rows.frame_of(1)?, last);
    rows.read_own_tables()?;
    let fps = fps.and_then(|fps| fps.trim().parse().ok());
    // Both JuPedSim and we write metres.
    Ok(Some(Opened { frames: Box::new(rows), fps, geometry, unit: Some(1.0) }))
}

impl Rows {
    fn frame_of(&self, row: i64) -> rusqlite::Result<u64> {
        let mut select = self
            .connection
            .prepare_cached("SELECT frame FROM trajectory_data WHERE rowid >= ?1 LIMIT 1")?;
        let frame: i64 = select.query_row([row], |r| r.get(0))?;
        Ok(frame.max(0) as u64)
    }

    /// The first row of a frame that is not before a number.
    fn row_of(&self, number: u64) -> rusqlite::Result<i64> {
        let (mut low, mut high) = (1, self.count + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.frame_of(middle)? < number {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    fn read_own_tables(&mut self) -> rusqlite::Result<()> {
        if !self.connection.table_exists(None, "throng_agent")? {
            return Ok(());
        }
        let mut select =
            self.connection.prepare("SELECT id, agent_group, radius FROM throng_agent")?;
        let mut found = select.query([])?;
        while let Some(row) = found.next()? {
            self.agents.insert(row.get(0)?, (row.get(1)?, row.get::<_, f64>(2)? as f32));
        }
        let mut select = self
            .connection
            .prepare("SELECT frame, id, action FROM throng_action ORDER BY rowid")?;
        let mut found = select.query([])?;
        while let Some(row) = found.next()? {
            let frame: i64 = row.get(0)?;
            let change = (frame.max(0) as u64, row.get(2)?);
            self.actions.entry(row.get(1)?).or_default().push(change);
        }
        Ok(())
    }

    fn read(&self, number: u64) -> rusqlite::Result<FrameRows> {
        let after = self.row_of(number + 1)?;
        let number = self.frame_of((after - 1).max(1))?;
        let first = self.row_of(number)?;
        let mut rows = FrameRows { number, ..FrameRows::default() };
        let mut select = self.connection.prepare_cached(
            "SELECT id, pos_x, pos_y FROM trajectory_data WHERE rowid >= ?1 AND rowid < ?2",
        )?;
        let mut found = select.query([first, after])?;
        while let Some(row) = found.next()? {
            let id: u32 = row.get(0)?;
            rows.push(id, [row.get::<_, f64>(1)? as f32, row.get::<_, f64>(2)? as f32]);
            let at = rows.ids.len() - 1;
            if let Some(&(group, radius)) = self.agents.get(&id) {
                (rows.group[at], rows.radius[at]) = (group, radius);
            }
            if let Some(changes) = self.actions.get(&id) {
                let past = changes.partition_point(|(frame, _)| *frame <= number);
                rows.action[at] =
                    changes.get(past.wrapping_sub(1)).map_or(0, |(_, action)| *action);
            }
        }
        Ok(rows)
    }
}

impl Frames for Rows {
    fn range(&self) -> (u64, u64) {
        self.range
    }

    fn at(&mut self, number: u64) -> Result<(FrameRows, bool), String> {
        self.read(number).map(|rows| (rows, false)).map_err(|error| error.to_string())
    }
}
