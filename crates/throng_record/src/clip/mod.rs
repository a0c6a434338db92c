//! `Clip`: an animated GIF, written frame by frame.
//!
//! One palette serves the whole clip, so that still ground stays still; a frame holds only the
//! rectangle that changed, and in it only the pixels that did.

mod palette;

use crate::draw::Rgb;
use crate::file::Draft;
use crate::{Image, RecordError};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use palette::{Palette, TRANSPARENT};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Changes of colour below this can wait until a pixel is at rest (levels of 255, all channels).
const USUAL_TOLERANCE: f32 = 36.0;
/// A pixel that has not changed for so many frames is at rest.
const AT_REST: u8 = 10;
const BUFFER_BYTES: usize = 1 << 16;

/// How a clip is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipOptions {
    /// Frames per second of the viewer's time; GIF counts hundredths of a second, and viewers
    /// seldom show more than 50.
    pub fps: f64,
    /// Colours that must not be lost, whatever the first frame shows.
    pub colors: Vec<Rgb>,
    /// Changes of a pixel below this are put off until it is at rest: larger makes smaller files
    /// and rougher motion.
    pub tolerance: f32,
}

impl Default for ClipOptions {
    fn default() -> Self {
        Self { fps: 15.0, colors: Vec::new(), tolerance: USUAL_TOLERANCE }
    }
}

/// An animated GIF in the making. Its file appears, whole, with [`Clip::finish`]; dropped before,
/// nothing is left of it and what was there stays.
pub struct Clip {
    draft: Draft,
    options: ClipOptions,
    file: Option<File>,
    going: Option<Going>,
    frames: u64,
    /// Hundredths of a second shown so far.
    shown: u64,
}

/// What there is once the first frame is known.
struct Going {
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    size: (usize, usize),
    /// The last frame as given, and as shown.
    given: Vec<Rgb>,
    shown: Vec<u8>,
    /// For how many frames a small change has been put off; 0 where none was.
    late: Vec<u8>,
    /// The frame that waits to know how long it is shown.
    waiting: Option<Frame<'static>>,
}

impl Clip {
    /// Begins a clip.
    ///
    /// # Errors
    /// When the file cannot be written, or the rate is not positive.
    pub fn create(path: &Path, options: ClipOptions) -> Result<Self, RecordError> {
        if !(options.fps.is_finite() && options.fps > 0.0) {
            let (name, value) = ("fps", options.fps.to_string());
            return Err(RecordError::BadOption { name, value, right: "a positive number" });
        }
        let (draft, file) = Draft::new(path)?;
        Ok(Self { draft, options, file: Some(file), going: None, frames: 0, shown: 0 })
    }

    /// Adds a frame, of the same size as those before.
    ///
    /// # Errors
    /// When the size differs, or the file cannot be written.
    pub fn frame(&mut self, image: &Image) -> Result<(), RecordError> {
        let size = (image.width(), image.height());
        let shown = (self.frames as f64 / self.options.fps * 100.0).round() as u64;
        let delay = shown.saturating_sub(self.shown);
        if let Some(file) = self.file.take() {
            let going = Going::new(file, image, &self.options);
            self.going = Some(going.map_err(|error| self.explain(error))?);
        }
        let Some(going) = self.going.as_mut() else {
            let cause = "it failed before".to_owned();
            return Err(RecordError::Ended { path: self.draft.path().to_owned(), cause });
        };
        if going.size != size {
            return Err(RecordError::FrameSize { found: size, clip: going.size });
        }
        let added = going.add(image, delay, self.options.tolerance);
        if let Err(error) = added {
            self.going = None;
            return Err(self.explain(error));
        }
        self.shown = shown;
        self.frames += 1;
        Ok(())
    }

    /// Ends the clip and gives it its name.
    ///
    /// # Errors
    /// When the file cannot be written, or there was no frame.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let Some(mut going) = self.going.take() else {
            let cause = "it has no frame".to_owned();
            return Err(RecordError::Ended { path: self.draft.path().to_owned(), cause });
        };
        let last = (100.0 / self.options.fps).round() as u64;
        let ended = going.flush(last).and_then(|()| {
            let mut out = going.encoder.into_inner().map_err(to_io)?;
            out.flush()?;
            out.get_ref().sync_all()
        });
        ended.map_err(|error| self.explain(error))?;
        self.draft.publish().map(|_| ())
    }

    fn explain(&self, source: io::Error) -> RecordError {
        RecordError::Write { path: self.draft.path().to_owned(), source }
    }
}

