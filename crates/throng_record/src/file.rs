//! Writing a file so that it is either there whole or not at all.
//!
//! Bytes go to a temporary sibling that takes the target's name only once it is complete and on the
//! disk. Devices and pipes (`/dev/null`, `/dev/stdout`) cannot be renamed over; they are written
//! straight through.

use crate::RecordError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Buffer between the caller's small writes and the file.
const BUFFER_BYTES: usize = 1 << 16;
/// How many temporary names are tried before giving up.
const NAME_TRIES: u32 = 16;

static NEXT_NAME: AtomicU64 = AtomicU64::new(0);

/// Writes `bytes` to `path`, whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes what `fill` produces to `path`, whole or not at all.
///
/// On any error, from `fill` or from the system, the file that was at `path` (if any) is untouched
/// and no temporary file is left behind.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RecordError> {
    let explain = |source| RecordError::Write { path: path.to_owned(), source };
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => {
            Err(RecordError::IsDirectory { path: path.to_owned() })
        }
        Ok(existing) if existing.is_file() => replace(path, &existing, fill).map_err(explain),
        Ok(_) => write_through(path, fill).map_err(explain),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            check_directory(path)?;
            create(path, None, fill).map_err(explain)
        }
        Err(error) => Err(explain(error)),
    }
}

/// Says which directory is missing, which the system's own message does not.
fn check_directory(path: &Path) -> Result<(), RecordError> {
    let directory = parent(path);
    if directory.is_dir() {
        return Ok(());
    }
    Err(RecordError::NoDirectory { path: path.to_owned(), directory: directory.to_owned() })
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Begins a file that will grow while the program runs: `fill` makes its first state under a
/// temporary name, and only then does it take the place of what was at `path`. Gives the file's
/// real path (links followed).
///
/// On any error the file that was at `path` (if any) is untouched.
pub(crate) fn begin(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), RecordError>,
) -> Result<PathBuf, RecordError> {
    let (draft, file) = Draft::new(path)?;
    drop(file);
    fill(&draft.temporary)?;
    draft.publish()
}

/// A file in the making, under a temporary name beside its own. Dropped unpublished it is gone,
/// and what was at the path is untouched.
pub(crate) struct Draft {
    path: PathBuf,
    real: PathBuf,
    temporary: PathBuf,
    permissions: Option<fs::Permissions>,
    published: bool,
}

impl Draft {
    /// A new empty file to write to.
    pub(crate) fn new(path: &Path) -> Result<(Self, File), RecordError> {
        let explain = |source| RecordError::Write { path: path.to_owned(), source };
        let mut permissions = None;
        let real = match fs::metadata(path) {
            Ok(existing) if existing.is_dir() => {
                return Err(RecordError::IsDirectory { path: path.to_owned() });
            }
            Ok(existing) if existing.is_file() => {
                OpenOptions::new().write(true).open(path).map_err(explain)?;
                permissions = Some(existing.permissions());
                fs::canonicalize(path).map_err(explain)?
            }
            Ok(_) => {
                let why = "it is a device or a pipe; give the name of a file";
                return Err(explain(io::Error::new(io::ErrorKind::InvalidInput, why)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                check_directory(path)?;
                path.to_owned()
            }
            Err(error) => return Err(explain(error)),
        };
        let (temporary, file) = temporary_sibling(&real).map_err(explain)?;
        let path = path.to_owned();
        Ok((Self { path, real, temporary, permissions, published: false }, file))
    }

    /// The path asked for.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is until then.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name, in place of what had it. Gives the real path (links followed).
    pub(crate) fn publish(mut self) -> Result<PathBuf, RecordError> {
        let explain = |source| RecordError::Write { path: self.path.clone(), source };
        if let Some(permissions) = self.permissions.take() {
            fs::set_permissions(&self.temporary, permissions).map_err(explain)?;
        }
        fs::rename(&self.temporary, &self.real).map_err(explain)?;
        self.published = true;
        Ok(self.real.clone())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.published {
            // The error that led here is the one to report; a failing removal would only hide it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A device or a pipe: no renaming, and nothing to sync.
fn write_through(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = buffered(OpenOptions::new().write(true).open(path)?);
    fill(&mut out)?;
    out.flush()
}

/// An existing file: follows links, respects write protection and keeps the permissions.
fn replace(
    path: &Path,
    existing: &fs::Metadata,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let real = fs::canonicalize(path)?;
    // Renaming over a write-protected file would succeed; opening it tells whether it may change.
    OpenOptions::new().write(true).open(&real)?;
    create(&real, Some(existing.permissions()), fill)
}

/// Fills a temporary sibling and gives it the name `path`.
fn create(
    path: &Path,
    permissions: Option<fs::Permissions>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (temporary, file) = temporary_sibling(path)?;
    let finished = fill_file(file, permissions, fill).and_then(|()| fs::rename(&temporary, path));
    if finished.is_err() {
        // The first error is the one to report; a failing removal would only hide it.
        let _ = fs::remove_file(&temporary);
    }
    finished
}

fn fill_file(
    file: File,
    permissions: Option<fs::Permissions>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = buffered(file);
    fill(&mut out)?;
    out.flush()?;
    if let Some(permissions) = permissions {
        out.get_ref().set_permissions(permissions)?;
    }
    out.get_ref().sync_all()
}

fn temporary_sibling(path: &Path) -> io::Result<(PathBuf, File)> {
    if path.file_name().is_none() {
        let explanation = "the path does not name a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, explanation));
    }
    let mut last = None;
    for _ in 0..NAME_TRIES {
        let number = NEXT_NAME.fetch_add(1, Ordering::Relaxed);
        // Short and independent of the target's name, which may already be as long as is allowed.
        let temporary = parent(path).join(format!(".throng-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::other("no free temporary name")))
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(BUFFER_BYTES, file)
}
