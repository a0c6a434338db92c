//! The counting sort against a plain sort. Exact: order, IDs, starts and every quality of everybody.

use std::collections::HashMap;

use super::{BinFrame, Binning};
use crate::agents::{Agents, DEAD};
use crate::dice::{Dice, Layout, kill_some, people, world};

/// Old places of the living, in the order they are to have: by bin, then by ID.
fn order(frame: &BinFrame, agents: &Agents) -> Vec<(usize, u32, usize)> {
    let mut all: Vec<_> = (0..agents.len())
        .filter(|i| !agents.traits[*i].has(DEAD))
        .map(|i| (bin_of(frame, agents.x[i], agents.y[i]), agents.id[i], i))
        .collect();
    all.sort();
    all
}

/// The bin whose square holds a position; at the edge of the world that of the nearest inside.
fn bin_of(frame: &BinFrame, x: f32, y: f32) -> usize {
    let index = |v: f32, low: f32, count: usize| {
        let bin = ((v - low) * (1.0 / frame.size)).floor();
        bin.clamp(0.0, (count - 1) as f32) as usize
    };
    index(y, frame.origin.y, frame.rows) * frame.columns + index(x, frame.origin.x, frame.columns)
}

fn compare(binning: &mut Binning, mut agents: Agents) {
    let frame = binning.bins().frame;
    let before = agents.clone();
    let want = order(&frame, &before);
    let mut scratch = vec![0; agents.len()];
    // As many parts as threads, some of them empty.
    let threads = [1, 8][agents.len() % 2];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let removed = pool
        .install(|| binning.sort(&mut agents, &mut scratch, [&mut Vec::new(), &mut Vec::new()]));
    assert_eq!(removed, before.len() - want.len());
    assert_eq!(agents.len(), want.len());
    for (i, (_, id, old)) in want.iter().enumerate() {
        assert_eq!(agents.id[i], *id);
        assert_eq!(agents.traits[i], before.traits[*old]);
        assert_eq!(agents.site[i], before.site[*old]);
        for ((name, new), (_, old_values)) in agents.floats().iter().zip(before.floats()) {
            assert_eq!(new[i].to_bits(), old_values[*old].to_bits(), "{name} of {id}");
        }
    }
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for (bin, ..) in &want {
        *counts.entry(*bin).or_default() += 1;
    }
    let mut start = 0;
    for bin in 0..frame.bins() {
        assert_eq!(binning.bins().start(bin), start);
        start += counts.get(&bin).copied().unwrap_or(0);
    }
    assert_eq!(binning.bins().start(frame.bins()), start);
}

/// If this fails, people lose sight of their neighbours, or take over each other's qualities.
#[test]
fn counting_sort_is_a_sort_by_bin_and_id() {
    let mut dice = Dice::new(2);
    let world = world(&mut dice, false);
    // The memory of one sort is used for the next, larger or smaller.
    let mut binning = Binning::new(BinFrame::over(world.bounds(), 2.0), &world.clearance);
    for k in 0..400 {
        let layout = Layout::ALL[k % Layout::ALL.len()];
        let mut agents = people(&mut dice, &world, layout, 300);
        let share = [0.0, 0.1, 1.0][dice.below(3)];
        kill_some(&mut dice, &mut agents, share);
        compare(&mut binning, agents);
    }
}

/// If this fails, large crowds and worlds, which are sorted in parts, are sorted wrongly.
#[test]
fn large_crowds_are_sorted_in_parts() {
    let mut dice = Dice::new(3);
    let world = world(&mut dice, false);
    for size in [0.1, 0.3, 2.0, 1000.0] {
        let mut binning = Binning::new(BinFrame::over(world.bounds(), size), &world.clearance);
        for layout in [Layout::Scattered, Layout::Heaps, Layout::OneSpot, Layout::Edges] {
            let mut agents = people(&mut dice, &world, layout, 30_000);
            kill_some(&mut dice, &mut agents, 0.05);
            compare(&mut binning, agents);
        }
    }
}

/// If this fails, agents look too far or not far enough for the density around them.
#[test]
fn ranges_and_counts_around_hold_the_agents_of_their_bins() {
    let mut dice = Dice::new(4);
    let world = world(&mut dice, false);
    for k in 0..200 {
        let mut agents = people(&mut dice, &world, Layout::ALL[k % Layout::ALL.len()], 200);
        let mut binning =
            Binning::new(BinFrame::over(world.bounds(), dice.between(0.4, 5.0)), &world.clearance);
        let mut scratch = vec![0; agents.len()];
        binning.sort(&mut agents, &mut scratch, [&mut Vec::new(), &mut Vec::new()]);
        let (bins, frame) = (binning.bins(), binning.bins().frame);
        let place = |i: usize| {
            let bin = bin_of(&frame, agents.x[i], agents.y[i]);
            (bin % frame.columns, bin / frame.columns)
        };
        let (column, row) = (dice.below(frame.columns), dice.below(frame.rows));
        let last = column + dice.below(frame.columns - column);
        let (start, end) = bins.range(row, column, last);
        for i in 0..agents.len() {
            let (c, r) = place(i);
            let inside = r == row && (column..=last).contains(&c);
            assert_eq!((start..end).contains(&i), inside);
        }
        let near = |i: &usize| place(*i).0.abs_diff(column) <= 1 && place(*i).1.abs_diff(row) <= 1;
        let agents_near = (0..agents.len()).filter(near).count();
        let (people, room) = bins.count_around(column, row);
        assert_eq!(people, agents_near as u32);
        // Open ground around, by the cells of the distance to walls.
        let clear = &world.clearance;
        let open = (0..clear.cells()).filter(|&i| clear.as_slice()[i] > 0.0).filter(|&i| {
            let at = clear.centre(clear.cell_at(i));
            let bin = bin_of(&frame, at.x, at.y);
            let (c, r) = (bin % frame.columns, bin / frame.columns);
            c.abs_diff(column) <= 1 && r.abs_diff(row) <= 1
        });
        let wanted = open.count() as f32 * (clear.cell_size() / frame.size).powi(2);
        assert!((room - wanted).abs() < 1e-3 + 1e-3 * wanted, "{room} not {wanted}");
    }
}
