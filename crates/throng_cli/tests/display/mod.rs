//! A display in memory, hands on it, and pictures of it.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An X server without a screen.
pub(crate) struct Display {
    server: Child,
    name: String,
}

impl Display {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb, which `cargo xtask test` installs");
        let mut number = String::new();
        let output = server.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut number).expect("the number of the display");
        assert!(!number.trim().is_empty(), "Xvfb found no free display");
        Self { server, name: format!(":{}", number.trim()) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Moves the mouse, presses keys.
    pub(crate) fn xdotool(&self, args: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(args)
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool, which `cargo xtask test` installs");
        assert!(output.status.success(), "xdotool {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Waits for a file that a program writes.
pub(crate) fn wait_for(path: &Path, patience: Duration, program: &mut Child) {
    let began = Instant::now();
    while !path.exists() {
        if let Ok(Some(status)) = program.try_wait() {
            let mut said = String::new();
            if let Some(mut errors) = program.stderr.take() {
                let _ = std::io::Read::read_to_string(&mut errors, &mut said);
            }
            panic!("it ended ({status}) before {}: {said}", path.display());
        }
        if began.elapsed() > patience {
            let _ = program.kill();
            panic!("no {} after {patience:?}", path.display());
        }
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Pixels of a PNG.
pub(crate) struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

/// Left, upper, right and lower edge.
type Part = [usize; 4];

impl Picture {
    pub(crate) fn read(path: &Path) -> Self {
        let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("pixels");
        assert_eq!(info.color_type, png::ColorType::Rgb);
        let rgb = bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Self { width: info.width as usize, height: info.height as usize, rgb }
    }

    pub(crate) fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    fn part(&self, [left, top, right, bottom]: Part) -> impl Iterator<Item = (usize, [u8; 3])> {
        let (right, bottom) = (right.min(self.width), bottom.min(self.height));
        let rows = top..bottom;
        rows.flat_map(move |y| {
            (left..right).map(move |x| y * self.width + x).map(|i| (i, self.rgb[i]))
        })
    }

    /// Number of colours.
    pub(crate) fn colours(&self, part: Part) -> usize {
        self.part(part).map(|(_, colour)| colour).collect::<HashSet<_>>().len()
    }

    /// Share that is dark.
    pub(crate) fn dark(&self, part: Part) -> f64 {
        let (mut dark, mut all) = (0, 0);
        for (_, colour) in self.part(part) {
            all += 1;
            dark += usize::from(colour.iter().all(|c| *c < 90));
        }
        dark as f64 / f64::from(all.max(1))
    }

    /// Pixels that differ by more than a little.
    pub(crate) fn changed(&self, other: &Self, part: Part) -> usize {
        assert_eq!(self.size(), other.size());
        let differs = |(i, colour): &(usize, [u8; 3])| {
            colour.iter().zip(other.rgb[*i]).any(|(a, b)| a.abs_diff(b) > 10)
        };
        self.part(part).filter(differs).count()
    }
}
