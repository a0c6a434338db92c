//! `throng character`: one character on a sheet, and its baked clips and maps as files.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::run::count;
use crate::say;
use std::path::{Path, PathBuf};
use throng_character::{
    BakedClips, BuildOptions, Character, froblin_with, ghost_with, import, sheet,
};
use throng_record::file::write_bytes;

/// What `throng character` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng character froblin --sheet froblin.png
  throng character ghost --sheet ghost.png
  throng character knight.glb --sheet knight.png --bake knight/

The sheet shows a turntable, all levels of detail and their wires, the maps, all looks, and the clips. --bake
writes clips.json (a table of starts and lengths), clips.bin (the 3x4 matrices it names, rows of four
32-bit floats, joint by joint and key by key), and the maps as PNG.")]
pub(crate) struct Args {
    /// froblin, ghost, or a glTF file (.glb, .gltf)
    who: String,
    /// Where to draw the sheet (.png)
    #[arg(long, value_name = "OUT.png")]
    sheet: Option<PathBuf>,
    /// Folder for baked clips and maps; made if missing
    #[arg(long, value_name = "DIR")]
    bake: Option<PathBuf>,
    /// Texels along a side of the maps of froblin and ghost
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(64..=4096))]
    texels: u32,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let progress = Progress::new(&format!("{}: made", args.who), 3);
    let character = made(args)?;
    progress.at(1);
    let clips = BakedClips::bake(&character);
    progress.at(2);
    let mut written = Vec::new();
    if let Some(path) = &args.sheet {
        let bytes = sheet(&character).png().map_err(|e| Failure::Output(e.to_string()))?;
        write_bytes(path, &bytes)?;
        written.push(path.display().to_string());
    }
    if let Some(folder) = &args.bake {
        bake(folder, &character, &clips)?;
        written.push(folder.display().to_string());
    }
    drop(progress);
    for notice in &character.notices {
        say(&format!("notice: {notice}"))?;
    }
    let levels = character.levels.iter().map(|level| count(level.mesh.faces() as u64));
    let sizes = clips.sizes();
    say(&format!(
        "{}: {} triangles, {} joints, {} clips in {} bytes ({:.1} % of it padding), {} looks",
        character.name,
        levels.collect::<Vec<_>>().join(" / "),
        clips.joints,
        clips.table.len(),
        count(sizes.bytes as u64),
        100.0 * sizes.padding as f64 / sizes.bytes.max(1) as f64,
        character.looks.len()
    ))?;
    if written.is_empty() { Ok(()) } else { say(&format!("wrote {}", written.join(", "))) }
}

fn made(args: &Args) -> Result<Character, Failure> {
    let options = BuildOptions { texels: args.texels, ..BuildOptions::default() };
    let folder = crate::cache::folder("characters");
    Ok(match args.who.as_str() {
        "froblin" => froblin_with(&options, folder.as_deref()).0,
        "ghost" => ghost_with(&options, folder.as_deref()).0,
        path => import(path).map_err(|e| Failure::Usage(e.to_string()))?,
    })
}

/// The clip table as JSON, matrices as they are in memory, maps as pictures.
fn bake(folder: &Path, character: &Character, clips: &BakedClips) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::Output(format!("cannot make the folder {}: {error}", folder.display()))
    })?;
    let table: Vec<_> = clips
        .table
        .iter()
        .zip(&clips.names)
        .map(|(clip, name)| {
            serde_json::json!({
                "name": name,
                "first": clip.first,
                "keys": clip.keys,
                "looping": clip.looping == 1,
                "seconds": clip.duration,
                "stride": clip.stride,
                "blend_seconds": clip.blend,
            })
        })
        .collect();
    let table = serde_json::json!({ "joints": clips.joints, "clips": table });
    write_bytes(&folder.join("clips.json"), format!("{table:#}\n").as_bytes())?;
    let words = clips.rows.iter().flatten().flat_map(|row| row.to_array());
    let bytes: Vec<u8> = words.flat_map(f32::to_le_bytes).collect();
    write_bytes(&folder.join("clips.bin"), &bytes)?;
    let maps = &character.maps;
    let size = (maps.width, maps.height);
    let flat = |texels: &[[u8; 4]]| texels.iter().flatten().copied().collect::<Vec<u8>>();
    let (rgba, eight) = (png::ColorType::Rgba, png::BitDepth::Eight);
    picture(&folder.join("albedo.png"), size, rgba, eight, &flat(&maps.albedo))?;
    picture(&folder.join("normal.png"), size, rgba, eight, &flat(&maps.normal))?;
    let heights: Vec<u8> = maps.displacement.iter().flat_map(|v| v.to_be_bytes()).collect();
    let (grey, sixteen) = (png::ColorType::Grayscale, png::BitDepth::Sixteen);
    picture(&folder.join("displacement.png"), size, grey, sixteen, &heights)
}

fn picture(
    path: &Path,
    (width, height): (u32, u32),
    colour: png::ColorType,
    depth: png::BitDepth,
    bytes: &[u8],
) -> Result<(), Failure> {
    let failed = |e: png::EncodingError| Failure::Output(e.to_string());
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(bytes).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(write_bytes(path, &out)?)
}
