//! Pictures of the light: `cargo run -p throng_render --example sky -- FOLDER`.
//!
//! `sky.png` has the whole sky at several elevations of the sun, from noon to dusk: on the left by Hosek and
//! Wilkie, as the renderer draws it, on the right by Preetham. The sun is in the middle of each strip.
//! `valley.png` is a valley from above, north up, with the sun high, low and about to set: all light, and that of sky
//! and ground alone. Light maps are kept in `FOLDER/cache`. A second argument is the number of texels across (256).
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use glam::{Vec2, Vec3};
use throng_field::{Edge, Grid};
use throng_render::lightmap::{Options, Place, Source, load_or_bake};
use throng_render::sky::preetham::Preetham;
use throng_render::sky::{Sky, colour, direction};

type Failure = Box<dyn std::error::Error>;

const ELEVATIONS: [f32; 9] = [60.0, 30.0, 15.0, 7.0, 3.0, 1.0, 0.0, -3.0, -6.0];

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    skies(&folder.join("sky.png"))?;
    let texels = std::env::args().nth(2).map_or(Ok(256), |texels| texels.parse())?;
    valley(folder, texels)?;
    Ok(())
}

/// Waves of many lengths, rougher on the slopes than on the floor.
fn heights(p: Vec2) -> f32 {
    let floor = 30.0 * (p.y * 5.0).sin() + 128.0;
    let side = ((p.x * 256.0 - floor).abs() / 128.0).min(1.3);
    let (mut rough, mut turn) = (0.0, p * 9.0);
    for octave in 0..6 {
        let wave = (turn.x + 1.3 * turn.y.sin()).sin() * (turn.y - 0.7 * turn.x.cos()).cos();
        rough += wave * 0.5_f32.powi(octave);
        turn = Vec2::new(0.8 * turn.x - 0.6 * turn.y, 0.6 * turn.x + 0.8 * turn.y) * 2.03 + 1.7;
    }
    55.0 * side * side + rough * (1.0 + 14.0 * side * side)
}

fn valley(folder: &Path, texels: usize) -> Result<(), Failure> {
    let across = texels as f32;
    let heights = Grid::from_fn(texels, texels, |c| {
        heights(Vec2::new(c.x as f32 + 0.5, c.y as f32 + 0.5) / across)
    })?;
    let heights = heights.placed(256.0 / across, Vec2::ZERO)?;
    let albedo = Vec3::new(0.26, 0.24, 0.14);
    let mut picture = Picture::new(2 * texels, 3 * texels);
    for (row, elevation) in [45.0, 12.0, 3.0].into_iter().enumerate() {
        let sky = Sky::new(direction(285.0, elevation), 2.5, albedo);
        let place = Place { heights: &heights, albedo: None, sky: &sky };
        for _ in 0..2 {
            let begin = Instant::now();
            let (_, source) =
                load_or_bake(&folder.join("cache"), &place, &Options::default(), &|_| {})?;
            let seconds = begin.elapsed().as_secs_f32();
            let how = if matches!(source, Source::Cache(_)) { "loaded" } else { "baked" };
            println!("sun at {elevation}: {texels} x {texels} texels {how} in {seconds:.2} s");
        }
        let (map, _) = load_or_bake(&folder.join("cache"), &place, &Options::default(), &|_| {})?;
        let open = sky.irradiance(Vec3::Z) + sky.sun_irradiance() * sky.sun_direction().z;
        let exposure = 2.2 / colour::luminance(open);
        for y in 0..texels {
            for x in 0..texels {
                let at = map.centre(x, y);
                let step = 0.5 * heights.cell_size();
                let height = |d: Vec2| heights.sample(at + d, Edge::Clamp);
                let slope = |d: Vec2| (height(d * step) - height(-d * step)) / (2.0 * step);
                let normal = Vec3::new(-slope(Vec2::X), -slope(Vec2::Y), 1.0).normalize();
                let texel = map.texel(x, y);
                let to = row * texels + texels - 1 - y;
                let all = texel.irradiance(normal, &sky, 1.0);
                picture.put(x, to, all * albedo * exposure);
                picture.put(
                    texels + x,
                    to,
                    texel.light.irradiance(normal) * albedo * (2.0 * exposure),
                );
            }
        }
    }
    picture.write(&folder.join("valley.png"))
}

fn skies(file: &Path) -> Result<(), Failure> {
    let (width, height) = (480, 134);
    let mut picture = Picture::new(2 * width, ELEVATIONS.len() * height);
    for (strip, &elevation) in ELEVATIONS.iter().enumerate() {
        let sun = direction(180.0, elevation);
        let sky = Sky::new(sun, 2.5, Vec3::splat(0.2));
        let old = Preetham::new(sun, 2.5);
        let dim = luminance_above(|d| sky.radiance(d)) / luminance_above(|d| old.radiance(d));
        let level = sky.irradiance(Vec3::Z) + sky.sun_irradiance() * sun.z.max(0.0);
        let exposure = 1.0 / colour::luminance(sky.irradiance(Vec3::Z));
        println!(
            "{elevation:>5.1} degrees: sun {:>7.2?} klx, sky {:>6.2?} klx, level ground {:.2} klx, zenith {:.3?}",
            sky.sun_irradiance().to_array(),
            sky.irradiance(Vec3::Z).to_array(),
            colour::luminance(level),
            sky.radiance(Vec3::Z).to_array(),
        );
        for y in 0..height {
            for x in 0..width {
                let azimuth = 360.0 * (x as f32 + 0.5) / width as f32;
                let up = 90.0 - 100.0 * (y as f32 + 0.5) / height as f32;
                let d = direction(azimuth, up);
                let disc = d.angle_between(sun) < 0.02 && up > 0.0;
                let sun_light = if disc { sky.sun_irradiance() * 100.0 } else { Vec3::ZERO };
                picture.put(x, strip * height + y, (sky.radiance(d) + sun_light) * exposure);
                picture.put(width + x, strip * height + y, old.radiance(d) * (dim * exposure));
            }
        }
    }
    picture.write(file)
}

/// Illuminance of level ground, to show both skies as bright as each other.
fn luminance_above(radiance: impl Fn(Vec3) -> Vec3) -> f32 {
    let of = |n: u32| direction((n * 37 % 360) as f32, 2.0 + (n * 11 % 86) as f32);
    (0..3000).map(|n| colour::luminance(radiance(of(n))) * of(n).z).sum()
}

struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        Self { width, pixels: vec![0; width * height * 3] }
    }

    /// A linear colour, toned down where it is bright, in sRGB.
    fn put(&mut self, x: usize, y: usize, colour: Vec3) {
        let toned = Vec3::ONE - (-colour * 1.6).exp();
        let encode = |v: f32| {
            let v = v.clamp(0.0, 1.0);
            if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
        };
        let bytes = toned.to_array().map(|v| (encode(v) * 255.0 + 0.5) as u8);
        let at = 3 * (y * self.width + x);
        self.pixels[at..at + 3].copy_from_slice(&bytes);
    }

    fn write(&self, file: &Path) -> Result<(), Failure> {
        let out = std::io::BufWriter::new(std::fs::File::create(file)?);
        let height = self.pixels.len() / 3 / self.width;
        let mut encoder = png::Encoder::new(out, self.width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.pixels)?;
        println!("{}", file.display());
        Ok(())
    }
}
