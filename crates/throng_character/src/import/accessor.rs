//! Numbers out of buffers, with every bound checked.

use std::path::Path;

use base64::Engine as _;
use gltf::accessor::sparse::IndexType;
use gltf::accessor::{Accessor, DataType};
use gltf::buffer::{Source, View};

use super::Refusal;

/// The bytes of all buffers.
pub(super) struct Buffers(Vec<Vec<u8>>);

/// Bytes that a URI names: written in it, or in a file beside.
pub(super) fn fetch(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let (kind, data) = rest.split_once(',').ok_or("its data URI has no data")?;
        if !kind.ends_with(";base64") {
            return Err("its data URI is not base64".to_owned());
        }
        return base64::engine::general_purpose::STANDARD
            .decode(data)
            .map_err(|e| format!("base64: {e}"));
    }
    // A file may name what lies beside or below it, and nothing else.
    let relative = Path::new(uri);
    let plain = relative.components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if !plain || uri.contains("://") {
        return Err(format!("`{uri}` is not a file beside it"));
    }
    std::fs::read(folder.join(relative)).map_err(|e| format!("{uri}: {e}"))
}

impl Buffers {
    pub(super) fn load(
        document: &gltf::Document,
        blob: Option<Vec<u8>>,
        folder: &Path,
    ) -> Result<Self, Refusal> {
        let mut blob = blob;
        let mut list = Vec::new();
        for buffer in document.buffers() {
            let index = buffer.index();
            let failed = |what: String| Refusal::Buffer { index, what };
            let bytes = match buffer.source() {
                Source::Bin => {
                    blob.take().ok_or_else(|| failed("the file has no binary part".to_owned()))?
                }
                Source::Uri(uri) => fetch(uri, folder).map_err(failed)?,
            };
            if bytes.len() < buffer.length() {
                return Err(failed(format!("{} bytes of {}", bytes.len(), buffer.length())));
            }
            list.push(bytes);
        }
        Ok(Self(list))
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: &View<'_>) -> Option<&[u8]> {
        let end = view.offset().checked_add(view.length())?;
        self.0.get(view.buffer().index())?.get(view.offset()..end)
    }

    /// Elements of `width` components each, as bytes; a missing view is zeros.
    fn elements(
        &self,
        view: Option<View<'_>>,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Option<Vec<u8>> {
        let Some(view) = view else { return Some(vec![0; count.checked_mul(size)?]) };
        let bytes = self.view(&view)?;
        let stride = view.stride().unwrap_or(size);
        let mut out = Vec::with_capacity(count.min(bytes.len() / size.max(1) + 1) * size);
        for i in 0..count {
            let start = i.checked_mul(stride)?.checked_add(offset)?;
            out.extend_from_slice(bytes.get(start..start.checked_add(size)?)?);
        }
        Some(out)
    }

    fn raw(&self, accessor: &Accessor<'_>) -> Result<Vec<u8>, Refusal> {
        let index = accessor.index();
        let failed = |what: &str| Refusal::Accessor { index, what: what.to_owned() };
        let (count, size) = (accessor.count(), accessor.size());
        // No buffer can hold more than there are bytes in all of them; a base of zeros could be any length.
        let most = self.0.iter().map(Vec::len).sum::<usize>();
        if accessor.view().is_none() && count.saturating_mul(size) > most.max(1 << 20) * 64 {
            return Err(failed("it counts more than any file could fill"));
        }
        let beyond = "it reaches beyond its buffer";
        let base = self.elements(accessor.view(), accessor.offset(), count, size);
        let mut bytes = base.ok_or_else(|| failed(beyond))?;
        if let Some(sparse) = accessor.sparse() {
            let indices = sparse.indices();
            let wide = match indices.index_type() {
                IndexType::U8 => 1,
                IndexType::U16 => 2,
                IndexType::U32 => 4,
            };
            let places =
                self.elements(Some(indices.view()), indices.offset(), sparse.count(), wide);
            let places =
                places.ok_or_else(|| failed("its sparse indices reach beyond their buffer"))?;
            let values = sparse.values();
            let values = self.elements(Some(values.view()), values.offset(), sparse.count(), size);
            let values =
                values.ok_or_else(|| failed("its sparse values reach beyond their buffer"))?;
            for (place, value) in places.chunks_exact(wide).zip(values.chunks_exact(size)) {
                let at = place.iter().rev().fold(0_usize, |n, byte| n << 8 | usize::from(*byte));
                let to = bytes
                    .get_mut(at.saturating_mul(size)..at.saturating_add(1).saturating_mul(size));
                to.ok_or_else(|| failed("a sparse index is beyond its count"))?
                    .copy_from_slice(value);
            }
        }
        Ok(bytes)
    }

    /// Vectors of numbers: normalized integers are made to floats.
    pub(super) fn floats<const N: usize>(
        &self,
        accessor: &Accessor<'_>,
    ) -> Result<Vec<[f32; N]>, Refusal> {
        let width = accessor.dimensions().multiplicity();
        if width != N {
            let what = format!("{N} numbers per entry are needed, it has {width}");
            return Err(Refusal::Accessor { index: accessor.index(), what });
        }
        let numbers = self.numbers(accessor)?;
        Ok(numbers.as_chunks::<N>().0.to_vec())
    }

    /// Whole numbers.
    pub(super) fn whole<const N: usize>(
        &self,
        accessor: &Accessor<'_>,
    ) -> Result<Vec<[u32; N]>, Refusal> {
        let failed =
            |what: &str| Refusal::Accessor { index: accessor.index(), what: what.to_owned() };
        if accessor.dimensions().multiplicity() != N {
            return Err(failed("it has another number of components"));
        }
        let bytes = self.raw(accessor)?;
        let one: fn(&[u8]) -> u32 = match accessor.data_type() {
            DataType::U8 => |b| u32::from(b[0]),
            DataType::U16 => |b| u32::from(u16::from_le_bytes([b[0], b[1]])),
            DataType::U32 => |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            _ => return Err(failed("whole numbers without sign are needed")),
        };
        let size = accessor.size() / N.max(1);
        let all: Vec<u32> = bytes.chunks_exact(size.max(1)).map(one).collect();
        Ok(all.as_chunks::<N>().0.to_vec())
    }

    fn numbers(&self, accessor: &Accessor<'_>) -> Result<Vec<f32>, Refusal> {
        let bytes = self.raw(accessor)?;
        let normal = accessor.normalized();
        let scaled = move |v: f32, most: f32| if normal { (v / most).max(-1.0) } else { v };
        let size = accessor.data_type().size();
        let one = |b: &[u8]| match accessor.data_type() {
            DataType::I8 => scaled(f32::from(b[0].cast_signed()), 127.0),
            DataType::U8 => scaled(f32::from(b[0]), 255.0),
            DataType::I16 => scaled(f32::from(i16::from_le_bytes([b[0], b[1]])), 32_767.0),
            DataType::U16 => scaled(f32::from(u16::from_le_bytes([b[0], b[1]])), 65_535.0),
            DataType::U32 => u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32,
            DataType::F32 => f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        };
        let list: Vec<f32> = bytes.chunks_exact(size).map(one).collect();
        if let Some(at) = list.iter().position(|v| !v.is_finite()) {
            let entry = at / accessor.dimensions().multiplicity().max(1);
            let what = format!("entry {entry} is {}", list[at]);
            return Err(Refusal::Accessor { index: accessor.index(), what });
        }
        Ok(list)
    }
}
