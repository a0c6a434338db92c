//! Flat charts into a square: coarse masks, largest first, each at the first place where it fits.

use glam::Vec2;

/// Cells of the square along a side; a chart keeps at least one free cell to the next.
const CELLS: usize = 256;

/// Triangles of the mesh, laid flat.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) faces: Vec<usize>,
    pub(super) flat: Vec<[Vec2; 3]>,
}

impl Chart {
    /// Whether a triangle lies over one that is there: any of a few points within both.
    pub(super) fn covers(&self, triangle: &[Vec2; 3]) -> bool {
        let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        let probes = [
            middle,
            middle.lerp(triangle[0], 0.8),
            middle.lerp(triangle[1], 0.8),
            middle.lerp(triangle[2], 0.8),
        ];
        let overlaps = |own: &[Vec2; 3]| {
            let own_middle = (own[0] + own[1] + own[2]) / 3.0;
            within(triangle, own_middle) || probes.iter().any(|p| within(own, *p))
        };
        self.flat.iter().any(overlaps)
    }

    /// Turns the chart so that its box is smallest, and moves that to 0.
    pub(super) fn settle(&mut self) {
        let turned = |angle: f32| {
            let turn = Vec2::from_angle(angle);
            let all = self.flat.iter().flatten().map(|p| turn.rotate(*p));
            let far = Vec2::INFINITY;
            all.fold([far, -far], |[a, b], p| [a.min(p), b.max(p)])
        };
        let area = |angle: f32| {
            let [low, high] = turned(angle);
            (high - low).element_product()
        };
        let angles = (0..18).map(|i| (i as f32 * 5.0).to_radians());
        let best = angles.min_by(|a, b| area(*a).total_cmp(&area(*b))).unwrap_or(0.0);
        let low = turned(best)[0];
        let turn = Vec2::from_angle(best);
        self.flat.iter_mut().flatten().for_each(|p| *p = turn.rotate(*p) - low);
    }

    fn size(&self) -> Vec2 {
        self.flat.iter().flatten().fold(Vec2::ZERO, |a, p| a.max(*p))
    }

    /// Cells that the chart touches at a scale in cells, with a free cell around.
    fn mask(&self, scale: f32) -> Mask {
        let size = (self.size() * scale).ceil() + 3.0;
        let (width, height) = (size.x as usize, size.y as usize);
        let mut cells = vec![false; width * height];
        for triangle in &self.flat {
            let t = triangle.map(|p| p * scale + 1.0);
            let low = (t[0].min(t[1]).min(t[2]) - 1.0).max(Vec2::ZERO).floor();
            let high = t[0].max(t[1]).max(t[2]) + 1.0;
            for y in low.y as usize..=(high.y as usize).min(height - 1) {
                for x in low.x as usize..=(high.x as usize).min(width - 1) {
                    let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    // A cell whose middle is within its diagonal of the triangle.
                    if distance(&t, centre) < 0.75 {
                        cells[y * width + x] = true;
                    }
                }
            }
        }
        Mask { width, height, cells }
    }
}

struct Mask {
    width: usize,
    height: usize,
    cells: Vec<bool>,
}

fn within(t: &[Vec2; 3], p: Vec2) -> bool {
    let side = |a: Vec2, b: Vec2| (b - a).perp_dot(p - a);
    side(t[0], t[1]) > 0.0 && side(t[1], t[2]) > 0.0 && side(t[2], t[0]) > 0.0
}

/// Distance of a point to a triangle; 0 within.
pub(crate) fn distance(t: &[Vec2; 3], p: Vec2) -> f32 {
    if within(t, p) {
        return 0.0;
    }
    let to_edge = |a: Vec2, b: Vec2| {
        let along = b - a;
        let s = ((p - a).dot(along) / along.length_squared().max(1e-20)).clamp(0.0, 1.0);
        p.distance(a + along * s)
    };
    to_edge(t[0], t[1]).min(to_edge(t[1], t[2])).min(to_edge(t[2], t[0]))
}

/// Where charts are in the square, and how large.
pub(super) struct Places {
    scale: f32,
    corners: Vec<Vec2>,
}

impl Places {
    /// A flat point of a chart in the atlas.
    pub(super) fn place(&self, chart: usize, flat: Vec2) -> Vec2 {
        (self.corners[chart] + flat * self.scale + 1.0) / CELLS as f32
    }
}

/// Places all charts at the greatest common scale that is found.
pub(super) fn pack(charts: &[Chart]) -> Places {
    let area: f32 = charts
        .iter()
        .map(|c| c.flat.iter().map(|t| (t[1] - t[0]).perp_dot(t[2] - t[0]) * 0.5).sum::<f32>())
        .sum();
    let mut order: Vec<usize> = (0..charts.len()).collect();
    order.sort_by(|a, b| {
        charts[*b].size().max_element().total_cmp(&charts[*a].size().max_element()).then(a.cmp(b))
    });
    let mut scale = CELLS as f32 * (0.80 / area.max(1e-9)).sqrt();
    loop {
        if let Some(corners) = try_scale(charts, &order, scale) {
            return Places { scale, corners };
        }
        scale *= 0.965;
    }
}

fn try_scale(charts: &[Chart], order: &[usize], scale: f32) -> Option<Vec<Vec2>> {
    let mut taken = vec![false; CELLS * CELLS];
    let mut corners = vec![Vec2::ZERO; charts.len()];
    for &c in order {
        let mask = charts[c].mask(scale);
        let list: Vec<(usize, usize)> = (0..mask.cells.len())
            .filter(|i| mask.cells[*i])
            .map(|i| (i % mask.width, i / mask.width))
            .collect();
        if mask.width > CELLS || mask.height > CELLS {
            return None;
        }
        let spots =
            (0..=CELLS - mask.height).flat_map(|y| (0..=CELLS - mask.width).map(move |x| (x, y)));
        let mut spots = spots.into_iter();
        let (x, y) =
            spots.find(|(x, y)| list.iter().all(|(i, j)| !taken[(y + j) * CELLS + x + i]))?;
        for (i, j) in list {
            taken[(y + j) * CELLS + x + i] = true;
        }
        corners[c] = Vec2::new(x as f32, y as f32);
    }
    Some(corners)
}
