//! Characters in pictures: no cracks in close-ups, files by a line of the scene, errors that say what is wrong.

mod common;

use std::sync::{Arc, OnceLock};

use common::difference;
use glam::{Vec2, Vec3};
use throng_character::{BuildOptions as Building, froblin_with};
use throng_crowd::Instance;
use throng_gpu::draw::Pixels;
use throng_gpu::testing;
use throng_render::{Camera, Canvas, Cast, FORMAT, Frame, Model, Renderer};
use throng_world::{BuildOptions, Scene, World};

fn model() -> &'static Arc<Model> {
    static BUILT: OnceLock<Arc<Model>> = OnceLock::new();
    BUILT.get_or_init(|| {
        let options = Building { texels: 256, ..Default::default() };
        let folder = std::env::temp_dir().join("throng-test-characters");
        Arc::new(Model::new(&froblin_with(&options, Some(&folder)).0))
    })
}

const ROOM: &str = "version = 1\ndt = 0.05\n[ground]\nkind = \"flat\"\nbounds = [0, 0, 12, 12]\ncell = 0.5\n\
    [[goal]]\nname = \"out\"\nrect = [11, 0, 12, 12]\n[[group]]\nname = \"all\"\ngoal = \"out\"\n\
    [[spawn]]\ngroup = \"all\"\ncount = 1\nrect = [1, 1, 3, 3]\n";

fn room() -> World {
    Scene::parse(ROOM, "room.toml").unwrap().build(&BuildOptions::default()).unwrap()
}

fn standing(number: u32, at: Vec2) -> Instance {
    Instance {
        position: [at.x, at.y, 0.0],
        group: number << 8,
        direction: [1.0, 0.0],
        ..Instance::default()
    }
}

/// A renderer with nothing but bodies and the ground.
fn bare(world: &World) -> Renderer {
    let mut renderer = Renderer::new(testing::gpu(), FORMAT).unwrap();
    renderer.options.scenery = false;
    renderer.options.sky = false;
    renderer.options.occlusion = false;
    renderer.options.shadow.on = false;
    renderer.set_world(world, Vec::new()).unwrap();
    renderer.set_cast(world, &Cast::all(world, model())).unwrap();
    renderer
}

fn draw(renderer: &mut Renderer, people: &[Instance], camera: Camera, size: [u32; 2]) -> Pixels {
    let canvas = Canvas::new(testing::gpu(), size).unwrap();
    let pixels = canvas.draw(renderer, &Frame::new(camera, people)).unwrap();
    assert_eq!(testing::gpu().take_errors(), []);
    pixels
}

/// Pixels that show the ground: those that change with its colour.
fn through(
    renderer: &mut Renderer,
    people: &[Instance],
    camera: Camera,
    size: [u32; 2],
) -> Vec<bool> {
    let [a, b] = [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]].map(|colour| {
        renderer.options.flat_ground = Some(colour);
        draw(renderer, people, camera, size)
    });
    let changed = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 12);
    a.bytes.chunks_exact(4).zip(b.bytes.chunks_exact(4)).map(changed).collect()
}

/// Holes of a few pixels with body all around.
fn small_holes(through: &[bool], width: usize) -> Vec<usize> {
    let height = through.len() / width;
    let mut seen = vec![false; through.len()];
    let mut holes = Vec::new();
    for start in 0..through.len() {
        if !through[start] || seen[start] {
            continue;
        }
        let (mut list, mut at, mut open) = (vec![start], 0, false);
        seen[start] = true;
        while at < list.len() {
            let (x, y) = ((list[at] % width) as i32, (list[at] / width) as i32);
            open |= x == 0 || y == 0 || x as usize == width - 1 || y as usize == height - 1;
            for (i, j) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
                let (x, y) = (x + i, y + j);
                if x < 0 || y < 0 || x as usize >= width || y as usize >= height {
                    continue;
                }
                let next = y as usize * width + x as usize;
                if through[next] && !seen[next] {
                    seen[next] = true;
                    list.push(next);
                }
            }
            at += 1;
        }
        if !open && list.len() <= 6 {
            holes.push(start);
        }
    }
    holes
}

