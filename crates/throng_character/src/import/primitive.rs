//! Meshes of a file as one mesh.

use std::collections::HashMap;

use glam::{Affine3A, Vec2, Vec3, Vec4};
use gltf::Semantic;
use gltf::mesh::Mode;

use super::skeleton::Tree;
use super::{Reading, Refusal};
use crate::mesh::Mesh;
use crate::rig::weights::sorted;

/// Vertices of one material.
pub(super) struct Painted {
    /// Its index, none for the default one.
    pub(super) material: Option<usize>,
    /// Which vertices of the mesh.
    pub(super) vertices: std::ops::Range<usize>,
}

/// What a mesh follows.
enum Follows {
    Skin(Vec<u16>),
    Rigid(u16),
}

/// All meshes of all nodes.
pub(super) fn read_all(
    reading: &mut Reading<'_>,
    tree: &mut Tree,
) -> Result<(Mesh, Vec<Painted>), Refusal> {
    let document = reading.document;
    let mut mesh = Mesh::default();
    let mut paints = Vec::new();
    let mut skins: HashMap<usize, Vec<u16>> = HashMap::new();
    let mut skinned = false;
    // Skins first: what hangs on a node makes do with what is left.
    for node in document.nodes().filter(|n| n.mesh().is_some()) {
        if let Some(skin) = node.skin()
            && !skins.contains_key(&skin.index())
        {
            skins.insert(skin.index(), tree.skin(reading, &skin)?);
        }
    }
    for node in document.nodes() {
        let Some(own) = node.mesh() else { continue };
        let follows = match node.skin() {
            Some(skin) => {
                skinned = true;
                Follows::Skin(skins.get(&skin.index()).cloned().unwrap_or_default())
            }
            None => match tree.bind(node.index(), Affine3A::IDENTITY) {
                Some(joint) => Follows::Rigid(joint),
                None => continue,
            },
        };
        for primitive in own.primitives() {
            if primitive.morph_targets().count() > 0 {
                reading.notice("morph targets are left out: faces keep one expression".to_owned());
            }
            let first = mesh.positions.len();
            add(reading, &mut mesh, own.index(), &primitive, &follows)?;
            paints.push(Painted {
                material: primitive.material().index(),
                vertices: first..mesh.positions.len(),
            });
        }
    }
    match (mesh.indices.is_empty(), skinned) {
        (true, _) => Err(Refusal::NoMesh),
        (_, false) => Err(Refusal::NoSkin),
        _ => Ok((mesh, paints)),
    }
}

fn add(
    reading: &mut Reading<'_>,
    mesh: &mut Mesh,
    index: usize,
    primitive: &gltf::Primitive<'_>,
    follows: &Follows,
) -> Result<(), Refusal> {
    let buffers = reading.buffers;
    let Some(positions) = primitive.get(&Semantic::Positions) else {
        reading.notice(format!("a part of mesh {index} without positions is left out"));
        return Ok(());
    };
    let positions = buffers.floats::<3>(&positions)?;
    let n = positions.len();
    let corners: Vec<u32> = match primitive.indices() {
        Some(accessor) => buffers.whole::<1>(&accessor)?.into_iter().flatten().collect(),
        None => (0..n as u32).collect(),
    };
    let Some(triangles) = triangles(primitive.mode(), &corners) else {
        reading.notice(format!("points or lines of mesh {index} are left out"));
        return Ok(());
    };
    if let Some(bad) = triangles.iter().flatten().find(|i| **i as usize >= n) {
        let what = format!("a triangle has it, and there are only {n}");
        return Err(Refusal::Vertex { mesh: index, vertex: *bad as usize, what });
    }
    let count = |what: &'static str, found: usize| match found == n {
        true => Ok(()),
        false => Err(Refusal::Count { mesh: index, what, found, wanted: n }),
    };
    let normals = match primitive.get(&Semantic::Normals) {
        Some(accessor) => buffers.floats::<3>(&accessor)?.into_iter().map(Vec3::from).collect(),
        None => flat_normals(&positions, &triangles),
    };
    count("NORMAL", normals.len())?;
    // Tangents that are missing are zero here and made later.
    let tangents = match primitive.get(&Semantic::Tangents) {
        Some(accessor) => buffers.floats::<4>(&accessor)?.into_iter().map(Vec4::from).collect(),
        None => vec![Vec4::ZERO; n],
    };
    count("TANGENT", tangents.len())?;
    let uvs: Vec<Vec2> = match primitive.get(&Semantic::TexCoords(0)) {
        Some(accessor) => buffers.floats::<2>(&accessor)?.into_iter().map(Vec2::from).collect(),
        None => vec![Vec2::ZERO; n],
    };
    count("TEXCOORD_0", uvs.len())?;
    let (joints, weights) = bound(reading, index, primitive, follows, n)?;
    let first = mesh.positions.len() as u32;
    mesh.positions.extend(positions.into_iter().map(Vec3::from));
    mesh.normals.extend(normals.into_iter().map(|v| v.normalize_or(Vec3::Z)));
    mesh.tangents.extend(tangents);
    mesh.uvs.extend(uvs);
    mesh.joints.extend(joints);
    mesh.weights.extend(weights);
    // Triangles that use a vertex twice are nothing.
    let real = triangles.into_iter().filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    mesh.indices.extend(real.flatten().map(|i| i + first));
    Ok(())
}

