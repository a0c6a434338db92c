//! A character on one sheet: `cargo run -p throng_character --example sheet -- out.png [froblin|ghost|FILE] [texels]`.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use std::time::Instant;

use throng_character::{BakedClips, BuildOptions, froblin_with, ghost_with, import, sheet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().ok_or("give a file to write")?;
    let who = args.get(1).map_or("froblin", String::as_str);
    let texels = args.get(2).map_or(Ok(1024), |s| s.parse())?;
    let options = BuildOptions { texels, ..Default::default() };
    let start = Instant::now();
    let character = match who {
        "froblin" => froblin_with(&options, None).0,
        "ghost" => ghost_with(&options, None).0,
        path => import(path)?,
    };
    println!("made in {:.1?}", start.elapsed());
    for level in &character.levels {
        println!("{} triangles, {} vertices", level.mesh.faces(), level.mesh.positions.len());
    }
    let start = Instant::now();
    let baked = BakedClips::bake(&character);
    println!(
        "{} joints, {} clips, {:?}, baked in {:.1?}",
        baked.joints,
        baked.table.len(),
        baked.sizes(),
        start.elapsed()
    );
    for (name, clip) in baked.names.iter().zip(&baked.table) {
        println!("{name:<14} {:.2} s, {} keys", clip.duration, clip.keys);
    }
    let start = Instant::now();
    std::fs::write(file, sheet(&character).png()?)?;
    println!("drawn in {:.1?}", start.elapsed());
    character.notices.iter().for_each(|notice| println!("notice: {notice}"));
    Ok(())
}
