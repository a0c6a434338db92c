//! Files are written whole or not at all, and errors say which file and why.

use std::fs;
use std::io;
use std::path::Path;
use throng_field::Grid;
use throng_record::file::{write_bytes, write_with};
use throng_record::{RecordError, write_grid_csv, write_npy};

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_written_and_written_over() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.bin");
    write_bytes(&path, b"first, and longer").unwrap();
    write_bytes(&path, b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(names_in(directory.path()), ["out.bin"]);
}

/// A crash halfway must not leave half a file under the name people will open.
#[test]
fn a_failure_leaves_what_was_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.bin");
    let fail = |out: &mut dyn io::Write| {
        out.write_all(&[0; 1 << 20])?;
        Err(io::Error::other("out of ideas"))
    };
    let error = write_with(&path, fail).unwrap_err();
    let expected = format!("cannot write {}: out of ideas", path.display());
    assert_eq!(error.to_string(), expected);
    assert!(names_in(directory.path()).is_empty());
    write_bytes(&path, b"good").unwrap();
    write_with(&path, fail).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), b"good");
    assert_eq!(names_in(directory.path()), ["out.bin"]);
}

#[test]
fn a_missing_directory_and_a_directory_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("nowhere");
    let grid = Grid::filled(2, 2, 1.0).unwrap();
    let error = write_npy(&grid, &missing.join("out.npy")).unwrap_err();
    assert!(matches!(error, RecordError::NoDirectory { .. }), "{error}");
    assert!(error.to_string().ends_with(&format!("there is no directory {}", missing.display())));
    let error = write_grid_csv(&grid, directory.path()).unwrap_err();
    assert!(matches!(error, RecordError::IsDirectory { .. }), "{error}");
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn an_empty_path_is_refused() {
    let error = write_bytes(Path::new(""), b"x").unwrap_err();
    assert!(error.to_string().contains("does not name a file"), "{error}");
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    fn is_device(path: &Path) -> bool {
        fs::metadata(path).unwrap().file_type().is_char_device()
    }

    /// Renaming a picture over a device would take the device from the whole machine.
    #[test]
    fn devices_are_written_through() {
        let grid = Grid::filled(300, 300, 1.0).unwrap();
        write_npy(&grid, Path::new("/dev/null")).unwrap();
        assert!(is_device(Path::new("/dev/null")));
        for length in [1, 1 << 20] {
            let error = write_bytes(Path::new("/dev/full"), &vec![0; length]).unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("cannot write /dev/full: No space left"), "{text}");
            assert!(!text.contains('\n'));
        }
        assert!(is_device(Path::new("/dev/full")));
    }

    #[test]
    fn an_unwritable_place_is_an_error() {
        let error = write_bytes(Path::new("/proc/throng.png"), b"x").unwrap_err();
        assert!(matches!(error, RecordError::Write { .. }), "{error}");
        assert!(error.to_string().starts_with("cannot write /proc/throng.png: "));
    }

    /// Whether permissions bind this user; they do not bind root.
    fn permissions_bind(directory: &Path) -> bool {
        fs::write(directory.join("probe"), b"").is_err()
    }

    #[test]
    fn a_read_only_directory_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o555)).unwrap();
        if permissions_bind(directory.path()) {
            let error = write_bytes(&directory.path().join("out.png"), b"x").unwrap_err();
            assert!(error.to_string().contains("Permission denied"), "{error}");
            assert!(names_in(directory.path()).is_empty());
        }
    }

    #[test]
    fn links_are_followed_and_permissions_kept() {
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real"), directory.path().join("link"));
        fs::write(&real, b"old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        write_bytes(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names_in(directory.path()), ["link", "real"]);
    }
}
