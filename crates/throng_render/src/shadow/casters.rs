//! Which classes of detail a split has to draw: whoever is large in the picture is near, and casts no shadow far
//! away.

use glam::Vec3;

use super::SPLITS;
use crate::View;
use crate::cull::CLASSES;

/// Shadows of people are no longer than this (metres), whatever the sun: lower it hardly lights anything.
const LONGEST: f32 = 60.0;

/// What decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Casters {
    /// Where each split begins, along the axis of the camera.
    begins: [f32; SPLITS],
    /// Pixels to a unit at distance 1.
    pixels: f32,
    /// Pixels at which classes begin; none: everybody is in the first.
    classes: Option<[f32; CLASSES - 1]>,
    /// Metres of shadow to a metre of height.
    slope: f32,
}

impl Casters {
    /// For a picture, its splits and the pixels at which classes begin.
    pub(crate) fn new(
        picture: &View,
        ends: [f32; SPLITS],
        to_sun: Vec3,
        classes: Option<[f32; CLASSES - 1]>,
    ) -> Self {
        let begins = std::array::from_fn(|i| if i == 0 { 0.0 } else { ends[i - 1] });
        let pixels = picture.height / (2.0 * picture.up.length());
        let slope = to_sun.truncate().length() / to_sun.z.max(1e-3);
        Self { begins, pixels, classes, slope }
    }

    /// Whether somebody of a class may cast a shadow into a split, where the tallest is so tall. Splits give way to
    /// the next over some of their length, which is on the safe side.
    pub(crate) fn may_cast(&self, split: usize, class: usize, tallest: f32) -> bool {
        let least = self.classes.and_then(|classes| classes.get(class).copied());
        let Some(least) = least else { return true };
        let farthest = tallest * self.pixels / least;
        let shadow = (tallest * self.slope).min(LONGEST) + tallest;
        farthest + shadow >= self.begins[split] * (1.0 - super::BLEND)
    }
}

#[cfg(test)]
mod tests {
    use super::Casters;
    use crate::cull::CLASSES;
    use crate::{Camera, View};
    use glam::{Vec2, Vec3};

    /// If this fails, somebody has no shadow.
    #[test]
    fn whoever_casts_into_a_split_is_drawn_there() {
        let camera = Camera { eye: Vec3::new(0.0, 0.0, 2.0), ..Camera::default() };
        let picture = View::picture(&camera, [1280, 720], 0.0);
        let pixels = picture.height / (2.0 * picture.up.length());
        let (ends, classes, tallest) = ([6.0, 25.0, 100.0, 420.0], [110.0, 52.0, 24.0], 1.9);
        let mut skipped = 0;
        for sun in [Vec3::new(0.5, 0.3, 0.6), Vec3::new(-0.9, 0.2, 0.12), Vec3::Z] {
            let sun = sun.normalize();
            let casters = Casters::new(&picture, ends, sun, Some(classes));
            for i in 0..20_000_u32 {
                let angle = (i as f32 * 0.618_034).fract() * std::f32::consts::TAU;
                let away = 420.0 * (i as f32 / 20_000.0).powi(2);
                let foot = (Vec2::from_angle(angle) * away).extend(0.0);
                let middle = foot + Vec3::Z * tallest * 0.5;
                let size = tallest / middle.distance(camera.eye) * pixels;
                let class = classes.iter().filter(|least| size < **least).count();
                let tip = foot - (sun.truncate() * (tallest / sun.z)).extend(0.0);
                for p in [foot, tip, (foot + tip) * 0.5] {
                    let depth = (p - camera.eye).dot(picture.forward);
                    let Some(split) = ends.iter().position(|end| depth < *end) else { continue };
                    assert!(casters.may_cast(split, class, tallest), "{class} in {split}: {p}");
                }
            }
            let all = (0..4).flat_map(|s| (0..CLASSES).map(move |c| (s, c)));
            skipped += all.filter(|(s, c)| !casters.may_cast(*s, *c, tallest)).count();
            let off = Casters { classes: None, ..casters };
            assert!((0..4).all(|split| off.may_cast(split, 0, tallest)));
        }
        assert!(skipped >= 9, "{skipped}");
    }
}
