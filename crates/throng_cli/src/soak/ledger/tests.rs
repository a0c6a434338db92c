//! Crowds that are wrong on purpose: each wrong must be caught, and nothing else.

use super::*;
use throng_field::Cell;

const DT: f32 = 0.1;

/// A crowd that can be spoiled.
#[derive(Clone)]
struct Made {
    ids: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
    heading_x: Vec<f32>,
    heading_y: Vec<f32>,
    radius: Vec<f32>,
    free_speed: Vec<f32>,
    spawned: u64,
    removed: u64,
}

impl Made {
    /// People who stand in a row of 100 and look right; more than one task has to look.
    fn standing(count: u32) -> Self {
        let all = |value: f32| vec![value; count as usize];
        Self {
            ids: (0..count).rev().collect(),
            x: (0..count).map(|i| 10.0 + (i % 100) as f32 * 0.5).collect(),
            y: (0..count).map(|i| 10.0 + (i / 100) as f32 * 0.5).collect(),
            vx: all(0.0),
            vy: all(0.0),
            heading_x: all(1.0),
            heading_y: all(0.0),
            radius: all(0.2),
            free_speed: all(1.3),
            spawned: u64::from(count),
            removed: 0,
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            ids: &self.ids,
            x: &self.x,
            y: &self.y,
            vx: &self.vx,
            vy: &self.vy,
            heading_x: &self.heading_x,
            heading_y: &self.heading_y,
            radius: &self.radius,
            free_speed: &self.free_speed,
            spawned: self.spawned,
            removed: self.removed,
        }
    }

    /// Everything but the IDs.
    fn columns(&mut self) -> [&mut Vec<f32>; 8] {
        [
            &mut self.x,
            &mut self.y,
            &mut self.vx,
            &mut self.vy,
            &mut self.heading_x,
            &mut self.heading_y,
            &mut self.radius,
            &mut self.free_speed,
        ]
    }

    fn drop_at(&mut self, i: usize) {
        self.ids.remove(i);
        for column in self.columns() {
            column.remove(i);
        }
    }

    /// One more, like the first.
    fn add(&mut self, id: u32) {
        self.ids.push(id);
        for column in self.columns() {
            column.push(column[0]);
        }
    }
}

/// An open place of 100 x 100 m with a wall from 80 to 90, 80 to 90.
fn place() -> Grid<f32> {
    let mut grid = Grid::filled(200, 200, 8.0).unwrap().placed(0.5, Vec2::ZERO).unwrap();
    for y in 150..190 {
        for x in 150..190 {
            let inside = (160..180).contains(&x) && (160..180).contains(&y);
            grid[Cell::new(x, y)] = if inside { -0.5 } else { 0.3 };
        }
    }
    grid
}

fn limits(clearance: &Grid<f32>) -> Limits<'_> {
    let bounds = Rect { min: Vec2::ZERO, max: Vec2::splat(100.0) };
    Limits { clearance, bounds, fastest: 1.5, acceleration: 10.0, turn_rate: 6.0, dt: DT }
}

/// What is said of a crowd whose step was spoiled; first a look and two good steps.
fn found(spoil: impl Fn(&mut Made)) -> Result<Worst, Violation> {
    let clearance = place();
    let mut made = Made::standing(5000);
    let mut ledger = Ledger::default();
    ledger.take(&made.bodies()).unwrap();
    for _ in 0..2 {
        ledger.check(&made.bodies(), &limits(&clearance)).unwrap();
    }
    spoil(&mut made);
    ledger.check(&made.bodies(), &limits(&clearance))
}

fn says(found: Result<Worst, Violation>, agent: u32, words: &str) {
    let violation = found.expect_err(words);
    assert_eq!(violation.agent, Some(agent), "{violation}");
    assert!(violation.what.contains(words), "{violation}");
}

/// The soak would end at once.
#[test]
fn a_sound_crowd_passes() {
    let worst = found(|_| {}).unwrap();
    assert_eq!((worst.speed, worst.acceleration, worst.turn), (0.0, 0.0, 0.0));
    assert!(worst.clearance > 7.9);
    // Allowed: walking off, a turn to the limit, a birth, a death.
    let worst = found(|made| {
        made.vx[7] = 0.99;
        (made.heading_x[9], made.heading_y[9]) = (0.59_f32.cos(), 0.59_f32.sin());
        made.add(5000);
        made.drop_at(3000);
        made.spawned += 1;
        made.removed += 1;
    });
    let worst = worst.unwrap();
    assert!((worst.acceleration - 0.99).abs() < 1e-3, "{worst:?}");
    assert!((worst.turn - 0.59 / 0.6).abs() < 1e-3, "{worst:?}");
    assert!((worst.speed - 0.99 / 1.95).abs() < 1e-3, "{worst:?}");
}

