//! Contacts once more, slowly: all pairs, in double precision. Who touches whom can fall either way
//! where a distance equals the sum of radii but for rounding: such agents are left out, and few.

use glam::{DVec2, Vec2};

use super::contact::{
    Contact, NEAR, Prediction, Pushed, SOFTNESS, SURGE, contacts, predict, surge_at, surge_of,
};
use super::cpu::{MoveInput, move_all, slide};
use crate::agents::{Agents, MOVING};
use crate::bin::Binning;
use crate::dice::{self, Dice, Layout};
use crate::lanes::{Isa, WIDTH};
use crate::random::{self, Purpose};
use crate::tables::Tables;
use crate::walls::{AT_WALL, Walls};

/// A crowd about to take a step.
struct Case {
    agents: Agents,
    binning: Binning,
    next: [Vec<f32>; 2],
    push: Vec<f32>,
    velocity: Vec<Vec2>,
    /// Twice as far as anybody goes (metres): a pass may push once more as far.
    longest: f32,
    dt: f32,
    left_over: f32,
}

impl Case {
    fn new(dice: &mut Dice, layout: Layout, most: usize) -> Self {
        let world = dice::world(dice, false);
        let (agents, binning) = dice::crowd(dice, &world, layout, most);
        let len = agents.len();
        // Some go with their velocity, some jump, some stay where they are.
        let longest = [0.02, 0.1, 0.4][dice.below(3)];
        let jump = dice.below(2) as f32 * 0.5 * longest;
        let mut next = [agents.x.clone(), agents.y.clone()];
        next.iter_mut().for_each(|n| n.resize(len + WIDTH, f32::NAN));
        let [next_x, next_y] = &mut next;
        for (x, y) in next_x.iter_mut().zip(next_y).take(len) {
            let by = dice.direction() * dice.between(0.0, jump);
            (*x, *y) = (*x + by.x, *y + by.y);
        }
        let mut push: Vec<f32> = (0..len).map(|_| dice.between(0.5, 3.0)).collect();
        push.resize(len + WIDTH, f32::NAN);
        let velocity = (0..len).map(|_| dice.direction() * dice.between(0.0, 2.0)).collect();
        Self {
            agents,
            binning,
            next,
            push,
            velocity,
            longest,
            dt: [0.01, 0.05, 0.2][dice.below(3)],
            left_over: [0.0, 0.3, 0.8][dice.below(3)],
        }
    }

    fn input(&self, isa: Isa) -> Contact<'_> {
        Contact {
            bins: self.binning.bins(),
            next_x: &self.next[0],
            next_y: &self.next[1],
            push: &self.push,
            widest: self.agents.radius[..self.agents.len()].iter().copied().fold(0.0, f32::max),
            longest: self.longest,
            stiffness: 1.2,
            comfort: 0.04,
            left_over: self.left_over,
            per_dt: 1.0 / self.dt,
            isa,
        }
    }

    /// Velocities and marks after a pass; `marks` only for later passes.
    fn run(&self, isa: Isa, near: Option<&[bool]>) -> (Vec<Vec2>, Vec<bool>) {
        let mut velocity = self.velocity.clone();
        let len = velocity.len();
        let mut out = near.map_or_else(|| Pushed::marked(&vec![false; len]), Pushed::marked);
        contacts(&self.input(isa), &self.agents, near.is_none(), &mut velocity, &mut out);
        (velocity, out.marks(len))
    }
}

/// What the contacts of an agent come to.
struct Touch {
    velocity: DVec2,
    touches: bool,
    /// Who is near.
    near: Vec<usize>,
    /// Somebody is at the very edge of touching, or of being near.
    doubt: bool,
}

