//! Light maps on disk, as OpenEXR, named by what they were baked from.
//!
//! A file carries its key, and after the image a sum over all its bytes: a file of something else, cut short, or
//! with a bit turned is not trusted but baked anew. Files are written beside their place and moved there, so that
//! none is ever seen half written. They open in any OpenEXR viewer: channels `sh0.R` to `sh8.B` and `sun`.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, ReadChannels,
    ReadLayers, Text, WritableImage, attribute::AttributeValue, read,
};
use half::f16;
use twox_hash::XxHash3_128;

use super::{LAYERS, LightMap, LightMapError, Options, Place, bake, slot};
use crate::sky::sh::COEFFICIENTS;

/// Counts up when the same input gives another map.
const VERSION: u32 = 1;
/// Begins the sum at a file's end.
const MARK: &[u8; 8] = b"throngLM";
const KEY: &str = "throngLightMapKey";

/// Where a light map came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From this file.
    Cache(PathBuf),
    /// Baked now, since there was no file; and kept in this one.
    Baked(PathBuf),
    /// Baked now, since the file could not be trusted, for this reason; and kept in its place.
    Rebuilt(PathBuf, String),
    /// Baked now and not kept, for this reason.
    Unkept(String),
}

/// The light map of a place from a folder, or baked and put there.
///
/// # Errors
/// As [`bake`](fn@super::bake). A folder that cannot be read or written is no error: see [`Source`].
pub fn load_or_bake(
    folder: &Path,
    place: &Place<'_>,
    options: &Options,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<(LightMap, Source), LightMapError> {
    let key = key(place, options);
    let file = folder.join(format!("light-{key:032x}.exr"));
    let distrust = match std::fs::read(&file) {
        Ok(bytes) => match decode(&bytes, key, place, options) {
            Ok(map) => {
                progress(1.0);
                return Ok((map, Source::Cache(file)));
            }
            Err(reason) => Some(reason),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => Some(error.to_string()),
    };
    if let Some(reason) = &distrust {
        tracing::warn!("light map {} is baked anew: {reason}", file.display());
    }
    let map = bake(place, options, progress)?;
    let source = match (keep(folder, &file, &map, key), distrust) {
        (Ok(()), None) => Source::Baked(file),
        (Ok(()), Some(reason)) => Source::Rebuilt(file, reason),
        (Err(reason), _) => {
            tracing::warn!("light map {} is not kept: {reason}", file.display());
            Source::Unkept(reason)
        }
    };
    Ok((map, source))
}

/// Changes whenever the map would.
fn key(place: &Place<'_>, options: &Options) -> u128 {
    let mut hasher = XxHash3_128::new();
    let mut words = |words: &[u32]| hasher.write(bytemuck::cast_slice(words));
    let heights = place.heights;
    let origin = heights.origin();
    words(&[VERSION, heights.width() as u32, heights.height() as u32]);
    words(&[heights.cell_size(), origin.x, origin.y].map(f32::to_bits));
    words(bytemuck::cast_slice(heights.as_slice()));
    words(&[u32::from(place.albedo.is_some())]);
    if let Some(albedo) = place.albedo {
        words(&[albedo.width() as u32, albedo.height() as u32]);
        words(bytemuck::cast_slice(albedo.as_slice()));
    }
    // Of the sky, what is gathered: not how thick its haze is drawn.
    let mut sky = place.sky.uniforms();
    (sky.rayleigh, sky.aerosol) = Default::default();
    words(bytemuck::cast_slice(&[sky]));
    words(&place.sky.ground_albedo().to_array().map(f32::to_bits));
    let Options { texels, rays, bounces, sun_rays, sun_radius, above_ground } = *options;
    let [across, down] = texels.unwrap_or([heights.width() as u32, heights.height() as u32]);
    words(&[across, down, rays, bounces, sun_rays, sun_radius.to_bits(), above_ground.to_bits()]);
    hasher.finish_128()
}

fn keep(folder: &Path, file: &Path, map: &LightMap, key: u128) -> Result<(), String> {
    let bytes = encode(map, key)?;
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, file));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&beside);
        format!("{}: {e}", file.display())
    })
}

