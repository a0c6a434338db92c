//! Clips flattened to matrices of the object, one after another, without gaps.
//!
//! For every key of a clip there are the 3×4 matrices of all joints, rows of four numbers: what carries a vertex
//! from rest to the pose. Keys are evenly spaced, and each clip has as few as its motion allows. Between two keys
//! matrices are mixed by number. A clip that goes round has its first key after its last; no key is stored twice
//! and nothing is filled up.

use glam::{Affine3A, Vec3, Vec4};
use rayon::prelude::*;

use crate::character::Character;
use crate::clip::Clip;
use crate::rig::Skeleton;

/// By how much a point may be off between keys, in body heights.
const TOLERANCE: f32 = 0.0048;
/// The same for clips that walk, whose feet must stand; and no more than this share of the stride.
const STANDING: f32 = 0.0031;
const OF_STRIDE: f32 = 0.009;
/// Never more keys a second than this.
const FASTEST: f32 = 160.0;

/// Three rows of a 3×4 matrix.
pub type Rows = [Vec4; 3];

/// Where a clip is, and how it is played. 32 bytes, as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BakedClip {
    /// Its first key, counted over all clips.
    pub first: u32,
    /// How many keys.
    pub keys: u32,
    /// 1 if it goes round, else 0.
    pub looping: u32,
    /// Seconds.
    pub duration: f32,
    /// Distance of one round in body heights; 0 if it follows the clock.
    pub stride: f32,
    /// Seconds to fade in.
    pub blend: f32,
    /// Zones of [`crate::rig::Zones`] that the clip brings along.
    pub props: u32,
    /// Makes it 32 bytes.
    pub reserved: u32,
}

/// All clips of a character.
#[derive(Clone, Debug, Default)]
pub struct BakedClips {
    /// Joints per key.
    pub joints: u32,
    /// Clips in the order of the character's.
    pub table: Vec<BakedClip>,
    /// Names, likewise.
    pub names: Vec<String>,
    /// Rows: key by key, joint by joint, three each.
    pub rows: Vec<Rows>,
}

/// How large it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Of matrices and table together.
    pub bytes: usize,
    /// Of those, what carries nothing.
    pub padding: usize,
    /// Keys of all clips.
    pub keys: usize,
    /// What it would take with all clips as long as the longest, as a texture array needs it.
    pub as_array: usize,
}

impl BakedClips {
    /// Bakes all clips of a character.
    #[must_use]
    pub fn bake(character: &Character) -> Self {
        let probes = probes(character);
        let bake = |clip: &Clip| keys(&character.skeleton, clip, &probes);
        let all: Vec<Vec<Vec<Affine3A>>> = character.clips.par_iter().map(bake).collect();
        let mut baked =
            Self { joints: character.skeleton.joints.len() as u32, ..Default::default() };
        let mut first = 0;
        for (clip, keys) in character.clips.iter().zip(all) {
            baked.names.push(clip.name.clone());
            baked.table.push(BakedClip {
                first,
                keys: keys.len() as u32,
                looping: u32::from(clip.looping),
                duration: clip.duration,
                stride: clip.stride.unwrap_or(0.0),
                blend: clip.blend,
                props: clip.props.iter().fold(0, |bits, prop| bits | character.zones.bit(prop)),
                reserved: 0,
            });
            first += keys.len() as u32;
            baked.rows.extend(keys.into_iter().flatten().map(|m| rows(&m)));
        }
        baked
    }

    /// The two keys around a time of a clip, and the share of the second. The twin of `clip_keys` in WGSL.
    #[must_use]
    pub fn around(&self, clip: usize, time: f32) -> (u32, u32, f32) {
        let BakedClip { first, keys, looping, duration, .. } = self.table[clip];
        if keys < 2 || duration <= 0.0 {
            return (first, first, 0.0);
        }
        if looping == 1 {
            let s = (time / duration - (time / duration).floor()) * keys as f32;
            let a = (s as u32).min(keys - 1);
            (first + a, first + (a + 1) % keys, s - a as f32)
        } else {
            let s = (time / duration).clamp(0.0, 1.0) * (keys - 1) as f32;
            let a = (s as u32).min(keys - 2);
            (first + a, first + a + 1, s - a as f32)
        }
    }

    /// The matrix of a joint at a time of a clip.
    #[must_use]
    pub fn sample(&self, clip: usize, time: f32, joint: usize) -> Rows {
        let (a, b, share) = self.around(clip, time);
        let row = |key: u32| &self.rows[key as usize * self.joints as usize + joint];
        let (a, b) = (row(a), row(b));
        [0, 1, 2].map(|i| a[i].lerp(b[i], share))
    }

    /// A vertex at a time of a clip, by its joints and weights.
    #[must_use]
    pub fn skin(
        &self,
        clip: usize,
        time: f32,
        p: Vec3,
        joints: [u16; 4],
        weights: [f32; 4],
    ) -> Vec3 {
        let p = p.extend(1.0);
        let mut sum = Vec3::ZERO;
        for (joint, weight) in joints.into_iter().zip(weights) {
            // Sorted: nothing comes after nothing.
            if weight == 0.0 {
                break;
            }
            let m = self.sample(clip, time, usize::from(joint));
            sum += Vec3::new(m[0].dot(p), m[1].dot(p), m[2].dot(p)) * weight;
        }
        sum
    }

    /// A clip by name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// How large it is and how much of that is waste.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        let key = self.joints as usize * size_of::<Rows>();
        let longest = self.table.iter().map(|clip| clip.keys as usize).max().unwrap_or(0);
        Sizes {
            bytes: size_of_val(self.rows.as_slice()) + size_of_val(self.table.as_slice()),
            padding: self.table.len() * size_of::<u32>(),
            keys: self.rows.len() / (self.joints as usize).max(1),
            as_array: longest * key * self.table.len(),
        }
    }
}

