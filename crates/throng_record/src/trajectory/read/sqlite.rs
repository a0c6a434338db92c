//! Reading JuPedSim's SQLite tables.

use super::{Row, Trajectory};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;
use std::path::Path;

pub(super) fn read(path: &Path) -> rusqlite::Result<Trajectory> {
    // Not read-only: whoever opens a file after a crash first takes back what was not committed.
    let connection = Connection::open(path)?;
    let fps: String =
        connection.query_row("SELECT value FROM metadata WHERE key = 'fps'", [], |r| r.get(0))?;
    let fps = fps.trim().parse().unwrap_or(f64::NAN);
    let geometry = connection
        .query_row("SELECT wkt FROM geometry ORDER BY rowid DESC LIMIT 1", [], |r| r.get(0))
        .optional()?;
    let mut rows = Vec::new();
    let mut select =
        connection.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data ORDER BY rowid")?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        let position = [row.get::<_, f64>(2)? as f32, row.get::<_, f64>(3)? as f32];
        let frame: i64 = row.get(0)?;
        rows.push(Row::bare(frame.max(0) as u64, row.get(1)?, position));
    }
    add_own_tables(&connection, &mut rows)?;
    Ok(Trajectory::of_rows(fps, geometry, rows))
}

/// Groups, radii and actions, if we wrote the file.
fn add_own_tables(connection: &Connection, rows: &mut [Row]) -> rusqlite::Result<()> {
    if !connection.table_exists(None, "throng_agent")? {
        return Ok(());
    }
    let mut agents: HashMap<u32, (u8, f32)> = HashMap::new();
    let mut select = connection.prepare("SELECT id, agent_group, radius FROM throng_agent")?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        agents.insert(row.get(0)?, (row.get(1)?, row.get::<_, f64>(2)? as f32));
    }
    let mut select =
        connection.prepare("SELECT frame, id, action FROM throng_action ORDER BY rowid")?;
    let mut changes = select.query([])?;
    let mut change = changes.next()?.map(as_change).transpose()?;
    let mut actions: HashMap<u32, u8> = HashMap::new();
    for row in rows {
        while let Some((frame, id, action)) = change.filter(|change| change.0 <= row.frame) {
            debug_assert!(frame <= row.frame);
            actions.insert(id, action);
            change = changes.next()?.map(as_change).transpose()?;
        }
        row.action = actions.get(&row.id).copied().unwrap_or(0);
        if let Some(&(group, radius)) = agents.get(&row.id) {
            (row.group, row.radius) = (group, radius);
        }
    }
    Ok(())
}

fn as_change(row: &rusqlite::Row<'_>) -> rusqlite::Result<(u64, u32, u8)> {
    let frame: i64 = row.get(0)?;
    Ok((frame.max(0) as u64, row.get(1)?, row.get(2)?))
}
