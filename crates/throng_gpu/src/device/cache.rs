//! The pipeline cache as bytes that a host may keep in a file.
//!
//! The driver trusts what it is given, so the bytes are sealed: a magic word, the adapter they belong
//! to and a checksum. Bytes that are torn or from elsewhere are not used.

const MAGIC: &[u8; 8] = b"throngpc";
/// Magic, key of the adapter, checksum.
const HEADER: usize = 24;

/// A cache with what an earlier run left, or an empty one.
pub(super) fn open(
    device: &wgpu::Device,
    info: &wgpu::AdapterInfo,
    sealed: Option<&[u8]>,
) -> wgpu::PipelineCache {
    let data = sealed.and_then(|bytes| unseal(info, bytes));
    let descriptor = wgpu::PipelineCacheDescriptor {
        label: Some("throng pipelines"),
        data,
        // What the driver cannot use it does not use.
        fallback: true,
    };
    // SAFETY: the data was given by `get_data` on the same adapter and driver and is unchanged, as
    // the seal shows; wgpu checks its own header besides.
    #[allow(unsafe_code)]
    unsafe {
        device.create_pipeline_cache(&descriptor)
    }
}

/// Packs the data of a cache.
pub(super) fn seal(info: &wgpu::AdapterInfo, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + data.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&key(info).to_le_bytes());
    bytes.extend_from_slice(&checksum(data).to_le_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// The data, if it is whole and belongs to this adapter.
fn unseal<'a>(info: &wgpu::AdapterInfo, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let data = bytes.get(HEADER..)?;
    let whole = &bytes[..8] == MAGIC
        && bytes[8..16] == key(info).to_le_bytes()
        && bytes[16..24] == checksum(data).to_le_bytes();
    whole.then_some(data)
}

fn key(info: &wgpu::AdapterInfo) -> u64 {
    let words = format!(
        "{}|{}|{}|{}|{}|{:?}",
        info.name, info.vendor, info.device, info.driver, info.driver_info, info.backend
    );
    checksum(words.as_bytes())
}

/// FNV-1a in 64 bits: finds accidents, not forgery.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{HEADER, seal, unseal};

    /// If this fails, a damaged file would reach the driver.
    #[test]
    fn only_whole_bytes_of_the_same_adapter_are_used() {
        let info = crate::testing::gpu().info().clone();
        let sealed = seal(&info, b"pipelines");
        assert_eq!(unseal(&info, &sealed), Some(&b"pipelines"[..]));
        for cut in 0..sealed.len() {
            assert_eq!(unseal(&info, &sealed[..cut]), None);
        }
        let mut torn = sealed.clone();
        torn[HEADER + 2] ^= 1;
        assert_eq!(unseal(&info, &torn), None);
        let mut other = info.clone();
        other.driver_info.push_str(" (updated)");
        assert_eq!(unseal(&other, &sealed), None);
    }
}