/// A NaN, or a heading that is none, would go through the soak.
#[test]
fn numbers_that_are_none_are_caught() {
    // Agent 4999 - i is at i; 4100 lies in the third task.
    says(found(|made| made.x[4100] = f32::NAN), 899, "NaN");
    says(found(|made| made.y[1] = f32::INFINITY), 4998, "inf");
    says(found(|made| made.vx[2] = f32::NAN), 4997, "NaN");
    says(found(|made| made.vy[3] = f32::NEG_INFINITY), 4996, "inf");
    says(found(|made| made.heading_x[4] = f32::NAN), 4995, "NaN");
    says(found(|made| made.heading_x[5] = 0.9), 4994, "heading of length 0.9");
    says(found(|made| made.free_speed[6] = f32::NAN), 4993, "maximum");
}

/// Somebody lost or doubled would go through the soak.
#[test]
fn who_is_lost_or_doubled_is_caught() {
    says(found(|made| made.ids[4000] = made.ids[7]), made_id(7), "twice");
    says(found(|made| made.drop_at(4000)), made_id(4000), "lost");
    // Lost, with another in its place.
    let swapped = found(|made| {
        made.drop_at(4000);
        made.add(5000);
        made.spawned += 1;
    });
    says(swapped, made_id(4000), "lost");
    says(found(|made| made.add(5000)), 5000, "number beyond");
    says(found(|made| made.ids[3] = u32::MAX - 3), u32::MAX - 3, "number beyond");
    // Counted as gone, but still there; counted as new, but not there.
    assert!(found(|made| made.removed += 1).is_err());
    assert!(found(|made| made.spawned += 1).is_err());
}

fn made_id(i: u32) -> u32 {
    4999 - i
}

/// The dead would walk again.
#[test]
fn who_comes_back_is_caught() {
    let clearance = place();
    let mut made = Made::standing(100);
    let mut ledger = Ledger::default();
    ledger.take(&made.bodies()).unwrap();
    made.drop_at(40);
    made.removed += 1;
    ledger.check(&made.bodies(), &limits(&clearance)).unwrap();
    made.add(59);
    made.spawned += 1;
    says(ledger.check(&made.bodies(), &limits(&clearance)), 59, "came back");
}

/// An edit that loses somebody would go through the soak.
#[test]
fn edits_are_held_to_account_too() {
    let mut made = Made::standing(100);
    let mut ledger = Ledger::default();
    ledger.take(&made.bodies()).unwrap();
    // Put aside by a wall: no limit holds, but all are there. One came and was removed at once.
    (made.x[3], made.vx[4]) = (50.0, 9.0);
    made.spawned += 1;
    made.removed += 1;
    ledger.take(&made.bodies()).unwrap();
    made.drop_at(5);
    assert!(ledger.take(&made.bodies()).unwrap_err().what.contains("lost"));
}

/// Somebody in a wall, or off the world, would go through the soak.
#[test]
fn who_is_where_nobody_can_be_is_caught() {
    says(found(|made| (made.x[11], made.y[11]) = (85.0, 85.0)), 4988, "inside a wall");
    says(found(|made| made.y[12] += 0.2), 4987, "far in a step");
    says(found(|made| made.x[12] = 100.1), 4987, "off the world");
}

/// Somebody too fast would go through the soak.
#[test]
fn who_breaks_a_limit_is_caught() {
    says(found(|made| made.vx[13] = 1.96), 4986, "m/s, its maximum is 1.9");
    says(found(|made| made.vy[14] = 1.1), 4985, "accelerates by 11");
    let turned = |angle: f32| {
        found(move |made| (made.heading_x[15], made.heading_y[15]) = (angle.cos(), angle.sin()))
    };
    says(turned(0.61), 4984, "turns by 6.");
    says(turned(-0.61), 4984, "turns by 6.");
    says(turned(3.1), 4984, "turns by 3");
}

/// A body that bumps into a wall would be taken for a fault.
#[test]
fn a_wall_or_the_edge_may_stop_somebody_at_once() {
    let at = |x: f32, y: f32| {
        let clearance = place();
        let mut made = Made::standing(3);
        (made.x[1], made.y[1], made.vx[1]) = (x, y, 1.9);
        let mut ledger = Ledger::default();
        ledger.take(&made.bodies()).unwrap();
        made.vx[1] = 0.0;
        ledger.check(&made.bodies(), &limits(&clearance))
    };
    assert!(at(50.0, 50.0).is_err());
    assert!(at(78.0, 78.0).is_ok(), "near the wall");
    assert!(at(99.7, 50.0).is_ok(), "at the edge");
}
