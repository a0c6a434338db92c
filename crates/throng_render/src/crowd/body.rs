//! Meshes of bodies.

use glam::Vec3;
use throng_gpu::{Buffer, GpuError, Pool};

use crate::RenderError;
use crate::cull::CLASSES;

/// What moves together. Limbs swing about their joints as the body walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// Does not swing.
    Trunk = 0,
    /// Swings about the hip and bends at the knee.
    LeftLeg = 1,
    /// As the left one, half a stride later.
    RightLeg = 2,
    /// Swings against the leg of its side.
    LeftArm = 3,
    /// As the left one.
    RightArm = 4,
    /// What is carried before the chest; not there when nothing is.
    Load = 5,
    /// Nods.
    Head = 6,
}

/// Which colour a vertex has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Paint {
    /// Of the group.
    Cloth = 0,
    /// Own to everybody, from a range.
    Skin = 1,
    /// As skin.
    Trousers = 2,
    /// As skin.
    Hair = 3,
    /// Dark.
    Shoes = 4,
    /// Of what is carried.
    Load = 5,
}

/// A vertex of a body that is 1 high, stands at 0 and looks along x.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BodyVertex {
    /// Where it is.
    pub position: [f32; 3],
    /// Normal, -127 to 127.
    pub normal: [i8; 4],
    /// [`Part`], [`Paint`], how open to the sky it is (255: wholly), and the class of detail, which is set
    /// when the mesh is taken over.
    pub kind: [u8; 4],
}

impl BodyVertex {
    /// A vertex.
    #[must_use]
    pub fn new(position: Vec3, normal: Vec3, part: Part, paint: Paint) -> Self {
        let n = (normal.normalize_or(Vec3::Z) * 127.0).round();
        // Nearer to the ground, and between legs and arms, there is less sky.
        let open = (0.35 + 0.65 * (position.z * 1.25).min(1.0)) * 255.0;
        Self {
            position: position.to_array(),
            normal: [n.x as i8, n.y as i8, n.z as i8, 0],
            kind: [part as u8, paint as u8, open as u8, 0],
        }
    }

    pub(crate) fn layout() -> wgpu::VertexBufferLayout<'static> {
        const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Uint8x4];
        wgpu::VertexBufferLayout {
            array_stride: size_of::<Self>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &ATTRIBUTES,
        }
    }
}

/// The mesh of one class of detail.
#[derive(Clone, Debug, Default)]
pub struct BodyMesh {
    /// Vertices.
    pub vertices: Vec<BodyVertex>,
    /// Triangles, three each, anticlockwise from outside.
    pub indices: Vec<u32>,
}

/// Meshes of all classes: near, middle, far, speck.
#[derive(Clone, Debug)]
pub struct BodyMeshes(pub [BodyMesh; CLASSES]);

impl BodyMeshes {
    /// People of simple shapes: trunk, head with a nose, arms and legs.
    #[must_use]
    pub fn stand_ins() -> Self {
        super::stand_in::meshes()
    }

    /// That every triangle has its vertices.
    ///
    /// # Errors
    /// One that has not, or an empty mesh.
    pub fn check(&self) -> Result<(), RenderError> {
        for (name, mesh) in ["near", "middle", "far", "speck"].into_iter().zip(&self.0) {
            let failed = |what: String| Err(RenderError::Mesh { mesh: name.to_owned(), what });
            if mesh.indices.is_empty() || !mesh.indices.len().is_multiple_of(3) {
                return failed(format!("{} indices are no triangles", mesh.indices.len()));
            }
            if let Some(i) = mesh.indices.iter().find(|&&i| i as usize >= mesh.vertices.len()) {
                let vertices = mesh.vertices.len();
                return failed(format!("index {i} of {vertices} vertices"));
            }
        }
        Ok(())
    }

    /// Triangles per class.
    #[must_use]
    pub fn triangles(&self) -> [u32; CLASSES] {
        self.0.each_ref().map(|mesh| mesh.indices.len() as u32 / 3)
    }
}

/// The meshes on the GPU.
#[derive(Debug)]
pub(crate) struct BodyBuffers {
    /// Vertices and indices per class.
    pub(crate) classes: Vec<(Buffer, Buffer)>,
    pub(crate) indices: [u32; CLASSES],
}

impl BodyBuffers {
    pub(crate) fn new(pool: &Pool, meshes: &BodyMeshes) -> Result<Self, GpuError> {
        let copy = wgpu::BufferUsages::COPY_DST;
        let classes = (0..).zip(&meshes.0).map(|(class, mesh)| {
            let of_class = |v: &BodyVertex| {
                let [part, paint, open, _] = v.kind;
                BodyVertex { kind: [part, paint, open, class], ..*v }
            };
            let all: Vec<_> = mesh.vertices.iter().map(of_class).collect();
            let bytes = size_of_val(all.as_slice()) as u64;
            let vertices =
                pool.buffer("body vertices", bytes, wgpu::BufferUsages::VERTEX | copy)?;
            pool.gpu().write(&vertices, 0, &all);
            let bytes = size_of_val(mesh.indices.as_slice()) as u64;
            let indices = pool.buffer("body indices", bytes, wgpu::BufferUsages::INDEX | copy)?;
            pool.gpu().write(&indices, 0, &mesh.indices);
            Ok((vertices, indices))
        });
        let indices = meshes.0.each_ref().map(|mesh| mesh.indices.len() as u32);
        Ok(Self { classes: classes.collect::<Result<_, GpuError>>()?, indices })
    }
}
