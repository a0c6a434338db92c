//! `Grid<T>`: a rectangle of equal square cells laid over the ground.
//!
//! Every field of the engine (cost, potential, direction, density) is a `Grid`. Cell `(x, y)` covers
//! `[origin + (x, y)·cell_size, origin + (x + 1, y + 1)·cell_size)` in metres; values live at cell
//! centres; rows are stored one after the other, row 0 first (the top row of a map picture).

use glam::Vec2;
use std::fmt;

/// The most cells a grid may hold: indices stay well inside `u32`, and `f32` grids inside 4 GiB.
pub const MAX_CELLS: usize = 1 << 30;

/// Column and row of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Column, growing with the world's x.
    pub x: u32,
    /// Row, growing with the world's y.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// Why a grid could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GridError {
    /// Width or height is zero.
    #[error("a grid of {width} x {height} cells has no cells; both sides must be at least 1")]
    Empty {
        /// Cells across.
        width: usize,
        /// Cells down.
        height: usize,
    },
    /// More cells than [`MAX_CELLS`].
    #[error(
        "a grid of {width} x {height} cells is too large; at most {MAX_CELLS} cells are supported"
    )]
    TooLarge {
        /// Cells across.
        width: usize,
        /// Cells down.
        height: usize,
    },
    /// The data does not have `width * height` values.
    #[error("{found} values for a grid of {width} x {height} cells; it needs {}", width * height)]
    WrongLength {
        /// Cells across.
        width: usize,
        /// Cells down.
        height: usize,
        /// Values given.
        found: usize,
    },
    /// Cell size is not a positive finite number, or the origin is not finite.
    #[error("cell size {cell_size} m at origin ({}, {}): the size must be positive and finite, the origin finite", origin.x, origin.y)]
    BadPlacement {
        /// Side of a cell in metres.
        cell_size: f32,
        /// World position of the corner of cell (0, 0).
        origin: Vec2,
    },
}

/// What a sample takes where it reaches over the edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge<T> {
    /// The value of the nearest cell of the grid.
    Clamp,
    /// This value.
    Value(T),
}

/// Values that can be mixed, for bilinear sampling.
pub trait Blend: Copy {
    /// `a` at `t = 0`, `b` at `t = 1`. A weight of exactly zero takes nothing from its side, so that
    /// an infinite neighbour does not leak into a sample that lies on a finite cell's centre.
    fn blend(a: Self, b: Self, t: f32) -> Self;
}

impl Blend for f32 {
    fn blend(a: Self, b: Self, t: f32) -> Self {
        if t <= 0.0 || a == b {
            a
        } else if t >= 1.0 {
            b
        } else {
            a + (b - a) * t
        }
    }
}

impl Blend for Vec2 {
    fn blend(a: Self, b: Self, t: f32) -> Self {
        Self::new(f32::blend(a.x, b.x, t), f32::blend(a.y, b.y, t))
    }
}

/// A rectangle of equal square cells with one value each.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cell_size: f32,
    origin: Vec2,
    data: Vec<T>,
}

/// Checks the size of a grid before any memory is asked for.
pub fn check_size(width: usize, height: usize) -> Result<usize, GridError> {
    if width == 0 || height == 0 {
        return Err(GridError::Empty { width, height });
    }
    match width.checked_mul(height) {
        Some(cells) if cells <= MAX_CELLS => Ok(cells),
        _ => Err(GridError::TooLarge { width, height }),
    }
}

impl<T: Clone> Grid<T> {
    /// A grid of `width` x `height` cells of 1 m with its corner at (0, 0), all holding `value`.
    pub fn filled(width: usize, height: usize, value: T) -> Result<Self, GridError> {
        let cells = check_size(width, height)?;
        Ok(Self { width, height, cell_size: 1.0, origin: Vec2::ZERO, data: vec![value; cells] })
    }
}

impl<T> Grid<T> {
    /// A grid from values in row order, cells of 1 m, corner at (0, 0).
    pub fn from_vec(width: usize, height: usize, data: Vec<T>) -> Result<Self, GridError> {
        if check_size(width, height)? != data.len() {
            let found = data.len();
            return Err(GridError::WrongLength { width, height, found });
        }
        Ok(Self { width, height, cell_size: 1.0, origin: Vec2::ZERO, data })
    }

