//! Numbers on the ground.

use throng::Crowd;
use throng_field::Grid;
use throng_render::{Drape, RAMP, RenderError, Renderer};

use super::{COOL, Layer, WARM, round_step};

/// A grid of numbers and how it is to be seen.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    values: Grid<f32>,
    pub(crate) range: [f32; 2],
    ramp: [[u8; 4]; RAMP],
    contour: f32,
    cells: bool,
}

impl Ground {
    pub(crate) fn drape(&self) -> Drape<'_> {
        Drape {
            values: &self.values,
            range: self.range,
            ramp: self.ramp,
            contour: self.contour,
            cells: self.cells,
        }
    }
}

/// What a layer lays on the ground, if it does.
pub(crate) fn ground(crowd: &Crowd, layer: Layer, field: (u8, u16)) -> Option<Ground> {
    let smooth =
        |values: Grid<f32>, range, ramp| Ground { values, range, ramp, contour: 0.0, cells: false };
    match layer {
        Layer::Cost => {
            let cost = crowd.field(field.0, field.1)?.cost.clone();
            let range = [lowest(&cost), share(&cost, 0.985)];
            Some(smooth(cost, range, opaque(&WARM, 205)))
        }
        Layer::Potential => {
            let potential = crowd.field(field.0, field.1)?.potential.clone();
            let range = [0.0, share(&potential, 1.0)];
            let contour = round_step(range[1], 24.0);
            Some(Ground { contour, ..smooth(potential, range, opaque(&COOL, 190)) })
        }
        Layer::Directions => {
            let potential = crowd.field(field.0, field.1)?.potential.clone();
            let range = [0.0, share(&potential, 1.0)];
            Some(smooth(potential, range, opaque(&COOL, 80)))
        }
        Layer::Density => {
            let density = crowd.density().clone();
            // Bare ground stays as it is.
            let mut ramp = opaque(&WARM, 225);
            ramp[0][3] = 0;
            let most = share(&density, 1.0).clamp(1.0, 6.0);
            Some(smooth(density, [0.0, most], ramp))
        }
        Layer::Bins => {
            let (frame, counts) = crowd.bins();
            let counts: Vec<f32> = counts.map(|n| n as f32).collect();
            let values = Grid::from_vec(frame.columns, frame.rows, counts).ok()?;
            let values = values.placed(frame.size, frame.origin).ok()?;
            let mut ramp = opaque(&COOL, 215);
            ramp[0][3] = 40;
            let most = share(&values, 1.0).max(4.0);
            Some(Ground { cells: true, ..smooth(values, [0.0, most], ramp) })
        }
        Layer::None
        | Layer::Speed
        | Layer::Detail
        | Layer::Culled
        | Layer::Trample
        | Layer::Wear
        | Layer::GrassTiles
        | Layer::GrassForms => None,
    }
}

/// What a layer of the grass lays on the ground, if it does. Waits for the device.
pub(crate) fn grass(renderer: &Renderer, layer: Layer) -> Result<Option<Ground>, RenderError> {
    let shown = |values: Grid<f32>, high: f32, ramp: [[u8; 4]; RAMP], cells: bool| {
        Some(Ground { values, range: [0.0, high], ramp, contour: 0.0, cells })
    };
    // What nothing happens to stays as it is.
    let clear = |mut ramp: [[u8; 4]; RAMP]| {
        ramp[0][3] = 0;
        ramp
    };
    Ok(match layer {
        Layer::Trample | Layer::Wear => renderer.trample_map()?.and_then(|[strength, wear]| {
            let values = if layer == Layer::Trample { strength } else { wear };
            shown(coarser(values, MOST_TEXELS), 1.0, clear(opaque(&WARM, 225)), false)
        }),
        Layer::GrassTiles => {
            let tiles = renderer.grass_tiles()?;
            tiles.and_then(|values| shown(values, 2.0, clear(opaque(&COOL, 200)), true))
        }
        _ => None,
    })
}

/// Cells of a grid on the ground along a side, at most.
const MOST_TEXELS: usize = 1024;

