//! Where things stand: the ground that walls, rocks, tents and trunks cover, so that no grass grows through them.

use std::collections::HashMap;
use std::f32::consts::TAU;

use glam::{IVec2, Vec2};
use throng_world::World;
use throng_world::world::Polygon;

use crate::{Mesh, PropInstance};

/// Directions in which the reach of a mesh is kept.
const SECTORS: usize = 48;
/// What is higher than this above its foot hangs over the grass (metres).
const LOW: f32 = 0.9;
/// What reaches no farther out than this is grown over (metres).
const SLENDER: f32 = 0.12;
/// Side of a square of the index (metres).
const SQUARE: f32 = 4.0;
/// Names of meshes that grass grows among.
const AMONG: [&str; 4] = ["grass", "flowers", "pebbles", "small mushrooms"];

/// How far something reaches from its middle, by direction.
#[derive(Clone, Debug)]
struct Outline {
    centre: Vec2,
    reach: [f32; SECTORS],
    farthest: f32,
}

/// All ground that is covered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprints {
    outlines: Vec<Outline>,
    walls: Vec<Polygon>,
    squares: HashMap<IVec2, Vec<u32>>,
}

impl Footprints {
    pub(crate) fn new(world: &World, props: &[(Mesh, Vec<PropInstance>)]) -> Self {
        let mut all = Self { walls: world.walls.clone(), ..Self::default() };
        for (mesh, places) in props {
            if AMONG.contains(&mesh.name.as_str()) {
                continue;
            }
            // Walls are meshes of their own size, at scale 1 at the origin: their polygons are known better.
            let shape = reach_of(mesh);
            let farthest = shape.iter().copied().fold(0.0, f32::max);
            if farthest > 60.0 {
                continue;
            }
            for place in places {
                if farthest * place.scale > SLENDER {
                    all.add(place, &shape, farthest);
                }
            }
        }
        for i in 0..all.walls.len() {
            let bounds = all.walls[i].bounds().grown(1.0);
            all.index((all.outlines.len() + i) as u32, bounds.min, bounds.max);
        }
        all
    }

    fn add(&mut self, place: &PropInstance, shape: &[f32; SECTORS], farthest: f32) {
        let centre = place.position.truncate();
        let shift = place.yaw / TAU * SECTORS as f32;
        let reach = std::array::from_fn(|i| {
            // Between two of the mesh's sectors the farther one counts.
            let from = (i as f32 - shift).floor();
            let at = |k: f32| shape[(k.rem_euclid(SECTORS as f32)) as usize % SECTORS];
            at(from).max(at(from + 1.0)) * place.scale
        });
        let farthest = farthest * place.scale;
        let number = self.outlines.len() as u32;
        self.outlines.push(Outline { centre, reach, farthest });
        self.index(number, centre - farthest - 1.0, centre + farthest + 1.0);
    }

    fn index(&mut self, number: u32, min: Vec2, max: Vec2) {
        let (low, high) = ((min / SQUARE).floor().as_ivec2(), (max / SQUARE).floor().as_ivec2());
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                self.squares.entry(IVec2::new(x, y)).or_default().push(number);
            }
        }
    }

    /// Whether a disc covers no ground that something stands on. Up to a metre wide.
    pub(crate) fn free(&self, p: Vec2, radius: f32) -> bool {
        let square = (p / SQUARE).floor().as_ivec2();
        let near = self.squares.get(&square).map_or(&[][..], Vec::as_slice);
        near.iter().all(|&number| {
            let number = number as usize;
            match self.outlines.get(number) {
                Some(outline) => outline.free(p, radius),
                None => {
                    let wall = &self.walls[number - self.outlines.len()];
                    !wall.contains(p) && wall.edges().all(|(a, b)| to_segment(p, a, b) > radius)
                }
            }
        })
    }
}

impl Outline {
    fn free(&self, p: Vec2, radius: f32) -> bool {
        let out = p - self.centre;
        let away = out.length();
        if away > self.farthest + radius {
            return true;
        }
        let sector = (out.to_angle().rem_euclid(TAU) / TAU * SECTORS as f32) as usize % SECTORS;
        // Neighbours too: the disc may reach over.
        let around = [SECTORS - 1, 0, 1].map(|d| self.reach[(sector + d) % SECTORS]);
        away > around.into_iter().fold(0.0, f32::max) + radius
    }
}

fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    p.distance(a + along * t)
}

/// How far the low part of a mesh reaches, by direction, at scale 1: the edges of its triangles, cut at the height
/// up to which they count.
fn reach_of(mesh: &Mesh) -> [f32; SECTORS] {
    let mut reach = [0.0_f32; SECTORS];
    let mut mark = |p: Vec2| {
        let sector = (p.to_angle().rem_euclid(TAU) / TAU * SECTORS as f32) as usize % SECTORS;
        reach[sector] = reach[sector].max(p.length());
    };
    for triangle in mesh.indices.chunks_exact(3) {
        let at = |i: usize| mesh.positions[triangle[i] as usize];
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (at(a), at(b));
            if a.z > LOW && b.z > LOW {
                continue;
            }
            // Points along the edge, close enough that no sector near the middle is missed.
            let steps = ((a - b).length() / 0.08).ceil().clamp(1.0, 400.0) as usize;
            for i in 0..=steps {
                let p = a.lerp(b, i as f32 / steps as f32);
                if p.z <= LOW {
                    mark(p.truncate());
                }
            }
        }
    }
    reach
}
