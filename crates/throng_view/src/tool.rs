//! What a click on the ground means: tools, and the commands they make.

use glam::Vec2;
use throng::Crowd;
use throng::command::{Command, HazardSpec, PlaceSpec, ShapeSpec};
use throng_world::world::{Polygon, Shape};

/// What a click means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Tells of whoever is clicked.
    Look,
    /// Drops a cloud of gas.
    Gas,
    /// Drops a ghost.
    Ghost,
    /// Moves the nearest place of a goal here; with shift adds one.
    Goal(u16),
    /// Builds a wall from where the button is pressed to where it is let go.
    Wall,
    /// Puts a person of a group here.
    Person(u8),
    /// Drags a hazard.
    Move,
    /// Takes away the nearest hazard, or the wall here.
    Erase,
}

/// How far a click may be from what it means (metres), at least.
const REACH: f32 = 2.5;
/// Thickness of walls, and their length where no line was drawn (metres).
const THICKNESS: f32 = 0.5;
const LENGTH: f32 = 4.0;

impl Tool {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Gas => "gas",
            Self::Ghost => "ghost",
            Self::Goal(_) => "goal",
            Self::Wall => "wall",
            Self::Person(_) => "person",
            Self::Move => "move",
            Self::Erase => "erase",
        }
    }

    /// Whether a line is drawn with the button held.
    #[must_use]
    pub fn draws_line(self) -> bool {
        matches!(self, Self::Wall | Self::Move)
    }

    /// What is to be done when the button was pressed at one place of the ground and let go at another. `Err`
    /// says why there is nothing to do.
    pub fn command(
        self,
        crowd: &Crowd,
        from: Vec2,
        to: Vec2,
        shift: bool,
    ) -> Result<Command, &'static str> {
        match self {
            Self::Look => Err("nobody is there"),
            Self::Gas => Ok(Command::PlaceHazard { hazard: gas(crowd, to) }),
            Self::Ghost => Ok(Command::PlaceHazard { hazard: ghost(crowd, to) }),
            Self::Goal(goal) => set_goal(crowd, goal, to, shift),
            Self::Wall => Ok(Command::add_wall(&wall(from, to))),
            Self::Person(group) => {
                Ok(Command::Spawn { group: group.into(), at: to.into(), target: None })
            }
            Self::Move => {
                let hazard = nearest_hazard(crowd, from).ok_or("no hazard is there")?;
                Ok(Command::MoveHazard { hazard, to: to.into() })
            }
            Self::Erase => match (nearest_hazard(crowd, to), wall_at(crowd, to)) {
                (Some(hazard), _) => Ok(Command::RemoveHazard { hazard }),
                (None, Some(wall)) => Ok(Command::RemoveWall { wall }),
                (None, None) => Err("no hazard and no wall is there"),
            },
        }
    }
}

/// A cloud like those of the scene, or one of usual size.
fn gas(crowd: &Crowd, at: Vec2) -> HazardSpec {
    let like = crowd.world().hazards.iter().find(|h| h.path.len() == 1 && !is_ghost(&h.name));
    HazardSpec {
        name: "gas".into(),
        color: like.map_or([122, 176, 40], |h| h.color),
        path: vec![at.into()],
        speed: 0.0,
        closed: false,
        radius: like.map_or(5.0, |h| h.radius),
        strength: like.map_or(12.0, |h| h.strength),
        fear_radius: like.map_or(6.0, |h| h.fear_radius),
        from: None,
        until: None,
    }
}

/// A ghost that walks around where it was dropped.
fn ghost(crowd: &Crowd, at: Vec2) -> HazardSpec {
    let like = crowd.world().hazards.iter().find(|h| h.path.len() > 1 || is_ghost(&h.name));
    let round = 6.0;
    let corner = |i: u8| at + Vec2::from_angle(f32::from(i) * std::f32::consts::TAU / 8.0) * round;
    HazardSpec {
        name: "ghost".into(),
        color: like.map_or([190, 215, 235], |h| h.color),
        path: (0..8).map(|i| corner(i).into()).collect(),
        speed: like.map_or(1.6, |h| h.speed.max(0.5)),
        closed: true,
        radius: like.map_or(8.0, |h| h.radius),
        strength: like.map_or(12.0, |h| h.strength),
        fear_radius: like.map_or(9.0, |h| h.fear_radius),
        from: None,
        until: None,
    }
}

fn is_ghost(name: &str) -> bool {
    name.to_lowercase().contains("ghost")
}

/// The nearest place of a goal moved to a point, or one more there.
fn set_goal(crowd: &Crowd, goal: u16, to: Vec2, more: bool) -> Result<Command, &'static str> {
    let kind = crowd.world().goals.get(usize::from(goal)).ok_or("there is no such goal")?;
    let mut places: Vec<PlaceSpec> = kind.places.iter().map(Into::into).collect();
    let away = |i: &usize| kind.places[*i].shape.distance(to);
    let nearest = (0..places.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
    match nearest {
        Some(i) if !more => places[i].shape = moved(&kind.places[i].shape, to),
        _ => places.push(PlaceSpec {
            shape: ShapeSpec::Disc { centre: to.into(), radius: 1.5 },
            fuzz: 1.0,
            capacity: None,
        }),
    }
    Ok(Command::SetGoal { goal: goal.into(), places })
}

