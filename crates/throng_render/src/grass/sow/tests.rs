//! If one of these fails, grass grows through what stands there, or another field grows on another machine.

use glam::{Vec2, Vec3};
use throng_world::grass::{Grass, GrassParams};
use throng_world::{BuildOptions, Scene, World};

use super::{Clump, Field, Footprints, Soil, TILE};
use crate::{Mesh, PropInstance, Surface};

fn sown(world: &World, params: &GrassParams, props: &[(Mesh, Vec<PropInstance>)]) -> Field {
    let grass = Grass { params: params.clone(), drawn: Default::default() };
    let maps = grass.maps(world).unwrap();
    let footprints = Footprints::new(world, props);
    let height = |p: Vec2| world.ground_height(p);
    let soil = Soil {
        world,
        params,
        maps: &maps,
        height: &height,
        bare: &|_| 0.0,
        footprints: &footprints,
    };
    soil.sow()
}

fn meadow() -> World {
    World::open((64, 48), 1.0, Vec2::new(-10.0, 5.0)).unwrap()
}

#[test]
fn a_clump_is_thirty_two_bytes_and_tiles_hold_their_clumps() {
    assert_eq!(size_of::<Clump>(), 32);
    let field = sown(&meadow(), &GrassParams::default(), &[]);
    assert_eq!(field.tiles.len() as u32, field.size.x * field.size.y);
    let mut next = 0;
    for (i, tile) in field.tiles.iter().enumerate() {
        assert_eq!(tile.first, next);
        next += tile.count;
        let at = Vec2::new((i as u32 % field.size.x) as f32, (i as u32 / field.size.x) as f32);
        let low = field.origin + at * TILE;
        let own = &field.clumps[tile.first as usize..next as usize];
        assert!(own.windows(2).all(|two| two[0].look >> 16 <= two[1].look >> 16), "in their order");
        for clump in own {
            let p = clump.foot.truncate();
            assert!(p.cmpge(low).all() && p.cmple(low + TILE).all(), "{p} in {low}");
            let top = clump.foot + Vec3::Z * clump.extent().y;
            assert!(top.distance(tile.centre) <= tile.radius);
        }
    }
    assert_eq!(next as usize, field.clumps.len());
}

/// Density is by area, the same in every part, and the same in every run; another seed sows another field.
#[test]
fn sown_by_area_and_by_hash() {
    let world = meadow();
    let mut params = GrassParams { density: 5.0, ..GrassParams::default() };
    let field = sown(&world, &params, &[]);
    let again = sown(&world, &params, &[]);
    assert_eq!(field.clumps, again.clumps);
    let other = sown(&World { seed: 99, ..world.clone() }, &params, &[]);
    assert_ne!(field.clumps, other.clumps);
    // Both follow the map: mean density 0.62 of the best.
    let per_area = field.clumps.len() as f32 / (64.0 * 48.0);
    assert!((2.0..5.0).contains(&per_area), "{per_area}");
    params.most = 3000;
    let few = sown(&world, &params, &[]);
    assert!((800..=1000).contains(&few.clumps.len()), "{}", few.clumps.len());
    params.density = 0.0;
    assert!(sown(&world, &params, &[]).clumps.is_empty());
}

/// On a slope as many stand on a square metre of it as on level ground.
#[test]
fn a_slope_has_more_on_the_map_and_as_many_on_the_ground() {
    let level = meadow();
    let mut steep = level.clone();
    let rise = 0.4;
    let heights = throng_field::Grid::from_fn(64, 48, |c| c.x as f32 * rise).unwrap();
    steep.heights = Some(heights.placed(1.0, Vec2::new(-10.0, 5.0)).unwrap());
    let params = GrassParams { density: 8.0, ..GrassParams::default() };
    let inner = |field: &Field| {
        let inside = |c: &&Clump| (-5.0..48.0).contains(&c.foot.x);
        field.clumps.iter().filter(inside).count() as f32
    };
    let ratio = inner(&sown(&steep, &params, &[])) / inner(&sown(&level, &params, &[]));
    let area = (1.0_f32 + rise * rise).sqrt();
    assert!((ratio / area - 1.0).abs() < 0.03, "{ratio} {area}");
}

