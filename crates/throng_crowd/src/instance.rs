//! The one record that crosses from crowd to renderer.

/// An agent as it is drawn: 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Instance {
    /// Position of the feet: x, y and height of the ground (metres).
    pub position: [f32; 3],
    /// Group in the low 8 bits, the agent's number modulo 2^24 above.
    pub group: u32,
    /// Heading, a unit vector.
    pub direction: [f32; 2],
    /// Action in the low 8 bits, what it carries in the next 8.
    pub action: u32,
    /// Time since the action began (seconds).
    pub clip_time: f32,
}
