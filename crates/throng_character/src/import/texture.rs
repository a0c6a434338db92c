//! Base colours and textures of all materials, side by side in one map.

use std::io::Cursor;
use std::path::Path;

use glam::{Vec2, Vec3};

use super::accessor::fetch;
use super::primitive::Painted;
use super::{Reading, Refusal};
use crate::bake::maps::Maps;
use crate::mesh::Mesh;
use crate::sculpt::paint::srgb;
use crate::sheet::raster::encode;

/// Side of a material's tile, if any has a texture.
const TILE: u32 = 512;
/// Else.
const PLAIN: u32 = 16;
/// Texels around a tile that repeat its edge.
const EDGE: u32 = 4;

struct Image {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

/// One map of all materials; places in the atlas are moved to their tiles.
pub(super) fn gather(
    reading: &mut Reading<'_>,
    paints: &[Painted],
    mesh: &mut Mesh,
    folder: &Path,
) -> Result<Maps, Refusal> {
    let mut materials: Vec<Option<usize>> = paints.iter().map(|p| p.material).collect();
    materials.sort_unstable();
    materials.dedup();
    let document = reading.document;
    let material = |index: Option<usize>| index.and_then(|i| document.materials().nth(i));
    let mut tiles = Vec::new();
    for index in &materials {
        let Some(own) = material(*index) else {
            tiles.push((Vec3::ONE, None));
            continue;
        };
        let pbr = own.pbr_metallic_roughness();
        let [r, g, b, _] = pbr.base_color_factor();
        let texture = pbr.base_color_texture();
        if texture.as_ref().is_some_and(|t| t.tex_coord() != 0) {
            reading
                .notice("a texture on another set of coordinates is laid on the first".to_owned());
        }
        let image = texture.map(|t| picture(reading, &t.texture().source(), folder)).transpose()?;
        tiles.push((Vec3::new(r, g, b), image));
    }
    let side = if tiles.iter().any(|(_, image)| image.is_some()) { TILE } else { PLAIN };
    let columns = (tiles.len() as f32).sqrt().ceil().max(1.0) as u32;
    let rows = (tiles.len() as u32).div_ceil(columns).max(1);
    let (width, height) = (columns * side, rows * side);
    let mut albedo = vec![[255, 255, 255, 0]; (width * height) as usize];
    for (i, (factor, image)) in tiles.iter().enumerate() {
        let (left, top) = (i as u32 % columns * side, i as u32 / columns * side);
        let inner = (side - 2 * EDGE) as f32;
        for y in 0..side {
            for x in 0..side {
                let at = |v: u32| ((v as f32 + 0.5 - EDGE as f32) / inner).clamp(0.0, 0.999_99);
                let colour = image.as_ref().map_or(Vec3::ONE, |image| image.at(at(x), at(y)));
                let [r, g, b] = encode(colour * *factor);
                albedo[((top + y) * width + left + x) as usize] = [r, g, b, 0];
            }
        }
    }
    let mut wrapped = false;
    for paint in paints {
        let tile = materials.iter().position(|m| *m == paint.material).unwrap_or(0) as u32;
        let corner =
            Vec2::new((tile % columns * side + EDGE) as f32, (tile / columns * side + EDGE) as f32);
        let plain = tiles[tile as usize].1.is_none();
        let own = &mut mesh.uvs[paint.vertices.clone()];
        // Whole turns of the texture are taken off a part as a whole, so that no triangle is torn.
        let least = own.iter().fold(Vec2::INFINITY, |a, uv| a.min(*uv)).floor();
        for uv in own {
            let inside = if plain { Vec2::splat(0.5) } else { *uv - least };
            wrapped |= inside.max_element() > 1.0001;
            let inside =
                if inside.max_element() > 1.0001 { inside - inside.floor() } else { inside };
            *uv = (corner + inside * (side - 2 * EDGE) as f32)
                / Vec2::new(width as f32, height as f32);
        }
    }
    if wrapped {
        reading.notice("textures that repeat over a part are wrapped vertex by vertex".to_owned());
    }
    Ok(Maps::flat(width, height, albedo))
}

impl Image {
    /// Linear colour of the nearest texel.
    fn at(&self, u: f32, v: f32) -> Vec3 {
        let x = ((u * self.width as f32) as u32).min(self.width - 1);
        let y = ((v * self.height as f32) as u32).min(self.height - 1);
        let i = ((y * self.width + x) * 3) as usize;
        srgb(u32::from(self.rgb[i]), u32::from(self.rgb[i + 1]), u32::from(self.rgb[i + 2]))
    }
}

fn picture(
    reading: &Reading<'_>,
    image: &gltf::Image<'_>,
    folder: &Path,
) -> Result<Image, Refusal> {
    let index = image.index();
    let failed = |what: String| Refusal::Image { index, what };
    let owned;
    let bytes = match image.source() {
        gltf::image::Source::View { view, .. } => {
            let bytes = reading.buffers.view(&view);
            bytes.ok_or_else(|| failed("it reaches beyond its buffer".to_owned()))?
        }
        gltf::image::Source::Uri { uri, .. } => {
            owned = fetch(uri, folder).map_err(failed)?;
            &owned
        }
    };
    let decoded = match bytes {
        [0x89, b'P', b'N', b'G', ..] => png_picture(bytes),
        [0xff, 0xd8, ..] => jpeg_picture(bytes),
        _ => Err("it is neither PNG nor JPEG".to_owned()),
    };
    let picture = decoded.map_err(failed)?;
    let whole = picture.rgb.len() == (picture.width as usize) * (picture.height as usize) * 3;
    match whole && picture.width > 0 && picture.height > 0 {
        true => Ok(picture),
        false => Err(failed("it has not as many pixels as it says".to_owned())),
    }
}

fn png_picture(bytes: &[u8]) -> Result<Image, String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|e| e.to_string())?;
    pixels.truncate(info.buffer_size());
    let rgb = to_rgb(&pixels, info.color_type.samples());
    Ok(Image { width: info.width, height: info.height, rgb })
}

fn jpeg_picture(bytes: &[u8]) -> Result<Image, String> {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes));
    let pixels = decoder.decode().map_err(|e| format!("{e:?}"))?;
    let info = decoder.info().ok_or("it has no head")?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let texels = (width * height).max(1) as usize;
    Ok(Image { width, height, rgb: to_rgb(&pixels, pixels.len() / texels) })
}

/// Grey or coloured, with or without a veil, to three bytes.
fn to_rgb(pixels: &[u8], samples: usize) -> Vec<u8> {
    match samples {
        1 | 2 => pixels.chunks_exact(samples).flat_map(|p| [p[0]; 3]).collect(),
        3 | 4 => pixels.chunks_exact(samples).flat_map(|p| [p[0], p[1], p[2]]).collect(),
        _ => Vec::new(),
    }
}
