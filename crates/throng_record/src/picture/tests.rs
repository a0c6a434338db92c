//! Tests of whole pictures: what is where, and that no map is too odd to draw.

use super::*;
use crate::draw::Rgb;
use proptest::prelude::*;

const WALL: f32 = f32::INFINITY;
/// Nothing may be drawn this near to the rim of a page; text that is would be cut off.
const EMPTY_RIM: usize = 12;

/// A ramp of distances from the left edge, with a wall across that has a gap at the bottom.
fn ramp_with_wall() -> (Grid<f32>, Grid<f32>) {
    let cost = Grid::from_fn(30, 20, |c| if c.x == 12 && c.y < 15 { WALL } else { 1.0 }).unwrap();
    let potential =
        Grid::from_fn(30, 20, |c| if cost[c] == WALL { WALL } else { c.x as f32 + 0.25 });
    (cost, potential.unwrap())
}

/// The colour in the middle of a cell.
fn at_cell(image: &Image, page: &Page, terrain: &Terrain, cell: Cell) -> Rgb {
    let middle = |i: u32| ((i as f32 + 0.5) * terrain.pixels_per_cell()) as usize;
    let (x, y) = (page.map.0 + middle(cell.x), page.map.1 + middle(cell.y));
    image.get(x, y).unwrap()
}

fn assert_rim_is_empty(image: &Image) {
    let (width, height) = (image.width(), image.height());
    for y in 0..height {
        for x in 0..width {
            let inside =
                x >= EMPTY_RIM && y >= EMPTY_RIM && x < width - EMPTY_RIM && y < height - EMPTY_RIM;
            if !inside {
                assert_eq!(image.get(x, y), Some(theme::PAGE), "ink at ({x}, {y})");
            }
        }
    }
}

/// If things are drawn in the wrong place the picture lies.
#[test]
fn walls_goals_and_paths_are_where_they_should_be() {
    let (cost, potential) = ramp_with_wall();
    let cost = cost.placed(0.5, Vec2::new(10.0, -4.0)).unwrap();
    let goal = Cell::new(1, 3);
    let path = [cost.centre(Cell::new(28, 18)), cost.centre(Cell::new(2, 18))];
    let goals = [goal];
    let picture =
        FieldPicture::new(&cost).potential(&potential, "distance (m)").goals(&goals).path(&path);
    let (image, page) = picture.draw_page().unwrap();
    let terrain = Terrain::new(&cost, Some(&potential));
    assert_eq!(terrain.scale, 40, "30 cells become 1200 pixels");
    assert_eq!(page.map_size, (1200, 800));
    let at = |x, y| at_cell(&image, &page, &terrain, Cell::new(x, y));
    assert_eq!(at(12, 3), theme::WALL);
    assert!(theme::WALL.lightness() < 0.3);
    assert_eq!(at(goal.x, goal.y), theme::ACCENT);
    assert_eq!(at(15, 18), theme::ACCENT, "the path");
    assert_eq!(at(28, 18), theme::CASING, "inside of the start's ring");
    assert_eq!(at(2, 18), theme::ACCENT, "the path's end");
    assert!(at(3, 10).lightness() > at(25, 10).lightness() + 0.2);
    assert_rim_is_empty(&image);
}

/// Lines that are missing or doubled would make distances unreadable.
#[test]
fn a_ramp_shows_one_line_per_round_value() {
    let cost = Grid::filled(101, 21, 1.0).unwrap();
    let potential = Grid::from_fn(101, 21, |c| c.x as f32).unwrap();
    let picture = FieldPicture::new(&cost).potential(&potential, "distance (m)");
    let (image, page) = picture.draw_page().unwrap();
    let terrain = Terrain::new(&cost, Some(&potential));
    let mut bare = page.blank();
    ground::draw(&mut bare, &terrain, &page);
    // Labels keep away from the map's rim, so its second row shows every line.
    let y = page.map.1 + 1;
    let is_line = |x: usize| image.get(x, y) != bare.get(x, y);
    let columns = page.map.0..page.map.0 + page.map_size.0;
    let starts = columns.filter(|&x| is_line(x) && !is_line(x - 1)).count();
    assert_eq!(starts, 20, "5, 10, 15 … 100");
    let legend = picture.legend(&terrain, lines::levels(&terrain).as_ref());
    assert_eq!(legend.bar.unwrap().note, "lines every 5, bold every 20");
}

/// A legend must name all that is in the picture and nothing else.
#[test]
fn the_legend_lists_what_is_there() {
    let labels = |picture: &FieldPicture<'_>| -> Vec<String> {
        let terrain = Terrain::new(picture.cost, picture.potential);
        let legend = picture.legend(&terrain, None);
        legend.entries.into_iter().map(|entry| entry.label).collect()
    };
    let (cost, mut potential) = ramp_with_wall();
    assert_eq!(labels(&FieldPicture::new(&cost)), ["wall"]);
    let plain = FieldPicture::new(&cost).potential(&potential, "d");
    assert_eq!(labels(&plain), ["wall"]);
    potential[Cell::new(0, 0)] = WALL;
    let mut slow = cost.clone();
    slow[Cell::new(3, 3)] = 2.5;
    let path = [Vec2::ONE, Vec2::splat(4.0)];
    let goals = [Cell::new(2, 2)];
    let full = FieldPicture::new(&slow).potential(&potential, "d").goals(&goals).path(&path);
    let expected = ["goal", "start", "path", "wall", "unreachable", "cost 1 to 2.5"];
    assert_eq!(labels(&full), expected);
}

