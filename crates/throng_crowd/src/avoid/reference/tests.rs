//! The comparisons.

use glam::{DVec2, Vec2};
use throng_world::params::{AvoidParams, Model};

use super::super::cpu::{AvoidInput, avoid};
use super::super::neighbours::{MOST, Neighbours, Query, Reach};
use super::Judge;
use super::decision::{bodies, decide};
use super::list::{headway, neighbours, side, time_to_collision, wide};
use crate::agents::{Agents, FREE_WAY, MOVING};
use crate::bin::Binning;
use crate::dice::{self, Dice, Layout};
use crate::lanes::{Isa, Kernel, Lanes, WIDTH, dispatch};
use crate::tables::Tables;
use crate::turns::{Turn, Turns};
use crate::walls::Walls;

/// The looker's own speed, and how far it thinks ahead (metres per second, seconds).
const LEAVING: (f32, f32) = (0.4, 0.9);

const BOTH: [Isa; 2] = [Isa::Best, Isa::Portable];

/// What the kernels made of one query.
struct Seen {
    list: Neighbours,
    times: [f32; WIDTH],
    side: (f32, f32),
    headway: f32,
}

/// One query with all that is read from its list.
struct Look<'a> {
    input: &'a AvoidInput<'a>,
    agents: &'a Agents,
    query: Query,
    /// Eight velocities, and the direction and lane of the headway.
    velocity: ([f32; WIDTH], [f32; WIDTH]),
    direction: Vec2,
    lane: f32,
    out: &'a mut Seen,
}

const HORIZON: f32 = 3.0;
const FAR: f32 = 10.0;

impl Kernel for Look<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let list = &mut self.out.list;
        list.gather(l, &bodies(self.input, self.agents), self.query);
        list.measure(l);
        let (vx, vy) = (l.lanes_of(self.velocity.0), l.lanes_of(self.velocity.1));
        self.out.times = l.array_of(list.times(l, vx, vy, HORIZON));
        let (ahead, reach) = (self.query.ahead, self.query.reach.ahead);
        self.out.side = list.side(l, self.input.params, ahead, reach);
        let direction = (self.direction.x, self.direction.y);
        self.out.headway = list.headway(l, direction, self.lane, FAR, LEAVING);
    }
}

fn bits(seen: &Seen) -> Vec<u32> {
    let list = &seen.list;
    let n = list.count;
    let arrays = [&list.dx, &list.dy, &list.vx, &list.vy, &list.touch, &list.along];
    let all = arrays.iter().flat_map(|a| &a[..n]).chain(&seen.times);
    let all = all.chain([&seen.side.0, &seen.side.1, &seen.headway]);
    all.map(|v| v.to_bits()).collect()
}

/// A crowd, and everything the stage reads.
struct Case {
    agents: Agents,
    binning: Binning,
    params: AvoidParams,
    tables: Tables,
    world: throng_world::World,
    walled: bool,
    dt: f32,
    step: u64,
    turns: Vec<Turn>,
}

impl Case {
    fn new(dice: &mut Dice, layout: Layout, most: usize) -> Self {
        let walled = dice.chance(0.5);
        let world = dice::world(dice, walled);
        let (agents, binning) = dice::crowd(dice, &world, layout, most);
        let turns = [Turn::No, Turn::Usual, Turn::Brisk];
        let turns = (0..agents.len() + WIDTH).map(|_| turns[dice.below(3)]).collect();
        Self {
            turns,
            agents,
            binning,
            params: AvoidParams::default(),
            tables: Tables::new(&world).unwrap(),
            world,
            walled,
            dt: [0.02, 0.05, 0.1, 0.5][dice.below(4)],
            step: dice.bits() >> 32,
        }
    }

    fn input(&self, isa: Isa) -> AvoidInput<'_> {
        AvoidInput {
            params: &self.params,
            tables: &self.tables,
            turn_rate: 6.0,
            bins: self.binning.bins(),
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            dt: self.dt,
            turns: &self.turns,
            periods: Turns::new(&self.params, self.dt, self.step).periods(),
            isa,
        }
    }

    /// Preferred directions and speeds.
    fn wants(&self, dice: &mut Dice) -> (Vec<Vec2>, Vec<f32>) {
        let len = self.agents.len();
        let want = (0..len).map(|_| {
            dice.direction() * [1.0, dice.between(0.1, 0.9)][usize::from(dice.chance(0.1))]
        });
        let want = want.collect();
        let pace = (0..len).map(|_| [0.05, dice.between(0.2, 2.0)][usize::from(dice.chance(0.9))]);
        (want, pace.collect())
    }

    /// What the stage gives: velocities, and whose way is free.
    fn run(&self, isa: Isa, want: &[Vec2], pace: &[f32]) -> (Vec<Vec2>, Vec<bool>) {
        let (mut agents, mut want) = (self.agents.clone(), want.to_vec());
        avoid(&self.input(isa), &mut agents, &mut want, pace);
        let free = agents.traits[..want.len()].iter().map(|t| t.has(FREE_WAY)).collect();
        (want, free)
    }
}

