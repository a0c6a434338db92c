//! One picture that shows all of a character: from all sides, levels of detail, wires, maps, looks and clips.

pub mod draw;
mod letters;
pub mod raster;

use std::f32::consts::TAU;

use glam::Vec3;

use crate::bake::maps::Maps;
use crate::character::Character;
use draw::{Scene, draw, posed, wires};
use raster::{Eye, Picture};

const TILE: usize = 300;
const COLUMNS: usize = 8;
const PAPER: [u8; 3] = [0x24, 0x2a, 0x31];
/// Height of a line of letters.
const LINE: usize = 18;

/// Tiles in rows, with a caption each.
struct Sheet {
    tiles: Vec<(String, Picture)>,
}

impl Sheet {
    fn add(&mut self, caption: impl Into<String>, picture: Picture) {
        self.tiles.push((caption.into(), picture));
    }

    /// Begins a new row.
    fn break_row(&mut self) {
        while !self.tiles.len().is_multiple_of(COLUMNS) {
            self.tiles.push((String::new(), Picture::new(1, 1, PAPER)));
        }
    }

    fn picture(&self) -> Picture {
        let rows = self.tiles.len().div_ceil(COLUMNS);
        let mut all = Picture::new(COLUMNS * TILE, rows * (TILE + LINE), PAPER);
        for (i, (caption, picture)) in self.tiles.iter().enumerate() {
            let (x, y) = (i % COLUMNS * TILE, i / COLUMNS * (TILE + LINE));
            all.put(picture, x, y + LINE);
            letters::write(&mut all, x + 6, y + 5, caption);
        }
        all
    }
}

/// Draws a character's sheet.
#[must_use]
pub fn sheet(character: &Character) -> Picture {
    let mut sheet = Sheet { tiles: Vec::new() };
    let Some(near) = character.levels.first() else { return sheet.picture() };
    let extent = 1.24_f32.max((near.mesh.bounds()[1] - near.mesh.bounds()[0]).max_element() * 1.05);
    let eye = |turn: f32| Eye { centre: Vec3::new(0.0, 0.0, 0.55), extent, turn, lift: 0.16 };
    let idle = character.clip("idle").unwrap_or(0);
    let stand = |look: usize, time: f32| posed(character, idle, time, look);
    for i in 0..6 {
        let scene = Scene { level: 0, look: 0, eye: eye(i as f32 / 6.0 * TAU), size: TILE };
        sheet.add(format!("turn {}", i * 60), draw(character, &scene, &stand(0, 0.0)));
    }
    let face = Eye { centre: Vec3::new(0.05, 0.0, 0.78), extent: 0.5, turn: 0.35, lift: 0.12 };
    sheet.add(
        "face",
        draw(character, &Scene { level: 0, look: 0, eye: face, size: TILE }, &stand(0, 0.0)),
    );
    let rest = character.skeleton.flatten(&character.skeleton.rest());
    let all = Scene { level: 0, look: 0, eye: eye(0.5), size: TILE };
    sheet.add("at rest, with all props", draw(character, &all, &rest));
    for (i, level) in character.levels.iter().enumerate() {
        let name = ["near", "middle", "far"].get(i).copied().unwrap_or("farther");
        let scene = Scene { level: i, look: 0, eye: eye(0.6), size: TILE };
        let caption = format!("{name}: {} triangles", level.mesh.faces());
        sheet.add(caption, draw(character, &scene, &stand(0, 0.0)));
        sheet.add("", wires(character, &scene, &stand(0, 0.0)));
    }
    sheet.break_row();
    add_maps(&mut sheet, character);
    sheet.break_row();
    for (i, look) in character.looks.iter().enumerate() {
        let scene = Scene { level: 0, look: i, eye: eye(0.5), size: TILE };
        sheet.add(look.name.clone(), draw(character, &scene, &stand(i, i as f32 * 0.7)));
    }
    sheet.break_row();
    add_clips(&mut sheet, character, extent);
    sheet.picture()
}

/// Strips of walk and run from the side, then every clip once.
fn add_clips(sheet: &mut Sheet, character: &Character, extent: f32) {
    let side = Eye { centre: Vec3::new(0.0, 0.0, 0.55), extent, turn: -TAU / 4.0, lift: 0.05 };
    let strips: Vec<usize> =
        ["walk", "run"].iter().filter_map(|name| character.clip(name)).collect();
    for clip in strips {
        for i in 0..COLUMNS {
            let share = i as f32 / COLUMNS as f32;
            let matrices = posed(character, clip, share * character.clips[clip].duration, 0);
            let scene = Scene { level: 0, look: 0, eye: side, size: TILE };
            let caption = format!("{} {:.0} %", character.clips[clip].name, share * 100.0);
            sheet.add(caption, draw(character, &scene, &matrices));
        }
    }
    for (i, clip) in character.clips.iter().enumerate() {
        let look = i % character.looks.len().max(1);
        let share = if clip.looping { 0.4 } else { 0.5 };
        let matrices = posed(character, i, share * clip.duration, look);
        let eye = Eye { turn: 0.6, lift: 0.15, ..side };
        let scene = Scene { level: 1.min(character.levels.len() - 1), look, eye, size: TILE };
        sheet.add(clip.name.clone(), draw(character, &scene, &matrices));
    }
}

fn add_maps(sheet: &mut Sheet, character: &Character) {
    let maps = &character.maps;
    let view = |f: &dyn Fn(usize) -> [u8; 3]| shrunk(maps, f);
    sheet.add(
        format!("albedo {} x {}", maps.width, maps.height),
        view(&|i| {
            let [r, g, b, _] = maps.albedo[i];
            [r, g, b]
        }),
    );
    sheet.add("normal", view(&|i| [maps.normal[i][0], maps.normal[i][1], 255]));
    let caption = format!("displacement {:.4} + {:.4} v", maps.bias, maps.scale);
    sheet.add(caption, view(&|i| [(maps.displacement[i] >> 8) as u8; 3]));
    sheet.add("light", view(&|i| [maps.normal[i][3]; 3]));
    sheet.add("skin, cloth", view(&|i| [maps.albedo[i][3], maps.normal[i][2], 0]));
    sheet.add("atlas", draw::atlas(&character.levels[0].mesh, TILE));
    sheet.add("weights", draw::weights(character, TILE));
}

/// A map at the size of a tile.
fn shrunk(maps: &Maps, f: &dyn Fn(usize) -> [u8; 3]) -> Picture {
    let mut picture = Picture::new(TILE - 4, TILE - 4, PAPER);
    let (w, h) = (maps.width as usize, maps.height as usize);
    for y in 0..picture.height {
        for x in 0..picture.width {
            let at = (y * h / picture.height) * w + x * w / picture.width;
            let to = (y * picture.width + x) * 3;
            picture.rgb[to..to + 3].copy_from_slice(&f(at));
        }
    }
    picture
}