fn rows(m: &Affine3A) -> Rows {
    let c = m.to_cols_array();
    [0, 1, 2].map(|r| Vec4::new(c[r], c[3 + r], c[6 + r], c[9 + r]))
}

/// Per joint the vertices farthest out that follow it, in six directions: where errors are greatest.
fn probes(character: &Character) -> Vec<(usize, Vec3)> {
    let mut list = Vec::new();
    let Some(level) = character.levels.first() else { return list };
    let mesh = &level.mesh;
    for joint in 0..character.skeleton.joints.len() {
        let own: Vec<Vec3> = (0..mesh.positions.len())
            .filter(|v| {
                (0..4)
                    .any(|i| usize::from(mesh.joints[*v][i]) == joint && mesh.weights[*v][i] > 0.5)
            })
            .map(|v| mesh.positions[v])
            .collect();
        for way in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
            list.extend(
                own.iter()
                    .copied()
                    .max_by(|a, b| a.dot(way).total_cmp(&b.dot(way)))
                    .map(|p| (joint, p)),
            );
        }
    }
    list
}

/// As few evenly spaced keys as keep the probes within the tolerance.
fn keys(skeleton: &Skeleton, clip: &Clip, probes: &[(usize, Vec3)]) -> Vec<Vec<Affine3A>> {
    let exact = |share: f32| {
        // The end of what goes round is its beginning; just before it all is still well.
        let share = if clip.looping { share.min(0.999_999) } else { share };
        skeleton.flatten(&clip.pose(skeleton, share * clip.duration))
    };
    let most = ((clip.duration * FASTEST).ceil() as usize).max(2);
    let fine = (most * 2).clamp(24, 400);
    let truth: Vec<Vec<Vec3>> = (0..fine)
        .map(|i| {
            let matrices = exact((i as f32 + 0.5) / fine as f32);
            probes.iter().map(|(joint, p)| matrices[*joint].transform_point3(*p)).collect()
        })
        .collect();
    let tolerance = clip.stride.map_or(TOLERANCE, |stride| STANDING.min(stride * OF_STRIDE));
    let sampled = |count: usize| {
        let spans = if clip.looping { count } else { count - 1 };
        let keys: Vec<Vec<Affine3A>> = (0..count).map(|i| exact(i as f32 / spans as f32)).collect();
        let well = |keys: &Vec<_>| worst(keys, spans, probes, &truth, tolerance) < tolerance;
        if count >= most || well(&keys) {
            return Some(keys);
        }
        let between: Vec<Vec<Affine3A>> =
            (0..spans).map(|i| exact((i as f32 + 0.5) / spans as f32)).collect();
        Some(outside(&keys, &between)).filter(well)
    };
    // Up in strides until it is enough, then back down to the fewest.
    let (mut too_few, mut count) = (1, 4.min(most));
    let mut found = loop {
        if let Some(keys) = sampled(count) {
            break keys;
        }
        too_few = count;
        count = (count + 1 + count / 10).min(most);
    };
    while found.len() > too_few + 1 {
        let middle = (found.len() + too_few) / 2;
        match sampled(middle) {
            Some(keys) if middle >= 2 => found = keys,
            _ => too_few = middle,
        }
    }
    found
}

/// Keys a little outside the bends of a motion. Between keys on the motion itself the mix cuts every bend; from out here
/// it is off by half as much, as far to one side at the keys as to the other between them.
fn outside(keys: &[Vec<Affine3A>], between: &[Vec<Affine3A>]) -> Vec<Vec<Affine3A>> {
    let (count, spans) = (keys.len(), between.len());
    // What the mix lacks in the middle of a span.
    let lack = |span: usize, joint: usize| {
        let (a, b) = (keys[span][joint], keys[(span + 1) % count][joint]);
        add(between[span][joint], 1.0, add(a, 1.0, b, 1.0), -0.5)
    };
    let looping = spans == count;
    let moved = |key: usize, joint: usize| {
        let exact = keys[key][joint];
        // What does not go round begins and ends as it is.
        if !looping && (key == 0 || key == spans) {
            return exact;
        }
        let sides = add(lack((key + spans - 1) % spans, joint), 1.0, lack(key, joint), 1.0);
        add(exact, 1.0, sides, 0.25)
    };
    let joints = keys.first().map_or(0, Vec::len);
    (0..count).map(|key| (0..joints).map(|joint| moved(key, joint)).collect()).collect()
}

fn add(a: Affine3A, of_a: f32, b: Affine3A, of_b: f32) -> Affine3A {
    Affine3A {
        matrix3: a.matrix3 * of_a + b.matrix3 * of_b,
        translation: a.translation * of_a + b.translation * of_b,
    }
}

fn worst(
    keys: &[Vec<Affine3A>],
    spans: usize,
    probes: &[(usize, Vec3)],
    truth: &[Vec<Vec3>],
    enough: f32,
) -> f32 {
    let mut worst = 0.0_f32;
    for (i, exact) in truth.iter().enumerate() {
        let s = (i as f32 + 0.5) / truth.len() as f32 * spans as f32;
        let a = (s as usize).min(spans - 1);
        let (a, b, share) = (&keys[a], &keys[(a + 1) % keys.len()], s - a as f32);
        for ((joint, p), exact) in probes.iter().zip(exact) {
            let mixed = a[*joint].transform_point3(*p).lerp(b[*joint].transform_point3(*p), share);
            worst = worst.max(mixed.distance_squared(*exact));
        }
        if worst > enough * enough {
            break;
        }
    }
    worst.sqrt()
}
