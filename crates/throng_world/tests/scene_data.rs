//! Real floor plans and landscapes beside the project, as scenes. `THRONG_DATA` names another data
//! folder; without data the tests say so.

use glam::Vec2;
use std::io::Write;
use std::path::{Path, PathBuf};
use throng_world::World;
use throng_world::scene::{Assets, BuildOptions, check};

fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("THRONG_DATA").map_or(beside, PathBuf::from);
    if data.join("evacuation/wkt").is_dir() {
        return Some(data);
    }
    // Not captured, unlike `println`: what was not tested must be seen.
    let _ = writeln!(std::io::stderr(), "skipped: data not present ({})", data.display());
    None
}

/// A scene of one group on the given place, walking from anywhere to a point.
fn scene(place: &str, goal: Vec2) -> String {
    format!(
        "version = 1\n{place}\n[[goal]]\nname = \"there\"\npoint = [{}, {}]\nfuzz = 2\n\
         [[group]]\nname = \"all\"\ngoal = \"there\"\n[[spawn]]\ngroup = \"all\"\ncount = 5\nanywhere = true\n",
        goal.x, goal.y
    )
}

fn build(folder: &Path, place: &str, goal: Vec2) -> Result<World, String> {
    let assets = Some(Assets::Folder(folder.to_path_buf()));
    let options = BuildOptions { assets, ..BuildOptions::default() };
    check(&scene(place, goal), "data.toml", &options).map(|done| done.1).map_err(|e| e.to_string())
}

fn free_area(world: &World) -> f32 {
    let side = world.clearance.cell_size();
    world.clearance.as_slice().iter().filter(|c| **c > 0.0).count() as f32 * side * side
}

/// Areas of the floor plans agree with those of other programs (parts that overlap counted once).
#[test]
fn floor_plans_have_their_area() {
    let Some(data) = data() else { return };
    let folder = data.join("evacuation/wkt");
    let plans = [
        ("corner_with_shortcut.wkt", 337.5, "", Vec2::new(12.0, 2.0)),
        ("room_with_alcoven.wkt", 128.6, "", Vec2::new(4.0, 4.0)),
        ("t_shaped_room.wkt", 104.0, "", Vec2::new(0.0, 8.0)),
        ("benchmark_bottleneck.wkt", 210.0, "", Vec2::new(10.0, 0.0)),
        ("juelich_tests/rotated_rectangle.wkt", 40.0, "", Vec2::ZERO),
        (
            "Geometrie_verwinkelt_v1.wkt",
            38_746.7,
            "[frame]\noffset = [395131, 5268347]\n",
            Vec2::new(60.0, 8.0),
        ),
    ];
    for (file, area, frame, goal) in plans {
        let place =
            format!("[ground]\nkind = \"flat\"\ncell = 0.5\n{frame}[[area]]\nfile = \"{file}\"\n");
        let world = build(&folder, &place, goal).unwrap_or_else(|errors| panic!("{errors}"));
        let found = free_area(&world);
        assert!((found - area).abs() < 0.01 * area + 1.5, "{file}: {found} m², not {area}");
        assert!(!world.outline().is_empty());
    }
}

/// Far coordinates without an offset lose precision and must be refused with the cure.
#[test]
fn map_coordinates_ask_for_an_offset() {
    let Some(data) = data() else { return };
    let place = "[ground]\nkind = \"flat\"\n[[area]]\nfile = \"Geometrie_verwinkelt_v1.wkt\"\n";
    let errors = build(&data.join("evacuation/wkt"), place, Vec2::ZERO).unwrap_err();
    assert!(errors.contains("offset = [39"), "{errors}");
}

