//! The place as the crowd meets it: everything a scene says, checked and turned into grids,
//! shapes and tables.
//!
//! A [`World`] is plain data. It is built from a scene file or by hand from
//! [`World::open`]; the crowd reads it and keeps its own copy of what changes while it runs.
//!
//! Lengths are metres, times seconds, speeds metres per second; x grows to the right, y upwards.

mod behaviour;
mod boundary;
mod clearance;
mod door_side;
mod edit;
mod goal;
mod group;
mod hazard;
mod passage;
mod shape;
mod spawn;

pub use behaviour::{Action, Condition, Rule, Seek};
pub use edit::{EditError, EditedArea};
pub use goal::{Goal, Place};
pub use group::{Body, Casting, Distribution, FieldWeights, Group};
pub use hazard::MovingHazard;
pub use passage::{Door, Lift, Opening, dose_rate};
pub use shape::{Polygon, Rect, Shape};
pub use spawn::{Amount, Layout, MOST_IN_PARTY, Party, Spawn, Targets};

use glam::Vec2;
use throng_field::{Grid, GridError};

use crate::grass::Grass;
use crate::params::Params;

/// Walls farther away than this are all the same to [`World::clearance`] (metres).
pub const CLEARANCE_CAP: f32 = 8.0;

/// A place with its people to come: what a scene file is turned into.
#[derive(Clone, Debug)]
pub struct World {
    /// Short name, as in `throng run NAME`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Seed of every random choice, unless the run gives another.
    pub seed: u64,
    /// Step length, unless the run gives another (seconds).
    pub dt: f32,
    /// How long the scene is meant to run (seconds).
    pub seconds: f32,
    /// Height of the ground at the centres of the navigation cells; `None` where it is flat.
    pub heights: Option<Grid<f32>>,
    /// Static cost of the bare ground, without walls: slopes, zones, cells that are no ground at
    /// all. Kept so that walls can be taken down again.
    pub ground: Grid<f32>,
    /// Whether the edge of the world is no wall.
    pub open_edge: bool,
    /// Static cost of walking through each navigation cell, a time per metre relative to open
    /// ground; infinite where nobody can walk. Its frame is the frame of all fields.
    pub terrain: Grid<f32>,
    /// Factor on walking speed (stairs, mud, speed zones); `None` means 1. This, stairs and dose have cells of their own,
    /// the same for all three: navigation cells, or those divided into whole parts.
    pub speed: Option<Grid<f32>>,
    /// Which way stairs lead up (as a unit vector; 0: no stairs); `None` where there are none.
    pub stairs: Option<Grid<Vec2>>,
    /// Dose of poison per second; `None` where the air is good everywhere.
    pub dose: Option<Grid<f32>>,
    /// Doors that let only so many through.
    pub doors: Vec<Door>,
    /// Lifts.
    pub lifts: Vec<Lift>,
    /// Places of goals that are not always open.
    pub openings: Vec<Opening>,
    /// Signed distance to the nearest wall (negative inside), at cell centres of its own, finer
    /// frame, clamped to ±[`CLEARANCE_CAP`]. To be sampled bilinearly.
    pub clearance: Grid<f32>,
    /// Solid obstacles.
    pub walls: Vec<Polygon>,
    /// Where people may walk at all; empty: everywhere in the bounds.
    pub walkable: Vec<Polygon>,
    /// Kinds of goal. Each has a potential field of its own.
    pub goals: Vec<Goal>,
    /// Kinds of people.
    pub groups: Vec<Group>,
    /// What people do.
    pub actions: Vec<Action>,
    /// When they do something else. The first rule that fits wins.
    pub rules: Vec<Rule>,
    /// Things that can be carried, by name; [`Action::carries`] counts from 1.
    pub items: Vec<String>,
    /// Where people come from.
    pub spawns: Vec<Spawn>,
    /// What people are afraid of.
    pub hazards: Vec<MovingHazard>,
    /// What grows there; `None` where nothing does.
    pub grass: Option<Grass>,
    /// Parameters of the stages of the step.
    pub params: Params,
}

impl World {
    /// An open, flat place of `cells.0` × `cells.1` navigation cells without walls, goals or people.
    ///
    /// # Errors
    /// When the grid cannot be that large or `cell` is not a positive length.
    pub fn open(cells: (usize, usize), cell: f32, origin: Vec2) -> Result<Self, GridError> {
        let terrain = Grid::filled(cells.0, cells.1, crate::FREE)?.placed(cell, origin)?;
        let clearance = Grid::filled(cells.0, cells.1, CLEARANCE_CAP)?.placed(cell, origin)?;
        Ok(Self {
            name: "open".into(),
            title: "An open place".into(),
            seed: 1,
            dt: 0.05,
            seconds: 60.0,
            heights: None,
            ground: terrain.clone(),
            open_edge: true,
            terrain,
            speed: None,
            stairs: None,
            dose: None,
            doors: Vec::new(),
            lifts: Vec::new(),
            openings: Vec::new(),
            clearance,
            walls: Vec::new(),
            walkable: Vec::new(),
            goals: Vec::new(),
            groups: Vec::new(),
            actions: Vec::new(),
            rules: Vec::new(),
            items: Vec::new(),
            spawns: Vec::new(),
            hazards: Vec::new(),
            grass: None,
            params: Params::default(),
        })
    }

    /// The rectangle that holds everything.
    pub fn bounds(&self) -> Rect {
        let min = self.terrain.origin();
        Rect { min, max: min + self.terrain.extent() }
    }
}
