//! Trajectories as lines of text: PedPy's columns, and CSV with everything.
//!
//! No line crosses a page of the file: the last number of a page's last line has as many zeros
//! more as fill it. The system cuts a write short between pages, so that whatever ends the process
//! or fills the disk leaves whole lines.

use super::number::{push_fixed, push_whole};
use super::writer::Sink;
use super::{AgentFrame, Geometry, TrajectoryOptions};
use crate::{RecordError, file};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a page of a file.
const PAGE: u64 = 4096;
/// A page with less room than this is filled up; longer lines do not occur.
const LEAST_ROOM: u64 = 192;

/// First line of a CSV trajectory.
pub(super) const CSV_HEADER: &str = "frame,time,id,x,y,vx,vy,group,action,radius";
/// Before the frame rate in the head of a text trajectory.
pub(super) const FRAME_RATE: &str = "# framerate: ";
/// Before the geometry in a text trajectory.
pub(super) const GEOMETRY: &str = "# geometry: ";

#[derive(Clone, Copy)]
enum Columns {
    PedPy,
    All,
}

/// A text file that grows by whole frames.
pub(super) struct LineSink {
    path: PathBuf,
    file: File,
    columns: Columns,
    /// Bytes of all whole frames.
    length: u64,
    buffer: Vec<u8>,
}

impl LineSink {
    /// Begins a PedPy text file.
    pub(super) fn text(
        path: &Path,
        options: &TrajectoryOptions,
        geometry: &Geometry,
    ) -> Result<Self, RecordError> {
        let mut head = format!(
            "# description: recorded by Throng\n{FRAME_RATE}{} fps\n{GEOMETRY}{}\n\
             # columns: id frame x/m y/m z/m",
            options.fps,
            geometry.wkt()
        )
        .into_bytes();
        // Lengths in the head are of its own; the first line of numbers starts a page.
        let full = (head.len() as u64 + 1).next_multiple_of(PAGE) as usize;
        if full - head.len() <= LEAST_ROOM as usize {
            head.resize(full - 1, b' ');
        }
        head.push(b'\n');
        Self::create(path, Columns::PedPy, head)
    }

    /// Begins a CSV file.
    pub(super) fn csv(path: &Path) -> Result<Self, RecordError> {
        Self::create(path, Columns::All, format!("{CSV_HEADER}\n").into_bytes())
    }

    fn create(path: &Path, columns: Columns, head: Vec<u8>) -> Result<Self, RecordError> {
        let explain = |source| RecordError::Write { path: path.to_owned(), source };
        let real = file::begin(path, |temporary| fs::write(temporary, &head).map_err(explain))?;
        let file = OpenOptions::new().append(true).open(&real).map_err(explain)?;
        let length = head.len() as u64;
        Ok(Self { path: path.to_owned(), file, columns, length, buffer: head })
    }

    /// Ends a line, and fills the page with zeros of its last number if there is no room for
    /// another line.
    fn end_line(&mut self) {
        let used = (self.length + self.buffer.len() as u64 + 1) % PAGE;
        if used > PAGE - LEAST_ROOM {
            let zeros = (PAGE - used) as usize;
            self.buffer.resize(self.buffer.len() + zeros, b'0');
        }
        self.buffer.push(b'\n');
    }

    /// Appends the buffer, all of it or nothing.
    fn append(&mut self) -> Result<(), RecordError> {
        match self.file.write_all(&self.buffer) {
            Ok(()) => {
                self.length += self.buffer.len() as u64;
                Ok(())
            }
            Err(source) => {
                // The first error is the one to report; a reader copes with the lines of half a
                // frame.
                let _ = self.file.set_len(self.length);
                Err(RecordError::Write { path: self.path.clone(), source })
            }
        }
    }

    fn pedpy_line(&mut self, number: u64, frame: &AgentFrame<'_>, i: usize) {
        let out = &mut self.buffer;
        push_whole(out, u64::from(frame.ids[i]));
        out.push(b' ');
        push_whole(out, number);
        for value in [frame.x[i], frame.y[i]] {
            out.push(b' ');
            push_fixed(out, f64::from(value));
        }
        out.extend_from_slice(b" 0.0");
        self.end_line();
    }

    fn csv_line(&mut self, number: u64, frame: &AgentFrame<'_>, i: usize) {
        let out = &mut self.buffer;
        push_whole(out, number);
        out.push(b',');
        push_fixed(out, frame.time);
        out.push(b',');
        push_whole(out, u64::from(frame.ids[i]));
        for value in [frame.x[i], frame.y[i], frame.vx[i], frame.vy[i]] {
            out.push(b',');
            push_fixed(out, f64::from(value));
        }
        for index in [frame.group[i], frame.action[i]] {
            out.push(b',');
            push_whole(out, u64::from(index));
        }
        out.push(b',');
        push_fixed(out, f64::from(frame.radius[i]));
        self.end_line();
    }
}

impl Sink for LineSink {
    fn frame(&mut self, number: u64, frame: &AgentFrame<'_>) -> Result<(), RecordError> {
        self.buffer.clear();
        for i in 0..frame.len() {
            match self.columns {
                Columns::PedPy => self.pedpy_line(number, frame, i),
                Columns::All => self.csv_line(number, frame, i),
            }
        }
        self.append()
    }

    fn geometry(&mut self, geometry: &Geometry) -> Result<(), RecordError> {
        if matches!(self.columns, Columns::All) {
            return Ok(());
        }
        self.buffer.clear();
        self.buffer.extend_from_slice(GEOMETRY.as_bytes());
        self.buffer.extend_from_slice(geometry.wkt().as_bytes());
        let used = (self.length + self.buffer.len() as u64 + 1) % PAGE;
        if used > PAGE - LEAST_ROOM {
            let spaces = (PAGE - used) as usize;
            self.buffer.resize(self.buffer.len() + spaces, b' ');
        }
        self.buffer.push(b'\n');
        self.append()
    }

    fn commit(&mut self) -> Result<(), RecordError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), RecordError> {
        self.file.sync_all().map_err(|source| RecordError::Write { path: self.path, source })
    }

    fn shortest_pause(&self) -> Duration {
        Duration::ZERO
    }
}
