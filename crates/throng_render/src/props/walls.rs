//! Walls and houses, extruded from the polygons of a scene; boulders where the land is wild.

use glam::{Vec2, Vec3};
use throng_world::World;
use throng_world::world::Polygon;

use super::{Mesh, PropInstance, Surface};
use crate::noise::{fractal, value};

/// What a polygon of a scene is taken for, by its size and form.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A thin wall.
    Wall { height: f32 },
    /// A post, a trunk.
    Post,
    /// Round and low: a basin, a plinth, a pitch.
    Plinth { height: f32 },
    /// A house.
    House { height: f32 },
}

/// Meshes of all walls; where the place is `dressed`, scenery stands for boulders and trunks.
pub(crate) fn walls(world: &World, dressed: bool) -> Vec<(Mesh, Vec<PropInstance>)> {
    let wild = world.heights.is_some();
    if wild && dressed {
        return Vec::new();
    }
    let mut made = Vec::new();
    for (number, polygon) in world.walls.iter().enumerate() {
        if dressed && crate::scenery::is_trunk(polygon) {
            continue;
        }
        let centre = polygon.bounds().centre();
        let foot = lowest(world, polygon);
        let mesh = if wild {
            boulder(polygon, centre, number as u32)
        } else {
            extruded(polygon, centre, kind(polygon, number as u32), number as u32)
        };
        if !mesh.indices.is_empty() {
            made.push((mesh, vec![PropInstance::at(centre.extend(foot))]));
        }
    }
    let rim = parapets(world);
    if dressed && !rim.indices.is_empty() {
        made.push((rim, vec![PropInstance::at(Vec3::ZERO)]));
    }
    made
}

/// Rooms up to this long have their closed edge shown (metres); larger places end where streets do.
const ROOM: f32 = 60.0;

/// A low wall along the edge of a room that nobody can leave there, with gaps at its exits: else people stop at
/// nothing.
fn parapets(world: &World) -> Mesh {
    let mut mesh = Mesh::new("parapet");
    let bounds = world.bounds();
    let room = (bounds.max - bounds.min).max_element() <= ROOM;
    if world.open_edge || world.heights.is_some() || !world.walkable.is_empty() || !room {
        return mesh;
    }
    let (a, b) = (bounds.min, bounds.max);
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    let exits = || world.goals.iter().filter(|goal| goal.exit).flat_map(|goal| &goal.places);
    for side in 0..4 {
        let (from, to) = (corners[side], corners[(side + 1) % 4]);
        let steps = from.distance(to).ceil().max(1.0);
        let along = (to - from) / steps;
        for step in 0..steps as u32 {
            let start = from + along * step as f32;
            let middle = start + along * 0.5;
            if !exits().any(|place| place.shape.distance(middle) < 0.6) {
                parapet(&mut mesh, start, start + along);
            }
        }
    }
    mesh
}

/// One piece, outside the edge, which runs anticlockwise.
fn parapet(mesh: &mut Mesh, a: Vec2, b: Vec2) {
    const HIGH: f32 = 0.95;
    const THICK: f32 = 0.22;
    let out = -(b - a).perp().normalize_or(Vec2::X);
    let on = |p: Vec2, z: f32| p.extend(z);
    let (c, d) = (a + out * THICK, b + out * THICK);
    let (side, top) = ([196, 188, 174], [172, 166, 156]);
    let face = |p: Vec2, q: Vec2| [on(p, -0.3), on(q, -0.3), on(q, HIGH), on(p, HIGH)];
    mesh.quad(face(b, a), on(-out, 0.0), side, Surface::Roof);
    mesh.quad(face(c, d), on(out, 0.0), side, Surface::Roof);
    mesh.quad([on(a, HIGH), on(b, HIGH), on(d, HIGH), on(c, HIGH)], Vec3::Z, top, Surface::Roof);
    let ahead = (b - a).normalize_or(Vec2::X);
    mesh.quad(face(a, c), on(-ahead, 0.0), side, Surface::Roof);
    mesh.quad(face(d, b), on(ahead, 0.0), side, Surface::Roof);
}

/// Houses of a place, with the height of their roofs in the world. Thin walls, posts and boulders are none.
pub(crate) fn houses(world: &World) -> impl Iterator<Item = (&Polygon, f32)> {
    let flat = world.heights.is_none();
    (0..).zip(&world.walls).filter(move |_| flat).filter_map(|(number, polygon)| {
        match kind(polygon, number) {
            Kind::House { height } => Some((polygon, height + lowest(world, polygon))),
            _ => None,
        }
    })
}

fn lowest(world: &World, polygon: &Polygon) -> f32 {
    polygon.outer.iter().map(|&p| world.ground_height(p)).fold(f32::INFINITY, f32::min)
}

