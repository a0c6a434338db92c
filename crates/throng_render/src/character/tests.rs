//! Characters on the GPU against what they are made from.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use glam::Vec2;
use throng_character::sheet::draw::skinned;
use throng_character::{BuildOptions, Character, PackedVertex, froblin_with};
use throng_gpu::{Kernel, Library, Module, Pool, Prepared, Shader, testing};
use throng_world::World;

use super::actor::Actor;
use super::cast::Member;
use super::close::{ClosePass, FINEST};
use super::model::Model;
use super::motion::held;
use super::skin::skinned_cages;
use crate::shaders::{MODULES, library};

fn froblin() -> &'static (Character, Arc<Model>) {
    static BUILT: OnceLock<(Character, Arc<Model>)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let options = BuildOptions { texels: 256, ..Default::default() };
        let folder = std::env::temp_dir().join("throng-test-characters");
        let character = froblin_with(&options, Some(&folder)).0;
        let model = Arc::new(Model::new(&character));
        (character, model)
    })
}

fn actor(pool: &Pool) -> Actor {
    let world = World::open((4, 4), 1.0, Vec2::ZERO).unwrap();
    Actor::new(pool, &Member::of(&froblin().1), &world, 1.0).unwrap()
}

fn kernel(library: &Library, shader: &Shader, entry: &str) -> Kernel {
    library.program(testing::gpu(), shader, &[]).unwrap().kernel(entry).unwrap()
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (throng_gpu::wide::mix(self.0) >> 40) as f32 / (1 << 24) as f32
    }
}

/// If this fails, what is drawn is not what was animated, or 128-bit vertices of shaders are not those of
/// `PackedVertex`.
#[test]
fn skinned_vertices_follow_the_exact_clips() {
    let (character, model) = froblin();
    let pool = Pool::new(testing::gpu());
    let actor = actor(&pool);
    let library = library().unwrap();
    let mut dice = Dice(5);
    let moments: Vec<(u32, f32)> = (0..1000)
        .map(|_| {
            let clip = (dice.roll() * character.clips.len() as f32) as u32;
            (clip, dice.roll() * character.clips[clip as usize].duration)
        })
        .collect();
    let hold = kernel(&library, &super::MOTION, "hold");
    let skin = kernel(&library, &super::SKIN, "skin");
    let played = held(&pool, &hold, &actor, &moments).unwrap();
    let cages = skinned_cages(&pool, &skin, &actor, &played, moments.len() as u32).unwrap();
    let mesh = &character.levels[0].mesh;
    let each = mesh.positions.len();
    let all = testing::gpu().read::<[u32; 4]>(&cages, each * moments.len()).unwrap();
    let (mut worst, mut turned) = (0.0_f32, 0.0_f32);
    for (&(clip, time), cage) in moments.iter().zip(all.chunks_exact(each)) {
        let pose = character.clips[clip as usize].pose(&character.skeleton, time);
        let (positions, normals, _) = skinned(mesh, &character.skeleton.flatten(&pose));
        for v in 0..each {
            let got = PackedVertex(cage[v]).unpack(&model.bounds);
            worst = worst.max(got.position.distance(positions[v]));
            assert!(got.uv.distance(mesh.uvs[v]) < 2e-5, "vertex {v} lost its place in the maps");
            turned = turned.max(1.0 - got.normal.dot(normals[v].normalize_or_zero()));
        }
    }
    println!(
        "worst of {} vertices: {:.3} % of the height; normals {:.2} degrees",
        all.len(),
        worst * 100.0,
        (1.0 - turned).clamp(-1.0, 1.0).acos().to_degrees()
    );
    assert!(worst <= 0.005, "{:.3} % of the body height", worst * 100.0);
}