fn reference(case: &Case, i: usize) -> Touch {
    let input = case.input(Isa::Portable);
    let at = |i: usize| DVec2::new(case.next[0][i].into(), case.next[1][i].into());
    let radius = |i: usize| f64::from(case.agents.radius[i]);
    let (comfort, near) = (f64::from(input.comfort), f64::from(NEAR));
    let (mut sum, mut touching) = (DVec2::ZERO, 0);
    let velocity = case.velocity[i].as_dvec2();
    let mut out = Touch { velocity, touches: false, near: Vec::new(), doubt: false };
    for j in (0..case.agents.len()).filter(|j| *j != i) {
        let from = at(i) - at(j);
        let gap = from.length() - radius(i) - radius(j);
        out.doubt |= (gap - comfort).abs() < 1e-5 || (gap - comfort - near).abs() < 1e-5;
        if gap < comfort + near {
            out.near.push(j);
        }
        if gap >= comfort {
            continue;
        }
        touching += 1;
        // The shell gives way softly, the bodies do not; and part of an overlap may be left.
        let depth =
            |gap: f64| (comfort - gap).clamp(0.0, comfort) * f64::from(SOFTNESS) + (-gap).max(0.0);
        let now = |i: usize| case.agents.position(i).as_dvec2();
        let before = now(i).distance(now(j)) - radius(i) - radius(j);
        let undone = (depth(gap) - f64::from(case.left_over) * depth(before)).max(0.0);
        let mut away = from.normalize_or_zero();
        if from.length() < 2e-4 {
            out.doubt |= from != DVec2::ZERO;
            away = out_of_one_spot(case.agents.id[i], case.agents.id[j]);
        }
        let (mine, its) = (f64::from(case.push[i]), f64::from(case.push[j]));
        sum += away * undone * its / (mine + its);
    }
    if touching > 0 {
        let share = f64::from(input.stiffness) / (0.5 + 0.5 * f64::from(touching));
        out.velocity += sum * share / f64::from(case.dt);
        out.touches = true;
    }
    out
}

/// Two in one spot go opposite ways, which depend on nothing but who they are.
fn out_of_one_spot(me: u32, other: u32) -> DVec2 {
    let (low, high) = (me.min(other), me.max(other));
    let turn = random::unit(u64::from(low), high, 0, Purpose::Apart);
    let way = DVec2::from_angle(f64::from(turn) * std::f64::consts::TAU);
    if me == low { way } else { -way }
}

/// If this fails, bodies overlap, or fly apart. Velocities are compared to 1e-4 of the change and
/// 1e-4 m/s; no more than 250 people, so that nobody is left out as in a crush.
#[test]
fn contacts_are_those_of_all_pairs() {
    let mut dice = Dice::new(21);
    let (mut all, mut doubtful, mut touching) = (0, 0, 0);
    for k in 0..4320 {
        // Pairs are cheap and tell most of who is just within reach.
        let usual = Layout::ALL[k / 8 % Layout::ALL.len()];
        let layout = if k % 8 == 0 { usual } else { Layout::Pairs };
        let case = Case::new(&mut dice, layout, 250);
        let (velocity, near) = case.run(Isa::Best, None);
        let wanted: Vec<Touch> = (0..velocity.len()).map(|i| reference(&case, i)).collect();
        for (i, want) in wanted.iter().enumerate() {
            all += 1;
            if want.doubt || want.near.iter().any(|j| wanted[*j].doubt) {
                doubtful += 1;
                continue;
            }
            let marked = want.touches || want.near.iter().any(|j| wanted[*j].touches);
            assert_eq!(near[i], marked, "{i} of {}", near.len());
            let change = (want.velocity - case.velocity[i].as_dvec2()).length();
            touching += usize::from(change > 0.0);
            let off = (velocity[i].as_dvec2() - want.velocity).length();
            // The nearer two are, the less sure is the way from one to the other.
            assert!(off < 1e-4 + 1e-3 * change, "{} not {}", velocity[i], want.velocity);
        }
    }
    assert!(touching * 4 > all, "{touching} of {all} touch");
    assert!(doubtful * 20 < all, "{doubtful} of {all} in doubt");
}

