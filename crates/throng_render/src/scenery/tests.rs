//! Tests of meshes and of where they stand.

use glam::{Vec2, Vec3};
use throng_world::{Scene, World};

use super::chance::Chance;
use super::shape::{Form, beam};
use super::{catalogue, scenery};
use crate::{Mesh, PropInstance, Surface};

type Props = Vec<(Mesh, Vec<PropInstance>)>;

fn world(name: &str) -> World {
    Scene::builtin(name).unwrap().build(&Default::default()).unwrap()
}

/// What of an instance's mesh is between knee and head, as places on the ground.
fn at_body_height(mesh: &Mesh, place: &PropInstance) -> Vec<Vec2> {
    let turn = Vec2::from_angle(place.yaw);
    let band = 0.55..1.9;
    mesh.positions
        .iter()
        .filter(|p| band.contains(&(p.z * place.scale)))
        .map(|p| place.position.truncate() + turn.rotate(p.truncate() * place.scale))
        .collect()
}

/// If this fails, a mesh is no mesh, is too heavy to be drawn often, or floats.
#[test]
fn meshes_are_whole_and_light() {
    for mesh in catalogue() {
        mesh.check().unwrap();
        let triangles = mesh.indices.len() / 3;
        assert!((20..=3600).contains(&triangles), "{}: {triangles}", mesh.name);
        for n in &mesh.normals {
            assert!((n.length() - 1.0).abs() < 1e-3, "{}: {n}", mesh.name);
        }
        let mounted = ["wall lamp", "flower box", "awning"].contains(&mesh.name.as_str());
        let low = mesh.positions.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
        assert!(mounted || low <= 0.03, "{} floats at {low}", mesh.name);
    }
}

/// If this fails, faces are lit from behind. Leaves are lit as the crown is, so they are left out.
#[test]
fn normals_look_where_faces_look() {
    for mesh in catalogue() {
        for t in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| mesh.positions[i as usize]);
            let face = (b - a).cross(c - a);
            let leaf = mesh.colours[t[0] as usize][3] == Surface::Foliage as u8;
            if leaf || face.length() < 1e-7 {
                continue;
            }
            for &i in t {
                let cos = face.normalize().dot(mesh.normals[i as usize]);
                assert!(cos > -0.2, "{}: {cos} at {a}", mesh.name);
            }
        }
    }
}

/// If this fails, forms are inside out.
#[test]
fn forms_enclose_what_they_should() {
    let near = |form: &Form, volume: f32, share: f32| {
        let found = form.volume();
        assert!((found / volume - 1.0).abs() < share, "{found} for {volume}");
    };
    near(&Form::icosphere(3), 4.0 / 3.0 * std::f32::consts::PI, 0.02);
    near(&Form::slab(Vec3::new(1.0, 2.0, 3.0), 0.01), 48.0, 0.01);
    near(
        &Form::lathe(&[(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0)], 64),
        std::f32::consts::TAU,
        0.01,
    );
    near(&Form::tube(&[(Vec3::ZERO, 1.0), (Vec3::X * 3.0, 1.0)], 64), 9.425, 0.01);
    near(&Form::sheet(3, 4, 0.5, |q| q.extend(0.0)), 0.5, 0.01);
    near(&beam(Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0), Vec2::splat(0.5), 0.01), 5.0, 0.02);
    let mut chance = Chance::new(1, 1);
    let rock = Form::icosphere(2).shaved(12, (0.1, 0.4), &mut chance);
    assert!(rock.volume() > 1.0 && rock.volume() < 4.1, "{}", rock.volume());
}

/// If this fails, hollows are as bright as tips, or everything is dark.
#[test]
fn occlusion_darkens_what_is_hidden() {
    let mut mesh = Mesh::new("under a roof");
    for z in [0.1, 0.6] {
        Form::slab(Vec3::new(1.0, 1.0, 0.05), 0.01).moved(Vec3::Z * z).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            |_, _| Vec3::splat(0.8),
        );
    }
    Form::icosphere(1).scaled(Vec3::splat(0.1)).moved(Vec3::Z * 0.35).onto(
        &mut mesh,
        3.0,
        Surface::Plain,
        |_, _| Vec3::splat(0.8),
    );
    let bright = mesh.colours[0][0];
    super::occlusion::bake(&mut mesh, 0.8);
    let mean = |keep: &dyn Fn(Vec3, Vec3) -> bool| {
        let of: Vec<f32> = (0..mesh.positions.len())
            .filter(|&i| keep(mesh.positions[i], mesh.normals[i]))
            .map(|i| f32::from(mesh.colours[i][0]))
            .collect();
        of.iter().sum::<f32>() / of.len() as f32
    };
    let top = mean(&|p, n| p.z > 0.55 && n.z > 0.9);
    let inside = mean(&|p, n| p.z < 0.2 && n.z > 0.9);
    assert!(top > f32::from(bright) * 0.97, "{top} of {bright}");
    assert!(inside < top * 0.85, "{inside} under, {top} on top");
}