/// If this fails, people see others than those around them, or misjudge when and where they meet.
///
/// Who is in the list is exact; offsets are compared to 1e-5 m, times to 1e-3 of themselves and
/// 1e-4 s, sides to 1e-4, free ways to 1e-4 m (2e-3 m where a body is only grazed).
#[test]
fn lists_and_what_is_read_from_them() {
    let mut dice = Dice::new(11);
    let (mut looked, mut doubtful, mut seen_any) = (0, [0; 4], 0);
    for k in 0..540 {
        let layout = Layout::ALL[k % Layout::ALL.len()];
        let case = Case::new(&mut dice, layout, 200);
        let len = case.agents.len();
        for _ in 0..len.min(12) {
            let ahead = dice.direction();
            let query = Query {
                agent: dice.below(len),
                ahead: (ahead.x, ahead.y),
                reach: Reach { ahead: dice.between(0.5, 5.0), aside: dice.between(0.3, 5.0) },
                behind: [0.3, 1e6][dice.below(2)],
            };
            let pace = dice.between(0.0, 2.0);
            let velocity: [Vec2; WIDTH] = std::array::from_fn(|_| dice.direction() * pace);
            let (direction, lane) = (dice.direction(), [0.6, 1.0][dice.below(2)]);
            let seen = BOTH.map(|isa| {
                let mut seen = Seen {
                    list: Neighbours::new(),
                    times: [0.0; WIDTH],
                    side: (0.0, 0.0),
                    headway: 0.0,
                };
                let velocity = (velocity.map(|v| v.x), velocity.map(|v| v.y));
                let (input, agents) = (&case.input(isa), &case.agents);
                let out = &mut seen;
                dispatch(isa, Look { input, agents, query, velocity, direction, lane, out });
                seen
            });
            assert_eq!(bits(&seen[0]), bits(&seen[1]), "lanes differ");
            let seen = &seen[0];
            looked += 1;

            let mut judge = Judge::default();
            let list =
                neighbours(&bodies(&case.input(Isa::Best), &case.agents), len, &query, &mut judge);
            if judge.doubt {
                doubtful[0] += 1;
                continue;
            }
            assert_eq!(seen.list.count, list.len(), "{layout:?} {query:?}");
            seen_any += usize::from(!list.is_empty());
            for (n, want) in list.iter().enumerate() {
                let got = Vec2::new(seen.list.dx[n], seen.list.dy[n]);
                assert!((wide(got) - want.offset).length() < 1e-5);
                let got = Vec2::new(seen.list.vx[n], seen.list.vy[n]);
                assert_eq!(wide(got), want.velocity);
                assert!((f64::from(seen.list.touch[n]) - want.touch).abs() < 1e-6);
                assert!((f64::from(seen.list.along[n]) - want.along).abs() < 1e-6);
            }

            let mut judge = Judge::default();
            for (v, got) in velocity.iter().zip(seen.times) {
                let mut close = Judge::default();
                let want = time_to_collision(&list, wide(*v), HORIZON.into(), &mut close);
                judge.doubt |= close.doubt;
                let off = (f64::from(got) - want).abs();
                assert!(close.doubt || off < 1e-4 + 1e-3 * want, "{layout:?} {got} {want}");
            }
            doubtful[1] += usize::from(judge.doubt);

            let mut judge = Judge::default();
            let reach = query.reach.ahead.into();
            let want = side(&list, &case.params, wide(ahead), reach, &mut judge);
            let got = DVec2::new(seen.side.0.into(), seen.side.1.into());
            let off = (got - DVec2::from(want)).abs().max_element();
            assert!(judge.doubt || off < 1e-4, "{layout:?} {got} {want:?}");
            doubtful[2] += usize::from(judge.doubt);

            let mut judge = Judge::default();
            let want = {
                let leaving = (LEAVING.0.into(), LEAVING.1.into());
                headway(&list, wide(direction), lane.into(), FAR.into(), leaving, &mut judge)
            };
            let slack = if lane < 1.0 { 1e-4 } else { 2e-3 };
            let off = (f64::from(seen.headway) - want).abs();
            assert!(judge.doubt || off < slack, "{layout:?} {} {want}", seen.headway);
            doubtful[3] += usize::from(judge.doubt);
        }
    }
    assert!(seen_any * 3 > looked, "{seen_any} of {looked} saw anybody");
    for (n, most) in doubtful.iter().zip([0.005, 0.02, 0.005, 0.005]) {
        assert!((*n as f64) < most * looked as f64, "{doubtful:?} of {looked}");
    }
}

