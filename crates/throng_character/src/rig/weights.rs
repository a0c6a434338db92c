//! Which vertices follow which joints: from the parts of the sculpture, spread over the mesh.

use glam::Vec3;

use crate::mesh::Mesh;
use crate::sculpt::{Paint, Sculpture};

/// How often weights are spread to neighbours.
const ROUNDS: usize = 5;

/// Weights of all joints per place, before the four greatest are taken.
pub fn spread(mesh: &mut Mesh, piece: &Sculpture, joints: usize) {
    let corners = mesh.corners();
    let places = corners.iter().max().map_or(0, |m| *m as usize + 1);
    let mut at = vec![Vec3::ZERO; places];
    for (p, c) in mesh.positions.iter().zip(&corners) {
        at[*c as usize] = *p;
    }
    let mut weights = vec![vec![0.0_f32; joints]; places];
    let mut fixed = vec![false; places];
    for (c, p) in at.iter().enumerate() {
        let surface = piece.surface(*p);
        for (bone, share) in &surface.bones {
            weights[c][*bone as usize] += share;
        }
        // An eye is hard: it turns as a whole.
        fixed[c] = surface.paints.first().is_some_and(|(paint, _)| *paint == Paint::Eye);
    }
    let mut neighbours = vec![Vec::new(); places];
    for t in mesh.triangles() {
        let c = t.map(|i| corners[i]);
        for i in 0..3 {
            neighbours[c[i] as usize].extend([c[(i + 1) % 3], c[(i + 2) % 3]]);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    // Along the surface only: a hand beside a hip shares nothing with it.
    for _ in 0..ROUNDS {
        let before = weights.clone();
        for (c, own) in weights.iter_mut().enumerate() {
            let soft: Vec<u32> =
                neighbours[c].iter().copied().filter(|n| !fixed[*n as usize]).collect();
            if fixed[c] || soft.is_empty() {
                continue;
            }
            for (joint, w) in own.iter_mut().enumerate() {
                let mean: f32 = soft.iter().map(|n| before[*n as usize][joint]).sum::<f32>()
                    / soft.len() as f32;
                *w = *w * 0.5 + mean * 0.5;
            }
        }
    }
    let four: Vec<([u16; 4], [f32; 4])> = weights.iter().map(|w| strongest(w)).collect();
    mesh.joints = corners.iter().map(|c| four[*c as usize].0).collect();
    mesh.weights = corners.iter().map(|c| four[*c as usize].1).collect();
}

/// The four greatest weights, greatest first, made to sum to 1.
fn strongest(weights: &[f32]) -> ([u16; 4], [f32; 4]) {
    let all = weights.iter().enumerate().map(|(joint, w)| (joint as u16, *w)).collect();
    sorted(all)
}

/// Any number of joints and weights to at most four, greatest first, that sum to 1. What weighs less than a
/// hundredth is left out. Without any weight it is the first joint.
#[must_use]
pub fn sorted(mut all: Vec<(u16, f32)>) -> ([u16; 4], [f32; 4]) {
    all.retain(|(_, w)| *w > 0.0);
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(4);
    let total: f32 = all.iter().map(|(_, w)| w).sum();
    all.retain(|(_, w)| *w >= total * 0.01);
    let sum: f32 = all.iter().map(|(_, w)| w).sum();
    let (mut joints, mut shares) = ([0; 4], [0.0; 4]);
    if sum <= 0.0 {
        shares[0] = 1.0;
        return (joints, shares);
    }
    for (i, (joint, w)) in all.into_iter().enumerate() {
        (joints[i], shares[i]) = (joint, w / sum);
    }
    (joints, shares)
}
