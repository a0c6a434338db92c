//! Where frames go: a still, a GIF, a video, or a directory of stills.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use throng_gpu::draw::Pixels;
use throng_record::draw::Rgb;
use throng_record::{Clip, ClipOptions, Image, Video};

/// What is written.
pub(crate) enum Output {
    Still(PathBuf),
    Gif(PathBuf, Box<Clip>),
    Video(PathBuf, Box<Video>),
    Directory(PathBuf, u64),
}

impl Output {
    /// Opens it, so that a wrong name is found before anything is drawn.
    pub(crate) fn create(path: &Path, fps: f64) -> Result<Self, Failure> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
                    return Err(Failure::Usage(format!(
                        "--out: there is no directory {}",
                        parent.display()
                    )));
                }
                Ok(Self::Still(path.to_owned()))
            }
            Some("gif") => {
                let options = ClipOptions { fps, ..ClipOptions::default() };
                Ok(Self::Gif(path.to_owned(), Box::new(Clip::create(path, options)?)))
            }
            Some("mp4") => Ok(Self::Video(path.to_owned(), Box::new(Video::create(path, fps)?))),
            Some(other) => Err(Failure::Usage(format!(
                "--out: .{other} is not known; .png, .gif, .mp4 or a directory"
            ))),
            None => {
                let failed = |e| Failure::Output(format!("cannot make {}: {e}", path.display()));
                std::fs::create_dir_all(path).map_err(failed)?;
                Ok(Self::Directory(path.to_owned(), 0))
            }
        }
    }

    pub(crate) fn is_still(&self) -> bool {
        matches!(self, Self::Still(_))
    }

    pub(crate) fn frame(&mut self, number: u64, pixels: &Pixels) -> Result<(), Failure> {
        let write = |path: &Path| {
            throng_render::write_png(path, pixels).map_err(|e| Failure::Output(e.to_string()))
        };
        match self {
            Self::Still(path) => write(path),
            Self::Gif(_, clip) => Ok(clip.frame(&image(pixels))?),
            Self::Video(_, video) => Ok(video.frame(&image(pixels))?),
            Self::Directory(path, written) => {
                *written += 1;
                write(&path.join(format!("{number:05}.png")))
            }
        }
    }

    /// Ends it; says what was written.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        Ok(match self {
            Self::Still(path) => path.display().to_string(),
            Self::Gif(path, clip) => {
                clip.finish()?;
                path.display().to_string()
            }
            Self::Video(path, video) => {
                video.finish()?;
                path.display().to_string()
            }
            Self::Directory(path, written) => format!("{}: {written} frames", path.display()),
        })
    }
}

fn image(pixels: &Pixels) -> Image {
    let (w, h) = (pixels.width as usize, pixels.height as usize);
    let mut image = Image::filled(w, h, Rgb([0; 3]));
    for y in 0..h {
        let row = &pixels.bytes[y * w * 4..(y + 1) * w * 4];
        for (to, from) in image.row_mut(y).iter_mut().zip(row.chunks_exact(4)) {
            *to = Rgb([from[0], from[1], from[2]]);
        }
    }
    image
}
