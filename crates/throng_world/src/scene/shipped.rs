//! The scenes that ship with the library.

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        const SCENES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../scenes/", $name, ".toml")))),*];
    };
}

scenes![
    "froblins",
    "corridor",
    "two-way",
    "bottleneck",
    "crossing",
    "circle",
    "square",
    "stadium",
    "city",
    "meadow",
];

/// Names of the scenes that ship.
pub fn scene_names() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|(name, _)| *name)
}

/// The text of one of them.
pub(super) fn text(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
