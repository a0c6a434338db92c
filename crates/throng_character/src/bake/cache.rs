//! Built characters on disk, named by what they were built from.
//!
//! A file has its key, its arrays, and a sum over all its bytes: a file of something else, cut short, or with a
//! bit turned is not trusted but built anew. Files are written beside their place and moved there.

use std::path::{Path, PathBuf};

use bytemuck::Pod;
use twox_hash::XxHash3_128;

use super::maps::Maps;
use crate::build::{BuildOptions, Plan, build};
use crate::character::{Level, seams};
use crate::mesh::Mesh;

/// Counts up when the same input gives another character.
const VERSION: u32 = 1;
const MARK: &[u8; 8] = b"throngCH";

/// Where a character came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From this file.
    Cache(PathBuf),
    /// Built now, since there was no file; and kept in this one.
    Built(PathBuf),
    /// Built now, since the file could not be trusted, for this reason; and kept in its place.
    Rebuilt(PathBuf, String),
    /// Built now and not kept, for this reason.
    Unkept(String),
}

/// Levels and maps from a folder, or built and put there. A folder that cannot be used is no error.
pub(crate) fn load_or_build(
    folder: Option<&Path>,
    name: &str,
    plan: &Plan<'_>,
    options: &BuildOptions,
) -> (Vec<Level>, Maps, Source) {
    let Some(folder) = folder else {
        let (levels, maps) = build(plan, options);
        return (levels, maps, Source::Unkept("no folder was given".to_owned()));
    };
    let key = key(name, plan, options);
    let file = folder.join(format!("{name}-{key:032x}.character"));
    let distrust = match std::fs::read(&file) {
        Ok(bytes) => match decode(&bytes, key) {
            Ok((levels, maps)) => return (levels, maps, Source::Cache(file)),
            Err(reason) => Some(reason),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => Some(error.to_string()),
    };
    if let Some(reason) = &distrust {
        tracing::warn!("character {} is built anew: {reason}", file.display());
    }
    let (levels, maps) = build(plan, options);
    let source = match (keep(folder, &file, &encode(&levels, &maps, key)), distrust) {
        (Ok(()), None) => Source::Built(file),
        (Ok(()), Some(reason)) => Source::Rebuilt(file, reason),
        (Err(reason), _) => {
            tracing::warn!("character {} is not kept: {reason}", file.display());
            Source::Unkept(reason)
        }
    };
    (levels, maps, source)
}

/// Changes whenever the sculpture or what is made of it would.
fn key(name: &str, plan: &Plan<'_>, options: &BuildOptions) -> u128 {
    // The sculpture is plain data: its written form says all of it.
    let text =
        format!("{VERSION} {name} {:?} {:?} {} {options:?}", plan.pieces, plan.shares, plan.joints);
    XxHash3_128::oneshot(text.as_bytes())
}

fn keep(folder: &Path, file: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, file));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&beside);
        format!("{}: {e}", file.display())
    })
}

fn put<T: Pod>(bytes: &mut Vec<u8>, list: &[T]) {
    bytes.extend((list.len() as u64).to_le_bytes());
    bytes.extend(bytemuck::cast_slice::<T, u8>(list));
}

fn encode(levels: &[Level], maps: &Maps, key: u128) -> Vec<u8> {
    let mut bytes = key.to_le_bytes().to_vec();
    put(
        &mut bytes,
        &[maps.width, maps.height, maps.scale.to_bits(), maps.bias.to_bits(), levels.len() as u32],
    );
    put(&mut bytes, &maps.albedo);
    put(&mut bytes, &maps.normal);
    put(&mut bytes, &maps.displacement);
    for Level { mesh, heights, .. } in levels {
        put(&mut bytes, &mesh.positions);
        put(&mut bytes, &mesh.normals);
        put(&mut bytes, &mesh.tangents);
        put(&mut bytes, &mesh.uvs);
        put(&mut bytes, &mesh.joints);
        put(&mut bytes, &mesh.weights);
        put(&mut bytes, &mesh.indices);
        put(&mut bytes, heights);
    }
    let sum = XxHash3_128::oneshot(&bytes);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn take<T: Pod>(bytes: &mut &[u8]) -> Result<Vec<T>, String> {
    let short = || "it is cut short".to_owned();
    let (count, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
    let size = usize::try_from(u64::from_le_bytes(*count))
        .ok()
        .and_then(|n| n.checked_mul(size_of::<T>()));
    let size = size.filter(|size| *size <= rest.len()).ok_or_else(short)?;
    let (own, rest) = rest.split_at(size);
    *bytes = rest;
    Ok(own.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

fn decode(bytes: &[u8], key: u128) -> Result<(Vec<Level>, Maps), String> {
    let (body, sum) = bytes.split_last_chunk::<16>().ok_or("it is cut short")?;
    let body = body.strip_suffix(MARK).ok_or("it is cut short")?;
    if XxHash3_128::oneshot(body) != u128::from_le_bytes(*sum) {
        return Err("its bytes have changed since it was written".to_owned());
    }
    let (own, mut body) = body.split_first_chunk::<16>().ok_or("it is cut short")?;
    if u128::from_le_bytes(*own) != key {
        return Err("it is another character".to_owned());
    }
    let head: Vec<u32> = take(&mut body)?;
    let [width, height, scale, bias, count] = *head.as_slice() else {
        return Err("its head is of another form".to_owned());
    };
    let maps = Maps {
        width,
        height,
        albedo: take(&mut body)?,
        normal: take(&mut body)?,
        displacement: take(&mut body)?,
        scale: f32::from_bits(scale),
        bias: f32::from_bits(bias),
    };
    let mut levels = Vec::new();
    for _ in 0..count {
        let mesh = Mesh {
            positions: take(&mut body)?,
            normals: take(&mut body)?,
            tangents: take(&mut body)?,
            uvs: take(&mut body)?,
            joints: take(&mut body)?,
            weights: take(&mut body)?,
            indices: take(&mut body)?,
        };
        let heights = take(&mut body)?;
        levels.push(Level { seams: seams(&mesh), mesh, heights });
    }
    Ok((levels, maps))
}
