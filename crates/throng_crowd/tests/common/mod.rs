//! Scenes for the tests.

#![allow(dead_code, unused_imports)]

mod backend;
mod watch;

pub(crate) use backend::{On, Trial};
pub(crate) use watch::Watch;

use throng_crowd::{Crowd, CrowdOptions};
use throng_world::World;
use throng_world::scene::{BuildOptions, Scene};

/// A shipped scene, with another number of agents where given.
pub(crate) fn shipped(name: &str, agents: Option<u32>) -> World {
    let scene = Scene::builtin(name).unwrap_or_else(|| panic!("no scene {name}"));
    scene.build(&BuildOptions { agents, ..Default::default() }).unwrap()
}

/// A scene from its text.
pub(crate) fn scene(text: &str) -> World {
    Scene::parse(text, "test").unwrap().build(&BuildOptions::default()).unwrap()
}

/// A crowd in a world.
pub(crate) fn crowd(world: World, options: CrowdOptions) -> Crowd {
    Crowd::new(world, options).unwrap()
}

/// Steps for so many simulated seconds.
pub(crate) fn run(crowd: &mut Crowd, seconds: f64) {
    let dt = crowd.world().dt;
    let end = crowd.time() + seconds;
    while crowd.time() < end - 1e-6 {
        crowd.step(dt).unwrap();
    }
}
