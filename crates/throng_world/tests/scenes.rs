//! The scenes that ship: every one builds in every size, its goals can be reached (the builder
//! checks that), its people fit, and data survives a round trip.

use std::time::Instant;
use throng_field::Cell;
use throng_world::scene::{BuildOptions, Scene, check_file};
use throng_world::world::{Amount, Layout, Shape, World};
use throng_world::{SceneErrors, scene_names};

fn build(name: &str, options: &BuildOptions) -> World {
    let scene = Scene::builtin(name).unwrap_or_else(|| panic!("{name} does not parse"));
    scene.build(options).unwrap_or_else(|errors: SceneErrors| panic!("{errors}"))
}

/// Free ground of shapes in square metres.
fn free_area(world: &World, shapes: &[Shape]) -> f32 {
    let grid = &world.clearance;
    let inside = |cell: Cell| {
        let p = grid.centre(cell);
        grid[cell] > 0.2 && shapes.iter().any(|s| s.distance(p) <= 0.0)
    };
    let step = (grid.width() / 500).max(1) as u32;
    let (w, h) = (grid.width() as u32 / step, grid.height() as u32 / step);
    let cells = (0..w * h).map(|i| Cell::new(i % w * step, i / w * step));
    let side = grid.cell_size() * step as f32;
    cells.filter(|c| inside(*c)).count() as f32 * side * side
}

#[test]
fn every_shipped_scene_builds_and_its_people_fit() {
    assert_eq!(scene_names().count(), 10);
    for name in scene_names() {
        let start = Instant::now();
        check_file(name, &BuildOptions::default()).unwrap_or_else(|errors| panic!("{errors}"));
        let world = build(name, &BuildOptions::default());
        println!("{name}: checked and built in {:.2?}", start.elapsed());
        assert_eq!(world.name, name);
        let mut people = 0;
        for spawn in &world.spawns {
            let Amount::Count(count) = spawn.amount else { continue };
            people += count;
            let radius = world.groups[usize::from(spawn.group)].radius.max();
            match &spawn.layout {
                // Discs at random fill about half of a plane before there is no room left.
                Layout::Scatter(shapes) => {
                    let taken = count as f32 * std::f32::consts::PI * radius * radius;
                    let needed = taken / free_area(&world, shapes);
                    assert!(needed < 0.53, "{name}: {} is {needed} full", spawn.name);
                }
                Layout::Positions(points) => {
                    for pair in points.windows(2) {
                        assert!(pair[0].distance(pair[1]) >= 2.0 * radius, "{name}: too close");
                    }
                    assert!(points.iter().all(|p| world.is_free(*p, radius)));
                }
            }
        }
        let stated = Scene::builtin(name).unwrap().agents();
        assert!(people == 0 || u64::from(people) == stated, "{name}: {people} of {stated}");
    }
}

/// `--agents` must give that number, and keep the density where the scene grows.
#[test]
fn scenes_scale() {
    for (name, agents) in [
        ("froblins", 1000),
        ("froblins", 200_000),
        ("circle", 50),
        ("city", 5000),
        ("bottleneck", 333),
    ] {
        let world = build(name, &BuildOptions { agents: Some(agents), ..BuildOptions::default() });
        let count = |amount: &Amount| if let Amount::Count(n) = amount { *n } else { 0 };
        let found: u32 = world.spawns.iter().map(|s| count(&s.amount)).sum();
        assert_eq!(found, agents, "{name}");
    }
    let usual = build("froblins", &BuildOptions::default());
    let large =
        build("froblins", &BuildOptions { agents: Some(4 * 65_536), ..BuildOptions::default() });
    assert_eq!((large.terrain.width(), large.terrain.cell_size()), (256, 4.0));
    for (a, b) in usual.goals.iter().zip(&large.goals) {
        assert_eq!(4 * a.places.len(), b.places.len());
    }
    let same = |a: &f32, b: &f32| a.is_finite() == b.is_finite();
    let agree = usual
        .terrain
        .as_slice()
        .iter()
        .zip(large.terrain.as_slice())
        .filter(|(a, b)| same(a, b))
        .count();
    assert!(agree > 64_000, "a larger valley has another map: {agree}");
}

/// The same scene and seed must be the same place; another seed moves what is strewn.
#[test]
fn building_is_deterministic() {
    let places = |seed| {
        let world = build("froblins", &BuildOptions { seed, ..BuildOptions::default() });
        let places: Vec<_> =
            world.goals.into_iter().flat_map(|g| g.places).map(|p| p.shape).collect();
        (world.clearance, places)
    };
    let (a, b, c) = (places(None), places(None), places(Some(77)));
    assert!(a == b);
    assert!(a.0 == c.0 && a.1 != c.1);
}

/// What a program writes must mean the same when it is read again.
#[test]
fn data_survives_a_round_trip() {
    for name in scene_names() {
        let scene = Scene::builtin(name).unwrap();
        let text = scene.to_toml().unwrap_or_else(|| panic!("{name} cannot be written"));
        let again = Scene::parse(&text, name).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        assert_eq!(again.data, scene.data, "{name}");
    }
}

/// Editors complete and check by the schema; it must know every section and every range.
#[test]
fn the_schema_is_whole() {
    let schema = Scene::schema_json();
    for word in
        ["froblins", "navigate", "wall_margin", "scatter", "\"maximum\"", "additionalProperties"]
    {
        assert!(schema.contains(word), "{word}");
    }
}

/// The short form of a group becomes actions and rules that do the same.
#[test]
fn visits_become_actions_and_rules() {
    let world = build("square", &BuildOptions::default());
    let thirsty = world.groups.iter().position(|g| g.name == "thirsty").unwrap() as u16;
    let mut action = world.groups[usize::from(thirsty)].starts;
    let mut names = vec![world.actions[usize::from(action)].name.as_str()];
    while let Some(rule) = world.rules.iter().find(|r| r.from == [action] && r.groups == [thirsty])
    {
        action = rule.to;
        names.push(&world.actions[usize::from(action)].name);
    }
    assert_eq!(names, ["walk to kiosk", "at kiosk", "walk to east"]);
    let circle = build("circle", &BuildOptions::default());
    assert_eq!(
        circle.actions[usize::from(circle.groups[0].starts)].seek,
        throng_world::world::Seek::Target
    );
}