/// If this fails, one sees through the skin of whoever stands close.
#[test]
fn no_crack_in_close_ups_from_fifty_cameras() {
    let world = room();
    let mut renderer = bare(&world);
    let people = [standing(3, Vec2::splat(6.0))];
    let size = [144, 108];
    let mut dice = common::Dice(9);
    let mut fine = 0;
    for turn in 0..50 {
        let aim = Vec3::new(6.0, 6.0, dice.between(0.35, 1.1));
        let away = Vec2::from_angle(turn as f32 * 0.77) * dice.between(0.5, 1.0);
        let eye = aim + away.extend(dice.between(0.5, 0.9));
        let camera = Camera::looking_at(eye, aim);
        renderer.options.close_up = 3.0 + 4.0 * dice.next();
        let holes = small_holes(&through(&mut renderer, &people, camera, size), size[0] as usize);
        let (level, near, _) = renderer.close_ups().unwrap();
        assert!(near == 1 && level > 2.0, "{near} near at level {level}");
        fine += 1;
        if holes.is_empty() {
            continue;
        }
        // Between fingers and under arms there are small gaps that are none of ours: the plain cage has them too.
        renderer.options.close_up = 1.0;
        let plain = through(&mut renderer, &people, camera, size);
        let width = size[0] as usize;
        let around = |hole: usize| {
            let (x, y) = (hole % width, hole / width);
            (y.saturating_sub(3)..(y + 4).min(size[1] as usize))
                .any(|j| (x.saturating_sub(3)..(x + 4).min(width)).any(|i| plain[j * width + i]))
        };
        let cracks: Vec<_> = holes.into_iter().filter(|hole| !around(*hole)).collect();
        assert!(cracks.is_empty(), "camera {turn}: cracks at {cracks:?} of {size:?}");
    }
    assert_eq!(fine, 50);
}

/// If this fails, a frame drawn twice at one moment is not the same, or skinning once shows other bodies than
/// skinning in every view.
#[test]
fn skinned_once_or_in_every_view_it_is_the_same_picture() {
    let world = room();
    let mut renderer = bare(&world);
    renderer.options.close_up = 1.0;
    let people: Vec<_> = (0..30)
        .map(|i| standing(i, Vec2::new(1.5 + (i % 6) as f32 * 1.6, 1.5 + (i / 6) as f32 * 2.0)))
        .collect();
    let camera = Camera::looking_at(Vec3::new(-1.5, 6.0, 2.2), Vec3::new(4.0, 6.0, 0.6));
    let once = draw(&mut renderer, &people, camera, [320, 180]);
    let again = draw(&mut renderer, &people, camera, [320, 180]);
    assert_eq!(difference(&once, &again), 0);
    let drawn = renderer.drawn().unwrap();
    assert!(drawn[0] + drawn[1] + drawn[2] > 10, "{drawn:?}");
    renderer.options.skin_once = false;
    let everywhere = draw(&mut renderer, &people, camera, [320, 180]);
    let far =
        once.bytes.iter().zip(&everywhere.bytes).filter(|(a, b)| a.abs_diff(**b) > 24).count();
    // Steps of 16 bits move an edge by less than a hundredth of a pixel.
    assert!(far * 200 < once.bytes.len(), "{far} of {} bytes differ", once.bytes.len());
}

/// If this fails, somebody with a broken file is not told which and why.
#[test]
fn a_scene_names_its_own_file_or_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.glb"), b"glTF\x02\0\0\0\xff\0\0\0").unwrap();
    let scene = folder.path().join("scene.toml");
    let text =
        |body: &str| ROOM.replacen("[ground]", &format!("character = \"{body}\"\n[ground]"), 1);
    std::fs::write(&scene, text("broken.glb")).unwrap();
    let world = Scene::load(&scene).unwrap().build(&BuildOptions::default()).unwrap();
    let said = Cast::load(&world, None).unwrap_err().to_string();
    assert!(said.contains("broken.glb"), "{said}");
    for (body, wanted) in
        [("nobody.glb", "no such file"), ("frobling", "froblin"), ("a.fbx", "glTF")]
    {
        std::fs::write(&scene, text(body)).unwrap();
        let said = Scene::load(&scene).unwrap().build(&BuildOptions::default()).unwrap_err();
        assert!(said.to_string().contains(wanted), "{said}");
        assert!(said.to_string().contains("scene.toml:3"), "{said}");
    }
}
