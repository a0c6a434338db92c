//! Fewer triangles: quadric edge collapse (Garland and Heckbert 1997) onto existing vertices.
//!
//! A vertex moves onto a neighbour, with everything it carries, so that no attribute has to be invented. Where
//! the atlas has a seam, a place has several vertices; it moves only along the seam, each side to its own
//! side, so that the atlas stays whole and no crack opens. Places, not vertices, carry the shape.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::{DVec3, Vec3};

use super::Mesh;

/// Squared distance to a set of planes, as ten numbers.
#[derive(Clone, Copy, Default)]
struct Quadric([f64; 10]);

impl Quadric {
    fn plane(n: DVec3, d: f64, weight: f64) -> Self {
        let q = [
            n.x * n.x,
            n.x * n.y,
            n.x * n.z,
            n.x * d,
            n.y * n.y,
            n.y * n.z,
            n.y * d,
            n.z * n.z,
            n.z * d,
            d * d,
        ];
        Self(q.map(|v| v * weight))
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }

    fn at(&self, p: DVec3) -> f64 {
        let q = &self.0;
        let x = q[0] * p.x + 2.0 * (q[1] * p.y + q[2] * p.z + q[3]);
        let y = q[4] * p.y + 2.0 * (q[5] * p.z + q[6]);
        (x * p.x + y * p.y + (q[7] * p.z + 2.0 * q[8]) * p.z + q[9]).max(0.0)
    }
}

/// A place that might move onto another, cheapest first.
struct Candidate {
    cost: f64,
    from: u32,
    to: u32,
    stamp: [u32; 2],
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_cost = other.cost.total_cmp(&self.cost);
        by_cost.then_with(|| (other.from, other.to).cmp(&(self.from, self.to)))
    }
}

struct Collapse<'a> {
    mesh: &'a mut Mesh,
    /// Place of each vertex.
    corner: Vec<u32>,
    at: Vec<DVec3>,
    quadric: Vec<Quadric>,
    /// Triangles of each place.
    around: Vec<Vec<u32>>,
    alive: Vec<bool>,
    stamp: Vec<u32>,
    care: Vec<f64>,
    /// How strict it is about the shape of triangles: 1 at first, 0 in the end.
    strict: f64,
}

/// Reduces a mesh to at most `faces` triangles where that can be done without holes or folds; returns how many
/// are left. `care` says how much a place matters: 1 is usual.
pub fn decimate(mesh: &mut Mesh, faces: usize, care: impl Fn(Vec3) -> f32) -> usize {
    let corner = mesh.corners();
    let places = corner.iter().max().map_or(0, |m| *m as usize + 1);
    let mut at = vec![DVec3::ZERO; places];
    for (p, &c) in mesh.positions.iter().zip(&corner) {
        at[c as usize] = p.as_dvec3();
    }
    let care = at.iter().map(|p| f64::from(care(p.as_vec3()))).collect();
    let mut state = Collapse {
        alive: vec![true; mesh.faces()],
        quadric: vec![Quadric::default(); places],
        around: vec![Vec::new(); places],
        stamp: vec![0; places],
        mesh,
        corner,
        at,
        care,
        strict: 1.0,
    };
    state.prepare();
    let left = state.run(faces);
    let kept = state.alive.clone();
    let mut triangle = 0..;
    let keep = |_: &[u32; 3]| kept[triangle.next().unwrap_or(0)];
    let list: Vec<[u32; 3]> =
        mesh.indices.as_chunks::<3>().0.iter().copied().filter(keep).collect();
    mesh.indices = list.concat();
    mesh.compact();
    left
}