/// If this fails, a place looks different every time, or the same whatever the seed.
#[test]
fn scenery_follows_its_seed() {
    let world = world("square");
    let (a, b, c) = (scenery(&world, 3), scenery(&world, 3), scenery(&world, 4));
    assert!(a == b);
    assert!(a != c);
}

fn check_valley(world: &World, props: &Props) {
    let count: usize = props.iter().map(|(_, places)| places.len()).sum();
    let triangles: usize = props.iter().map(|(m, places)| places.len() * m.indices.len() / 3).sum();
    assert!((8_000..=20_000).contains(&count), "{count} instances");
    assert!(triangles < 6_000_000, "{triangles} triangles");
    let bounds = world.bounds();
    for (mesh, places) in props {
        for place in places {
            let p = place.position.truncate();
            let gap = place.position.z - world.ground_height(p);
            assert!((-4.0..=0.31).contains(&gap), "{} at {p}: {gap}", mesh.name);
            assert!(
                place.scale > 0.1
                    && place.tint.min_element() > 0.4
                    && place.tint.max_element() < 1.6
            );
            assert!(bounds.grown(200.0).contains(p), "{} at {p}", mesh.name);
        }
    }
}

/// If this fails, people walk through trees and tents: between knee and head there is nothing on
/// ground that people walk, except slim posts within goals and what stands at their rims.
#[test]
fn nothing_tall_where_people_walk() {
    let world = world("froblins");
    let props = scenery(&world, world.seed);
    check_valley(&world, &props);
    let rim = [
        "toadstool",
        "toadstools",
        "seam",
        "cart",
        "tools",
        "tent",
        "fire",
        "log",
        "stores",
        "banner",
        "signpost",
        "treasure",
        "lantern",
    ];
    let mut within = 0;
    for (mesh, places) in &props {
        let at_rim = rim.iter().any(|w| mesh.name.ends_with(w));
        for place in places {
            for p in at_body_height(mesh, place) {
                let walked = world.is_free(p, 0.3);
                let goal = world
                    .goals
                    .iter()
                    .flat_map(|g| &g.places)
                    .map(|q| q.shape.distance(p))
                    .fold(f32::INFINITY, f32::min);
                if mesh.name == "pagoda" {
                    let post = p.distance(place.position.truncate()) / place.scale;
                    assert!((post - super::pagoda::POSTS).abs() < 0.2, "a post at {post}");
                    continue;
                }
                within += usize::from(goal <= 0.0);
                assert!(
                    !walked || (at_rim && goal < 6.5),
                    "{} at {p}, {goal} m from a goal",
                    mesh.name
                );
            }
        }
    }
    assert_eq!(within, 0, "corners of tall things within goals");
}

/// If this fails, obstacles look smaller or larger than they are: people seem to walk through them or
/// round nothing.
#[test]
fn obstacles_fill_their_outline() {
    let world = world("froblins");
    let props = scenery(&world, world.seed);
    for wall in &world.walls {
        let centre = wall.bounds().centre();
        let stands = props.iter().find(|(mesh, places)| {
            let big = ["great rock", "old tree"].contains(&mesh.name.as_str());
            big && places[0].position.truncate().distance(centre) < 0.01
        });
        let (mesh, places) = stands.unwrap();
        let radius = (wall.area() / std::f32::consts::PI).sqrt();
        let feet = mesh.positions.iter().filter(|p| (0.0..1.8).contains(&p.z));
        let mut reach = 0.0_f32;
        for p in feet {
            let out = wall.signed_distance(places[0].position.truncate() + p.truncate());
            assert!(out < 0.16 * radius + 0.1, "{} stands out by {out}", mesh.name);
            reach = reach.max(p.truncate().length());
        }
        assert!(reach > 0.75 * radius, "{}: {reach} of {radius}", mesh.name);
    }
}

/// If this fails, people walk through street furniture, or a town has none.
#[test]
fn towns_are_furnished_at_their_walls() {
    for (name, wanted) in [
        ("square", "awning"),
        ("city", "wall lamp"),
        ("stadium", "seats"),
        ("square", "fountain"),
        ("square", "planted tree"),
    ] {
        let world = world(name);
        let props = scenery(&world, world.seed);
        assert!(props.iter().any(|(m, _)| m.name.ends_with(wanted)), "{name} has no {wanted}");
        let count: usize = props.iter().map(|(_, places)| places.len()).sum();
        assert!(count <= 20_000, "{name}: {count}");
        for (mesh, places) in &props {
            mesh.check().unwrap();
            for place in places {
                for p in at_body_height(mesh, place) {
                    assert!(!world.is_free(p, 0.62), "{name}: {} at {p}", mesh.name);
                }
            }
        }
    }
}

/// If this fails, a scene of another kind, or a bare one, cannot be drawn.
#[test]
fn any_scene_is_furnished_or_left_bare() {
    for name in throng_world::scene_names() {
        for (mesh, places) in scenery(&world(name), 1) {
            mesh.check().unwrap();
            assert!(!places.is_empty());
        }
    }
    let bare = World::open((8, 8), 1.0, Vec2::ZERO).unwrap();
    assert!(scenery(&bare, 1).is_empty());
}