    /// A grid whose values are `f(cell)`, cells of 1 m, corner at (0, 0).
    pub fn from_fn(
        width: usize,
        height: usize,
        mut f: impl FnMut(Cell) -> T,
    ) -> Result<Self, GridError> {
        let mut data = Vec::with_capacity(check_size(width, height)?);
        for y in 0..height as u32 {
            data.extend((0..width as u32).map(|x| f(Cell { x, y })));
        }
        Self::from_vec(width, height, data)
    }

    /// The same values with cells of `cell_size` metres and the corner of cell (0, 0) at `origin`.
    pub fn placed(mut self, cell_size: f32, origin: Vec2) -> Result<Self, GridError> {
        if !(cell_size.is_finite() && cell_size > 0.0 && origin.is_finite()) {
            return Err(GridError::BadPlacement { cell_size, origin });
        }
        self.cell_size = cell_size;
        self.origin = origin;
        Ok(self)
    }

    /// A grid of the same shape and place with other values.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid {
            width: self.width,
            height: self.height,
            cell_size: self.cell_size,
            origin: self.origin,
            data: self.data.iter().map(f).collect(),
        }
    }

    /// Cells across.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Cells down.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.data.len()
    }

    /// Side of a cell in metres.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// World position of the corner of cell (0, 0), in metres.
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// Extent in metres.
    pub fn extent(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * self.cell_size
    }

    /// All values in row order.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All values in row order, to change.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The values, in row order.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// One row's values.
    pub fn row(&self, y: usize) -> &[T] {
        &self.data[y * self.width..(y + 1) * self.width]
    }

    /// Whether both grids have the same number of columns and rows.
    pub fn same_shape<U>(&self, other: &Grid<U>) -> bool {
        self.width == other.width && self.height == other.height
    }

    /// Position of a cell in row order. The cell must be inside.
    pub fn index(&self, cell: Cell) -> usize {
        debug_assert!(self.contains(cell), "cell {cell} outside");
        cell.y as usize * self.width + cell.x as usize
    }

    /// The cell at a position in row order.
    pub fn cell_at(&self, index: usize) -> Cell {
        Cell { x: (index % self.width) as u32, y: (index / self.width) as u32 }
    }

    /// Whether the cell is one of the grid's.
    pub fn contains(&self, cell: Cell) -> bool {
        (cell.x as usize) < self.width && (cell.y as usize) < self.height
    }

    /// The cell's value, or `None` outside.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.contains(cell).then(|| &self.data[self.index(cell)])
    }

    /// The cell's value to change, or `None` outside.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        if !self.contains(cell) {
            return None;
        }
        let index = self.index(cell);
        Some(&mut self.data[index])
    }

    /// The cell that a world position lies in, or `None` outside the grid (or for NaN).
    pub fn cell_of(&self, world: Vec2) -> Option<Cell> {
        let p = (world - self.origin) / self.cell_size;
        let inside =
            p.x >= 0.0 && p.y >= 0.0 && p.x < self.width as f32 && p.y < self.height as f32;
        let cell = Cell { x: p.x as u32, y: p.y as u32 };
        inside.then_some(cell)
    }

    /// World position of a cell's centre.
    pub fn centre(&self, cell: Cell) -> Vec2 {
        self.origin + (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * self.cell_size
    }

    /// World position in cell units, where (0, 0) is the centre of cell (0, 0).
    pub fn to_centre_units(&self, world: Vec2) -> Vec2 {
        (world - self.origin) / self.cell_size - 0.5
    }
}

impl<T: Blend> Grid<T> {
    /// Bilinear sample at a world position between the four nearest cell centres.
    pub fn sample(&self, world: Vec2, edge: Edge<T>) -> T {
        let p = self.to_centre_units(world);
        let floor = p.floor();
        let t = p - floor;
        let (x, y) = (floor.x as i64, floor.y as i64);
        let at = |x: i64, y: i64| self.value_or_edge(x, y, edge);
        let top = T::blend(at(x, y), at(x.saturating_add(1), y), t.x);
        let y1 = y.saturating_add(1);
        let bottom = T::blend(at(x, y1), at(x.saturating_add(1), y1), t.x);
        T::blend(top, bottom, t.y)
    }