impl Collapse<'_> {
    fn triangle(&self, t: u32) -> [u32; 3] {
        let i = t as usize * 3;
        [self.mesh.indices[i], self.mesh.indices[i + 1], self.mesh.indices[i + 2]]
    }

    fn places(&self, t: u32) -> [u32; 3] {
        self.triangle(t).map(|v| self.corner[v as usize])
    }

    fn prepare(&mut self) {
        for t in 0..self.mesh.faces() as u32 {
            let c = self.places(t);
            let [a, b, d] = c.map(|i| self.at[i as usize]);
            let cross = (b - a).cross(d - a);
            let area = cross.length() * 0.5;
            let n = cross.normalize_or_zero();
            let q = Quadric::plane(n, -n.dot(a), area);
            for i in c {
                self.around[i as usize].push(t);
                self.quadric[i as usize].add(&q);
            }
        }
        // The edge of an open mesh shall keep its course: a plane upright on each border edge.
        for t in 0..self.mesh.faces() as u32 {
            let c = self.places(t);
            for i in 0..3 {
                let (u, v) = (c[i], c[(i + 1) % 3]);
                if self.shared(u, v).len() > 1 {
                    continue;
                }
                let [a, b, d] = [u, v, c[(i + 2) % 3]].map(|i| self.at[i as usize]);
                let n = (b - a).cross(d - a).cross(b - a).normalize_or_zero();
                let q = Quadric::plane(n, -n.dot(a), a.distance_squared(b) * 2.0);
                self.quadric[u as usize].add(&q);
                self.quadric[v as usize].add(&q);
            }
        }
    }

    fn shared(&self, u: u32, v: u32) -> Vec<u32> {
        let has = |t: &&u32| self.places(**t).contains(&v);
        self.around[u as usize].iter().filter(has).copied().collect()
    }

    fn neighbours(&self, u: u32) -> Vec<u32> {
        let around = self.around[u as usize].iter();
        let mut list: Vec<u32> = around.flat_map(|t| self.places(*t)).filter(|c| *c != u).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    fn push(&self, heap: &mut BinaryHeap<Candidate>, from: u32, to: u32) {
        let (u, v) = (from as usize, to as usize);
        let mut q = self.quadric[u];
        q.add(&self.quadric[v]);
        // Short edges first where the shape does not mind: keeps triangles even.
        let even = self.at[u].distance_squared(self.at[v]).powi(2) * 2e-3;
        let cost = (q.at(self.at[v]) + even) * self.care[u];
        heap.push(Candidate { cost, from, to, stamp: [self.stamp[u], self.stamp[v]] });
    }

    fn run(&mut self, wanted: usize) -> usize {
        let mut left = self.alive.len();
        // What was refused once may be possible later: ask all again until nothing goes any more.
        // What is still too much then has to bear more.
        for strict in [1.0, 0.3, 0.0] {
            self.strict = strict;
            loop {
                let before = left;
                self.sweep(wanted, &mut left);
                if left <= wanted {
                    return left;
                }
                if left == before {
                    break;
                }
            }
        }
        left
    }

    fn sweep(&mut self, wanted: usize, left: &mut usize) {
        let mut heap = BinaryHeap::new();
        for u in 0..self.at.len() as u32 {
            for v in self.neighbours(u) {
                self.push(&mut heap, u, v);
            }
        }
        while *left > wanted {
            let Some(Candidate { from, to, stamp, .. }) = heap.pop() else { break };
            if [from, to].map(|c| self.stamp[c as usize]) != stamp {
                continue;
            }
            let Some(moves) = self.permitted(from, to) else { continue };
            *left -= self.collapse(from, to, &moves);
            self.stamp[to as usize] += 1;
            for v in self.neighbours(to) {
                self.push(&mut heap, v, to);
                self.push(&mut heap, to, v);
            }
        }
    }

    /// Normal of a triangle by its area, and how far it is from a needle; with one place moved to another.
    fn shape(&self, t: u32, moved: Option<(u32, u32)>) -> (DVec3, f64) {
        let place = |c: u32| match moved {
            Some((from, to)) if c == from => self.at[to as usize],
            _ => self.at[c as usize],
        };
        let [a, b, d] = self.places(t).map(place);
        let normal = (b - a).cross(d - a);
        let longest = a.distance_squared(b).max(b.distance_squared(d)).max(d.distance_squared(a));
        (normal, normal.length() / longest.max(1e-30))
    }

    /// Where each vertex of the place goes, if it may.
    fn permitted(&self, from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
        let between = self.shared(from, to);
        if between.is_empty() || between.len() > 2 {
            return None;
        }
        // Joined only through the triangles between them, else a fold or a pinch comes of it.
        let mine = self.neighbours(from);
        let theirs = self.neighbours(to);
        let common = mine.iter().filter(|c| theirs.binary_search(c).is_ok()).count();
        if common != between.len() {
            return None;
        }
        // A border moves along itself only.
        let border = |c: u32| self.neighbours(c).iter().any(|n| self.shared(c, *n).len() == 1);
        if between.len() == 2 && border(from) {
            return None;
        }
        let mut moves: Vec<(u32, u32)> = Vec::new();
        for t in &between {
            let v = self.triangle(*t);
            let at = |c: u32| v.into_iter().find(|v| self.corner[*v as usize] == c);
            let step = (at(from)?, at(to)?);
            match moves.iter().find(|(a, _)| *a == step.0) {
                Some((_, b)) if *b != step.1 => return None,
                Some(_) => {}
                None => moves.push(step),
            }
        }
        for &t in &self.around[from as usize] {
            let v = self.triangle(t);
            let own = v.into_iter().find(|v| self.corner[*v as usize] == from)?;
            if !moves.iter().any(|(a, _)| *a == own) {
                return None;
            }
            if between.contains(&t) {
                continue;
            }
            let (old, old_shape) = self.shape(t, None);
            let (new, new_shape) = self.shape(t, Some((from, to)));
            // Neither turned over, nor more of a needle than it was. A needle has no face to lose.
            let turned = new.dot(old) < 0.25 * self.strict * new.length() * old.length();
            if old_shape > 0.03 && turned {
                return None;
            }
            if new_shape < 0.05 * self.strict && new_shape < old_shape {
                return None;
            }
        }
        Some(moves)
    }

    /// Returns how many triangles went.
    fn collapse(&mut self, from: u32, to: u32, moves: &[(u32, u32)]) -> usize {
        let gone = self.shared(from, to);
        for &t in &gone {
            self.alive[t as usize] = false;
            for c in self.places(t) {
                self.around[c as usize].retain(|other| *other != t);
            }
        }
        let moved = std::mem::take(&mut self.around[from as usize]);
        for &t in &moved {
            for i in t as usize * 3..t as usize * 3 + 3 {
                if let Some((_, b)) = moves.iter().find(|(a, _)| *a == self.mesh.indices[i]) {
                    self.mesh.indices[i] = *b;
                }
            }
        }
        self.around[to as usize].extend(moved);
        let q = self.quadric[from as usize];
        self.quadric[to as usize].add(&q);
        self.care[to as usize] = self.care[to as usize].max(self.care[from as usize]);
        self.stamp[from as usize] += 1;
        gone.len()
    }
}
