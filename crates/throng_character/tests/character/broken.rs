//! If these fail, a bad file gives a panic, a wrong reason, or a character that cannot be.

use std::path::Path;

use serde_json::{Value, json};
use throng_character::Character;
use throng_character::import::{Refusal, from_bytes};

/// A triangle on two bones, as a glTF file with its numbers in a buffer beside it.
struct Small {
    json: Value,
    buffer: Vec<u8>,
}

impl Small {
    fn new() -> Self {
        let mut buffer = Vec::new();
        let positions: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];
        let weights: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
        let times: [f32; 2] = [0.0, 1.0];
        let places: [f32; 6] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        buffer.extend(positions.iter().flat_map(|v| v.to_le_bytes())); // 0, 36 bytes
        buffer.extend(weights.iter().flat_map(|v| v.to_le_bytes())); // 36, 48
        buffer.extend([0_u8, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]); // 84, 12
        buffer.extend([0_u16, 1, 2, 0].iter().flat_map(|v| v.to_le_bytes())); // 96, 8
        buffer.extend(times.iter().flat_map(|v| v.to_le_bytes())); // 104, 8
        buffer.extend(places.iter().flat_map(|v| v.to_le_bytes())); // 112, 24
        let view = |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let json = json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": buffer.len()}],
            "bufferViews": [view(0, 36), view(36, 48), view(84, 12), view(96, 8), view(104, 8), view(112, 24)],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 0]},
                {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"},
                {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
                {"bufferView": 3, "componentType": 5123, "count": 3, "type": "SCALAR"},
                {"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                {"bufferView": 5, "componentType": 5126, "count": 2, "type": "VEC3"}
            ],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 2}, "indices": 3}]}],
            "skins": [{"joints": [1, 2]}],
            "nodes": [{"mesh": 0, "skin": 0}, {"children": [2]}, {}],
            "animations": [{
                "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}],
                "samplers": [{"input": 4, "output": 5}]
            }],
            "scenes": [{"nodes": [0, 1]}], "scene": 0
        });
        Self { json, buffer }
    }

    /// As a GLB file.
    fn bytes(&self) -> Vec<u8> {
        let mut text = self.json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut buffer = self.buffer.clone();
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let mut out = b"glTF".to_vec();
        let total = 12 + 8 + text.len() + 8 + buffer.len();
        let words = [2, total as u32, text.len() as u32].map(u32::to_le_bytes).concat();
        out.extend(words);
        out.extend(b"JSON");
        out.extend(text);
        out.extend((buffer.len() as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(buffer);
        out
    }

    fn read(&self) -> Result<Character, Refusal> {
        from_bytes(&self.bytes(), Path::new("."), "small")
    }

    fn float(&mut self, at: usize, value: f32) {
        self.buffer[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

fn refusal(small: &Small) -> Refusal {
    let reason = small.read().map(|c| c.name).expect_err("it is broken");
    println!("{reason}");
    reason
}

#[test]
fn a_small_file_is_whole() {
    let character = Small::new().read().expect("a character");
    assert_eq!(character.levels[0].mesh.faces(), 1);
    assert_eq!(character.clips.len(), 1);
    let mesh = &character.levels[0].mesh;
    // 1, 1 are not normalised, and are made to be.
    assert_eq!(mesh.weights[2], [0.5, 0.5, 0.0, 0.0]);
    assert!(mesh.normals.iter().all(|n| n.is_normalized()));
    assert!(mesh.tangents.iter().all(|t| (t.truncate().length() - 1.0).abs() < 1e-4));
    // Half way: the second bone, 0.5 up of a height of 2, moves the vertex that follows it half by an eighth.
    let pose = character.clips[0].pose(&character.skeleton, 0.5);
    let points = throng_character::sheet::draw::skinned(mesh, &character.skeleton.flatten(&pose)).0;
    assert!((points[1].z - 0.125).abs() < 1e-4, "{}", points[1]);
}

#[test]
fn truncated_files_are_refused_at_every_length() {
    let bytes = Small::new().bytes();
    for length in 0..bytes.len() - 4 {
        assert!(
            from_bytes(&bytes[..length], Path::new("."), "cut").is_err(),
            "{length} of {} bytes",
            bytes.len()
        );
    }
    let mut small = Small::new();
    small.json["buffers"][0]["byteLength"] = json!(100_000);
    small.json["bufferViews"][5]["byteLength"] = json!(99_000);
    assert!(matches!(refusal(&small), Refusal::Buffer { index: 0, .. }));
}

#[test]
fn wrong_counts_are_refused() {
    let mut small = Small::new();
    small.json["accessors"][0]["count"] = json!(4);
    assert!(matches!(refusal(&small), Refusal::Accessor { index: 0, .. }));
    let mut small = Small::new();
    small.json["accessors"][1]["count"] = json!(2);
    assert!(matches!(refusal(&small), Refusal::Count { what: "WEIGHTS", found: 2, wanted: 3, .. }));
    let mut small = Small::new();
    small.json["accessors"][5]["count"] = json!(1);
    assert!(matches!(refusal(&small), Refusal::Animation { index: 0, .. }));
    let mut small = Small::new();
    small.buffer[98] = 9;
    assert!(matches!(refusal(&small), Refusal::Vertex { vertex: 9, .. }));
    let mut small = Small::new();
    small.json["accessors"][0]["count"] = json!(4_000_000_000_u32);
    assert!(matches!(refusal(&small), Refusal::Accessor { .. }));
}

#[test]
fn circles_are_refused() {
    let mut small = Small::new();
    small.json["nodes"][2]["children"] = json!([1]);
    assert!(matches!(refusal(&small), Refusal::Cycle { .. }));
    let mut small = Small::new();
    small.json["nodes"][2]["children"] = json!([2]);
    let reason = refusal(&small);
    assert!(matches!(reason, Refusal::Cycle { node: 2 } | Refusal::TwoParents { node: 2, .. }));
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, -0.5] {
        let mut small = Small::new();
        small.float(36 + 16, bad);
        assert!(matches!(refusal(&small), Refusal::Vertex { vertex: 1, .. }), "{bad}");
    }
    let mut small = Small::new();
    small.buffer[84 + 5] = 7;
    assert!(matches!(refusal(&small), Refusal::Vertex { vertex: 1, .. }));
}

#[test]
fn no_bones_and_too_many_are_refused() {
    let mut small = Small::new();
    small.json["skins"][0]["joints"] = json!([]);
    assert!(matches!(refusal(&small), Refusal::NoBones { skin: 0 }));
    let mut small = Small::new();
    let nodes = small.json["nodes"].as_array_mut().expect("nodes");
    nodes.extend((0..70_000).map(|_| json!({})));
    small.json["skins"][0]["joints"] = json!((1..70_001).collect::<Vec<u32>>());
    assert_eq!(refusal(&small), Refusal::TooManyBones { found: 70_000 });
    let mut small = Small::new();
    small.json["nodes"][0] = json!({"mesh": 0});
    assert_eq!(refusal(&small), Refusal::NoSkin);
}

#[test]
fn sparse_accessors_and_every_interpolation_are_read() {
    let mut small = Small::new();
    // The third position moved by a sparse entry: its index and value at the end of the buffer.
    let at = small.buffer.len();
    small.buffer.extend([2, 0, 0, 0]);
    small.buffer.extend([0.0_f32, 4.0, 0.0].iter().flat_map(|v| v.to_le_bytes()));
    small.json["buffers"][0]["byteLength"] = json!(small.buffer.len());
    let views = small.json["bufferViews"].as_array_mut().expect("views");
    views.push(json!({"buffer": 0, "byteOffset": at, "byteLength": 1}));
    views.push(json!({"buffer": 0, "byteOffset": at + 4, "byteLength": 12}));
    small.json["accessors"][0]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": 6, "componentType": 5121}, "values": {"bufferView": 7}
    });
    let character = small.read().expect("a character");
    // Half as wide against its height as it was.
    let [low, high] = character.levels[0].mesh.bounds();
    assert!(((high.y - low.y) - 0.25).abs() < 1e-4, "{low} {high}");
    let mut small = Small::new();
    small.json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    let character = small.read().expect("a character");
    let lift = |c: &Character, time: f32| {
        c.clips[0].pose(&c.skeleton, time).iter().map(|j| j.translation.y).fold(0.0, f32::max)
    };
    assert_eq!(lift(&character, 0.9), 0.0);
    let mut small = Small::new();
    // Cubic: in-tangent, value, out-tangent per key; all tangents zero, from 0 to 1: halfway is a half.
    let at = small.buffer.len();
    let keys = [[0.0_f32; 3], [0.0; 3], [0.0; 3], [0.0; 3], [0.0, 1.0, 0.0], [0.0; 3]];
    small.buffer.extend(keys.concat().iter().flat_map(|v| v.to_le_bytes()));
    small.json["buffers"][0]["byteLength"] = json!(small.buffer.len());
    small.json["bufferViews"][5] = json!({"buffer": 0, "byteOffset": at, "byteLength": 72});
    small.json["accessors"][5]["count"] = json!(6);
    small.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
    let character = small.read().expect("a character");
    assert!((lift(&character, 0.5) - 0.5).abs() < 1e-5);
    assert!((lift(&character, 0.25) - 0.156_25).abs() < 1e-4);
}

#[test]
fn a_truncated_data_file_of_json_says_what_is_wrong() {
    let reason = from_bytes(b"{\"asset\": {\"version\": ", Path::new("."), "x")
        .map(|c| c.name)
        .expect_err("broken");
    assert!(matches!(reason, Refusal::Format(_)));
    let reason = from_bytes(b"", Path::new("."), "x").map(|c| c.name).expect_err("empty");
    assert!(matches!(reason, Refusal::Format(_)));
}
