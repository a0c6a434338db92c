//! Bins of both backends.

use super::{SCENES, agents_of, agents_on_sheet, scene, stages};
use crate::bin::gpu::CROWD;
use crate::dice::{self, Dice, Layout};

/// If this fails, the two backends see different neighbours. Exact: bins, order, every array.
#[test]
fn bins_are_exactly_equal() {
    let mut dice = Dice::new(71);
    let mut fullest = 0;
    for k in 0..SCENES {
        let mut crowd = scene(&mut dice, k);
        // Everybody walks on, some out of the world, and some are gone; in some scenes nobody walks.
        for i in 0..if k % 2 == 1 { 0 } else { crowd.len() } {
            let v = dice.direction() * dice.between(0.0, 3.0);
            crowd.agents.x[i] += v.x;
            crowd.agents.y[i] += v.y;
        }
        dice::kill_some(&mut dice, &mut crowd.agents, [0.0, 0.1, 1.0][k / Layout::ALL.len() % 3]);
        let mut stages = stages(&crowd, 0.05);
        for _ in 0..2 {
            stages.run(|work, pass| {
                work.ranks[0].record(pass);
                work.bin.record(pass);
            });
            stages.side = 1 - stages.side;
            stages.reflect();
            crowd.sort();
            let want = crowd.agents.clone();
            let bins = crowd.binning.bins();
            let starts: Vec<u32> = (0..=bins.frame.bins()).map(|b| bins.start(b) as u32).collect();
            let got = stages.gpu.read::<u32>(&stages.buffers.starts, starts.len()).unwrap();
            assert_eq!(got, starts, "scene {k}");
            fullest = starts.windows(2).map(|bin| bin[1] - bin[0]).fold(fullest, u32::max);
            let got = agents_of(&stages, &mut crowd, stages.side);
            let len = want.len();
            assert_eq!(got.id[..len], want.id[..len], "scene {k}");
            assert_eq!(got.traits[..len], want.traits[..len]);
            assert_eq!(got.site[..len], want.site[..len]);
            for ((name, got), (_, want)) in got.floats().into_iter().zip(want.floats()) {
                assert_eq!(got, want, "{name}");
            }
            let seen = agents_on_sheet(&stages, &mut crowd);
            assert_eq!((&seen.id[..len], &seen.x[..len]), (&got.id[..len], &got.x[..len]));
            let first = stages.buffers.first.read(&stages.gpu, 0);
            assert_eq!(first[..starts.len()], starts, "scene {k}");
        }
    }
    assert!(fullest > CROWD, "no bin with more than {fullest}: crowded ones were not tried");
}