/// Names of the channels, with the place of each in the layers.
fn channels() -> impl Iterator<Item = (String, (usize, usize))> {
    let coefficients = (0..COEFFICIENTS)
        .flat_map(|i| (0..3).map(move |c| (format!("sh{i}.{}", ["R", "G", "B"][c]), slot(i, c))));
    coefficients.chain(std::iter::once(("sun".to_owned(), (6, 3))))
}

fn encode(map: &LightMap, key: u128) -> Result<Vec<u8>, String> {
    let texels = map.width * map.height;
    let list = channels().map(|(name, (layer, component))| {
        let of_layer = &map.layers[layer * texels * 4..(layer + 1) * texels * 4];
        let samples = of_layer.iter().skip(component).step_by(4).copied().collect();
        AnyChannel::new(name.as_str(), FlatSamples::F16(samples))
    });
    let mut attributes = LayerAttributes::named("light map");
    attributes.software_name = Some(Text::from("Throng"));
    let key = AttributeValue::Text(Text::from(format!("{key:032x}").as_str()));
    attributes.other.insert(Text::from(KEY), key);
    let layer = Layer::new(
        (map.width, map.height),
        attributes,
        Encoding::SMALL_FAST_LOSSLESS,
        AnyChannels::sort(list.collect()),
    );
    let image = Image::from_layer(layer);
    let mut bytes = Cursor::new(Vec::new());
    image.write().to_buffered(&mut bytes).map_err(|e| e.to_string())?;
    let mut bytes = bytes.into_inner();
    let sum = XxHash3_128::oneshot(&bytes);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

fn decode(
    bytes: &[u8],
    key: u128,
    place: &Place<'_>,
    options: &Options,
) -> Result<LightMap, String> {
    let image = trusted(bytes)?;
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_buffered(Cursor::new(image))
        .map_err(|e| e.to_string())?;
    let found = image.layer_data.attributes.other.get(&Text::from(KEY));
    let wanted = AttributeValue::Text(Text::from(format!("{key:032x}").as_str()));
    if found != Some(&wanted) {
        return Err("it is the map of something else".to_owned());
    }
    let heights = place.heights;
    let [width, height] = match options.texels {
        Some(texels) => texels.map(|n| n as usize),
        None => [heights.width(), heights.height()],
    };
    let size = image.layer_data.size;
    if (size.0, size.1) != (width, height) {
        return Err(format!("it has {} x {} texels, not {width} x {height}", size.0, size.1));
    }
    let texels = width * height;
    let mut layers = vec![f16::ZERO; LAYERS * texels * 4];
    for (name, (layer, component)) in channels() {
        let list = &image.layer_data.channel_data.list;
        let channel = list.iter().find(|channel| channel.name.eq(name.as_str()));
        let Some(FlatSamples::F16(samples)) = channel.map(|channel| &channel.sample_data) else {
            return Err(format!("it has no channel `{name}` of half floats"));
        };
        let to = layers[layer * texels * 4..].iter_mut().skip(component).step_by(4);
        to.zip(samples).for_each(|(to, from)| *to = *from);
    }
    if layers.iter().any(|number| !number.is_finite()) {
        return Err("it has numbers that are not finite".to_owned());
    }
    Ok(LightMap { width, height, origin: heights.origin(), extent: heights.extent(), layers })
}

/// The image, without the sum at its end, if that is right.
fn trusted(bytes: &[u8]) -> Result<&[u8], String> {
    let (image, sum) = bytes.split_last_chunk::<16>().ok_or("it is cut short")?;
    let image = image.strip_suffix(MARK).ok_or("it is cut short")?;
    match XxHash3_128::oneshot(image) == u128::from_le_bytes(*sum) {
        true => Ok(image),
        false => Err("its bytes have changed since it was written".to_owned()),
    }
}