/// If this fails, later passes touch those they should leave alone, or leave those they should touch.
#[test]
fn later_passes_look_only_at_those_marked() {
    let mut dice = Dice::new(22);
    for k in 0..160 {
        let case = Case::new(&mut dice, Layout::ALL[k % Layout::ALL.len()], 200);
        let first = case.run(Isa::Best, None);
        let asked: Vec<bool> = first.1.iter().map(|_| dice.chance(0.5)).collect();
        let later = case.run(Isa::Best, Some(&asked));
        for (i, asked) in asked.iter().enumerate() {
            let want = if *asked { first.0[i] } else { case.velocity[i] };
            assert_eq!(later.0[i], want);
            assert!(first.1[i] || !later.1[i], "marked by nobody");
            assert!(
                later.1[i] || !asked || first.0[i] == case.velocity[i],
                "pushed and not marked"
            );
        }
    }
}

/// If this fails, a crowd is pushed one way on one processor and another way on the next, or a crush
/// throws people about. To the bit; a correction is never longer than the reach of a contact allows.
#[test]
fn contacts_are_alike_on_both_lanes_even_in_a_crush() {
    let mut dice = Dice::new(23);
    for k in 0..64 {
        let case = Case::new(&mut dice, Layout::ALL[k % Layout::ALL.len()], 4000);
        let (best, plain) = (case.run(Isa::Best, None), case.run(Isa::Portable, None));
        let bits =
            |v: &[Vec2]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&best.0), bits(&plain.0));
        assert_eq!(best.1, plain.1);
        for (v, before) in best.0.iter().zip(&case.velocity) {
            // Each pair at most two radii and the shell, taken 1.2 / 0.5 times over many.
            let longest = (*v - *before).length() * case.dt;
            assert!(longest < 2.4 * (1.0 + 0.04), "{longest}");
        }
    }
}

/// If this fails, people are predicted inside walls, or pushed where no wall is. Without walls exact;
/// beside walls to 1e-4 m.
#[test]
fn predictions_are_positions_after_the_step_put_beside_walls() {
    let mut dice = Dice::new(24);
    for k in 0..200 {
        let walled = k % 2 == 0;
        let world = dice::world(&mut dice, walled);
        let (agents, _) = dice::crowd(&mut dice, &world, Layout::ALL[k % Layout::ALL.len()], 100);
        let (tables, len) = (Tables::new(&world).unwrap(), agents.len());
        let before: Vec<Vec2> =
            (0..len).map(|_| dice.direction() * dice.between(0.0, 2.0)).collect();
        let mut velocity = before.clone();
        let (mut next_x, mut next_y, mut push) = (vec![7.0; len], vec![7.0; len], vec![7.0; len]);
        let near: Vec<bool> = (0..len).map(|_| dice.chance(0.7)).collect();
        let some = dice.chance(0.5);
        let walls = Walls::new(&world.clearance);
        let (dt, surge) = (0.05, surge_at(f64::from(k as u32) * 0.3));
        predict(
            &tables,
            walled.then_some(walls),
            &agents,
            &mut velocity,
            (dt, surge),
            Prediction {
                next_x: &mut next_x,
                next_y: &mut next_y,
                push: &mut push,
                pushed: some.then(|| Pushed::marked(&near)).as_ref(),
            },
        );
        for i in 0..len {
            let got = Vec2::new(next_x[i], next_y[i]);
            if some && !near[i] {
                assert_eq!((got, push[i], velocity[i]), (Vec2::splat(7.0), 7.0, before[i]));
                continue;
            }
            // How hard one pushes does not change from pass to pass.
            assert!(!some || push[i] == 7.0);
            let (id, frustration) = (agents.id[i], agents.frustration[i]);
            let usual = tables.push(agents.traits[i], frustration);
            assert!(some || push[i] == usual * surge_of(id, frustration, surge));
            assert!(some || (push[i] <= usual && push[i] >= usual * (1.0 - SURGE * frustration)));
            let free = agents.position(i) + before[i] * dt;
            let wall = walls.nearest(free);
            let depth = (AT_WALL + agents.radius[i] - wall.distance).max(0.0);
            let want = if walled { free + wall.away * depth } else { free };
            assert!((got - want).length() < 1e-4, "{got} {want}");
            assert!((velocity[i] - before[i] - (want - free) / dt).length() < 1e-3);
        }
    }
}

