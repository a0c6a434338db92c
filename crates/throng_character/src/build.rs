//! From a sculpture to a character's levels and maps.

use glam::Vec3;
use rayon::prelude::*;

use crate::bake::maps::{self, Maps};
use crate::character::{Level, seams};
use crate::mesh::{Mesh, decimate::decimate, frame, nets, simpler::simpler, unwrap::unwrap};
use crate::rig::weights;
use crate::sculpt::Sculpture;

/// How a sculpture is made to meshes and maps.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Texels along a side of the maps.
    pub texels: u32,
    /// Edge length of the fine mesh that levels are made from, in body heights.
    pub step: f32,
    /// Triangles of each level: near (the cage), middle, far.
    pub faces: [usize; 3],
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { texels: 1024, step: 0.0075, faces: [5100, 2000, 840] }
    }
}

/// What the build needs to know of a character besides its pieces.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) pieces: &'a [Sculpture],
    /// Share of the triangles that each piece gets.
    pub(crate) shares: &'a [f32],
    pub(crate) joints: usize,
    /// How much shape matters at a place.
    pub(crate) care: fn(Vec3) -> f32,
    /// How much of the atlas a place gets.
    pub(crate) fine: fn(Vec3) -> f32,
}

pub(crate) fn build(plan: &Plan<'_>, options: &BuildOptions) -> (Vec<Level>, Maps) {
    let make = |(piece, share): (&Sculpture, &f32)| {
        // Small pieces are meshed finer, so that there is something to choose from.
        let size = (piece.bounds[1] - piece.bounds[0]).max_element().min(1.0);
        let step = options.step * size.sqrt().clamp(0.5, 1.0);
        let mut mesh = nets::mesh(piece, step);
        let budget = (options.faces[0] as f32 * share) as usize;
        decimate(&mut mesh, budget, plan.care);
        mesh.positions.par_iter_mut().for_each(|p| *p = nets::draw_onto(piece, *p, step));
        weights::spread(&mut mesh, piece, plan.joints);
        mesh
    };
    let meshes: Vec<Mesh> = plan.pieces.iter().zip(plan.shares).map(make).collect();
    let faces: Vec<usize> = meshes.iter().map(Mesh::faces).collect();
    let mut cage = joined(meshes);
    unwrap(&mut cage, plan.fine);
    cage.normals = frame::normals(&cage);
    cage.tangents = frame::tangents(&cage);
    let mut of_face = Vec::new();
    for (piece, faces) in faces.iter().enumerate() {
        of_face.extend(std::iter::repeat_n(piece, *faces));
    }
    let (maps, heights) = maps::bake(&cage, plan.pieces, &of_face, options.texels);
    let near = Level { seams: seams(&cage), heights, mesh: cage };
    let mut levels = vec![near];
    for faces in &options.faces[1..] {
        levels.push(Level::plain(simpler(&levels[0].mesh, *faces, plan.care)));
    }
    (levels, maps)
}

fn joined(meshes: Vec<Mesh>) -> Mesh {
    let mut all = Mesh::default();
    for mesh in meshes {
        let first = all.positions.len() as u32;
        all.positions.extend(mesh.positions);
        all.joints.extend(mesh.joints);
        all.weights.extend(mesh.weights);
        all.indices.extend(mesh.indices.iter().map(|i| i + first));
    }
    all
}
