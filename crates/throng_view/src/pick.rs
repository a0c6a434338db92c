//! Whom or what a point of the picture shows: rays against the ground and against bodies.

use glam::{Vec2, Vec3};
use throng_crowd::Instance;
use throng_render::Camera;
use throng_world::World;

/// A ray into the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The eye.
    pub from: Vec3,
    /// Where it goes, of length 1.
    pub along: Vec3,
}

impl Ray {
    /// The ray through a pixel of a picture.
    #[must_use]
    pub fn through(camera: &Camera, pixel: Vec2, size: [u32; 2]) -> Self {
        let size = Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
        let ndc = pixel / size * Vec2::new(2.0, -2.0) + Vec2::new(-1.0, 1.0);
        let [forward, right, up] = camera.axes();
        let half = camera.half_extent(size.x / size.y);
        let along = forward + right * (half.x * ndc.x) + up * (half.y * ndc.y);
        Self { from: camera.eye, along: along.normalize() }
    }

    fn at(&self, t: f32) -> Vec3 {
        self.from + self.along * t
    }
}

/// The pixel that shows a point, if it lies before the camera.
#[must_use]
pub(crate) fn pixel_of(camera: &Camera, point: Vec3, size: [u32; 2]) -> Option<Vec2> {
    let size = Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
    let clip = camera.clip_from_world(size.x / size.y) * point.extend(1.0);
    let ndc = clip.truncate().truncate() / clip.w;
    (clip.w > camera.near).then(|| (ndc * Vec2::new(0.5, -0.5) + 0.5) * size)
}

/// Where a ray meets the ground of a world.
#[must_use]
pub fn pick_ground(world: &World, ray: &Ray) -> Option<Vec3> {
    let bounds = world.bounds();
    let above = |t: f32| {
        let p = ray.at(t);
        p.z - world.ground_height(p.truncate())
    };
    if above(0.0) < 0.0 {
        return None;
    }
    // Steps shorter than a cell where the ground is near, longer where it is far below.
    let cell = world.terrain.cell_size().max(0.1);
    let most = 4.0 * bounds.size().length() + ray.from.truncate().distance(bounds.centre());
    let (mut low, mut high) = (0.0_f32, 0.0_f32);
    while high < most {
        let gap = above(high);
        if gap <= 0.0 {
            break;
        }
        low = high;
        high += (0.5 * gap).clamp(0.5 * cell, 40.0);
    }
    if high >= most && above(high) > 0.0 {
        return None;
    }
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        if above(middle) > 0.0 { low = middle } else { high = middle }
    }
    let p = ray.at(high);
    bounds.contains(p.truncate()).then_some(p)
}

/// A body, for picking: a post of this radius and height (metres).
const RADIUS: f32 = 0.22;
const HEIGHT: f32 = 1.75;
/// Whoever is missed by so little is picked all the same: by metres, and by radians for those far away.
const NEAR_MISS: f32 = 0.32;
const LEAST_ANGLE: f32 = 0.006;

/// The first agent that a ray goes through, by its place among the instances; if it goes through nobody, the
/// one that it passes closest. The ground hides who is behind it.
#[must_use]
pub fn pick_agent(world: &World, agents: &[Instance], ray: &Ray) -> Option<usize> {
    let ground = pick_ground(world, ray).map_or(f32::INFINITY, |p| p.distance(ray.from));
    let mut hit: Option<(f32, usize)> = None;
    let mut passed: Option<(f32, usize)> = None;
    let least = |best: &mut Option<(f32, usize)>, rank: f32, i: usize| {
        if best.is_none_or(|(other, _)| rank < other) {
            *best = Some((rank, i));
        }
    };
    for (i, agent) in agents.iter().enumerate() {
        let feet = Vec3::from_array(agent.position);
        let Some((t, off)) = nearest_to_post(ray, feet, HEIGHT) else { continue };
        // Whoever stands on the ground that is hit is before it.
        if t > ground + 1.5 {
            continue;
        }
        if let Some(enters) = enters_post(ray, feet, RADIUS, HEIGHT) {
            least(&mut hit, enters, i);
        } else if off < NEAR_MISS.max(LEAST_ANGLE * t) {
            least(&mut passed, off, i);
        }
    }
    hit.or(passed).map(|(_, i)| i)
}

/// How far along a ray it enters an upright post: through its side or its top.
fn enters_post(ray: &Ray, foot: Vec3, radius: f32, height: f32) -> Option<f32> {
    let (to, along) = ((ray.from - foot).truncate(), ray.along.truncate());
    let (a, b, c) = (along.length_squared(), to.dot(along), to.length_squared() - radius * radius);
    // The stretch within the endless cylinder, and the one between the heights.
    let (mut first, mut last) = (0.0_f32, f32::INFINITY);
    if a > 1e-12 {
        let root = b * b - a * c;
        if root < 0.0 {
            return None;
        }
        first = first.max((-b - root.sqrt()) / a);
        last = last.min((-b + root.sqrt()) / a);
    } else if c > 0.0 {
        return None;
    }
    let down = |z: f32| (foot.z + z - ray.from.z) / ray.along.z;
    if ray.along.z.abs() > 1e-6 {
        let ends = [down(0.0), down(height)];
        first = first.max(ends[0].min(ends[1]));
        last = last.min(ends[0].max(ends[1]));
    } else if !(foot.z..=foot.z + height).contains(&ray.from.z) {
        return None;
    }
    (first <= last).then_some(first)
}

