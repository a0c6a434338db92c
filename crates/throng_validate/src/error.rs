//! Why a test could not be carried out.

use throng_crowd::CrowdError;
use throng_world::SceneErrors;

/// Why a test could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// A scene of ours is not accepted: it asks for what the engine cannot do, or it is faulty.
    #[error("scene {scene}: {errors}")]
    Scene {
        /// The scene's file.
        scene: &'static str,
        /// Its problems.
        errors: SceneErrors,
    },
    /// A scene has a placeholder that nobody filled in.
    #[error("scene {scene}: `{placeholder}` was not given a value")]
    Placeholder {
        /// The scene's file.
        scene: &'static str,
        /// What is left open.
        placeholder: String,
    },
    /// People could not be put down where the test wants them.
    #[error("scene {scene}, seed {seed}: {count} people found no room")]
    NoRoom {
        /// The scene's file.
        scene: &'static str,
        /// The seed.
        seed: u64,
        /// How many.
        count: u64,
    },
    /// The crowd could not be made or stepped.
    #[error("{0}")]
    Crowd(#[from] CrowdError),
    /// The same, through the library's front door.
    #[error("{0}")]
    Simulation(#[from] throng::Error),
    /// Worker threads could not be started.
    #[error("threads: {0}")]
    Threads(String),
    /// There is no such test or suite.
    #[error("there is no test or suite `{name}`; `throng validate --list` names all{}", hint(.near))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        near: Option<&'static str>,
    },
    /// A recording is not there.
    #[error(
        "no recordings in {folder}: name the folder that holds `trajectories` in THRONG_DATA ({cause})"
    )]
    NoData {
        /// Where they were looked for.
        folder: String,
        /// What the system says.
        cause: String,
    },
    /// A recording cannot be read.
    #[error("{file}: {cause}")]
    Recording {
        /// The file.
        file: String,
        /// Why not.
        cause: String,
    },
    /// The report cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file or folder.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
}

fn hint(near: &Option<&'static str>) -> String {
    near.map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}
