//! Why a file is not taken.

/// A file that gave no character.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It cannot be read at all.
    #[error("{file}: {source}")]
    Read {
        /// Which.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It was read, and is refused.
    #[error("{file}: {reason}")]
    Refused {
        /// Which.
        file: String,
        /// Why.
        reason: Refusal,
    },
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its outer form is not glTF 2.0.
    #[error("no readable glTF 2.0 file: {0}")]
    Format(String),
    /// A buffer is missing or shorter than the file says.
    #[error("buffer {index}: {what}")]
    Buffer {
        /// Which.
        index: usize,
        /// What.
        what: String,
    },
    /// An accessor that reaches beyond its buffer or has the wrong form.
    #[error("accessor {index}: {what}")]
    Accessor {
        /// Which.
        index: usize,
        /// What.
        what: String,
    },
    /// A picture that cannot be decoded.
    #[error("image {index}: {what}")]
    Image {
        /// Which.
        index: usize,
        /// What.
        what: String,
    },
    /// Nodes that hang on themselves.
    #[error("the skeleton goes in a circle: node {node} is below itself")]
    Cycle {
        /// One of them.
        node: usize,
    },
    /// A node with two parents.
    #[error("node {node} hangs on two others: {parents:?}")]
    TwoParents {
        /// Which.
        node: usize,
        /// On what.
        parents: [usize; 2],
    },
    /// Nothing to see.
    #[error("there is no mesh of triangles in it")]
    NoMesh,
    /// No mesh follows a skin.
    #[error("no mesh follows a skin: it is a thing, not a character")]
    NoSkin,
    /// A skin without joints.
    #[error("skin {skin} has no bones")]
    NoBones {
        /// Which.
        skin: usize,
    },
    /// Too many joints.
    #[error("{found} bones; no more than {most} can be animated", most = super::MOST_JOINTS)]
    TooManyBones {
        /// How many.
        found: usize,
    },
    /// A vertex that cannot follow.
    #[error("mesh {mesh}, vertex {vertex}: {what}")]
    Vertex {
        /// Which mesh.
        mesh: usize,
        /// Which vertex of its primitive.
        vertex: usize,
        /// What.
        what: String,
    },
    /// Lists that should be equally long and are not.
    #[error("mesh {mesh}: {what} has {found} entries for {wanted} vertices")]
    Count {
        /// Which mesh.
        mesh: usize,
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The right one.
        wanted: usize,
    },
    /// An animation that cannot be played.
    #[error("animation {index}: {what}")]
    Animation {
        /// Which.
        index: usize,
        /// What.
        what: String,
    },
    /// All of it lies in one plane or point.
    #[error("it has no height")]
    NoHeight,
}
