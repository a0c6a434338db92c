//! Trajectories in JuPedSim's SQLite tables (version 2), which PedPy and JuPedSim's own viewer read.
//!
//! Two tables more keep what those do not know: `throng_agent` (group and radius of everybody) and
//! `throng_action` (from which frame on who does what).
//!
//! A transaction with a rollback journal holds the frames of up to a second. New rows only ever go
//! to the end, so that the journal stays small; should the process die, whoever opens the file next
//! takes back the unfinished transaction by the journal beside it.

use super::writer::Sink;
use super::{AgentFrame, Geometry, TrajectoryOptions};
use crate::{RecordError, file};
use rusqlite::{Connection, ErrorCode, params};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rows per statement: binding is cheaper than stepping.
const ROWS: usize = 256;
/// Columns of a row besides the frame.
const COLUMNS: usize = 5;
/// Slower than this nobody faces anywhere (metres per second); written as (0, 0), as JuPedSim does.
const STANDING: f32 = 1e-3;
/// How long a reader may keep us from committing.
const READER_PATIENCE: Duration = Duration::from_secs(10);
/// Statements kept ready.
const STATEMENTS: usize = 32;
const ACTION_UNKNOWN: u16 = u16::MAX;

const SETTINGS: &str = "
    PRAGMA page_size = 16384;
    PRAGMA journal_mode = DELETE;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384;
";

const TABLES: &str = "
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL, id INTEGER NOT NULL,
        pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    CREATE TABLE throng_agent(
        id INTEGER PRIMARY KEY, agent_group INTEGER NOT NULL, radius REAL NOT NULL);
    CREATE TABLE throng_action(
        frame INTEGER NOT NULL, id INTEGER NOT NULL, action INTEGER NOT NULL);
";

/// An open trajectory database.
pub(super) struct SqliteSink {
    path: PathBuf,
    connection: Connection,
    many: String,
    geometry_hash: i64,
    in_transaction: bool,
    known: Known,
}

impl SqliteSink {
    pub(super) fn create(
        path: &Path,
        options: &TrajectoryOptions,
        geometry: &Geometry,
    ) -> Result<Self, RecordError> {
        let explain = |error| explain(path, &error);
        let real = file::begin(path, |temporary| {
            begin(temporary, options, geometry).map_err(explain)?;
            // The journal of an older file of this name would be played back into the new one.
            for suffix in ["-journal", "-wal", "-shm"] {
                remove_sidecar(&fs::canonicalize(path).unwrap_or(path.to_owned()), suffix)?;
            }
            Ok(())
        })?;
        let connection = Connection::open(&real).map_err(explain)?;
        connection.execute_batch(SETTINGS).map_err(explain)?;
        connection.busy_timeout(READER_PATIENCE).map_err(explain)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self {
            path: path.to_owned(),
            connection,
            many: insert_many(),
            geometry_hash: geometry.hash(),
            in_transaction: false,
            known: Known::default(),
        })
    }

    fn insert(&mut self, number: u64, frame: &AgentFrame<'_>) -> rusqlite::Result<()> {
        let connection = &self.connection;
        if !self.in_transaction {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            self.in_transaction = true;
        }
        let number = number as i64;
        let whole = frame.len() - frame.len() % ROWS;
        let mut many = connection.prepare_cached(&self.many)?;
        many.raw_bind_parameter(1, number)?;
        for first in (0..whole).step_by(ROWS) {
            for row in 0..ROWS {
                bind_row(&mut many, row, frame, first + row)?;
            }
            many.raw_execute()?;
        }
        let mut one = connection.prepare_cached(&insert_rows(1))?;
        one.raw_bind_parameter(1, number)?;
        for i in whole..frame.len() {
            bind_row(&mut one, 0, frame, i)?;
            one.raw_execute()?;
        }
        connection
            .prepare_cached("INSERT INTO frame_data VALUES (?, ?)")?
            .execute(params![number, self.geometry_hash])?;
        insert_news(connection, &mut self.known, number, frame)
    }
}

impl Sink for SqliteSink {
    fn frame(&mut self, number: u64, frame: &AgentFrame<'_>) -> Result<(), RecordError> {
        self.insert(number, frame).map_err(|error| explain(&self.path, &error))
    }

    fn geometry(&mut self, geometry: &Geometry) -> Result<(), RecordError> {
        self.geometry_hash = geometry.hash();
        let sql = "INSERT OR IGNORE INTO geometry VALUES (?, ?)";
        let done = self.connection.execute(sql, params![geometry.hash(), geometry.wkt()]);
        done.map(|_| ()).map_err(|error| explain(&self.path, &error))
    }

    fn commit(&mut self) -> Result<(), RecordError> {
        if !self.in_transaction {
            return Ok(());
        }
        self.in_transaction = false;
        self.connection.execute_batch("COMMIT").map_err(|error| explain(&self.path, &error))
    }

