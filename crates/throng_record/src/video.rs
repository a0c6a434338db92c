//! `Video`: an .mp4 (H.264), encoded by the program `ffmpeg` while frames are made.
//!
//! No encoder of that kind is free to link and as good; `ffmpeg` is in every distribution. It gets the
//! pixels through a pipe and writes to a temporary file, which gets its name once it is whole.

use crate::file::Draft;
use crate::{Image, RecordError};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// A video in the making. Its file appears, whole, with [`Video::finish`]; dropped before, nothing is
/// left of it and what was there stays.
pub struct Video {
    draft: Draft,
    program: String,
    fps: f64,
    going: Option<Going>,
}

struct Going {
    child: Child,
    pipe: Option<BufWriter<ChildStdin>>,
    size: (usize, usize),
}

impl Drop for Going {
    fn drop(&mut self) {
        // Only where the video was given up: after `finish` the program has ended.
        self.pipe.take();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Video {
    /// Begins a video of so many frames per second.
    ///
    /// # Errors
    /// When the file cannot be written, the rate is not positive, or there is no `ffmpeg`.
    pub fn create(path: &Path, fps: f64) -> Result<Self, RecordError> {
        Self::by(path, fps, "ffmpeg")
    }

    fn by(path: &Path, fps: f64, program: &str) -> Result<Self, RecordError> {
        if !(fps.is_finite() && fps > 0.0) {
            let (name, value) = ("fps", fps.to_string());
            return Err(RecordError::BadOption { name, value, right: "a positive number" });
        }
        let there = Command::new(program).arg("-version").stdout(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            let (path, program) = (path.to_owned(), program.to_owned());
            return Err(RecordError::NoEncoder { path, program });
        }
        let (draft, _) = Draft::new(path)?;
        Ok(Self { draft, program: program.to_owned(), fps, going: None })
    }

    /// Adds a frame, of the same size as those before.
    ///
    /// # Errors
    /// When the size differs, or the encoder fails.
    pub fn frame(&mut self, image: &Image) -> Result<(), RecordError> {
        let size = (image.width(), image.height());
        if self.going.is_none() {
            self.going = Some(self.begin(size)?);
        }
        let Some(going) = &mut self.going else { return Ok(()) };
        if going.size != size {
            return Err(RecordError::FrameSize { found: size, clip: going.size });
        }
        let Some(pipe) = &mut going.pipe else { return Err(self.ended("it failed before")) };
        for row in image.pixels().chunks(size.0.max(1)) {
            let row: Vec<u8> = row.iter().flat_map(|pixel| pixel.0).collect();
            if pipe.write_all(&row).is_err() {
                // The encoder closed the pipe: what it said tells why.
                let why = self.said();
                return Err(self.ended(&why));
            }
        }
        Ok(())
    }

    /// Ends the video and gives it its name.
    ///
    /// # Errors
    /// When the encoder fails, or there was no frame.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let Some(going) = &mut self.going else { return Err(self.ended("it has no frame")) };
        let flushed = going.pipe.take().map_or(Ok(()), |mut pipe| pipe.flush());
        let why = self.said();
        let status = self.going.as_mut().map(|going| going.child.wait());
        match (flushed, status) {
            (Ok(()), Some(Ok(status))) if status.success() => self.draft.publish().map(|_| ()),
            _ => Err(self.ended(&why)),
        }
    }

    fn begin(&self, (width, height): (usize, usize)) -> Result<Going, RecordError> {
        let fps = self.fps.to_string();
        let size = format!("{width}x{height}");
        let raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &fps, "-i", "-"];
        // Players want whole pairs of pixels: an odd last row or column is doubled.
        let shape = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0,format=yuv420p"];
        let coded = ["-c:v", "libx264", "-crf", "20", "-movflags", "+faststart", "-f", "mp4"];
        let child = Command::new(&self.program)
            .args(["-hide_banner", "-loglevel", "error", "-y"])
            .args(raw)
            .args(shape)
            .args(coded)
            .arg(self.draft.temporary())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let explain = |source| RecordError::Write { path: self.draft.path().to_owned(), source };
        let mut child = child.map_err(explain)?;
        let pipe = child.stdin.take().map(BufWriter::new);
        Ok(Going { child, pipe, size: (width, height) })
    }

    /// The last line of what the encoder said; waits until it has ended.
    fn said(&mut self) -> String {
        let mut text = String::new();
        if let Some(going) = &mut self.going {
            going.pipe.take();
            if let Some(mut errors) = going.child.stderr.take() {
                // What cannot be read is not told.
                let _ = errors.read_to_string(&mut text);
            }
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        last.unwrap_or("the encoder failed without a word").trim().to_owned()
    }

    fn ended(&self, cause: &str) -> RecordError {
        RecordError::Ended { path: self.draft.path().to_owned(), cause: cause.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Rgb;

    /// Stands in for ffmpeg: takes its last argument as the file, and does as `does` says.
    fn stand_in(directory: &Path, does: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = directory.join("encoder");
        let script =
            format!("#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor last; do :; done\n{does}\n");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// If this fails, frames do not reach the encoder whole and in order.
    #[test]
    fn frames_go_to_the_encoder_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let program = stand_in(directory.path(), "cat > \"$last\"");
        let path = directory.path().join("clip.mp4");
        let mut video = Video::by(&path, 25.0, &program).unwrap();
        let frames = [Rgb([1, 2, 3]), Rgb([200, 100, 50])].map(|c| Image::filled(5, 3, c));
        frames.iter().for_each(|frame| video.frame(frame).unwrap());
        assert!(!path.exists(), "not before it is whole");
        let other = video.frame(&Image::filled(4, 3, Rgb([0; 3]))).unwrap_err().to_string();
        assert_eq!(other, "a frame of 4 x 3 pixels in a clip of 5 x 3");
        video.finish().unwrap();
        let wanted = [[1, 2, 3].repeat(15), [200, 100, 50].repeat(15)].concat();
        assert_eq!(std::fs::read(&path).unwrap(), wanted);
    }

    /// If this fails, an encoder that is missing or fails goes unnoticed, or costs an older file.
    #[test]
    fn failures_are_told_and_leave_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("clip.mp4");
        std::fs::write(&path, "older").unwrap();
        let missing = Video::by(&path, 25.0, "/no/such/encoder").err().unwrap().to_string();
        assert!(missing.contains("/no/such/encoder") && missing.contains(".gif"), "{missing}");
        let program = stand_in(directory.path(), "cat > /dev/null; echo no room >&2; exit 1");
        let mut video = Video::by(&path, 25.0, &program).unwrap();
        video.frame(&Image::filled(5, 3, Rgb([0; 3]))).unwrap();
        assert!(video.finish().unwrap_err().to_string().ends_with("no room"));
        assert!(Video::by(&path, 0.0, &program).is_err());
        let empty = Video::by(&path, 25.0, &program).unwrap();
        assert!(empty.finish().unwrap_err().to_string().ends_with("it has no frame"));
        assert_eq!(std::fs::read(&path).unwrap(), b"older");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