/// A grid of fewer cells: the greatest number of each.
fn coarser(grid: Grid<f32>, most: usize) -> Grid<f32> {
    let by = grid.width().max(grid.height()).div_ceil(most);
    if by <= 1 {
        return grid;
    }
    let (w, h) = (grid.width().div_ceil(by), grid.height().div_ceil(by));
    let made = Grid::from_fn(w, h, |cell| {
        let (x, y) = (cell.x as usize * by, cell.y as usize * by);
        let rows = (y..(y + by).min(grid.height())).map(|y| grid.row(y));
        rows.flat_map(|row| &row[x..(x + by).min(row.len())]).copied().fold(0.0, f32::max)
    });
    let placed = made.ok().and_then(|m| m.placed(grid.cell_size() * by as f32, grid.origin()).ok());
    placed.unwrap_or(grid)
}

fn opaque(ramp: &[[u8; 3]; RAMP], alpha: u8) -> [[u8; 4]; RAMP] {
    ramp.map(|[r, g, b]| [r, g, b, alpha])
}

fn lowest(grid: &Grid<f32>) -> f32 {
    grid.as_slice().iter().copied().filter(|v| v.is_finite()).fold(f32::INFINITY, f32::min).min(1e9)
}

/// The number that this share of all cells does not pass: a few extremes must not take all the colours.
fn share(grid: &Grid<f32>, share: f64) -> f32 {
    let mut all: Vec<f32> = grid.as_slice().iter().copied().filter(|v| v.is_finite()).collect();
    if all.is_empty() {
        return 1.0;
    }
    let place = ((all.len() - 1) as f64 * share) as usize;
    *all.select_nth_unstable_by(place, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::{Layer, ground};
    use throng::{BuildOptions, Crowd, CrowdOptions, Scene};
    use throng_field::Grid;

    /// If this fails, a trail between two cells of a coarser grid is lost.
    #[test]
    fn coarser_grids_keep_the_greatest() {
        let grid = Grid::from_fn(7, 5, |c| if (c.x, c.y) == (6, 4) { 3.0 } else { 0.1 }).unwrap();
        let half = super::coarser(grid.clone(), 4);
        assert_eq!((half.width(), half.height(), half.cell_size()), (4, 3, 2.0));
        assert_eq!(half.row(2)[3], 3.0);
        assert_eq!(super::coarser(grid, 7).width(), 7);
    }

    /// If this fails, an overlay shows nothing, or numbers of something else.
    #[test]
    fn each_layer_shows_its_numbers() {
        let options = BuildOptions { agents: Some(500), ..BuildOptions::default() };
        let world = Scene::open("froblins").unwrap().build(&options).unwrap();
        let dt = world.dt;
        let mut crowd = Crowd::new(world, CrowdOptions::default()).unwrap();
        for _ in 0..30 {
            crowd.step(dt).unwrap();
        }
        let of = |layer| ground(&crowd, layer, (0, 0));
        for layer in [Layer::Cost, Layer::Potential, Layer::Directions] {
            let ground = of(layer).unwrap();
            assert_eq!(ground.values.cells(), crowd.world().terrain.cells());
            assert!(ground.range[1] > ground.range[0], "{layer:?} {:?}", ground.range);
        }
        assert!(of(Layer::Potential).unwrap().contour > 0.0);
        let bins = of(Layer::Bins).unwrap();
        assert_eq!(bins.values.as_slice().iter().sum::<f32>() as usize, crowd.len());
        let density = of(Layer::Density).unwrap();
        let people: f32 =
            density.values.as_slice().iter().sum::<f32>() * density.values.cell_size().powi(2);
        assert!((people - crowd.len() as f32).abs() < 0.02 * people, "{people}");
        let bodies = [Layer::None, Layer::Speed, Layer::Detail, Layer::Culled];
        for layer in bodies.into_iter().chain(Layer::GRASS) {
            assert!(of(layer).is_none());
        }
        assert!(ground(&crowd, Layer::Cost, (200, 9)).is_none());
    }
}