/// The text of close-ups as a kernel: everything in one group, and an entry that lays out whole grids.
fn laying() -> Kernel {
    let flat = |text: &str| -> &'static str { text.replace("@group(1)", "@group(0)").leak() };
    let modules: Vec<Module> = MODULES
        .iter()
        .map(|m| match m.name {
            "throng_render::figure" => Module { name: m.name, source: flat(m.source) },
            _ => *m,
        })
        .collect();
    let entry = "
@group(0) @binding(30) var<storage, read_write> laid: array<vec4<f32>>;

@compute @workgroup_size(64)
fn lay(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = cage[1];
    let each = (n + 1u) * (n + 2u) / 2u;
    let number = id.y * 65536u + id.x;
    if number >= each * cage[4] {
        return;
    }
    let vertex = number % each;
    var row = 0u;
    while (row + 1u) * (row + 2u) / 2u <= vertex {
        row++;
    }
    let p = patched(0u, number / each, vec2<u32>(row, vertex - row * (row + 1u) / 2u));
    laid[number] = vec4<f32>(p.position, 0.0);
}
";
    // What draws is left out: it needs a camera.
    let (close_up, _) = super::CLOSE_UP.source.split_once("@vertex").unwrap();
    let source = flat(&format!("{close_up}{entry}"));
    let shader = Shader { name: "laying", source, variants: &[] };
    let library = Library::new().unwrap().with(&modules).unwrap();
    library.program(testing::gpu(), &shader, crate::cull::defs()).unwrap().kernel("lay").unwrap()
}

/// If this fails, close-ups have cracks: triangles that share an edge or a corner of the cage do not meet.
#[test]
fn grids_meet_bit_for_bit_at_every_level() {
    let (character, model) = froblin();
    let pool = Pool::new(testing::gpu());
    let gpu = testing::gpu();
    let actor = actor(&pool);
    let library = library().unwrap();
    let clip = character.clip("run").unwrap() as u32;
    let hold = kernel(&library, &super::MOTION, "hold");
    let skin = kernel(&library, &super::SKIN, "skin");
    let played = held(&pool, &hold, &actor, &[(clip, 0.17)]).unwrap();
    let cages = skinned_cages(&pool, &skin, &actor, &played, 1).unwrap();
    let parts = actor.close.as_ref().expect("a froblin has displacement");
    let lay = laying();
    let faces = model.facets.len() as u32;
    let mut moved = 0.0_f32;
    let levels = (1..=FINEST).flat_map(|n| [n as f32 - 0.4, n as f32]).filter(|t| *t >= 1.0);
    for level in levels {
        let n = level.ceil() as u32;
        let each = (n + 1) * (n + 2) / 2;
        let grown = if n > 1 { level - (n - 1) as f32 } else { 1.0 };
        let head = [level.to_bits(), n, grown.to_bits(), 1.0_f32.to_bits(), faces];
        gpu.write(&parts.cage, 0, &head);
        let laid = pool.storage("laid", u64::from(each * faces) * 16).unwrap();
        let bindings = [
            (5, parts.cage.as_entire_binding()),
            (6, actor.kind.as_entire_binding()),
            (11, cages.as_entire_binding()),
            (30, laid.as_entire_binding()),
        ];
        let groups = [1024, (each * faces).div_ceil(65_536), 1];
        let mut work = Prepared::new();
        work.push(lay.step(&bindings, groups).unwrap());
        testing::run(&work);
        let laid = gpu.read::<[f32; 4]>(&laid, (each * faces) as usize).unwrap();
        moved = moved.max(meet(model, n, &laid, level));
    }
    assert!(moved > 0.0, "nothing was displaced");
}