/// Every plan of the collection is read without a fault of its geometry.
#[test]
fn all_geometry_files_are_read() {
    let Some(data) = data() else { return };
    let folder = data.join("evacuation");
    let mut read = 0;
    for (sub, ending) in [
        ("wkt", "wkt"),
        ("dxf", "dxf"),
        ("wkt/juelich_tests", "wkt"),
        ("jupedsim-scenarios/bottleneck-zone", "wkt"),
    ] {
        for entry in std::fs::read_dir(folder.join(sub)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != ending) {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let place =
                format!("[ground]\nkind = \"flat\"\ncell = 1\n[[wall]]\nfile = \"{sub}/{name}\"\n");
            if let Err(errors) = build(&folder, &place, Vec2::ZERO) {
                assert!(!errors.contains("wall[0].file"), "{errors}");
            }
            read += 1;
        }
    }
    assert!(read >= 15, "{read}");
}

/// Layers of a drawing part the walls from the floor.
#[test]
fn drawings_have_layers() {
    let Some(data) = data() else { return };
    let folder = data.join("evacuation/dxf");
    let place = |layer: &str| {
        format!(
            "[ground]\nkind = \"flat\"\ncell = 0.5\n[[area]]\nfile = \"Gallery.dxf\"\nlayers = [\"{layer}\"]\n"
        )
    };
    let errors = build(&folder, &place("jps-walkable"), Vec2::ZERO).unwrap_err();
    assert!(errors.contains("area[0].layers") && errors.contains("jps-walkablearea"), "{errors}");
    let world = build(&folder, &place("jps-walkablearea"), Vec2::ZERO);
    assert!(free_area(&world.unwrap()) > 50.0);
}

/// A building in degrees becomes metres around a point.
#[test]
fn degrees_become_a_building() {
    let Some(data) = data() else { return };
    let folder = data.join("evacuation/geojson-westport-house");
    let wall = "[[wall]]\nfile = \"westport-house-floor-gf.geojson\"\nselect = { property = \"type\", values = [\"wall\"] }\n";
    let place = format!("[ground]\nkind = \"flat\"\ncell = 0.25\n{wall}");
    let errors = build(&folder, &place, Vec2::ZERO).unwrap_err();
    let cure = errors.split("degrees_at = [").nth(1).unwrap_or_else(|| panic!("{errors}"));
    let origin = cure.split(']').next().unwrap();
    let place = format!("[frame]\ndegrees_at = [{origin}]\n{place}");
    let world = build(&folder, &place, Vec2::ZERO).unwrap_or_else(|errors| panic!("{errors}"));
    let size = world.bounds().size();
    assert!(size.min_element() > 15.0 && size.max_element() < 150.0, "{size}");
    assert!(world.walls.len() > 20);
}

/// Heights of a picture and of a tile with voids become slopes; a map becomes blocked cells.
#[test]
fn landscapes_are_read() {
    let Some(data) = data() else { return };
    let png = "[ground]\nkind = \"heightmap\"\nfile = \"terrain/png16/hexMap_height.png\"\ncell = 2\nheight_scale = 0.002\ncrop = [100, 100, 300, 200]\nmax_slope = 1.5\n";
    let hgt = "[ground]\nkind = \"heightmap\"\nfile = \"terrain/srtm/N42E001.hgt\"\ncrop = [200, 300, 400, 400]\nmax_slope = 2\n";
    let map = "[ground]\nkind = \"map\"\nfile = \"movingai/dao/arena.map\"\n";
    for (name, place) in [("png", png), ("hgt", hgt), ("map", map)] {
        let world = build(&data, place, Vec2::new(25.0, 25.0));
        let world = world.unwrap_or_else(|errors| panic!("{name}: {errors}"));
        let free = world.terrain.as_slice().iter().filter(|c| c.is_finite()).count();
        assert!(free * 20 > world.terrain.cells(), "{name}: {free} free cells");
        if name == "hgt" {
            assert!((world.terrain.cell_size() - 92.66).abs() < 0.1);
            assert!(world.ground_height(Vec2::new(9000.0, 9000.0)) > 300.0);
        }
    }
}