impl Going {
    fn new(file: File, first: &Image, options: &ClipOptions) -> io::Result<Self> {
        let palette = Palette::new(first, &options.colors);
        let out = BufWriter::with_capacity(BUFFER_BYTES, file);
        let side = |pixels: usize| {
            let too_large = "a GIF is at most 65535 pixels wide and high";
            u16::try_from(pixels)
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, too_large))
        };
        let (width, height) = (side(first.width())?, side(first.height())?);
        let encoder = Encoder::new(out, width, height, &palette.bytes()).map_err(to_io)?;
        let mut going = Self {
            encoder,
            palette,
            size: (first.width(), first.height()),
            given: Vec::new(),
            shown: Vec::new(),
            late: vec![0; first.pixels().len()],
            waiting: None,
        };
        going.encoder.set_repeat(Repeat::Infinite).map_err(to_io)?;
        Ok(going)
    }

    fn add(&mut self, image: &Image, delay: u64, tolerance: f32) -> io::Result<()> {
        if self.shown.is_empty() {
            self.given = image.pixels().to_vec();
            self.shown = image.pixels().iter().map(|&pixel| self.palette.nearest(pixel)).collect();
            let whole = self.shown.clone();
            self.waiting = Some(frame(whole, (0, 0), self.size));
            return Ok(());
        }
        let changes = self.changes(image, tolerance);
        self.given.copy_from_slice(image.pixels());
        self.flush(delay)?;
        self.waiting = Some(changes);
        Ok(())
    }

    /// The rectangle that changed, with all that did not change in it left out.
    fn changes(&mut self, image: &Image, tolerance: f32) -> Frame<'static> {
        let width = self.size.0;
        let limit = tolerance * tolerance;
        let mut indices = vec![TRANSPARENT; self.shown.len()];
        let (mut low, mut high) = ((usize::MAX, usize::MAX), (0, 0));
        for (i, &pixel) in image.pixels().iter().enumerate() {
            if pixel == self.given[i] {
                // A dot on its way rests for a few frames only; what it leaves behind rests longer.
                if self.late[i] == 0 || self.late[i] < AT_REST {
                    self.late[i] += u8::from(self.late[i] > 0);
                    continue;
                }
            } else if self.palette.color(self.shown[i]).distance_squared(pixel) <= limit {
                self.late[i] = 1;
                continue;
            }
            self.late[i] = 0;
            let index = self.palette.nearest(pixel);
            if index == self.shown[i] {
                continue;
            }
            self.shown[i] = index;
            indices[i] = index;
            let (x, y) = (i % width, i / width);
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x + 1), high.1.max(y + 1));
        }
        if low.0 >= high.0 {
            return frame(vec![TRANSPARENT], (0, 0), (1, 1));
        }
        let size = (high.0 - low.0, high.1 - low.1);
        let rows = indices.chunks_exact(width).skip(low.1).take(size.1);
        let cut = rows.flat_map(|row| &row[low.0..high.0]).copied().collect();
        frame(cut, low, size)
    }

    /// Writes the waiting frame, to be shown for `delay` hundredths of a second.
    fn flush(&mut self, delay: u64) -> io::Result<()> {
        let Some(mut frame) = self.waiting.take() else { return Ok(()) };
        frame.delay = u16::try_from(delay).unwrap_or(u16::MAX);
        self.encoder.write_frame(&frame).map_err(to_io)
    }
}

/// Sizes fit: the whole clip's were checked.
fn frame(buffer: Vec<u8>, corner: (usize, usize), size: (usize, usize)) -> Frame<'static> {
    Frame {
        left: corner.0 as u16,
        top: corner.1 as u16,
        width: size.0 as u16,
        height: size.1 as u16,
        dispose: DisposalMethod::Keep,
        transparent: Some(TRANSPARENT),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

fn to_io(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip_frames(count: usize) -> Vec<Image> {
        let dot = |i: usize| {
            let mut image = Image::filled(60, 40, Rgb([240, 238, 230]));
            image.fill_rect(5 + 3 * i as i64, 10, 4, 4, Rgb([200, 30, 40]));
            image
        };
        (0..count).map(dot).collect()
    }

    /// What viewers show must be what was drawn, frame by frame, for as long as was asked.
    #[test]
    fn frames_are_shown_as_given() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("clip.gif");
        let frames = clip_frames(9);
        let mut clip = Clip::create(&path, ClipOptions::default()).unwrap();
        frames.iter().for_each(|frame| clip.frame(frame).unwrap());
        assert!(!path.exists(), "not before it is whole");
        clip.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        let mut screen = vec![[0u8; 3]; 60 * 40];
        let (mut shown, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            hundredths += u64::from(frame.delay);
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                if pixel[3] > 0 {
                    let at = (usize::from(frame.top) + y) * 60 + usize::from(frame.left) + x;
                    screen[at] = [pixel[0], pixel[1], pixel[2]];
                }
            }
            let near = |(a, b): (&[u8; 3], &Rgb)| Rgb(*a).distance_squared(*b) < 30.0;
            assert!(screen.iter().zip(frames[shown].pixels()).all(near), "frame {shown}");
            shown += 1;
        }
        assert_eq!((shown, hundredths), (9, 60));
    }

    /// An unfinished clip must not take the place of an older one, nor leave anything behind.
    #[test]
    fn unfinished_clips_leave_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("clip.gif");
        std::fs::write(&path, "older").unwrap();
        let mut clip = Clip::create(&path, ClipOptions::default()).unwrap();
        clip.frame(&clip_frames(1)[0]).unwrap();
        let other = Image::filled(61, 40, Rgb([0; 3]));
        let said = clip.frame(&other).unwrap_err().to_string();
        assert_eq!(said, "a frame of 61 x 40 pixels in a clip of 60 x 40");
        drop(clip);
        assert_eq!(std::fs::read(&path).unwrap(), b"older");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let empty = Clip::create(&path, ClipOptions::default()).unwrap();
        assert!(empty.finish().unwrap_err().to_string().ends_with("it has no frame"));
        assert!(Clip::create(&path, ClipOptions { fps: 0.0, ..ClipOptions::default() }).is_err());
    }
}