/// That all vertices on edges and corners of the cage are where the others of their place are. Gives how far apart
/// neighbours are at most, to see that there is something.
fn meet(model: &Model, n: u32, laid: &[[f32; 4]], level: f32) -> f32 {
    let each = ((n + 1) * (n + 2) / 2) as usize;
    // By the two places of an edge, lesser first, and the step from the lesser; a corner is an edge to itself.
    let mut known: HashMap<(u32, u32, u32), [u32; 3]> = HashMap::new();
    let mut far = 0.0_f32;
    for (facet, grid) in model.facets.iter().zip(laid.chunks_exact(each)) {
        for row in 0..=n {
            for column in 0..=row {
                let steps = [n - row, row - column, column];
                let [x, y, z, _] = grid[(row * (row + 1) / 2 + column) as usize];
                assert!(x.is_finite() && y.is_finite() && z.is_finite());
                far = far.max(x.abs());
                let on: Vec<usize> = (0..3).filter(|i| steps[*i] > 0).collect();
                let key = match on[..] {
                    [a] => (facet.place[a], facet.place[a], 0),
                    [a, b] => {
                        let (a, b) = if facet.place[a] < facet.place[b] { (a, b) } else { (b, a) };
                        (facet.place[a], facet.place[b], steps[b])
                    }
                    _ => continue,
                };
                let bits = [x, y, z].map(f32::to_bits);
                let first = *known.entry(key).or_insert(bits);
                assert_eq!(first, bits, "level {level}: a crack at {key:?}");
            }
        }
    }
    far
}

/// If this fails, a crowd of close characters takes more triangles than two of them at the finest.
#[test]
fn close_ups_never_add_more_than_two_characters() {
    let pool = Pool::new(testing::gpu());
    let gpu = testing::gpu();
    let library = library().unwrap();
    let choose = kernel(&library, &super::LEVELS, "choose_level");
    let faces = 5096_u32;
    let copy = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let most = pool.buffer("most", 16, copy).unwrap();
    gpu.write(&most, 0, &[FINEST as f32, faces as f32, 1e9, 1.0]);
    let near = pool.array_of("near", &[0_u32, 0]).unwrap();
    let total = pool.array_of("total", &[0_u32, 0]).unwrap();
    let cage = pool.array_of("cage", &[0_u32; 12]).unwrap();
    let (draws, draw) =
        (pool.array_of("d", &[0_u32; 20]).unwrap(), pool.array_of("c", &[0_u32; 5]).unwrap());
    let bindings = [
        (0, most.as_entire_binding()),
        (1, near.as_entire_binding()),
        (3, total.as_entire_binding()),
        (4, cage.as_entire_binding()),
        (5, draws.as_entire_binding()),
        (6, draw.as_entire_binding()),
    ];
    let mut work = Prepared::new();
    work.push(choose.step(&bindings, [1, 1, 1]).unwrap());
    let finest = u64::from(faces) * u64::from(FINEST * FINEST);
    for n in (1..=64).chain((65..5000).step_by(97)).chain([5000_u32]) {
        gpu.write(&near, 0, &[n, 0]);
        gpu.write(&total, 0, &[n, 0]);
        testing::run(&work);
        let cage = gpu.read::<u32>(&cage, 12).unwrap();
        let level = f32::from_bits(cage[0]);
        let right = (2.0 * FINEST as f32 / n as f32).clamp(1.0, FINEST as f32);
        assert!((level - right).abs() < 1e-4, "{n} near: level {level}, not {right}");
        let args = gpu.read::<u32>(&draw, 5).unwrap();
        let patches = u64::from(args[0] / 3) * u64::from(args[1]);
        let plain = u64::from(gpu.read::<u32>(&draws, 2).unwrap()[1]) * u64::from(faces);
        let added = (patches + plain).saturating_sub(u64::from(n) * u64::from(faces));
        assert_eq!(added, u64::from(cage[6]), "{n} near");
        assert!(added <= 2 * finest, "{n} near add {added} triangles");
        assert!(patches + plain >= u64::from(n) * u64::from(faces), "somebody is not drawn");
    }
    // The pipelines that use them can be made on this device too.
    let slots = crate::common::CommonSlots::new(gpu).unwrap();
    let pass = super::CharacterPass::new(gpu, &library, &slots.view, &slots.light).unwrap();
    ClosePass::new(&pool, &library, [&slots.view, &pass.slots, &slots.light]).unwrap();
}