/// If this fails, in a crush the list runs over, or holds others than those next in line.
#[test]
fn a_crush_fills_the_list_and_no_more() {
    let mut dice = Dice::new(12);
    for k in 0..60 {
        let layout = [Layout::OneSpot, Layout::Heaps, Layout::Dense][k % 3];
        let case = Case::new(&mut dice, layout, 2500);
        let len = case.agents.len();
        for agent in [0, len - 1, dice.below(len), dice.below(len)] {
            let ahead = dice.direction();
            let reach = Reach { ahead: dice.between(0.2, 3.0), aside: dice.between(0.2, 3.0) };
            let query = Query { agent, ahead: (ahead.x, ahead.y), reach, behind: 1e6 };
            let mut judge = Judge::default();
            let input = case.input(Isa::Best);
            let want = neighbours(&bodies(&input, &case.agents), len, &query, &mut judge);
            assert!(want.len() <= MOST);
            for isa in BOTH {
                let mut seen = Seen {
                    list: Neighbours::new(),
                    times: [0.0; WIDTH],
                    side: (0.0, 0.0),
                    headway: 0.0,
                };
                let (input, agents) = (&case.input(isa), &case.agents);
                let velocity = ([0.0; WIDTH], [1.0; WIDTH]);
                let (direction, lane, out) = (ahead, 0.6, &mut seen);
                dispatch(isa, Look { input, agents, query, velocity, direction, lane, out });
                if judge.doubt {
                    continue;
                }
                assert_eq!(seen.list.count, want.len(), "{layout:?}");
                for (n, want) in want.iter().enumerate() {
                    let got = Vec2::new(seen.list.dx[n], seen.list.dy[n]);
                    assert!((wide(got) - want.offset).length() < 1e-5);
                    let got = Vec2::new(seen.list.vx[n], seen.list.vy[n]);
                    assert_eq!(wide(got), want.velocity);
                }
            }
        }
    }
}

/// Compares the whole stage with the reference; gives how many decided and how many in doubt.
fn compare(dice: &mut Dice, case: &Case) -> (usize, usize) {
    let (want, pace) = case.wants(dice);
    let (velocity, free) = case.run(Isa::Best, &want, &pace);
    let (plain, plain_free) = case.run(Isa::Portable, &want, &pace);
    let bits = |v: &[Vec2]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(&velocity), bits(&plain), "lanes differ");
    assert_eq!(free, plain_free, "lanes differ");
    let (mut decided, mut doubtful) = (0, 0);
    for i in 0..want.len() {
        let mut judge = Judge::default();
        let input = case.input(Isa::Best);
        let (v, is_free) = decide(&input, &case.agents, i, (want[i], pace[i]), &mut judge);
        decided += usize::from(is_free.is_some());
        assert!(velocity[i].is_finite());
        if judge.doubt {
            doubtful += 1;
            continue;
        }
        let off = (wide(velocity[i]) - v).length();
        assert!(off < 2e-3, "agent {i} of {}: {} not {v}", want.len(), velocity[i]);
        assert_eq!(free[i], is_free.unwrap_or(false), "free way of {i}");
    }
    (decided, doubtful)
}

/// If this fails, people walk otherwise than the model says. Velocities are compared to 2 mm/s;
/// between AVX2 and plain loops to the bit.
#[test]
fn throng_decides_as_its_description_says() {
    let mut dice = Dice::new(13);
    let (mut decided, mut doubtful) = (0, 0);
    for k in 0..540 {
        let mut case = Case::new(&mut dice, Layout::ALL[k % Layout::ALL.len()], 120);
        if dice.chance(0.5) {
            case.params.reaction = case.dt;
        }
        let (a, b) = compare(&mut dice, &case);
        (decided, doubtful) = (decided + a, doubtful + b);
    }
    assert!(decided > 10_000 && doubtful * 10 < decided, "{doubtful} of {decided} in doubt");
}

/// If this fails, the 2008 model is no longer the one that was published. Tolerance as above.
#[test]
fn froblins_decide_as_their_chapter_says() {
    let mut dice = Dice::new(14);
    let (mut decided, mut doubtful) = (0, 0);
    for k in 0..540 {
        let mut case = Case::new(&mut dice, Layout::ALL[k % Layout::ALL.len()], 120);
        case.params.model = Model::Froblins;
        let (a, b) = compare(&mut dice, &case);
        (decided, doubtful) = (decided + a, doubtful + b);
    }
    assert!(decided > 10_000 && doubtful * 20 < decided, "{doubtful} of {decided} in doubt");
}

/// If this fails, a crowd goes one way on one processor and another way on the next.
#[test]
fn whole_crowds_decide_alike_on_both_lanes() {
    let mut dice = Dice::new(15);
    for k in 0..48 {
        let mut case = Case::new(&mut dice, Layout::ALL[k % Layout::ALL.len()], 4000);
        if k % 3 == 0 {
            case.params.model = Model::Froblins;
        }
        let (want, mut pace) = case.wants(&mut dice);
        // Some have no speed at all.
        pace.iter_mut().step_by(7).for_each(|p| *p = 0.0);
        let (best, plain) =
            (case.run(Isa::Best, &want, &pace), case.run(Isa::Portable, &want, &pace));
        let bits =
            |v: &[Vec2]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&best.0), bits(&plain.0));
        assert_eq!(best.1, plain.1);
        assert!(best.0.iter().all(|v| v.is_finite()));
        for (i, v) in best.0.iter().enumerate() {
            assert!(case.agents.traits[i].has(MOVING) || *v == Vec2::ZERO);
        }
    }
}
