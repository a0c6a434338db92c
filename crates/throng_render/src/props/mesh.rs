//! Meshes of props, and where they stand.

use glam::Vec3;

use crate::RenderError;

/// What a surface is like, beside its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Surface {
    /// Rough.
    Plain = 0,
    /// The wall of a house: storeys with windows.
    Facade = 1,
    /// Leaves: sway, and let light through.
    Foliage = 2,
    /// Shines by itself.
    Glowing = 3,
    /// Stone: rough at every scale.
    Stone = 4,
    /// A flat roof or the top of a wall.
    Roof = 5,
}

/// Triangles with colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// What it is.
    pub name: String,
    /// Vertices (metres), z up, standing at 0.
    pub positions: Vec<Vec3>,
    /// Normals, one to a vertex.
    pub normals: Vec<Vec3>,
    /// Colours as sRGB bytes, one to a vertex; the fourth byte is a [`Surface`].
    pub colours: Vec<[u8; 4]>,
    /// Triangles, three each.
    pub indices: Vec<u32>,
}

/// A place of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct PropInstance {
    /// Where it stands (metres).
    pub position: Vec3,
    /// Factor on its size.
    pub scale: f32,
    /// Factor on its colours.
    pub tint: Vec3,
    /// Turned by so much about the vertical (radians).
    pub yaw: f32,
}

impl PropInstance {
    /// As the mesh is, at a place.
    #[must_use]
    pub fn at(position: Vec3) -> Self {
        Self { position, scale: 1.0, tint: Vec3::ONE, yaw: 0.0 }
    }
}

impl Mesh {
    /// An empty mesh.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a vertex; gives its number.
    pub fn vertex(
        &mut self,
        position: Vec3,
        normal: Vec3,
        colour: [u8; 3],
        surface: Surface,
    ) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.colours.push([colour[0], colour[1], colour[2], surface as u8]);
        self.positions.len() as u32 - 1
    }

    /// Adds four vertices and two triangles, corners in a row around.
    pub fn quad(&mut self, corners: [Vec3; 4], normal: Vec3, colour: [u8; 3], surface: Surface) {
        let [a, b, c, d] = corners.map(|p| self.vertex(p, normal, colour, surface));
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// That its parts fit together.
    ///
    /// # Errors
    /// Arrays of different length, indices without a vertex, numbers that are none.
    pub fn check(&self) -> Result<(), RenderError> {
        let failed = |what: String| Err(RenderError::Mesh { mesh: self.name.clone(), what });
        let n = self.positions.len();
        if self.normals.len() != n || self.colours.len() != n {
            let (normals, colours) = (self.normals.len(), self.colours.len());
            return failed(format!("{n} positions, {normals} normals, {colours} colours"));
        }
        if !self.indices.len().is_multiple_of(3) {
            return failed(format!("{} indices are no triangles", self.indices.len()));
        }
        if let Some(i) = self.indices.iter().find(|&&i| i as usize >= n) {
            return failed(format!("index {i} of {n} vertices"));
        }
        if let Some(p) = self.positions.iter().chain(&self.normals).find(|p| !p.is_finite()) {
            return failed(format!("{p} is no place"));
        }
        Ok(())
    }
}
