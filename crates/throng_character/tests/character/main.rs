//! What crosses modules: the froblin as built, its clips as baked, packed vertices, files read.
#![allow(clippy::print_stdout, reason = "trials tell their figures")]

mod bodies;
mod broken;
mod cache;
mod clips;
mod feet;
mod files;
mod packing;

use std::sync::OnceLock;

use throng_character::{BakedClips, BuildOptions, Character, froblin_with};

/// A froblin with small maps, built once for all tests.
fn froblin() -> &'static (Character, BakedClips) {
    static BUILT: OnceLock<(Character, BakedClips)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let options = BuildOptions { texels: 256, ..Default::default() };
        let character = froblin_with(&options, None).0;
        let baked = BakedClips::bake(&character);
        (character, baked)
    })
}

/// Numbers from 0 to 1, always the same ones.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.roll()
    }
}