/// No foot stands under a tent, a rock or a wall, by their very triangles.
#[test]
fn nothing_grows_where_something_stands() {
    let options = BuildOptions { agents: Some(1500), ..BuildOptions::default() };
    let world = Scene::builtin("froblins").unwrap().build(&options).unwrap();
    let props = crate::scenery::scenery(&world, world.seed);
    let params = GrassParams { density: 12.0, most: 8_000_000, ..GrassParams::default() };
    let field = sown(&world, &params, &props);
    assert!(field.clumps.len() > 20_000, "{}", field.clumps.len());
    let mut checked = 0;
    for (mesh, places) in &props {
        let solid = ["tent", "great rock", "pagoda", "rock", "old tree", "boulder"];
        if !solid.iter().any(|name| mesh.name.contains(name)) {
            continue;
        }
        for place in places.iter().take(6) {
            checked += grown_through(&field, mesh, place);
        }
    }
    assert!(checked > 20_000, "{checked} triangles");
    for wall in &world.walls {
        assert!(field.clumps.iter().all(|c| !wall.contains(c.foot.truncate())));
    }
}

/// How many triangles of a prop were looked at; none may lie low over a foot.
fn grown_through(field: &Field, mesh: &Mesh, place: &PropInstance) -> usize {
    let turn = Vec2::from_angle(place.yaw);
    let at = |i: u32| {
        let p = mesh.positions[i as usize] * place.scale;
        (turn.rotate(p.truncate()) + place.position.truncate()).extend(p.z)
    };
    let reach = mesh.positions.iter().map(|p| p.truncate().length()).fold(0.0, f32::max);
    let near =
        |c: &&Clump| c.foot.truncate().distance(place.position.truncate()) < reach * place.scale;
    let feet: Vec<Vec2> = field.clumps.iter().filter(near).map(|c| c.foot.truncate()).collect();
    let mut seen = 0;
    for t in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [at(t[0]), at(t[1]), at(t[2])];
        if a.z.max(b.z).max(c.z) > 0.5 * place.scale.min(1.0) {
            continue;
        }
        seen += 1;
        let [a, b, c] = [a, b, c].map(Vec3::truncate);
        for p in &feet {
            let side = |a: Vec2, b: Vec2| (b - a).perp_dot(*p - a);
            let (x, y, z) = (side(a, b), side(b, c), side(c, a));
            let inside = (x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0);
            assert!(!inside, "{}: grass at {p}", mesh.name);
        }
    }
    seen
}

/// Outlines know the side they reach to, whichever way a thing is turned.
#[test]
fn outlines_turn_with_their_thing() {
    let mut mesh = Mesh::new("plank");
    let corner = [[0.0, -0.2, 0.0], [3.0, -0.2, 0.0], [3.0, 0.2, 0.0], [0.0, 0.2, 0.0]];
    let v = corner.map(|p| mesh.vertex(Vec3::from(p), Vec3::Z, [9; 3], Surface::Plain));
    mesh.indices.extend([v[0], v[1], v[2], v[0], v[2], v[3]]);
    let quarter = PropInstance {
        yaw: std::f32::consts::FRAC_PI_2,
        ..PropInstance::at(Vec3::new(10.0, 20.0, 0.0))
    };
    let all = Footprints::new(&meadow(), &[(mesh, vec![quarter])]);
    assert!(!all.free(Vec2::new(10.0, 22.5), 0.05));
    assert!(all.free(Vec2::new(12.5, 20.0), 0.05) && all.free(Vec2::new(10.0, 23.4), 0.1));
    assert!(all.free(Vec2::new(10.0, 17.5), 0.05));
}
