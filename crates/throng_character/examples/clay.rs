//! The sculpture alone, as fine as it is meshed, without atlas or maps:
//! `cargo run -p throng_character --example clay -- out.png [froblin|ghost] [step]`.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use glam::Vec3;
use throng_character::mesh::nets;
use throng_character::sculpt::{Sculpture, froblin, ghost};
use throng_character::sheet::raster::{Canvas, Eye, Picture};

const SIZE: usize = 560;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().ok_or("give a file to write")?;
    let ghostly = args.get(1).is_some_and(|a| a == "ghost");
    let step: f32 = args.get(2).map_or(Ok(0.009), |s| s.parse())?;
    let pieces = if ghostly { ghost::pieces() } else { froblin::pieces() };
    let start = std::time::Instant::now();
    let meshes: Vec<_> = pieces.iter().map(|piece| (piece, nets::mesh(piece, step))).collect();
    let faces: usize = meshes.iter().map(|(_, mesh)| mesh.faces()).sum();
    println!("{faces} faces in {:?}", start.elapsed());
    let eye_at = froblin::eye().0;
    let paint = |sculpture: &Sculpture, p: &Vec3| {
        let side = if p.y < 0.0 { Vec3::new(1.0, -1.0, 1.0) } else { Vec3::ONE };
        let look = (*p * side - eye_at) * side;
        let surface = sculpture.surface(*p);
        let colour: Vec3 =
            surface.paints.iter().map(|(paint, s)| paint.coat(*p, look).colour * *s).sum();
        (colour, sculpture.normal(*p, 0.002, None))
    };
    let painted: Vec<Vec<(Vec3, Vec3)>> = meshes
        .iter()
        .map(|(piece, mesh)| mesh.positions.iter().map(|p| paint(piece, p)).collect())
        .collect();
    let views = [(0.0, 0.1), (0.6, 0.15), (1.6, 0.1), (2.4, 0.2), (3.1, 0.1), (0.3, 0.9)];
    let mut sheet = Picture::new(SIZE * 3, SIZE * 2, [0; 3]);
    for (i, (turn, lift)) in views.into_iter().enumerate() {
        let eye = Eye { centre: Vec3::new(0.0, 0.0, 0.52), extent: 1.18, turn, lift };
        let mut canvas = Canvas::new(SIZE * 2, SIZE * 2, Vec3::new(0.25, 0.30, 0.36));
        let key = eye.axes().transpose() * Vec3::new(-0.5, 0.6, 0.7).normalize();
        for ((_, mesh), painted) in meshes.iter().zip(&painted) {
            for t in mesh.triangles() {
                let p = t.map(|v| canvas.project(&eye, mesh.positions[v]));
                canvas.triangle(p, |b| {
                    let mix = |f: &dyn Fn(usize) -> Vec3| {
                        f(t[0]) * b[0] + f(t[1]) * b[1] + f(t[2]) * b[2]
                    };
                    let n = mix(&|v| painted[v].1).normalize_or(Vec3::Z);
                    let light = 0.35 + 0.25 * n.z + 0.75 * n.dot(key).max(0.0);
                    mix(&|v| painted[v].0) * light
                });
            }
        }
        sheet.put(&canvas.picture(2), i % 3 * SIZE, i / 3 * SIZE);
    }
    std::fs::write(file, sheet.png()?)?;
    Ok(())
}