/// A step of one body, one thing after the other.
fn step(input: &MoveInput<'_>, before: &Agents, i: usize, wanted: Vec2) -> [f32; 7] {
    let dt = input.dt;
    let most = before.speed[i] * input.fastest;
    let (position, old) = (before.position(i), Vec2::new(before.vx[i], before.vy[i]));
    let change = (wanted - old).clamp_length_max(input.params.jolt);
    let mut v = (old + change).clamp_length_max(most);
    let radius = AT_WALL + before.radius[i];
    let near = input.walled && input.walls.distance(position + v * dt) < radius;
    if near {
        v = slide(input, position, v, radius, most);
    }
    let mut next = position + v * dt;
    let inside = next.clamp(input.bounds.min, input.bounds.max);
    if inside != next {
        v = ((inside - position) / dt).clamp_length_max(most);
        next = (position + v * dt).clamp(input.bounds.min, input.bounds.max);
    }
    let mut heading = Vec2::new(before.heading_x[i], before.heading_y[i]);
    if v.length_squared() > 0.01 {
        let turn = heading.angle_to(v);
        let most = input.params.turn_rate * dt;
        heading = if turn.abs() <= most {
            v.normalize()
        } else {
            Vec2::from_angle(most.copysign(turn)).rotate(heading)
        };
    }
    let slow = before.traits[i].has(MOVING) && v.length() < 0.2 * before.speed[i];
    let change = if slow { dt / input.patience } else { -dt / input.calm };
    let frustration = (before.frustration[i] + change).clamp(0.0, 1.0);
    [next.x, next.y, v.x, v.y, heading.x, heading.y, frustration]
}

/// If this fails, people step where one alone would not: into walls, off the world, too fast, or turn
/// too sharply. To 1e-4; both lanes to the bit.
#[test]
fn eight_at_a_time_step_like_one() {
    let mut dice = Dice::new(25);
    for k in 0..300 {
        let walled = k % 2 == 0;
        let world = dice::world(&mut dice, walled);
        let most = [10, 20, 60, 300, 1100][k % 5];
        let (agents, _) = dice::crowd(&mut dice, &world, Layout::ALL[k % Layout::ALL.len()], most);
        let mut wanted: Vec<Vec2> =
            (0..agents.len()).map(|_| dice.direction() * dice.between(0.0, 4.0)).collect();
        wanted.resize(agents.len() + WIDTH, Vec2::NAN);
        let input = |isa| MoveInput {
            params: &world.params.movement,
            walls: Walls::new(&world.clearance),
            walled,
            bounds: world.bounds(),
            fastest: 1.5,
            patience: 6.0,
            calm: 4.0,
            dt: [0.01, 0.05, 0.2][k % 3],
            isa,
        };
        let (mut best, mut plain) = (agents.clone(), agents.clone());
        let impacts = move_all(&input(Isa::Best), &mut best, &wanted);
        assert_eq!(impacts, move_all(&input(Isa::Portable), &mut plain, &wanted));
        for ((name, a), (_, b)) in best.floats().iter().zip(plain.floats()) {
            assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
        }
        for (i, &wanted) in wanted[..agents.len()].iter().enumerate() {
            let b = &best;
            let (h, v) = ((b.heading_x[i], b.heading_y[i]), (b.vx[i], b.vy[i]));
            let got = [b.x[i], b.y[i], v.0, v.1, h.0, h.1, b.frustration[i]];
            let want = step(&input(Isa::Best), &agents, i, wanted);
            let heading = Vec2::new(agents.heading_x[i], agents.heading_y[i]);
            let turn = heading.angle_to(Vec2::from(v)).abs();
            // Which way one turns right round, and whether one stands, may fall either way.
            let speed2 = Vec2::from(v).length_squared();
            if turn > 3.1 || (speed2 - 0.01).abs() < 1e-5 {
                continue;
            }
            let slow = (speed2.sqrt() - 0.2 * agents.speed[i]).abs() < 1e-4;
            for (n, (got, want)) in got.iter().zip(want).enumerate() {
                assert!((got - want).abs() < 1e-4 || (n == 6 && slow), "{n}: {got} not {want}");
            }
        }
    }
}
