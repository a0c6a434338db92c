//! Scenes of tests: TOML with placeholders, and the same place turned, shifted or resolved finer.

mod place;

pub use place::Placement;

use crate::ValidateError;
use throng_world::Scene;
use throng_world::scene::SceneData;

/// A scene file that is part of this library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneFile {
    /// Its name, without the ending.
    pub name: &'static str,
    /// Its text, with `$name` where a test fills something in.
    pub text: &'static str,
}

/// A scene file of this crate by its name.
#[macro_export]
#[doc(hidden)]
macro_rules! scene_file {
    ($name:literal) => {
        $crate::scene::SceneFile {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/", $name, ".toml")),
        }
    };
}

impl SceneFile {
    /// The scene with all placeholders filled in. Longer names are filled in first, so that `$width`
    /// is not taken for the beginning of `$width2`.
    ///
    /// `params` are further lines of TOML, for parameters of stages that are not to be the defaults.
    ///
    /// # Errors
    /// When a placeholder is left, and all problems of the scene.
    pub fn fill(
        &self,
        values: &[(&'static str, String)],
        params: &str,
    ) -> Result<SceneData, ValidateError> {
        let mut values: Vec<_> = values.iter().collect();
        values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut text = String::with_capacity(self.text.len());
        for line in self.text.lines() {
            // Comments tell what placeholders are, and keep them.
            let (code, comment) = line.split_once('#').unwrap_or((line, ""));
            let quoted = code.matches('"').count() % 2 == 1;
            let mut code = if quoted { line.to_string() } else { code.to_string() };
            for (name, value) in &values {
                code = code.replace(&format!("${name}"), value);
            }
            if let Some(at) = code.find('$') {
                let end = code[at + 1..].find(|c: char| !c.is_alphanumeric() && c != '_');
                let end = end.map_or(code.len(), |n| at + 1 + n);
                let placeholder = code[at..end].to_string();
                return Err(ValidateError::Placeholder { scene: self.name, placeholder });
            }
            text.push_str(&code);
            if !quoted && !comment.is_empty() {
                text.push('#');
                text.push_str(comment);
            }
            text.push('\n');
        }
        text.push_str(params);
        let scene = Scene::parse(&text, &format!("{}.toml", self.name))
            .map_err(|errors| ValidateError::Scene { scene: self.name, errors })?;
        Ok(scene.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: SceneFile = SceneFile {
        name: "room",
        text: r#"
            version = 1
            title = "room $width wide" # not "quoted" and $open
            ground = { kind = "flat", size = [$width, $width2] } # $open stays open here
            goal = [{ name = "out", exit = true, rect = [0, 0, 1, 1] }]
            group = [{ name = "people", goal = "out" }]
            spawn = [{ group = "people", count = 1, rect = [2, 2, 9, 9] }]
        "#,
    };

    #[test]
    fn placeholders_are_filled_in_by_their_whole_name() {
        let values = [("width", "10".to_string()), ("width2", "20".to_string())];
        let data = ROOM.fill(&values, "").expect("it is a scene");
        assert_eq!(data.title, "room 10 wide");
        let throng_world::scene::data::GroundData::Flat { size, .. } = data.ground else {
            panic!("flat")
        };
        assert_eq!(size, Some([10.0, 20.0]));
    }

    #[test]
    fn an_open_placeholder_is_an_error_that_names_it() {
        let error = ROOM.fill(&[("width2", "1".to_string())], "").expect_err("width is open");
        assert!(error.to_string().contains("`$width`"), "{error}");
    }
}