/// A shape with its middle elsewhere.
fn moved(shape: &Shape, to: Vec2) -> ShapeSpec {
    let by = to - shape.bounds().centre();
    let shifted = |ring: &Vec<Vec2>| ring.iter().map(|&p| (p + by).into()).collect();
    match shape {
        Shape::Point(_) => ShapeSpec::Point(to.into()),
        Shape::Disc { radius, .. } => ShapeSpec::Disc { centre: to.into(), radius: *radius },
        Shape::Line(a, b) => ShapeSpec::Line((*a + by).into(), (*b + by).into()),
        Shape::Polygon(polygon) => ShapeSpec::Polygon {
            outer: shifted(&polygon.outer),
            holes: polygon.holes.iter().map(shifted).collect(),
        },
    }
}

/// A straight wall between two points; across a point where they are one.
pub(crate) fn wall(from: Vec2, to: Vec2) -> Polygon {
    let (mut a, mut b) = (from, to);
    if a.distance(b) < THICKNESS {
        (a, b) = (to - Vec2::X * LENGTH * 0.5, to + Vec2::X * LENGTH * 0.5);
    }
    let side = (b - a).normalize_or(Vec2::X).perp() * THICKNESS * 0.5;
    Polygon { outer: vec![a - side, b - side, b + side, a + side], holes: Vec::new() }
}

/// The hazard that is nearest to a point, if it reaches there.
fn nearest_hazard(crowd: &Crowd, at: Vec2) -> Option<u64> {
    let time = crowd.time();
    let reached = crowd.hazards_by_id().filter_map(|(id, hazard)| {
        let away = hazard.position(time)?.distance(at);
        (away < hazard.radius.max(REACH)).then_some((away, id))
    });
    reached.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id.number())
}

/// The wall at a point; the last built where there are several.
fn wall_at(crowd: &Crowd, at: Vec2) -> Option<usize> {
    crowd.world().walls.iter().rposition(|wall| wall.signed_distance(at) < 0.4 * REACH)
}

#[cfg(test)]
mod tests {
    use super::{Tool, wall};
    use glam::Vec2;
    use throng::command::Command;
    use throng::{BuildOptions, Scene, Simulation, SimulationOptions};

    /// If this fails, a tool does nothing, something else, or what cannot be taken back.
    #[test]
    fn what_is_dropped_can_be_moved_and_erased() {
        let options = BuildOptions { agents: Some(200), ..BuildOptions::default() };
        let world = Scene::open("froblins").unwrap().build(&options).unwrap();
        let mut simulation = Simulation::new(world, SimulationOptions::default()).unwrap();
        let before = simulation.crowd().unwrap().hazards_by_id().count();
        let walls = simulation.crowd().unwrap().world().walls.len();
        let bounds = simulation.crowd().unwrap().world().bounds();
        let world = simulation.crowd().unwrap().world();
        let free = |p: &Vec2| {
            world.is_free(*p, 3.0)
                && world
                    .hazards
                    .iter()
                    .all(|h| h.path.iter().all(|q| q.distance(*p) > h.radius + 15.0))
        };
        let spots = (0..400).map(|i| {
            bounds.min + bounds.size() * Vec2::new(i as f32 * 0.618 % 1.0, i as f32 * 0.37 % 1.0)
        });
        let at = spots.clone().find(free).expect("open ground");
        let mut act = |tool: Tool, from: Vec2, to: Vec2| -> Result<Command, &'static str> {
            let command = tool.command(simulation.crowd().unwrap(), from, to, false)?;
            command.apply(&mut simulation).unwrap();
            Ok(command)
        };
        act(Tool::Gas, at, at).unwrap();
        let there = at + Vec2::new(3.0, 1.0);
        act(Tool::Move, at, there).unwrap();
        act(Tool::Erase, there, there).unwrap();
        assert!(act(Tool::Move, at, there).is_err());
        act(Tool::Ghost, at, at).unwrap();
        act(Tool::Person(0), at, at).unwrap();
        act(Tool::Wall, at + Vec2::splat(5.0), at + Vec2::splat(7.0)).unwrap();
        let crowd = simulation.crowd().unwrap();
        assert_eq!(crowd.hazards_by_id().count(), before + 1);
        assert_eq!(crowd.world().walls.len(), walls + 1);
        let move_goal = Tool::Goal(0).command(crowd, at, at, false).unwrap();
        let add_goal = Tool::Goal(0).command(crowd, at, at, true).unwrap();
        let places = crowd.world().goals[0].places.len();
        let count = |command: &Command| match command {
            Command::SetGoal { places, .. } => places.len(),
            _ => 0,
        };
        assert_eq!((count(&move_goal), count(&add_goal)), (places, places + 1));
        move_goal.apply(&mut simulation).unwrap();
        let near = |p: &throng_world::world::Place| p.shape.distance(at) < 0.1;
        assert!(simulation.crowd().unwrap().world().goals[0].places.iter().any(near));
        assert!(Tool::Goal(999).command(simulation.crowd().unwrap(), at, at, false).is_err());
    }

    /// If this fails, a click without a drag builds a wall of nothing, which is refused.
    #[test]
    fn walls_have_an_area() {
        for to in [Vec2::ZERO, Vec2::new(0.1, 0.0), Vec2::new(5.0, -3.0)] {
            assert!(wall(Vec2::ZERO, to).area() > 1.0, "{to}");
        }
    }
}
