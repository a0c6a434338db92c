//! A maze: a perfect maze carved depth first, with a few walls opened so that there are ways round.

use super::hash::Chance;
use super::{at_least, filled, recipe_fault};
use crate::{BLOCKED, FREE, MapError};
use throng_field::{Cell, Grid};

/// After the maze is carved, one wall is opened for this many rooms.
const ROOMS_PER_OPENING: usize = 50;

/// A maze with corridors `corridor` cells wide between walls one cell thick.
///
/// The maze has as many rooms as fit; what is left over at the right and the bottom is wall. Fails
/// if `corridor` is 0 or the size is below `corridor + 2`.
pub fn maze(
    width: usize,
    height: usize,
    corridor: usize,
    seed: u64,
) -> Result<Grid<f32>, MapError> {
    if corridor == 0 {
        let problem = "corridors of width 0".into();
        return Err(recipe_fault("maze", problem, "make them at least 1 cell wide"));
    }
    at_least("maze", width, height, corridor.saturating_add(2))?;
    let mut maze = Maze {
        map: filled("maze", width, height, BLOCKED)?,
        across: (width - 1) / (corridor + 1),
        down: (height - 1) / (corridor + 1),
        corridor,
        chance: Chance::new(seed, 0x6d61_7a65),
    };
    maze.carve();
    maze.open_more();
    maze.clear_lone_posts();
    Ok(maze.map)
}

struct Maze {
    map: Grid<f32>,
    across: usize,
    down: usize,
    corridor: usize,
    chance: Chance,
}

impl Maze {
    /// Walks from room to room not yet seen, back where there is none, until all are seen.
    fn carve(&mut self) {
        let rooms = self.across * self.down;
        let mut seen = vec![false; rooms];
        let mut way = vec![self.chance.below(rooms)];
        seen[way[0]] = true;
        self.clear_room(way[0]);
        while let Some(&room) = way.last() {
            let mut choices = [0; 4];
            let mut count = 0;
            for next in self.beside(room).into_iter().flatten() {
                if !seen[next] {
                    choices[count] = next;
                    count += 1;
                }
            }
            if count == 0 {
                way.pop();
                continue;
            }
            let next = choices[self.chance.below(count)];
            seen[next] = true;
            self.clear_room(next);
            self.open_wall(room, next);
            way.push(next);
        }
    }

    /// Opens a few more walls, so that some places have two ways.
    fn open_more(&mut self) {
        let rooms = self.across * self.down;
        for _ in 0..rooms / ROOMS_PER_OPENING {
            let room = self.chance.below(rooms);
            let side = self.chance.below(4);
            if let Some(next) = self.beside(room)[side] {
                self.open_wall(room, next);
            }
        }
    }

    /// Clears the corner posts that the openings have left without any wall.
    fn clear_lone_posts(&mut self) {
        let pitch = self.corridor + 1;
        for (row, column) in (1..self.down).flat_map(|r| (1..self.across).map(move |c| (r, c))) {
            let (x, y) = ((column * pitch) as u32, (row * pitch) as u32);
            let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            if beside.iter().all(|&(x, y)| self.map[Cell::new(x, y)].is_finite()) {
                self.map[Cell::new(x, y)] = FREE;
            }
        }
    }

    /// The rooms to the left, right, above and below, where they exist.
    fn beside(&self, room: usize) -> [Option<usize>; 4] {
        let x = room % self.across;
        [
            (x > 0).then(|| room - 1),
            (x + 1 < self.across).then_some(room + 1),
            room.checked_sub(self.across),
            (room + self.across < self.across * self.down).then_some(room + self.across),
        ]
    }

    /// The top left cell of a room.
    fn corner(&self, room: usize) -> (usize, usize) {
        let pitch = self.corridor + 1;
        (room % self.across * pitch + 1, room / self.across * pitch + 1)
    }

    fn clear_room(&mut self, room: usize) {
        let (x, y) = self.corner(room);
        self.clear(x, y, self.corridor, self.corridor);
    }

    /// Opens the wall between two rooms side by side.
    fn open_wall(&mut self, a: usize, b: usize) {
        let (x, y) = self.corner(a.max(b));
        if a.abs_diff(b) == 1 && self.across > 1 {
            self.clear(x - 1, y, 1, self.corridor);
        } else {
            self.clear(x, y - 1, self.corridor, 1);
        }
    }

    fn clear(&mut self, x: usize, y: usize, width: usize, height: usize) {
        for row in y..y + height {
            for column in x..x + width {
                self.map[Cell::new(column as u32, row as u32)] = FREE;
            }
        }
    }
}
