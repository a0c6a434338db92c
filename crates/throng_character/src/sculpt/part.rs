//! A part of a sculpture: a shape with a place, a paint and a bone.

use glam::{Quat, Vec3};

use super::Paint;
use super::shape::{Shape, upright_to};

/// A shape somewhere, added to or carved out of its group.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What it is.
    pub shape: Shape,
    /// Where it is.
    pub at: Vec3,
    /// How it is turned about there.
    pub turn: Quat,
    /// How much it is bent upwards towards both sides: z rises by this times y squared.
    pub bend: f32,
    /// There is another one on the right side.
    pub mirrored: bool,
    /// Taken away instead of added.
    pub carve: bool,
    /// Width over which it melts with what was there before.
    pub melt: f32,
    /// What it is painted with.
    pub paint: Paint,
    /// The bone that it follows, left and right of the middle.
    pub bones: [u16; 2],
}

impl Part {
    /// A part in the middle.
    #[must_use]
    pub fn new(shape: Shape, at: Vec3, paint: Paint, bone: u16) -> Self {
        let turn = Quat::IDENTITY;
        let (bones, melt) = ([bone, bone], 0.03);
        Self { shape, at, turn, bend: 0.0, mirrored: false, carve: false, melt, paint, bones }
    }

    /// An ellipsoid.
    #[must_use]
    pub fn ball(at: [f32; 3], radii: [f32; 3], paint: Paint, bone: u16) -> Self {
        Self::new(Shape::Ellipsoid(radii.into()), at.into(), paint, bone)
    }

    /// A limb between two points.
    #[must_use]
    pub fn limb(from: [f32; 3], to: [f32; 3], radii: [f32; 2], paint: Paint, bone: u16) -> Self {
        let (from, to) = (Vec3::from(from), Vec3::from(to));
        let [from_radius, to_radius] = radii;
        Self::new(Shape::Limb { to: to - from, from_radius, to_radius }, from, paint, bone)
    }

    /// On both sides, following two bones.
    #[must_use]
    pub fn both(mut self, left: u16, right: u16) -> Self {
        self.mirrored = true;
        self.bones = [left, right];
        self
    }

    /// With another width of melting.
    #[must_use]
    pub fn melting(mut self, width: f32) -> Self {
        self.melt = width;
        self
    }

    /// Taken away.
    #[must_use]
    pub fn carved(mut self) -> Self {
        self.carve = true;
        self
    }

    /// Bent up towards the sides.
    #[must_use]
    pub fn bent(mut self, bend: f32) -> Self {
        self.bend = bend;
        self
    }

    /// Turned by angles about x, y and z, in degrees.
    #[must_use]
    pub fn turned(mut self, x: f32, y: f32, z: f32) -> Self {
        let [x, y, z] = [x, y, z].map(f32::to_radians);
        self.turn = Quat::from_euler(glam::EulerRot::ZYX, z, y, x);
        self
    }

    /// Turned so that its z points along a direction.
    #[must_use]
    pub fn pointing(mut self, direction: [f32; 3]) -> Self {
        self.turn = upright_to(direction.into());
        self
    }

    /// Distance of a point.
    #[must_use]
    pub fn distance(&self, p: Vec3) -> f32 {
        self.shape.distance(self.local(p))
    }

    /// A point as the shape sees it.
    #[must_use]
    pub fn local(&self, mut p: Vec3) -> Vec3 {
        if self.mirrored {
            p.y = p.y.abs();
        }
        p.z -= self.bend * p.y * p.y;
        self.turn.conjugate() * (p - self.at)
    }

    /// A box around it, were it not mirrored.
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        if let Shape::Limb { to, from_radius, to_radius } = self.shape {
            let end = self.at + self.turn * to;
            let (a, b) = (Vec3::splat(from_radius), Vec3::splat(to_radius));
            return [(self.at - a).min(end - b), (self.at + a).max(end + b)];
        }
        let reach = Vec3::splat(self.shape.reach());
        [self.at - reach, self.at + reach]
    }

    /// No more than the distance, cheaply.
    pub(super) fn lower_bound(&self, p: Vec3) -> f32 {
        let y = if self.mirrored { p.y.abs() } else { p.y };
        let lift = (self.bend * y * y).abs();
        Vec3::new(p.x, y, p.z).distance(self.at) - self.shape.reach() - lift
    }

    /// Over which width its paint fades into the next.
    pub(super) fn paint_width(&self) -> f32 {
        self.paint.edge()
    }
}