    fn finish(mut self: Box<Self>) -> Result<(), RecordError> {
        self.commit()?;
        let index = "CREATE INDEX frame_id_idx ON trajectory_data(frame, id)";
        self.connection.execute_batch(index).map_err(|error| explain(&self.path, &error))?;
        let Self { path, connection, .. } = *self;
        connection.close().map_err(|(_, error)| explain(&path, &error))?;
        let synced = fs::File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(|source| RecordError::Write { path, source })
    }

    fn shortest_pause(&self) -> Duration {
        Duration::from_millis(50)
    }
}

/// Makes a database with its tables, metadata and geometry, and no frames yet.
fn begin(
    path: &Path,
    options: &TrajectoryOptions,
    geometry: &Geometry,
) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(SETTINGS)?;
    // Should this fail the whole file goes, and a journal would be left behind.
    connection.execute_batch("PRAGMA journal_mode = OFF;")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    let bounds = geometry.bounds();
    let metadata = [
        ("version", "2".to_owned()),
        ("fps", format!("{:?}", options.fps)),
        ("xmin", format!("{:?}", bounds.min.x)),
        ("xmax", format!("{:?}", bounds.max.x)),
        ("ymin", format!("{:?}", bounds.min.y)),
        ("ymax", format!("{:?}", bounds.max.y)),
    ];
    for (key, value) in metadata {
        transaction.execute("INSERT INTO metadata VALUES (?, ?)", params![key, value])?;
    }
    let sql = "INSERT INTO geometry VALUES (?, ?)";
    transaction.execute(sql, params![geometry.hash(), geometry.wkt()])?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)
}

fn remove_sidecar(path: &Path, suffix: &str) -> Result<(), RecordError> {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    match fs::remove_file(&name) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::Write { path: PathBuf::from(name), source })
        }
        _ => Ok(()),
    }
}

/// One statement for `rows` rows of one frame, which is its first parameter.
fn insert_rows(rows: usize) -> String {
    let row = |i: usize| {
        let first = 2 + i * COLUMNS;
        let places: Vec<String> = (first..first + COLUMNS).map(|p| format!("?{p}")).collect();
        format!("(?1, {})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO trajectory_data VALUES {}", rows.join(", "))
}

fn insert_many() -> String {
    insert_rows(ROWS)
}

fn bind_row(
    statement: &mut rusqlite::CachedStatement<'_>,
    row: usize,
    frame: &AgentFrame<'_>,
    i: usize,
) -> rusqlite::Result<()> {
    let first = 2 + row * COLUMNS;
    let velocity = frame.velocity(i);
    let speed = velocity.length();
    let facing = if speed < STANDING { glam::Vec2::ZERO } else { velocity / speed };
    statement.raw_bind_parameter(first, frame.ids[i])?;
    statement.raw_bind_parameter(first + 1, f64::from(frame.x[i]))?;
    statement.raw_bind_parameter(first + 2, f64::from(frame.y[i]))?;
    statement.raw_bind_parameter(first + 3, f64::from(facing.x))?;
    statement.raw_bind_parameter(first + 4, f64::from(facing.y))
}

/// Records whoever is new, and whoever does something else than before.
fn insert_news(
    connection: &Connection,
    known: &mut Known,
    number: i64,
    frame: &AgentFrame<'_>,
) -> rusqlite::Result<()> {
    let mut agent =
        connection.prepare_cached("INSERT OR REPLACE INTO throng_agent VALUES (?, ?, ?)")?;
    let mut action = connection.prepare_cached("INSERT INTO throng_action VALUES (?, ?, ?)")?;
    for i in 0..frame.len() {
        let (id, now) = (frame.ids[i], u16::from(frame.action[i]));
        let before = known.action(id);
        if *before == now {
            continue;
        }
        if *before == ACTION_UNKNOWN {
            agent.execute(params![id, frame.group[i], f64::from(frame.radius[i])])?;
        }
        action.execute(params![number, id, now])?;
        *before = now;
    }
    Ok(())
}

/// What everybody does, as far as it is written down.
#[derive(Default)]
struct Known {
    small: Vec<u16>,
    large: HashMap<u32, u16>,
}

impl Known {
    /// The action of `id`, [`ACTION_UNKNOWN`] at first sight.
    fn action(&mut self, id: u32) -> &mut u16 {
        /// Ids below this are looked up by index.
        const SMALL: usize = 1 << 22;
        let index = id as usize;
        if index >= SMALL {
            return self.large.entry(id).or_insert(ACTION_UNKNOWN);
        }
        if index >= self.small.len() {
            self.small.resize((index + 1).next_power_of_two(), ACTION_UNKNOWN);
        }
        &mut self.small[index]
    }
}

/// SQLite's error as ours, with a full disk called by its name.
fn explain(path: &Path, error: &rusqlite::Error) -> RecordError {
    let source = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            io::Error::new(io::ErrorKind::StorageFull, "no space left on the device")
        }
        Some(ErrorCode::SystemIoFailure) => {
            io::Error::other(format!("the system refused to write ({error})"))
        }
        _ => io::Error::other(error.to_string()),
    };
    RecordError::Write { path: path.to_owned(), source }
}