#[test]
fn impossible_pictures_are_refused() {
    let cost = Grid::filled(4, 3, 1.0).unwrap();
    let other = Grid::filled(3, 4, 1.0).unwrap();
    let message = |picture: FieldPicture<'_>| picture.draw().unwrap_err().to_string();
    assert_eq!(
        message(FieldPicture::new(&cost).potential(&other, "")),
        "the potential has 3 x 4 cells but the cost 4 x 3; they must be the same"
    );
    assert_eq!(
        message(FieldPicture::new(&cost).goals(&[Cell::new(4, 0)])),
        "goal (4, 0) is outside the map of 4 x 3 cells"
    );
    assert_eq!(
        message(FieldPicture::new(&cost).path(&[Vec2::ZERO, Vec2::new(1.0, f32::NAN)])),
        "point 1 of the path is (1, NaN); both numbers must be finite"
    );
}

/// Fields without any range, or without anything to show, have no lines but are pictures still.
#[test]
fn fields_without_range_can_be_drawn() {
    for (cost, potential) in [
        (1.0, WALL),
        (1.0, 0.0),
        (1.0, 7.25),
        (1.0, f32::NAN),
        (1.0, f32::MAX),
        (WALL, WALL),
        (WALL, 0.0),
    ] {
        let cost = Grid::filled(6, 4, cost).unwrap();
        let potential = Grid::filled(6, 4, potential).unwrap();
        let picture = FieldPicture::new(&cost).potential(&potential, "distance to goal (cells)");
        assert_rim_is_empty(&picture.draw().unwrap());
    }
}

/// The largest maps are averaged down and take no more room than others.
#[test]
fn large_and_thin_maps_fit_on_the_page() {
    for (width, height, expected) in [
        (4096, 4096, (1366, 1366)),
        (1600, 900, (1600, 900)),
        (1601, 3, (801, 2)),
        (1, 5000, (1, 1250)),
        (5000, 1, (1250, 1)),
        (1, 1, (160, 160)),
    ] {
        let cost = Grid::filled(width, height, 1.0).unwrap();
        let distance = |c: Cell| (c.x as f32).hypot(c.y as f32);
        let potential = Grid::from_fn(width, height, distance).unwrap();
        let picture = FieldPicture::new(&cost).potential(&potential, "distance to goal (cells)");
        let (image, page) = picture.draw_page().unwrap();
        assert_eq!(page.map_size, expected);
        assert_rim_is_empty(&image);
    }
}

/// A wall one cell thick must still be visible when three cells share a pixel.
#[test]
fn averaging_keeps_thin_walls_visible() {
    let cost = Grid::from_fn(4096, 8, |c| if c.x == 2000 { WALL } else { 1.0 }).unwrap();
    let (image, page) = FieldPicture::new(&cost).draw_page().unwrap();
    let at = |x: usize| image.get(page.map.0 + x, page.map.1 + 1).unwrap().lightness();
    assert!(at(2000 / 3) < at(100) - 0.15);
}

fn odd_value() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => 0.0f32..100.0,
        1 => Just(f32::INFINITY),
        1 => Just(f32::NAN),
        1 => Just(0.0),
        1 => prop_oneof![Just(1e-40f32), Just(1e38), Just(-3.0)],
    ]
}

fn odd_grids() -> impl Strategy<Value = (Grid<f32>, Grid<f32>)> {
    let side = || prop_oneof![1usize..6, 6usize..40];
    (side(), side()).prop_flat_map(|(width, height)| {
        let values = || prop::collection::vec(odd_value(), width * height);
        (values(), values()).prop_map(move |(cost, potential)| {
            let grid = |values| Grid::from_vec(width, height, values).unwrap();
            (grid(cost), grid(potential))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever numbers a caller passes, the picture is drawn whole and nothing is cut off.
    #[test]
    fn any_field_of_any_size_can_be_drawn(
        (cost, potential) in odd_grids(),
        title in "[a-z \n→]{0,120}",
        with_potential in any::<bool>(),
        far in -1e6f32..1e6,
    ) {
        let last = Cell::new(cost.width() as u32 - 1, cost.height() as u32 - 1);
        let path = [Vec2::ZERO, Vec2::new(far, 1.0), cost.centre(last)];
        let goals = [Cell::new(0, 0), last];
        let mut picture = FieldPicture::new(&cost)
            .goals(&goals)
            .path(&path[..(far as usize) % 4])
            .title(&title)
            .subtitle(&title);
        if with_potential {
            picture = picture.potential(&potential, &title);
        }
        let image = picture.draw().unwrap();
        assert_rim_is_empty(&image);
        prop_assert!(image.width() <= 2200 && image.height() <= 2200);
    }
}
