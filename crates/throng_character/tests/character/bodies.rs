//! If these fail, the froblin has holes, bad weights, maps that do not fit, or looks that are not different.

use std::collections::HashMap;

use throng_character::{BuildOptions, Mesh, ghost_with};

use super::froblin;

/// Every edge has as many triangles on one side as on the other.
fn open_edges(mesh: &Mesh) -> usize {
    let corners = mesh.corners();
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for t in mesh.triangles() {
        for i in 0..3 {
            let (a, b) = (corners[t[i]], corners[t[(i + 1) % 3]]);
            *edges.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
        }
    }
    edges.values().filter(|sum| **sum != 0).count()
}

#[test]
fn levels_have_their_triangles_and_no_holes() {
    let (character, _) = froblin();
    let faces: Vec<usize> = character.levels.iter().map(|level| level.mesh.faces()).collect();
    println!("faces {faces:?}");
    assert!((4500..=5500).contains(&faces[0]), "{faces:?}");
    assert!(faces[1] < faces[0] / 2 && faces[2] <= 900, "{faces:?}");
    for level in &character.levels {
        assert_eq!(open_edges(&level.mesh), 0);
        let [low, high] = level.mesh.bounds();
        assert!(low.z > -0.03 && high.z < 1.2 && high.z > 0.9, "{low} {high}");
    }
}

#[test]
fn vertices_are_sound() {
    let (character, _) = froblin();
    assert!((30..=40).contains(&character.skeleton.joints.len()));
    for level in &character.levels {
        let mesh = &level.mesh;
        let n = mesh.positions.len();
        assert!(
            [
                mesh.normals.len(),
                mesh.tangents.len(),
                mesh.uvs.len(),
                mesh.joints.len(),
                mesh.weights.len()
            ]
            .iter()
            .all(|l| *l == n)
        );
        for v in 0..n {
            let w = mesh.weights[v];
            assert!(
                (w.iter().sum::<f32>() - 1.0).abs() < 1e-4 && w.windows(2).all(|w| w[0] >= w[1]),
                "{w:?}"
            );
            assert!(
                mesh.joints[v].iter().all(|j| usize::from(*j) < character.skeleton.joints.len())
            );
            assert!((mesh.normals[v].length() - 1.0).abs() < 1e-3);
            assert!(mesh.normals[v].dot(mesh.tangents[v].truncate()).abs() < 1e-3);
            assert!(mesh.uvs[v].min_element() >= 0.0 && mesh.uvs[v].max_element() <= 1.0);
        }
    }
}

#[test]
fn the_atlas_does_not_overlap() {
    let (character, _) = froblin();
    let mesh = &character.levels[0].mesh;
    let side = 1024_usize;
    let mut owner = vec![0_u8; side * side];
    let mut area = 0.0;
    for t in mesh.triangles() {
        let uv = t.map(|v| mesh.uvs[v] * side as f32);
        let double = (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]);
        assert!(double > 0.0, "a triangle of the atlas is mirrored or empty");
        area += double * 0.5;
        let (low, high) = (uv[0].min(uv[1]).min(uv[2]), uv[0].max(uv[1]).max(uv[2]));
        for y in low.y as usize..=high.y as usize {
            for x in low.x as usize..=high.x as usize {
                let p = glam::Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let side_of = |a: glam::Vec2, b: glam::Vec2| (b - a).perp_dot(p - a);
                let within = (0..3).all(|i| side_of(uv[i], uv[(i + 1) % 3]) > 0.0);
                if within {
                    owner[y * side + x] += 1;
                }
            }
        }
    }
    let twice = owner.iter().filter(|n| **n > 1).count();
    let used = area / (side * side) as f32;
    println!("{:.1} % of the atlas used, {twice} texels twice", used * 100.0);
    assert!(used > 0.35, "{used}");
    // Slivers of folds between neighbouring triangles, not charts over charts.
    assert!(twice * 500 < owner.len(), "{twice} texels are used twice");
}

#[test]
fn displacement_is_one_value_on_both_sides_of_a_seam() {
    let (character, _) = froblin();
    let level = &character.levels[0];
    let corners = level.mesh.corners();
    let mut of_corner = HashMap::new();
    for (corner, height) in corners.iter().zip(&level.heights) {
        let first = of_corner.entry(*corner).or_insert(*height);
        assert_eq!(first.to_bits(), height.to_bits());
    }
    assert!(
        level.seams.iter().flatten().any(|seam| *seam)
            && level.seams.iter().flatten().any(|seam| !seam)
    );
    // The map says nearly the same at corners that are not on a seam, and never leaves its range.
    let maps = &character.maps;
    let (mut sum, mut count) = (0.0, 0.0);
    for (uv, height) in level.mesh.uvs.iter().zip(&level.heights) {
        let mapped = maps.displacement_at(*uv);
        assert!(mapped >= maps.bias - 1e-6 && mapped <= maps.bias + maps.scale + 1e-6);
        sum += (mapped - height).abs();
        count += 1.0;
    }
    println!("map against corners: {:.5} on the mean, range {:.4}", sum / count, maps.scale);
    assert!(sum / count < 0.0015, "{}", sum / count);
    assert!(maps.scale > 0.005 && maps.scale < 0.06, "{}", maps.scale);
}

#[test]
fn looks_differ_and_masks_fold_what_they_name() {
    let (character, _) = froblin();
    assert!(character.looks.len() >= 8);
    let mesh = &character.levels[0].mesh;
    let pose = character.skeleton.rest();
    let places = character.skeleton.places(&pose);
    let all = character.skeleton.flatten(&pose);
    let mut folded = all.clone();
    character.zones.fold(&mut folded, &places, 0);
    assert_eq!(all, folded, "no zone missing changes nothing");
    character.zones.fold(&mut folded, &places, character.zones.bit("sack"));
    let sack = character.skeleton.find("sack").expect("a sack");
    let points = throng_character::sheet::draw::skinned(mesh, &folded).0;
    let mut gone = 0;
    #[expect(clippy::needless_range_loop, reason = "several arrays have the same order")]
    for v in 0..mesh.positions.len() {
        if usize::from(mesh.joints[v][0]) == sack && mesh.weights[v][0] == 1.0 {
            assert!(points[v].distance(places[sack].translation.into()) < 1e-5);
            gone += 1;
        } else if mesh.joints[v]
            .iter()
            .zip(mesh.weights[v])
            .all(|(j, w)| usize::from(*j) != sack || w == 0.0)
        {
            assert!(points[v].distance(mesh.positions[v]) < 1e-4);
        }
    }
    assert!(gone > 50, "{gone} vertices of the sack");
    // What a clip brings is there although the look lacks it.
    let mine = &character.clips[character.clip("mine").expect("mine")];
    let idle = &character.clips[character.clip("idle").expect("idle")];
    let pickaxe = character.zones.bit("pickaxe");
    assert_eq!(character.missing(&character.looks[0], mine) & pickaxe, 0);
    assert_ne!(character.missing(&character.looks[0], idle) & pickaxe, 0);
}

#[test]
fn the_ghost_is_a_character_too() {
    let options = BuildOptions { texels: 128, ..Default::default() };
    let ghost = ghost_with(&options, None).0;
    assert_eq!(open_edges(&ghost.levels[0].mesh), 0);
    assert!(ghost.clips.len() >= 4 && ghost.levels.len() == 3);
    let baked = throng_character::BakedClips::bake(&ghost);
    let (off, place) = super::clips::worst_error(&ghost, &baked, 100);
    assert!(off <= 0.005, "{off} at {place}");
}
