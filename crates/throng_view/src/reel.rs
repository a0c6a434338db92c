//! What the record button writes: a GIF, or numbered stills in a directory.

use std::path::{Path, PathBuf};

use throng_gpu::draw::Pixels;
use throng_record::draw::Rgb;
use throng_record::{Clip, ClipOptions, Image};

use crate::ViewError;

/// Frames per simulated second.
pub(crate) const FPS: f64 = 12.0;

/// A recording under way.
pub(crate) struct Reel {
    path: PathBuf,
    clip: Option<Box<Clip>>,
    frames: u32,
    /// Simulated time of the next frame.
    next: f64,
}

impl Reel {
    /// Begins a recording: a `.gif`, or a directory for `.png` files.
    pub(crate) fn create(path: &Path, time: f64) -> Result<Self, ViewError> {
        let gif = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gif"));
        let clip = if gif {
            let options = ClipOptions { fps: FPS, ..ClipOptions::default() };
            Some(Box::new(Clip::create(path, options)?))
        } else {
            std::fs::create_dir_all(path).map_err(|e| ViewError::file(path, e))?;
            None
        };
        Ok(Self { path: path.to_owned(), clip, frames: 0, next: time })
    }

    /// Whether it wants a frame of this time. While the clock stands still there is nothing new to see.
    pub(crate) fn wants(&self, time: f64) -> bool {
        time >= self.next
    }

    pub(crate) fn frame(&mut self, time: f64, pixels: &Pixels) -> Result<(), ViewError> {
        match &mut self.clip {
            Some(clip) => clip.frame(&image(pixels))?,
            None => {
                let name = self.path.join(format!("{:05}.png", self.frames));
                throng_render::write_png(&name, pixels)?;
            }
        }
        self.frames += 1;
        // Not one frame later for each that came late.
        self.next = (self.next + 1.0 / FPS).max(time + 0.5 / FPS);
        Ok(())
    }

    pub(crate) fn frames(&self) -> u32 {
        self.frames
    }

    /// Ends it; says what was written.
    pub(crate) fn finish(self) -> Result<String, ViewError> {
        if let Some(clip) = self.clip {
            clip.finish()?;
        }
        Ok(format!("{} frames in {}", self.frames, self.path.display()))
    }
}

fn image(pixels: &Pixels) -> Image {
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let mut image = Image::filled(width, height, Rgb([0; 3]));
    for (y, row) in pixels.bytes.chunks_exact(width * 4).enumerate() {
        for (to, from) in image.row_mut(y).iter_mut().zip(row.chunks_exact(4)) {
            *to = Rgb([from[0], from[1], from[2]]);
        }
    }
    image
}