fn kind(polygon: &Polygon, number: u32) -> Kind {
    let area = polygon.area();
    let length: f32 = polygon.edges().map(|(a, b)| a.distance(b)).sum();
    let thickness = 2.0 * area / length.max(1e-3);
    let round = 4.0 * std::f32::consts::PI * area / (length * length).max(1e-3);
    if round > 0.85 && area < 4.0 {
        Kind::Post
    } else if round > 0.93 {
        Kind::Plinth { height: if area > 500.0 { 0.35 } else { 0.75 } }
    } else if thickness < 1.3 {
        Kind::Wall { height: if length > 60.0 { 3.2 } else { 2.2 } }
    } else if area < 30.0 {
        Kind::House { height: 3.0 }
    } else {
        // Whole storeys.
        let storeys = 3.0 + (value(Vec2::splat(number as f32 + 0.5), 0, 3) + 1.0).floor();
        Kind::House { height: storeys * 3.2 + 0.8 }
    }
}

fn extruded(polygon: &Polygon, centre: Vec2, kind: Kind, number: u32) -> Mesh {
    let mut mesh = Mesh::new("wall");
    let plaster =
        [[222, 205, 178], [205, 178, 150], [226, 214, 196], [196, 166, 140], [188, 182, 172]];
    let (height, colour, side, top, top_colour) = match kind {
        Kind::Wall { height } => {
            (height, [198, 190, 176], Surface::Roof, Surface::Roof, [176, 170, 160])
        }
        Kind::Post => (3.4, [96, 80, 64], Surface::Roof, Surface::Roof, [96, 80, 64]),
        Kind::Plinth { height } if polygon.area() > 500.0 => {
            (height, [190, 186, 176], Surface::Roof, Surface::Roof, [92, 128, 58])
        }
        Kind::Plinth { height } => {
            (height, [186, 178, 164], Surface::Roof, Surface::Roof, [120, 158, 168])
        }
        Kind::House { height } if height < 4.0 => {
            (height, [170, 92, 60], Surface::Roof, Surface::Roof, [120, 62, 44])
        }
        Kind::House { height } => {
            let colour = plaster[number as usize % plaster.len()];
            (height, colour, Surface::Facade, Surface::Roof, [150, 92, 68])
        }
    };
    let lift = |p: Vec2, z: f32| (p - centre).extend(z);
    // Below the ground, so that no gap shows on uneven land.
    let foot = -0.6;
    for (a, b) in polygon.edges() {
        let along = b - a;
        if along.length_squared() < 1e-8 {
            continue;
        }
        let mut out = Vec2::new(along.y, -along.x).normalize();
        if polygon.contains((a + b) * 0.5 + out * 1e-3) {
            out = -out;
        }
        // Corners in the order that faces outwards.
        let (a, b) = if along.perp_dot(out) < 0.0 { (a, b) } else { (b, a) };
        let corners = [lift(a, foot), lift(b, foot), lift(b, height), lift(a, height)];
        mesh.quad(corners, out.extend(0.0), colour, side);
    }
    let mut flat: Vec<[f32; 2]> = Vec::new();
    let mut holes: Vec<u32> = Vec::new();
    for (i, ring) in polygon.rings().enumerate() {
        if i > 0 {
            holes.push(flat.len() as u32);
        }
        flat.extend(ring.iter().map(|p| p.to_array()));
    }
    let mut triangles: Vec<u32> = Vec::new();
    earcut::Earcut::new().earcut(flat.iter().copied(), &holes, &mut triangles);
    let base = mesh.positions.len() as u32;
    for p in &flat {
        mesh.vertex(lift(Vec2::from(*p), height), Vec3::Z, top_colour, top);
    }
    mesh.indices.extend(triangles.iter().map(|i| i + base));
    mesh
}

