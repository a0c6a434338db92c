//! A small rasteriser: triangles with depth, orthographic, one picture of one character.

use glam::{Mat3, Vec2, Vec3};

/// A picture of 8 bits per colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue per pixel, rows from the top.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Of one colour.
    #[must_use]
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, rgb: colour.repeat(width * height) }
    }

    /// Puts another picture somewhere; what would be outside is left out.
    pub fn put(&mut self, other: &Self, left: usize, top: usize) {
        for y in 0..other.height.min(self.height.saturating_sub(top)) {
            let wide = other.width.min(self.width.saturating_sub(left)) * 3;
            let (to, from) = (((top + y) * self.width + left) * 3, y * other.width * 3);
            self.rgb[to..to + wide].copy_from_slice(&other.rgb[from..from + wide]);
        }
    }

    /// As a PNG file in memory.
    ///
    /// # Errors
    /// A picture without pixels.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.rgb)?;
        Ok(bytes)
    }
}

/// From where a picture is taken: orthographic, z up.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Middle of the picture.
    pub centre: Vec3,
    /// Height of the picture in the object's units.
    pub extent: f32,
    /// Turn about z in radians: 0 looks at the face.
    pub turn: f32,
    /// How far from above, in radians.
    pub lift: f32,
}

impl Eye {
    /// Rows: right, up, towards the eye.
    #[must_use]
    pub fn axes(&self) -> Mat3 {
        let (sin, cos) = self.turn.sin_cos();
        let flat = Vec3::new(cos, sin, 0.0);
        let towards = flat * self.lift.cos() + Vec3::Z * self.lift.sin();
        let right = Vec3::Z.cross(towards).normalize();
        Mat3::from_cols(right, towards.cross(right), towards).transpose()
    }
}

/// Colours and depths while drawing.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    colour: Vec<Vec3>,
    depth: Vec<f32>,
}

impl Canvas {
    /// Empty.
    #[must_use]
    pub fn new(width: usize, height: usize, background: Vec3) -> Self {
        let n = width * height;
        Self { width, height, colour: vec![background; n], depth: vec![f32::NEG_INFINITY; n] }
    }

    /// A point of the object in pixels, and its depth towards the eye.
    #[must_use]
    pub fn project(&self, eye: &Eye, p: Vec3) -> Vec3 {
        let q = eye.axes() * (p - eye.centre);
        let scale = self.height as f32 / eye.extent;
        Vec3::new(
            self.width as f32 * 0.5 + q.x * scale,
            self.height as f32 * 0.5 - q.y * scale,
            q.z,
        )
    }

    /// Draws a triangle of projected points; `shade` gets barycentric shares.
    pub fn triangle(&mut self, p: [Vec3; 3], mut shade: impl FnMut([f32; 3]) -> Vec3) {
        let [a, b, c] = p.map(Vec3::truncate);
        let area = (b - a).perp_dot(c - a);
        // Seen from outside a triangle runs anticlockwise, which is negative with y down.
        if area >= 0.0 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let clamp = |v: f32, most: usize| v.max(0.0).min(most as f32) as usize;
        for y in clamp(low.y.floor(), self.height)..clamp(high.y.ceil() + 1.0, self.height) {
            for x in clamp(low.x.floor(), self.width)..clamp(high.x.ceil() + 1.0, self.width) {
                let q = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let u = (c - b).perp_dot(q - b) / area;
                let v = (a - c).perp_dot(q - c) / area;
                let w = 1.0 - u - v;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let depth = p[0].z * u + p[1].z * v + p[2].z * w;
                let i = y * self.width + x;
                if depth > self.depth[i] {
                    self.depth[i] = depth;
                    self.colour[i] = shade([u, v, w]);
                }
            }
        }
    }

    /// A line over what is not nearer than it.
    pub fn line(&mut self, a: Vec3, b: Vec3, colour: Vec3, bias: f32) {
        let steps = (b - a).truncate().abs().max_element().ceil().max(1.0) as usize;
        for i in 0..=steps {
            let q = a.lerp(b, i as f32 / steps as f32);
            let (x, y) = (q.x.floor(), q.y.floor());
            if x < 0.0 || y < 0.0 || x >= self.width as f32 || y >= self.height as f32 {
                continue;
            }
            let at = y as usize * self.width + x as usize;
            if q.z + bias > self.depth[at] {
                self.colour[at] = colour;
            }
        }
    }

    /// The mean of `fine` by `fine` samples per pixel, made fit for a screen.
    #[must_use]
    pub fn picture(&self, fine: usize) -> Picture {
        let (width, height) = (self.width / fine, self.height / fine);
        let mut picture = Picture::new(width, height, [0; 3]);
        for y in 0..height {
            for x in 0..width {
                let mut sum = Vec3::ZERO;
                for i in 0..fine * fine {
                    let at = (y * fine + i / fine) * self.width + x * fine + i % fine;
                    sum += self.colour[at];
                }
                let to = (y * width + x) * 3;
                picture.rgb[to..to + 3].copy_from_slice(&encode(sum / (fine * fine) as f32));
            }
        }
        picture
    }
}

/// Linear light as a screen wants it.
#[must_use]
pub fn encode(colour: Vec3) -> [u8; 3] {
    colour.to_array().map(|v| {
        let v = v.clamp(0.0, 1.0);
        let s = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (s * 255.0 + 0.5) as u8
    })
}