/// How far along a ray it comes nearest to a post that stands on a point, and how near.
fn nearest_to_post(ray: &Ray, foot: Vec3, height: f32) -> Option<(f32, f32)> {
    // Nearest points of two lines, the second one cut to the post.
    let to = foot - ray.from;
    let slope = ray.along.z;
    let flat = 1.0 - slope * slope;
    let up = if flat < 1e-6 { 0.0 } else { (slope * ray.along.dot(to) - to.z) / flat };
    let on_post = foot + Vec3::Z * up.clamp(0.0, height);
    let t = ray.along.dot(on_post - ray.from);
    (t > 0.1).then(|| (t, ray.at(t).distance(on_post)))
}

#[cfg(test)]
mod tests {
    use super::{Ray, nearest_to_post, pick_agent, pick_ground, pixel_of};
    use glam::{Vec2, Vec3};
    use throng::{BuildOptions, Crowd, CrowdOptions, Scene};
    use throng_render::{Camera, Shot};

    const SIZE: [u32; 2] = [640, 360];

    /// If this fails, a click falls beside what it was aimed at.
    #[test]
    fn pixels_and_rays_agree() {
        let camera = Camera::looking_at(Vec3::new(3.0, -4.0, 9.0), Vec3::new(20.0, 12.0, 0.0));
        for i in 0..200_u32 {
            let pixel = Vec2::new((i * 37 % 640) as f32 + 0.5, (i * 91 % 360) as f32 + 0.5);
            let ray = Ray::through(&camera, pixel, SIZE);
            let back = pixel_of(&camera, ray.from + ray.along * 17.0, SIZE).unwrap();
            assert!(back.distance(pixel) < 0.01, "{pixel} {back}");
        }
        let behind = camera.eye - camera.axes()[0] * 5.0;
        assert_eq!(pixel_of(&camera, behind, SIZE), None);
    }

    /// If this fails, walls and gas land elsewhere in hills.
    #[test]
    fn the_ground_is_met_where_it_is_seen() {
        let options = BuildOptions { agents: Some(50), ..BuildOptions::default() };
        let world = Scene::open("froblins").unwrap().build(&options).unwrap();
        let camera = Shot::named("birds-eye").unwrap().camera(&world, &[]).unwrap();
        let mut met = 0;
        for i in 0..400_u32 {
            let pixel = Vec2::new((i * 37 % 640) as f32, (i * 91 % 360) as f32);
            let ray = Ray::through(&camera, pixel, SIZE);
            let Some(p) = pick_ground(&world, &ray) else { continue };
            met += 1;
            assert!((p.z - world.ground_height(p.truncate())).abs() < 0.05, "{p}");
            // Nothing of the ground is before it.
            let t = p.distance(ray.from);
            for k in 1..200 {
                let q = ray.from + ray.along * (t * k as f32 / 201.0);
                assert!(q.z > world.ground_height(q.truncate()) - 0.6, "{p} is hidden at {q}");
            }
        }
        assert!(met > 150, "{met}");
        let up = Ray { from: camera.eye, along: Vec3::Z };
        assert_eq!(pick_ground(&world, &up), None);
    }

    /// If this fails, somebody else than the one under the pointer is told of.
    #[test]
    fn who_is_clicked_is_picked_as_brute_force_says() {
        let world = Scene::open("bottleneck").unwrap().build(&BuildOptions::default()).unwrap();
        let crowd = Crowd::new(world, CrowdOptions::default()).unwrap();
        let mut agents = Vec::new();
        crowd.instances(&mut agents);
        let camera = Shot::named("birds-eye").unwrap().camera(crowd.world(), &agents).unwrap();
        let inside = |p: Vec3, foot: Vec3| {
            let off = p - foot;
            off.truncate().length() < super::RADIUS && (0.0..super::HEIGHT).contains(&off.z)
        };
        let (mut aimed, mut others) = (0, 0);
        for (i, agent) in agents.iter().enumerate() {
            let head = Vec3::from_array(agent.position) + Vec3::Z * 1.6;
            let Some(pixel) = pixel_of(&camera, head, SIZE) else { continue };
            let ray = Ray::through(&camera, pixel, SIZE);
            let found = pick_agent(crowd.world(), &agents, &ray).expect("somebody");
            // Small steps towards it: who is the first to be met?
            let far = head.distance(camera.eye);
            let first = (0..)
                .map(|k| ray.at(far - 8.0 + 0.002 * k as f32))
                .find_map(|p| agents.iter().position(|a| inside(p, Vec3::from_array(a.position))))
                .expect("the one that was aimed at, at last");
            assert_eq!(found, first, "aimed at {i}");
            aimed += usize::from(found == i);
            others += usize::from(found != i);
        }
        assert!(aimed > 3 * others && aimed > 50, "{aimed} of {}", aimed + others);
        // Past somebody who stands alone.
        let alone = &agents[..1];
        let chest = Vec3::from_array(alone[0].position) + Vec3::Z;
        let beside = chest + camera.axes()[1] * 0.28;
        let past = Ray { from: camera.eye, along: (beside - camera.eye).normalize() };
        assert_eq!(pick_agent(crowd.world(), alone, &past), Some(0));
        let off = chest + camera.axes()[1] * 2.0;
        let off = Ray { from: camera.eye, along: (off - camera.eye).normalize() };
        assert_eq!(pick_agent(crowd.world(), alone, &off), None);
        let sky = Ray { from: camera.eye, along: Vec3::Z };
        assert_eq!(pick_agent(crowd.world(), &agents, &sky), None);
        let straight_down = Ray { from: Vec3::new(0.0, 0.0, 10.0), along: -Vec3::Z };
        let (t, off) = nearest_to_post(&straight_down, Vec3::new(0.2, 0.0, 0.0), 1.7).unwrap();
        assert!((off - 0.2).abs() < 1e-4 && t > 7.0, "{t} {off}");
    }
}
