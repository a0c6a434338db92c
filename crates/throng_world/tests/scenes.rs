//! The scenes that ship: every one builds, its goals can be reached, its people fit.

use throng_world::scene::{self, BuildOptions, Scene};
use throng_world::scene_names;

#[test]
fn every_shipped_scene_builds() {
    for name in scene_names() {
        let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let start = std::time::Instant::now();
        let (_, world) = match scene::check(&text, name, &BuildOptions::default()) {
            Ok(done) => done,
            Err(errors) => panic!("{errors}"),
        };
        println!(
            "{name}: {:?} {}x{} nav, {}x{} wall cells, {} walls, {} goals",
            start.elapsed(),
            world.terrain.width(),
            world.terrain.height(),
            world.clearance.width(),
            world.clearance.height(),
            world.walls.len(),
            world.goals.len(),
        );
        assert!(Scene::builtin(name).is_some());
    }
}