    fn value_or_edge(&self, x: i64, y: i64, edge: Edge<T>) -> T {
        let (w, h) = (self.width as i64, self.height as i64);
        let inside = (0..w).contains(&x) && (0..h).contains(&y);
        match edge {
            Edge::Value(value) if !inside => value,
            _ => {
                let (x, y) = (x.clamp(0, w - 1), y.clamp(0, h - 1));
                self.data[(y * w + x) as usize]
            }
        }
    }
}

impl<T> std::ops::Index<Cell> for Grid<T> {
    type Output = T;
    fn index(&self, cell: Cell) -> &T {
        assert!(
            self.contains(cell),
            "cell {cell} is outside a {} x {} grid",
            self.width,
            self.height
        );
        &self.data[cell.y as usize * self.width + cell.x as usize]
    }
}

impl<T> std::ops::IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        assert!(
            self.contains(cell),
            "cell {cell} is outside a {} x {} grid",
            self.width,
            self.height
        );
        &mut self.data[cell.y as usize * self.width + cell.x as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Grid<f32> {
        Grid::from_fn(4, 3, |c| c.x as f32 + 10.0 * c.y as f32)
            .unwrap()
            .placed(0.5, Vec2::new(-1.0, 2.0))
            .unwrap()
    }

    /// A wrong world/cell conversion would put every agent one cell off.
    #[test]
    fn world_and_cell_are_inverse() {
        let grid = ramp();
        for i in 0..grid.cells() {
            let cell = grid.cell_at(i);
            assert_eq!(grid.cell_of(grid.centre(cell)), Some(cell));
            assert_eq!(grid.index(cell), i);
        }
        assert_eq!(grid.cell_of(Vec2::new(-1.0, 2.0)), Some(Cell::new(0, 0)));
        assert_eq!(grid.cell_of(Vec2::new(-1.001, 2.0)), None);
        assert_eq!(grid.cell_of(Vec2::new(1.0, 2.0)), None, "the far edge is outside");
        assert_eq!(grid.cell_of(Vec2::new(f32::NAN, 2.0)), None);
    }

    /// Bilinear sampling reproduces a linear function between centres exactly.
    #[test]
    fn sampling_is_linear_inside_and_follows_the_edge_rule() {
        let grid = ramp();
        let p = grid.centre(Cell::new(1, 1)) + Vec2::new(0.25, 0.125);
        assert!((grid.sample(p, Edge::Clamp) - (1.5 + 10.0 * 1.25)).abs() < 1e-5);
        let far = Vec2::new(100.0, -100.0);
        assert_eq!(grid.sample(far, Edge::Clamp), 3.0);
        assert_eq!(grid.sample(far, Edge::Value(-7.0)), -7.0);
        let half_out = grid.centre(Cell::new(0, 0)) - Vec2::new(0.25, 0.0);
        assert_eq!(grid.sample(half_out, Edge::Value(8.0)), 4.0);
    }

    /// A wall's infinity must not turn a sample at a free cell's centre into NaN.
    #[test]
    fn infinity_does_not_leak_to_a_centre() {
        let mut grid = ramp();
        grid[Cell::new(2, 1)] = f32::INFINITY;
        assert_eq!(grid.sample(grid.centre(Cell::new(1, 1)), Edge::Clamp), 11.0);
        let two_walls = Grid::filled(2, 2, f32::INFINITY).unwrap();
        assert_eq!(two_walls.sample(Vec2::ONE, Edge::Clamp), f32::INFINITY);
    }

    #[test]
    fn impossible_grids_are_refused_before_memory_is_asked_for() {
        assert_eq!(Grid::filled(0, 5, 0u8), Err(GridError::Empty { width: 0, height: 5 }));
        assert!(matches!(Grid::filled(100_000, 100_000, 0.0f32), Err(GridError::TooLarge { .. })));
        assert!(matches!(Grid::filled(usize::MAX, 2, 0.0f32), Err(GridError::TooLarge { .. })));
        assert!(matches!(Grid::from_vec(2, 2, vec![1]), Err(GridError::WrongLength { .. })));
        let grid = Grid::filled(1, 1, 0.0f32).unwrap();
        assert!(grid.clone().placed(0.0, Vec2::ZERO).is_err());
        assert!(grid.placed(1.0, Vec2::new(f32::NAN, 0.0)).is_err());
    }
}