/// A rock that fills a polygon: rings that draw in towards the top, with dents.
fn boulder(polygon: &Polygon, centre: Vec2, number: u32) -> Mesh {
    const RINGS: usize = 9;
    const SIDES: usize = 28;
    let mut mesh = Mesh::new("boulder");
    let radius = (polygon.area() / std::f32::consts::PI).sqrt();
    let height = radius * (0.9 + 0.35 * value(Vec2::splat(number as f32 + 0.5), 0, 17));
    let at = |ring: usize, side: usize| {
        let angle = side as f32 / SIDES as f32 * std::f32::consts::TAU;
        let out = Vec2::from_angle(angle);
        let reach = reach(polygon, centre, out, radius);
        let up = (ring as f32 / RINGS as f32) * std::f32::consts::FRAC_PI_2;
        // Flat sides: between a dome and a block.
        let (z, r) = (up.sin().powf(0.85), up.cos().max(0.0).powf(0.55));
        let dent = fractal(out * 1.3 + Vec2::new(number as f32 * 7.7, z * 1.9), 4, 0, 7);
        let p = out * reach * r * (1.0 + 0.14 * dent);
        p.extend(-0.9 + (height + 0.9) * z * (1.0 + 0.12 * dent))
    };
    for ring in 0..=RINGS {
        for side in 0..SIDES {
            let p = at(ring, side);
            let along = at(ring, (side + 1) % SIDES) - at(ring, (side + SIDES - 1) % SIDES);
            let up = at((ring + 1).min(RINGS), side) - at(ring.saturating_sub(1), side);
            let normal = along.cross(up).normalize_or(Vec3::Z);
            mesh.vertex(p, normal, [150, 142, 130], Surface::Stone);
        }
    }
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let v = |r: usize, s: usize| ((r * SIDES) + s % SIDES) as u32;
            let (a, b) = (v(ring, side), v(ring, side + 1));
            let (c, d) = (v(ring + 1, side + 1), v(ring + 1, side));
            mesh.indices.extend([a, b, c, a, c, d]);
        }
    }
    mesh
}

/// How far the outline lies from the centre in a direction.
fn reach(polygon: &Polygon, centre: Vec2, out: Vec2, usual: f32) -> f32 {
    let mut far: f32 = 0.0;
    for (a, b) in polygon.edges() {
        let (e, d) = (b - a, a - centre);
        let det = out.perp_dot(e);
        if det.abs() < 1e-9 {
            continue;
        }
        let (t, s) = (d.perp_dot(e) / det, d.perp_dot(out) / det);
        if t > 0.0 && (0.0..=1.0).contains(&s) {
            far = far.max(t);
        }
    }
    if far > 0.0 { far } else { usual }
}

#[cfg(test)]
mod tests {
    use super::{Kind, kind, walls};
    use glam::Vec2;
    use throng_world::World;
    use throng_world::world::{Polygon, Rect};

    fn rect(x: f32, y: f32) -> Polygon {
        Polygon::rect(Rect { min: Vec2::ZERO, max: Vec2::new(x, y) })
    }

    /// If this fails, a corridor is lined by towers, or a house is a fence.
    #[test]
    fn polygons_are_taken_for_what_they_look_like() {
        assert!(matches!(kind(&rect(0.4, 4.4), 0), Kind::Wall { .. }));
        assert!(matches!(kind(&rect(30.0, 20.0), 0), Kind::House { height } if height > 8.0));
        assert!(matches!(kind(&rect(3.0, 4.0), 0), Kind::House { height } if height < 4.0));
    }

    /// If this fails, a room has no edge, or its exit is walled up.
    #[test]
    fn a_room_has_a_rim_with_a_gap_at_its_exit() {
        let mut world = World::open((20, 10), 1.0, Vec2::ZERO).unwrap();
        assert!(super::parapets(&world).indices.is_empty(), "an open place");
        world.open_edge = false;
        let whole = super::parapets(&world);
        whole.check().unwrap();
        let shape = throng_world::world::Shape::Polygon(Polygon::rect(Rect {
            min: Vec2::new(19.0, 0.0),
            max: Vec2::new(20.0, 10.0),
        }));
        let places = vec![throng_world::world::Place { shape, fuzz: 0.0, capacity: None }];
        let name = "exit".to_owned();
        world.goals.push(throng_world::world::Goal { name, color: [0; 3], places, exit: true });
        let gap = super::parapets(&world);
        assert!(gap.positions.iter().all(|p| p.x < 20.0 || p.y < 0.0 || p.y > 10.0));
        assert!(gap.indices.len() < whole.indices.len() && !gap.indices.is_empty());
    }

    /// If this fails, walls have no top, or holes are roofed.
    #[test]
    fn walls_are_closed_above_and_holes_are_open() {
        let mut world = World::open((40, 40), 1.0, Vec2::ZERO).unwrap();
        let mut block = rect(20.0, 20.0);
        block.holes.push(vec![
            Vec2::new(5.0, 5.0),
            Vec2::new(15.0, 5.0),
            Vec2::new(15.0, 15.0),
            Vec2::new(5.0, 15.0),
        ]);
        world.walls.push(block);
        let made = walls(&world, false);
        let mesh = &made[0].0;
        mesh.check().unwrap();
        let top: f32 = mesh
            .indices
            .chunks_exact(3)
            .map(|t| [0, 1, 2].map(|i| mesh.positions[t[i] as usize]))
            .filter(|t| t.iter().all(|p| p.z > 1.0))
            .map(|[a, b, c]| (b - a).cross(c - a).length() * 0.5)
            .sum();
        assert!((top - 300.0).abs() < 0.1, "{top}");
    }
}
