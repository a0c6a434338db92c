//! A sculpture as data: parts that melt together to groups, groups that join to a whole.
//!
//! The same parts say where the surface is, what it is painted with and which bone it follows, so that a mesh,
//! its weights and its maps all come from one description; and the description, being data, can be hashed to
//! know whether a bake is still right.

pub mod detail;
pub mod froblin;
pub mod ghost;
pub mod paint;
mod part;
pub mod props;
pub mod shape;

use glam::Vec3;

pub use paint::{Coat, Paint};
pub use part::Part;

use shape::{carve, common, melt};

/// Parts that are one thing.
#[derive(Clone, Debug)]
pub struct Group {
    /// What it is called.
    pub name: &'static str,
    /// What it is made of.
    pub parts: Vec<Part>,
    /// Cloth: not `parts` themselves, but a layer around another group where `parts` are.
    pub layer: Option<Layer>,
    /// How far it melts with the groups before it.
    pub melt: f32,
}

/// Cloth around a group.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// Index of the group within.
    pub around: usize,
    /// How far its outside is from the group within.
    pub thickness: f32,
    /// How much farther per height below `flare_from`.
    pub flare: f32,
    /// Where it begins to widen downwards.
    pub flare_from: f32,
}

/// A sculpture in one piece, of a body that is 1 high, stands at z = 0, looks along x and has its left at y.
#[derive(Clone, Debug)]
pub struct Sculpture {
    /// Its groups.
    pub groups: Vec<Group>,
    /// Corners of a box that holds it.
    pub bounds: [Vec3; 2],
}

/// What the surface is at a point.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Paints with shares that sum to 1, greatest first.
    pub paints: Vec<(Paint, f32)>,
    /// Bones with shares that sum to 1.
    pub bones: Vec<(u16, f32)>,
}

impl Group {
    fn parts_distance(&self, p: Vec3) -> f32 {
        let mut d = f32::INFINITY;
        for part in &self.parts {
            if part.lower_bound(p) > d.max(0.0) + part.melt && !part.carve {
                continue;
            }
            let own = part.distance(p);
            d = if part.carve { carve(d, own, part.melt) } else { melt(d, own, part.melt) };
        }
        d
    }
}

impl Sculpture {
    /// A box around all parts, with room.
    fn bounds_of(groups: &[Group]) -> [Vec3; 2] {
        let parts = groups.iter().flat_map(|group| &group.parts).filter(|part| !part.carve);
        let boxes = parts.map(Part::bounds);
        let far = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let [low, high] = boxes.fold(far, |[a, b], [c, d]| [a.min(c), b.max(d)]);
        [low - 0.03, high + 0.03]
    }

    fn group_distance(&self, group: &Group, p: Vec3) -> f32 {
        match group.layer {
            None => group.parts_distance(p),
            Some(layer) => {
                let region = group.parts_distance(p);
                if region > 0.06 {
                    return region;
                }
                let within = self.groups[layer.around].parts_distance(p);
                let flare = layer.flare * (layer.flare_from - p.z).max(0.0);
                common(within - layer.thickness - flare, region, 0.008)
            }
        }
    }

    /// Distance to the smooth sculpture, without detail.
    #[must_use]
    pub fn distance(&self, p: Vec3) -> f32 {
        let all = self.groups.iter();
        all.fold(f32::INFINITY, |d, group| melt(d, self.group_distance(group, p), group.melt))
    }

    /// Distance to the sculpture with pores, warts, weave and wrinkles of the paints of a surface nearby.
    #[must_use]
    pub fn detailed(&self, p: Vec3, surface: &Surface) -> f32 {
        let heights = surface.paints.iter().map(|(paint, share)| detail::height(*paint, p) * share);
        self.distance(p) - heights.sum::<f32>()
    }

    /// Outward direction at a point; with the detail of a surface if one is given.
    #[must_use]
    pub fn normal(&self, p: Vec3, step: f32, surface: Option<&Surface>) -> Vec3 {
        let at = |q: Vec3| surface.map_or_else(|| self.distance(q), |s| self.detailed(q, s));
        // Four corners of a tetrahedron instead of six neighbours.
        let corners = [
            Vec3::new(1.0, -1.0, -1.0),
            Vec3::new(-1.0, -1.0, 1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::ONE,
        ];
        corners.into_iter().map(|c| c * at(p + c * step)).sum::<Vec3>().normalize_or(Vec3::Z)
    }

    /// Paint and bones at a point near the surface.
    #[must_use]
    pub fn surface(&self, p: Vec3) -> Surface {
        let nearest = |(_, a): &(usize, f32), (_, b): &(usize, f32)| a.total_cmp(b);
        let distances = self.groups.iter().map(|g| self.group_distance(g, p)).enumerate();
        let Some((index, _)) = distances.min_by(nearest) else { return Surface::default() };
        let group = &self.groups[index];
        let mut surface = Surface::default();
        for (part, share) in shares(&group.parts, p, |part| part.paint_width()) {
            add(&mut surface.paints, part.paint, share);
        }
        // Cloth goes where the body within goes.
        let bones = group.layer.map_or(group, |layer| &self.groups[layer.around]);
        for (part, share) in shares(&bones.parts, p, |_| 0.035) {
            add(&mut surface.bones, part.bones[usize::from(p.y < 0.0)], share);
        }
        surface.paints.sort_by(|a, b| b.1.total_cmp(&a.1));
        surface
    }
}

fn add<T: PartialEq>(list: &mut Vec<(T, f32)>, what: T, share: f32) {
    match list.iter_mut().find(|(w, _)| *w == what) {
        Some((_, sum)) => *sum += share,
        None => list.push((what, share)),
    }
}

/// How much each part has to say at a point: the nearest most, others less with their distance behind it.
fn shares(
    parts: &[Part],
    p: Vec3,
    width: impl Fn(&Part) -> f32,
) -> impl Iterator<Item = (&Part, f32)> {
    // A carved hollow paints what is at its wall.
    let reach = |part: &Part| {
        let d = part.distance(p);
        if part.carve { d.abs() + 0.002 } else { d }
    };
    let distances: Vec<f32> = parts.iter().map(reach).collect();
    let least = distances.iter().copied().fold(f32::INFINITY, f32::min);
    let share = |part: &Part, d: f32| (1.0 - (d - least) / width(part)).max(0.0).powi(2);
    let list: Vec<(&Part, f32)> = parts
        .iter()
        .zip(&distances)
        .map(|(part, d)| (part, share(part, *d)))
        .filter(|s| s.1 > 0.0)
        .collect();
    let sum: f32 = list.iter().map(|(_, s)| s).sum();
    list.into_iter().map(move |(part, s)| (part, s / sum))
}
