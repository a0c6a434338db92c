//! What the commands share: maps by file or name, cells on the command line, outputs by ending.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use throng_field::{Cell, Grid};

/// A map and what to call it.
pub(crate) struct Map {
    pub(crate) name: String,
    pub(crate) cost: Grid<f32>,
}

impl Map {
    /// Reads a file, or makes one of the built-in maps where there is no file of that name.
    pub(crate) fn load(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if !path.exists()
            && let Some(cost) = throng_world::builtin(&name)
        {
            return Ok(Self { name, cost });
        }
        if !path.exists() && path.components().count() == 1 && path.extension().is_none() {
            let names = throng_world::builtin_names().join(", ");
            return Err(Failure::Usage(format!(
                "{name}: no such file, and no built-in map of that name (there are {names})"
            )));
        }
        let cost = throng_world::load_cost(path)?;
        let name = path.file_name().map_or(name, |file| file.to_string_lossy().into_owned());
        Ok(Self { name, cost })
    }

    /// "512 x 384 cells"
    pub(crate) fn size(&self) -> String {
        format!("{} x {} cells", self.cost.width(), self.cost.height())
    }

    /// What the potential of this map measures.
    pub(crate) fn potential_label(&self) -> &'static str {
        let uniform = self.cost.as_slice().iter().all(|&c| c == 1.0 || c.is_infinite());
        if uniform { "distance to goal (cells)" } else { "cost of the way to the goal" }
    }

    /// A cell of this map, or an error that names the flag.
    pub(crate) fn check_cell(&self, flag: &str, cell: Cell) -> Result<(), Failure> {
        match self.cost.get(cell) {
            None => Err(Failure::Usage(format!(
                "{}: {flag} {cell} is outside the map of {}; cells are counted from 0,0 in the top left corner",
                self.name,
                self.size()
            ))),
            Some(c) if c.is_infinite() => Err(Failure::Usage(format!(
                "{}: {flag} {cell} is in a blocked cell; choose a free one",
                self.name
            ))),
            Some(_) => Ok(()),
        }
    }
}

/// A cell as `X,Y`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellArg(pub(crate) Cell);

impl FromStr for CellArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let cell = text
            .split_once(',')
            .and_then(|(x, y)| Some(Cell::new(x.trim().parse().ok()?, y.trim().parse().ok()?)));
        cell.map(Self)
            .ok_or_else(|| "a cell is written column,row, both whole numbers from 0: 12,34".into())
    }
}

/// An output file and what its ending asks for.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Png,
    Npy,
    Csv,
    Json,
}

impl Output {
    /// The output, if its ending is one of those a command can write.
    pub(crate) fn new(path: &Path, known: &[(&str, Kind)]) -> Result<Self, Failure> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let kind = known.iter().find(|(name, _)| ending.as_deref() == Some(name));
        match kind {
            Some(&(_, kind)) => Ok(Self { path: path.to_owned(), kind }),
            None => {
                let names: Vec<_> = known.iter().map(|(name, _)| format!(".{name}")).collect();
                Err(Failure::Usage(format!(
                    "{}: cannot tell what to write; end the name in {}",
                    path.display(),
                    names.join(" or ")
                )))
            }
        }
    }
}
