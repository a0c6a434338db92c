//! Colours of bodies.

use glam::Vec3;
use throng::Crowd;
use throng_crowd::Instance;
use throng_render::{CLASSES, Camera, View};

use super::{PACE, colour_at};

/// How much of a body's own colour is covered.
const COVER: u8 = 235;

/// Colours of the classes of detail, from the most to the least.
pub(crate) const CLASS_COLOURS: [[u8; 3]; CLASSES] =
    [[235, 70, 60], [245, 195, 60], [95, 190, 110], [70, 150, 235]];

/// Colours for [`culled`]: drawn, outside, hidden.
pub(crate) const CULLED_COLOURS: [[u8; 3]; 3] = [[90, 200, 110], [60, 110, 225], [235, 80, 70]];

/// Speed that has the last colour (metres per second).
pub(crate) const FASTEST: f32 = 2.0;

pub(crate) fn covering([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, COVER]
}

/// Everybody by speed.
pub(crate) fn by_speed(crowd: &Crowd) -> Vec<[u8; 4]> {
    let speed = |(x, y): (&f32, &f32)| x.hypot(*y) / FASTEST;
    let all = crowd.vx().iter().zip(crowd.vy());
    all.map(|v| covering(colour_at(&PACE, speed(v)))).collect()
}

/// Everybody by what became of them in a view: drawn, outside of it, or hidden by something. `drawn` are the
/// places of those who were drawn. Gives the colours, and how many there are of each kind.
pub(crate) fn culled(
    agents: &[Instance],
    drawn: &[u32],
    camera: &Camera,
    size: [u32; 2],
) -> (Vec<[u8; 4]>, [usize; 3]) {
    let view = View::picture(camera, size, 0.0);
    let mut kinds = vec![2_usize; agents.len()];
    for (kind, agent) in kinds.iter_mut().zip(agents) {
        let feet = Vec3::from_array(agent.position);
        let (low, high) = (feet - Vec3::new(0.8, 0.8, 0.0), feet + Vec3::new(0.8, 0.8, 2.0));
        if !view.may_see(low, high) {
            *kind = 1;
        }
    }
    for &i in drawn {
        if let Some(kind) = kinds.get_mut(i as usize) {
            *kind = 0;
        }
    }
    let mut counts = [0; 3];
    kinds.iter().for_each(|kind| counts[*kind] += 1);
    (kinds.iter().map(|kind| covering(CULLED_COLOURS[*kind])).collect(), counts)
}

#[cfg(test)]
mod tests {
    use super::{CULLED_COLOURS, covering, culled};
    use glam::Vec3;
    use throng_crowd::Instance;
    use throng_render::Camera;

    /// If this fails, "why culled" gives a wrong reason.
    #[test]
    fn reasons_are_told_apart() {
        let camera = Camera::looking_at(Vec3::new(0.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 1.0));
        let at = |x, y| Instance { position: [x, y, 0.0], ..Instance::default() };
        let agents = [at(10.0, 0.0), at(-10.0, 0.0), at(15.0, 0.5), at(10.0, 60.0)];
        let (colours, counts) = culled(&agents, &[0], &camera, [640, 360]);
        let expected = [0, 1, 2, 1].map(|kind: usize| covering(CULLED_COLOURS[kind]));
        assert_eq!(colours, expected);
        assert_eq!(counts, [1, 2, 1]);
    }
}
