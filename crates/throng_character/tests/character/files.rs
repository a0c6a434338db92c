//! If this fails, a character that others can show is not read here. `THRONG_DATA` names another data folder;
//! without data the test says so.

use std::path::{Path, PathBuf};

use throng_character::{BakedClips, import};

fn all_files(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => all_files(&path, list),
            Some("glb" | "gltf") => list.push(path),
            _ => {}
        }
    }
}

/// Joints, clips and triangles as the data's README has them; 0 clips become one at rest.
const KNOWN: [(&str, usize, usize, usize); 16] = [
    ("CesiumMan", 19, 1, 4672),
    ("Fox", 24, 3, 576),
    ("RiggedFigure", 19, 1, 256),
    ("RiggedSimple", 2, 1, 188),
    ("SimpleSkin", 2, 1, 8),
    ("RobotExpressive", 43, 14, 3237),
    ("Knight", 41, 76, 6952),
    ("Barbarian", 41, 76, 6543),
    ("Rogue", 41, 76, 6377),
    ("Soldier", 62, 24, 7900),
    ("Adventurer", 62, 24, 6812),
    ("Casual", 49, 1, 6206),
    ("KnightCharacter", 31, 12, 956),
    ("Horse", 50, 13, 2182),
    ("Cow", 42, 12, 2450),
    ("PlatformerCharacter", 29, 18, 2908),
];

#[test]
fn every_character_of_the_data_loads() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("THRONG_DATA").map_or(beside, PathBuf::from).join("characters");
    let mut files = Vec::new();
    all_files(&data, &mut files);
    if files.is_empty() {
        println!("skipped: no {} (set THRONG_DATA)", data.display());
        return;
    }
    files.sort();
    for file in &files {
        let character = import(file).unwrap_or_else(|error| panic!("{error}"));
        let baked = BakedClips::bake(&character);
        let mesh = &character.levels[0].mesh;
        let faces: Vec<usize> = character.levels.iter().map(|level| level.mesh.faces()).collect();
        println!(
            "{:<20} {faces:?} triangles, {} joints, {} clips, {} kB, {:?}",
            character.name,
            character.skeleton.joints.len(),
            character.clips.len(),
            baked.sizes().bytes / 1000,
            character.notices
        );
        if let Some((name, joints, clips, triangles)) =
            KNOWN.iter().find(|known| known.0 == character.name)
        {
            assert!(character.skeleton.joints.len() >= *joints, "{name}");
            assert_eq!(character.clips.len(), *clips, "{name}");
            assert!(
                faces[0] <= *triangles && faces[0] * 100 >= triangles * 98,
                "{name}: {faces:?}"
            );
        }
        // Upright, 1 high, on the ground, at rest.
        let matrices = character.skeleton.flatten(&character.skeleton.rest());
        let (points, normals, _) = throng_character::sheet::draw::skinned(mesh, &matrices);
        let low = points.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
        let high = points.iter().map(|p| p.z).fold(f32::NEG_INFINITY, f32::max);
        assert!(
            low.abs() < 1e-3 && (high - 1.0).abs() < 1e-3,
            "{}: {low} to {high}",
            character.name
        );
        assert!(normals.iter().all(|n| n.is_finite()));
        assert!(baked.rows.iter().flatten().all(|row| row.is_finite()), "{}", character.name);
    }
}