/// Triangles of lists, strips and fans; none of points and lines.
fn triangles(mode: Mode, corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    match mode {
        Mode::Triangles => Some(corners.as_chunks::<3>().0.to_vec()),
        Mode::TriangleStrip => {
            let turn = |(i, w): (usize, &[u32])| {
                if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] }
            };
            Some(corners.windows(3).enumerate().map(turn).collect())
        }
        Mode::TriangleFan => {
            let (hub, rim) = corners.split_first()?;
            Some(rim.windows(2).map(|w| [*hub, w[0], w[1]]).collect())
        }
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => None,
    }
}

/// Joints and weights per vertex, sorted, summing to 1.
#[allow(clippy::type_complexity, reason = "two lists of the mesh")]
fn bound(
    reading: &mut Reading<'_>,
    mesh: usize,
    primitive: &gltf::Primitive<'_>,
    follows: &Follows,
    n: usize,
) -> Result<(Vec<[u16; 4]>, Vec<[f32; 4]>), Refusal> {
    let skin = match follows {
        Follows::Rigid(joint) => {
            return Ok((vec![[*joint, 0, 0, 0]; n], vec![[1.0, 0.0, 0.0, 0.0]; n]));
        }
        Follows::Skin(skin) => skin,
    };
    let mut all: Vec<Vec<(u16, f32)>> = vec![Vec::new(); n];
    for set in 0.. {
        let parts = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
        let (Some(joints), Some(weights)) = parts else { break };
        // Weights that are no numbers are told by the vertex that has them, not by the accessor.
        let joints = reading.buffers.whole::<4>(&joints)?;
        let weights = reading.buffers.floats::<4>(&weights).map_err(|error| match error {
            Refusal::Accessor { what, .. } if what.starts_with("entry") => {
                let entry = what.split(' ').nth(1).and_then(|v| v.parse().ok()).unwrap_or(0);
                Refusal::Vertex {
                    mesh,
                    vertex: entry,
                    what: "its weight is not a number".to_owned(),
                }
            }
            other => other,
        })?;
        for (what, found) in [("JOINTS", joints.len()), ("WEIGHTS", weights.len())] {
            if found != n {
                return Err(Refusal::Count { mesh, what, found, wanted: n });
            }
        }
        for (vertex, (joints, weights)) in joints.into_iter().zip(weights).enumerate() {
            for (joint, weight) in joints.into_iter().zip(weights) {
                let refuse = |what: String| Refusal::Vertex { mesh, vertex, what };
                if weight < 0.0 {
                    return Err(refuse(format!("its weight is {weight}")));
                }
                if weight > 0.0 {
                    let own = skin.get(joint as usize);
                    let own = own.ok_or_else(|| {
                        refuse(format!("it follows bone {joint} of {}", skin.len()))
                    })?;
                    all[vertex].push((*own, weight));
                }
            }
        }
    }
    let first = skin.first().copied().unwrap_or(0);
    let loose =
        all.iter_mut().filter(|list| list.is_empty()).map(|list| list.push((first, 1.0))).count();
    if loose > 0 {
        reading.notice(format!(
            "{loose} vertices of mesh {mesh} follow no bone: they follow the skin's first"
        ));
    }
    Ok(all.into_iter().map(sorted).unzip())
}

fn flat_normals(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let list = positions.iter().copied().map(Vec3::from).collect();
    let indices = triangles.concat();
    crate::mesh::frame::normals(&Mesh { positions: list, indices, ..Default::default() })
}
